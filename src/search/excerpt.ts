/** Finds the sentence that shows best why a section matches, and marks the matched words in bold. */

import { fieldMark } from '../base/plain-text.ts';
import type { IndexData } from './build.ts';
import { numberTerms, type WeightedTerm } from './proximity.ts';
import { findPart, type Phrase, parts } from './reading.ts';
import { findPassages, type Passage, type Stretch, splitLines } from './sentences.ts';
import { noTerm } from './vocabulary.ts';
import { visitWords } from './words.ts';

/** A section as results show it. */
export interface ExcerptSource {
  /** The number of the section in the index, from 0. */
  readonly section: number;
  /** Paragraphs, list items and rows of tables, one a line. */
  readonly text: string;
  readonly code: string;
  /** Whether the excerpt is the beginning of the text, wherever the matches are. */
  readonly fromStart: boolean;
}

/** Maximum length of an excerpt of whole sentences, in UTF-16 units without the asterisks; a longer sentence is cut. */
const width = 180;
/** Number of UTF-16 units before the first match of a sentence that is cut. */
const before = 50;

/**
 * Returns a function that creates an excerpt for each of `sources`, plain text with the matched words in `**`, except stop words
 * beside others, and `…` where a sentence is cut, or '' for a section without text and code. An excerpt is the sentence that has
 * the most of the query's terms, with the following ones while they fit into `width`, or the beginning of the text if none has any.
 * A row of a table is an excerpt only if it has more of the terms than any sentence, and a line of code only if nothing else of the
 * section matches.
 */
export function createExcerpts(data: IndexData) {
  const { terms } = data;
  /**
   * Returns the words of a text that a query is found by, in order. The longest phrase that begins at a word is one match. `first`
   * is the place of the text's first word in `terms`; `phrases` are by their first word, and `numbers` is the result of
   * `numberTerms`.
   */
  const matchesIn = (
    text: string,
    first: number,
    phrases: ReadonlyMap<number, readonly Phrase[]>,
    numbers: ReadonlyMap<number, number>,
  ): Match[] => {
    const matches: Match[] = [];
    const spans: Stretch[] = [];
    visitWords(text, (start, end) => spans.push({ start, end }));
    let end = 0;
    for (const [place, { start, end: wordEnd }] of spans.entries()) {
      const term = terms[first + place] ?? noTerm;
      const phrase = (phrases.get(term) ?? [])
        .filter(({ words }) => words.every((word, next) => terms[first + place + next] === word))
        .toSorted((a, b) => b.words.length - a.words.length)[0];
      const queryTerm = numbers.get(phrase?.term ?? term) ?? numbers.get(term);
      if (queryTerm === undefined || start < end) continue;
      end = spans[place + (phrase?.words.length ?? 1) - 1]?.end ?? wordEnd;
      matches.push({ start, end, queryTerm });
    }
    return matches;
  };

  return (
    queryTerms: readonly WeightedTerm[],
    foundPhrases: readonly Phrase[],
    sources: readonly ExcerptSource[],
  ): string[] => {
    const phrases = Map.groupBy(foundPhrases, ({ words }) => words[0] ?? noTerm);
    const shownTerms = queryTerms.filter(({ isStopWord }) => !isStopWord);
    const weights = shownTerms.map(({ weight }) => weight);
    const numbers = numberTerms(shownTerms);
    return sources.map(({ section, text, code, fromStart }) => {
      const matches = matchesIn(text, findPart(data, section, parts.text).from, phrases, numbers);
      if (code !== '' && (text === '' || (matches.length === 0 && !isMarked(section, numbers)))) {
        const inCode = matchesIn(code, findPart(data, section, parts.code).from, phrases, numbers);
        const lines = splitLines(code).map((line) => ({ ...line, isRow: false }));
        if (text === '' || inCode.length > 0) return cut(code, lines, inCode, weights);
      }
      return cut(text, findPassages(text), matches, fromStart ? [] : weights);
    });
  };

  /** Returns whether the heading of a section has a word that the query is found by. */
  function isMarked(section: number, numbers: ReadonlyMap<number, number>): boolean {
    const { from, to } = findPart(data, section, parts.heading);
    return terms.subarray(from, to).some((term) => numbers.has(term));
  }
}

/** Matched words of a text, and the number of the query term that they match. */
interface Match extends Stretch {
  readonly queryTerm: number;
}

