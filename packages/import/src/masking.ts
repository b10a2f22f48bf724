/** Finds code and comments in a text: fences, indented blocks, inline code, and comments of HTML and MDX. */

export interface Fence {
  readonly language: string;
  /** The words after the language. */
  readonly info: string;
  readonly code: string;
  /** Shown in front of the code. */
  readonly title: string | null;
}

export type Kept =
  | { readonly kind: 'fence'; fence: Fence; readonly lines: number }
  | { readonly kind: 'code'; readonly text: string; readonly lines: number }
  | { readonly kind: 'comment'; readonly text: string; readonly lines: number };

/** What stands in front of a line, as it is for the lines that follow: a quote continues, the marker of a list item does not. */
export const continued = (prefix: string): string => prefix.replace(/[^>\s]/g, ' ');

/** One way through the text, line by line at their beginnings and character by character in them. */
export function maskText(source: string, isMdx: boolean, keep: (item: Kept) => string): string {
  let out = '';
  let at = 0;
  let wasBlank = true;
  let holds = false;
  while (at < source.length) {
    const end = lineEnd(source, at);
    const line = source.slice(at, end);
    const fence = fenceAt(source, at);
    if (fence !== null) {
      out += `${fence.prefix}${keep({ kind: 'fence', fence: fence.fence, lines: fence.lines })}`;
      at = fence.end;
    } else if (!isMdx && wasBlank && !holds && /^(?: {4}|\t)\s*\S/.test(line)) {
      const block = indentedAt(source, at);
      out += keep({ kind: 'fence', fence: block.fence, lines: block.lines });
      at = block.end;
    } else {
      const found = maskLine(source, at, isMdx, keep);
      out += found.text;
      at = found.end;
    }
    if (line.trim() !== '') {
      if (/^\s*(?:[-*+]|\d{1,9}[.)])\s|^\s*(?:!!!|\?\?\?|===)|^\[\^|^:\s/.test(line)) holds = true;
      else if (/^\S/.test(line) && wasBlank) holds = false;
    }
    wasBlank = line.trim() === '';
    if (at < source.length && source[at] === '\n') {
      out += '\n';
      at += 1;
    }
  }
  return out;
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
};

const fenceOpening = /^((?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})([^\n]*)$/;

function fenceAt(source: string, at: number): { prefix: string; fence: Fence; lines: number; end: number } | null {
  const [, prefix = '', marker = '', info = ''] = fenceOpening.exec(source.slice(at, lineEnd(source, at))) ?? [];
  if (marker === '' || (marker.startsWith('`') && info.includes('`'))) return null;
  const width = continued(prefix).length;
  const closing = new RegExp(`^[ \\t>]*${marker[0]}{${marker.length},}[ \\t]*$`);
  const code: string[] = [];
  let next = lineEnd(source, at) + 1;
  let lines = 0;
  while (next <= source.length) {
    const line = source.slice(next, lineEnd(source, next));
    next = lineEnd(source, next) + 1;
    lines += 1;
    if (closing.test(line)) break;
    code.push(withoutPrefix(line, prefix, width));
  }
  const [, language = '', rest = ''] = /^\s*([^\s{[]*)(.*)$/.exec(info) ?? [];
  const fence = { language, info: rest.trim(), code: code.join('\n'), title: null };
  return { prefix, fence, lines, end: Math.min(next - 1, source.length) };
}

function withoutPrefix(line: string, prefix: string, width: number): string {
  let text = line;
  for (let quotes = prefix.split('>').length - 1; quotes > 0; quotes -= 1) text = text.replace(/^[ \t]*> ?/, '');
  const spaces = prefix.includes('>') ? width - prefix.lastIndexOf('>') - 2 : width;
  const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
  if (indent.includes('\t')) return text.slice(Math.min(indent.length, Math.ceil(spaces / 4) || spaces));
  return text.slice(Math.min(indent.length, Math.max(0, spaces)));
}

function indentedAt(source: string, at: number): { fence: Fence; lines: number; end: number } {
  const code: string[] = [];
  let next = at;
  let end = at;
  let blanks: string[] = [];
  while (next < source.length) {
    const stop = lineEnd(source, next);
    const line = source.slice(next, stop);
    if (line.trim() === '') blanks.push('');
    else if (/^(?: {4}|\t)/.test(line)) {
      code.push(...blanks, line.replace(/^(?: {4}|\t)/, ''));
      blanks = [];
      end = stop;
    } else break;
    next = stop + 1;
  }
  return { fence: { language: '', info: '', code: code.join('\n'), title: null }, lines: code.length - 1, end };
}

/** Up to the end of the line, or of what begins in it and reaches further. */
function maskLine(
  source: string,
  from: number,
  isMdx: boolean,
  keep: (item: Kept) => string,
): { text: string; end: number } {
  let out = '';
  let at = from;
  while (at < source.length && source[at] !== '\n') {
    const found = source[at] === '`' ? codeAt(source, at) : commentAt(source, at, isMdx);
    if (found === null) {
      const run = source[at] === '`' ? (/^`+/.exec(source.slice(at, at + 200))?.[0] ?? '`') : (source[at] ?? '');
      out += source[at] === '\\' && source[at + 1] === '`' ? '\\`' : run;
      at += source[at] === '\\' && source[at + 1] === '`' ? 2 : run.length;
      continue;
    }
    const lines = found.text.split('\n').length - 1;
    out += keep({
      kind: found.kind,
      text: found.kind === 'code' ? found.text.replace(/\s*\n\s*/g, ' ') : found.text,
      lines,
    });
    at = found.end;
  }
  return { text: out, end: at };
}

type Found = { kind: 'code' | 'comment'; text: string; end: number } | null;

function codeAt(source: string, at: number): Found {
  const [run = ''] = /^`+/.exec(source.slice(at, at + 200)) ?? [];
  const blank = source.slice(at).search(/\n[ \t]*\n/);
  const stop = blank === -1 ? source.length : at + blank;
  for (const { 0: other, index } of source.slice(at + run.length, stop).matchAll(/`+/g)) {
    if (other.length !== run.length) continue;
    const end = at + run.length + index + other.length;
    return { kind: 'code', text: source.slice(at, end), end };
  }
  return null;
}

function commentAt(source: string, at: number, isMdx: boolean): Found {
  const [open, close] = source.startsWith('<!--', at)
    ? ['<!--', '-->']
    : isMdx && /^\{\s*\/\*/.test(source.slice(at, at + 40))
      ? ['{', '*/']
      : [null, null];
  if (open === null) return null;
  let end = source.indexOf(close, at + open.length);
  if (end === -1) return null;
  end += close.length;
  if (open === '{') {
    // A comment at the beginning of an object is none of the page's.
    const last = /^\s*\}/.exec(source.slice(end, end + 100))?.[0];
    if (last === undefined) return null;
    end += last.length;
  }
  return { kind: 'comment', text: source.slice(at, end), end };
}
