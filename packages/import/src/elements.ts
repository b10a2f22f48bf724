/** Parses the tags of a text into a tree of elements, and matches each closing tag with its opening tag. */
import { type ElementKind, findTags, type ScanOptions, type Tag } from './tags.ts';

/** The Markdown that replaces an element, empty to leave it out; `block` says whether it gets lines of its own. */
export interface Rendered {
  readonly text: string;
  readonly block: boolean;
}

/** An element of a page: a tag, a shortcode, a container, a block by indentation, a comment, or a group of neighbors. */
export interface Element {
  readonly kind: ElementKind;
  /** Name of the tag, shortcode or container; the whole comment for a comment, and empty for a fragment of MDX. */
  readonly name: string;
  /**
   * The literal values by name, true for an attribute without a value; undefined for what is not literal. Positional values of
   * a shortcode have the names `0`, `1` and so on.
   */
  readonly attributes: ReadonlyMap<string, unknown>;
  readonly children: readonly Node[];
  /** Whether the element has an end or needs none; without one it has no content. */
  readonly closed: boolean;
  /** Offset of the element in the text that was scanned. */
  readonly at: number;
  /** The content as it is written, with code masked; empty for an element without content or without an end. */
  readonly body: string;
  /**
   * The part of the element's line before it, or null if the element is within a text: after more than white space and markers of
   * quotes and lists.
   */
  readonly prefix: string | null;
  /** Whether the element is in the line of a heading. */
  readonly inHeading: boolean;
  /** The tag or line that begins the element, as it is written. */
  readonly opening: string;
}

/** A part of a page: text between elements, or an element. */
export type Node = { readonly kind: 'text'; readonly text: string; readonly at: number } | Element;

/**
 * Returns the elements of a text, with those inside them as their children, and the text between them, in their order. The end of a
 * tag or shortcode that has no beginning is left out.
 */
export function scan(text: string, options: ScanOptions): Node[] {
  const root: Node[] = [];
  const stack: { readonly tag: Tag; readonly nodes: Node[] }[] = [];
  const getTop = (): Node[] => stack.at(-1)?.nodes ?? root;
  let textStart = 0;
  const takeText = (to: number): void => {
    if (to > textStart) getTop().push({ kind: 'text', text: text.slice(textStart, to), at: textStart });
    textStart = Math.max(textStart, to);
  };
  /**
   * Closes the innermost element, if one is open. Without an end, which is then null, it has no content, and what followed it comes
   * after it.
   */
  const close = (end: Tag | null): void => {
    const open = stack.pop();
    if (open === undefined) return;
    const [children, after] = end === null ? [[], open.nodes] : [open.nodes, []];
    getTop().push(createElement(text, open.tag, children, end?.from ?? null), ...after);
  };
  for (const tag of findTags(text, options)) {
    if (tag.from < textStart) continue;
    const match = tag.type === 'close' ? stack.findLastIndex(({ tag: open }) => closes(open, tag)) : null;
    // A closing tag or shortcode without an opening one is removed; any other end without a beginning, such as `:::`, remains as text.
    if (match === -1 && tag.kind !== 'tag' && tag.kind !== 'shortcode') continue;
    takeText(tag.from);
    textStart = Math.max(textStart, tag.to);
    if (tag.type === 'void') getTop().push(createElement(text, tag, [], tag.to));
    else if (match === null) stack.push({ tag, nodes: [] });
    else if (match !== -1) {
      while (stack.length > match + 1) close(null);
      close(tag);
    }
  }
  takeText(text.length);
  while (stack.length > 0) close(null);
  return root;
}

function closes(open: Tag, close: Tag): boolean {
  if (open.kind !== close.kind) return false;
  return open.kind === 'directive' ? (open.weight ?? 0) <= (close.weight ?? 0) : open.name === close.name;
}

/** Creates an element whose content ends at the offset `end`, or that has no end if it is null. */
function createElement(text: string, tag: Tag, children: readonly Node[], end: number | null): Element {
  const { kind, name, from, to, attributes = new Map() } = tag;
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  return {
    kind,
    name,
    attributes,
    children,
    closed: end !== null,
    at: from,
    body: text.slice(to, end ?? to),
    prefix: /^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*$/.test(line) ? line : null,
    inHeading: /^(?:[ \t]|>)*#{1,6}[ \t]/.test(line),
    opening: text.slice(from, to),
  };
}

/** Returns the first of these attributes that is a number or a text that is not blank, as trimmed text, or null if none is. */
export function getAttribute(element: Pick<Element, 'attributes'>, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = element.attributes.get(name);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return null;
}

/** Creates the result of a handler that stays within its line. */
export const createInline = (text: string): Rendered => ({ text, block: false });
/** Creates the result of a handler that becomes a block of its own, between blank lines. */
export const block = (text: string): Rendered => ({ text, block: true });
/** The result that leaves an element out. */
export const nothing: Rendered = { text: '', block: false };
