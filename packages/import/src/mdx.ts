/** What all systems with MDX have in common: expressions in the text, files included as components, images. */
import { type Element, nothing, type Rendered } from './elements.ts';
import { expressions, image, included, unwrap } from './handlers.ts';
import { evaluate } from './literal.ts';
import type { Conversion, Handler } from './site.ts';

export const mdxElements: readonly (readonly [string, Handler])[] = [
  ['Fragment', unwrap],
  ['img', image],
  ['Image', image],
];

/** Text of MDX between its elements. */
export const mdxText = (text: string, page: Conversion, at: number): string =>
  page.isMdx && text.includes('{') ? expressions(text, at, page, (code) => evaluate(code, page.scope.values)) : text;

/** A component that is an imported file, or an image that is one. */
export function mdxOther(element: Element, page: Conversion): Rendered | null {
  if (element.kind !== 'tag' || !/^[A-Z]/.test(element.name)) return null;
  const text = included(element, page);
  if (text !== null) return text;
  const file = page.scope.files.get(element.name);
  return file !== undefined && /\.svg$/.test(file) ? nothing : null;
}

/** Returns the quoted `title="…"` of the words after a fence's language, or null if there is none. */
export const quotedTitle = (info: string): string | null => /\btitle=(["'])(.*?)\1/.exec(info)?.[2] ?? null;
