/** GETs of the server compared with nginx, bare node:http, Fastify and Express: the same bytes, in turns, one core each. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Captured, capture, headerOf } from './capture.ts';
import { figureHeads, figuresOf, medianOf, rateRatioOf, ratioOf } from './figures.ts';
import { writeGeneratedContent } from './generated-content.ts';
import { atLeast, atMost, type Goal, type Measured } from './goals.ts';
import { nginxIsHere, startNginx } from './nginx.ts';
import { type Started, startColophon, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Pace, type Results, takeTurns } from './turns.ts';

const ours = 'Colophon';
/** A list of the generated pages that is about 20 KB long. */
const list = '/api/v1/docs?limit=65';
const latest = '/api/v1/releases/latest';
const json = { accept: 'application/json' };
const br = { 'accept-encoding': 'br' };

const works: readonly { name: string; path: string; headers: Record<string, string>; conditional?: true }[] = [
  { name: 'releases/latest', path: latest, headers: json },
  { name: 'releases/latest, br', path: latest, headers: { ...json, ...br } },
  { name: 'releases/latest, 304', path: latest, headers: json, conditional: true },
  { name: 'list of 20 KB, br', path: list, headers: { ...json, ...br } },
  { name: 'documentation page, HTML, br', path: '/docs/quickstart', headers: { accept: 'text/html', ...br } },
];

/** The section is over in three minutes, even where each row has to be measured again. */
const mostRounds = 3;

interface Contestant extends Started {
  readonly name: string;
  /** Whether it takes part in a piece of work; in each where this is left out. */
  works?(work: number): boolean;
  /** The URL and the headers that ask for a piece of work. */
  target(work: number): { url: string; headers: Record<string, string> };
}

/** A table: what each contestant did, and this server's share of it. */
export async function measureGets(pace: Pace): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const contentDir = await writeGeneratedContent(100);
  const running: Started[] = [];
  try {
    const contestants = await startAll(directory, contentDir, running);
    const rows: string[][] = [];
    const goals: Goal[] = [];
    for (const [at, { name: work }] of works.entries()) {
      const takers = contestants
        .filter(({ works = () => true }) => works(at))
        .map((contestant) => ({
          name: contestant.name,
          target: { ...contestant.target(at), pid: contestant.pid },
          forget: contestant.forget,
        }));
      // All of a contestant's code but the little that a piece of work has to itself is warm from the first one.
      const warmUp = at === 0 ? pace.warmUp : pace.warmUp / 4;
      const results = await takeTurns(takers, {
        ...pace,
        rounds: Math.min(pace.rounds, mostRounds),
        seconds: 1,
        warmUp,
      });
      goals.push(...goalsOf(results, work));
      rows.push(...takers.map(({ name }) => rowOf(results, work, name)));
    }
    return { text: report(rows), goals };
  } finally {
    await Promise.all(running.map(stop));
    await rm(directory, { recursive: true, force: true });
    await rm(contentDir, { recursive: true, force: true });
  }
}

