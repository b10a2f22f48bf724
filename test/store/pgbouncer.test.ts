/** Tests the store through PgBouncer in transaction mode, where no state of a session outlives a transaction. */
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
if (typeof postgres === 'string') it('the tests on PgBouncer', { skip: `not run: ${postgres}` });
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
  describe('DATABASE_URL of PgBouncer in transaction mode', () => registerTests(postgres));
}

const open = (url: string) => openPostgresStore({ url, clock: systemClock, log: silentLog });

function registerTests({ createDatabase, port, query }: TestPostgres): void {
  it('the server serves many clients at once over four connections', async (t) => {
    const directUrl = await createDatabase();
    const bouncer = await startPgBouncer(await port(), 4);
    t.after(() => bouncer.close());
    const url = bouncer.through(directUrl);
    const env = { DATABASE_URL: url, SECRET_KEY: 'a-key-of-at-least-thirty-two-characters' };
    const server = await startOneServer({ env });
    t.after(() => server.close());
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const client = await registerClient(server, { client_name: `client ${index}` });
        const token = await issueToken(server, client, 'read:docs export:docs');
        const { json: principal } = await server.ask('/agent/auth', { headers: bearer(token) });
        assert.equal(principal.client_id, client.id);
        const exportResponse = await server.ask(
          '/api/v1/exports',
          json({ resource: 'faq', format: 'json' }, { ...bearer(token), 'idempotency-key': `key-${index}` }),
        );
        assert.equal(exportResponse.status, 202, exportResponse.text);
        const poll = exportResponse.json.poll_url.slice(server.baseUrl.length);
        const job = await server.ask(poll, { headers: { ...bearer(token), prefer: 'wait=10' } });
        assert.equal(job.json.status, 'completed', job.text);
        assert.equal((await askForToken(server, client)).status, 200);
      }),
    );
    assert.equal((await query(directUrl, 'SELECT count(*)::int AS count FROM clients'))[0]?.count, 20);
    const failures = server.lines.filter(({ level, status }) => level === 'error' || Number(status) >= 500);
    assert.deepEqual(failures, []);
    // The function behind the command `colophon clients` works through PgBouncer, too.
    assert.equal((await listPostgresClients(url)).length, 20);
  });
}
