/** Tests rate limits in PostgreSQL: the shared contract, two servers on one database, and a database that stalls or crashes. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Database } from '../../src/store/database.ts';
import { createPostgresRates } from '../../src/store/postgres/rates.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import type { CounterRequest } from '../../src/store/rate-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createPostgres, type TestPostgres } from '../support/postgres.ts';
import { createJsonPost, startTestServer, type TestServer } from '../support/server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';
import { testRateCounters, toRateCounters } from './rate-contract.ts';

const cluster = createPostgres();
if (typeof cluster === 'string') it('the tests on PostgreSQL', { skip: `not run: ${cluster}` });
else testWith(cluster);

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
  const countRows = async (): Promise<unknown> =>
    (await postgres.query(url, 'SELECT count(*) FROM rate_hits'))[0]?.count;

  testRateCounters(
    'PostgreSQL',
    async (clock) => {
      await postgres.query(url, 'TRUNCATE rate_hits');
      return toRateCounters(createPostgresRates({ database, now: clock.now }));
    },
    { runs: 20 },
  );

  describe('createPostgresRates: concurrent instances, and the deletion of expired counters', () => {
    const createRequest = (key: string, limit: number): CounterRequest => ({
      key,
      limit,
      windowMs: 60_000,
      count: true,
    });

    it('concurrent requests of two instances are allowed up to exactly the limit, by the time of the database', async () => {
      const open = () => createPostgresRates({ database });
      const [first, second] = [open(), open()];
      const states = await Promise.all(
        Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? first : second).take(createRequest('hot', 120))),
      );
      assert.equal(states.filter(({ allowed }) => allowed).length, 120);
      await Promise.all([first.close(), second.close()]);
    });

    it('counters are deleted an hour after they stopped counting', async () => {
      await postgres.query(url, 'TRUNCATE rate_hits');
      const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
      const { take } = createPostgresRates({ database, now: clock.now });
      await Promise.all(Array.from({ length: 50 }, (_, index) => take(createRequest(`key ${index}`, 5))));
      await clock.advance(59_000);
      await take(createRequest('late', 5));
      assert.equal(await countRows(), '51');
      const expired = clock.now() + 1000 + 3_600_000;
      while ((await sweep(expired, 20)).more) assert.ok(true);
      assert.equal(await countRows(), '1');
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
    const listEvents = ({ logLines }: TestServer): unknown[] =>
      logLines.map(({ event }) => event).filter((event) => String(event).startsWith('limits.'));
    const waitForEvents = (server: TestServer, count: number): Promise<void> =>
      waitUntil(() => listEvents(server).length >= count);

    it('two servers together allow exactly 120 requests of an address', async (t) => {
      const shared = await postgres.createDatabase();
      const [first, second] = [await startOn(t, shared), await startOn(t, shared)];
      const responses = await Promise.all(
        Array.from({ length: 160 }, (_, index) => (index % 2 === 0 ? first : second).request('/api/v1/docs')),
      );
      const allowedResponses = responses.filter(({ status }) => status === 200);
      assert.equal(allowedResponses.length, 120);
      assert.deepEqual(
        allowedResponses.map(({ headers }) => Number(headers.get('ratelimit-remaining'))).sort((a, b) => a - b),
        Array.from({ length: 120 }, (_, index) => index),
      );
      for (const { status, headers, json } of responses) {
        if (status === 200) continue;
        assert.equal(status, 429);
        assert.equal(json.code, 'rate_limited');
        assert.match(headers.get('retry-after') ?? '', /^([1-9]|[1-5][0-9]|60)$/);
      }
      assert.deepEqual([...listEvents(first), ...listEvents(second)], []);
    });

    it('the servers share RATE_LIMIT_REGISTRATION, RATE_LIMIT_TOKEN and RATE_LIMIT_REFUSED', async (t) => {
      const shared = await postgres.createDatabase();
      const env = { RATE_LIMIT_REGISTRATION: '3', RATE_LIMIT_TOKEN: '4', RATE_LIMIT_REFUSED: '2' };
      const [first, second] = [await startOn(t, shared, env), await startOn(t, shared, env)];
      const register = (server: TestServer) =>
        server.request('/oauth/register', createJsonPost({ scope: 'read:docs' }));
      const clients = [await register(first), await register(second), await register(first), await register(second)];
      assert.deepEqual(
        clients.map(({ status }) => status),
        [201, 201, 201, 429],
      );
      assert.equal(clients[3]?.headers.get('ratelimit-policy'), '"registration";q=3;w=3600');
      const { client_id, client_secret } = clients[0]?.json ?? {};
      const { json: tokenResponse } = await second.request('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
      });
      const headers = { authorization: `Bearer ${tokenResponse.access_token}` };
      const limits = [];
      for (const server of [first, second, first, second, first]) {
        const { status, headers: responseHeaders } = await server.request('/api/v1/docs', { headers });
        limits.push([status, responseHeaders.get('ratelimit')?.replace(/;t=\d+/, '')]);
      }
      assert.deepEqual(limits, [
        [200, '"authenticated";r=3'],
        [200, '"authenticated";r=2'],
        [200, '"authenticated";r=1'],
        [200, '"authenticated";r=0'],
        [429, '"authenticated";r=0'],
      ]);
      const statuses = [];
      for (const server of [first, second, first]) {
        statuses.push((await server.request('/api/v1/docs', { headers: { authorization: 'Bearer none' } })).status);
      }
      assert.deepEqual(statuses, [401, 401, 429]);
    });

    it('a server counts by itself while the database stalls, and together with the other one afterwards', async (t) => {
      const port = await postgres.getPort();
      const proxy = await startTcpProxy(port);
      t.after(() => proxy.close());
      const shared = await postgres.createDatabase();
      const stalledServer = await startOn(t, shared.replace(`:${port}/`, `:${proxy.port}/`));
      const otherServer = await startOn(t, shared);
      for (let count = 1; count <= 40; count += 1) await stalledServer.request('/api/v1/docs');
      for (let count = 1; count <= 30; count += 1) await otherServer.request('/api/v1/docs');
      proxy.pause();
      // While the database stalls, the server knows only the 40 requests that it served itself, so the next one leaves 79.
      for (let remaining = 79; remaining >= 70; remaining -= 1) {
        const { status, headers } = await stalledServer.request('/api/v1/docs');
        assert.deepEqual([status, headers.get('ratelimit-remaining')], [200, String(remaining)]);
      }
      assert.deepEqual(listEvents(stalledServer), ['limits.local']);
      proxy.resume();
      await waitForEvents(stalledServer, 2);
      assert.deepEqual(listEvents(stalledServer), ['limits.local', 'limits.shared']);
      const { headers } = await stalledServer.request('/api/v1/docs');
      // The database has counted 70 requests, and possibly the one that was sent to it when it stalled.
      assert.match(headers.get('ratelimit-remaining') ?? '', /^(49|48)$/);
    });

    it('a server counts by itself while the database is down, and in the database again afterwards', async (t) => {
      const shared = await postgres.createDatabase();
      const server = await startOn(t, shared);
      assert.equal((await server.request('/api/v1/docs')).headers.get('ratelimit-remaining'), '119');
      await postgres.kill();
      for (let remaining = 118; remaining >= 0; remaining -= 1) {
        const { status, headers } = await server.request('/api/v1/docs');
        assert.deepEqual([status, headers.get('ratelimit-remaining')], [200, String(remaining)]);
      }
      assert.equal((await server.request('/api/v1/docs')).status, 429);
      await postgres.restart();
      await waitForEvents(server, 2);
      assert.deepEqual(listEvents(server), ['limits.local', 'limits.shared']);
      // The table of the counters is UNLOGGED, so a crash of PostgreSQL empties it and the full limit is available again.
      assert.equal((await server.request('/api/v1/docs')).headers.get('ratelimit-remaining'), '119');
    });
  });
}
