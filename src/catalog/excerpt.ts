/** Cuts the part of a text that shows best why it was found, with the matched words in bold. */
import type { Phrase } from './search-query.ts';
import type { Vocabulary } from './vocabulary.ts';
import { eachWord, isSpacelessAt } from './words.ts';

/** What an excerpt's text holds at most, in UTF-16 units, without the marks. */
const width = 160;

/** Readies a text for excerpts: no marks of our own, one space for any white space, no broken characters. */
export function excerptable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\*{2,}/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/**
 * About 160 characters of a text that `excerptable` made, around the place where most of the phrases stand together,
 * cut between words with `…` where cut; the text's beginning when none of them is in it. Matched words are in `**`.
 */
export function excerptOf(text: string, phrases: readonly Phrase[], vocabulary: Vocabulary): string {
  const matches = matchesIn(text, phrases, vocabulary);
  const [from, to] = textAround(text, bestRun(matches, phrases.length));
  let excerpt = from > 0 ? '…' : '';
  let at = from;
  for (const { start, end } of matches) {
    if (start < at || end > to) continue;
    excerpt += `${text.slice(at, start)}**${text.slice(start, end)}**`;
    at = end;
  }
  return excerpt + text.slice(at, to).trimEnd() + (to < text.length ? '…' : '');
}

interface Match {
  readonly start: number;
  readonly end: number;
  /** The place of the phrase among the phrases. */
  readonly phrase: number;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly ordinal: number;
  readonly term: string;
}

/** Where the phrases stand, in the text's order; matched as the index matches, by term. */
function matchesIn(text: string, phrases: readonly Phrase[], vocabulary: Vocabulary): Match[] {
  const found = candidates(text, phrases, vocabulary);
  const matches: Match[] = [];
  for (const [first, { start, ordinal }] of found.entries()) {
    for (const [place, phrase] of phrases.entries()) {
      const fits = phrase.words.every((_, at) => {
        const word = found[first + at];
        return word !== undefined && word.ordinal === ordinal + at && fitsAt(phrase, at, word.term);
      });
      const end = found[first + phrase.words.length - 1]?.end;
      if (fits && end !== undefined) matches.push({ start, end, phrase: place });
    }
  }
  return matches;
}

/** The words whose term occurs in a phrase. Most words are passed over by their first letter alone. */
function candidates(text: string, phrases: readonly Phrase[], vocabulary: Vocabulary): Found[] {
  const letters = new Set<number>();
  for (const { words, otherTerms } of phrases) {
    for (const term of [...words.map((word) => word.term), ...otherTerms]) {
      letters.add(term.charCodeAt(0));
      letters.add(term.toUpperCase().charCodeAt(0));
    }
  }
  const found: Found[] = [];
  let ordinal = 0;
  eachWord(text, (start, end) => {
    ordinal += 1;
    const first = text.charCodeAt(start);
    if (first < 128 && !letters.has(first)) return;
    const term = vocabulary.wordOf(text.slice(start, end))?.term;
    if (term === undefined) ordinal -= 1;
    else if (phrases.some((phrase) => phrase.words.some((_, at) => fitsAt(phrase, at, term)))) {
      found.push({ start, end, ordinal, term });
    }
  });
  return found;
}

function fitsAt({ words, open, otherTerms }: Phrase, at: number, term: string): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (term === word.term) return true;
  return open && at === words.length - 1 && (term.startsWith(word.folded) || otherTerms.includes(term));
}

/** The stretch within the width that has the most phrases, then the most matches, then comes first. */
function bestRun(matches: readonly Match[], phraseCount: number): readonly [number, number] {
  const inside = new Array<number>(phraseCount).fill(0);
  let distinct = 0;
  let first = 0;
  let best: readonly [number, number] = [0, 0];
  let bestDistinct = 0;
  let bestCount = 0;
  for (const [last, { phrase, end }] of matches.entries()) {
    if (inside[phrase] === 0) distinct += 1;
    inside[phrase] = (inside[phrase] ?? 0) + 1;
    for (let left = matches[first]; left !== undefined && first < last && end - left.start > width; ) {
      inside[left.phrase] = (inside[left.phrase] ?? 0) - 1;
      if (inside[left.phrase] === 0) distinct -= 1;
      first += 1;
      left = matches[first];
    }
    const count = last - first + 1;
    if (distinct > bestDistinct || (distinct === bestDistinct && count > bestCount)) {
      best = [matches[first]?.start ?? 0, end];
      bestDistinct = distinct;
      bestCount = count;
    }
  }
  return best;
}

/** Widens a stretch to the width, a third of the room before it, and draws both ends in to the bounds of words. */
function textAround(text: string, [start, end]: readonly [number, number]): readonly [number, number] {
  const room = Math.max(0, width - (end - start));
  const before = Math.max(0, Math.min(start - Math.floor(room / 3), text.length - width));
  const from = Math.min(start, before === 0 ? 0 : boundAfter(text, before, start));
  const to = from + width >= text.length ? text.length : Math.max(end, boundBefore(text, from + width, end));
  return [from, to];
}

function boundAfter(text: string, at: number, most: number): number {
  const space = text.indexOf(' ', at - 1);
  if (space !== -1 && space < most) return space + 1;
  return isSpacelessAt(text, at) ? at : most;
}

function boundBefore(text: string, at: number, least: number): number {
  const space = text.lastIndexOf(' ', at);
  if (space > least) return space;
  return isSpacelessAt(text, at) || least === 0 ? wholeCharacter(text, at) : least;
}

/** Steps back from the middle of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
