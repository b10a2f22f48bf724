/** Replaces the destinations of links and images in Markdown; every other byte stays. */
import type { Destination } from './source-positions.ts';

/** The destination of a link in the source, from `start` up to `end`, with the brackets of an autolink. */
export interface LinkSpan {
  readonly start: number;
  readonly end: number;
  /** The destination with Markdown’s escapes and entities resolved. */
  readonly href: string;
  /** `inline`, `autolink`, `definition`, `bare` for a URL without markup, or `attribute` for a value in an HTML tag. */
  readonly kind: Destination['kind'];
}

/**
 * Replaces the destinations of links at `spans`, which are in order, for which `map` returns another text than the `href` of the
 * span; everything else stays as it is.
 */
export const relink = (source: string, spans: readonly LinkSpan[], map: (href: string) => string): string =>
  replaceSpans(source, spans, (span) => {
    const href = map(span.href);
    return href === span.href ? null : writeLink(span, source.slice(span.start, span.end), href);
  });

/** Replaces pieces of a text, which are in order, by the results of `replace`; null leaves a piece as it is. */
export function replaceSpans<T extends { readonly start: number; readonly end: number }>(
  text: string,
  spans: readonly T[],
  replace: (span: T) => string | null,
): string {
  let result = '';
  let copiedEnd = 0;
  for (const span of spans) {
    const replacement = replace(span);
    if (replacement === null) continue;
    result += text.slice(copiedEnd, span.start) + replacement;
    copiedEnd = span.end;
  }
  return result + text.slice(copiedEnd);
}

/**
 * Returns `href` in the form of `before`, the text that it replaces. A bare URL or an autolink becomes an autolink or, if `href` is
 * no URL with a scheme, a link with the old address as its text.
 */
function writeLink({ kind, href: old }: LinkSpan, before: string, href: string): string {
  if (kind === 'attribute') return href.replaceAll('&', '&amp;').replace(/["'<>`\s]/g, encodeURIComponent);
  if (kind === 'bare' || kind === 'autolink') {
    if (/^[a-z][a-z0-9+.-]{1,31}:[^<>|\s\p{Cc}]*$/iu.test(href)) return `<${href}>`;
    return `[${old.replace(/[\\[\]*_`<>|&~!]/g, '\\$&')}](${writeDestination(href)})`;
  }
  return before.startsWith('<') ? `<${encode(href)}>` : writeDestination(href);
}

/** Writes `href` as a destination, encoded by `encode`, in angle brackets if it is empty or has parentheses, which Markdown counts. */
function writeDestination(href: string): string {
  const text = encode(href);
  return text === '' || /[()]/.test(text) ? `<${text}>` : text;
}

/**
 * Percent-encodes what would end a destination, or be read as an escape, code or a cell's border. The `&` of what would be read as
 * an entity becomes `&amp;`.
 */
const encode = (href: string): string =>
  href
    .replace(/[\s\p{Cc}<>\\`|]/gu, (character) => encodeURIComponent(character))
    .replace(/&(?=#?[a-z0-9]+;)/gi, '&amp;');
