/** Search in process, uncached and with excerpts: times by kind of query, memory of the index and the time to build it. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { toPlainText } from '../src/markdown/markdown.ts';
import { buildIndex } from '../src/search/build.ts';
import type { SearchDocument } from '../src/search/document.ts';
import { createStemmer, english } from '../src/search/language.ts';
import { openIndex } from '../src/search/search.ts';
import { commonQueries, type GeneratedPage, generatedPages, generatedQueries } from './generated-content.ts';
import { fixed, table } from './table.ts';

const shape = { sections: 8, sentences: 5 };

/**
 * Returns a Markdown table of search times. Its reader checks what must hold: p99 under 2 ms with 300 pages, under 30 ms for two
 * words with 10,000.
 */
export async function measureSearches(): Promise<string> {
  const rows: string[][] = [];
  const collect = createCollector();
  const stem = createStemmer('en');
  for (const size of [300, 10_000]) {
    const pages = generatedPages(size, shape);
    const documents = pages.map(toDocument);
    const before = collect();
    const startedAt = performance.now();
    const index = openIndex(buildIndex(documents, { stem, synonyms: english, toPlainText }), stem);
    const seconds = (performance.now() - startedAt) / 1000;
    const megabytes = collect() - before;
    for (const { kind, queries } of makeQueries(pages)) {
      // The first pass warms up.
      for (const query of queries) index.search(query, { limit: 10 });
      const times = queries.map((query) => {
        const searchedAt = performance.now();
        index.search(query, { limit: 10 });
        return performance.now() - searchedAt;
      });
      times.sort((a, b) => a - b);
      const percentile = (share: number): string => fixed(times[Math.floor(times.length * share)] ?? Number.NaN, 3);
      rows.push([fixed(size, 0), kind, percentile(0.5), percentile(0.99), fixed(seconds, 1), fixed(megabytes, 0)]);
    }
  }
  return table(['pages', 'query', 'p50 ms', 'p99 ms', 'built in s', 'index MB'], rows);
}

/**
 * Returns the queries of each kind. A query that ends with a letter ends with the beginning of a word; a complete word is followed
 * by a space or a quotation mark.
 */
function makeQueries(pages: readonly GeneratedPage[]): { kind: string; queries: string[] }[] {
  const two = generatedQueries(pages, 400);
  const slip = (query: string): string => query.replace(/([a-z])([a-z])([a-z]*)$/, '$2$1$3');
  return [
    { kind: 'two words', queries: two.map((query) => `${query} `) },
    { kind: 'four words', queries: two.slice(0, 200).map((query, at) => `${query} ${two[at + 200]} `) },
    { kind: 'a word and a beginning', queries: two.map((query) => query.slice(0, -2)) },
    { kind: 'a word and a slip', queries: two.map((query) => `${slip(query)} `) },
    { kind: 'five of the commonest', queries: commonQueries(pages, 5, 20).map((query) => `${query} `) },
    { kind: 'two of the commonest in quotes', queries: commonQueries(pages, 2, 20).map((query) => `"${query}"`) },
  ];
}

function toDocument({ slug, title, headings, text }: GeneratedPage): SearchDocument {
  const sections = text.split(/^## .*$/m).flatMap((part, at) => {
    if (part.trim() === '') return [];
    const heading = headings[at - 1] ?? null;
    return [{ heading, anchor: `${at}`, parents: [], text: part.trim(), code: '', linkShare: 0 }];
  });
  return { kind: 'doc', key: slug, title, titleIs: 'page', sections };
}

/**
 * Creates a function that collects garbage and returns the megabytes (10^6 bytes) that the JavaScript heap and array buffers still
 * use. Node needs no flag for it.
 */
function createCollector(): () => number {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  return () => {
    gc();
    gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 1_000_000;
  };
}
