/** Search engines over the same sections: ours, and the libraries that its ranking is compared with. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildIndex } from '../src/search/build.ts';
import type { SearchDocument } from '../src/search/document.ts';
import { openIndex } from '../src/search/search.ts';
import { stemmerFor } from '../src/search/stemmer.ts';
import { english, stopWords } from '../src/search/synonyms.ts';

/** What an engine finds: a section of a document. */
export interface Found {
  readonly kind: string;
  readonly key: string;
  /** Null for the introduction. */
  readonly anchor: string | null;
}

export interface Engine {
  readonly name: string;
  /** The best, best first: one for each document, ours sometimes two. */
  search(query: string): Found[];
}

/** Each makes an index of the documents. */
export type MakeEngine = (documents: readonly SearchDocument[]) => Engine | Promise<Engine>;

/** How many results are looked at. */
const wanted = 10;
const load = createRequire(join(import.meta.dirname, 'package.json'));
const stem = stemmerFor('en');

export const colophon: MakeEngine = (documents) => ours('Colophon', documents, english);
export const colophonWith =
  (vendor: readonly (readonly string[])[]): MakeEngine =>
  (documents) =>
    ours('Colophon, with the vendor’s synonyms', documents, [...english, ...vendor]);
/** As the libraries are, which have none. */
export const withoutSynonyms: MakeEngine = (documents) => ours('Colophon, without synonyms', documents, []);

function ours(name: string, documents: readonly SearchDocument[], synonyms: readonly (readonly string[])[]): Engine {
  const index = openIndex(buildIndex(documents, { stem, synonyms }), stem);
  return { name, search: (query) => index.search(query, { limit: 2 * wanted }).hits.slice() };
}

interface Row extends Found {
  readonly id: number;
  readonly title: string;
  readonly heading: string;
  readonly keywords: string;
  readonly parents: string;
  readonly text: string;
  readonly code: string;
}

/** The libraries get what our index gets, a section a document. */
function rowsOf(documents: readonly SearchDocument[]): Row[] {
  return documents
    .flatMap(({ kind, key, title, titleIs, topic, sections }) =>
      sections.map(({ heading, anchor, parents, keywords = [], text, code }, at) => ({
        kind,
        key,
        anchor,
        title: titleIs === 'page' ? title : (topic ?? ''),
        heading: heading ?? (at === 0 && titleIs === 'heading' ? title : ''),
        keywords: keywords.join('\n'),
        parents: parents.join('\n'),
        text,
        code,
      })),
    )
    .map((row, id) => ({ ...row, id }));
}

const textFields = ['title', 'heading', 'keywords', 'parents', 'text', 'code'] as const;

/** The best found for packages; keywords, which packages lack, have that of a heading. */
const weights = { title: 4, heading: 2, keywords: 2, parents: 0.5, text: 1, code: 0.3 };

/** The stem of a word that says something. */
const termOf = (word: string): string | null => {
  const folded = word.toLowerCase();
  return folded === '' || stopWords.has(folded) ? null : stem(folded);
};

/** The scores of a document's sections, those after the best by a share: pages that have more about it come first. */
function byDocument(rows: readonly Row[], found: readonly { id: number; score: number }[], share: number): Found[] {
  const documents = new Map<string, { best: Row; first: number; sum: number }>();
  for (const { id, score } of found) {
    const row = rows[id];
    if (row === undefined) continue;
    const name = `${row.kind} ${row.key}`;
    const known = documents.get(name);
    if (known === undefined) documents.set(name, { best: row, first: score, sum: score });
    else known.sum += score;
  }
  return [...documents.values()]
    .map(({ best, first, sum }) => ({ best, score: first + share * (sum - first) }))
    .sort((a, b) => b.score - a.score)
    .map(({ best }) => best);
}

interface MiniSearchIndex {
  addAll(documents: readonly object[]): void;
  search(query: string): { id: number; score: number }[];
}

/** With our stems and function words, a prefix for the last word and fuzzy matching; the weights are the best found for packages. */
export const miniSearch: MakeEngine = (documents) => {
  const MiniSearch: new (options: object) => MiniSearchIndex = load('minisearch');
  const rows = rowsOf(documents);
  const index = new MiniSearch({
    fields: [...textFields],
    idField: 'id',
    processTerm: termOf,
    searchOptions: {
      boost: weights,
      fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
      prefix: (_: string, at: number, terms: string[]) => at === terms.length - 1,
    },
  });
  index.addAll(rows);
  return { name: 'MiniSearch 7.2.0', search: (query) => byDocument(rows, index.search(query), 0.3) };
};

interface Orama {
  create(options: object): object;
  insertMultiple(index: object, rows: readonly object[]): unknown;
  search(index: object, options: object): { hits: { id: string; score: number }[] };
}

/** Our stems and function words, as it takes them: any word finds, the weights of MiniSearch; better without a sum over pages. */
export const orama: MakeEngine = async (documents) => {
  const { create, insertMultiple, search }: Orama = load('@orama/orama');
  const rows = rowsOf(documents);
  const schema = Object.fromEntries(textFields.map((name) => [name, 'string']));
  const tokenize = (text: string): string[] =>
    (text.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => termOf(word) ?? []);
  const index = create({
    schema,
    components: { tokenizer: { language: 'english', normalizationCache: new Map(), tokenize } },
  });
  await insertMultiple(
    index,
    rows.map((row) => ({ ...row, id: String(row.id) })),
  );
  return {
    name: 'Orama 3.1.18',
    search(term) {
      const { hits } = search(index, {
        term,
        boost: weights,
        limit: 100,
        threshold: 1,
        relevance: { k: 1.2, b: 0.75, d: 0.5 },
      });
      return byDocument(
        rows,
        hits.map(({ id, score }) => ({ id: Number(id), score })),
        0,
      );
    },
  };
};

interface FlexSearchIndex {
  add(id: number, text: string): void;
  search(query: string, options: object): number[];
}

/** It has no weights of fields: an index for each, whose ranks are added up with the weights; better without a sum over pages. */
export const flexSearch: MakeEngine = (documents) => {
  const { Index }: { Index: new (options: object) => FlexSearchIndex } = load('flexsearch');
  const rows = rowsOf(documents);
  const encode = (text: string): string[] =>
    (text.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => termOf(word) ?? []);
  const indexes = textFields.map((name) => {
    const index = new Index({
      tokenize: 'strict',
      resolution: 9,
      context: { depth: 2, bidirectional: true, resolution: 3 },
      encode,
    });
    for (const row of rows) index.add(row.id, row[name]);
    return { index, weight: weights[name] };
  });
  return {
    name: 'FlexSearch 0.8.212',
    search(query) {
      const scores = new Map<number, number>();
      for (const { index, weight } of indexes) {
        for (const [at, id] of index.search(query, { limit: 100, suggest: true }).entries()) {
          scores.set(id, (scores.get(id) ?? 0) + weight / (60 + at));
        }
      }
      return byDocument(
        rows,
        [...scores].map(([id, score]) => ({ id, score })),
        0,
      );
    },
  };
};
