/** The store through PgBouncer in transaction mode, where nothing outlives a transaction. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { listPostgresClients } from '../../src/store/postgres/upkeep.ts';
import { askForToken, bearer, issueToken, registerClient } from '../support/oauth.ts';
import { pgBouncerMissing, startPgBouncer } from '../support/pgbouncer.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { json, startOneServer } from '../support/server.ts';
import { storeContract } from './contract.ts';

const postgres = pgBouncerMissing ?? sharedPostgres();
if (typeof postgres === 'string') it(`not run: PgBouncer: ${postgres}`, () => {});
else {
  after(() => postgres.close());
  storeContract('PostgreSQL through PgBouncer in transaction mode', async () => {
    const bouncer = await startPgBouncer(await postgres.port());
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
  describe('DATABASE_URL of PgBouncer in transaction mode', () => suite(postgres));
}

const open = (url: string) => openPostgresStore({ url, clock: systemClock, log: silentLog });

function suite({ createDatabase, port, query }: TestPostgres): void {
  it('the server serves many clients at once over four connections', async (t) => {
    const direct = await createDatabase();
    const bouncer = await startPgBouncer(await port(), 4);
    t.after(() => bouncer.close());
    const url = bouncer.through(direct);
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
    // The operator's commands work through it, too.
    assert.equal((await listPostgresClients(url)).length, 20);
  });
}
