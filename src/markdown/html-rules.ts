/** How HTML is found in the markdown of a page: tags that a page may hold become tokens, all others stay text. */
import type { StateBlock, StateInline, Token } from 'markdown-it';
import { dropped, elements, readTag } from './elements.ts';
import { lineRuns, type Run } from './runs.ts';

/** A comment with one of these words means something; all others are only for the author. */
export const markers = ['tabs:start', 'tabs:end', 'steps', 'cards'] as const;

export const markerIn = (comment: string): string => comment.replace(/^<!--|-->$/g, '').trim();

/** `<!-- … -->` from `at`, or null. What begins and does not end is text. */
function commentEnd(text: string, at: number): number | null {
  return text.startsWith('<!--', at) ? endOf(text, '-->', at + 4) : null;
}

/** The element without content for readers that begins at `at`, up to its end tag; null when none does, or it does not end. */
function droppedEnd(text: string, at: number): number | null {
  const name = /^<([a-z]+)(?=[\s/>])/i.exec(text.slice(at, at + 16))?.[1]?.toLowerCase();
  if (name === undefined || !dropped.has(name)) return null;
  const tag = readTag(text, at);
  if (tag === null) return null;
  return name === 'embed' || name === 'input' ? tag.end : endOf(text, `</${name}\\s*>`, tag.end);
}

/** From where on the text that is being read has no such end: each is looked for to the end of the text once. */
const missing = { text: '', from: new Map<string, number>() };

function endOf(text: string, pattern: string, from: number): number | null {
  if (missing.text !== text) {
    missing.text = text;
    missing.from.clear();
  }
  const known = missing.from.get(pattern);
  if (known !== undefined && from >= known) return null;
  const end = new RegExp(pattern, 'gi');
  end.lastIndex = from;
  if (end.test(text)) return end.lastIndex;
  missing.from.set(pattern, from);
  return null;
}

const isBlockTag = (name: string): boolean =>
  elements.get(name)?.kind === 'flow' || name === 'picture' || name === 'video';

/** A block of HTML begins with a comment, with an element that is dropped, or with a tag of a block; it reaches to the next blank line. */
export function htmlBlock(record: (state: StateBlock, token: Token, runs: Run[]) => void) {
  return (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
    const at = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
    if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
    if (state.src.charCodeAt(at) !== 0x3c) return false;
    const wholeEnd = commentEnd(state.src, at) ?? droppedEnd(state.src, at);
    const tag = wholeEnd === null ? readTag(state.src, at) : null;
    if (wholeEnd === null && (tag === null || !isBlockTag(tag.tag.name))) return false;
    if (silent) return true;
    let next = startLine + 1;
    // A comment may hold blank lines, but does not reach out of the list or quote that it is in.
    while (next < endLine && (state.sCount[next] ?? 0) >= state.blkIndent) {
      const start = state.bMarks[next] ?? 0;
      if (state.isEmpty(next) ? wholeEnd === null || start >= wholeEnd : wholeEnd !== null && start >= wholeEnd) break;
      next += 1;
    }
    state.line = next;
    const token = state.push('html_block', '', 0);
    token.map = [startLine, next];
    token.content = state.getLines(startLine, next, state.blkIndent, true).trimStart();
    record(state, token, lineRuns(state, startLine, next));
    return true;
  };
}

/** A tag that the page may hold, a comment, or what looks like a tag and is text. */
export function htmlInline(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== 0x3c) return false;
  const dropEnd = commentEnd(src, pos) ?? droppedEnd(src, pos);
  const tag = dropEnd === null ? readTag(src, pos) : null;
  const foreign = dropEnd === null && tag === null ? /^<\/?[A-Z][\w.]*(?=[\s/>])/.exec(src.slice(pos, pos + 64)) : null;
  const end = dropEnd ?? tag?.end ?? (foreign === null ? null : pos + foreign[0].length);
  if (end === null) return false;
  if (!silent) {
    const known = tag !== null && elements.has(tag.tag.name);
    const token = state.push(dropEnd !== null ? 'html_dropped' : known ? 'html_tag' : 'html_foreign', '', 0);
    token.content = src.slice(pos, end);
  }
  state.pos = end;
  return true;
}

/** The pieces of a block of HTML in their order. */
export function* piecesOf(
  content: string,
): Generator<{ kind: 'text' | 'tag' | 'dropped' | 'foreign'; text: string; at: number }> {
  let from = 0;
  let at = content.indexOf('<');
  while (at !== -1) {
    const dropEnd = commentEnd(content, at) ?? droppedEnd(content, at);
    const tag = dropEnd === null ? readTag(content, at) : null;
    const end = dropEnd ?? tag?.end ?? null;
    if (end === null) {
      at = content.indexOf('<', at + 1);
      continue;
    }
    if (at > from) yield { kind: 'text', text: content.slice(from, at), at: from };
    const known = tag !== null && elements.has(tag.tag.name);
    yield { kind: dropEnd !== null ? 'dropped' : known ? 'tag' : 'foreign', text: content.slice(at, end), at };
    from = end;
    at = content.indexOf('<', end);
  }
  if (from < content.length) yield { kind: 'text', text: content.slice(from), at: from };
}
