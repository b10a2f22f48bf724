/** Full-text search over sections of pages: opens an index and finds in it. */
import { type DocumentRecord, type IndexData, idBytes, type SectionRecord } from './build.ts';
import { type Kind, kinds } from './document.ts';
import { createExcerpts, type ExcerptSource } from './excerpt.ts';
import type { Stem } from './language.ts';
import { createQueryReader } from './query.ts';
import { countSections, createRanking } from './ranking.ts';
import { openVocabulary } from './vocabulary.ts';

/** The results of a ranking that are left, which a cursor carries: their IDs, best first, `idBytes` each. */
export type Snapshot = Uint8Array;

/** A section that matches. */
export interface SearchHit {
  readonly kind: Kind;
  readonly key: string;
  /** The title of the document. */
  readonly title: string;
  /** The heading of the section, or null for an introduction and for documents without sections. */
  readonly section: string | null;
  /** The anchor of the heading, or null without a heading or for one that has no anchor. */
  readonly anchor: string | null;
  /** Rounded to 4 decimals, never more than that of the hit before; comparable within one answer only. */
  readonly score: number;
  /** A sentence or two of plain text, with the matched words in `**`; '' if neither the section nor its introduction has any text. */
  readonly excerpt: string;
}

/** One page of results. */
export interface SearchPage {
  /** The results, best first. */
  readonly hits: readonly SearchHit[];
  /** The rest of the ranking, with which `resume` continues, or null on the last page. */
  readonly rest: Snapshot | null;
  /** The query that was searched if words were corrected or translated, otherwise null. */
  readonly searchedFor: string | null;
  /** Whether the query has words of another language, which were translated. */
  readonly isTranslated: boolean;
}

/** The name of a document in an index. */
export interface DocumentName {
  readonly kind: Kind;
  readonly key: string;
}

/** The selection of results, and their number. */
export interface SearchOptions {
  /** The kinds to search; all when left out. */
  readonly kinds?: readonly Kind[];
  /** Maximum number of results, 1 or more. */
  readonly limit: number;
  /** Documents that come first in this order, whatever their words are, except other kinds and unknown ones; none if left out. */
  readonly first?: readonly DocumentName[];
}

/** An index that is ready for queries. */
export interface SearchIndex {
  /** The data of the index, of which a snapshot of the site has a copy. */
  readonly data: IndexData;
  /**
   * Finds the first section of each document of `first`, then sections, two of a document at most, that have any of the words and
   * all phrases in quotes, best first; of more than `maxResults`, the rest is left out. Any string is safe; one without words finds
   * only the documents of `first`.
   */
  search(query: string, options: SearchOptions): SearchPage;
  /**
   * Continues the ranking of an earlier page of that query, whichever index it came from, without selecting by `kinds` or adding
   * the documents of `first` again. Sections that this index lacks are left out; returns null if it lacks all of them, or if `rest`
   * is empty.
   */
  resume(query: string, rest: Snapshot, options: SearchOptions): SearchPage | null;
}

/** Maximum number of results of a ranking. */
const maxResults = 600;

