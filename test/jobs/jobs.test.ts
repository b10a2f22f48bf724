/** Tests export jobs with a real store: idempotency, ownership, leases, crashes, failures and waiting. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../../src/base/api-error.ts';
import { sha256Later } from '../../src/base/hash.ts';
import type { Exporter } from '../../src/jobs/exporter.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/store.ts';
import { newClient, start } from '../store/samples.ts';
import { dataRoot } from '../support/data-root.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

const owner = { clientId: 'cl_owner' };
const otherOwner = { clientId: 'cl_other' };
const docs = { resource: 'docs', format: 'markdown' };
const hour = 3_600_000;
const day = 24 * hour;
const log = { info() {}, warn() {}, error() {} };

let directory = '';
let clock: ManualClock;
let store: Store;
let jobs: Jobs;
/** The resource of each call of the exporter, in order. */
let exportedResources: string[];
/** The exporter of the following jobs, or null for `makeFile`, as at the start of each test. */
let exporter: Exporter | null;

const makeFile: Exporter = async (resource, format) => ({
  bytes: Buffer.from(`${resource} as ${format}`),
  mediaType: 'text/markdown; charset=utf-8',
  revision: 'revision',
});

function openJobs(): Jobs {
  return createJobs({
    store,
    clock,
    key: Buffer.alloc(32, 3),
    log,
    exporter: (resource, format) => {
      exportedResources.push(resource);
      return (exporter ?? makeFile)(resource, format);
    },
  });
}

beforeEach(async () => {
  directory = mkdtempSync(path.join(dataRoot, 'colophon-jobs-'));
  clock = createManualClock(start);
  store = await openSqliteStore({ directory, now: start });
  await store.createClient(newClient({ id: owner.clientId }));
  await store.createClient(newClient({ id: otherOwner.clientId }));
  exportedResources = [];
  exporter = null;
  jobs = openJobs();
});

afterEach(async () => {
  await jobs.close();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Waits for 20 turns of the event loop and 20 hashes, after which the jobs that can run have run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await setImmediate();
    await sha256Later(new Uint8Array());
  }
}

const fetchStatus = async (id: string): Promise<string> => (await jobs.get(owner, id)).status;

const getCode = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => (error instanceof ApiError ? error.code : assert.fail(String(error))),
  );

describe('createJobs: the export jobs of POST /exports', () => {
  it('a new job is queued, runs at once and creates a file; the job and the file expire after 7 days', async () => {
    jobs.run();
    const { job, replayed } = await jobs.start(owner, docs, null);
    assert.equal(replayed, false);
    assert.match(job.id, /^job_[0-9a-f]{40}$/);
    assert.deepEqual([job.status, job.resource, job.format], ['queued', 'docs', 'markdown']);
    await settle();
    const finished = await jobs.get(owner, job.id);
    assert.deepEqual([finished.status, finished.revision], ['completed', 'revision']);
    const hash = Buffer.from(finished.artifact?.hash ?? '').toString('hex');
    const file = await jobs.artifact(hash);
    assert.equal((await buffer(file.parts())).toString(), 'docs as markdown');
    assert.equal(file.mediaType, 'text/markdown; charset=utf-8');
    await clock.advance(7 * day);
    assert.equal(await getCode(jobs.get(owner, job.id)), 'not_found');
    assert.equal(await getCode(jobs.artifact(hash)), 'not_found');
  });

  it('a job of another client is not found, with the same message as an unknown job', async () => {
    const { job } = await jobs.start(owner, docs, null);
    const messages = await Promise.all(
      [
        jobs.get(otherOwner, job.id),
        jobs.get(otherOwner, 'job_none'),
        jobs.waitFor(otherOwner, job.id, 0),
        jobs.get(owner, '../x'),
      ].map((promise) =>
        promise.then(
          () => '',
          (error: Error) => error.message,
        ),
      ),
    );
    assert.equal(new Set(messages).size, 1);
    assert.ok(messages[0]);
    for (const hash of ['', 'abc', 'g'.repeat(64), 'a'.repeat(64)]) {
      assert.equal(await getCode(jobs.artifact(hash)), 'not_found');
    }
  });

  it('queued jobs run in the order in which they were started', async () => {
    const queuedJobs = [];
    for (const resource of ['docs', 'faq', 'releases']) {
      queuedJobs.push(await jobs.start(owner, { resource, format: 'json' }, null));
      await clock.advance(1);
    }
    jobs.run();
    await settle();
    assert.deepEqual(exportedResources, ['docs', 'faq', 'releases']);
    for (const { job } of queuedJobs) assert.equal(await fetchStatus(job.id), 'completed');
  });

  it('the event loop gets a turn between two queued jobs, even if an export fails at once', async () => {
    exporter = async () => {
      void setImmediate().then(() => exportedResources.push('turn'));
      throw new ApiError('unprocessable', 'There is nothing to export.');
    };
    for (const resource of ['docs', 'faq', 'releases']) {
      await jobs.start(owner, { resource, format: 'json' }, null);
      await clock.advance(1);
    }
    jobs.run();
    await settle();
    assert.deepEqual(exportedResources, ['docs', 'turn', 'faq', 'turn', 'releases', 'turn']);
  });
});

