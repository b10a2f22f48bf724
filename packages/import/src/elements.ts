/** The elements of a text as a tree: which ends belong to which beginnings. */

import { type ElementKind, findTags, type ScanOptions, type Tag } from './tags.ts';
/** What takes the place of an element: a block takes separate lines. */
export interface Rendered {
  readonly text: string;
  readonly block: boolean;
}

export interface Element {
  readonly kind: ElementKind;
  readonly name: string;
  /** Strings, numbers, booleans; what is no literal is undefined. Positions of a shortcode are `0`, `1`, … */
  readonly attributes: ReadonlyMap<string, unknown>;
  readonly children: readonly Node[];
  /** Whether it has its own end tag. */
  readonly closed: boolean;
  readonly at: number;
  /** Its content as it is written, code hidden. */
  readonly body: string;
  /** What stands before it on its line, where that is only white space, quotes and list markers; else null. */
  readonly prefix: string | null;
  /** Whether it stands in the line of a heading. */
  readonly inHeading: boolean;
  /** As the source has its beginning. */
  readonly opening: string;
}

export type Node = { readonly kind: 'text'; readonly text: string; readonly at: number } | Element;

/** The text as a tree, from the first character to the last. */
export function scan(text: string, options: ScanOptions): Node[] {
  return nest(text, findTags(text, options));
}

interface Open {
  readonly tag: Tag;
  readonly nodes: Node[];
}

function nest(text: string, tags: readonly Tag[]): Node[] {
  const root: Node[] = [];
  const stack: Open[] = [];
  const top = (): Node[] => stack.at(-1)?.nodes ?? root;
  let done = 0;
  const textTo = (to: number): void => {
    if (to > done) top().push({ kind: 'text', text: text.slice(done, to), at: done });
    done = Math.max(done, to);
  };
  /** A beginning without an end holds nothing: what followed it stays where it is. */
  const abandon = (): void => {
    const left = stack.pop();
    if (left !== undefined) top().push(made(text, left.tag, [], false, left.tag.to), ...left.nodes);
  };
  for (const tag of tags) {
    if (tag.from < done) continue;
    if (tag.type === 'close') {
      const match = stack.findLastIndex(({ tag: open }) => closes(open, tag));
      if (match === -1) {
        if (tag.kind === 'tag' || tag.kind === 'shortcode') {
          textTo(tag.from);
          done = tag.to;
        }
        continue;
      }
      textTo(tag.from);
      while (stack.length > match + 1) abandon();
      const closed = stack.pop();
      if (closed !== undefined) top().push(made(text, closed.tag, closed.nodes, true, tag.from));
      done = Math.max(done, tag.to);
      continue;
    }
    textTo(tag.from);
    done = tag.to;
    if (tag.type === 'void') top().push(made(text, tag, [], true, tag.to));
    else stack.push({ tag, nodes: [] });
  }
  textTo(text.length);
  while (stack.length > 0) abandon();
  return root;
}

function closes(open: Tag, close: Tag): boolean {
  if (open.kind !== close.kind) return false;
  return open.kind === 'directive' ? open.weight <= close.weight : open.name === close.name;
}

function made(text: string, tag: Tag, children: readonly Node[], closed: boolean, innerEnd: number): Element {
  const line = text.slice(text.lastIndexOf('\n', tag.from - 1) + 1, tag.from);
  return {
    kind: tag.kind,
    name: tag.name,
    attributes: tag.attributes,
    children,
    closed,
    at: tag.from,
    body: text.slice(tag.to, innerEnd),
    prefix: /^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*$/.test(line) ? line : null,
    inHeading: /^(?:[ \t]|>)*#{1,6}[ \t]/.test(line),
    opening: text.slice(tag.from, tag.to),
  };
}

/** An attribute that is text or a number, as text. */
export function attribute(element: Pick<Element, 'attributes'>, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = element.attributes.get(name);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return null;
}

export const inline = (text: string): Rendered => ({ text, block: false });
export const block = (text: string): Rendered => ({ text, block: true });
export const nothing: Rendered = { text: '', block: false };
