/** What PostgreSQL's store does by the session: which key, which version, who leads, and what becomes of questions that wait. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { postgresAddress } from '../../src/store/postgres/address.ts';
import { createPostgresConnection } from '../../src/store/postgres/connection.ts';
import { rememberKey } from '../../src/store/postgres/key.ts';
import { statement } from '../../src/store/postgres/queries.ts';
import { openPostgresRates } from '../../src/store/postgres/rates.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const started = await sharedPostgres();
if (typeof started === 'string') it(`not run: PostgreSQL: ${started}`, () => {});
else testWith(started);

function testWith(postgres: TestPostgres): void {
  after(() => postgres.close());
  const open = (url: string) => openPostgresStore({ url, clock: systemClock, log: silentLog });

  describe('a store in PostgreSQL', () => {
    it('remembers the key of the server that started last, and nothing that signs', async (t) => {
      const url = await postgres.createDatabase();
      const { connection, close } = await open(url);
      t.after(close);
      const [one, two] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
      const found: string[] = [];
      for (const key of [one, one, two, two, one]) found.push(await rememberKey(connection, key));
      assert.deepEqual(found, ['first', 'same', 'other', 'same', 'other']);
      assert.deepEqual(await postgres.query(url, "SELECT encode(fingerprint, 'hex') AS fingerprint FROM secret_key"), [
        { fingerprint: 'e6579d34737b83529e6d70fa2178c932cb78181f609cb2f8db942aaca2c741c2' },
      ]);
    });

    it('survives a server that ends each connection as it greets it', async (t) => {
      const port = await startEnding(t);
      const connection = createPostgresConnection({
        address: postgresAddress(`postgres://colophon@127.0.0.1:${port}/test`),
        log: silentLog,
        pooling: 'none',
      });
      t.after(() => connection.close());
      for (let count = 0; count < 3; count += 1) {
        await assert.rejects(connection.get(statement('test_one', 'SELECT 1')), { code: 'upstream_unavailable' });
      }
      assert.deepEqual(connection.pool(), { open: 0, busy: 0, waiting: 0 });
    });

    it('refuses a server that is too old', async (t) => {
      const url = new URL(await postgres.createDatabase());
      url.port = String(await startOld(t, postgres.port));
      await assert.rejects(open(url.href), ({ message }: Error) => {
        assert.match(message, /, is version 13\. It must be 14 or later: upgrade it\.$/);
        return true;
      });
    });

    it('does not take itself for the leader once its session has ended', async (t) => {
      const url = await postgres.createDatabase();
      const { feeds, close } = await open(url);
      t.after(close);
      const ended = Promise.withResolvers<void>();
      const candidacy = await feeds.campaign('feed', ended.resolve);
      assert.equal(await candidacy.isLeader(), true);
      assert.equal(await candidacy.isLeader(), true);
      await postgres.query(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()`,
      );
      await ended.promise;
      await assert.rejects(candidacy.isLeader());
    });
  });

  it('questions that wait for rate counters are all refused when they are abandoned', async (t) => {
    const url = new URL(await postgres.createDatabase());
    const proxy = await startTcpProxy(postgres.port);
    url.port = String(proxy.port);
    const { connection, close } = await open(url.href);
    const rates = await openPostgresRates({ connection, clock: createManualClock(0) });
    t.after(async () => {
      await rates.close();
      await close();
      await proxy.close();
    });
    const ask = { key: 'a', limit: 5, windowMs: 60_000, count: true };
    assert.equal((await rates.take([ask]))[0]?.used, 1);
    proxy.pause();
    const first = rates.take([ask]);
    await new Promise(setImmediate);
    const second = rates.take([ask]);
    await new Promise(setImmediate);
    rates.abandon();
    for (const question of [first, second]) await assert.rejects(question, { message: 'it did not answer in time' });
    proxy.resume();
  });
}

/** The port of a proxy through which the server says that it is of version 13. */
async function startOld(t: TestContext, port: number): Promise<number> {
  const server = createServer((incoming) => {
    const outgoing = connect(port, '127.0.0.1');
    incoming.pipe(outgoing);
    outgoing.on('data', (chunk) => {
      incoming.write(Buffer.from(chunk.toString('latin1').replace(/1[4-9]00(?=\d\d)/, '1300'), 'latin1'));
    });
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}

/** Says in one packet that a connection is ready and that it is over (57P01), as a backend whose postmaster has died does. */
async function startEnding(t: TestContext): Promise<number> {
  const message = (type: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to unexpected postmaster exit', ''];
  const over = message('E', Buffer.from(`${fields.join('\0')}\0`));
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () =>
      socket.end(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I')), over])),
    );
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}
