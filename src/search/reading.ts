/** Reads documents and synonyms into terms. */
import type { SearchDocument, SearchSection } from './document.ts';
import { noTerm, type VocabularyBuilder } from './vocabulary.ts';
import { foldWords, visitWords } from './words.ts';

/** Several words in a row that are one term: the term of each word, and that of the whole. */
export interface Phrase {
  readonly words: readonly number[];
  readonly term: number;
}

/** One entry of a group of synonyms; `term` is that of its only word, or that of the phrase. */
export interface Synonym extends Phrase {
  /** The numbers of the groups that have the entry. */
  readonly groups: readonly number[];
}

/** The words of all sections as terms, in their order, from which proximity and excerpts are computed. */
export interface TokenStream {
  /** The index in `terms` of the first term of each part of each section, and the end of the last one. */
  readonly firsts: Uint32Array;
  readonly terms: Uint32Array;
}

/** The parts of a section in the order of the stream. Results show heading, text and code. */
export const parts = { heading: 0, text: 1, references: 2, code: 3, title: 4, parents: 5, keywords: 6 };
const partCount = 7;

/**
 * Returns the indexes in `terms` at which a section's part begins and, exclusively, ends. `section` counts from 0, and `part` is a
 * number of `parts`.
 */
export function findPart({ firsts }: TokenStream, section: number, part: number): { from: number; to: number } {
  const number = partCount * section + part;
  return { from: firsts[number] ?? 0, to: firsts[number + 1] ?? 0 };
}

/**
 * Adds the words and phrases of groups of synonyms to a vocabulary, and returns each entry once, with the numbers of its groups.
 * Entries whose words have the same terms are one.
 */
export function learnSynonyms(groups: readonly (readonly string[])[], words: VocabularyBuilder): Synonym[] {
  const entries = new Map<string, { words: number[]; term: number; groups: number[] }>();
  for (const [group, names] of groups.entries()) {
    for (const name of names) {
      const sequence = foldWords(name).map((word) => words.learn(word)?.term ?? noTerm);
      const key = sequence.join(' ');
      // No stem contains a space, so `phrase …` is never the name of the term of a word.
      const term = sequence.length === 1 ? (sequence[0] ?? noTerm) : words.learnTerm(`phrase ${key}`);
      const entry = entries.get(key) ?? { words: sequence, term, groups: [] };
      if (!entry.groups.includes(group)) entry.groups.push(group);
      entries.set(key, entry);
    }
  }
  return [...entries.values()];
}

/** Documents as terms. */
export interface ReadDocuments {
  readonly stream: TokenStream;
  /** The number of words in each section's lead, which are the first of its text. */
  readonly leads: readonly number[];
  /** Whether each section is an introduction, whose heading is the page's title and is counted as such. */
  readonly introduces: readonly boolean[];
  /** The terms of the parts of each word in camelCase, by the word's term. */
  readonly camelParts: ReadonlyMap<number, readonly number[]>;
}

/**
 * A document whose texts have no marks but those between the fields of a row, and are separate from the sentences that only refer
 * to another page (`references`).
 */
export interface ReadableDocument extends SearchDocument {
  readonly sections: readonly (SearchSection & { readonly references: string })[];
}

/** Tokenizes documents, and counts their words in the vocabulary. */
export function readDocuments(documents: readonly ReadableDocument[], words: VocabularyBuilder): ReadDocuments {
  const firsts = [0];
  const terms: number[] = [];
  const leads: number[] = [];
  const introduces: boolean[] = [];
  /** Adds a part to the stream, and returns how many of its words begin before `until`. */
  const add = (text: string, until = 0): number => {
    let count = 0;
    visitWords(text, (start, end) => {
      const word = words.learn(text.slice(start, end));
      if (word !== null) word.count += 1;
      terms.push(word?.term ?? noTerm);
      if (start < until) count += 1;
    });
    firsts.push(terms.length);
    return count;
  };

  for (const { key, title, titleIs, topic = '', sections } of documents) {
    for (const [number, { heading, text, references, code, parents, keywords = [] }] of sections.entries()) {
      const lead = text.indexOf('\n');
      add(heading ?? (number === 0 ? title : ''));
      leads.push(add(text, lead === -1 ? text.length : lead));
      add(references);
      add(code);
      // `key` is a slug or an ID, the author's shortest name for the topic, so it is searched like the title.
      add(`${titleIs === 'page' ? title : topic}\n${key}`);
      add(parents.join('\n'));
      add(keywords.join('\n'));
      introduces.push(heading === null && titleIs === 'page');
    }
  }
  const stream = { firsts: Uint32Array.from(firsts), terms: Uint32Array.from(terms) };
  return { stream, leads, introduces, camelParts: words.parts };
}
