/** A server under 1,000 requests a second that receives SIGTERM, or whose content is replaced. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { createAppcast } from '../support/feed-samples.ts';
import { createPostgres } from '../support/postgres.ts';
import { createClient, isShort, procSkipReason, startLoad, startService } from './service.ts';

it('a server under load responds to all accepted requests after SIGTERM, and exits within 11 seconds', async (t) => {
  const rounds = isShort ? 2 : 5;
  let successes = 0;
  let refusals = 0;
  const durations: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const service = await startService(t);
    const client = createClient(service.url, 200);
    const faults: string[] = [];
    const load = startLoad(1000, async (index) => {
      try {
        const { status } = await client.get(
          index % 10 === 0 ? `/api/v1/search?q=dictation+${index % 50}` : '/api/v1/docs?limit=2',
        );
        if (status === 200) successes += 1;
        else faults.push(`status ${status}`);
      } catch (error) {
        const code = error instanceof Error ? Reflect.get(error, 'code') : '';
        // These codes mean that the server no longer listened, or closed the connection before it read the request.
        if (code === 'ECONNREFUSED' || code === 'ECONNRESET') refusals += 1;
        else faults.push(String(code));
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const startedAt = performance.now();
    service.child.kill('SIGTERM');
    const code = await service.exitCode;
    durations.push((performance.now() - startedAt) / 1000);
    await load.stop();
    client.close();
    assert.deepEqual(faults, []);
    assert.equal(code, 0);
    assert.ok((durations.at(-1) ?? 99) < 11);
  }
  assert.ok(successes > rounds * 500);
  t.diagnostic(
    `${rounds} times SIGTERM at 1,000 requests a second: ${successes} answered 200, ${refusals} found the connection closed, no other outcome; ended after ${Math.max(...durations).toFixed(1)} s at most`,
  );
});

it('a server that receives SIGTERM as soon as it listens exits with 0', async (t) => {
  const rounds = isShort ? 5 : 20;
  for (let round = 0; round < rounds; round += 1) {
    const service = await startService(t);
    service.child.kill('SIGTERM');
    assert.equal(await service.exitCode, 0);
  }
  t.diagnostic(`${rounds} times SIGTERM as soon as it listened, each ended with 0`);
});

it('a server with a suspended worker process exits with 1 within 18 seconds of SIGTERM', {
  skip: procSkipReason,
}, async (t) => {
  const postgres = createPostgres();
  if (typeof postgres === 'string') return t.skip(`not run: ${postgres}`);
  t.after(() => postgres.close());
  const service = await startService(t, {
    DATABASE_URL: await postgres.createDatabase(),
    SECRET_KEY: 'a secret for every process of the test',
    WEB_CONCURRENCY: '2',
    LOG_LEVEL: 'info',
  });
  const children = await readFile(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8');
  const workers = children.trim().split(' ').map(Number);
  process.kill(workers[0] ?? Number.NaN, 'SIGSTOP');
  const startedAt = performance.now();
  service.child.kill('SIGTERM');
  assert.equal(await service.exitCode, 1);
  const seconds = (performance.now() - startedAt) / 1000;
  // The primary process ends a worker after 15 seconds; a busy machine may need three more.
  assert.ok(seconds < 18, `ended after ${seconds} s`);
  t.diagnostic(`SIGTERM with one of two workers stopped: ended after ${seconds.toFixed(1)} s`);
});

it('a response while content changes is old or new, never mixed, and each ETag has one body', async (t) => {
  const page = (number: number) =>
    `---\ntitle: Start\ndescription: Number ${number}.\norder: 1\nupdated: 2026-03-01\n---\n## First light\n\n${`Line of number ${number}.\n\n`.repeat(300)}`;
  const directory = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0'), 'docs/start.md': page(0) });
  const service = await startService(t, { CONTENT_DIR: directory });
  const client = createClient(service.url, 64);
  t.after(() => client.close());
  const bodies = new Map<string, string>();
  const revisions = new Set<string>();
  const faults: string[] = [];
  const recordResponse = (path: string, headers: Record<string, unknown>, body: Buffer): void => {
    const tag = `${path} ${headers.etag}`;
    const digest = createHash('sha256').update(body).digest('hex');
    const previousDigest = bodies.get(tag);
    if (previousDigest !== undefined && previousDigest !== digest) faults.push(`two bodies under ${tag}`);
    bodies.set(tag, digest);
    const numbers = new Set([...body.toString().matchAll(/[Nn]umber (\d+)/g)].map(([, number]) => number));
    if (numbers.size > 1) faults.push(`${path} mixes ${[...numbers]}`);
    for (const number of numbers) revisions.add(number ?? '');
  };
  const paths = ['/api/v1/docs/start', '/api/v1/docs', '/docs/start', '/docs/start.md', '/api/v1/search?q=number'];
  let responses = 0;
  const load = startLoad(1000, async (index) => {
    const path = paths[index % paths.length] ?? '';
    const { status, headers, body } = await client.get(path);
    responses += 1;
    if (status !== 200) faults.push(`${path}: ${status}`);
    else recordResponse(path, headers, body);
  });
  const changes = isShort ? 5 : 20;
  for (let number = 1; number <= changes; number += 1) {
    writeContentFile(directory, 'docs/start.md', page(number));
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  await load.stop();
  assert.deepEqual(faults.slice(0, 5), []);
  assert.ok(revisions.size > changes / 2, `only ${revisions.size} revisions were seen`);
  t.diagnostic(
    `${responses} answers during ${changes} changes, ${revisions.size} revisions seen, ${bodies.size} tags, each of one body`,
  );
});
