/** Reads what someone typed into a search box: which words, which phrases, and what to try when nothing matches. */
import type { Vocabulary, Word } from './vocabulary.ts';
import { eachWord } from './words.ts';

/** Words that follow each other in the text; one word for the most part. */
export interface Phrase {
  readonly words: readonly Word[];
  /** When the last word may be the beginning of a longer one: the terms of all words that begin so. */
  readonly begun: Uint32Array | null;
  /** Whether a page need not have it, unless nothing else was asked for. */
  readonly optional: boolean;
}

/** One way to search. */
export interface Attempt {
  readonly phrases: readonly Phrase[];
  /** Whether a document must have every phrase, or any of them. */
  readonly every: boolean;
  /** All words that were asked for, in their order: a document that is named exactly so gains by it. */
  readonly title: readonly Word[];
  /** null when this is what was asked. */
  readonly searchedFor: string | null;
}

/**
 * What to search, in order until something is found: every word and phrase; the same with unknown words replaced by
 * the nearest known ones; any of the words. Empty when the query has no word.
 */
export function* attemptsAt(query: string, vocabulary: Vocabulary): Generator<Attempt> {
  const phrases = phrasesOf(query, vocabulary);
  const asked = withoutOptional(phrases).slice(0, mostPhrases);
  if (asked.length === 0) return;
  yield { phrases: asked, every: true, title: wordsOf(phrases), searchedFor: null };

  const replace = replacementsFrom(vocabulary);
  const corrected = asked.map((phrase) => correct(phrase, replace));
  const known = corrected.filter((phrase) => phrase !== null);
  if (known.length === asked.length && known.some((phrase, at) => phrase !== asked[at])) {
    yield { phrases: known, every: true, title: wordsOf(known), searchedFor: spell(known, ' ') };
  }

  const single = rarest(unique(withoutOptional(asked.flatMap((phrase) => correctEach(phrase, replace)))), vocabulary);
  if (single.length > 0) {
    yield { phrases: single, every: false, title: [], searchedFor: spell(single, ' OR ') };
  }
}

