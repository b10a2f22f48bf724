/** Sessions of PostgreSQL’s store: the secret key, the election of a leader, broken connections, and statements that wait. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { parsePostgresUrl } from '../../src/store/postgres/address.ts';
import { openPostgresDatabase } from '../../src/store/postgres/driver.ts';
import { openPostgresStore, replaceKey } from '../../src/store/postgres/store.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';

const started = sharedPostgres();
if (typeof started === 'string') it(`not run: PostgreSQL: ${started}`, () => {});
else testWith(started);

function testWith(postgres: TestPostgres): void {
  after(() => postgres.close());
  const open = (url: string) => openPostgresStore({ url, clock: systemClock, log: silentLog });

  describe('DATABASE_URL of a PostgreSQL database: SECRET_KEY, leader election and broken connections', () => {
    it('replaceKey returns whether the last server had another SECRET_KEY, and stores only a fingerprint', async (t) => {
      const url = await postgres.createDatabase();
      const { database, close } = await open(url);
      t.after(close);
      const [one, two] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
      const isOther: boolean[] = [];
      for (const key of [one, one, two, two, one]) isOther.push(await replaceKey(database, key));
      assert.deepEqual(isOther, [false, false, true, false, true]);
      assert.deepEqual(await postgres.query(url, "SELECT encode(fingerprint, 'hex') AS fingerprint FROM secret_key"), [
        { fingerprint: 'e6579d34737b83529e6d70fa2178c932cb78181f609cb2f8db942aaca2c741c2' },
      ]);
    });

    it('a query rejects with upstream_unavailable if the server ends each connection right after its start', async (t) => {
      const port = await startEnding(t);
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
      const [one, other] = [await open(url), await open(url)];
      t.after(() => Promise.all([one.close(), other.close()]));
      let lost = 0;
      const onEnd = (): void => {
        lost += 1;
      };
      const first = await one.feeds.campaign('feed', onEnd);
      const second = await other.feeds.campaign('feed', onEnd);
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
      assert.equal(lost, 0);
    });

    it('a leader whose lease expired is replaced by the next process and notified of the loss', async (t) => {
      const url = await postgres.createDatabase();
      const { feeds, close } = await open(url);
      t.after(close);
      let lost = 0;
      const silent = await feeds.campaign('feed', () => {
        lost += 1;
      });
      const next = await feeds.campaign('feed', () => assert.fail('it leads'));
      assert.deepEqual([await silent.isLeader(), await next.isLeader()], [true, false]);
      await postgres.query(url, "UPDATE feeds SET leader_until = leader_until - 15000 WHERE key = 'feed'");
      await assert.rejects(silent.save('{}', Buffer.from('late')), /another process/);
      assert.equal(await next.isLeader(), true);
      assert.equal(await silent.isLeader(), false);
      assert.equal(lost, 1);
    });
  });
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
