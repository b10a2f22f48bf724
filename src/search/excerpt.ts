/** Cuts the sentence that shows best why a section was found, with the matched words in bold. */
import type { IndexData } from './build.ts';
import { numberTerms, type WeightedTerm } from './proximity.ts';
import { findPart, type Phrase, parts } from './reading.ts';
import { noTerm } from './vocabulary.ts';
import { eachWord } from './words.ts';

export interface ExcerptSource {
  readonly section: number;
  /** One block a line. */
  readonly text: string;
  readonly code: string;
  /** Whether the excerpt is the beginning of the text, wherever the matches are. */
  readonly fromStart: boolean;
}

/** How long an excerpt may grow by whole sentences, in UTF-16 units without the marks; a longer sentence is cut. */
const width = 180;
/** What is shown before the first match of a sentence that is cut. */
const before = 50;

/**
 * The sentence that has the most of the query's terms, and those after it while they fit; the first ones, without marks, when the text
 * has none. A line of code is shown only when nothing else of the section matches.
 */
export function createExcerpts(data: IndexData) {
  const { terms } = data;
  /** Finds the words of a text that a query is found by. The longest phrase that begins at a word is one match. */
  const matchesIn = (
    text: string,
    first: number,
    phrases: ReadonlyMap<number, readonly Phrase[]>,
    numbers: ReadonlyMap<number, number>,
  ): Match[] => {
    const matches: Match[] = [];
    const spans: Stretch[] = [];
    eachWord(text, (start, end) => spans.push([start, end]));
    let end = 0;
    for (const [place, [start, wordEnd]] of spans.entries()) {
      const term = terms[first + place] ?? noTerm;
      const phrase = (phrases.get(term) ?? [])
        .filter(({ words }) => words.every((word, next) => terms[first + place + next] === word))
        .toSorted((a, b) => b.words.length - a.words.length)[0];
      const queryTerm = numbers.get(phrase?.term ?? term) ?? numbers.get(term);
      if (queryTerm === undefined || start < end) continue;
      end = spans[place + (phrase?.words.length ?? 1) - 1]?.[1] ?? wordEnd;
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
    const shown = queryTerms.filter(({ isStopWord }) => !isStopWord);
    const weights = shown.map(({ weight }) => weight);
    const numbers = numberTerms(shown);
    return sources.map(({ section, text, code, fromStart }) => {
      const matches = matchesIn(text, findPart(data, section, parts.text).from, phrases, numbers);
      if (matches.length === 0 && code !== '' && !isMarked(section, numbers)) {
        const inCode = matchesIn(code, findPart(data, section, parts.code).from, phrases, numbers);
        if (inCode.length > 0) return cut(code, stretchesOf(code, lineEnd), inCode, weights);
      }
      return cut(text, stretchesOf(text, sentenceEnd), matches, fromStart ? [] : weights);
    });
  };

  /** Whether the heading has a match. */
  function isMarked(section: number, numbers: ReadonlyMap<number, number>): boolean {
    const { from, to } = findPart(data, section, parts.heading);
    return terms.subarray(from, to).some((term) => numbers.has(term));
  }
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly queryTerm: number;
}

type Stretch = readonly [start: number, end: number];

function cut(
  text: string,
  stretches: readonly Stretch[],
  matches: readonly Match[],
  weights: readonly number[],
): string {
  const inside = ([start, end]: Stretch) => matches.filter((match) => match.start >= start && match.end <= end);
  const sums = stretches.map((stretch) => {
    const queryTerms = new Set(inside(stretch).map(({ queryTerm }) => queryTerm));
    return [...queryTerms].reduce((sum, queryTerm) => sum + (weights[queryTerm] ?? 0), 0);
  });
  const best = sums.indexOf(sums.reduce((most, sum) => Math.max(most, sum), 0));
  const [from, to] = stretches[best] ?? [0, 0];
  if (to - from > width) {
    const [start, end] = around(text, [from, to], inside([from, to])[0]?.start ?? from);
    return `${start > from ? '…' : ''}${marked(text, [start, end], matches)}${end < to ? '…' : ''}`;
  }
  let excerpt = marked(text, [from, to], matches);
  let end = to;
  for (const next of stretches.slice(best + 1)) {
    if (next[1] - from > width || !/[.!?…:;。！？]$/.test(excerpt)) break;
    excerpt += `${next[0] > end ? ' ' : ''}${marked(text, next, matches)}`;
    end = next[1];
  }
  return excerpt;
}

function marked(text: string, [from, to]: Stretch, matches: readonly Match[]): string {
  let excerpt = '';
  let at = from;
  for (const { start, end } of matches) {
    if (start < at || end > to) continue;
    excerpt += `${text.slice(at, start)}**${text.slice(start, end)}**`;
    at = end;
  }
  return (excerpt + text.slice(at, to)).trim();
}

/** A part of the stretch as wide as an excerpt, between words where it has spaces, that shows the place. */
function around(text: string, [from, to]: Stretch, place: number): Stretch {
  const wanted = Math.max(from, Math.min(place - before, to - width));
  const space = text.indexOf(' ', wanted);
  const start = wanted === from ? from : space !== -1 && space < place ? space + 1 : whole(text, wanted);
  // Rather one character more than a pair of surrogates or a word's last letter cut off.
  if (start + width + 1 >= to) return [start, to];
  const last = text.lastIndexOf(' ', start + width);
  return [start, last > place ? last : whole(text, start + width)];
}

/** Steps back from the middle of a surrogate pair. */
function whole(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

/** Where a sentence ends: before a space and what may begin one, but for abbreviations; in scripts without spaces at once. */
const sentenceEnd =
  /(?<!\b(?:e\.g|i\.e|vs|approx))[.!?…]["'”’)\]]*(?= +["'“‘([]?[\p{Lu}\p{N}])|[。！？][」』”）]*|\n/gu;

const lineEnd = /\n/g;

function stretchesOf(text: string, ends: RegExp): Stretch[] {
  const stretches: Stretch[] = [];
  let start = 0;
  const add = (end: number) => {
    while (text[start] === ' ' || text[start] === '\n') start += 1;
    if (end > start) stretches.push([start, end]);
    start = Math.max(start, end);
  };
  for (const { index, 0: found } of text.matchAll(ends)) add(found === '\n' ? index : index + found.length);
  add(text.length);
  return stretches;
}
