/** Tests the export jobs of the sandbox: states, Idempotency-Key, lifetime, unknown ids, and processes that share them. */
import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { ApiError } from '../../src/base/api-error.ts';
import { createSandboxJobs, type SandboxJobs } from '../../src/jobs/sandbox-jobs.ts';
import { createMemoryIdempotency } from '../../src/store/idempotency.ts';
import { start } from '../store/samples.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

const exportFixture = async (resource: string, format: string) => ({
  bytes: Buffer.from(`${resource} ${format}`),
  mediaType: 'text/markdown',
  revision: 'fixtures',
});

const docs = { resource: 'docs', format: 'markdown' };
const principal = 'address:192.0.2.1';
let clock: ManualClock;
let jobs: SandboxJobs;
let exportCount = 0;

beforeEach(() => {
  exportCount = 0;
  clock = createManualClock(start);
  jobs = createSandboxJobs({
    clock,
    key: Buffer.alloc(32),
    table: createMemoryIdempotency(),
    resources: ['docs', 'faq'],
    exporter: (resource, format) => {
      exportCount += 1;
      return exportFixture(resource, format);
    },
  });
});

const getCode = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => (error instanceof ApiError ? error.code : assert.fail(String(error))),
  );

it('a get with step: true advances a sandbox job by one state, and one with step: false does not', async () => {
  const { job } = await jobs.start(principal, docs, null);
  assert.equal(job.status, 'queued');
  const statuses = [];
  for (let count = 0; count < 4; count += 1) {
    statuses.push((await jobs.get(job.id, { step: false })).status, (await jobs.get(job.id, { step: true })).status);
  }
  const expected = ['queued', 'queued', 'running', 'running', 'completed', 'completed', 'completed', 'completed'];
  assert.deepEqual(statuses, expected);
  const completedJob = await jobs.get(job.id, { step: true });
  const file = await jobs.artifact(Buffer.from(completedJob.artifact?.hash ?? '').toString('hex'));
  assert.equal(Buffer.from(file.bytes).toString(), 'docs markdown');
  assert.equal(exportCount, 1);
  assert.equal(await getCode(jobs.artifact('0'.repeat(64))), 'not_found');
});

it('a sandbox job is the same for the same key and caller, and another body gets idempotency_conflict', async () => {
  const first = await jobs.start(principal, docs, { key: 'k', body: docs });
  await jobs.get(first.job.id, { step: true });
  const replay = await jobs.start(principal, docs, { key: 'k', body: { format: 'markdown', resource: 'docs' } });
  assert.deepEqual([replay.job.id, replay.job.status, replay.replayed], [first.job.id, 'running', true]);
  assert.equal(await getCode(jobs.start(principal, docs, { key: 'k', body: {} })), 'idempotency_conflict');
  assert.notEqual((await jobs.start('address:192.0.2.2', docs, { key: 'k', body: docs })).job.id, first.job.id);
});

it('a sandbox job and its Idempotency-Key expire after an hour', async () => {
  const { job } = await jobs.start(principal, docs, { key: 'k', body: docs });
  await jobs.get(job.id, { step: true });
  await clock.advance(3_599_999);
  assert.equal((await jobs.get(job.id, { step: false })).status, 'running');
  await clock.advance(1);
  assert.equal(await getCode(jobs.get(job.id, { step: true })), 'not_found');
  const next = await jobs.start(principal, docs, { key: 'k', body: { other: true } });
  assert.deepEqual([next.replayed, next.job.status], [false, 'queued']);
});

it('a sandbox job whose id was not issued is not found', async () => {
  const { job } = await jobs.start(principal, docs, null);
  const last = job.id.endsWith('0') ? '1' : '0';
  for (const id of [`${job.id.slice(0, -1)}${last}`, `job_1${job.id.slice(5)}`, 'job_', 'job_u', `${job.id}0`, '']) {
    assert.equal(await getCode(jobs.get(id, { step: true })), 'not_found', id);
  }
  assert.equal((await jobs.get(job.id, { step: false })).status, 'queued');
});

it('a sandbox job has the same states and file in processes that share the key and the table', async () => {
  const table = createMemoryIdempotency();
  const options = { clock, key: Buffer.alloc(32), table, exporter: exportFixture, resources: ['docs'] };
  const [first, second] = [createSandboxJobs(options), createSandboxJobs(options)];
  const { job } = await first.start(principal, docs, { key: 'k', body: docs });
  const replay = await second.start(principal, docs, { key: 'k', body: docs });
  assert.deepEqual([replay.job.id, replay.replayed], [job.id, true]);
  const statuses = [];
  for (const { get } of [second, first, second]) statuses.push((await get(job.id, { step: true })).status);
  assert.deepEqual(statuses, ['queued', 'running', 'completed']);
  const completedJob = await first.get(job.id, { step: false });
  const file = await first.artifact(Buffer.from(completedJob.artifact?.hash ?? '').toString('hex'));
  assert.equal(Buffer.from(file.bytes).toString(), 'docs markdown');
});
