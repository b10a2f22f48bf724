/** The sandbox's export jobs: every state in turn, an hour's life, a bounded number. */
import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { ApiError } from '../../src/base/api-error.ts';
import { createSandboxJobs, type SandboxJobs } from '../../src/jobs/sandbox-jobs.ts';
import { createMemoryIdempotency } from '../../src/store/idempotency.ts';
import { start } from '../store/samples.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

const fixture = async (resource: string, format: string) => ({
  bytes: Buffer.from(`${resource} ${format}`),
  mediaType: 'text/markdown',
  revision: 'fixtures',
});

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
    table: createMemoryIdempotency(),
    resources: ['docs', 'faq'],
    exporter: (resource, format) => {
      made += 1;
      return fixture(resource, format);
    },
  });
});

const getCode = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => (error instanceof ApiError ? error.code : assert.fail(String(error))),
  );

it('a get with step: true advances a sandbox job by one state, and one with step: false does not', async () => {
  const { job } = await jobs.start(who, docs, null);
  assert.equal(job.status, 'queued');
  const seen = [];
  for (let count = 0; count < 4; count += 1) {
    seen.push((await jobs.get(job.id, { step: false })).status, (await jobs.get(job.id, { step: true })).status);
  }
  const expected = ['queued', 'queued', 'running', 'running', 'completed', 'completed', 'completed', 'completed'];
  assert.deepEqual(seen, expected);
  const done = await jobs.get(job.id, { step: true });
  const file = await jobs.artifact(Buffer.from(done.artifact?.hash ?? '').toString('hex'));
  assert.equal(Buffer.from(file.bytes).toString(), 'docs markdown');
  assert.equal(made, 1);
  assert.equal(await getCode(jobs.artifact('0'.repeat(64))), 'not_found');
});

it('a sandbox job is the same for the same key and caller, and another body gets idempotency_conflict', async () => {
  const first = await jobs.start(who, docs, { key: 'k', body: docs });
  await jobs.get(first.job.id, { step: true });
  const again = await jobs.start(who, docs, { key: 'k', body: { format: 'markdown', resource: 'docs' } });
  assert.deepEqual([again.job.id, again.job.status, again.replayed], [first.job.id, 'running', true]);
  assert.equal(await getCode(jobs.start(who, docs, { key: 'k', body: {} })), 'idempotency_conflict');
  assert.notEqual((await jobs.start('address:192.0.2.2', docs, { key: 'k', body: docs })).job.id, first.job.id);
});

it('a sandbox job and its Idempotency-Key expire after an hour', async () => {
  const { job } = await jobs.start(who, docs, { key: 'k', body: docs });
  await jobs.get(job.id, { step: true });
  await clock.advance(3_599_999);
  assert.equal((await jobs.get(job.id, { step: false })).status, 'running');
  await clock.advance(1);
  assert.equal(await getCode(jobs.get(job.id, { step: true })), 'not_found');
  const next = await jobs.start(who, docs, { key: 'k', body: { other: true } });
  assert.deepEqual([next.replayed, next.job.status], [false, 'queued']);
});

it('a sandbox job whose id was not issued is not found', async () => {
  const { job } = await jobs.start(who, docs, null);
  const last = job.id.endsWith('0') ? '1' : '0';
  for (const id of [`${job.id.slice(0, -1)}${last}`, `job_1${job.id.slice(5)}`, 'job_', 'job_u', `${job.id}0`, '']) {
    assert.equal(await getCode(jobs.get(id, { step: true })), 'not_found', id);
  }
  assert.equal((await jobs.get(job.id, { step: false })).status, 'queued');
});

it('a sandbox job has the same states and file in processes that share the key and the table', async () => {
  const table = createMemoryIdempotency();
  const options = { clock, key: Buffer.alloc(32), table, exporter: fixture, resources: ['docs'] };
  const [one, other] = [createSandboxJobs(options), createSandboxJobs(options)];
  const { job } = await one.start(who, docs, { key: 'k', body: docs });
  const again = await other.start(who, docs, { key: 'k', body: docs });
  assert.deepEqual([again.job.id, again.replayed], [job.id, true]);
  const seen = [];
  for (const desk of [other, one, other]) seen.push((await desk.get(job.id, { step: true })).status);
  assert.deepEqual(seen, ['queued', 'running', 'completed']);
  const done = await one.get(job.id, { step: false });
  const file = await one.artifact(Buffer.from(done.artifact?.hash ?? '').toString('hex'));
  assert.equal(Buffer.from(file.bytes).toString(), 'docs markdown');
});
