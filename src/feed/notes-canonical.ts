/** Brings a markdown tree into a form whose text every parser reads alike, whatever dialect it knows. */
import type { MarkdownNode } from './notes-cleaning.ts';

/**
 * Changes the tree in place. References become links, footnotes text, and only the name of a language stays behind a fence:
 * each of them is something that parsers know, bound or end differently. Titles of links go.
 */
export function makeCanonical(tree: MarkdownNode): void {
  const definitions = new Map<string, MarkdownNode>();
  collectDefinitions(tree, definitions);
  settleChildren(tree, definitions);
}

type Definitions = Map<string, MarkdownNode>;

/** The first of an identifier counts. */
function collectDefinitions(node: MarkdownNode, definitions: Definitions): void {
  const { type, identifier = '' } = node;
  if (type === 'definition' && !definitions.has(identifier)) definitions.set(identifier, node);
  for (const child of node.children ?? []) collectDefinitions(child, definitions);
}

function settleChildren(node: MarkdownNode, definitions: Definitions): void {
  const { children } = node;
  if (children === undefined) return;
  const apart: MarkdownNode[] = [];
  for (const child of settled(children, definitions)) {
    // Side by side, their backticks would run together.
    if (child.type === 'inlineCode' && apart.at(-1)?.type === 'inlineCode') apart.push(textNode(' '));
    apart.push(child);
  }
  children.splice(0, children.length, ...apart);
  for (const child of children) settleChildren(child, definitions);
}

const settled = (nodes: readonly MarkdownNode[] = [], definitions: Definitions): MarkdownNode[] =>
  nodes.flatMap((node) => replacementOf(node, definitions));

function replacementOf(node: MarkdownNode, definitions: Definitions): MarkdownNode[] {
  switch (node.type) {
    case 'definition':
      return [];
    case 'linkReference':
    case 'imageReference':
      return resolved(node, definitions);
    case 'link':
    case 'image':
      return [{ ...node, url: encoded(node.url ?? ''), title: null }];
    case 'footnoteReference':
      return [textNode(mark(node))];
    case 'footnoteDefinition':
      return withMark(node, definitions);
    case 'code':
      return [{ ...node, lang: isLanguage(node.lang) ? node.lang : null, meta: null }];
    case 'inlineCode':
      return [{ ...node, value: (node.value ?? '').replace(/\s*\n\s*/g, ' ') }];
    default:
      return [node];
  }
}

/** A reference as what it refers to, or as its text when that was taken out. */
function resolved(node: MarkdownNode, definitions: Definitions): MarkdownNode[] {
  const definition = definitions.get(node.identifier ?? '');
  const children = settled(node.children, definitions);
  const isImage = node.type === 'imageReference';
  if (definition === undefined) return isImage ? [textNode(node.alt ?? '')] : children;
  const url = encoded(definition.url ?? '');
  return [isImage ? { type: 'image', url, alt: node.alt } : { type: 'link', url, children }];
}

const textNode = (value: string): MarkdownNode => ({ type: 'text', value });
const mark = ({ label, identifier }: MarkdownNode): string => `[${label ?? identifier}]`;
const isLanguage = (name: string | null | undefined): boolean => /^[\w+#.-]{1,40}$/.test(name ?? '');

/** The footnote's blocks, its mark before the first. */
function withMark(node: MarkdownNode, definitions: Definitions): MarkdownNode[] {
  const blocks = settled(node.children, definitions);
  const [first, ...rest] = blocks;
  if (first?.type !== 'paragraph') return [{ type: 'paragraph', children: [textNode(mark(node))] }, ...blocks];
  return [{ ...first, children: [textNode(`${mark(node)} `), ...(first.children ?? [])] }, ...rest];
}

/** What could end an address, or be read as markup within it. */
const encoded = (url: string): string =>
  url
    .replace(/[\s<>"`\\|[\]{}^]|\p{Cc}/gu, encodeURIComponent)
    .replace(/[()]/g, (found) => (found === '(' ? '%28' : '%29'));
