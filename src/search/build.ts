/** Builds an index: a pure function that returns typed arrays and a few strings, which can be sent to another process. */
import { sha256Hex } from '../base/hash.ts';
import { joinLines } from '../base/one-line.ts';
import { type Kind, kinds, type SearchDocument } from './document.ts';
import type { Stem } from './language.ts';
import { buildPostings, type Postings } from './postings.ts';
import { learnSynonyms, type ReadableDocument, readDocuments, type Synonym, type TokenStream } from './reading.ts';
import { separateReferences } from './sentences.ts';
import { createVocabularyBuilder, type VocabularyData } from './vocabulary.ts';

/** An index as plain data. Documents, sections and terms are numbers from 0; term 0 is `noTerm`. */
export interface IndexData extends Postings, TokenStream {
  readonly sectionCount: number;
  /** The document of each section. */
  readonly documentBySection: Uint32Array;
  /** The kind of each document, as an index into `kinds`. */
  readonly kindByDocument: Uint8Array;
  /** The IDs of the sections, `idBytes` each; a section has the same ID in every revision. */
  readonly ids: Uint8Array;
  /** The records of the documents, then those of the sections, as JSON in UTF-8. */
  readonly texts: Uint8Array;
  /** The offset of each record in `texts`, in bytes, and the end of the last one. */
  readonly textOffsets: Uint32Array;
  readonly vocabulary: VocabularyData;
  readonly synonyms: readonly Synonym[];
}

/** The part of a document that results show. */
export type DocumentRecord = readonly [key: string, title: string];
/** The part of a section that results show; heading and anchor are null for an introduction. */
export type SectionRecord = readonly [heading: string | null, anchor: string | null, text: string, code: string];

/** The language and the synonyms of an index, and how its Markdown is read. */
export interface IndexOptions {
  readonly stem: Stem;
  /** Groups of words or phrases that mean the same. */
  readonly synonyms: readonly (readonly string[])[];
  /** Returns the plain text of Markdown, one block a line. */
  readonly toPlainText: (markdown: string) => string;
}

/**
 * Builds an index; the order of the documents does not matter. 10,000 pages take many seconds, so that large indexes are built in a
 * worker.
 */
export function buildIndex(
  documents: Iterable<SearchDocument>,
  { stem, synonyms, toPlainText }: IndexOptions,
): IndexData {
  const sortedDocuments = Array.from(documents, (document) => readTexts(document, toPlainText)).sort((a, b) =>
    `${a.kind} ${a.key}` < `${b.kind} ${b.key}` ? -1 : 1,
  );
  const words = createVocabularyBuilder(stem);
  const groups = learnSynonyms(synonyms, words);
  const postings = readDocuments(sortedDocuments, words);
  const phrases = groups.filter(({ words: { length } }) => length > 1);
  const vocabulary = words.finish();
  const priors = sortedDocuments.flatMap((document) =>
    document.sections.map((_, number) => findPrior(document, number)),
  );
  return {
    ...buildPostings(postings, phrases, words.countTerms(), priors),
    ...postings.stream,
    ids: createIds(sortedDocuments),
    ...writeTexts(sortedDocuments),
    sectionCount: postings.leads.length,
    documentBySection: Uint32Array.from(sortedDocuments.flatMap(({ sections }, number) => sections.map(() => number))),
    kindByDocument: Uint8Array.from(sortedDocuments, ({ kind }) => kinds.indexOf(kind)),
    vocabulary,
    synonyms: groups,
  };
}

/**
 * Parses the Markdown of a document, and separates its texts from the sentences that only refer to other pages, which stay the
 * texts of a document that has nothing else.
 */
function readTexts(document: SearchDocument, toPlainText: IndexOptions['toPlainText']): ReadableDocument {
  const sections = document.sections.map((section) => ({
    ...section,
    ...separateReferences(section.markdown === undefined ? section.text : toPlainText(section.markdown)),
    code: section.code.toWellFormed(),
  }));
  const isReadable = sections.some(({ text, code }) => text !== '' || code !== '');
  return {
    ...document,
    title: joinLines(document.title),
    // If a document has nothing but references, they are its text, so that results can show them.
    sections: isReadable
      ? sections
      : sections.map((section) => ({ ...section, text: section.references, references: '' })),
  };
}

/** Factors of the scores of each kind: an answer to a question is worth more than a text that mentions it in passing. */
const kindPriors: Readonly<Record<Kind, number>> = {
  doc: 1,
  faq: 1,
  // A plan is the only section of its document, so no other section adds to its score, and the factor makes up for that.
  plan: 1.4,
  requirements: 0.8,
  feature: 0.7,
  reference: 0.35,
  release: 0.5,
};
/** Factor of the scores of a page's introduction. */
const introductionPrior = 1.2;
/** Share of the score that a text loses if at least half of it is links. */
const linkLoss = 0.3;

/**
 * Returns the factor of the scores of a document's section, by its `number` from 0 and the kind of the document: higher for the
 * introduction of a page, lower for a section that mostly links.
 */
function findPrior({ kind, sections }: SearchDocument, number: number): number {
  const section = sections[number];
  const introduces = kind === 'doc' && section?.heading === null;
  return (
    kindPriors[kind] *
    (introduces ? introductionPrior : 1) *
    (1 - linkLoss * Math.min(1, 2 * (section?.linkShare ?? 0)))
  );
}

/**
 * Returns the IDs of all sections in their order, `idBytes` each. They are the beginnings of hashes of kind, key and anchor, so
 * that a section has the same one in every revision; sections that share all three are numbered in their order.
 */
function createIds(documents: readonly SearchDocument[]): Uint8Array {
  const ids = new Set<string>();
  for (const { kind, key, sections } of documents)
    for (const { anchor } of sections) {
      const hash = (attempt: number) => sha256Hex(JSON.stringify([kind, key, anchor, attempt])).slice(0, 2 * idBytes);
      let attempt = 0;
      while (ids.has(hash(attempt))) attempt += 1;
      ids.add(hash(attempt));
    }
  return Uint8Array.from(Buffer.from([...ids].join(''), 'hex'));
}

/** Writes the records of the documents, then those of the sections, with where each begins and where the last one ends. */
function writeTexts(documents: readonly ReadableDocument[]): Pick<IndexData, 'texts' | 'textOffsets'> {
  const records = [
    ...documents.map(({ key, title }): DocumentRecord => [key, title]),
    ...documents.flatMap(({ sections }) =>
      sections.map(
        ({ heading, anchor, text, code }): SectionRecord => [heading && joinLines(heading), anchor, text, code],
      ),
    ),
  ].map((record) => Buffer.from(JSON.stringify(record)));
  let end = 0;
  return {
    texts: Uint8Array.from(Buffer.concat(records)),
    textOffsets: Uint32Array.from([0, ...records.map(({ length }) => (end += length))]),
  };
}

/** Size of a section's ID, in bytes: an ID of 40 bits is still unique among a million sections in most cases. */
export const idBytes = 5;
