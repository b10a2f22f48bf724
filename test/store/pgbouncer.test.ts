/** The store through a pooler: in transaction mode nothing outlives a transaction, in session mode settings do. */
import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import type { Log } from '../../src/base/log.ts';
import { silentLog } from '../../src/base/log.ts';
import { createPostgresFeeds } from '../../src/store/postgres/feeds.ts';
import { statement } from '../../src/store/postgres/queries.ts';
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/store.ts';
import { inspectPostgres, listPostgresClients } from '../../src/store/postgres/upkeep.ts';
import { StoreUnusable } from '../../src/store/store.ts';
import { askForToken, bearer, issueToken, registerClient } from '../support/oauth.ts';
import { pgBouncerMissing, startPgBouncer } from '../support/pgbouncer.ts';
import { sharedPostgres, type TestPostgres, testPassword } from '../support/postgres.ts';
import { json, startOneServer } from '../support/server.ts';
import { storeContract } from './contract.ts';
import { newClient, newToken } from './samples.ts';

const postgres = pgBouncerMissing ?? (await sharedPostgres());
if (typeof postgres === 'string') it(`not run: PgBouncer: ${postgres}`, () => {});
else {
  after(() => postgres.close());
  storeContract('PostgreSQL through PgBouncer in transaction mode', async () => {
    const bouncer = await startPgBouncer(postgres.port, { mode: 'transaction' });
    const url = bouncer.through(await postgres.createDatabase());
    let store = await open(url);
    return {
      store,
      async close() {
        await store.close();
        await bouncer.close();
      },
      async reopen() {
        await store.close();
        store = await open(url);
        return store;
      },
    };
  });
  describe('a pooler', () => suite(postgres));
}

const open = (url: string, options: Partial<PostgresStoreOptions> = {}) =>
  openPostgresStore({ url, clock: systemClock, log: silentLog, ...options });

const readTimeout = statement('test_timeout', "SELECT current_setting('statement_timeout') AS value");

