/** Registers the tests of the store's contract about export jobs and artifacts. */
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import { sha256Bytes } from '../../src/base/hash.ts';
import { createQueuedJob, type Job, jobLifetime, jobsPerClient, type StoredArtifact } from '../../src/store/jobs.ts';
import type { Store } from '../../src/store/store.ts';
import { encodeBytes, minute, newClient, newHash, newJob, start, unique } from './samples.ts';

const lease = 30_000;
const failure = { code: 'internal_error', detail: 'The job was tried three times.', retryAfter: 7 };

/** Registers the tests of the jobs in a store. `store` returns the store that is open at the time of a call. */
export function jobContract(store: () => Store): void {
  describe('createJob, findJob, claimJob, completeJob, failJob, postponeJob, findArtifact and stats', () => {
    let clientId = '';
    before(async () => {
      const client = newClient();
      clientId = client.id;
      await store().createClient(client);
    });

    async function queueJob(createdAt = start): Promise<string> {
      const job = newJob(clientId, createdAt);
      assert.equal(await store().createJob(job), true);
      return job.id;
    }

    async function claimJob(now = start): Promise<Job> {
      return (await store().claimJob(now, lease)) ?? assert.fail('no job to claim');
    }

    const createArtifact = (content: string) => {
      const bytes = Buffer.from(content);
      return { hash: sha256Bytes(bytes), mediaType: 'text/markdown; charset=utf-8', bytes };
    };

    it('a job is created only once for an ID, and is found until it expires', async () => {
      const job = newJob(clientId);
      assert.equal(await store().createJob(job), true);
      assert.equal(await store().createJob({ ...job, resource: 'faq' }), false);
      assert.deepEqual(await store().findJob(job.id, start), createQueuedJob(job));
      assert.equal(await store().findJob(job.id, start + jobLifetime), undefined);
      assert.equal((await claimJob()).id, job.id);
      await store().failJob(job.id, 1, failure, start);
    });

    it('each of two jobs is claimed by only one of 20 claims at the same time', async () => {
      const second = await queueJob(start + 2);
      const first = await queueJob(start + 1);
      const claims = await Promise.all(Array.from({ length: 20 }, () => store().claimJob(start + 5, lease)));
      const jobs = claims.filter((job) => job !== undefined).sort((a, b) => a.createdAt - b.createdAt);
      assert.deepEqual(
        jobs.map(({ id, status, attempts: attempt, leaseUntil }) => ({ id, status, attempt, leaseUntil })),
        [first, second].map((id) => ({ id, status: 'running', attempt: 1, leaseUntil: start + 5 + lease })),
      );
      for (const id of [first, second]) assert.equal(await store().failJob(id, 1, failure, start), true);
    });

    it('claimJob returns the oldest queued job', async () => {
      const ids = new Map<number, string>();
      for (const age of [2, 3, 1]) ids.set(age, await queueJob(start - age));
      for (const age of [3, 2, 1]) {
        const job = await claimJob();
        assert.equal(job.id, ids.get(age));
        await store().failJob(job.id, 1, failure, start);
      }
    });

    it('a completed job and its artifact are found, and the job is not claimed again', async () => {
      const id = await queueJob();
      await claimJob();
      const artifact = createArtifact('# A page\n');
      assert.equal(await store().completeJob(id, 1, artifact, 'revision', start + 9), true);
      const job = await store().findJob(id, start);
      assert.deepEqual(
        [job?.status, job?.revision, job?.finishedAt, encodeBytes(job?.artifact)],
        [
          'completed',
          'revision',
          start + 9,
          encodeBytes({ hash: artifact.hash, mediaType: artifact.mediaType, size: artifact.bytes.length }),
        ],
      );
      const storedArtifact = await store().findArtifact(artifact.hash, start);
      assert.deepEqual(
        [
          Buffer.from(storedArtifact?.hash ?? []),
          storedArtifact?.mediaType,
          storedArtifact?.size,
          await readArtifact(storedArtifact),
        ],
        [Buffer.from(artifact.hash), artifact.mediaType, artifact.bytes.length, Buffer.from(artifact.bytes)],
      );
      assert.equal(await store().findArtifact(newHash(), start), undefined);
      assert.equal(await store().claimJob(start + 10 * minute, lease), undefined);
    });

    it('a large or empty artifact is found only once it is complete', async () => {
      const bytes = Buffer.alloc(2_500_001, 'a page and another; ');
      const artifact = { hash: newHash(), mediaType: 'text/markdown', bytes };
      const empty = { hash: newHash(), mediaType: 'text/markdown', bytes: Buffer.alloc(0) };
      for (const file of [artifact, empty]) {
        const id = await queueJob();
        await claimJob();
        const completion = store().completeJob(id, 1, file, 'revision', start);
        // A small artifact may be complete by now, but an incomplete one is never found.
        const during = await store().findArtifact(file.hash, start);
        assert.ok(during === undefined || (await readArtifact(during)).equals(file.bytes));
        assert.equal(await completion, true);
        const storedArtifact = await store().findArtifact(file.hash, start);
        assert.ok((await readArtifact(storedArtifact)).equals(file.bytes));
      }
    });

    it('a job is claimed again when its lease expires, and only the last claim can finish or postpone the job', async () => {
      const id = await queueJob();
      await claimJob(start);
      assert.equal(await store().claimJob(start + lease - 1, lease), undefined);
      const job = await claimJob(start + lease);
      assert.deepEqual([job.id, job.attempts], [id, 2]);
      const artifact = createArtifact('late');
      assert.equal(await store().completeJob(id, 1, artifact, 'revision', start), false);
      assert.equal(await store().findArtifact(artifact.hash, start), undefined);
      assert.equal(await store().failJob(id, 1, failure, start), false);
      assert.equal(await store().postponeJob(id, 1, start), false);
      assert.equal(await store().postponeJob(id, 2, start + lease + 5), true);
      assert.equal(await store().claimJob(start + lease + 4, lease), undefined);
      assert.equal((await claimJob(start + lease + 5)).attempts, 3);
      await store().failJob(id, 3, failure, start);
    });

    it('a job is claimed again after each lease that expires, and the last claim can fail the job', async () => {
      const id = await queueJob();
      for (let attempt = 1; attempt <= 4; attempt += 1) {
        assert.equal((await claimJob(start + attempt * lease)).attempts, attempt);
      }
      const end = start + 4 * lease;
      assert.equal(await store().failJob(id, 4, failure, end), true);
      const job = await store().findJob(id, start);
      assert.deepEqual([job?.status, job?.failure, job?.finishedAt], ['failed', failure, end]);
    });

    it('jobs with equal content share an artifact, which is deleted when the last of the jobs expires', async () => {
      const artifact = createArtifact(unique('shared '));
      for (const now of [start, start + minute]) {
        const id = await queueJob();
        await claimJob();
        await store().completeJob(id, 1, artifact, 'revision', now);
      }
      assert.notEqual(await store().findArtifact(artifact.hash, start + jobLifetime + minute - 1), undefined);
      while ((await store().sweep(start + jobLifetime, 500)).more) assert.ok(true);
      assert.notEqual(await store().findArtifact(artifact.hash, start), undefined);
      while ((await store().sweep(start + jobLifetime + minute, 500)).more) assert.ok(true);
      assert.equal(await store().findArtifact(artifact.hash, start), undefined);
    });

    it('stats counts the queued and running jobs and returns when the oldest was created', async () => {
      const before = await store().stats();
      const id = await queueJob(start - 5);
      const stats = await store().stats();
      assert.deepEqual(stats.jobs, { ...before.jobs, queued: before.jobs.queued + 1 });
      assert.equal(stats.oldestOpenJobAt, start - 5);
      await claimJob();
      assert.equal((await store().stats()).jobs.running, before.jobs.running + 1);
      await store().failJob(id, 1, failure, start);
      const { jobs, oldestOpenJobAt } = await store().stats();
      assert.deepEqual(jobs, before.jobs);
      assert.equal(oldestOpenJobAt, before.oldestOpenJobAt);
      assert.equal((await store().stats()).writeProblem, null);
    });

    it(`a new job beyond ${jobsPerClient} of a client deletes the oldest finished one`, async () => {
      const client = newClient();
      await store().createClient(client);
      const jobs = Array.from({ length: jobsPerClient + 1 }, (_, index) => newJob(client.id, start + index));
      const [first, second, ...rest] = jobs;
      assert.ok(first !== undefined && second !== undefined);
      await store().createJob(first);
      await claimJob();
      await store().failJob(first.id, 1, failure, start);
      await store().createJob(second);
      for (const job of rest) await store().createJob(job);
      assert.equal(await store().findJob(first.id, start), undefined);
      assert.equal((await store().findJob(second.id, start))?.status, 'queued');
    });
  });
}

const readArtifact = (artifact: StoredArtifact | undefined): Promise<Buffer> =>
  buffer(artifact?.parts() ?? assert.fail('there is no artifact'));
