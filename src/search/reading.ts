/** Reads documents and synonyms into terms. */
import { oneLine } from '../base/one-line.ts';
import type { SearchDocument } from './document.ts';
import { noTerm, type VocabularyBuilder } from './vocabulary.ts';
import { eachWord } from './words.ts';

/** Words that follow each other and are a term together. */
export interface Phrase {
  readonly words: readonly number[];
  readonly term: number;
}

/** What one entry of a group of synonyms is found by; `term` is its only word's, or the phrase's. */
export interface Synonym extends Phrase {
  /** By number. */
  readonly groups: readonly number[];
}

/** The words of all sections as terms, by which positions are compared and excerpts cut. */
export interface TokenStream {
  /** For each part of each section, where its terms begin; one more at the end. */
  readonly firsts: Uint32Array;
  readonly terms: Uint32Array;
}

/** The parts of a section in the order of the stream. Results show the first three. */
export const parts = { heading: 0, text: 1, code: 2, title: 3, parents: 4, keywords: 5 };
const partCount = 6;

/** Returns where the terms of a section's part begin and end. */
export function findPart({ firsts }: TokenStream, section: number, part: number): { from: number; to: number } {
  const number = partCount * section + part;
  return { from: firsts[number] ?? 0, to: firsts[number + 1] ?? 0 };
}

/** Adds the words and phrases of synonyms to a vocabulary, each entry once. */
export function learnSynonyms(groups: readonly (readonly string[])[], words: VocabularyBuilder): Synonym[] {
  const entries = new Map<string, { words: number[]; term: number; groups: number[] }>();
  for (const [group, names] of groups.entries()) {
    for (const name of names) {
      const sequence: number[] = [];
      eachWord(name, (start, end) => sequence.push(words.learn(name.slice(start, end))?.term ?? noTerm));
      const key = sequence.join(' ');
      // No stem has a space in it.
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
  /** How many of the first words of each section's text are its lead. */
  readonly leads: readonly number[];
  /** Whether the heading of each section is the page's title, which is counted as such. */
  readonly introduces: readonly boolean[];
  /** By the term of a word in camelCase, the terms of its parts. */
  readonly camelParts: ReadonlyMap<number, readonly number[]>;
}

/** Tokenizes documents, and counts their words in the vocabulary. */
export function readDocuments(documents: readonly SearchDocument[], words: VocabularyBuilder): ReadDocuments {
  const firsts = [0];
  const terms: number[] = [];
  const leads: number[] = [];
  const introduces: boolean[] = [];
  /** Adds a part to the stream, and returns how many of its words begin before `until`. */
  const add = (text: string, until = 0): number => {
    let count = 0;
    eachWord(text, (start, end) => {
      const word = words.learn(text.slice(start, end));
      if (word !== null) word.count += 1;
      terms.push(word?.term ?? noTerm);
      if (start < until) count += 1;
    });
    firsts.push(terms.length);
    return count;
  };

  for (const { key, title, titleIs, topic = '', sections } of documents) {
    for (const [number, { heading, text, code, parents, keywords = [] }] of sections.entries()) {
      const lead = text.indexOf('\n');
      add(heading ?? (number === 0 ? title : ''));
      leads.push(add(text, lead === -1 ? text.length : lead));
      add(code);
      // A slug or an ID is the author's shortest name for what the document is about.
      add(`${titleIs === 'page' ? title : topic}\n${key}`);
      add(parents.join('\n'));
      add(keywords.join('\n'));
      introduces.push(heading === null && titleIs === 'page');
    }
  }
  const stream = { firsts: Uint32Array.from(firsts), terms: Uint32Array.from(terms) };
  return { stream, leads, introduces, camelParts: words.parts };
}

/** One block a line, none empty. */
export const linesOf = (text: string): string =>
  text
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '')
    .join('\n');