/** Opens an index for queries. `stem` has to be the stemmer that it was built with, which is not checked. */
export function openIndex(data: IndexData, stem: Stem): SearchIndex {
  const { ids, documentBySection, kindByDocument, textOffsets, synonyms } = data;
  const vocabulary = openVocabulary(data.vocabulary, stem);
  const readQuery = createQueryReader({ vocabulary, synonyms, countSections: (term) => countSections(data, term) });
  const rank = createRanking(data);
  const createAllExcerpts = createExcerpts(data);
  const decoder = new TextDecoder();
  const readRecord = (number: number) =>
    JSON.parse(decoder.decode(data.texts.subarray(textOffsets[number], textOffsets[number + 1])));
  const readDocument = (document: number): DocumentRecord => readRecord(document);
  const readSection = (section: number): SectionRecord => readRecord(kindByDocument.length + section);

  /** The sections by ID, or null until a ranking is first resumed. */
  let sections: Map<number, number> | null = null;
  /** Returns the first section of a document, or null if the index has no such document. */
  const findSection = ({ kind, key }: DocumentName): number | null => {
    const kindNumber = kinds.indexOf(kind);
    const document = kindByDocument.findIndex(
      (other, number) => other === kindNumber && readDocument(number)[0] === key,
    );
    return document === -1 ? null : documentBySection.indexOf(document);
  };
  /** Returns the texts of a section for its excerpt; one that only refers to other pages has those of its page's introduction. */
  const findReadable = (section: number): ExcerptSource => {
    const document = documentBySection[section] ?? 0;
    const [, , text, code] = readSection(section);
    const first = documentBySection.indexOf(document);
    if (text === '' && code === '' && first !== section) return findReadable(first);
    // The excerpt of a plan begins with its price, without which any other sentence about money misleads.
    return { section, text, code, fromStart: kinds[kindByDocument[document] ?? 0] === 'plan' };
  };
  const createRankedQuery = (text: string, { kinds: wanted = kinds, first = [] }: SearchOptions) => {
    const query = readQuery(text);
    const isSearchedKind = kinds.map((kind) => wanted.includes(kind));
    const { sections, scores, terms } = rank(query, isSearchedKind, maxResults);
    const liftedSections = first.flatMap((name) => (wanted.includes(name.kind) ? (findSection(name) ?? []) : []));
    const best = new Set([...liftedSections, ...sections]);
    const findScore = (section: number) => scores[(liftedSections.includes(section) ? sections[0] : section) ?? 0] ?? 0;
    return { ...query, terms, best: [...best].slice(0, maxResults), findScore };
  };

  const createPage = (
    query: ReturnType<typeof createRankedQuery>,
    all: readonly number[],
    limit: number,
  ): SearchPage => {
    const page = all.slice(0, limit);
    const excerpts = createAllExcerpts(query.terms, query.phrases, page.map(findReadable));
    let score = Number.POSITIVE_INFINITY;
    const hits = page.map((section, rank): SearchHit => {
      const document = documentBySection[section] ?? 0;
      const [key, title] = readDocument(document);
      const [heading, anchor] = readSection(section);
      score = Math.min(score, Math.round(query.findScore(section) * pointsPerScore) / pointsPerScore);
      return {
        kind: kinds[kindByDocument[document] ?? 0] ?? 'doc',
        key,
        title,
        section: heading || null,
        anchor: anchor || null,
        score,
        excerpt: excerpts[rank] ?? '',
      };
    });
    const others = all.slice(limit);
    const { searchedFor, isTranslated } = query;
    return { hits, rest: others.length > 0 ? packIds(ids, others) : null, searchedFor, isTranslated };
  };

  return {
    data,
    search(text, options) {
      const query = createRankedQuery(text, options);
      return createPage(query, query.best, options.limit);
    },
    resume(text, rest, options) {
      sections ??= new Map(unpackIds(ids).map((id, section) => [id, section]));
      const all = unpackIds(rest).flatMap((id) => sections?.get(id) ?? []);
      return all.length === 0 ? null : createPage(createRankedQuery(text, options), all, options.limit);
    },
  };
}

const pointsPerScore = 10_000;

/** Returns the IDs of sections in their order; `ids` has `idBytes` for each section of the index. */
const packIds = (ids: Uint8Array, sections: readonly number[]): Snapshot =>
  Uint8Array.from(sections.flatMap((section) => [...ids.subarray(idBytes * section, idBytes * (section + 1))]));

/** Returns the IDs of a snapshot as numbers of 40 bits, without bytes at the end that are no whole ID. */
function unpackIds(snapshot: Snapshot): number[] {
  const bytes = Buffer.from(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength);
  return Array.from({ length: Math.floor(bytes.length / idBytes) }, (_, index) =>
    bytes.readUIntBE(index * idBytes, idBytes),
  );
}
