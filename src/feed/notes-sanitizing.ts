/** Sanitizes the tree of Markdown notes: no raw HTML, no address outside the web, and only syntax that every parser reads alike. */

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

/** The nodes and texts that take the place of others. */
interface Replacements {
  /** The definitions of link addresses by `identifier`, as the parser normalized it, or undefined without one; the first of each counts. */
  readonly definitions: ReadonlyMap<string | undefined, readonly MarkdownNode[]>;
  /** Returns the sanitized Markdown nodes that replace a block of HTML, or an image in HTML. */
  readonly readHtml: (html: string) => MarkdownNode[];
}

/**
 * Removes raw HTML from a tree, in place, and all addresses but those of http and https and, of links, `mailto:`. References become
 * links or images, footnotes text, and only the name of a language stays behind a fence.
 *
 * @param readHtml returns the sanitized Markdown nodes that replace a block of HTML, or an image in HTML; both are removed without
 * it
 */
export function sanitizeMarkdown(tree: MarkdownNode, readHtml: Replacements['readHtml'] = () => []): void {
  const definitions = Map.groupBy(listDefinitions(tree), ({ identifier }) => identifier);
  sanitizeChildren(tree, { definitions, readHtml });
}

const listDefinitions = (node: MarkdownNode): MarkdownNode[] =>
  node.type === 'definition' ? [node] : (node.children ?? []).flatMap(listDefinitions);

function sanitizeChildren(node: MarkdownNode, replacements: Replacements): void {
  const { children } = node;
  if (children === undefined) return;
  const newChildren = children.flatMap((child) => {
    sanitizeChildren(child, replacements);
    return replaceNode(child, node.type, replacements);
  });
  // A space separates two adjacent code spans, whose backticks would otherwise run together.
  const apart = newChildren.flatMap((child, index) =>
    child.type === 'inlineCode' && newChildren[index - 1]?.type === 'inlineCode'
      ? [createTextNode(' '), child]
      : [child],
  );
  const last = apart.at(-1);
  // A space at the end, where a node was removed, would be written as an entity, so it is trimmed.
  if (last?.type === 'text' && phrasing.has(node.type)) last.value = last.value?.trimEnd() ?? '';
  children.splice(0, children.length, ...apart);
}

/**
 * Returns the nodes that replace a node whose children are sanitized, none if it is removed. `parent` is the type of the node that
 * it is in.
 */
function replaceNode(node: MarkdownNode, parent: string, replacements: Replacements): MarkdownNode[] {
  const { definitions } = replacements;
  switch (node.type) {
    case 'paragraph':
      return parent === 'tableCell' ? [...(node.children ?? []), createTextNode(' ')] : splitParagraph(node);
    case 'html':
      return replaceHtml(node.value ?? '', parent, replacements);
    case 'link':
      return replaceLink(node, node.url);
    case 'linkReference':
      return replaceLink(node, definitions.get(node.identifier)?.[0]?.url);
    case 'image':
      return replaceImage(node, node.url);
    case 'imageReference':
      return replaceImage(node, definitions.get(node.identifier)?.[0]?.url);
    case 'definition':
      return [];
    case 'footnoteReference':
      return [createTextNode(mark(node))];
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

/** Splits a paragraph at two breaks in a row, which look like the end of one. An empty paragraph is removed. */
function splitParagraph({ children = [] }: MarkdownNode): MarkdownNode[] {
  const parts: MarkdownNode[][] = [[]];
  for (const child of children) {
    const part = parts.at(-1) ?? [];
    if (child.type !== 'break' || part.at(-1)?.type !== 'break') part.push(child);
    else if (part.pop()) parts.push([]);
  }
  return parts.filter((part) => part.length > 0).map((part) => ({ type: 'paragraph', children: part }));
}

/**
 * Returns the nodes that replace raw HTML in a node of the type `parent`. A block, and an image within running text, become what
 * `readHtml` returns. Within running text, `br` becomes a break, any other tag in `htmlTags` is removed, and one that is not in it,
 * such as that in `Array<String>`, becomes text.
 */
function replaceHtml(value: string, parent: string, { readHtml }: Replacements): MarkdownNode[] {
  if (!phrasing.has(parent)) return readHtml(value);
  if (/^<img\s/i.test(value)) return readHtml(value).flatMap(({ children = [] }) => children);
  if (/^<br\s*\/?>$/i.test(value)) return [{ type: 'break' }];
  const name = /^<\/?([A-Za-z][A-Za-z0-9-]*)/.exec(value)?.[1];
  return name === undefined || htmlTags.has(name.toLowerCase()) ? [] : [createTextNode(value)];
}

/**
 * Returns the link, only its content if it has no address or leads neither to the web nor to a mail address, or nothing if it has
 * no text or image.
 */
function replaceLink(node: MarkdownNode, url = ''): MarkdownNode[] {
  const { children = [] } = node;
  if (!isWebAddress(url) && !/^mailto:/i.test(url)) return children;
  return readText(node) === '' ? [] : [{ type: 'link', url: encodeAddress(url), children }];
}

function replaceImage({ alt }: MarkdownNode, url = ''): MarkdownNode[] {
  if (isWebAddress(url)) return [{ type: 'image', url: encodeAddress(url), alt }];
  return alt ? [createTextNode(alt)] : [];
}

/**
 * Returns the blocks of a footnote with its mark, such as `[1]`, at the start of the first paragraph. The mark is a paragraph of
 * its own if the footnote is empty or does not begin with a paragraph.
 */
function replaceFootnote(node: MarkdownNode): MarkdownNode[] {
  const [first, ...rest] = node.children ?? [];
  const label = createTextNode(`${mark(node)} `);
  return first?.type === 'paragraph'
    ? [{ ...first, children: [label, ...(first.children ?? [])] }, ...rest]
    : [{ type: 'paragraph', children: [label] }, ...(node.children ?? [])];
}

/** The types of nodes that contain running text, among which a text node may be. */
const phrasing = new Set('paragraph heading emphasis strong delete link linkReference tableCell'.split(' '));

const htmlTags = new Set(
  (
    'a abbr address article aside audio b base blockquote body br button canvas center cite code data dd del details dialog div dl dt em ' +
    'embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd ' +
    'label legend li link main map mark marquee math menu meta nav noscript object ol option output p param picture portal pre progress q ' +
    'rp rt ruby s samp script section select slot small source span strike strong style sub summary sup svg table tbody td template ' +
    'textarea tfoot th thead time title tr track tt u ul var video wbr'
  ).split(' '),
);

const createTextNode = (value: string): MarkdownNode => ({ type: 'text', value });
const mark = ({ label, identifier }: MarkdownNode): string => `[${label ?? identifier}]`;
const isLanguage = (name: string | null | undefined): boolean => /^[\w+#.-]{1,40}$/.test(name ?? '');

/** Returns whether a URL is absolute and http or https: a relative one would refer to the server that publishes the notes. */
const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);

/** Returns a URL with percent codes for what could end it, or be read as markup within it. */
const encodeAddress = (url: string): string =>
  url
    .replace(/[\s<>"`\\|[\]{}^]|\p{Cc}/gu, encodeURIComponent)
    .replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'));

function readText(node: MarkdownNode): string {
  if (node.type === 'image' || node.type === 'break') return ' image ';
  return node.value ?? (node.children ?? []).map(readText).join('');
}
