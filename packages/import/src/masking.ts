/** Finds the code and comments of a text for all other modules: fences, indented blocks, inline code, comments of HTML and MDX. */

/** A block of code. */
export interface Fence {
  /** The language that the fence names, or an empty text. */
  readonly language: string;
  /** The words after the language, or an empty text. */
  readonly info: string;
  readonly code: string;
  /** Title that is written in front of the code, or null for none. */
  readonly title: string | null;
}

/** A piece of code or a comment that is taken out of a text, with the number of line breaks in it. */
export type MaskedItem = { readonly lines: number } & (
  | { readonly kind: 'fence'; readonly fence: Fence }
  | { readonly kind: 'code' | 'comment'; readonly text: string }
);

/** Returns what the lines after a line with this prefix begin with: marks of a quote continue, the marker of a list item is white space. */
export const toContinuedPrefix = (prefix: string): string => prefix.replace(/[^>\s]/g, ' ');

/** Returns the text with what `keep` returns in place of each block of code, inline code and comment; their line breaks go with them. */
export function maskText(source: string, isMdx: boolean, keep: (item: MaskedItem) => string): string {
  let out = '';
  let offset = 0;
  let isAfterBlank = true;
  /** Whether the line may be in a list item or an indented block, in which indented lines are not code. */
  let isInBlock = false;
  while (offset < source.length) {
    const line = source.slice(offset, findLineEnd(source, offset));
    const isCodeAllowed = !isMdx && isAfterBlank && !isInBlock;
    const block = readFence(source, offset, line) ?? (isCodeAllowed ? readIndentedCode(source, offset) : null);
    if (block === null) {
      const maskedLine = maskLine(source, offset, isMdx, keep);
      out += maskedLine.text;
      offset = maskedLine.end;
    } else {
      const lines = countBreaks(source.slice(offset, block.end));
      out += `${block.prefix}${keep({ kind: 'fence', fence: block.fence, lines })}`;
      offset = block.end;
    }
    if (/^\s*(?:[-*+]|\d{1,9}[.)])\s|^\s*(?:!!!|\?\?\?|===)|^\[\^|^:\s/.test(line)) isInBlock = true;
    else if (/^\S/.test(line) && isAfterBlank) isInBlock = false;
    isAfterBlank = line.trim() === '';
    if (source[offset] === '\n') {
      out += '\n';
      offset += 1;
    }
  }
  return out;
}

/** Returns the offset of the end of the line that contains `offset`, before its line break. */
const findLineEnd = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
};

const countBreaks = (text: string): number => text.split('\n').length - 1;

interface CodeBlock {
  /** The beginning of the first line, before the block. */
  readonly prefix: string;
  readonly fence: Fence;
  /** Offset of the end of the block's last line, before the line break. */
  readonly end: number;
}

const fenceOpening = /^((?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})([^\n]*)$/;

/**
 * Reads the code block whose fence is opened by `line`, which begins at `offset`, or returns null if it opens none. Without a
 * closing fence the block ends with the source.
 */
function readFence(source: string, offset: number, line: string): CodeBlock | null {
  const [, prefix = '', marker = '', info = ''] = fenceOpening.exec(line) ?? [];
  if (marker === '' || (marker.startsWith('`') && info.includes('`'))) return null;
  const start = offset + line.length + 1;
  const closing = new RegExp(`^[ \\t>]*${marker[0]}{${marker.length},}[ \\t]*$`, 'gm');
  closing.lastIndex = start;
  const close = closing.exec(source);
  const body = source.slice(start, close === null ? undefined : Math.max(start, close.index - 1));
  const [, language = '', rest = ''] = /^\s*([^\s{[]*)(.*)$/.exec(info) ?? [];
  const lines = body.split('\n').map((text) => removePrefix(text, prefix));
  const fence = { language, info: rest.trim(), code: lines.join('\n'), title: null };
  return { prefix, fence, end: close === null ? source.length : close.index + close[0].length };
}

/**
 * Removes from a line of code the marks of the quotes and the indentation of the list items that its fence is in, as far as the
 * line has them; `prefix` is what the line of the fence has before it.
 */
function removePrefix(line: string, prefix: string): string {
  const quotes = prefix.split('>').length - 1;
  const text = line.replace(new RegExp(`^(?:[ \\t]*> ?){0,${quotes}}`), '');
  const columns = Math.max(0, quotes === 0 ? prefix.length : prefix.length - prefix.lastIndexOf('>') - 2);
  const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
  const width = indent.includes('\t') ? Math.ceil(columns / 4) : columns;
  return text.slice(Math.min(indent.length, width));
}

const indentedCode = /(?: {4}|\t)[^\n]*\S[^\n]*(?:\n(?:[^\S\n]*\n)*(?: {4}|\t)[^\n]*\S[^\n]*)*/y;

function readIndentedCode(source: string, offset: number): CodeBlock | null {
  indentedCode.lastIndex = offset;
  const text = indentedCode.exec(source)?.[0];
  if (text === undefined) return null;
  const lines = text.split('\n').map((line) => (line.trim() === '' ? '' : line.replace(/^(?: {4}|\t)/, '')));
  return {
    prefix: '',
    fence: { language: '', info: '', code: lines.join('\n'), title: null },
    end: offset + text.length,
  };
}

/** Inline code ends with as many backticks as it begins with, in the same paragraph; an escaped backtick and a lonely run are text. */
const inlineCode = /\\`|(?<code>(?<run>`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?(?<!`)\k<run>(?!`))|`+/;
const htmlComment = /(?<comment><!--[\s\S]*?-->)/;
/** A comment that fills its braces; one at the beginning of an object is part of an expression. */
const mdxComment = /(?<mdx>\{\s*\/\*(?:(?!\*\/)[\s\S])*\*\/\s*\})/;
const plainItem = new RegExp(`${inlineCode.source}|${htmlComment.source}`, 'g');
const mdxItem = new RegExp(`${plainItem.source}|${mdxComment.source}`, 'g');

/**
 * Returns the text of the line that begins at `from`, with what `keep` returns in place of its code and comments, and the offset of
 * its end, before the line break. The line goes on to the end of the one in which its last code or comment ends.
 */
function maskLine(
  source: string,
  from: number,
  isMdx: boolean,
  keep: (item: MaskedItem) => string,
): { text: string; end: number } {
  const pattern = isMdx ? mdxItem : plainItem;
  let text = '';
  let offset = from;
  for (;;) {
    const end = findLineEnd(source, offset);
    pattern.lastIndex = offset;
    const match = /[`<{]/.test(source.slice(offset, end)) ? pattern.exec(source) : null;
    if (match === null || match.index >= end) return { text: text + source.slice(offset, end), end };
    const { code, comment, mdx } = match.groups ?? {};
    const item = code ?? comment ?? mdx;
    text += source.slice(offset, match.index);
    if (item === undefined) text += match[0];
    else if (code === undefined) text += keep({ kind: 'comment', text: item, lines: countBreaks(item) });
    else text += keep({ kind: 'code', text: code.replace(/\s*\n\s*/g, ' '), lines: countBreaks(code) });
    offset = match.index + match[0].length;
  }
}
