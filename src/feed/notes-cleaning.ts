/** Takes out of a markdown tree what must not be published: raw HTML, and addresses that are not of the web. */
import { defaultSchema } from 'rehype-sanitize';

/** The parts of an mdast node that matter here. */
export interface MarkdownNode {
  type: string;
  url?: string;
  title?: string | null | undefined;
  value?: string;
  alt?: string | null | undefined;
  /** Of a fenced block of code. */
  lang?: string | null | undefined;
  meta?: string | null | undefined;
  /** Of a definition, a footnote, and of what refers to one. */
  identifier?: string;
  label?: string | null | undefined;
  children?: MarkdownNode[];
}

/** Changes the tree in place; true when there was something to take out. */
export function cleanMarkdown(tree: MarkdownNode): boolean {
  const { children } = tree;
  if (children === undefined) return false;
  let changed = false;
  const kept: MarkdownNode[] = [];
  for (const child of children) {
    const cleaned = cleanMarkdown(child);
    const replacement = replacementOf(child, tree.type);
    if (cleaned || replacement !== null) changed = true;
    if (replacement !== null) kept.push(...replacement);
    else if (!(cleaned && child.type === 'paragraph' && child.children?.length === 0)) kept.push(child);
  }
  if (!changed) return false;
  const last = kept.at(-1);
  // What was taken out may have stood behind a space, which would now be written as an entity.
  if (last?.type === 'text' && phrasing.has(tree.type)) last.value = last.value?.trimEnd() ?? '';
  children.splice(0, children.length, ...kept);
  return true;
}

/** What stands in a node's place; null when the node itself may stay. */
function replacementOf(node: MarkdownNode, parent: string): MarkdownNode[] | null {
  switch (node.type) {
    case 'html':
      return replacementOfHtml(node.value ?? '', parent);
    case 'link':
      if (!isLink(node.url)) return node.children ?? [];
      return textOf(node) === '' ? [] : null;
    case 'definition':
      return isLink(node.url) ? null : [];
    case 'image':
      if (isWebAddress(node.url)) return null;
      return node.alt ? [{ type: 'text', value: node.alt }] : [];
    default:
      return null;
  }
}

/** Tags that HTML knows go; `Array<String>` was never meant as one and stays as text. A line break stays a break. */
function replacementOfHtml(value: string, parent: string): MarkdownNode[] {
  if (!phrasing.has(parent)) return [];
  if (/^<br\s*\/?>$/i.test(value)) return [{ type: 'break' }];
  const name = /^<\/?([A-Za-z][A-Za-z0-9-]*)/.exec(value)?.[1];
  return name === undefined || knownTags.has(name.toLowerCase()) ? [] : [{ type: 'text', value }];
}

/** The nodes that hold running text, where a text node may stand. */
const phrasing = new Set([
  'paragraph',
  'heading',
  'emphasis',
  'strong',
  'delete',
  'link',
  'linkReference',
  'tableCell',
]);

const knownTags = new Set([
  ...(defaultSchema.tagNames ?? []),
  ...'a abbr address article aside audio base body button canvas center cite data dialog embed fieldset figcaption'.split(
    ' ',
  ),
  ...'figure font footer form frame frameset head header html iframe label legend link main map mark marquee math'.split(
    ' ',
  ),
  ...'menu meta nav noscript object option output param portal progress script select slot small style svg'.split(' '),
  ...'template textarea time title track u video wbr'.split(' '),
]);

const isWebAddress = (url: string | undefined): boolean => /^https?:\/\//i.test(url ?? '');

/** A relative address would lead into the server that publishes the notes, so only absolute ones stay. */
const isLink = (url: string | undefined): boolean => isWebAddress(url) || /^mailto:/i.test(url ?? '');

function textOf(node: MarkdownNode): string {
  if (node.type === 'image' || node.type === 'break') return ' image ';
  return node.value ?? (node.children ?? []).map(textOf).join('');
}
