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

/** Words as terms, by which places are compared and excerpts cut. */
export interface TokenStream {
  /** By section and part, where its terms begin; one more at the end. */
  readonly firsts: Uint32Array;
  readonly terms: Uint32Array;
}

/** Returns the index in `firsts` of a section's heading (0), text (1), code (2) or end (3). */
export const partStart = (section: number, part: number): number => 3 * section + part;

export function learnSynonyms(groups: readonly (readonly string[])[], words: VocabularyBuilder): Synonym[] {
  const entries = new Map<string, { words: number[]; term: number; groups: number[] }>();
  for (const [group, names] of groups.entries()) {
    for (const name of names) {
      const sequence: number[] = [];
      eachWord(name, (start, end) => sequence.push(words.learn(name.slice(start, end))?.term ?? noTerm));
      const key = sequence.join(' ');
      const entry = entries.get(key) ?? {
        words: sequence,
        term: sequence.length === 1 ? (sequence[0] ?? noTerm) : words.addTerm(),
        groups: [],
      };
      if (!entry.groups.includes(group)) entry.groups.push(group);
      entries.set(key, entry);
    }
  }
  return [...entries.values()];
}

export interface ReadDocuments {
  /** Headings, texts and code, in this order for each section. */
  readonly kept: TokenStream;
  /** Titles with keys, parents and keywords, in this order for each section. */
  readonly above: TokenStream;
  /** By section, how many of the text's first words are its lead. */
  readonly leads: Uint32Array;
  /** By section, whether its heading is the page's title, which counts as such. */
  readonly introduces: Uint8Array;
  /** By the term of a word in camelCase, the terms of its parts. */
  readonly parts: ReadonlyMap<number, readonly number[]>;
}

/** Tokenizes documents, and counts their words in the vocabulary. */
export function readDocuments(documents: readonly SearchDocument[], words: VocabularyBuilder): ReadDocuments {
  const kept = createStream();
  const above = createStream();
  const leads: number[] = [];
  const introduces: number[] = [];
  /** Adds a text to a stream, and returns how many of its words begin before `until`. */
  const add = (stream: Stream, text: string, until = 0): number => {
    let count = 0;
    eachWord(text, (start, end) => {
      const word = words.learn(text.slice(start, end));
      if (word !== null) word.count += 1;
      stream.terms.push(word?.term ?? noTerm);
      if (start < until) count += 1;
    });
    stream.firsts.push(stream.terms.length);
    return count;
  };

  for (const { key, title, titleIs, topic, sections } of documents) {
    for (const [at, { heading, text, code, parents, keywords = [] }] of sections.entries()) {
      const lead = text.indexOf('\n');
      add(kept, heading ?? (at === 0 ? title : ''));
      leads.push(add(kept, text, lead === -1 ? text.length : lead));
      introduces.push(heading === null && titleIs === 'page' ? 1 : 0);
      add(kept, code);
      // A slug or an id is the author's own shortest name for what the document is about.
      add(above, `${titleIs === 'page' ? title : (topic ?? '')}\n${key}`);
      add(above, parents.join('\n'));
      add(above, keywords.join('\n'));
    }
  }
  return {
    kept: finishStream(kept),
    above: finishStream(above),
    leads: Uint32Array.from(leads),
    introduces: Uint8Array.from(introduces),
    parts: words.parts,
  };
}

interface Stream {
  readonly firsts: number[];
  readonly terms: number[];
}

const createStream = (): Stream => ({ firsts: [0], terms: [] });

const finishStream = ({ firsts, terms }: Stream): TokenStream => ({
  firsts: Uint32Array.from(firsts),
  terms: Uint32Array.from(terms),
});

/** One block a line, none empty. */
export const linesOf = (text: string): string =>
  text
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '')
    .join('\n');
