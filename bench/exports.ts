/** Exports of 10,000 pages: how long they take, and how long GETs wait meanwhile. */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from './figures.ts';
import { writeGeneratedContent } from './generated-content.ts';
import { startColophon, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { obtainCredential } from './token.ts';
import type { Pace } from './turns.ts';

const pages = 10_000;
const formats = ['markdown', 'json'] as const;
/** GETs per second, each sent on schedule whether or not earlier ones have their responses. */
const pacePerSecond = 500;

/** A table in Markdown. The server is on its core; who asks, on whatever is free. */
export async function measureExports({ rounds }: Pace): Promise<string> {
  const contentDir = await writeGeneratedContent(pages);
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-bench-data-'));
  const server = await startColophon({ CONTENT_DIR: contentDir, DATA_DIR: dataDir });
  try {
    const { bearer } = await obtainCredential(server.said);
    const url = `${server.said}/api/v1/releases/latest`;
    await asksWhile(url, () => pause(3000));
    const rows = [rowOf('no export', [], [], [await asksWhile(url, () => pause(3000))])];
    for (const format of formats) {
      const alone: number[] = [];
      const amid: number[] = [];
      const beside: Asked[] = [];
      let megabytes = 0;
      for (let round = 0; round < rounds; round += 1) {
        alone.push((await runExport(server.said, bearer, format)).took);
        const asked = await asksWhile(url, async () => {
          const { took, bytes } = await runExport(server.said, bearer, format);
          amid.push(took);
          megabytes = bytes / 1e6;
        });
        beside.push(asked);
      }
      rows.push(rowOf(`${format}, ${fixed(megabytes, 1)} MB`, alone, amid, beside));
    }
    const heads = ['export', 'completed after ms', 'with GETs', 'a GET waits p50 ms', 'p99 ms', 'longest', 'refused'];
    return table(heads, rows);
  } finally {
    await stop(server);
    await rm(contentDir, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  }
}

function rowOf(name: string, alone: number[], amid: number[], asked: readonly Asked[]): string[] {
  const waits = asked.flatMap((each) => each.waits).toSorted((a, b) => a - b);
  const refused = asked.reduce((sum, each) => sum + each.refused, 0) / (waits.length || 1);
  const at = (share: number): string => fixed(waits[Math.floor((waits.length - 1) * share)] ?? Number.NaN, 1);
  const times = [alone, amid].map((took) => (took.length === 0 ? '' : fixed(median(took), 0)));
  return [name, ...times, at(0.5), at(0.99), at(1), `${fixed(refused * 100, 1)} %`];
}

/** From the POST until the job is completed, in milliseconds, and the size of its file. */
async function runExport(url: string, bearer: string, format: string): Promise<{ took: number; bytes: number }> {
  const headers = { authorization: bearer, 'content-type': 'application/json', prefer: 'wait=10' };
  const body = JSON.stringify({ resource: 'docs', format });
  let began = performance.now();
  let job: JobAnswer | null = null;
  while (job === null) {
    began = performance.now();
    job = await jobOf(await fetch(`${url}/api/v1/exports`, { method: 'POST', headers, body }));
  }
  while (job.result === undefined) job = (await jobOf(await fetch(job.poll_url, { headers }))) ?? job;
  const took = performance.now() - began;
  const file = await fetch(job.result.url);
  return { took, bytes: (await file.arrayBuffer()).byteLength };
}

interface JobAnswer {
  readonly poll_url: string;
  readonly status: string;
  readonly result?: { readonly url: string };
}

/** null: the server has too much to do to take the request. */
async function jobOf(response: Response): Promise<JobAnswer | null> {
  const text = await response.text();
  if (response.status === 503) {
    await pause(100);
    return null;
  }
  const job: JobAnswer = JSON.parse(text);
  if (!response.ok || job.status === 'failed') throw new Error(`An export answers ${response.status}: ${text}`);
  return job;
}

interface Asked {
  /** Milliseconds, one of each GET. */
  readonly waits: readonly number[];
  /** How many of them got a 503. */
  readonly refused: number;
}

/** GETs while `work` runs, and how long each waited from the moment that it was due. */
async function asksWhile(url: string, work: () => Promise<unknown>): Promise<Asked> {
  const agent = new Agent({ keepAlive: true });
  const waits: number[] = [];
  const asked: Promise<void>[] = [];
  const began = performance.now();
  let refused = 0;
  let going = true;
  const ended = work().finally(() => {
    going = false;
  });
  for (let count = 0; going; count += 1) {
    const due = began + (count * 1000) / pacePerSecond;
    const early = due - performance.now();
    if (early > 0) await pause(early);
    // A timer may be a little early.
    const from = Math.min(due, performance.now());
    const answered = get(url, agent).then((status) => {
      waits.push(performance.now() - from);
      if (status === 503) refused += 1;
      else if (status !== 200) throw new Error(`${url} answers ${status}`);
    });
    asked.push(answered);
  }
  await Promise.all([ended, ...asked]);
  agent.destroy();
  return { waits, refused };
}

function get(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((done, fail) => {
    const sent = request(url, { agent }, (response) => {
      response.resume();
      response.once('error', fail);
      response.once('end', () => done(response.statusCode));
    });
    sent.once('error', fail);
    sent.end();
  });
}
