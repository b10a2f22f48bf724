/** Bursts of one client on PostgreSQL: they take one connection, few statements, and nothing that others need. */
import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { Client } from 'pg';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { askForToken, bearer, issueToken, registerClient } from '../support/oauth.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { startOneServer } from '../support/server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { newClient, newCode, newHash, newToken, start } from './samples.ts';

const postgres = await sharedPostgres();
if (typeof postgres === 'string') it(`not run: PostgreSQL: ${postgres}`, () => {});
else {
  after(() => postgres.close());
  describe('a burst of one client', () => bursts(postgres));
}

function bursts({ createDatabase, port }: TestPostgres): void {
  /** Holds a client's row, as another process that issues a token for it does, until told. */
  async function hold(t: TestContext, url: string, id: string): Promise<() => Promise<unknown>> {
    const holder = new Client({ connectionString: url });
    await holder.connect();
    t.after(() => holder.end());
    await holder.query('BEGIN');
    await holder.query('SELECT FROM clients WHERE id = $1 FOR UPDATE', [id]);
    return () => holder.query('COMMIT');
  }

  it('waits outside of the pool, and others are served meanwhile', async (t) => {
    const url = await createDatabase();
    const store = await openPostgresStore({ url, clock: systemClock, log: silentLog, size: 2 });
    t.after(() => store.close());
    const [busy, other] = [newClient(), newClient()];
    await store.createClient(busy);
    await store.createClient(other);
    const code = newCode(busy.id);
    await store.createCode(code);
    const release = await hold(t, url, busy.id);
    const tokens = Array.from({ length: 60 }, () => newToken(busy.id));
    const issuing = Promise.all(tokens.map((token) => store.issueToken(token)));
    const redeeming = store.redeemCode(code.hash, newToken(busy.id));
    const asserting = store.redeemAssertion({ hash: newHash(), expiresAt: start + 1 }, newToken(busy.id));
    const finding = Promise.all(Array.from({ length: 40 }, () => store.findClient(busy.id)));
    assert.equal(await store.issueToken(newToken(other.id)), 'issued');
    assert.equal((await finding).filter((found) => found?.id === busy.id).length, 40);
    assert.deepEqual(store.connection.pool(), { open: 2, busy: 1, waiting: 0 });
    await release();
    assert.deepEqual(new Set(await issuing), new Set(['issued']));
    assert.deepEqual([await redeeming, await asserting], ['issued', 'issued']);
    const found = await Promise.all(tokens.map(({ hash }) => store.findToken(hash, start)));
    assert.ok(found.every((token) => token?.clientId === busy.id));
  });

  it('is told at once when the database is gone, however many wait', async (t) => {
    const direct = await createDatabase();
    const url = new URL(direct);
    const proxy = await startTcpProxy(port);
    t.after(() => proxy.close());
    url.port = String(proxy.port);
    const store = await openPostgresStore({ url: url.href, clock: systemClock, log: silentLog });
    t.after(() => store.close());
    const client = newClient();
    await store.createClient(client);
    const code = newCode(client.id);
    await store.createCode(code);
    const release = await hold(t, direct, client.id);
    const taken = proxy.taken();
    const asked = [
      ...Array.from({ length: 30 }, () => store.issueToken(newToken(client.id))),
      ...Array.from({ length: 30 }, () => store.redeemCode(code.hash, newToken(client.id))),
    ];
    const settled = Promise.allSettled(asked);
    proxy.refuse();
    proxy.cut();
    for (const { status } of await settled) assert.equal(status, 'rejected');
    assert.ok(proxy.taken() - taken <= 2, 'one of them at most tried again');
    proxy.admit();
    await release();
    assert.equal(await store.issueToken(newToken(client.id)), 'issued');
  });

  it('succeeds whole when the database is 20 ms away, and so does everything that others ask', async (t) => {
    const url = new URL(await createDatabase());
    const proxy = await startTcpProxy(port, { delayMs: 10 });
    t.after(() => proxy.close());
    url.port = String(proxy.port);
    const server = await startOneServer({
      env: { DATABASE_URL: url.href, SECRET_KEY: 'a-key-of-at-least-thirty-two-characters', RATE_LIMIT_ISSUE: '60' },
      // A busy machine may be late; counters that this process keeps meanwhile would let another request in.
      limitsDeadlineMs: 10_000,
    });
    t.after(() => server.close());
    const [busy, other] = [await registerClient(server), await registerClient(server)];
    const token = await issueToken(server, other);
    const before = proxy.open();
    const sentBefore = proxy.sent();
    const burst = Promise.all(Array.from({ length: 60 }, () => askForToken(server, busy)));
    let over = false;
    void burst.then(() => {
      over = true;
    });
    const others: number[] = [];
    const waits: number[] = [];
    do {
      const asked = performance.now();
      others.push((await server.ask('/agent/auth', { headers: bearer(token) })).status);
      waits.push(performance.now() - asked);
    } while (!over);
    t.diagnostic(
      `${others.length} requests of another client, waits in ms: ${waits.map((ms) => ms.toFixed(0)).join(' ')}`,
    );
    assert.deepEqual(new Set((await burst).map(({ status }) => status)), new Set([200]));
    assert.deepEqual(new Set(others), new Set([200]));
    assert.ok(proxy.open() - before <= 4, `${proxy.open() - before} further connections`);
    // Whoever waits for the same shares a round trip: client, limits and tokens of the sixty, and what each other request asks.
    const trips = proxy.sent() - sentBefore;
    t.diagnostic(`${trips} round trips, the longest wait of the other client ${Math.max(...waits).toFixed(0)} ms`);
    assert.ok(
      trips <= 30 + 2 * others.length,
      `${trips} round trips for 60 tokens and ${others.length} other requests`,
    );
    const tripsOfRead: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const asked = proxy.sent();
      assert.equal((await server.ask('/api/v1/docs', { headers: bearer(token) })).status, 200);
      tripsOfRead.push(proxy.sent() - asked);
    }
    assert.equal(Math.min(...tripsOfRead), 1, 'a token is looked up and counted in one round trip');
    assert.equal((await askForToken(server, busy)).status, 429);
  });
}
