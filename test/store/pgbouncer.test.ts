/** Tests the store through PgBouncer in transaction mode, where no state of a session outlives a transaction. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { listPostgresClients } from '../../src/store/postgres/upkeep.ts';
import { createBearerHeaders, issueToken, registerClient, requestToken } from '../support/oauth.ts';
import { pgBouncerSkipReason, startPgBouncer } from '../support/pgbouncer.ts';
import { getSharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { createJsonPost, startOneServer } from '../support/server.ts';
import { storeContract } from './contract.ts';

const postgres = pgBouncerSkipReason ?? getSharedPostgres();
if (typeof postgres === 'string') it('the tests on PgBouncer', { skip: `not run: ${postgres}` });
else {
  after(() => postgres.close());
  storeContract('PostgreSQL through PgBouncer in transaction mode', async () => {
    const bouncer = await startPgBouncer(await postgres.getPort());
    const url = bouncer.getPooledUrl(await postgres.createDatabase());
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

function registerTests({ createDatabase, getPort, query }: TestPostgres): void {
  it('the server serves many clients at once over four connections', async (t) => {
    const directUrl = await createDatabase();
    const bouncer = await startPgBouncer(await getPort(), 4);
    t.after(() => bouncer.close());
    const url = bouncer.getPooledUrl(directUrl);
    const env = { DATABASE_URL: url, SECRET_KEY: 'a-key-of-at-least-thirty-two-characters' };
    const server = await startOneServer({ env });
    t.after(() => server.close());
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const client = await registerClient(server, { client_name: `client ${index}` });
        const token = await issueToken(server, client, 'read:docs export:docs');
        const { json: principal } = await server.request('/agent/auth', { headers: createBearerHeaders(token) });
        assert.equal(principal.client_id, client.id);
        const exportResponse = await server.request(
          '/api/v1/exports',
          createJsonPost(
            { resource: 'faq', format: 'json' },
            { ...createBearerHeaders(token), 'idempotency-key': `key-${index}` },
          ),
        );
        assert.equal(exportResponse.status, 202, exportResponse.text);
        const poll = exportResponse.json.poll_url.slice(server.baseUrl.length);
        const job = await server.request(poll, { headers: { ...createBearerHeaders(token), prefer: 'wait=10' } });
        assert.equal(job.json.status, 'completed', job.text);
        assert.equal((await requestToken(server, client)).status, 200);
      }),
    );
    assert.equal((await query(directUrl, 'SELECT count(*)::int AS count FROM clients'))[0]?.count, 20);
    const failures = server.logLines.filter(({ level, status }) => level === 'error' || Number(status) >= 500);
    assert.deepEqual(failures, []);
    // The function behind the command `colophon clients` works through PgBouncer, too.
    assert.equal((await listPostgresClients(url)).length, 20);
  });
}
