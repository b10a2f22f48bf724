/** Rate limits in a real Redis: the common contract, two processes, and a Redis that is paused, down, flushed or read-only. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RateStore } from '../../src/store/rate-store.ts';
import { openRedisRates } from '../../src/store/redis/rates.ts';
import { testRateCounters, toRateCounters } from '../limits/rate-contract.ts';
import { startColophon } from '../support/command.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { redisSkipReason, startRedis, type TestRedis } from './support/redis.ts';

if (redisSkipReason === null) testWithRedis();
else it('the tests of REDIS_URL', { skip: `not run: ${redisSkipReason}` });

function testWithRedis(): void {
  let redis: TestRedis;
  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.close());

  testRateCounters(
    'Redis',
    async (clock) => {
      await redis.command('FLUSHALL');
      return toRateCounters(await openRedisRates({ url: redis.url, now: clock.now }));
    },
    { runs: 30 },
  );

  describe('openRedisRates', () => {
    const openStore = async (t: TestContext, url = redis.url): Promise<RateStore> => {
      await redis.command('FLUSHALL');
      const store = await openRedisRates({ url });
      t.after(() => store.close());
      return store;
    };
    const request = { key: 'k', limit: 3, windowMs: 60_000, count: true };

    it('the Unix socket and the TCP URL with the database 1 share a counter, which expires after its window', async (t) => {
      const store = await openStore(t, redis.socketUrl);
      const other = await openRedisRates({ url: `${redis.url}/1` });
      t.after(() => other.close());
      assert.equal((await store.take(request)).used, 1);
      assert.equal((await other.take(request)).used, 2);
      await redis.command('SWAPDB', 0, 1);
      const ttlMs = Number(await redis.command('PTTL', 'colophon:rate:k'));
      assert.ok(ttlMs > 60_000 && ttlMs <= 66_000, String(ttlMs));
      const [key] = (await redis.command('KEYS', '*')) as string[];
      assert.equal(key, 'colophon:rate:k');
    });

    it('counters continue after SCRIPT FLUSH', async (t) => {
      const store = await openStore(t);
      await store.take(request);
      await redis.command('SCRIPT', 'FLUSH');
      const counts = await Promise.all([store.take(request), store.take(request), store.take(request)]);
      assert.deepEqual(
        counts.map(({ allowed }) => allowed),
        [true, true, false],
      );
    });

    it('counters start again at 1 after FLUSHALL', async (t) => {
      const store = await openStore(t);
      for (let count = 0; count < 3; count += 1) await store.take(request);
      assert.equal((await store.take(request)).allowed, false);
      await redis.command('FLUSHALL');
      assert.equal((await store.take(request)).used, 1);
    });
  });

  describe('REDIS_URL: servers with one Redis', () => {
    const startWithRedis = async (t: TestContext): Promise<TestServer> => {
      await redis.command('FLUSHALL');
      const env = { RATE_LIMIT_ANONYMOUS: '120', REDIS_URL: redis.url };
      const server = await startTestServer({ env, limitsDeadlineMs: 1000 });
      t.after(() => server.close());
      return server;
    };
    const readRemaining = async (server: TestServer): Promise<[number, number]> => {
      const { status, headers } = await server.request('/api/v1/docs');
      return [status, Number(headers.get('ratelimit-remaining'))];
    };
    const listStates = ({ logLines }: TestServer): unknown[] =>
      logLines.map(({ event }) => event).filter((event) => String(event).startsWith('limits.'));
    const waitUntilShared = async (server: TestServer): Promise<void> => {
      for (let attempt = 0; listStates(server).at(-1) !== 'limits.shared'; attempt += 1) {
        assert.ok(attempt < 1500, 'Redis did not count again within 30 seconds');
        await sleep(20);
      }
    };

    it('two processes together allow exactly 120 requests of an address', async (t) => {
      await redis.command('FLUSHALL');
      const processes = await Promise.all(
        [1, 2].map(async () => {
          const folder = await mkdtemp(join(tmpdir(), 'colophon-'));
          const server = startColophon(['serve'], { env: { DATA_DIR: folder, REDIS_URL: redis.url } });
          t.after(async () => {
            server.child.kill('SIGTERM');
            await server.exitCode;
            await rm(folder, { recursive: true, force: true });
          });
          const [url] = await server.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/);
          return { url, server };
        }),
      );
      const statuses: number[] = [];
      for (let wave = 0; wave < 16; wave += 1) {
        const urls = Array.from({ length: 10 }, (_, index) => `${processes[index % 2]?.url}/api/v1/docs`);
        const responses = await Promise.all(urls.map((url) => fetch(url)));
        for (const response of responses) {
          await response.arrayBuffer();
          statuses.push(response.status);
        }
      }
      for (const { server } of processes) assert.doesNotMatch(server.getStdout(), /limits\.local/);
      assert.equal(statuses.filter((status) => status === 200).length, 120);
      assert.equal(statuses.filter((status) => status === 429).length, 40);
    });

    it('a server counts by itself while Redis is paused, and in Redis again afterwards', async (t) => {
      const server = await startWithRedis(t);
      for (let count = 119; count >= 100; count -= 1) assert.deepEqual(await readRemaining(server), [200, count]);
      await redis.command('CLIENT', 'PAUSE', 4000, 'ALL');
      for (let count = 99; count >= 80; count -= 1) assert.deepEqual(await readRemaining(server), [200, count]);
      assert.deepEqual(listStates(server), ['limits.local']);
      await waitUntilShared(server);
      const [status, remaining] = await readRemaining(server);
      // Redis counted 20 requests, this one, and perhaps the one that was in progress when Redis paused.
      assert.equal(status, 200);
      assert.ok(remaining === 99 || remaining === 98, String(remaining));
    });

    it('a server counts by itself while Redis is down, and in Redis again afterwards', async (t) => {
      const server = await startWithRedis(t);
      for (let count = 119; count >= 80; count -= 1) assert.deepEqual(await readRemaining(server), [200, count]);
      await redis.shutdown();
      for (let count = 79; count >= 0; count -= 1) assert.deepEqual(await readRemaining(server), [200, count]);
      assert.deepEqual(await readRemaining(server), [429, 0]);
      await redis.restart();
      await waitUntilShared(server);
      assert.deepEqual(listStates(server), ['limits.local', 'limits.shared']);
      // The restarted Redis is empty, so the address gets one more full allowance.
      assert.deepEqual(await readRemaining(server), [200, 119]);
    });

    it('a full allowance starts after FLUSHALL, and the server keeps counting in Redis', async (t) => {
      const server = await startWithRedis(t);
      for (let count = 119; count >= 60; count -= 1) assert.deepEqual(await readRemaining(server), [200, count]);
      await redis.command('FLUSHALL');
      await redis.command('SCRIPT', 'FLUSH');
      for (let count = 119; count >= 0; count -= 1) assert.deepEqual(await readRemaining(server), [200, count]);
      assert.deepEqual(await readRemaining(server), [429, 0]);
      assert.deepEqual(listStates(server), []);
    });

    it('a server counts by itself while Redis is read-only, and in Redis again afterwards', async (t) => {
      const server = await startWithRedis(t);
      assert.deepEqual(await readRemaining(server), [200, 119]);
      await redis.command('REPLICAOF', '127.0.0.1', 1);
      for (let count = 118; count >= 110; count -= 1) assert.deepEqual(await readRemaining(server), [200, count]);
      assert.deepEqual(listStates(server), ['limits.local']);
      await redis.command('REPLICAOF', 'NO', 'ONE');
      await waitUntilShared(server);
    });
  });
}
