/** Replaces links without a target by their text, and missing images by their description. */
import { type LinkSpan, parseMarkdown } from 'colophon/authoring';

/** The address that marks a link or an image for removal. */
export const deadHref = 'dead-link:';
/** The beginning of an address that marks an image on another host, which becomes a link. */
export const remoteHref = 'remote-image:';

const isMarked = (href: string): boolean => href.startsWith(deadHref) || href.startsWith(remoteHref);

/** A text after the removal of one link, and the offset up to which it is as before. */
interface Removal {
  readonly text: string;
  readonly start: number;
}

/**
 * Returns the Markdown with the links that `deadHref` marks reduced to their text, and the images to their description. Images that
 * `remoteHref` marks become links to the image, or their description if they are in a link. This includes those that are
 * written as tags.
 */
export function removeDeadLinks(markdown: string): string {
  let text = markdown;
  for (let rounds = 0; rounds < 2000 && (text.includes(deadHref) || text.includes(remoteHref)); rounds += 1) {
    const spans = parseMarkdown(text, 'page').spans.filter(({ href }) => isMarked(href));
    if (spans.length === 0) break;
    let unchangedEnd = text.length;
    for (const span of spans.toReversed())
      if (span.end <= unchangedEnd) ({ text, start: unchangedEnd } = removeLink(text, span));
  }
  return text;
}

function removeLink(text: string, span: LinkSpan): Removal {
  if (span.kind === 'definition') return { text: removeDefinition(text, span), start: 0 };
  if (span.kind === 'attribute') return removeAttribute(text, span);
  const close = findClosingParenthesis(text, span.end);
  const open = findOpeningBracket(text, span.start);
  if (open === null || close === null)
    return { text: `${text.slice(0, span.start)}#${text.slice(span.end)}`, start: span.start };
  const label = text.slice(open + 1, text.lastIndexOf(']', span.start));
  const isImage = text[open - 1] === '!';
  const start = isImage ? open - 1 : open;
  const size = isImage ? (/^\{[^}\n]*\}/.exec(text.slice(close))?.[0].length ?? 0) : 0;
  const replacement = isImage ? describeImage(label, span.href, isInLink(text, start)) : label;
  return { text: text.slice(0, start) + replacement + text.slice(close + size), start };
}

function describeImage(alt: string, href: string, inLink: boolean): string {
  if (!href.startsWith(remoteHref) || inLink) return alt;
  return `[${alt === '' ? 'Image' : alt}](${toShownUrl(href)})`;
}

/**
 * Returns the replacement of an image that is a tag: a link as a tag, because Markdown may not be read there, with `Image` as its
 * text for an empty `alt`; or else `alt` if the image is not on another host or is in a link.
 */
function replaceTag(alt: string, href: string, inLink: boolean): string {
  if (!href.startsWith(remoteHref) || inLink) return alt;
  return `<a href="${toShownUrl(href).replaceAll('"', '%22')}">${alt === '' ? 'Image' : alt}</a>`;
}

/** Returns the URL of an image that `remoteHref` marks, without the fragment that says in which theme it is shown. */
const toShownUrl = (href: string): string => href.slice(remoteHref.length).replace(/#(?:gh-|only-)[\w-]*$/, '');

/** Tells whether the image at an offset of the text is inside a link that begins in the same line. */
const isInLink = (text: string, offset: number): boolean => {
  const before = text.slice(text.lastIndexOf('\n', offset) + 1, offset);
  return before.split(/(?<!\\)\[/).length > before.split(/(?<!\\)\]/).length || /<a\b[^>]*>[^<]*$/.test(before);
};

/**
 * Returns the offset behind the `)` of a link whose destination ends at `end`, after its title if it has one; null without a `)`.
 */
function findClosingParenthesis(text: string, end: number): number | null {
  const match = /^>?\s*(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^)\\])*\))?\s*\)/.exec(
    text.slice(end, end + 1000),
  );
  return match === null ? null : end + match[0].length;
}

/** Returns the offset of the bracket that opens the label before a destination that begins at `start`, or null if there is none. */
function findOpeningBracket(text: string, start: number): number | null {
  let depth = 0;
  for (let index = text.lastIndexOf(']', start); index >= 0; index -= 1) {
    if (text[index - 1] === '\\') continue;
    if (text[index] === ']') depth += 1;
    else if (text[index] === '[') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return null;
}

/**
 * Removes the lines of the reference definition whose destination this span is, and reduces the links and images that refer to it
 * to their text.
 */
function removeDefinition(text: string, { start, end }: LinkSpan): string {
  const lineStart = text.lastIndexOf('\n', start) + 1;
  const lineEnd = text.indexOf('\n', end) === -1 ? text.length : text.indexOf('\n', end) + 1;
  const label = /^[\s>]*\[((?:\\.|[^\]\\])+)\]:/.exec(text.slice(lineStart, lineEnd))?.[1];
  const rest = `${text.slice(0, lineStart)}${text.slice(lineEnd)}`;
  if (label === undefined) return rest;
  const name = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  return rest
    .replace(new RegExp(`!?\\[((?:\\\\.|[^\\[\\]\\\\]|\\[[^\\]]*\\])+)\\]\\[${name}\\]`, 'gi'), '$1')
    .replace(new RegExp(`!?\\[(${name})\\](?:\\[\\])?(?![(:\\[])`, 'gi'), '$1');
}

function removeAttribute(text: string, { start, end, href }: LinkSpan): Removal {
  const open = text.lastIndexOf('<', start);
  const close = text.indexOf('>', end) + 1;
  const tag = text.slice(open, close);
  const [before, behind] = [text.slice(0, open), text.slice(close)];
  if (/^<a\b/i.test(tag)) {
    const rest = tag.replace(/\s+href\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/i, '');
    const isTarget = /\s(?:id|name)\s*=/i.test(rest);
    return { text: before + (isTarget ? rest + behind : behind.replace(/<\/a\s*>/i, '')), start: open };
  }
  const alt = /\salt\s*=\s*"([^"]*)"/i.exec(tag)?.[1] ?? '';
  const isImage = /^<img\b/i.test(tag);
  const replacement = isImage || /^<video/i.test(tag) ? replaceTag(alt, href, isInLink(text, open)) : '';
  return { text: before + replacement + behind, start: open };
}
