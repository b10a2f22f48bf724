/** Tests a feed that several processes share on PostgreSQL: one process fetches it, all serve it, and another replaces the first. */
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
import { getSharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { createSharedWorkers } from '../support/shared-workers.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const workers = createSharedWorkers();

const startOfTests = Date.parse('2026-11-21T12:00:00Z');
const signer = createSigner();
const postgres = getSharedPostgres();

if (typeof postgres === 'string') test('the tests on PostgreSQL', { skip: `not run: ${postgres}` });
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

const getLatest = ({ feed }: Process): string | undefined => findLatestRelease(feed.snapshot()?.releases ?? [])?.build;

function suite({ getPort, createDatabase, query }: TestPostgres): void {
  /** Creates a database, a proxy to it, and an upstream. `start` starts a feed that has its own connection to the database and clock. */
  async function createStage(options: Changes = {}) {
    const url = await createDatabase();
    const upstream = await startUpstream();
    const proxy = await startTcpProxy(await getPort());
    const throughProxy = new URL(url);
    throughProxy.port = String(proxy.port);
    const processes: Process[] = [];
    const start = async (databaseUrl: string, changes: Changes = {}): Promise<Process> => {
      const process = await createProcess(databaseUrl, `${upstream.origin}/appcast.xml`, { ...options, ...changes });
      processes.push(process);
      await waitUntil([process], process.feed.start());
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
    const { url, upstream, start } = await createStage();
    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    const [first, second] = await Promise.all([start(url), start(url)]);
    assert.equal(upstream.requests.length, 1);
    assert.deepEqual([getLatest(first), getLatest(second)], ['1.0', '1.0']);
    assert.equal(first.feed.snapshot()?.sha256, second.feed.snapshot()?.sha256);
    await waitUntil(
      [first, second],
      () => second.feed.status().state === 'fresh' && first.feed.status().state === 'fresh',
    );
    assert.equal(first.feed.status().checkedAt, second.feed.status().checkedAt);

    upstream.serveBytes(signer.sign(createAppcast('1.1')));
    await waitUntil([first, second], () => getLatest(first) === '1.1' && getLatest(second) === '1.1');
    assert.equal(upstream.requests.length, 2, 'the second process never asked');
  });

  test('a shared feed is saved with the time of its next check rounded to milliseconds', async () => {
    const { url, upstream, start } = await createStage({ random: () => 1 / 7 });
    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    const leader = await start(url);
    const follower = await start(url);
    await waitUntil([leader, follower], () => follower.feed.status().state === 'fresh');
    assert.equal(follower.feed.status().checkedAt, leader.feed.status().checkedAt);
    assert.ok(!leader.lines.some((line) => line.includes('was not shared')));
    const [row] = await query(url, 'SELECT next_check_at - checked_at AS due FROM feeds');
    // The interval is 240 s, plus 120 s times `random`, which is a seventh: 257,142.86 ms.
    assert.equal(Number(row?.due), 257_143);
  });

  test('followers of a shared feed become stale with the leader and report its problem', async () => {
    const { url, upstream, start } = await createStage();
    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    const leader = await start(url);
    const follower = await start(url);
    upstream.setListener((_, response) => response.writeHead(500).end());
    await waitUntil([leader, follower], () => follower.feed.status().problem !== null);
    assert.match(follower.feed.status().problem ?? '', /returned 500/);
    await waitUntil([leader, follower], () => leader.feed.status().state === 'stale', 60_000);
    await waitUntil([leader, follower], () => follower.feed.status().state === 'stale', 1000);
    assert.deepEqual([getLatest(leader), getLatest(follower)], ['1.0', '1.0']);
    const { retryAfterSeconds } = follower.feed.status();
    assert.ok(retryAfterSeconds >= 5 && retryAfterSeconds <= 300);
  });

  test('a follower fetches a shared feed after its leader disconnects, and the leader follows after it reconnects', async () => {
    const { url, throughProxy, upstream, proxy, start } = await createStage();
    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    const leader = await start(throughProxy, { leaseMs: 1000 });
    const follower = await start(url);
    proxy.refuseConnections();
    proxy.resetConnections();
    upstream.serveBytes(signer.sign(createAppcast('1.1')));
    await waitUntil([leader, follower], () => getLatest(follower) === '1.1');
    assert.ok(follower.lines.some((line) => line.includes('this process fetches the feed')));
    assert.ok(leader.lines.some((line) => line.includes('no longer fetches the feed')));
    assert.equal(getLatest(leader), '1.0');
    await waitUntil([leader], () => /database that shares the feed/.test(leader.feed.status().problem ?? ''));
    assert.equal(leader.feed.status().state, 'fresh', 'what was promised holds');
    const requestCount = upstream.requests.length;
    proxy.acceptConnections();
    await waitUntil([leader, follower], () => getLatest(leader) === '1.1');
    assert.equal(leader.feed.status().problem, null);
    assert.equal(upstream.requests.length, requestCount);
  });

  test('a shared feed is fetched by a follower as soon as its leader stops', async () => {
    const { url, upstream, start } = await createStage();
    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    const leader = await start(url);
    const follower = await start(url);
    leader.feed.stop();
    await waitUntil([follower], () => upstream.requests.length === 2);
    assert.equal(await follower.feed.check(), 'unchanged');
  });

  test('a leader of a shared feed that stops renewing its lease is replaced', async () => {
    const { url, upstream, start } = await createStage();
    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    const leader = await start(url, { leaseMs: 1000 });
    const follower = await start(url);
    // The clock of the leader does not advance, so that the leader does not renew its lease.
    await waitUntil([follower], () => upstream.requests.length === 2, 100);
    await waitUntil([leader], () => leader.lines.some((line) => line.includes('no longer fetches the feed')));
  });

  test('a shared feed ignores a changed copy in the database and refuses an older feed after a restart', async () => {
    const { url, upstream, start } = await createStage();
    upstream.serveBytes(signer.sign(createAppcast('2.0')));
    const leader = await start(url);
    const follower = await start(url);
    await query(url, `UPDATE feeds SET version = version + 1, bytes = convert_to('<rss/>', 'UTF8')`);
    await waitUntil([follower], () =>
      follower.lines.some((line) => line.includes('the saved copy of the feed is not used')),
    );
    assert.equal(getLatest(follower), '2.0');
    await leader.end();
    await follower.end();
    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    const next = await start(url);
    assert.equal(next.feed.status().state, 'unavailable');
    assert.match(next.feed.status().problem ?? '', /below 2\.0/);
  });

  test('the shared feeds of two products on one database have separate copies', async () => {
    const { url, upstream, start } = await createStage();
    const otherUpstream = await startUpstream();
    after(() => otherUpstream.close());
    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    otherUpstream.serveBytes(signer.sign(createAppcast('7.0')));
    const first = await start(url);
    const second = await start(url, { source: `${otherUpstream.origin}/appcast.xml` });
    assert.deepEqual([getLatest(first), getLatest(second)], ['1.0', '7.0']);
    const keys = [upstream, otherUpstream].map(({ origin }) =>
      createCacheKey(`${origin}/appcast.xml`, [signer.publicKey]),
    );
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
  const recordLine = (fields: Record<string, unknown>, message: string): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  const log: Log = { info: recordLine, warn: recordLine, error: recordLine };
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

/**
 * Advances the clocks of all processes by `step` ms at a time, with a pause for their sockets, until the condition returns true.
 * For a promise, it advances by 10 ms at a time until it settles, whatever the outcome. Fails after 400 steps.
 */
async function waitUntil(
  processes: Process[],
  condition: Promise<unknown> | (() => boolean),
  step = 3000,
): Promise<void> {
  let isMet = false;
  if (typeof condition !== 'function') {
    condition.finally(() => {
      isMet = true;
    });
  }
  for (let round = 0; round < 400; round += 1) {
    if (typeof condition === 'function' ? condition() : isMet) return;
    // Steps of 10 ms let a start complete before its time limit of 10 s.
    for (const { clock } of processes) await clock.advance(typeof condition === 'function' ? step : 10);
    await pause(10);
  }
  assert.fail('it did not come to pass');
}
