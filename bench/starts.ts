/** Measures the time from a start to the first 200, and the resident memory at rest and after load. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeGeneratedContent } from './generated-content.ts';
import { runLoad } from './load.ts';
import { listProcesses, measureResidentMegabytes, type RunningProcess, startPinned, stopProcess } from './process.ts';
import { formatNumber, formatTable } from './table.ts';
import { computeMedian } from './turns.ts';

const program = resolve(import.meta.dirname, '../bin/colophon.js');
/** The command `serve` with the flag that the systemd unit, the image and `npm start` give Node. */
const serveCommand = [process.execPath, '--max-semi-space-size=8', program, 'serve'];
const cases = [
  { name: 'serve', command: serveCommand, pages: 8, starts: 10 },
  { name: 'npm start', command: ['npm', 'start', '--silent'], pages: 8, starts: 10 },
  { name: 'serve, 10,000 pages', command: serveCommand, pages: 10_000, starts: 3 },
] as const;

/**
 * Returns a Markdown table of start times and memory. Its reader checks what is required: the first 200 within 1,200 ms (`serve`),
 * 1,600 ms (`npm start`) and 4,500 ms (10,000 pages); `serve` has at most 150 MB at rest and 200 MB after load.
 */
export async function measureStarts(): Promise<string> {
  const rows: string[][] = [];
  for (const { name, command, pages, starts } of cases) {
    const folder = await writeGeneratedContent(pages);
    const times: number[] = [];
    let server: RunningProcess | null = null;
    // The first start fills the compile cache and does not count.
    for (let start = 0; start <= starts; start += 1) {
      if (server !== null) await stopProcess(server);
      const startedAt = performance.now();
      server = await startServer(folder, command);
      await expect200(`${server.readyText}/api/v1/releases/latest`);
      if (start > 0) times.push(performance.now() - startedAt);
    }
    if (server === null) throw new Error('there was no start');
    // A server is at rest after about 20 s: it copies its content 10 s after the start, and the idle worker ends after another 10 s.
    await pause(25_000);
    const atRest = measureMemory(server);
    await runLoad({ url: `${server.readyText}/api/v1/releases/latest`, headers: {}, pid: server.pid }, { seconds: 5 });
    const afterLoad = measureMemory(server);
    const figures = [Math.min(...times), computeMedian(times), Math.max(...times), atRest, afterLoad];
    rows.push([name, ...figures.map((figure) => formatNumber(figure, 0))]);
    await stopProcess(server);
    await rm(folder, { recursive: true, force: true });
  }
  return formatTable(
    ['command', 'first 200: fastest ms', 'median ms', 'slowest ms', 'MB at rest', 'MB after load'],
    rows,
  );
}

/** Returns the megabytes (2^20 bytes) that a command and all its processes hold together. For `npm start`, npm and its shell count too. */
const measureMemory = ({ pid }: RunningProcess): number => measureResidentMegabytes(listProcesses(pid));

/**
 * Starts a server of a content folder with `command`, and with a new data folder, which is removed when the server ends. Its
 * `readyText` is its URL, without a slash at the end.
 */
async function startServer(folder: string, command: readonly string[]): Promise<RunningProcess> {
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
