/** What the number of pages costs: time to the first answer, memory, and the time of a GET. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf, median, ratioOf } from './figures.ts';
import { writeGeneratedContent } from './generated-content.ts';
import { atMost, type Goal, type Measured } from './goals.ts';
import { processesOf, residentMegabytes, type Started, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Contestant, type Pace, type Results, takeTurns } from './turns.ts';

const program = resolve(import.meta.dirname, '../bin/colophon.js');
const commands: Readonly<Record<string, readonly string[]>> = {
  serve: [process.execPath, program, 'serve'],
  'npm start': ['npm', 'start', '--silent'],
};
/** What is started, and with how many pages. */
const kinds = [
  { command: 'serve', pages: 8 },
  { command: 'npm start', pages: 8 },
  { command: 'serve', pages: 1000 },
  { command: 'serve', pages: 10_000 },
  { command: 'npm start', pages: 10_000 },
  { command: 'serve', pages: 20_000 },
] as const;
type Kind = (typeof kinds)[number];
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
  readonly kind: Kind;
  readonly server: Started;
  readonly folder: string;
  /** Milliseconds from spawning to the first 200, one of each start. */
  readonly ready: readonly number[];
  /** Megabytes when it had answered once. */
  readonly resident: number;
}

/** A table. The server is the command itself, on the servers' core; those of all sizes run while GETs take turns. */
export async function measureSizes(pace: Pace): Promise<Measured> {
  const sized: Sized[] = [];
  try {
    for (const kind of kinds) sized.push(await startSized(kind));
    const afterApi = new Map<Kind, number>();
    for (const { kind, server } of sized) {
      for (let time = 0; time < 5; time += 1) {
        await Promise.all(apiPaths.map((path) => expect200(`${server.said}/api/v1${path}`)));
      }
      afterApi.set(kind, memoryOf(server));
    }
    const gets = { ...pace, seconds: 1 };
    const latest = await takeTurns(contestantsOf(sized, '/api/v1/releases/latest'), gets);
    const page = await takeTurns(contestantsOf(sized, '/api/v1/docs/quickstart'), gets);
    await pause(500);
    const rows: string[][] = [];
    const goals: Goal[] = [];
    for (const { kind, server, ready, resident } of sized) {
      const afterLoad = memoryOf(server);
      for (const path of sitePaths) await expect200(server.said + path);
      const memory = [resident, afterApi.get(kind) ?? 0, afterLoad, memoryOf(server)];
      goals.push(...goalsOf(kind, median(ready), memory));
      rows.push([
        fixed(kind.pages, 0),
        `\`${kind.command}\``,
        fixed(median(ready), 0),
        ...memory.map((megabytes) => fixed(megabytes, 0)),
        ...timesOf(latest, kind),
        ...timesOf(page, kind),
      ]);
    }
    return { text: report(rows), goals };
  } finally {
    await Promise.all(sized.map(({ server }) => stop(server)));
    await Promise.all(sized.map(({ folder }) => rm(folder, { recursive: true, force: true })));
  }
}

/** All processes of the command: npm stays, and so does its shell. */
const memoryOf = ({ pid }: Started): number => residentMegabytes(processesOf(pid));

function goalsOf(
  { command, pages }: Kind,
  ready: number,
  [, afterApi = 0, afterLoad = 0, afterSite = 0]: number[],
): Goal[] {
  if (command !== 'serve') return [];
  if (pages === 10_000) return [atMost('First 200 with 10,000 pages, ms', ready, 3000, 0)];
  if (pages !== 8) return [];
  return [
    atMost('First 200, ms', ready, 650, 0),
    atMost('Memory after the API, MB', afterApi, 110, 0),
    atMost('Memory after the load, MB', afterLoad, 130, 0),
    atMost('Memory after every page, MB', afterSite, 150, 0),
  ];
}

async function startSized(kind: Kind): Promise<Sized> {
  const folder = await writeGeneratedContent(kind.pages);
  const ready: number[] = [];
  for (;;) {
    const began = performance.now();
    const server = await startServer(folder, commands[kind.command] ?? []);
    await expect200(`${server.said}/api/v1/releases/latest`);
    ready.push(performance.now() - began);
    if (ready.length === starts) return { kind, server, folder, ready, resident: memoryOf(server) };
    await stop(server);
  }
}

/** Each start is the first with its data folder, which goes when the server ends. */
async function startServer(folder: string, command: readonly string[]): Promise<Started> {
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
  const server = await startPinned(command, /serves .* at (http[^\s"]+)/, env);
  server.child.once('exit', () => void rm(dataDir, { recursive: true, force: true }));
  return server;
}

const nameOf = ({ command, pages }: Kind): string => `${command} with ${fixed(pages, 0)} pages`;

const contestantsOf = (sized: readonly Sized[], path: string): Contestant[] =>
  sized.map(({ kind, server }) => ({
    name: nameOf(kind),
    target: { url: server.said + path, headers: {}, pid: server.pid },
    forget: server.forget,
  }));

/** Processor time of a GET, and how many times what it is with the fewest pages. */
const timesOf = (results: Results, kind: Kind): string[] => [
  cpuOf(results, nameOf(kind)),
  fixed(ratioOf(results, 'cpu', nameOf(kind), nameOf(kinds[0])), 2),
];

function report(rows: readonly string[][]): string {
  const memory = ['resident MB then', 'after the API only', 'after the load', 'after the pages of Sotto'];
  const gets = ['GET latest, CPU µs', 'times that with 8', 'GET of a page, CPU µs', 'times that with 8'];
  return table(['pages', 'command', 'first 200 after ms', ...memory, ...gets], rows);
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