describe('POST /exports with an Idempotency-Key', () => {
  const startWithKey = (key: string, body: Record<string, unknown> = docs, jobOwner = owner) =>
    jobs.start(jobOwner, docs, { key, body });

  it('50 concurrent requests and a later one with the same key start one job', async () => {
    const results = await Promise.all(Array.from({ length: 50 }, () => startWithKey('key')));
    assert.equal(new Set(results.map(({ job }) => job.id)).size, 1);
    assert.equal(results.filter(({ replayed }) => !replayed).length, 1);
    jobs.run();
    await settle();
    const replay = await startWithKey('key', { format: 'markdown', resource: 'docs' });
    assert.deepEqual([replay.replayed, replay.job.status], [true, 'completed']);
    assert.deepEqual(exportedResources, ['docs']);
  });

  it('another body with the same key gets idempotency_conflict, and another client or key starts another job', async () => {
    const { job } = await startWithKey('key');
    assert.equal(await getCode(startWithKey('key', { ...docs, resource: 'faq' })), 'idempotency_conflict');
    assert.notEqual((await startWithKey('key', docs, otherOwner)).job.id, job.id);
    assert.notEqual((await startWithKey('key-2')).job.id, job.id);
  });

  it('a key expires after 24 hours, and the next request with it starts a new job', async () => {
    const { job } = await startWithKey('key');
    await clock.advance(day - 1);
    assert.equal((await startWithKey('key')).job.id, job.id);
    await clock.advance(1);
    const next = await startWithKey('key', { ...docs, resource: 'faq' });
    assert.notEqual(next.job.id, job.id);
    assert.equal(await fetchStatus(job.id), 'queued');
  });
});

describe('createJobs after a crash', () => {
  it('the next process completes a job that was queued or running', async () => {
    const queued = await jobs.start(owner, docs, null);
    const running = await jobs.start(owner, { ...docs, resource: 'faq' }, null);
    await store.claimJob(clock.now(), 30_000);
    await store.close();
    store = await openSqliteStore({ directory, now: clock.now() });
    jobs = openJobs();
    jobs.run();
    await settle();
    for (const { job } of [queued, running]) assert.equal(await fetchStatus(job.id), 'completed');
  });

  it('a job that runs in another process is claimed when its lease expires', async () => {
    const { job } = await jobs.start(owner, docs, null);
    await store.claimJob(clock.now(), 30_000);
    jobs.run();
    await clock.advance(29_000);
    assert.equal(await fetchStatus(job.id), 'running');
    await clock.advance(6000);
    await settle();
    assert.equal(await fetchStatus(job.id), 'completed');
  });
});

