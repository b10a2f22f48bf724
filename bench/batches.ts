/** Batches of 20 beside Fastify, which runs each of the twenty through its `inject`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture } from './capture.ts';
import { load, median, type Round } from './load.ts';
import { type Started, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';

const rounds = 4;
/** About 1.5 KB each. */
const paths = ['/releases/latest', '/requirements', '/docs?limit=5', '/faq?limit=3', '/pricing'];
const twenty = Array.from({ length: 20 }, (_, at) => paths[at % paths.length] ?? '');

/** A table in Markdown: batches, and the single GET that they are weighed against. */
export async function measureBatches(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const running: Started[] = [];
  try {
    const node = process.execPath;
    const listening = /listening on (\S+)/;
    const env = { PORT: '0', DATA_DIR: join(directory, 'data'), ADMIN_PORT: '0' };
    const ours = await startPinned([node, join(import.meta.dirname, 'colophon.ts')], listening, env);
    running.push(ours);
    const captured = await Promise.all(paths.map((path) => capture(`${ours.said}/api/v1${path}`, {})));
    const file = join(directory, 'answers.json');
    await writeFile(file, JSON.stringify(captured));
    const fastify = await startPinned([node, join(import.meta.dirname, 'contestants/fastify.js'), file], listening);
    running.push(fastify);

    const asked = (at: (path: string, index: number) => string): string =>
      JSON.stringify({
        operations: twenty.map((path, index) => ({ id: `op-${index}`, method: 'GET', path: at(path, index) })),
      });
    const ourScript = await script(
      join(directory, 'ours.lua'),
      asked((path) => path),
    );
    const theirScript = await script(
      join(directory, 'theirs.lua'),
      asked((path) => `/${paths.indexOf(path)}`),
    );
    const get = { url: `${ours.said}/api/v1/releases/latest`, headers: {}, pid: ours.pid };
    const batch = { url: `${ours.said}/api/v1/batch`, headers: {}, pid: ours.pid, script: ourScript };
    const inject = { url: `${fastify.said}/batch`, headers: {}, pid: fastify.pid, script: theirScript };
    const found: Record<'get' | 'batch' | 'inject', Round[]> = { get: [], batch: [], inject: [] };
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, target] of Object.entries({ get, batch, inject }) as [
        'get' | 'batch' | 'inject',
        typeof get,
      ][]) {
        const made = await load(target, { connections: 32 });
        ours.forget();
        if (made.failed > 0) throw new Error(`${name}: ${made.failed} failures`);
        // The first round warms up.
        if (round > 0) found[name].push(made);
      }
    }
    return report(found);
  } finally {
    await Promise.all(running.map(stop));
    await rm(directory, { recursive: true, force: true });
  }
}

async function script(file: string, body: string): Promise<string> {
  const lines = [
    'wrk.method = "POST"',
    'wrk.headers["content-type"] = "application/json"',
    `wrk.body = [==[${body}]==]`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}

function report({ get, batch, inject }: Record<'get' | 'batch' | 'inject', Round[]>): string {
  const row = (name: string, made: Round[]): string[] => {
    const of = (figure: keyof Round): number => median(made.map((round) => round[figure]));
    const faster = median(batch.map((round, at) => round.rate / (made[at]?.rate ?? Number.NaN)));
    const gets = median(made.map((round, at) => round.cpu / (get[at]?.cpu ?? Number.NaN)));
    return [
      name,
      fixed(of('rate'), 0),
      fixed(of('p50'), 2),
      fixed(of('p99'), 2),
      fixed(of('cpu'), 1),
      fixed(faster, 2),
      fixed(gets, 1),
    ];
  };
  const heads = [
    'what',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU µs/request',
    'a batch of ours is faster by',
    'as dear as GETs',
  ];
  return table(heads, [
    row('Colophon, one GET', get),
    row('Colophon, a batch of 20', batch),
    row('Fastify, 20 times `inject`', inject),
  ]);
}
