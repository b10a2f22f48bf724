/** Batches of 20 compared with Fastify, which runs each of the twenty requests through its `inject`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture } from './capture.ts';
import { figureHeads, figuresOf, rateRatioOf, ratioOf } from './figures.ts';
import { atMost, type Measured } from './goals.ts';
import { type Started, startColophon, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Contestant, type Pace, type Results, takeTurns } from './turns.ts';

const names = {
  get: 'Colophon, one GET',
  batch: 'Colophon, a batch of 20',
  inject: 'Fastify, 20 times `inject`',
} as const;
/** About 1.5 KB each. */
const paths = ['/releases/latest', '/requirements', '/docs?limit=5', '/faq?limit=3', '/pricing'];
const twenty = Array.from({ length: 20 }, (_, at) => paths[at % paths.length] ?? '');

/** A table: batches, and the single GET that they are weighed against. */
export async function measureBatches(pace: Pace): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const running: Started[] = [];
  try {
    const ours = await startColophon({ DATA_DIR: join(directory, 'data') });
    running.push(ours);
    const captured = await Promise.all(paths.map((path) => capture(`${ours.said}/api/v1${path}`, {})));
    const file = join(directory, 'answers.json');
    await writeFile(file, JSON.stringify(captured));
    const contestant = join(import.meta.dirname, 'contestants/fastify.js');
    const fastify = await startPinned([process.execPath, contestant, file], /listening on (\S+)/);
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
    const { pid, forget } = ours;
    const contestants: Contestant[] = [
      { name: names.get, target: { url: `${ours.said}/api/v1/releases/latest`, headers: {}, pid }, forget },
      { name: names.batch, target: { url: `${ours.said}/api/v1/batch`, headers: {}, pid, script: ourScript }, forget },
      {
        name: names.inject,
        target: { url: `${fastify.said}/batch`, headers: {}, pid: fastify.pid, script: theirScript },
      },
    ];
    return report(await takeTurns(contestants, pace, { connections: 32 }));
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

function report(results: Results): Measured {
  const rows = Object.values(names).map((name) => {
    const faster = rateRatioOf(results, names.batch, name, 2);
    return [name, ...figuresOf(results, name), faster, fixed(ratioOf(results, 'cpu', name, names.get), 1)];
  });
  const heads = ['what', ...figureHeads];
  const text = table([...heads, 'Colophon’s batch is faster by', 'costs as many GETs'], rows);
  const gets = ratioOf(results, 'cpu', names.batch, names.get);
  return { text, goals: [atMost('A batch of 20, in single GETs, by CPU', gets, 5, 1)] };
}