async function startAll(directory: string, contentDir: string, running: Started[]): Promise<Contestant[]> {
  const node = process.execPath;
  const at = (name: string): string => join(import.meta.dirname, 'contestants', name);
  const listening = /listening on (\S+)/;
  const colophon = await startColophon({ CONTENT_DIR: contentDir, DATA_DIR: join(directory, 'data') });
  running.push(colophon);

  const captured: Captured[] = [];
  for (const { path, headers, conditional } of works) {
    const plain = await capture(colophon.said + path, headers);
    const etag = { 'if-none-match': headerOf(plain, 'etag') };
    captured.push(conditional ? await capture(colophon.said + path, { ...headers, ...etag }) : plain);
  }
  const file = join(directory, 'answers.json');
  await writeFile(file, JSON.stringify(captured));
  const first = captured[0];
  if (first === undefined) throw new Error('there is no work');
  const ifNoneMatch = headerOf(first, 'etag');

  const asked = (work: number, etag: string): Record<string, string> => {
    const { headers = {}, conditional } = works[work] ?? {};
    return conditional ? { ...headers, 'if-none-match': etag } : headers;
  };
  /** A contestant that handles conditional requests itself gets one for the plain response. */
  const answerOf = (work: number): number => (works[work]?.conditional ? 0 : work);
  const contestants: Contestant[] = [
    {
      ...colophon,
      name: ours,
      target: (work) => ({ url: colophon.said + works[work]?.path, headers: asked(work, ifNoneMatch) }),
    },
  ];
  const bare = await startPinned([node, at('bare.js'), file], listening);
  running.push(bare);
  contestants.push({
    ...bare,
    name: 'node:http',
    target: (work) => ({ url: `${bare.said}/${work}`, headers: asked(work, ifNoneMatch) }),
  });
  for (const [name, script] of [
    ['Fastify', 'fastify.js'],
    ['Express', 'express.js'],
  ] as const) {
    const started = await startPinned([node, at(script), file], listening);
    running.push(started);
    contestants.push({
      ...started,
      name,
      works: (work) => name !== 'Fastify' || work === 0,
      target: (work) => ({ url: `${started.said}/${answerOf(work)}`, headers: asked(work, ifNoneMatch) }),
    });
  }
  if (nginxIsHere()) {
    const nginx = await startNginx(directory, captured);
    running.push(nginx);
    const nginxTag = headerOf(await capture(`${nginx.url}/0`, {}), 'etag');
    contestants.push({
      ...nginx,
      name: 'nginx',
      target: (work) => ({ url: `${nginx.url}/${answerOf(work)}`, headers: asked(work, nginxTag) }),
    });
  }
  await requireSameAnswers(contestants, captured);
  return contestants;
}

/** A contestant that does less work than the others is no contestant. */
async function requireSameAnswers(contestants: readonly Contestant[], captured: readonly Captured[]): Promise<void> {
  for (const { name, target } of contestants) {
    for (const [work, wanted] of captured.entries()) {
      const { url, headers } = target(work);
      const got = await capture(url, headers);
      // A 304 may leave out what describes the body, as Express and nginx do.
      const needed = wanted.status === 304 ? [] : wanted.headers;
      const missing = needed.filter(([header]) => headerOf(got, header.toLowerCase()) === '').map(([header]) => header);
      if (got.status !== wanted.status || got.body !== wanted.body || missing.length > 0) {
        throw new Error(
          `${name} answers ${url} otherwise: ${got.status}, ${got.body.length}, without ${missing.join(', ') || 'nothing'}`,
        );
      }
    }
  }
}

function rowOf(results: Results, work: string, name: string): string[] {
  const compared = [rateRatioOf(results, ours, name, 2), fixed(ratioOf(results, 'cpu', name, ours), 2)];
  return [work, name, ...figuresOf(results, name), ...(name === ours ? ['', ''] : compared)];
}

function goalsOf(results: Results, work: string): Goal[] {
  const late = medianOf(results, ours, 'p99') / medianOf(results, 'node:http', 'p99');
  const express = ratioOf(results, 'cpu', 'Express', ours);
  // Bare node:http is the most that a server on it can reach, which depends on the machine.
  const bare = ratioOf(results, 'cpu', 'Express', 'node:http');
  return [
    atLeast(`${work}: times bare node:http, by CPU`, ratioOf(results, 'cpu', 'node:http', ours), 0.9),
    {
      name: `${work}: times Express, by CPU`,
      target: '≥ 1.80, or 0.97 of bare’s',
      figure: `${fixed(express, 2)} (bare ${fixed(bare, 2)})`,
      met: express >= Math.min(1.8, 0.97 * bare),
    },
    atMost(`${work}: p99, times that of bare node:http`, late, 1.5),
  ];
}

function report(rows: readonly string[][]): string {
  const heads = ['work', 'server', ...figureHeads];
  return `${table([...heads, 'Colophon’s rate', 'by CPU'], rows)}

*Colophon’s rate* is its requests per second divided by the row’s, paired round by round; *by CPU* is the same ratio from the CPU time per
request.${nginxIsHere() ? '' : ' nginx is missing from the table because it is not installed; Debian’s package is nginx.'}`;
}
