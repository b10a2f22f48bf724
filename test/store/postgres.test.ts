/** Tests the PostgreSQL store: the common contract, races between two stores on one database, and outages of the database. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Client } from 'pg';
import { ApiError } from '../../src/base/api-error.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { StoreUnusable } from '../../src/store/database.ts';
import { jobsPerClient } from '../../src/store/jobs.ts';
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/store.ts';
import { listPostgresClients } from '../../src/store/postgres/upkeep.ts';
import { readSchema } from '../../src/store/schema.ts';
import { countJobs } from '../../src/store/store.ts';
import { getSharedPostgres, type TestPostgres, testPassword } from '../support/postgres.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { storeContract } from './contract.ts';
import { day, hour, newClient, newCode, newHash, newJob, newToken, start } from './samples.ts';

const postgres = getSharedPostgres();

if (typeof postgres === 'string') it('the tests on PostgreSQL', { skip: `not run: ${postgres}` });
else {
  after(() => postgres.close());
  storeContract('PostgreSQL', async () => {
    const url = await postgres.createDatabase();
    let store = await openStore(url);
    return {
      store,
      close: () => store.close(),
      async reopen() {
        await store.close();
        store = await openStore(url);
        return store;
      },
    };
  });
  describe('Two stores with the same DATABASE_URL', () => registerRaceTests(postgres));
  describe('DATABASE_URL of a PostgreSQL database: upstream_unavailable', { concurrency: true }, () =>
    registerDatabaseTests(postgres),
  );
  describe('DATABASE_URL of a PostgreSQL server that is killed and restarted: upstream_unavailable', () =>
    registerRestartTest(postgres));
}

function openStore(url: string, options: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> {
  return openPostgresStore({ url, clock: systemClock, log: silentLog, ...options });
}

function registerRaceTests({ createDatabase, query }: TestPostgres): void {
  let url = '';
  let stores: PostgresStore[] = [];
  const createStore = (index: number): PostgresStore => stores[index % 2] ?? assert.fail();
  const inParallel = <T>(count: number, work: (store: PostgresStore, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => work(createStore(index), index)));
  const countRows = async (table: string): Promise<number> =>
    Number((await query(url, `SELECT count(*) FROM ${table}`))[0]?.count);

  it('four stores that open an empty database at once apply each migration once', async () => {
    url = await createDatabase();
    const openedStores = await Promise.all(Array.from({ length: 4 }, () => openStore(url)));
    stores = openedStores.slice(0, 2);
    for (const store of openedStores.slice(2)) await store.close();
    assert.deepEqual(
      await query(url, 'SELECT version, checksum FROM schema_migrations ORDER BY version'),
      readSchema('postgres').map(({ version, checksum }) => ({ version, checksum })),
    );
  });
  after(() => Promise.all(stores.map((store) => store.close())));

  async function registerClient(): Promise<string> {
    const client = newClient();
    assert.equal(await createStore(0).createClient(client), 'created');
    return client.id;
  }

  it('one of 32 claims of an idempotency key at once is new, and the others are replays or conflicts', async () => {
    for (let key = 0; key < 300; key += 1) {
      const [keyHash, body, otherBody] = [newHash(), newHash(), newHash()];
      const getBody = (index: number) => (index % 10 === 9 ? otherBody : body);
      const claims = await inParallel(32, (store, index) =>
        store.claimIdempotency(keyHash, getBody(index), start + index),
      );
      const winner = claims.findIndex(({ outcome }) => outcome === 'new');
      assert.deepEqual(
        claims.map(({ outcome, claimedAt }) => [outcome, claimedAt]),
        claims.map((_, index) => {
          const outcome = index === winner ? 'new' : getBody(index) === getBody(winner) ? 'replay' : 'conflict';
          return [outcome, start + winner];
        }),
      );
    }
  });

  it('an expired idempotency key is claimed by only one of 16 claims at once', async () => {
    const [keyHash, body] = [newHash(), newHash()];
    await createStore(0).claimIdempotency(keyHash, body, start);
    const claims = await inParallel(16, (store, index) => store.claimIdempotency(keyHash, body, start + day + index));
    assert.equal(claims.filter(({ outcome }) => outcome === 'new').length, 1);
    assert.equal(new Set(claims.map(({ claimedAt }) => claimedAt)).size, 1);
  });

  it('claims and releases of one idempotency key at the same time never fail', async () => {
    const [keyHash, body] = [newHash(), newHash()];
    const winCounts = await inParallel(32, async (store, index) => {
      let count = 0;
      for (let round = 0; round < 10; round += 1) {
        const claim = await store.claimIdempotency(keyHash, body, start + index);
        if (claim.outcome !== 'new') continue;
        count += 1;
        await store.releaseIdempotency(keyHash, claim.claimedAt);
      }
      return count;
    });
    assert.ok(winCounts.reduce((sum, count) => sum + count) > 1);
  });

  it('a code redeemed 50 times at once yields one token', async () => {
    const clientId = await registerClient();
    const code = newCode(clientId);
    await createStore(0).createCode(code);
    const outcomes = await inParallel(50, (store) => store.redeemCode(code.hash, newToken(clientId)));
    assert.equal(outcomes.filter((outcome) => outcome === 'issued').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome === 'used').length, 49);
    assert.equal(await countRows(`tokens WHERE client_id = '${clientId}'`), 1);
  });

  it('one ID registers one client, and one assertion issues one token, among 20 calls at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const repeated = newClient();
      const created = await inParallel(20, (store) => store.createClient(repeated));
      assert.equal(created.filter((outcome) => outcome === 'created').length, 1);
    }
    const client = newClient();
    await createStore(0).createClient(client);
    const use = { hash: newHash(), expiresAt: start + hour };
    const issued = await inParallel(20, (store) => store.redeemAssertion(use, newToken(client.id)));
    assert.equal(issued.filter((outcome) => outcome === 'issued').length, 1);
  });

  it('tokens that are issued while their client is revoked are not found afterwards', async () => {
    for (let round = 0; round < 15; round += 1) {
      const clientId = await registerClient();
      const code = newCode(clientId);
      await createStore(0).createCode(code);
      const tokens = Array.from({ length: 20 }, () => newToken(clientId));
      const issuing = inParallel<unknown>(20, (store, index) => {
        const token = tokens[index] ?? assert.fail();
        return index === 3 ? store.redeemCode(code.hash, token) : store.issueToken(token);
      });
      const revocations = inParallel(2, (store) => store.revokeClient(clientId, start, false));
      assert.deepEqual((await revocations).sort(), [false, true]);
      assert.equal(await createStore(round).issueToken(newToken(clientId)), 'client_gone');
      await issuing;
      const storedTokens = await inParallel(20, async (store, index) =>
        store.findToken(tokens[index]?.hash ?? newHash(), start),
      );
      assert.deepEqual(new Set(storedTokens), new Set([undefined]));
      assert.equal(await createStore(round).createCode(newCode(clientId)), false);
    }
  });

  it('the maximum number of jobs of a client is kept when both stores queue jobs at once', async () => {
    const clientId = await registerClient();
    await query(
      url,
      `INSERT INTO jobs (id, client_id, resource, format, status, failure, created_at, expires_at)
       SELECT 'job_old' || n, '${clientId}', 'docs', 'json', 'failed', '{}', n, ${start + hour}
       FROM generate_series(1, ${jobsPerClient}) AS n`,
    );
    await inParallel(30, (store, index) => store.createJob(newJob(clientId, start + index)));
    assert.equal(await countRows(`jobs WHERE client_id = '${clientId}'`), jobsPerClient);
    assert.equal(await countRows(`jobs WHERE client_id = '${clientId}' AND status = 'queued'`), 30);
    await query(url, 'DELETE FROM jobs');
  });

  it('a job is never claimed by both stores while its lease is valid', async () => {
    const clientId = await registerClient();
    const jobs = Array.from({ length: 120 }, (_, index) => newJob(clientId, start + index));
    for (const [index, job] of jobs.entries()) await createStore(index).createJob(job);
    const claimedIds = await inParallel(16, async (store) => {
      const ids: string[] = [];
      for (;;) {
        const job = await store.claimJob(start + 1000, 30_000);
        if (job === undefined) return ids;
        assert.equal(job.attempts, 1);
        ids.push(job.id);
      }
    });
    assert.deepEqual(claimedIds.flat().sort(), jobs.map(({ id }) => id).sort());
    const job = await createStore(1).claimJob(start + 31_000, 30_000);
    assert.equal(job?.attempts, 2, 'a lease that ran out is the other store’s to take');
  });

  it('sweeps at the same time delete each row once', async () => {
    const clientId = await registerClient();
    await query(
      url,
      `INSERT INTO tokens (hash, client_id, epoch, scopes, identity_type, issued_at, expires_at)
       SELECT sha256(n::text::bytea), '${clientId}', 1, '[]', 'anonymous', 0, 1 FROM generate_series(1, 900) AS n`,
    );
    let deleted = 0;
    await inParallel(4, async (store) => {
      for (let more = true; more; ) {
        const result = await store.sweep(start - hour, 50);
        deleted += result.deleted;
        more = result.more;
      }
    });
    assert.equal(await countRows('tokens WHERE expires_at = 1'), 0);
    assert.equal(deleted, 900);
  });
}

function registerDatabaseTests({ getPort, createDatabase, query }: TestPostgres): void {
  it('a database that a newer release wrote is refused', async () => {
    const url = await createDatabase();
    await (await openStore(url)).close();
    await query(url, "INSERT INTO schema_migrations VALUES (2, 'checksum', 0)");
    await assert.rejects(
      openStore(url),
      isRefusal(/schema version 2; this release knows versions up to 1\. Start the newer/),
    );
    await assert.rejects(listPostgresClients(url), isRefusal(/schema version 2; this release/));
  });

  it('a database that an unreleased version wrote is refused', async () => {
    const url = await createDatabase();
    await (await openStore(url)).close();
    await query(url, "UPDATE schema_migrations SET checksum = 'another'");
    await assert.rejects(
      openStore(url),
      isRefusal(
        /^This database was made by an unreleased version of Colophon \(before 0\.1\.0\)\. Save what you need with pg_dump/,
      ),
    );
  });

  it('a database in which the schema cannot be created stays unchanged', async () => {
    const url = await createDatabase();
    await query(url, 'CREATE TABLE jobs (id INTEGER)');
    await assert.rejects(
      openStore(url),
      isRefusal(/database \w+, cannot be used \(relation "jobs" already exists\)\. Name an empty database/),
    );
    const tables = await query(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    assert.deepEqual(tables, [{ tablename: 'jobs' }]);
  });

  it('a server without the database or without TLS is refused with advice and without the password', async () => {
    const missingUrl = `postgres://colophon:${testPassword}@127.0.0.1:${await getPort()}/nowhere`;
    await assert.rejects(
      openStore(missingUrl),
      isRefusal(/database nowhere, .*does not exist.*createdb --owner=colophon nowhere/),
    );
    const tlsUrl = `${await createDatabase()}?sslmode=verify-full`;
    await assert.rejects(openStore(tlsUrl), isRefusal(/does not support SSL.*Correct sslmode/));
  });

  it('calls reject with upstream_unavailable while the database is down at the start, and succeed once it is up', async () => {
    const url = new URL(await createDatabase());
    const proxy = await startTcpProxy(await getPort());
    url.port = String(proxy.port);
    proxy.refuseConnections();
    const lines: string[] = [];
    const recordLine = (_: object, message: string) => lines.push(message);
    const store = await openStore(url.href, { log: { info: recordLine, warn: recordLine, error: recordLine } });
    await assert.rejects(
      store.createClient(newClient()),
      (error) => isUnavailable(error) && unavailableMessage.test(String(getCause(error))),
    );
    proxy.acceptConnections();
    const client = newClient();
    for (let outcome: unknown; outcome !== 'created'; ) {
      outcome = await store.createClient(client).catch((error: unknown) => assert.ok(isUnavailable(error)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.match(lines[0] ?? '', unavailableMessage);
    assert.equal(lines.at(-1), 'the database can be used now');
    await store.close();
    await proxy.close();
  });

  it('requests wait for a connection if the database allows fewer connections than the pool', async () => {
    const url = new URL(await createDatabase());
    await query(url.href, "CREATE ROLE few LOGIN PASSWORD 'few' CONNECTION LIMIT 3");
    await query(url.href, 'GRANT ALL ON SCHEMA public TO few');
    [url.username, url.password] = ['few', 'few'];
    const store = await openStore(url.href);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.createClient(newClient())));
    assert.deepEqual(new Set(outcomes), new Set(['created']));
    assert.equal(store.database.pool()?.open, 3);
    await store.close();
  });

  it('a hash that is not 32 bytes long is refused, U+0000 in a name is replaced, and a closed store rejects', async () => {
    const store = await openStore(await createDatabase());
    await assert.rejects(store.createClient(newClient({ secretHash: new Uint8Array(31) })), /check constraint/);
    const client = newClient({ name: 'a\0b' });
    assert.equal(await store.createClient(client), 'created');
    assert.equal((await store.findClient(client.id))?.name, 'a\ufffdb');
    assert.equal(await store.findClient(`${client.id}\0`), undefined);
    await store.close();
    await store.close();
    await assert.rejects(async () => store.findToken(newHash(), start), isUnavailable);
  });

  it('a read-only database is reported by stats and rejects writes, until it is writable again', async () => {
    const url = await createDatabase();
    const store = await openStore(url);
    const { pathname } = new URL(url);
    const name = pathname.slice(1);
    const setReadOnly = async (mode: 'on' | 'off') => {
      const connection = new Client({ connectionString: url, options: '-c default_transaction_read_only=off' });
      await connection.connect();
      await connection.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${mode}`);
      await connection.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = '${name}' AND application_name = 'colophon'`,
      );
      await connection.end();
      // The pool still has terminated connections, and the first query on each of them fails.
      for (let tries = 0; tries < 20; tries += 1) {
        const error = await store.findClient('cl_none').catch((error: unknown) => error);
        if (error === undefined) return;
        assert.ok(isUnavailable(error));
      }
      assert.fail('no connection');
    };
    const client = newClient();
    await store.createClient(client);
    assert.equal((await store.stats()).writeProblem, null);
    await setReadOnly('on');
    assert.equal((await store.stats()).writeProblem, 'the database is read-only');
    await assert.rejects(store.createClient(newClient()), isUnavailable);
    await assert.rejects(store.issueToken(newToken(client.id)), isUnavailable);
    assert.equal((await store.findClient(client.id))?.id, client.id);
    await setReadOnly('off');
    assert.equal((await store.stats()).writeProblem, null);
    assert.equal(await store.issueToken(newToken(client.id)), 'issued');
    await store.close();
  });

  it('stats counts only the oldest 10,000 unfinished jobs, which it reads from the index jobs_open', async () => {
    const url = await createDatabase();
    const store = await openStore(url);
    const client = newClient();
    await store.createClient(client);
    const insertJobs = (status: string, from: number, count: number) =>
      query(
        url,
        `INSERT INTO jobs (id, client_id, resource, format, status, failure, lease_until, created_at, expires_at)
         SELECT 'job_' || n, '${client.id}', 'docs', 'json', '${status}',
           CASE WHEN '${status}' = 'failed' THEN '{}' END, CASE WHEN '${status}' = 'running' THEN 1 END, n, ${start + hour}
         FROM generate_series(${from}, ${from + count - 1}) AS n`,
      );
    await insertJobs('failed', 1, 20_000);
    await insertJobs('running', 30_000, 3);
    await insertJobs('queued', 40_000, 11_000);
    await query(url, 'ANALYZE jobs');
    const { jobs, oldestOpenJobAt } = await store.stats();
    assert.deepEqual([jobs, oldestOpenJobAt], [{ running: 3, queued: 9997 }, 30_000]);
    await query(url, "DELETE FROM jobs WHERE status = 'queued' AND created_at > 40050");
    await query(url, 'VACUUM ANALYZE jobs');
    const plan = await query(url, `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${countJobs}`);
    const text = JSON.stringify(plan);
    assert.doesNotMatch(text, /Seq Scan/);
    assert.match(text, /"Index Name":\s*"jobs_open"/);
    await store.close();
  });

  it('calls reject with upstream_unavailable while the database stalls, and its connections leave the pool', async () => {
    const directUrl = await createDatabase();
    const url = new URL(directUrl);
    const proxy = await startTcpProxy(await getPort());
    url.port = String(proxy.port);
    const store = await openStore(url.href, { size: 3 });
    const client = newClient();
    await store.createClient(client);
    proxy.pause();
    const calls = [
      ...Array.from({ length: 3 }, () => store.findClient(client.id)),
      ...Array.from({ length: 3 }, () => store.issueToken(newToken(client.id))),
    ];
    for (const result of await Promise.allSettled(calls))
      assert.ok(result.status === 'rejected' && isUnavailable(result.reason));
    assert.deepEqual(store.database.pool(), { open: 0, busy: 0, waiting: 0 });
    proxy.resume();
    assert.equal((await store.findClient(client.id))?.id, client.id);
    proxy.resetConnections();
    // The first query may get the cut connection before the pool has removed that connection.
    await store.findClient(client.id).catch((error) => assert.ok(isUnavailable(error)));
    assert.equal((await store.findClient(client.id))?.id, client.id);
    assert.ok((store.database.pool()?.open ?? 0) <= 3);
    await store.close();
    await proxy.close();
    const sessions =
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'colophon' AND datname = current_database()";
    // PostgreSQL notices only after a moment that a connection is closed.
    for (let tries = 0; (await query(directUrl, sessions)).length > 0; tries += 1) assert.ok(tries < 100);
  });

  it('a statement that waits too long for a lock rejects with upstream_unavailable and changes nothing', async () => {
    const url = await createDatabase();
    const store = await openStore(url);
    const client = newClient();
    await store.createClient(client);
    const lockHolder = new Client({ connectionString: url });
    await lockHolder.connect();
    await lockHolder.query('BEGIN; SELECT 1 FROM clients FOR UPDATE');
    const token = newToken(client.id);
    await assert.rejects(
      store.issueToken(token),
      (error) => isUnavailable(error) && /statement timeout/.test(String(getCause(error))),
    );
    await lockHolder.end();
    assert.equal(await store.findToken(token.hash, start), undefined);
    assert.equal(await store.issueToken(token), 'issued');
    await store.close();
  });
}

/** Registers the test that kills the server. The test must be the last one, because every open store loses its connections. */
function registerRestartTest({ createDatabase, kill, restart }: TestPostgres): void {
  it('the store works again after the restart, without being reopened, and no issued token is lost', async () => {
    const lines: string[] = [];
    const recordLine = (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`);
    const log = { info: recordLine, warn: recordLine, error: recordLine };
    const store = await openStore(await createDatabase(), { log });
    const client = newClient();
    await store.createClient(client);
    const tokens = Array.from({ length: 20 }, () => newToken(client.id));
    await Promise.all(tokens.map((token) => store.issueToken(token)));
    const pendingCalls = Promise.allSettled(Array.from({ length: 20 }, () => store.issueToken(newToken(client.id))));
    await kill();
    for (const result of await pendingCalls) {
      assert.ok(result.status === 'fulfilled' ? result.value : isUnavailable(result.reason));
    }
    await assert.rejects(store.findClient(client.id), isUnavailable);
    await assert.rejects(store.issueToken(newToken(client.id)), isUnavailable);
    await restart();
    for (const { hash } of tokens) assert.equal((await store.findToken(hash, start))?.clientId, client.id);
    assert.equal(store.database.pool()?.waiting, 0);
    assert.ok(!lines.join('\n').includes(testPassword));
    await store.close();
  });
}

const unavailableMessage =
  /PostgreSQL at 127\.0\.0\.1:\d+, database test_\d+, cannot be used \(.+\)\. Start the database/;

const isRefusal = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StoreUnusable, String(error));
  assert.match(error.message, message);
  assert.ok(!error.message.includes(testPassword));
  return true;
};

const getCause = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

const isUnavailable = (error: unknown): boolean => {
  assert.ok(error instanceof ApiError, String(error));
  assert.deepEqual([error.code, error.status, error.options.retryAfter], ['upstream_unavailable', 503, 5]);
  assert.ok(!JSON.stringify(error.message).includes(testPassword));
  return true;
};
