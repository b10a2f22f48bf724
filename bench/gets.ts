/** GETs of the server next to another checkout, bare node:http and Fastify: the same bytes, in turns, one core each. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, getHeader } from './capture.ts';
import { writeGeneratedContent } from './generated-content.ts';
import { type Started, startColophon, startContestant, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Contestant, computeRatio, figureHeads, formatFigures, takeTurns } from './turns.ts';

const ours = 'Colophon';
const latest = '/api/v1/releases/latest';
const json = { accept: 'application/json' };
const br = { 'accept-encoding': 'br' };

const works: readonly { name: string; path: string; headers: Record<string, string>; conditional?: true }[] = [
  { name: 'releases/latest', path: latest, headers: json },
  { name: 'releases/latest, br', path: latest, headers: { ...json, ...br } },
  { name: 'releases/latest, 304', path: latest, headers: json, conditional: true },
  { name: 'list of 20 KB, br', path: '/api/v1/docs?limit=65', headers: { ...json, ...br } },
  { name: 'documentation page, HTML, br', path: '/docs/quickstart', headers: { accept: 'text/html', ...br } },
];

/**
 * Returns a Markdown table of GETs. `other` is the folder of another checkout to compare with, or null for none. The table's reader
 * checks what must hold: at most 1.1 times the CPU of the other checkout, at least 0.95 of Fastify's rate.
 */
export async function measureGets(other: string | null): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const contentDir = await writeGeneratedContent(100);
  const running: Started[] = [];
  const start = async (starting: Promise<Started>): Promise<Started> => {
    const started = await starting;
    running.push(started);
    return started;
  };
  try {
    const servers = new Map([
      [ours, await start(startColophon({ CONTENT_DIR: contentDir, DATA_DIR: join(directory, 'ours') }))],
    ]);
    if (other !== null) {
      const env = { CONTENT_DIR: contentDir, DATA_DIR: join(directory, 'other') };
      servers.set('the other checkout', await start(startColophon(env, other)));
    }
    const [{ said: url = '' } = {}] = servers.values();
    const plain = await capture(url + latest, json);
    const captured = await Promise.all(
      works.map(({ path, headers, conditional }) =>
        capture(url + path, conditional ? { ...headers, 'if-none-match': getHeader(plain, 'etag') } : headers),
      ),
    );
    const answers = join(directory, 'answers.json');
    await writeFile(answers, JSON.stringify(captured));
    const bare = await start(startContestant('bare.js', answers));
    const fastify = await start(startContestant('fastify.js', answers));

    const rows: string[][] = [];
    for (const [at, { name, path, headers, conditional }] of works.entries()) {
      const contestants: Contestant[] = [];
      for (const [server, { said, pid, forget }] of servers) {
        const etag = getHeader(await capture(said + path, headers), 'etag');
        const sent = conditional ? { ...headers, 'if-none-match': etag } : headers;
        contestants.push({ name: server, target: { url: said + path, headers: sent, pid }, forget });
      }
      contestants.push({ name: 'node:http', target: { url: `${bare.said}/${at}`, headers, pid: bare.pid } });
      if (at === 0)
        contestants.push({ name: 'Fastify', target: { url: `${fastify.said}/0`, headers, pid: fastify.pid } });
      const results = await takeTurns(contestants, { seconds: 1 });
      for (const { name: server } of contestants) {
        const ratios = (['rate', 'cpu'] as const).map((figure) =>
          fixed(computeRatio(results, figure, ours, server), 2),
        );
        rows.push([name, server, ...formatFigures(results, server), ...(server === ours ? ['', ''] : ratios)]);
      }
    }
    return table(['work', 'server', ...figureHeads, 'Colophon’s rate, times', 'Colophon’s CPU, times'], rows);
  } finally {
    await Promise.all(running.map(stop));
    await rm(directory, { recursive: true, force: true });
    await rm(contentDir, { recursive: true, force: true });
  }
}
