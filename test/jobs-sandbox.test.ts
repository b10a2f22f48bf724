/** The sandbox's export jobs: every state in turn, an hour's life, a bounded number. */
import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { ApiError } from '../src/base/api-error.ts';
import { createSandboxJobs, type SandboxJobs } from '../src/jobs/sandbox-jobs.ts';
import { start } from './store-samples.ts';
import { createManualClock, type ManualClock } from './support/manual-clock.ts';

const docs = { resource: 'docs', format: 'markdown' };
const who = 'address:192.0.2.1';
let clock: ManualClock;
let jobs: SandboxJobs;
let made = 0;

beforeEach(() => {
  made = 0;
  clock = createManualClock(start);
  jobs = createSandboxJobs({
    clock,
    key: Buffer.alloc(32),
    limit: 3,
    exporter: async (resource, format) => {
      made += 1;
      return { bytes: Buffer.from(`${resource} ${format}`), mediaType: 'text/markdown', revision: 'fixtures' };
    },
  });
});

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => (error instanceof ApiError ? error.code : assert.fail(String(error))),
  );

it('each look finds the next state; a look without a step leaves it', async () => {
  const { job } = await jobs.start(who, docs, null);
  assert.equal(job.status, 'queued');
  const seen = [];
  for (let count = 0; count < 4; count += 1) {
    seen.push((await jobs.get(job.id, { step: false })).status, (await jobs.get(job.id, { step: true })).status);
  }
  const expected = ['queued', 'queued', 'running', 'running', 'completed', 'completed', 'completed', 'completed'];
  assert.deepEqual(seen, expected);
  const done = await jobs.get(job.id, { step: true });
  const file = await jobs.artefact(Buffer.from(done.artefact?.hash ?? '').toString('hex'));
  assert.equal(Buffer.from(file.bytes).toString(), 'docs markdown');
  assert.equal(made, 1);
  assert.equal(await codeOf(jobs.artefact('0'.repeat(64))), 'not_found');
});

it('the same key gives the same job, another body a conflict, another caller another job', async () => {
  const first = await jobs.start(who, docs, { key: 'k', body: docs });
  await jobs.get(first.job.id, { step: true });
  const again = await jobs.start(who, docs, { key: 'k', body: { format: 'markdown', resource: 'docs' } });
  assert.deepEqual([again.job.id, again.job.status, again.replayed], [first.job.id, 'running', true]);
  assert.equal(await codeOf(jobs.start(who, docs, { key: 'k', body: {} })), 'idempotency_conflict');
  assert.notEqual((await jobs.start('address:192.0.2.2', docs, { key: 'k', body: docs })).job.id, first.job.id);
});

it('jobs live an hour', async () => {
  const { job } = await jobs.start(who, docs, { key: 'k', body: docs });
  await jobs.get(job.id, { step: true });
  await clock.advance(3_599_999);
  assert.equal((await jobs.get(job.id, { step: false })).status, 'running');
  await clock.advance(1);
  assert.equal(await codeOf(jobs.get(job.id, { step: true })), 'not_found');
  const next = await jobs.start(who, docs, { key: 'k', body: { other: true } });
  assert.deepEqual([next.replayed, next.job.status], [false, 'queued']);
});

it('beyond the bound the oldest job goes', async () => {
  const started = [];
  for (let count = 0; count < 4; count += 1) started.push((await jobs.start(who, docs, null)).job.id);
  const [oldest, ...others] = started;
  assert.equal(await codeOf(jobs.get(oldest ?? '', { step: false })), 'not_found');
  for (const id of others) assert.equal((await jobs.get(id, { step: false })).status, 'queued');
});
