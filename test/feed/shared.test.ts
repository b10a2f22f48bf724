/** A feed that several processes share on PostgreSQL: one fetches it, all serve it, and another takes over. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import type { Log } from '../../src/base/log.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Feed } from '../../src/feed/feed.ts';
import { createCacheKey } from '../../src/feed/feed-storage.ts';
import { findLatestRelease } from '../../src/feed/selection.ts';
import { createSharedFeed, type SharedFeedOptions } from '../../src/feed/shared-feed.ts';
import { createFeedTable } from '../../src/store/postgres/feeds.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { createAppcast, createSigner } from '../support/feed-samples.ts';
import { startUpstream } from '../support/feed-upstream.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { createSharedWorkers } from '../support/shared-workers.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const workers = createSharedWorkers();

const startOfTests = Date.parse('2026-11-21T12:00:00Z');
const signer = createSigner();
const postgres = sharedPostgres();

if (typeof postgres === 'string') test(`not run: PostgreSQL: ${postgres}`, () => {});
else {
  after(() => postgres.close());
  suite(postgres);
}

type Changes = Partial<SharedFeedOptions> & { readonly leaseMs?: number };

interface Process {
  readonly feed: Feed;
  readonly clock: ManualClock;
  readonly lines: string[];
  end(): Promise<void>;
}

const latest = ({ feed }: Process): string | undefined => findLatestRelease(feed.snapshot()?.releases ?? [])?.build;

function suite({ port, createDatabase, query }: TestPostgres): void {
  /** Two feeds on one database, each with its own connection and clock; the second through a proxy. */
  async function stage(options: Changes = {}) {
    const url = await createDatabase();
    const upstream = await startUpstream();
    const proxy = await startTcpProxy(await port());
    const throughProxy = new URL(url);
    throughProxy.port = String(proxy.port);
    const processes: Process[] = [];
    const start = async (at: string, changes: Changes = {}): Promise<Process> => {
      const process = await createProcess(at, `${upstream.origin}/appcast.xml`, { ...options, ...changes });
      processes.push(process);
      await until([process], process.feed.start());
      return process;
    };
    after(async () => {
      for (const process of processes) await process.end();
      await upstream.close();
      await proxy.close();
    });
    return { url, upstream, proxy, throughProxy: throughProxy.href, start };
  }

  test('a shared feed is fetched by one of two processes and has the same snapshot and status in both', async () => {
    const { url, upstream, start } = await stage();
    upstream.serve(signer.sign(createAppcast('1.0')));
    const [one, two] = await Promise.all([start(url), start(url)]);
    assert.equal(upstream.requests.length, 1);
    assert.deepEqual([latest(one), latest(two)], ['1.0', '1.0']);
    assert.equal(one.feed.snapshot()?.sha256, two.feed.snapshot()?.sha256);
    await until([one, two], () => two.feed.status().state === 'fresh' && one.feed.status().state === 'fresh');
    assert.equal(one.feed.status().checkedAt, two.feed.status().checkedAt);

    upstream.serve(signer.sign(createAppcast('1.1')));
    await until([one, two], () => latest(one) === '1.1' && latest(two) === '1.1');
    assert.equal(upstream.requests.length, 2, 'the second process never asked');
  });

  test('a shared feed is saved with the time of its next check rounded to milliseconds', async () => {
    const { url, upstream, start } = await stage({ random: () => 1 / 7 });
    upstream.serve(signer.sign(createAppcast('1.0')));
    const leader = await start(url);
    const follower = await start(url);
    await until([leader, follower], () => follower.feed.status().state === 'fresh');
    assert.equal(follower.feed.status().checkedAt, leader.feed.status().checkedAt);
    assert.ok(!leader.lines.some((line) => line.includes('was not shared')));
    const [row] = await query(url, 'SELECT next_check_at - checked_at AS due FROM feeds');
    // A seventh on the way from 240 to 360 seconds: 257,142.86 ms.
    assert.equal(Number(row?.due), 257_143);
  });

  test('followers of a shared feed become stale with the leader and report its problem', async () => {
    const { url, upstream, start } = await stage();
    upstream.serve(signer.sign(createAppcast('1.0')));
    const leader = await start(url);
    const follower = await start(url);
    upstream.answer((_, response) => response.writeHead(500).end());
    await until([leader, follower], () => follower.feed.status().problem !== null);
    assert.match(follower.feed.status().problem ?? '', /returned 500/);
    await until([leader, follower], () => leader.feed.status().state === 'stale', 60_000);
    await until([leader, follower], () => follower.feed.status().state === 'stale', 1000);
    assert.deepEqual([latest(leader), latest(follower)], ['1.0', '1.0']);
    const { retryAfterSeconds } = follower.feed.status();
    assert.ok(retryAfterSeconds >= 5 && retryAfterSeconds <= 300);
  });

  test('a follower fetches a shared feed after its leader disconnects, and the leader follows after it reconnects', async () => {
    const { url, throughProxy, upstream, proxy, start } = await stage();
    upstream.serve(signer.sign(createAppcast('1.0')));
    const leader = await start(throughProxy, { leaseMs: 1000 });
    const follower = await start(url);
    proxy.refuse();
    proxy.cut();
    upstream.serve(signer.sign(createAppcast('1.1')));
    await until([leader, follower], () => latest(follower) === '1.1');
    assert.ok(follower.lines.some((line) => line.includes('this process fetches the feed')));
    assert.ok(leader.lines.some((line) => line.includes('no longer fetches the feed')));
    assert.equal(latest(leader), '1.0');
    await until([leader], () => /database that shares the feed/.test(leader.feed.status().problem ?? ''));
    assert.equal(leader.feed.status().state, 'fresh', 'what was promised holds');
    const asked = upstream.requests.length;
    proxy.admit();
    await until([leader, follower], () => latest(leader) === '1.1');
    assert.equal(leader.feed.status().problem, null);
    assert.equal(upstream.requests.length, asked);
  });

  test('a shared feed is fetched by a follower as soon as its leader stops', async () => {
    const { url, upstream, start } = await stage();
    upstream.serve(signer.sign(createAppcast('1.0')));
    const leader = await start(url);
    const follower = await start(url);
    leader.feed.stop();
    await until([follower], () => upstream.requests.length === 2);
    assert.equal(await follower.feed.check(), 'unchanged');
  });

  test('a leader of a shared feed that stops renewing its lease is replaced', async () => {
    const { url, upstream, start } = await stage();
    upstream.serve(signer.sign(createAppcast('1.0')));
    const silent = await start(url, { leaseMs: 1000 });
    const follower = await start(url);
    // The clock of the silent one stands still, so that it renews nothing.
    await until([follower], () => upstream.requests.length === 2, 100);
    await until([silent], () => silent.lines.some((line) => line.includes('no longer fetches the feed')));
  });

  test('a shared feed ignores a changed copy in the database and refuses an older feed after a restart', async () => {
    const { url, upstream, start } = await stage();
    upstream.serve(signer.sign(createAppcast('2.0')));
    const leader = await start(url);
    const follower = await start(url);
    await query(url, `UPDATE feeds SET version = version + 1, bytes = convert_to('<rss/>', 'UTF8')`);
    await until([follower], () =>
      follower.lines.some((line) => line.includes('the saved copy of the feed is not used')),
    );
    assert.equal(latest(follower), '2.0');
    await leader.end();
    await follower.end();
    upstream.serve(signer.sign(createAppcast('1.0')));
    const next = await start(url);
    assert.equal(next.feed.status().state, 'unavailable');
    assert.match(next.feed.status().problem ?? '', /below 2\.0/);
  });

  test('the shared feeds of two products on one database have separate copies', async () => {
    const { url, upstream, start } = await stage();
    const other = await startUpstream();
    after(() => other.close());
    upstream.serve(signer.sign(createAppcast('1.0')));
    other.serve(signer.sign(createAppcast('7.0')));
    const one = await start(url);
    const two = await start(url, { source: `${other.origin}/appcast.xml` });
    assert.deepEqual([latest(one), latest(two)], ['1.0', '7.0']);
    const keys = [upstream, other].map(({ origin }) => createCacheKey(`${origin}/appcast.xml`, [signer.publicKey]));
    const rows = await query(url, 'SELECT key FROM feeds ORDER BY key');
    assert.deepEqual(
      rows.map(({ key }) => key),
      keys.sort(),
    );
  });
}