function cut(
  text: string,
  passages: readonly Passage[],
  matches: readonly Match[],
  weights: readonly number[],
): string {
  const listInside = ({ start, end }: Stretch) => matches.filter((match) => match.start >= start && match.end <= end);
  const weigh = (stretch: Stretch): number => {
    const queryTerms = new Set(listInside(stretch).map(({ queryTerm }) => queryTerm));
    return [...queryTerms].reduce((sum, queryTerm) => sum + (weights[queryTerm] ?? 0), 0);
  };
  const [best] = passages
    .map((passage, number) => ({ passage, number, weight: weigh(passage) }))
    .sort((a, b) => b.weight - a.weight || Number(a.passage.isRow) - Number(b.passage.isRow) || a.number - b.number);
  if (best === undefined) return '';
  const { passage, number } = best;
  if (passage.isRow) return writeRow(text, passage, matches, weigh);
  if (passage.end - passage.start > width) {
    const { start, end } = cutAround(text, passage, listInside(passage)[0]?.start ?? passage.start);
    const [left, right] = [start > passage.start ? '…' : '', end < passage.end ? '…' : ''];
    return left + markMatches(text, { start, end }, matches) + right;
  }
  let excerpt = markMatches(text, passage, matches);
  let { end } = passage;
  for (const next of passages.slice(number + 1)) {
    if (next.isRow || next.end - passage.start > width || !/[.!?…:;。！？]$/.test(excerpt)) break;
    excerpt += `${next.start > end ? ' ' : ''}${markMatches(text, next, matches)}`;
    end = next.end;
  }
  return excerpt.replace(/:$/, ' …');
}

/**
 * Writes a row of a table as its first cell and the one that matches best, or else the longest, such as "large – Download: 2.9 GB",
 * with each match in `**`. The name of the column is left out in a table of two.
 */
function writeRow(text: string, row: Stretch, matches: readonly Match[], weigh: (stretch: Stretch) => number): string {
  const fields: Stretch[] = [];
  let start = row.start;
  for (const field of text.slice(row.start, row.end).split(fieldMark)) {
    fields.push({ start, end: start + field.length });
    start += field.length + fieldMark.length;
  }
  const [subject, ...others] = fields.flatMap((cell, number) =>
    number % 2 === 0 ? [] : [{ name: fields[number - 1] ?? cell, cell, cellLength: cell.end - cell.start }],
  );
  const [best] = others.toSorted((a, b) => {
    const [weightA, weightB] = [a, b].map(({ name, cell }) => weigh({ start: name.start, end: cell.end }));
    return (weightB ?? 0) - (weightA ?? 0) || b.cellLength - a.cellLength;
  });
  const mark = (stretch: Stretch | undefined) => (stretch === undefined ? '' : markMatches(text, stretch, matches));
  const name = others.length > 1 ? `${mark(best?.name)} ` : '';
  return [mark(subject?.cell), (name + mark(best?.cell)).trim()].filter((part) => part !== '').join(' – ');
}

/** Returns a stretch of the text, trimmed, with each match that is wholly inside it in `**`. */
function markMatches(text: string, { start: from, end: to }: Stretch, matches: readonly Match[]): string {
  let excerpt = '';
  let copiedEnd = from;
  for (const { start, end } of matches) {
    if (start < copiedEnd || end > to) continue;
    excerpt += `${text.slice(copiedEnd, start)}**${text.slice(start, end)}**`;
    copiedEnd = end;
  }
  return (excerpt + text.slice(copiedEnd, to)).trim();
}

/** Returns a part of the stretch as wide as an excerpt that contains the place, cut between words if it has spaces. */
function cutAround(text: string, { start: from, end: to }: Stretch, place: number): Stretch {
  const preferredStart = Math.max(from, Math.min(place - before, to - width));
  const space = text.indexOf(' ', preferredStart);
  const start =
    preferredStart === from ? from : space !== -1 && space < place ? space + 1 : stepBack(text, preferredStart);
  // One more character is better than half of a surrogate pair or a word without its last letter.
  if (start + width + 1 >= to) return { start, end: to };
  const last = text.lastIndexOf(' ', start + width);
  return { start, end: last > place ? last : stepBack(text, start + width) };
}

/** Returns the offset, or the one before it if it is in the middle of a surrogate pair. */
function stepBack(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset;
}
