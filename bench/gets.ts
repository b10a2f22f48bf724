/** Compares GETs of the server with another checkout, bare node:http and Fastify: equal bytes, in turns, each on one core. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, getHeader } from './capture.ts';
import { writeGeneratedContent } from './generated-content.ts';
import { type RunningProcess, startColophon, startContestant, stopProcess } from './process.ts';
import { formatNumber, formatTable } from './table.ts';
import { type Contestant, computeRatio, figureHeads, formatFigures, takeTurns } from './turns.ts';

const ours = 'Colophon';
const latest = '/api/v1/releases/latest';
const json = { accept: 'application/json' };
const br = { 'accept-encoding': 'br' };

const workloads: readonly { name: string; path: string; headers: Record<string, string>; conditional?: true }[] = [
  { name: 'releases/latest', path: latest, headers: json },
  { name: 'releases/latest, br', path: latest, headers: { ...json, ...br } },
  { name: 'releases/latest, 304', path: latest, headers: json, conditional: true },
  { name: 'list of 20 KB, br', path: '/api/v1/docs?limit=65', headers: { ...json, ...br } },
  { name: 'documentation page, HTML, br', path: '/docs/quickstart', headers: { accept: 'text/html', ...br } },
];

/**
 * Measures GETs and returns a Markdown table with a row for each workload and server; Fastify has only the first workload.
 * `otherFolder` is the folder of another checkout to compare with, or null for none. The table's reader checks what is required: at
 * most 1.1 times the CPU of the other checkout, at least 0.95 of Fastify's rate.
 */
export async function measureGets(otherFolder: string | null): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const contentDir = await writeGeneratedContent(100);
  const allServers: RunningProcess[] = [];
  const addServer = async (promise: Promise<RunningProcess>): Promise<RunningProcess> => {
    const server = await promise;
    allServers.push(server);
    return server;
  };
  try {
    const servers = new Map([
      [ours, await addServer(startColophon({ CONTENT_DIR: contentDir, DATA_DIR: join(directory, 'ours') }))],
    ]);
    if (otherFolder !== null) {
      const env = { CONTENT_DIR: contentDir, DATA_DIR: join(directory, 'other') };
      servers.set('the other checkout', await addServer(startColophon(env, otherFolder)));
    }
    const [{ readyText: url = '' } = {}] = servers.values();
    const latestResponse = await capture(url + latest, json);
    const responses = await Promise.all(
      workloads.map(({ path, headers, conditional }) =>
        capture(url + path, conditional ? { ...headers, 'if-none-match': getHeader(latestResponse, 'etag') } : headers),
      ),
    );
    const responsesFile = join(directory, 'answers.json');
    await writeFile(responsesFile, JSON.stringify(responses));
    const bare = await addServer(startContestant('bare.js', responsesFile));
    const fastify = await addServer(startContestant('fastify.js', responsesFile));

    const rows: string[][] = [];
    for (const [index, { name, path, headers, conditional }] of workloads.entries()) {
      const contestants: Contestant[] = [];
      for (const [server, { readyText: origin, pid, clearOutput }] of servers) {
        const etag = getHeader(await capture(origin + path, headers), 'etag');
        const requestHeaders = conditional ? { ...headers, 'if-none-match': etag } : headers;
        contestants.push({ name: server, target: { url: origin + path, headers: requestHeaders, pid }, clearOutput });
      }
      contestants.push({ name: 'node:http', target: { url: `${bare.readyText}/${index}`, headers, pid: bare.pid } });
      if (index === 0)
        contestants.push({ name: 'Fastify', target: { url: `${fastify.readyText}/0`, headers, pid: fastify.pid } });
      const results = await takeTurns(contestants, { seconds: 1 });
      for (const { name: server } of contestants) {
        const ratios = (['rate', 'cpu'] as const).map((figure) =>
          formatNumber(computeRatio(results, figure, ours, server), 2),
        );
        rows.push([name, server, ...formatFigures(results, server), ...(server === ours ? ['', ''] : ratios)]);
      }
    }
    return formatTable(['work', 'server', ...figureHeads, 'Colophon’s rate, times', 'Colophon’s CPU, times'], rows);
  } finally {
    await Promise.all(allServers.map(stopProcess));
    await rm(directory, { recursive: true, force: true });
    await rm(contentDir, { recursive: true, force: true });
  }
}
