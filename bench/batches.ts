/** A batch of twenty GETs next to a single GET. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Started, startColophon, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Contestant, computeRatio, figureHeads, formatFigures, takeTurns } from './turns.ts';

const paths = ['/releases/latest', '/requirements', '/docs?limit=5', '/faq?limit=3', '/pricing'];
const operations = Array.from({ length: 20 }, (_, at) => ({
  id: `op-${at}`,
  method: 'GET',
  path: paths[at % paths.length],
}));

/**
 * Returns a Markdown table of one GET and a batch of 20. Its reader checks what must hold: the batch costs at most the CPU of six
 * GETs.
 */
export async function measureBatches(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  let server: Started | null = null;
  try {
    server = await startColophon({ DATA_DIR: join(directory, 'data') });
    const { said, pid, forget } = server;
    const script = join(directory, 'batch.lua');
    const body = JSON.stringify({ operations });
    await writeFile(
      script,
      `wrk.method = "POST"\nwrk.headers["content-type"] = "application/json"\nwrk.body = [==[${body}]==]\n`,
    );
    const contestants: Contestant[] = [
      { name: 'one GET', target: { url: `${said}/api/v1/releases/latest`, headers: {}, pid }, forget },
      { name: 'a batch of 20', target: { url: `${said}/api/v1/batch`, headers: {}, pid, script }, forget },
    ];
    const results = await takeTurns(contestants, { connections: 32 });
    const rows = contestants.map(({ name }) => [
      name,
      ...formatFigures(results, name),
      fixed(computeRatio(results, 'cpu', name, 'one GET'), 1),
    ]);
    return table(['what', ...figureHeads, 'costs as many GETs'], rows);
  } finally {
    if (server !== null) await stop(server);
    await rm(directory, { recursive: true, force: true });
  }
}