/** More words than a question has; bounds the work for a query that is all single letters. */
const mostWordsRead = 64;
const mostPhrases = 16;
/** A search for any of many common words would rank most of the index several times over. */
const mostAlternatives = 8;
/** Looking for the nearest word is the dearest step: each looks through every word of the index. */
const mostReplacements = 8;
const quotes = /["\u201c\u201d\u201e]/;
const endsOpen = /[^\s"\u201c\u201d\u201e]$/;
/** A beginning shorter than this matches almost everything. */
const shortestBeginning = 2;

function phrasesOf(query: string, vocabulary: Vocabulary): readonly Phrase[] {
  const phrases: Phrase[] = [];
  let quoted = false;
  const add = (words: readonly Word[]) => {
    if (words.length === 0 || phrases.length === mostWordsRead) return;
    phrases.push({ words, begun: null, optional: !quoted && isFunctionWord(words) });
  };
  for (const part of query.split(quotes)) {
    if (quoted) add(wordsIn(part, vocabulary).words);
    else {
      for (const chunk of part.split(/\s+/)) {
        const { words, spaceless } = wordsIn(chunk, vocabulary);
        if (spaceless) for (const word of words) add([word]);
        else add(words);
      }
    }
    quoted = !quoted;
  }
  const last = phrases.pop();
  if (last !== undefined) phrases.push(endsOpen.test(query) ? open(last, vocabulary) : last);
  return unique(phrases);
}

function wordsIn(text: string, vocabulary: Vocabulary): { words: Word[]; spaceless: boolean } {
  const words: Word[] = [];
  let anySpaceless = false;
  eachWord(text, (start, end, spaceless) => {
    const word = vocabulary.wordOf(text.slice(start, end));
    if (word !== null) words.push(word);
    anySpaceless ||= spaceless;
  });
  return { words, spaceless: anySpaceless };
}

function open(phrase: Phrase, vocabulary: Vocabulary): Phrase {
  const folded = phrase.words.at(-1)?.folded ?? '';
  // One sign of a script without spaces is often a whole word, so that it may stand for a beginning.
  if (folded.length < shortestBeginning && folded <= '\u024f') return phrase;
  return { ...phrase, begun: vocabulary.termsBeginning(folded) };
}

/** Questions come as sentences, and a page that answers one need not have all of its words. */
const functionWords = new Set(
  'a an and are as at be by can could do does for from has have how i if in is it its me my of on or should that the their there this to was what when where which who why will with would you your'.split(
    ' ',
  ),
);

function isFunctionWord(words: readonly Word[]): boolean {
  return words.length === 1 && functionWords.has(words[0]?.folded ?? '');
}

function withoutOptional(phrases: readonly Phrase[]): readonly Phrase[] {
  const rest = phrases.filter(({ optional }) => !optional);
  return rest.length > 0 ? rest : phrases;
}

/** The word itself when it is known, else the nearest known one, or null. */
type Replace = (word: Word) => Word | null;

function replacementsFrom(vocabulary: Vocabulary): Replace {
  const nearest = new Map<string, Word | null>();
  return (word) => {
    if (word.term !== null) return word;
    if (!nearest.has(word.folded) && nearest.size < mostReplacements) {
      nearest.set(word.folded, vocabulary.nearest(word.folded));
    }
    return nearest.get(word.folded) ?? null;
  };
}

/** The phrase itself when its words are known, else with the nearest known words, or null where one has none. */
function correct(phrase: Phrase, replace: Replace): Phrase | null {
  const last = phrase.words.length - 1;
  const words: Word[] = [];
  for (const [at, word] of phrase.words.entries()) {
    // A beginning that longer words have needs no correction.
    const found = at === last && isBeginning(phrase) ? word : replace(word);
    if (found === null) return null;
    words.push(found);
  }
  if (words.every((word, at) => word === phrase.words[at])) return phrase;
  return { ...phrase, words, begun: words[last] === phrase.words[last] ? phrase.begun : null };
}

const isBeginning = ({ begun }: Phrase): boolean => begun !== null && begun.length > 0;

/** The words of a phrase that are known or nearly so, each for itself. */
function correctEach(phrase: Phrase, replace: Replace): Phrase[] {
  const last = phrase.words.length - 1;
  return phrase.words.flatMap((word, at) => {
    const single = { words: [word], begun: at === last ? phrase.begun : null, optional: isFunctionWord([word]) };
    return correct(single, replace) ?? [];
  });
}

/** The words that tell most, in the order in which they were asked. */
function rarest(phrases: readonly Phrase[], vocabulary: Vocabulary): readonly Phrase[] {
  if (phrases.length <= mostAlternatives) return phrases;
  const countOf = ({ words }: Phrase) => vocabulary.countOf(words[0]?.term ?? 0);
  const kept = new Set(phrases.toSorted((a, b) => countOf(a) - countOf(b)).slice(0, mostAlternatives));
  return phrases.filter((phrase) => kept.has(phrase));
}

/** Two spellings of a known word are one word, unless more than its term counts. */
function unique(phrases: readonly Phrase[]): readonly Phrase[] {
  const seen = new Set<string>();
  return phrases.filter(({ words, begun }) => {
    const names = words.map(({ folded, term }, at) =>
      term === null || (begun !== null && at === words.length - 1) ? folded : term,
    );
    const key = `${names.join(' ')}${begun === null ? '' : ' …'}`;
    return !seen.has(key) && seen.add(key);
  });
}

const wordsOf = (phrases: readonly Phrase[]): Word[] => phrases.flatMap(({ words }) => words);

function spell(phrases: readonly Phrase[], separator: string): string {
  return phrases
    .map(({ words }) => (words.length > 1 ? `"${words.map(({ folded }) => folded).join(' ')}"` : words[0]?.folded))
    .join(separator);
}
