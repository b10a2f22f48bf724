/** How well search finds: judged questions, next to libraries for search, and through the tools that agents use. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../src/base/log.ts';
import { readConfig } from '../src/config/environment.ts';
import { startServer } from '../src/server/server.ts';
import { byPage, gainOf, hasBest, intervalOf, mean } from './grades.ts';
import { type JudgedSet, packagesJudged, pageOf, placeOf, sottoJudged } from './judged.ts';
import {
  colophon,
  colophonWith,
  flexSearch,
  type MakeEngine,
  miniSearch,
  orama,
  withoutSynonyms,
} from './search-engines.ts';
import { fixed, table } from './table.ts';

/** Two tables in Markdown. */
export async function measureRelevance(): Promise<string> {
  const packages = [
    { name: 'fastify, pino and undici', files: ['judgements.json'] },
    { name: 'npm and Mercurius', files: ['packages-unseen.json'] },
    { name: 'AI SDK', files: ['ai-unseen.json'] },
    { name: 'Marko', files: ['marko-unseen.json'] },
    { name: 'Gemini CLI and semantic-release, unseen', files: ['packages-unseen-2.json'] },
  ];
  const rows: string[][] = [];
  for (const { name, files } of packages) rows.push(...(await packageRows(name, files.map(packagesJudged))));
  const heads = ['questions about', 'engine', 'nDCG@10', '95 % interval', 'best document first', 'nothing found'];
  return `${await sottoTable()}\n\n${table(heads, rows)}`;
}

/** Each set’s questions are asked of the documents that it names. */
async function packageRows(name: string, sets: readonly JudgedSet[]): Promise<string[][]> {
  const rows: string[][] = [];
  for (const make of [colophon, withoutSynonyms, miniSearch, orama, flexSearch]) {
    const results: { gain: number; isBestFirst: boolean; isEmpty: boolean }[] = [];
    let engineName = '';
    for (const { documents, queries } of sets) {
      const engine = await make(documents);
      engineName = engine.name;
      for (const { query, judged } of queries) {
        const found = [...new Set(engine.search(query).map(({ key }) => key))];
        const gain = gainOf(found, judged);
        results.push({ gain, isBestFirst: hasBest(found, judged, 1), isEmpty: found.length === 0 });
      }
    }
    const gains = results.map(({ gain }) => gain);
    const { low, high } = intervalOf(gains);
    rows.push([
      `${name} (${gains.length})`,
      engineName,
      fixed(mean(gains), 3),
      `${fixed(low, 3)} to ${fixed(high, 3)}`,
      percent(results.map(({ isBestFirst }) => isBestFirst)),
      percent(results.map(({ isEmpty }) => isEmpty)),
    ]);
  }
  return rows;
}

/** Places, best first. */
type Finder = (query: string) => string[] | Promise<string[]>;

async function sottoTable(): Promise<string> {
  const seen = await sottoJudged(['sotto.json', 'sotto-unseen.json']);
  const unseen = await sottoJudged(['sotto-unseen-2.json', 'sotto-unseen-3.json']);
  const all = { ...seen, queries: [...seen.queries, ...unseen.queries] };
  const sets = [
    { name: 'all', set: all },
    { name: 'seen while tuning', set: seen },
    { name: 'unseen', set: unseen },
  ];
  const agents = await startAgents();
  const rows: string[][] = [];
  try {
    for (const { name, set } of sets) {
      const engines: { name: string; find: Finder; has?: (place: string) => boolean }[] = [];
      for (const make of [colophonWith(set.vendor), withoutSynonyms, miniSearch, orama, flexSearch]) {
        engines.push(await finderOf(make, set));
      }
      engines.push({ name: 'the tool of /mcp', find: agents.find('/mcp') });
      engines.push({
        name: 'the tool of /mcp/docs',
        find: agents.find('/mcp/docs'),
        has: (place) => /^(doc|faq):/.test(place),
      });
      for (const { name: engine, find, has = () => true } of engines)
        rows.push(await sottoRow(name, engine, set, find, has));
    }
  } finally {
    await agents.close();
  }
  const heads = ['questions', 'engine', 'page first', 'page in three', 'section first', 'section in three', 'nDCG@10'];
  return table(heads, rows);
}

async function finderOf(make: MakeEngine, { documents }: JudgedSet): Promise<{ name: string; find: Finder }> {
  const engine = await make(documents);
  const find = (query: string) => engine.search(query).map(({ kind, key, anchor }) => placeOf(kind, key, anchor));
  return { name: engine.name, find };
}

/** `has`: what the engine has at all; questions whose best place it lacks are left out. */
async function sottoRow(
  name: string,
  engine: string,
  { queries }: JudgedSet,
  find: Finder,
  has: (place: string) => boolean,
): Promise<string[]> {
  const asked = queries.filter(({ judged }) => {
    const best = Math.max(...Object.values(judged));
    return Object.entries(judged).some(([place, grade]) => grade === best && has(place));
  });
  const results: { page: boolean; inThree: boolean; section: boolean; sectionInThree: boolean; gain: number }[] = [];
  for (const { query, judged } of asked) {
    const found = await find(query);
    const pages = [...new Set(found.map(pageOf))];
    const grades = byPage(judged, pageOf);
    results.push({
      page: hasBest(pages, grades, 1),
      inThree: hasBest(pages, grades, 3),
      section: hasBest(found, judged, 1),
      sectionInThree: hasBest(found, judged, 3),
      gain: gainOf(found, judged),
    });
  }
  return [
    `${name} (${asked.length})`,
    engine,
    percent(results.map(({ page }) => page)),
    percent(results.map(({ inThree }) => inThree)),
    percent(results.map(({ section }) => section)),
    percent(results.map(({ sectionInThree }) => sectionInThree)),
    fixed(mean(results.map(({ gain }) => gain)), 3),
  ];
}

/** Both MCP servers over HTTP, as they are served. */
async function startAgents() {
  const data = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
  const config = readConfig(
    { PORT: '0', ADMIN_PORT: 'off', DATA_DIR: data, RATE_LIMIT_ANONYMOUS: '1000000', RATE_LIMIT_ADDRESS: '1000000' },
    data,
  );
  const server = await startServer({ config, log: silentLog, accessSink: () => {} });
  return {
    find:
      (path: string): Finder =>
      async (query) => {
        const body = {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'search', arguments: { query, limit: 20 } },
        };
        const response = await fetch(server.listenUrl + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify(body),
        });
        const { result } = (await response.json()) as { result: { structuredContent: { results: Hit[] } } };
        return result.structuredContent.results.map(({ id, section_url }) => {
          const [kind = '', ...key] = id.split(':');
          const anchor = new URL(section_url).hash.slice(1);
          return placeOf(kind, key.join(':'), anchor === '' ? null : decodeURIComponent(anchor));
        });
      },
    async close() {
      await server.close({ atOnce: true });
      rmSync(data, { recursive: true, force: true });
    },
  };
}

interface Hit {
  readonly id: string;
  readonly section_url: string;
}

const percent = (outcomes: readonly boolean[]): string =>
  `${fixed((100 * outcomes.filter((is) => is).length) / Math.max(1, outcomes.length), 0)} %`;
