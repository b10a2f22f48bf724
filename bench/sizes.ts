/** What the number of pages costs: time to the first answer, memory, and the time of a GET. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf, median, ratioOf } from './figures.ts';
import { writeGeneratedContent } from './generated-content.ts';
import { residentMegabytes, type Started, startFlags, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Contestant, type Pace, type Results, takeTurns } from './turns.ts';

const pageCounts = [8, 1000, 10_000, 20_000];
const starts = 3;

const listings = ['', '/releases', '/docs', '/docs?limit=100', '/faq', '/pricing', '/features', '/requirements'];
const slugs = [
  'quickstart',
  'dictation',
  'agent-mode',
  'backends',
  'changelog',
  'configuration',
  'privacy-model',
  'troubleshooting',
];
const apiPaths = [...listings, '/search?q=mac', ...slugs.map((slug) => `/docs/${slug}`)];
const site = ['/', '/docs', '/faq', '/pricing', '/releases', '/developers', '/developers/reference'];
const sitePaths = [...slugs.map((slug) => `/docs/${slug}`), ...site];

interface Sized {
  readonly pages: number;
  readonly server: Started;
  readonly folder: string;
  /** Milliseconds from spawning to the first 200, one of each start. */
  readonly ready: readonly number[];
  /** Megabytes when it had answered once. */
  readonly resident: number;
}

/** A table in Markdown. The server is the command itself, on the servers' core; those of all sizes run while GETs take turns. */
export async function measureSizes(pace: Pace): Promise<string> {
  const sized: Sized[] = [];
  try {
    for (const pages of pageCounts) sized.push(await startSized(pages));
    const afterApi = new Map<number, number>();
    for (const { pages, server } of sized) {
      for (let time = 0; time < 5; time += 1) {
        await Promise.all(apiPaths.map((path) => expect200(`${server.said}/api/v1${path}`)));
      }
      afterApi.set(pages, residentMegabytes(server.pid));
    }
    const gets = { ...pace, seconds: 1 };
    const latest = await takeTurns(contestantsOf(sized, '/api/v1/releases/latest'), gets);
    const page = await takeTurns(contestantsOf(sized, '/api/v1/docs/quickstart'), gets);
    await pause(500);
    const rows: string[][] = [];
    for (const { pages, server, ready, resident } of sized) {
      const afterLoad = residentMegabytes(server.pid);
      for (const path of sitePaths) await expect200(server.said + path);
      const memory = [resident, afterApi.get(pages) ?? 0, afterLoad, residentMegabytes(server.pid)];
      rows.push([
        fixed(pages, 0),
        fixed(median(ready), 0),
        ...memory.map((megabytes) => fixed(megabytes, 0)),
        ...timesOf(latest, pages),
        ...timesOf(page, pages),
      ]);
    }
    return report(rows);
  } finally {
    await Promise.all(sized.map(({ server }) => stop(server)));
    await Promise.all(sized.map(({ folder }) => rm(folder, { recursive: true, force: true })));
  }
}

async function startSized(pages: number): Promise<Sized> {
  const folder = await writeGeneratedContent(pages);
  const ready: number[] = [];
  for (;;) {
    const began = performance.now();
    const server = await startServer(folder);
    await expect200(`${server.said}/api/v1/releases/latest`);
    ready.push(performance.now() - began);
    if (ready.length === starts) return { pages, server, folder, ready, resident: residentMegabytes(server.pid) };
    await stop(server);
  }
}

/** Each start is the first with its data folder, which goes when the server ends. */
async function startServer(folder: string): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-bench-data-'));
  const most = '1000000';
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    CONTENT_DIR: folder,
    DATA_DIR: dataDir,
    ADMIN_PORT: '0',
    RATE_LIMIT_ANONYMOUS: most,
    RATE_LIMIT_PAGES: most,
    RATE_LIMIT_ADDRESS: most,
  };
  const command = [process.execPath, ...startFlags, resolve(import.meta.dirname, '../bin/colophon.js'), 'serve'];
  const server = await startPinned(command, /serves .* at (http\S+)/, env);
  server.child.once('exit', () => void rm(dataDir, { recursive: true, force: true }));
  return server;
}

const nameOf = (pages: number): string => `${fixed(pages, 0)} pages`;

const contestantsOf = (sized: readonly Sized[], path: string): Contestant[] =>
  sized.map(({ pages, server }) => ({
    name: nameOf(pages),
    target: { url: server.said + path, headers: {}, pid: server.pid },
    forget: server.forget,
  }));

/** Processor time of a GET, and how many times what it is with the fewest pages. */
const timesOf = (results: Results, pages: number): string[] => [
  cpuOf(results, nameOf(pages)),
  fixed(ratioOf(results, 'cpu', nameOf(pages), nameOf(pageCounts[0] ?? 0)), 2),
];

function report(rows: readonly string[][]): string {
  const memory = ['resident MB then', 'after the API only', 'after the load', 'after the pages of Sotto'];
  const gets = ['GET latest, CPU µs', 'times that with 8', 'GET of a page, CPU µs', 'times that with 8'];
  return table(['pages', 'first 200 after ms', ...memory, ...gets], rows);
}

async function expect200(url: string): Promise<void> {
  const headers = { accept: url.includes('/api/') ? 'application/json' : 'text/html' };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    if (response.status === 200) return;
    // On a machine that has too much else to do, the server refuses requests for a while.
    if (response.status !== 503 || attempt === 20) throw new Error(`${url} answers ${response.status}`);
    await pause(500);
  }
}
