/** Search in process, uncached and with excerpts, next to libraries without them: time, memory, and the making of the index. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { SearchDocument } from '../src/search/document.ts';
import { commonQueries, type GeneratedPage, generatedPages, generatedQueries } from './generated-content.ts';
import { colophon, type Engine, flexSearch, type MakeEngine, miniSearch, orama } from './search-engines.ts';
import { fixed, table } from './table.ts';

const sizes = [1000, 10_000];
const shape = { sections: 8, sentences: 5 };
/** Over the same queries; the first warms up. */
const passes = 2;
/** What the libraries are asked: more would take them minutes. */
const fewQueries = 20;

/** A table in Markdown. */
export async function measureSearches(): Promise<string> {
  const rows: string[][] = [];
  const collect = collector();
  for (const size of sizes) {
    const pages = generatedPages(size, shape);
    const documents = pages.map(documentOf);
    const asked = queriesOf(pages);
    const medians = new Map<string, number>();
    for (const make of [colophon, miniSearch, orama, flexSearch]) {
      const { engine, seconds, megabytes } = await made(make, documents, collect);
      const isOurs = make === colophon;
      for (const { kind, queries } of asked) {
        if (!isOurs && !compared.has(kind)) continue;
        const { p50, p99 } = timesOf(engine, isOurs ? queries : queries.slice(0, fewQueries));
        const ours = medians.get(kind);
        if (isOurs) medians.set(kind, p50);
        const faster = ours === undefined || isOurs ? '' : fixed(p50 / ours, 1);
        const cost = [fixed(seconds, 1), fixed(megabytes, 0)];
        rows.push([fixed(size, 0), kind, engine.name, fixed(p50, 3), fixed(p99, 3), faster, ...cost]);
      }
    }
  }
  const heads = ['pages', 'query', 'engine', 'p50 ms', 'p99 ms', 'Colophon is faster by', 'built in s', 'index MB'];
  return table(heads, rows);
}

const compared = new Set(['two words', 'five of the commonest']);

/** Complete words end with a space; without one the last is a beginning. */
function queriesOf(pages: readonly GeneratedPage[]): { kind: string; queries: string[] }[] {
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

function documentOf({ slug, title, headings, text }: GeneratedPage): SearchDocument {
  const sections = text.split(/^## .*$/m).flatMap((part, at) => {
    if (part.trim() === '') return [];
    const heading = headings[at - 1] ?? null;
    return [{ heading, anchor: `${at}`, parents: [], text: part.trim(), code: '', linkShare: 0 }];
  });
  return { kind: 'doc', key: slug, title, titleIs: 'page', sections };
}

/** The index by itself: heap and buffers after it was made, less those before. */
async function made(make: MakeEngine, documents: readonly SearchDocument[], collect: () => number) {
  const before = collect();
  const began = performance.now();
  const engine = await make(documents);
  const seconds = (performance.now() - began) / 1000;
  return { engine, seconds, megabytes: collect() - before };
}

/** Collects garbage and gives the megabytes that are left. */
function collector(): () => number {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  return () => {
    gc();
    gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 1_000_000;
  };
}

function timesOf(engine: Engine, queries: readonly string[]): { p50: number; p99: number } {
  const times: number[] = [];
  for (let pass = 0; pass < passes; pass += 1) {
    for (const query of queries) {
      const began = performance.now();
      engine.search(query);
      const took = performance.now() - began;
      if (pass > 0) times.push(took);
    }
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
