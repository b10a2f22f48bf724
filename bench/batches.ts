/** Compares a batch of 20 GETs with a single GET, by requests per second and by the server's processor time. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningProcess, startColophon, stopProcess } from './process.ts';
import { formatNumber, formatTable } from './table.ts';
import { type Contestant, computeRatio, figureHeads, formatFigures, takeTurns } from './turns.ts';

const paths = ['/releases/latest', '/requirements', '/docs?limit=5', '/faq?limit=3', '/pricing'];
const operations = Array.from({ length: 20 }, (_, index) => ({
  id: `op-${index}`,
  method: 'GET',
  path: paths[index % paths.length],
}));

/**
 * Measures one GET and a batch of 20 at a server that it starts and ends, and returns a Markdown table with a row for each. Its
 * reader checks what is required: the batch costs at most the CPU of six GETs.
 */
export async function measureBatches(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  let server: RunningProcess | null = null;
  try {
    server = await startColophon({ DATA_DIR: join(directory, 'data') });
    const { readyText: url, pid, clearOutput } = server;
    const script = join(directory, 'batch.lua');
    const body = JSON.stringify({ operations });
    await writeFile(
      script,
      `wrk.method = "POST"\nwrk.headers["content-type"] = "application/json"\nwrk.body = [==[${body}]==]\n`,
    );
    const contestants: Contestant[] = [
      { name: 'one GET', target: { url: `${url}/api/v1/releases/latest`, headers: {}, pid }, clearOutput },
      { name: 'a batch of 20', target: { url: `${url}/api/v1/batch`, headers: {}, pid, script }, clearOutput },
    ];
    const results = await takeTurns(contestants, { connections: 32 });
    const rows = contestants.map(({ name }) => [
      name,
      ...formatFigures(results, name),
      formatNumber(computeRatio(results, 'cpu', name, 'one GET'), 1),
    ]);
    return formatTable(['what', ...figureHeads, 'costs as many GETs'], rows);
  } finally {
    if (server !== null) await stopProcess(server);
    await rm(directory, { recursive: true, force: true });
  }
}
