/** Rate limits in a real Redis: the common contract, two processes on one server, and what can happen to that server. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RateStore } from '../../src/store/rate-store.ts';
import { openRedisRates } from '../../src/store/redis/rates.ts';
import { rateContract, toRateCounters } from '../limits/rate-contract.ts';
import { startColophon } from '../support/command.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { redisMissing, startRedis, type TestRedis } from './support/redis.ts';

if (redisMissing === null) testWithRedis();
else it(`the tests of REDIS_URL are not run: ${redisMissing}`, () => {});

function testWithRedis(): void {
  let redis: TestRedis;
  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.close());

  rateContract(
    'Redis',
    async (clock) => {
      await redis.command('FLUSHALL');
      return toRateCounters(await openRedisRates({ url: redis.url, now: clock.now }));
    },
    { runs: 30 },
  );

  describe('openRedisRates', () => {
    const open = async (t: TestContext, url = redis.url): Promise<RateStore> => {
      await redis.command('FLUSHALL');
      const store = await openRedisRates({ url });
      t.after(() => store.close());
      return store;
    };
    const ask = { key: 'k', limit: 3, windowMs: 60_000, count: true };

    it('the Unix socket and the TCP URL with the database 1 share a counter, which expires after its window', async (t) => {
      const store = await open(t, redis.socketUrl);
      const other = await openRedisRates({ url: `${redis.url}/1` });
      t.after(() => other.close());
      assert.equal((await store.take(ask)).used, 1);
      assert.equal((await other.take(ask)).used, 2);
      await redis.command('SWAPDB', 0, 1);
      const left = Number(await redis.command('PTTL', 'colophon:rate:k'));
      assert.ok(left > 60_000 && left <= 66_000, String(left));
      const [key] = (await redis.command('KEYS', '*')) as string[];
      assert.equal(key, 'colophon:rate:k');
    });

    it('counters continue after SCRIPT FLUSH', async (t) => {
      const store = await open(t);
      await store.take(ask);
      await redis.command('SCRIPT', 'FLUSH');
      const counts = await Promise.all([store.take(ask), store.take(ask), store.take(ask)]);
      assert.deepEqual(
        counts.map(({ allowed }) => allowed),
        [true, true, false],
      );
    });

    it('counters start again at 1 after FLUSHALL', async (t) => {
      const store = await open(t);
      for (let count = 0; count < 3; count += 1) await store.take(ask);
      assert.equal((await store.take(ask)).allowed, false);
      await redis.command('FLUSHALL');
      assert.equal((await store.take(ask)).used, 1);
    });
  });

  describe('REDIS_URL: servers with one Redis', () => {
    const startOn = async (t: TestContext): Promise<TestServer> => {
      await redis.command('FLUSHALL');
      const env = { RATE_LIMIT_ANONYMOUS: '120', REDIS_URL: redis.url };
      const server = await startTestServer({ env, limitsDeadlineMs: 1000 });
      t.after(() => server.close());
      return server;
    };
    const left = async (server: TestServer): Promise<[number, number]> => {
      const { status, headers } = await server.ask('/api/v1/docs');
      return [status, Number(headers.get('ratelimit-remaining'))];
    };
    const states = ({ lines }: TestServer): unknown[] =>
      lines.map(({ event }) => event).filter((event) => String(event).startsWith('limits.'));
    const untilShared = async (server: TestServer): Promise<void> => {
      for (let attempt = 0; states(server).at(-1) !== 'limits.shared'; attempt += 1) {
        assert.ok(attempt < 1500, 'the store did not decide again within half a minute');
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
            await server.ended;
            await rm(folder, { recursive: true, force: true });
          });
          const [url] = await server.says(/http:\/\/127\.0\.0\.1:\d+/);
          return { url, server };
        }),
      );
      const statuses: number[] = [];
      for (let wave = 0; wave < 16; wave += 1) {
        const asked = Array.from({ length: 10 }, (_, index) => `${processes[index % 2]?.url}/api/v1/docs`);
        const answers = await Promise.all(asked.map((url) => fetch(url)));
        for (const answer of answers) {
          await answer.arrayBuffer();
          statuses.push(answer.status);
        }
      }
      for (const { server } of processes) assert.doesNotMatch(server.out(), /limits\.local/);
      assert.equal(statuses.filter((status) => status === 200).length, 120);
      assert.equal(statuses.filter((status) => status === 429).length, 40);
    });

    it('a server counts by itself while Redis is paused, and in Redis again afterwards', async (t) => {
      const server = await startOn(t);
      for (let count = 119; count >= 100; count -= 1) assert.deepEqual(await left(server), [200, count]);
      await redis.command('CLIENT', 'PAUSE', 4000, 'ALL');
      for (let count = 99; count >= 80; count -= 1) assert.deepEqual(await left(server), [200, count]);
      assert.deepEqual(states(server), ['limits.local']);
      await untilShared(server);
      const [status, remaining] = await left(server);
      // Twenty were counted there, this one, and perhaps the one that was under way when it paused.
      assert.equal(status, 200);
      assert.ok(remaining === 99 || remaining === 98, String(remaining));
    });

    it('a server counts by itself while Redis is down, and in Redis again afterwards', async (t) => {
      const server = await startOn(t);
      for (let count = 119; count >= 80; count -= 1) assert.deepEqual(await left(server), [200, count]);
      await redis.shutdown();
      for (let count = 79; count >= 0; count -= 1) assert.deepEqual(await left(server), [200, count]);
      assert.deepEqual(await left(server), [429, 0]);
      await redis.restart();
      await untilShared(server);
      assert.deepEqual(states(server), ['limits.local', 'limits.shared']);
      // It came back empty: that is the one further allowance.
      assert.deepEqual(await left(server), [200, 119]);
    });

    it('a full allowance starts after FLUSHALL, and the server keeps counting in Redis', async (t) => {
      const server = await startOn(t);
      for (let count = 119; count >= 60; count -= 1) assert.deepEqual(await left(server), [200, count]);
      await redis.command('FLUSHALL');
      await redis.command('SCRIPT', 'FLUSH');
      for (let count = 119; count >= 0; count -= 1) assert.deepEqual(await left(server), [200, count]);
      assert.deepEqual(await left(server), [429, 0]);
      assert.deepEqual(states(server), []);
    });

    it('a server counts by itself while Redis is read-only, and in Redis again afterwards', async (t) => {
      const server = await startOn(t);
      assert.deepEqual(await left(server), [200, 119]);
      await redis.command('REPLICAOF', '127.0.0.1', 1);
      for (let count = 118; count >= 110; count -= 1) assert.deepEqual(await left(server), [200, count]);
      assert.deepEqual(states(server), ['limits.local']);
      await redis.command('REPLICAOF', 'NO', 'ONE');
      await untilShared(server);
    });
  });
}
