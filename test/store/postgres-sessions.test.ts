/** Tests sessions of the PostgreSQL store: the secret key, the election of a leader, and broken connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { parsePostgresUrl } from '../../src/store/postgres/address.ts';
import { openPostgresDatabase } from '../../src/store/postgres/driver.ts';
import { openPostgresStore, replaceKey } from '../../src/store/postgres/store.ts';
import { getSharedPostgres, type TestPostgres } from '../support/postgres.ts';

const cluster = getSharedPostgres();
if (typeof cluster === 'string') it('the tests on PostgreSQL', { skip: `not run: ${cluster}` });
else registerTests(cluster);

function registerTests(postgres: TestPostgres): void {
  after(() => postgres.close());
  const openStore = (url: string) => openPostgresStore({ url, clock: systemClock, log: silentLog });

  describe('DATABASE_URL of a PostgreSQL database: SECRET_KEY, leader election and broken connections', () => {
    it('replaceKey returns whether the last server had another SECRET_KEY, and stores only a fingerprint', async (t) => {
      const url = await postgres.createDatabase();
      const { database, close } = await openStore(url);
      t.after(close);
      const [firstKey, secondKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
      const isOther: boolean[] = [];
      for (const key of [firstKey, firstKey, secondKey, secondKey, firstKey])
        isOther.push(await replaceKey(database, key));
      assert.deepEqual(isOther, [false, false, true, false, true]);
      assert.deepEqual(await postgres.query(url, "SELECT encode(fingerprint, 'hex') AS fingerprint FROM secret_key"), [
        { fingerprint: 'e6579d34737b83529e6d70fa2178c932cb78181f609cb2f8db942aaca2c741c2' },
      ]);
    });

    it('a query rejects with upstream_unavailable if the server ends each connection right after its start', async (t) => {
      const port = await startTerminatingServer(t);
      const address = parsePostgresUrl(`postgres://colophon@127.0.0.1:${port}/test`);
      const database = openPostgresDatabase({ address, log: silentLog, size: 10 });
      t.after(() => database.close());
      for (let count = 0; count < 3; count += 1) {
        await assert.rejects(database.get('SELECT 1'), { code: 'upstream_unavailable' });
      }
      assert.deepEqual(database.pool(), { open: 0, busy: 0, waiting: 0 });
    });

    it('one of two processes is the leader of a feed, and the other succeeds it after its resignation', async (t) => {
      const url = await postgres.createDatabase();
      const [firstStore, secondStore] = [await openStore(url), await openStore(url)];
      t.after(() => Promise.all([firstStore.close(), secondStore.close()]));
      let losses = 0;
      const onEnd = (): void => {
        losses += 1;
      };
      const first = await firstStore.feeds.campaign('feed', onEnd);
      const second = await secondStore.feeds.campaign('feed', onEnd);
      assert.deepEqual([await first.isLeader(), await second.isLeader(), await first.isLeader()], [true, false, true]);
      await first.save('{"a":1}', Buffer.from('copy'));
      await assert.rejects(second.save('{}', Buffer.from('late')), /another process/);
      const check = { checkedAt: 1, freshUntil: 2, nextCheckAt: 3, problem: null };
      await first.report(check);
      await assert.rejects(second.report(check), /another process/);
      assert.deepEqual(await firstStore.feeds.news('feed'), { version: 1, ...check });
      first.resign();
      for (let tries = 0; !(await second.isLeader()); tries += 1) assert.ok(tries < 1000);
      await assert.rejects(first.save('{}', Buffer.from('late')), /another process/);
      await second.save('{"a":2}', Buffer.from('copy 2'));
      assert.equal((await firstStore.feeds.load('feed'))?.version, 2);
      assert.equal(losses, 0);
    });

    it('a leader whose lease expired is replaced by the next process and notified of the loss', async (t) => {
      const url = await postgres.createDatabase();
      const { feeds, close } = await openStore(url);
      t.after(close);
      let losses = 0;
      const silent = await feeds.campaign('feed', () => {
        losses += 1;
      });
      const next = await feeds.campaign('feed', () => assert.fail('it leads'));
      assert.deepEqual([await silent.isLeader(), await next.isLeader()], [true, false]);
      await postgres.query(url, "UPDATE feeds SET leader_until = leader_until - 15000 WHERE key = 'feed'");
      await assert.rejects(silent.save('{}', Buffer.from('late')), /another process/);
      assert.equal(await next.isLeader(), true);
      assert.equal(await silent.isLeader(), false);
      assert.equal(losses, 1);
    });
  });
}

/** Starts a server that sends “ready” and “terminated” (57P01) in one packet, as PostgreSQL does after a crash. Returns its port. */
async function startTerminatingServer(t: TestContext): Promise<number> {
  const message = (type: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to unexpected postmaster exit', ''];
  const termination = message('E', Buffer.from(`${fields.join('\0')}\0`));
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () =>
      socket.end(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I')), termination])),
    );
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}
