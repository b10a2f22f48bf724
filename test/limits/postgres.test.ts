/** Rate limits in PostgreSQL: the common contract, two servers on one database, and a database that goes away. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Database } from '../../src/store/database.ts';
import { createPostgresRates } from '../../src/store/postgres/rates.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import type { CounterRequest } from '../../src/store/rate-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createPostgres, type TestPostgres } from '../support/postgres.ts';
import { json, startTestServer, type TestServer } from '../support/server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { rateContract, toRateCounters } from './rate-contract.ts';

const started = createPostgres();
if (typeof started === 'string') it(`not run: PostgreSQL: ${started}`, () => {});
else testWith(started);

function testWith(postgres: TestPostgres): void {
  let url: string;
  let database: Database;
  let sweep: Store['sweep'];
  let close = async (): Promise<void> => {};
  before(async () => {
    url = await postgres.createDatabase();
    ({ database, sweep, close } = await openPostgresStore({ url, clock: systemClock, log: silentLog }));
  });
  after(async () => {
    await close();
    await postgres.close();
  });
  const rows = async (): Promise<unknown> => (await postgres.query(url, 'SELECT count(*) FROM rate_hits'))[0]?.count;

  rateContract(
    'PostgreSQL',
    async (clock) => {
      await postgres.query(url, 'TRUNCATE rate_hits');
      return toRateCounters(createPostgresRates({ database, now: clock.now }));
    },
    { runs: 20 },
  );

  describe('createPostgresRates: concurrent instances, and the deletion of expired counters', () => {
    const ask = (key: string, limit: number): CounterRequest => ({ key, limit, windowMs: 60_000, count: true });

    it('concurrent requests of two instances are allowed up to exactly the limit, by the time of the database', async () => {
      const open = () => createPostgresRates({ database });
      const [one, two] = [open(), open()];
      const taken = await Promise.all(
        Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? one : two).take(ask('hot', 120))),
      );
      assert.equal(taken.filter(({ allowed }) => allowed).length, 120);
      await Promise.all([one.close(), two.close()]);
    });

    it('counters are deleted an hour after they stopped counting', async () => {
      await postgres.query(url, 'TRUNCATE rate_hits');
      const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
      const { take } = createPostgresRates({ database, now: clock.now });
      await Promise.all(Array.from({ length: 50 }, (_, index) => take(ask(`key ${index}`, 5))));
      await clock.advance(59_000);
      await take(ask('late', 5));
      assert.equal(await rows(), '51');
      const expired = clock.now() + 1000 + 3_600_000;
      while ((await sweep(expired, 20)).more) assert.ok(true);
      assert.equal(await rows(), '1');
    });
  });

  describe('Rate limits of servers with the same DATABASE_URL: rate_limited', () => {
    const startOn = async (t: TestContext, DATABASE_URL: string, env = {}): Promise<TestServer> => {
      const SECRET_KEY = 'the same secret for each of them, 32 long';
      const server = await startTestServer({
        env: { DATABASE_URL, SECRET_KEY, RATE_LIMIT_ANONYMOUS: '120', ...env },
        limitsDeadlineMs: 1000,
      });
      t.after(() => server.close());
      return server;
    };
    const states = ({ lines }: TestServer): unknown[] =>
      lines.map(({ event }) => event).filter((event) => String(event).startsWith('limits.'));
    const untilState = (server: TestServer, count: number): Promise<void> =>
      until(async () => states(server).length >= count);

    it('two servers together allow exactly 120 requests of an address', async (t) => {
      const shared = await postgres.createDatabase();
      const [one, two] = [await startOn(t, shared), await startOn(t, shared)];
      const answers = await Promise.all(
        Array.from({ length: 160 }, (_, index) => (index % 2 === 0 ? one : two).ask('/api/v1/docs')),
      );
      const passed = answers.filter(({ status }) => status === 200);
      assert.equal(passed.length, 120);
      assert.deepEqual(
        passed.map(({ headers }) => Number(headers.get('ratelimit-remaining'))).sort((a, b) => a - b),
        Array.from({ length: 120 }, (_, index) => index),
      );
      for (const { status, headers, json } of answers) {
        if (status === 200) continue;
        assert.equal(status, 429);
        assert.equal(json.code, 'rate_limited');
        assert.match(headers.get('retry-after') ?? '', /^([1-9]|[1-5][0-9]|60)$/);
      }
      assert.deepEqual([...states(one), ...states(two)], []);
    });

    it('the servers share RATE_LIMIT_REGISTRATION, RATE_LIMIT_TOKEN and RATE_LIMIT_REFUSED', async (t) => {
      const shared = await postgres.createDatabase();
      const env = { RATE_LIMIT_REGISTRATION: '3', RATE_LIMIT_TOKEN: '4', RATE_LIMIT_REFUSED: '2' };
      const [one, two] = [await startOn(t, shared, env), await startOn(t, shared, env)];
      const register = (server: TestServer) => server.ask('/oauth/register', json({ scope: 'read:docs' }));
      const clients = [await register(one), await register(two), await register(one), await register(two)];
      assert.deepEqual(
        clients.map(({ status }) => status),
        [201, 201, 201, 429],
      );
      assert.equal(clients[3]?.headers.get('ratelimit-policy'), '"registration";q=3;w=3600');
      const { client_id, client_secret } = clients[0]?.json ?? {};
      const { json: issued } = await two.ask('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
      });
      const headers = { authorization: `Bearer ${issued.access_token}` };
      const left = [];
      for (const server of [one, two, one, two, one]) {
        const { status, headers: sent } = await server.ask('/api/v1/docs', { headers });
        left.push([status, sent.get('ratelimit')?.replace(/;t=\d+/, '')]);
      }
      assert.deepEqual(left, [
        [200, '"authenticated";r=3'],
        [200, '"authenticated";r=2'],
        [200, '"authenticated";r=1'],
        [200, '"authenticated";r=0'],
        [429, '"authenticated";r=0'],
      ]);
      const refused = [];
      for (const server of [one, two, one]) {
        refused.push((await server.ask('/api/v1/docs', { headers: { authorization: 'Bearer none' } })).status);
      }
      assert.deepEqual(refused, [401, 401, 429]);
    });

    it('a server counts by itself while the database stalls, and together with the other one afterwards', async (t) => {
      const port = await postgres.port();
      const proxy = await startTcpProxy(port);
      t.after(() => proxy.close());
      const shared = await postgres.createDatabase();
      const stalled = await startOn(t, shared.replace(`:${port}/`, `:${proxy.port}/`));
      const other = await startOn(t, shared);
      for (let count = 1; count <= 40; count += 1) await stalled.ask('/api/v1/docs');
      for (let count = 1; count <= 30; count += 1) await other.ask('/api/v1/docs');
      proxy.pause();
      // Forty were its own; of the other's it knows nothing.
      for (let left = 79; left >= 70; left -= 1) {
        const { status, headers } = await stalled.ask('/api/v1/docs');
        assert.deepEqual([status, headers.get('ratelimit-remaining')], [200, String(left)]);
      }
      assert.deepEqual(states(stalled), ['limits.local']);
      proxy.resume();
      await untilState(stalled, 2);
      assert.deepEqual(states(stalled), ['limits.local', 'limits.shared']);
      const { headers } = await stalled.ask('/api/v1/docs');
      // 70 were counted there, and perhaps the one that was under way when it stalled.
      assert.match(headers.get('ratelimit-remaining') ?? '', /^(49|48)$/);
    });

    it('a server counts by itself while the database is down, and in the database again afterwards', async (t) => {
      const shared = await postgres.createDatabase();
      const server = await startOn(t, shared);
      assert.equal((await server.ask('/api/v1/docs')).headers.get('ratelimit-remaining'), '119');
      await postgres.kill();
      for (let left = 118; left >= 0; left -= 1) {
        const { status, headers } = await server.ask('/api/v1/docs');
        assert.deepEqual([status, headers.get('ratelimit-remaining')], [200, String(left)]);
      }
      assert.equal((await server.ask('/api/v1/docs')).status, 429);
      await postgres.restart();
      await untilState(server, 2);
      assert.deepEqual(states(server), ['limits.local', 'limits.shared']);
      // A crash empties the counters: that is the one further allowance.
      assert.equal((await server.ask('/api/v1/docs')).headers.get('ratelimit-remaining'), '119');
    });
  });
}

/** Asks again and again; the runner's time limit ends what never comes about. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}
