/** Cuts the part of a text that shows best why it was found, with the matched words in bold. */
import type { Phrase } from './query.ts';
import { boundary, fieldAt, fieldNames, placeAfter, type TokenStream } from './token-stream.ts';
import { isSpacelessAt, wordEnd } from './words.ts';

const bodyField = fieldNames.indexOf('body');

/** What an excerpt's text holds at most, in UTF-16 units, without the marks. */
const width = 160;

/** A document's body on one line, and the document's number in the stream. */
export interface ExcerptSource {
  readonly document: number;
  readonly body: string;
}

/**
 * Gives the excerpts of documents that `phrases` found: about 160 characters around the place where most of the phrases
 * stand together, cut between words with `…` where cut; the beginning when the body has none. Matched words are in `**`.
 */
export function createExcerpts(
  { firsts, terms, places }: TokenStream,
  termCount: number,
): (phrases: readonly Phrase[], sources: readonly ExcerptSource[]) => string[] {
  /** By term, what it is to the phrases; all 0 between two calls. */
  const roles = new Uint8Array(termCount);

  const setRoles = (phrases: readonly Phrase[], named: number, begun: number) => {
    for (const phrase of phrases) {
      for (const { term } of phrase.words) if (term !== null) roles[term] = named;
    }
    for (const phrase of phrases) for (const term of phrase.begun ?? []) roles[term] = begun;
  };

  const fitsAt = ({ words, begun }: Phrase, first: number): boolean => {
    for (const [next, word] of words.entries()) {
      const term = terms[first + next] ?? boundary;
      const begins = begun !== null && next === words.length - 1 && roles[term] === begunRole;
      if (term !== word.term && !begins) return false;
    }
    return true;
  };

  /** Where the word ends that stands `count` words after the one at `first`, which starts at `start`. */
  const endOf = (body: string, first: number, start: number, count: number): number => {
    let at = first;
    let place = start;
    for (; at < first + count; at += 1) place = placeAfter(place, places[at + 1] ?? 0);
    const next = terms[at + 1] === boundary ? body.length : placeAfter(place, places[at + 1] ?? 0);
    return wordEnd(body, place, next);
  };

  const matchesIn = ({ document, body }: ExcerptSource, phrases: readonly Phrase[]): Match[] => {
    const matches: Match[] = [];
    let start = 0;
    for (let at = firsts[fieldAt(document, bodyField)] ?? 0; ; at += 1) {
      const term = terms[at] ?? boundary;
      if (term === boundary) return matches;
      start = placeAfter(start, places[at] ?? 0);
      if (roles[term] === 0) continue;
      for (const [place, phrase] of phrases.entries()) {
        if (!fitsAt(phrase, at)) continue;
        matches.push({ start, end: endOf(body, at, start, phrase.words.length - 1), phrase: place });
      }
    }
  };

  return (phrases, sources) => {
    setRoles(phrases, namedRole, begunRole);
    const excerpts = sources.map((source) => cut(source.body, matchesIn(source, phrases), phrases.length));
    setRoles(phrases, 0, 0);
    return excerpts;
  };
}

const namedRole = 1;
/** Of the terms that the last word may be the beginning of. */
const begunRole = 2;

interface Match {
  readonly start: number;
  readonly end: number;
  /** The place of the phrase among the phrases. */
  readonly phrase: number;
}

function cut(text: string, matches: readonly Match[], phraseCount: number): string {
  const [from, to] = textAround(text, bestRun(matches, phraseCount));
  let excerpt = from > 0 ? '…' : '';
  let at = from;
  for (const { start, end } of matches) {
    if (start < at || end > to) continue;
    excerpt += `${text.slice(at, start)}**${text.slice(start, end)}**`;
    at = end;
  }
  return excerpt + text.slice(at, to).trimEnd() + (to < text.length ? '…' : '');
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
