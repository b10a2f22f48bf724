/** The texts of notes: how long they may be, plain text as Markdown, and plain text out of HTML that cannot be converted. */

/** Maximum length of notes that are converted, in UTF-16 code units; the longest that were seen in feeds have 9,000. */
export const maxSourceLength = 128 * 1024;
/** Maximum length of notes before sanitizing, in UTF-16 code units; sanitizing can double it. */
export const maxNotesLength = 32 * 1024;

/** Notes in Markdown that may be published. */
export interface ConvertedNotes {
  readonly markdown: string;
  /** Whether the end is missing. */
  readonly isCut: boolean;
  /** The parts of the notes that Markdown has no form for, such as `embedded content`. */
  readonly lost: readonly string[];
}

/**
 * Returns the whole text or, if it is longer than `maxNotesLength`, its beginning up to the last empty line in the second half of
 * that length, or else up to the last line break there, or else all of that length. Half a surrogate pair at the end becomes U+FFFD,
 * and a block of code that is cut stays open.
 */
export function cutNotes(text: string): string {
  if (text.length <= maxNotesLength) return text;
  const bound = [text.lastIndexOf('\n\n', maxNotesLength), text.lastIndexOf('\n', maxNotesLength)].find(
    (offset) => offset > maxNotesLength / 2,
  );
  return text.slice(0, bound ?? maxNotesLength).toWellFormed();
}

/**
 * Returns plain text as Markdown that keeps its lines: each ends with two spaces, which make Markdown break there, or with nothing
 * if it is empty, last or before an empty one. `<` before a tag and links in brackets are escaped, other marks such as `*` are not.
 */
export function convertPlainTextToMarkdown(text: string): string {
  const lines = text
    // Backslashes before a mark are doubled, or they would undo its escape. `&lt;` begins no tag, whatever is around it.
    .replace(/(?<!\\)(\\*)<(?=[!/?A-Za-z])/g, '$1$1&lt;')
    .replace(/(?<!\\)(\\*)\](?=[(:[])/g, '$1$1\\]')
    .split('\n')
    .map((line) => line.trimEnd());
  return lines.map((line, index) => (line !== '' && (lines[index + 1] ?? '') !== '' ? `${line}  ` : line)).join('\n');
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

/** Elements whose text no reader is meant to see; one that is never closed reaches to the end. */
const unread =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|title|head|noscript|template|svg|math|iframe|object|textarea)\b[^<>]*>[\s\S]*?(?:<\/\1\b[^<>]*>|$)/gi;

/**
 * Returns the text of HTML without tags, scripts and styles, a line for each block, and with only the references in `entities`
 * decoded. It may contain `<`, so callers pass it to convertPlainTextToMarkdown.
 */
export function extractText(html: string): string {
  return html
    .replace(unread, '')
    .replace(/<\/(?:p|div|li|h[1-6]|tr)>|<br\s?\/?>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&([a-z]{2,4});/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\n{3,}/g, '\n\n');
}
