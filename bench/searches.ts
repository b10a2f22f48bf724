/** Measures searches in this process, uncached and with excerpts: times by kind of query, and memory and build time of the index. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { toPlainText } from '../src/markdown/markdown.ts';
import { buildIndex } from '../src/search/build.ts';
import type { SearchDocument } from '../src/search/document.ts';
import { createStemmer, english } from '../src/search/language.ts';
import { openIndex } from '../src/search/search.ts';
import { type GeneratedPage, generatePages, generateQueries, listCommonQueries } from './generated-content.ts';
import { formatNumber, formatTable } from './table.ts';

const shape = { sections: 8, sentences: 5 };

/**
 * Measures searches in this process and returns a Markdown table with a row for each kind of query with 300 and with 10,000 pages.
 * Its reader checks what is required: p99 under 2 ms with 300 pages, under 30 ms for two words with 10,000.
 */
export async function measureSearches(): Promise<string> {
  const rows: string[][] = [];
  const collectGarbage = createCollector();
  const stem = createStemmer('en');
  for (const size of [300, 10_000]) {
    const pages = generatePages(size, shape);
    const documents = pages.map(toDocument);
    const before = collectGarbage();
    const startedAt = performance.now();
    const index = openIndex(buildIndex(documents, { stem, synonyms: english, toPlainText }), stem);
    const seconds = (performance.now() - startedAt) / 1000;
    const megabytes = collectGarbage() - before;
    for (const { kind, queries } of createQueries(pages)) {
      // The first pass is not timed, because V8 has not yet optimized the code of the search.
      for (const query of queries) index.search(query, { limit: 10 });
      const times = queries.map((query) => {
        const searchedAt = performance.now();
        index.search(query, { limit: 10 });
        return performance.now() - searchedAt;
      });
      times.sort((a, b) => a - b);
      const percentile = (share: number): string =>
        formatNumber(times[Math.floor(times.length * share)] ?? Number.NaN, 3);
      rows.push([
        formatNumber(size, 0),
        kind,
        percentile(0.5),
        percentile(0.99),
        formatNumber(seconds, 1),
        formatNumber(megabytes, 0),
      ]);
    }
  }
  return formatTable(['pages', 'query', 'p50 ms', 'p99 ms', 'built in s', 'index MB'], rows);
}

/**
 * Returns 20 to 400 queries of each kind, from words of the pages. A query that ends with a letter ends with the beginning of a
 * word; a complete word is followed by a space or a quotation mark.
 */
function createQueries(pages: readonly GeneratedPage[]): { kind: string; queries: string[] }[] {
  const pairs = generateQueries(pages, 400);
  const misspell = (query: string): string => query.replace(/([a-z])([a-z])([a-z]*)$/, '$2$1$3');
  return [
    { kind: 'two words', queries: pairs.map((query) => `${query} `) },
    { kind: 'four words', queries: pairs.slice(0, 200).map((query, index) => `${query} ${pairs[index + 200]} `) },
    { kind: 'a word and a beginning', queries: pairs.map((query) => query.slice(0, -2)) },
    { kind: 'a word and a slip', queries: pairs.map((query) => `${misspell(query)} `) },
    { kind: 'five of the commonest', queries: listCommonQueries(pages, 5, 20).map((query) => `${query} `) },
    { kind: 'two of the commonest in quotes', queries: listCommonQueries(pages, 2, 20).map((query) => `"${query}"`) },
  ];
}

function toDocument({ slug, title, headings, text }: GeneratedPage): SearchDocument {
  const sections = text.split(/^## .*$/m).flatMap((part, index) => {
    if (part.trim() === '') return [];
    const heading = headings[index - 1] ?? null;
    return [{ heading, anchor: `${index}`, parents: [], text: part.trim(), code: '', linkShare: 0 }];
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