describe('createJobs with an exporter that fails: internal_error', () => {
  it('an ApiError of the exporter fails the job at once, with its code, detail and retryAfter', async () => {
    exporter = async () => {
      throw new ApiError('upstream_unavailable', 'The feed was never read.', { retryAfter: 30 });
    };
    jobs.run();
    const { job } = await jobs.start(owner, docs, null);
    await settle();
    const failed = await jobs.get(owner, job.id);
    assert.equal(failed.status, 'failed');
    assert.deepEqual(failed.failure, {
      code: 'upstream_unavailable',
      detail: 'The feed was never read.',
      retryAfter: 30,
    });
    assert.equal(exportedResources.length, 1);
  });

  it('an unknown error fails the job after three attempts, and the failure does not contain its message', async () => {
    exporter = async () => {
      throw new Error('secret path /etc');
    };
    jobs.run();
    const { job } = await jobs.start(owner, docs, null);
    await settle();
    assert.equal(await fetchStatus(job.id), 'running');
    for (let count = 0; count < 4; count += 1) {
      await clock.advance(5000);
      await settle();
    }
    const failed = await jobs.get(owner, job.id);
    assert.deepEqual([failed.status, failed.failure?.code, exportedResources.length], ['failed', 'internal_error', 3]);
    assert.doesNotMatch(failed.failure?.detail ?? '', /secret/);
  });

  it('a job is completed if a later attempt succeeds', async () => {
    exporter = async () => {
      exporter = null;
      throw new Error('once');
    };
    jobs.run();
    const { job } = await jobs.start(owner, docs, null);
    await settle();
    await clock.advance(5000);
    await settle();
    assert.equal(await fetchStatus(job.id), 'completed');
  });

  it('an exporter that never returns times out and fails its job, and the next job is completed', async () => {
    exporter = (resource, format) => (resource === 'docs' ? new Promise(() => {}) : makeFile(resource, format));
    jobs.run();
    const stuck = await jobs.start(owner, docs, null);
    const next = await jobs.start(owner, { ...docs, resource: 'faq' }, null);
    await settle();
    assert.equal(await fetchStatus(next.job.id), 'queued');
    await clock.advance(30_000);
    await settle();
    assert.equal(await fetchStatus(next.job.id), 'completed');
    for (let count = 0; count < 20; count += 1) {
      await clock.advance(5000);
      await settle();
    }
    assert.equal(await fetchStatus(stuck.job.id), 'failed');
  });
});

describe('GET /exports/{job_id} with Prefer: wait (RFC 7240)', () => {
  it('the wait ends when the job is completed', async () => {
    jobs.run();
    const { promise, resolve } = Promise.withResolvers<void>();
    exporter = (resource, format) => promise.then(() => makeFile(resource, format));
    const { job } = await jobs.start(owner, docs, null);
    const waiting = jobs.waitFor(owner, job.id, 10_000);
    await settle();
    resolve();
    assert.equal((await waiting).status, 'completed');
    assert.equal((await jobs.waitFor(owner, job.id, 10_000)).status, 'completed');
  });

  it('the wait ends after the requested time, at most ten seconds', async () => {
    const { job } = await jobs.start(owner, docs, null);
    for (const [requestedMs, expectedMs] of [
      [0, 0],
      [-5, 0],
      [2000, 2000],
      [60_000, 10_000],
    ] as const) {
      const since = clock.monotonic();
      let elapsedMs = -1;
      const waiting = jobs.waitFor(owner, job.id, requestedMs).then((result) => {
        elapsedMs = clock.monotonic() - since;
        return result;
      });
      await clock.advance(15_000);
      assert.equal((await waiting).status, 'queued');
      assert.equal(elapsedMs, expectedMs);
    }
  });

  it('the wait ends when another process ends the job', async () => {
    const { job } = await jobs.start(owner, docs, null);
    const waiting = jobs.waitFor(owner, job.id, 10_000);
    await settle();
    await store.claimJob(clock.now(), 30_000);
    await store.failJob(job.id, 1, { code: 'internal_error', detail: 'x' }, clock.now());
    await clock.advance(600);
    assert.equal((await waiting).status, 'failed');
  });
});

it('createJobs completes a job once a store that failed works again', async () => {
  let isDown = true;
  const flakyStore: Store = {
    ...store,
    async completeJob(...values) {
      if (isDown) throw new ApiError('upstream_unavailable', 'The disk is full.');
      return store.completeJob(...values);
    },
  };
  const flakyJobs = createJobs({ store: flakyStore, clock, key: Buffer.alloc(32), log, exporter: makeFile });
  flakyJobs.run();
  const { job } = await flakyJobs.start(owner, docs, null);
  await settle();
  assert.equal(await fetchStatus(job.id), 'running');
  isDown = false;
  await clock.advance(36_000);
  await settle();
  assert.equal(await fetchStatus(job.id), 'completed');
  await flakyJobs.close();
});
