/** Sanitizes the tree of Markdown notes: no raw HTML, no address outside the web, and only syntax that every parser reads alike. */
import { defaultSchema } from 'rehype-sanitize';

/** The parts of an mdast node that matter here. */
export interface MarkdownNode {
  type: string;
  url?: string;
  title?: string | null | undefined;
  value?: string;
  alt?: string | null | undefined;
  /** The language of a fenced block of code. */
  lang?: string | null | undefined;
  meta?: string | null | undefined;
  /** The name of a definition or footnote, and of a reference to one. */
  identifier?: string;
  label?: string | null | undefined;
  children?: MarkdownNode[];
}

/** Changes the tree in place. References become links, footnotes text, and only the name of a language stays behind a fence. */
export function sanitizeMarkdown(tree: MarkdownNode): void {
  const definitions = new Map<string, MarkdownNode>();
  collectDefinitions(tree, definitions);
  sanitizeChildren(tree, definitions);
}

type Definitions = Map<string, MarkdownNode>;

/** Collects the definitions of link addresses; the first of a name counts. */
function collectDefinitions(node: MarkdownNode, definitions: Definitions): void {
  const { type, identifier = '' } = node;
  if (type === 'definition' && !definitions.has(identifier)) definitions.set(identifier, node);
  for (const child of node.children ?? []) collectDefinitions(child, definitions);
}

function sanitizeChildren(node: MarkdownNode, definitions: Definitions): void {
  const { children } = node;
  if (children === undefined) return;
  const replaced = children.flatMap((child) => {
    sanitizeChildren(child, definitions);
    const isEmptied = child.type === 'paragraph' && child.children?.length === 0;
    return isEmptied ? [] : replaceNode(child, node.type, definitions);
  });
  // Side by side, the backticks of two code spans would run together.
  const apart = replaced.flatMap((child, at) =>
    child.type === 'inlineCode' && replaced[at - 1]?.type === 'inlineCode' ? [textNode(' '), child] : [child],
  );
  const last = apart.at(-1);
  // A space at the end, where a node was removed, would be written as an entity.
  if (last?.type === 'text' && phrasing.has(node.type)) last.value = last.value?.trimEnd() ?? '';
  children.splice(0, children.length, ...apart);
}

/** Returns the nodes that replace a node whose children are sanitized. */
function replaceNode(node: MarkdownNode, parent: string, definitions: Definitions): MarkdownNode[] {
  switch (node.type) {
    case 'html':
      return replaceHtml(node.value ?? '', parent);
    case 'link':
      return replaceLink(node, node.url);
    case 'linkReference':
      return replaceLink(node, definitions.get(node.identifier ?? '')?.url);
    case 'image':
      return replaceImage(node, node.url);
    case 'imageReference':
      return replaceImage(node, definitions.get(node.identifier ?? '')?.url);
    case 'definition':
      return [];
    case 'footnoteReference':
      return [textNode(mark(node))];
    case 'footnoteDefinition':
      return replaceFootnote(node);
    case 'code':
      return [{ ...node, lang: isLanguage(node.lang) ? node.lang : null, meta: null }];
    case 'inlineCode':
      return [{ ...node, value: (node.value ?? '').replace(/\s*\n\s*/g, ' ') }];
    default:
      return [node];
  }
}

/** Removes tags that HTML knows; `Array<String>` was never meant as one and stays as text. A line break stays a break. */
function replaceHtml(value: string, parent: string): MarkdownNode[] {
  if (!phrasing.has(parent)) return [];
  if (/^<br\s*\/?>$/i.test(value)) return [{ type: 'break' }];
  const name = /^<\/?([A-Za-z][A-Za-z0-9-]*)/.exec(value)?.[1];
  return name === undefined || htmlTags.has(name.toLowerCase()) ? [] : [textNode(value)];
}

/** Keeps only the text of a link that does not lead to the web, and nothing of a link without text. */
function replaceLink(node: MarkdownNode, url = ''): MarkdownNode[] {
  const { children = [] } = node;
  if (!isWebAddress(url) && !/^mailto:/i.test(url)) return children;
  return readText(node) === '' ? [] : [{ type: 'link', url: encodeAddress(url), children }];
}

function replaceImage({ alt }: MarkdownNode, url = ''): MarkdownNode[] {
  if (isWebAddress(url)) return [{ type: 'image', url: encodeAddress(url), alt }];
  return alt ? [textNode(alt)] : [];
}

/** Returns the footnote's blocks, its mark before the first. */
function replaceFootnote(node: MarkdownNode): MarkdownNode[] {
  const [first, ...rest] = node.children ?? [];
  const label = textNode(`${mark(node)} `);
  return first?.type === 'paragraph'
    ? [{ ...first, children: [label, ...(first.children ?? [])] }, ...rest]
    : [{ type: 'paragraph', children: [label] }, ...(node.children ?? [])];
}

/** The nodes that hold running text, where a text node may stand. */
const phrasing = new Set('paragraph heading emphasis strong delete link linkReference tableCell'.split(' '));

const htmlTags = new Set([
  ...(defaultSchema.tagNames ?? []),
  ...(
    'a abbr address article aside audio base body button canvas center cite data dialog embed fieldset figcaption figure font footer ' +
    'form frame frameset head header html iframe label legend link main map mark marquee math menu meta nav noscript object option output ' +
    'param portal progress script select slot small style svg template textarea time title track u video wbr'
  ).split(' '),
]);

const textNode = (value: string): MarkdownNode => ({ type: 'text', value });
const mark = ({ label, identifier }: MarkdownNode): string => `[${label ?? identifier}]`;
const isLanguage = (name: string | null | undefined): boolean => /^[\w+#.-]{1,40}$/.test(name ?? '');

/** Tells whether an address is absolute and of the web: a relative one would lead into the server that publishes the notes. */
const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);

/** Encodes what could end an address, or be read as markup within it. */
const encodeAddress = (url: string): string =>
  url
    .replace(/[\s<>"`\\|[\]{}^]|\p{Cc}/gu, encodeURIComponent)
    .replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'));

function readText(node: MarkdownNode): string {
  if (node.type === 'image' || node.type === 'break') return ' image ';
  return node.value ?? (node.children ?? []).map(readText).join('');
}
