/** Search in process, uncached and with excerpts, beside MiniSearch and plain FTS5, at four sizes. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSearchIndex, type SearchDocument } from '../src/search/search.ts';
import { commonQueries, generatedPages, generatedQueries } from './generated-content.ts';
import { fixed, table } from './table.ts';

export interface Engine {
  readonly name: string;
  /** The keys of the ten best documents, best first. */
  search(query: string): string[];
  close(): void;
}

/** Each makes an index of the documents. */
export const engines: readonly ((documents: readonly SearchDocument[]) => Engine)[] = [ours, miniSearch, fts5];

const sizes = [8, 1000, 10_000, 20_000];
const queryCount = 300;
/** Over the same queries; the first warms up. */
const passes = 2;

/** A table in Markdown. */
export async function measureSearches(): Promise<string> {
  const rows: string[][] = [];
  for (const size of sizes) {
    const pages = generatedPages(size);
    const documents = pages.map(({ slug, title, headings, text }) => ({
      kind: 'doc' as const,
      key: slug,
      title,
      headings,
      body: text.replace(/^## /gm, ''),
    }));
    const asked = [
      { kind: 'two words', queries: generatedQueries(pages, queryCount) },
      { kind: 'five of the commonest', queries: commonQueries(pages, 5, 20) },
    ];
    const medians = new Map<string, number>();
    for (const make of engines) {
      const began = performance.now();
      const engine = make(documents);
      const built = performance.now() - began;
      for (const { kind, queries } of asked) {
        const { p50, p99, found } = timesOf(engine, queries);
        const ours = medians.get(kind);
        if (ours === undefined) medians.set(kind, p50);
        const faster = ours === undefined ? '' : fixed(p50 / ours, 1);
        const times = [fixed(built, 0), fixed(p50, 3), fixed(p99, 3), fixed(found, 1), faster];
        rows.push([fixed(size, 0), kind, engine.name, ...times]);
      }
      engine.close();
    }
  }
  const heads = ['pages', 'query', 'engine', 'built in ms', 'p50 ms', 'p99 ms', 'found of 10', 'Colophon is faster by'];
  return table(heads, rows);
}

function timesOf(engine: Engine, queries: readonly string[]): { p50: number; p99: number; found: number } {
  const times: number[] = [];
  let found = 0;
  for (let pass = 0; pass < passes; pass += 1) {
    for (const query of queries) {
      const began = performance.now();
      const keys = engine.search(query);
      const took = performance.now() - began;
      if (pass > 0) times.push(took);
      found += keys.length;
    }
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), found: found / (queries.length * passes) };
}

function ours(documents: readonly SearchDocument[]): Engine {
  const index = createSearchIndex(documents);
  return {
    name: 'Colophon, with excerpts',
    search: (query) => index.search(query, { limit: 10 }).hits.map(({ key }) => key),
    close: () => {},
  };
}

interface MiniSearchIndex {
  addAll(documents: readonly object[]): void;
  search(query: string): { id: string }[];
}

/** With its own defaults (any word may match), titles weighed as ours are, and a prefix for the last word. */
function miniSearch(documents: readonly SearchDocument[]): Engine {
  const load = createRequire(join(import.meta.dirname, 'package.json'));
  const MiniSearch: new (options: object) => MiniSearchIndex = load('minisearch');
  const index = new MiniSearch({
    fields: ['title', 'headings', 'body'],
    idField: 'key',
    searchOptions: {
      boost: { title: 6, headings: 3 },
      prefix: (_: string, at: number, terms: string[]) => at === terms.length - 1,
    },
  });
  index.addAll(documents.map((document) => ({ ...document, headings: document.headings.join('\n') })));
  return {
    name: 'MiniSearch, without excerpts',
    search: (query) =>
      index
        .search(query)
        .slice(0, 10)
        .map(({ id }) => id),
    close: () => {},
  };
}

/** Porter stems, every word, the built-in ranking with the same weights and the built-in snippet. */
function fts5(documents: readonly SearchDocument[]): Engine {
  const database = new DatabaseSync(':memory:');
  database.exec(
    "CREATE VIRTUAL TABLE entry USING fts5(key UNINDEXED, title, headings, body, tokenize='porter unicode61')",
  );
  const insert = database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)');
  database.exec('BEGIN');
  for (const { key, title, headings, body } of documents) insert.run(key, title, headings.join('\n'), body);
  database.exec('COMMIT');
  const select = database.prepare(
    "SELECT key, snippet(entry, 3, '**', '**', '…', 24) FROM entry WHERE entry MATCH ? ORDER BY bm25(entry, 0, 6, 3, 1) LIMIT 10",
  );
  return {
    name: 'FTS5, with snippet()',
    search(query) {
      const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
      return select.all(words.map((word) => `"${word}"`).join(' ')).map(({ key }) => String(key));
    },
    close: () => database.close(),
  };
}
