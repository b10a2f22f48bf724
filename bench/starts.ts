/** Time from a start to the first 200, and resident memory at rest, after load and after every page. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeGeneratedContent } from './generated-content.ts';
import { load } from './load.ts';
import { listProcesses, residentMegabytes, type Started, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { median } from './turns.ts';

const program = resolve(import.meta.dirname, '../bin/colophon.js');
/** Without and with the flag that the unit, the image and npm start give Node. */
const serve = [process.execPath, '--max-semi-space-size=8', program, 'serve'];
const cases = [
  { name: 'serve', command: serve, pages: 8, starts: 10 },
  { name: 'npm start', command: ['npm', 'start', '--silent'], pages: 8, starts: 10 },
  { name: 'serve, 10,000 pages', command: serve, pages: 10_000, starts: 3 },
] as const;

/**
 * Returns a Markdown table of start times and memory. Its reader checks what must hold: the first 200 within 1,200 ms (`serve`),
 * 1,600 ms (`npm start`) and 4,500 ms (10,000 pages); `serve` has at most 150 MB at rest and 200 MB after load.
 */
export async function measureStarts(): Promise<string> {
  const rows: string[][] = [];
  for (const { name, command, pages, starts } of cases) {
    const folder = await writeGeneratedContent(pages);
    const times: number[] = [];
    let server: Started | null = null;
    // The first start fills the compile cache and does not count.
    for (let start = 0; start <= starts; start += 1) {
      if (server !== null) await stop(server);
      const startedAt = performance.now();
      server = await startServer(folder, command);
      await expect200(`${server.said}/api/v1/releases/latest`);
      if (start > 0) times.push(performance.now() - startedAt);
    }
    if (server === null) throw new Error('there was no start');
    // The server copies its content after ten seconds, and a worker without tasks ends after another ten.
    await pause(25_000);
    const atRest = measureMemory(server);
    await load({ url: `${server.said}/api/v1/releases/latest`, headers: {}, pid: server.pid }, { seconds: 5 });
    const afterLoad = measureMemory(server);
    const shown = [Math.min(...times), median(times), Math.max(...times), atRest, afterLoad];
    rows.push([name, ...shown.map((figure) => fixed(figure, 0))]);
    await stop(server);
    await rm(folder, { recursive: true, force: true });
  }
  return table(['command', 'first 200: fastest ms', 'median ms', 'slowest ms', 'MB at rest', 'MB after load'], rows);
}

/** Returns the megabytes (2^20 bytes) that a command and all its processes hold together. For `npm start`, npm and its shell count too. */
const measureMemory = ({ pid }: Started): number => residentMegabytes(listProcesses(pid));

/**
 * Starts a server of a content folder with `command`, and with a new data folder, which is removed when the server ends. `said` is
 * its URL, without a slash at the end.
 */
async function startServer(folder: string, command: readonly string[]): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-bench-data-'));
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    CONTENT_DIR: folder,
    DATA_DIR: dataDir,
    ADMIN_PORT: '0',
    RATE_LIMIT_ANONYMOUS: '1000000',
    RATE_LIMIT_ADDRESS: '1000000',
  };
  const server = await startPinned(command, /serves .* at (http[^\s"]+)/, env);
  server.child.once('exit', () => void rm(dataDir, { recursive: true, force: true }));
  return server;
}

async function expect200(url: string): Promise<void> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}`);
}
