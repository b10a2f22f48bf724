/** Search in process, uncached and with excerpts, next to a library without them, at four sizes. */
import type { SearchDocument } from '../src/search/document.ts';
import { commonQueries, generatedPages, generatedQueries } from './generated-content.ts';
import { colophon, type Engine, miniSearch } from './search-engines.ts';
import { fixed, table } from './table.ts';

const sizes = [8, 1000, 10_000, 20_000];
const queryCount = 300;
/** Over the same queries; the first warms up. */
const passes = 2;

/** A table in Markdown. */
export async function measureSearches(): Promise<string> {
  const rows: string[][] = [];
  for (const size of sizes) {
    const pages = generatedPages(size);
    const documents = pages.map(
      ({ slug, title, headings, text }): SearchDocument => ({
        kind: 'doc',
        key: slug,
        title,
        titleIs: 'page',
        sections: text.split(/^## .*$/m).flatMap((part, at) =>
          part.trim() === ''
            ? []
            : [
                {
                  heading: headings[at - 1] ?? null,
                  anchor: `${at}`,
                  parents: [],
                  text: part.trim(),
                  code: '',
                  linkShare: 0,
                },
              ],
        ),
      }),
    );
    const asked = [
      { kind: 'two words', queries: generatedQueries(pages, queryCount) },
      { kind: 'five of the commonest', queries: commonQueries(pages, 5, 20) },
    ];
    const medians = new Map<string, number>();
    for (const make of [colophon, miniSearch]) {
      const began = performance.now();
      const engine = await make(documents);
      const built = performance.now() - began;
      for (const { kind, queries } of asked) {
        const { p50, p99, found } = timesOf(engine, queries);
        const ours = medians.get(kind);
        if (ours === undefined) medians.set(kind, p50);
        const faster = ours === undefined ? '' : fixed(p50 / ours, 1);
        const times = [fixed(built, 0), fixed(p50, 3), fixed(p99, 3), fixed(found, 1), faster];
        rows.push([fixed(size, 0), kind, engine.name, ...times]);
      }
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
      const { length } = engine.search(query);
      const took = performance.now() - began;
      if (pass > 0) times.push(took);
      found += length;
    }
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), found: found / (queries.length * passes) };
}