function suite({ createDatabase, port, query }: TestPostgres): void {
  async function pooled(t: TestContext, mode: 'session' | 'transaction', size?: number) {
    const direct = await createDatabase();
    const bouncer = await startPgBouncer(port, { mode, ...(size !== undefined && { size }) });
    t.after(() => bouncer.close());
    return { direct, url: bouncer.through(direct) };
  }

  it('is recognized: none, session mode, transaction mode', async (t) => {
    for (const size of [1, 5]) {
      const { url } = await pooled(t, 'transaction', size);
      const lines: Record<string, unknown>[] = [];
      const note: Log['info'] = (fields) => void lines.push(fields);
      const store = await open(url, { log: { info: note, warn: note, error: note } });
      assert.equal(store.connection.pooling, 'transaction');
      assert.deepEqual(
        lines.map(({ event }) => event),
        ['store.pooler', 'store.no_statement_timeout'],
      );
      await store.close();
    }
    const { url, direct } = await pooled(t, 'session');
    const [store, beside] = [await open(url), await open(direct)];
    assert.deepEqual([store.connection.pooling, beside.connection.pooling], ['session', 'none']);
    for (const one of [store, beside]) {
      assert.equal((await one.connection.get(readTimeout))?.value, '2s');
      await one.close();
    }
  });

  it('in transaction mode serves many clients at once, each with what is its own', async (t) => {
    const { url, direct } = await pooled(t, 'transaction', 4);
    const env = { DATABASE_URL: url, SECRET_KEY: 'a-key-of-at-least-thirty-two-characters' };
    const server = await startOneServer({ env });
    t.after(() => server.close());
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const client = await registerClient(server, { client_name: `client ${index}` });
        const token = await issueToken(server, client, 'read:docs export:docs');
        const { json: who } = await server.ask('/agent/auth', { headers: bearer(token) });
        assert.equal(who.client_id, client.id);
        const started = await server.ask(
          '/api/v1/exports',
          json({ resource: 'faq', format: 'json' }, { ...bearer(token), 'idempotency-key': `key-${index}` }),
        );
        assert.equal(started.status, 202, started.text);
        const poll = started.json.poll_url.slice(server.baseUrl.length);
        const done = await server.ask(poll, { headers: { ...bearer(token), prefer: 'wait=10' } });
        assert.equal(done.json.status, 'completed', done.text);
        assert.equal((await askForToken(server, client)).status, 200);
      }),
    );
    assert.equal((await query(direct, 'SELECT count(*)::int AS count FROM clients'))[0]?.count, 20);
    const failed = server.lines.filter(({ level, status }) => level === 'error' || Number(status) >= 500);
    assert.deepEqual(failed, []);
    // What an operator does works through it, too.
    assert.equal((await listPostgresClients(url)).length, 20);
    assert.equal((await inspectPostgres(url, null)).pending, 0);
  });

  it('in transaction mode cancels the transaction of a process that fell silent, and limits its statements', async (t) => {
    const { url } = await pooled(t, 'transaction');
    const store = await open(url);
    t.after(() => store.close());
    const value = await store.connection.transaction(async (queries) => (await queries.get(readTimeout))?.value);
    assert.equal(value, '2s');
    assert.equal((await store.connection.get(readTimeout))?.value, '0', 'a setting must not leak to others');
  });

  it('that refuses what connections begin with is named with the parameter, without the password', async (t) => {
    const { url } = await pooled(t, 'session');
    const refused = (error: unknown): boolean => {
      assert.ok(error instanceof StoreUnusable);
      assert.match(error.message, /refuses the startup parameter statement_timeout: leave DATABASE_POOLER at auto/);
      assert.doesNotMatch(error.message, new RegExp(testPassword));
      return true;
    };
    await assert.rejects(open(url, { pooler: 'none' }), refused);
  });

  it('in transaction mode elects one process to fetch the feed, which the next one replaces', async (t) => {
    const { url } = await pooled(t, 'transaction');
    const [one, other] = [await open(url), await open(url)];
    t.after(async () => {
      await one.close();
      await other.close();
    });
    let ended = 0;
    const onEnd = (): void => {
      ended += 1;
    };
    const first = await createPostgresFeeds(one.connection, 1).campaign('feed', onEnd);
    const second = await createPostgresFeeds(other.connection, 1).campaign('feed', onEnd);
    assert.deepEqual([await first.isLeader(), await second.isLeader(), await first.isLeader()], [true, false, true]);
    await first.save('{"a":1}', Buffer.from('copy'));
    await assert.rejects(second.save('{}', Buffer.from('late')), /another process/);
    const check = { checkedAt: 1, freshUntil: 2, nextCheckAt: 3, problem: null };
    await first.report(check);
    await assert.rejects(second.report(check), /another process/);
    assert.deepEqual(await one.feeds.news('feed'), { version: 1, ...check });
    first.resign();
    for (let tries = 0; !(await second.isLeader()); tries += 1) assert.ok(tries < 1000);
    await assert.rejects(first.save('{}', Buffer.from('late')), /another process/);
    await second.save('{"a":2}', Buffer.from('copy 2'));
    assert.equal((await one.feeds.load('feed'))?.version, 2);
    assert.equal(ended, 0);
  });

  it('in transaction mode takes a lease from a leader that fell silent, who is told', async (t) => {
    const { url, direct } = await pooled(t, 'transaction');
    const store = await open(url);
    t.after(() => store.close());
    const feeds = createPostgresFeeds(store.connection, 15);
    let ended = 0;
    const silent = await feeds.campaign('feed', () => {
      ended += 1;
    });
    const next = await feeds.campaign('feed', () => assert.fail('it leads'));
    assert.deepEqual([await silent.isLeader(), await next.isLeader()], [true, false]);
    await query(direct, "UPDATE feeds SET leader_until = leader_until - 15000 WHERE key = 'feed'");
    await assert.rejects(silent.save('{}', Buffer.from('late')), /another process/);
    assert.equal(await next.isLeader(), true);
    assert.equal(await silent.isLeader(), false);
    assert.equal(ended, 1);
  });

  it('that appears between requests is an outage, not a fault of the program', async (t) => {
    const { url } = await pooled(t, 'transaction', 2);
    const store = await open(url, { pooler: 'session' });
    t.after(() => store.close());
    const clients = Array.from({ length: 30 }, () => newClient());
    const outcomes = await Promise.allSettled(
      clients.map(async (client) => {
        await store.createClient(client);
        await store.issueToken(newToken(client.id));
        return store.findClient(client.id);
      }),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'upstream_unavailable', outcome.reason);
    }
    assert.ok(outcomes.some(({ status }) => status === 'rejected'));
  });
}
