/** Cuts plain text into the passages that an excerpt can show: sentences and rows of tables. */
import { joinLines } from '../base/one-line.ts';
import { fieldMark, linkMark } from '../base/plain-text.ts';

/** A stretch of a text by offsets in UTF-16 units; the end is exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A sentence, or a row of a table. */
export interface Passage extends Stretch {
  readonly isRow: boolean;
}

/**
 * Matches the end of a sentence: before a space and the beginning of another, except after abbreviations; in scripts without spaces
 * at once.
 */
const sentenceEnd =
  /(?<!\b(?:e\.g|i\.e|vs|approx))[.!?…]["'”’)\]]*(?= +["'“‘([\u2060]?[\p{Lu}\p{N}])|[。！？][」』”）]*/gu;

/** Returns the passages of a text with one block a line, in order: a block with a `fieldMark` is a row, any other has sentences. */
export function findPassages(text: string): Passage[] {
  return splitLines(text).flatMap((line) => {
    const block = text.slice(line.start, line.end);
    if (block.includes(fieldMark)) return [{ ...line, isRow: true }];
    const ends = [...block.matchAll(sentenceEnd)].map(({ index, 0: mark }) => index + mark.length);
    let start = 0;
    return [...ends, block.length].flatMap((end) => {
      while (block[start] === ' ') start += 1;
      if (end <= start) return [];
      const sentence = { start: line.start + start, end: line.start + end, isRow: false };
      start = end;
      return [sentence];
    });
  });
}

/** Returns the lines of a text that are not empty; a line of white space is not empty. */
export function splitLines(text: string): Stretch[] {
  return [...text.matchAll(/[^\n]+/g)].map(({ index, 0: line }) => ({ start: index, end: index + line.length }));
}

/**
 * Separates a text, one block a line, from its sentences that only refer to another page, such as "See Costs.", and removes the
 * marks of links; those of rows stay. The result has one block a line in `text` and one sentence a line in `references`.
 */
export function separateReferences(markedText: string): { text: string; references: string } {
  const references: string[] = [];
  const blocks = splitLines(markedText).map(({ start, end }) => {
    let block = markedText.slice(start, end);
    const passages = findPassages(block)
      .map((passage) => block.slice(passage.start, passage.end))
      .filter(isReference);
    for (const reference of passages) block = block.replace(reference, () => '');
    references.push(...passages.map(toReadable));
    return toReadable(block);
  });
  const text = blocks.filter((block) => block !== '').join('\n');
  return { text, references: references.join('\n') };
}

/** Returns a block on one line without marks, except that the fields of a row are still separated. */
const toReadable = (block: string): string =>
  block.replaceAll(linkMark, '').split(fieldMark).map(joinLines).join(fieldMark);

/**
 * Maximum number of words beside the links: of a sentence that begins with a link or one word before it, and of one that ends with
 * a link.
 */
const maxWordsAfter = 12;
const maxWordsBefore = 6;
const beginsWithLink = /^(?:[^\s\u2060]+ )?\u2060[^\u2060]*\u2060 /;
/** The text of the link is a title: a phrase in small letters is a part of the sentence, as in "remove it". */
const endsWithLink = /\u2060\P{Ll}[^\u2060]*\u2060[.)!:]*$/u;
/** The form of a reference of any length. */
const beginsWithPurpose =
  /^(?:for|to|if|when)\b[^\u2060]*, (?:see|read|follow) (?:the )?\u2060[^\u2060]*\u2060(?: (?:and|or) (?:the )?\u2060[^\u2060]*\u2060)?[.)!]*$/i;

/** Returns whether a sentence does nothing but refer to another page: a link with few other words. */
function isReference(passage: string): boolean {
  if (passage.includes(fieldMark) || !passage.includes(linkMark)) return false;
  const outside = passage.split(linkMark).filter((_, number) => number % 2 === 0);
  const words = outside.join(' ').match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  return (
    beginsWithPurpose.test(passage) ||
    (beginsWithLink.test(passage) && words <= maxWordsAfter) ||
    (endsWithLink.test(passage) && words <= maxWordsBefore)
  );
}
