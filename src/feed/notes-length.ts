/** How long notes may be: what is published is rendered and searched, and must be no more than a moment's work. */

/** UTF-16 units of what the feed has; the longest notes of the feeds that were looked at have 9,000. */
export const longestSource = 128 * 1024;
/** Of the markdown before it is made safe, which may double it. */
export const longestNotes = 32 * 1024;

export interface ConvertedNotes {
  readonly markdown: string;
  /** The end is missing. */
  readonly isCut: boolean;
  /** What markdown cannot say of them. */
  readonly lost: readonly string[];
}

/** The whole text, or what comes before the last empty line, or line, or character that is within the bound. */
export function beginningOf(text: string): string {
  if (text.length <= longestNotes) return text;
  const bound = [text.lastIndexOf('\n\n', longestNotes), text.lastIndexOf('\n', longestNotes)].find(
    (at) => at > longestNotes / 2,
  );
  return text.slice(0, bound ?? longestNotes).toWellFormed();
}