async function createProcess(url: string, source: string, { leaseMs, ...options }: Changes): Promise<Process> {
  const store = await openPostgresStore({ url, clock: systemClock, log: silentLog });
  const clock = createManualClock(startOfTests);
  const lines: string[] = [];
  const note = (fields: Record<string, unknown>, message: string): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  const log: Log = { info: note, warn: note, error: note };
  const feed = createSharedFeed({
    source,
    publicKeys: [signer.publicKey],
    policy: 'required',
    intervalSeconds: 300,
    table: createFeedTable(store.database, leaseMs),
    clock,
    log,
    random: () => 0.5,
    workers,
    ...options,
  });
  return {
    feed,
    clock,
    lines,
    async end() {
      feed.stop();
      await store.close();
    },
  };
}

/** Lets time pass by `step` for all of them together, and the sockets speak in between, until it is so. */
async function until(processes: Process[], met: Promise<unknown> | (() => boolean), step = 3000): Promise<void> {
  let settled = false;
  if (typeof met !== 'function') {
    met.finally(() => {
      settled = true;
    });
  }
  for (let round = 0; round < 400; round += 1) {
    if (typeof met === 'function' ? met() : settled) return;
    // A start is waited for in steps too small to matter.
    for (const { clock } of processes) await clock.advance(typeof met === 'function' ? step : 10);
    await pause(10);
  }
  assert.fail('it did not come to pass');
}
