/** Tests createFeed over time: fresh, stale and unavailable feeds, the saved copy, older feeds, and the time of the next request. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../src/base/log.ts';
import { silentLog } from '../../src/base/log.ts';
import { createFeed, type Feed, type FeedOptions } from '../../src/feed/feed.ts';
import { createFileStorage } from '../../src/feed/feed-storage.ts';
import { findHighestBuild, findLatestRelease } from '../../src/feed/selection.ts';
import { createAppcast, createItem, createSigner, wrapInAppcast } from '../support/feed-samples.ts';
import { startUpstream, type Upstream } from '../support/feed-upstream.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { createSharedWorkers } from '../support/shared-workers.ts';

const workers = createSharedWorkers();

const startOfTests = Date.parse('2026-11-21T12:00:00Z');
const signer = createSigner();
let upstream: Upstream;
let folder: string;
const running: Feed[] = [];
let clock: ManualClock;
let copies: string;
let tests = 0;

before(async () => {
  upstream = await startUpstream();
  folder = await mkdtemp(join(tmpdir(), 'feed-'));
});
beforeEach(() => {
  clock = createManualClock(startOfTests);
  tests += 1;
  copies = join(folder, `${tests}`);
});
after(async () => {
  for (const feed of running) feed.stop();
  await upstream.close();
  await rm(folder, { recursive: true });
});

function createTestFeed(options: Partial<FeedOptions> = {}): Feed {
  const feed = createFeed({
    source: `${upstream.origin}/appcast.xml`,
    publicKeys: [signer.publicKey],
    policy: 'required',
    intervalSeconds: 300,
    storage: createFileStorage(copies),
    clock,
    log: silentLog,
    random: () => 0.5,
    workers,
    ...options,
  });
  running.push(feed);
  return feed;
}

async function startFeed(options: Partial<FeedOptions> = {}): Promise<Feed> {
  const feed = createTestFeed(options);
  await feed.start();
  return feed;
}

const getLatestBuild = (feed: Feed): string | undefined => findLatestRelease(feed.snapshot()?.releases ?? [])?.build;
const failUpstream = () => upstream.setListener((_, response) => response.writeHead(500).end());
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Creates a log that appends each entry to `lines`, as its level, its message and its fields as JSON, such as `warn MESSAGE {}`.
 */
function createRecordingLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const createRecorder = (level: string) => (fields: Record<string, unknown>, message: string) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  };
  return { lines, info: createRecorder('info'), warn: createRecorder('warn'), error: createRecorder('error') };
}

test('a feed is fresh after its start, and its checks return unchanged or updated', async () => {
  const text = createAppcast('1.0');
  upstream.serveBytes(signer.sign(text));
  const feed = createTestFeed();
  let changes = 0;
  feed.onChange(() => {
    changes += 1;
  });
  assert.deepEqual(feed.status(), { state: 'unavailable', problem: null, checkedAt: null, retryAfterSeconds: 5 });
  await feed.start();
  assert.deepEqual(feed.status(), { state: 'fresh', problem: null, checkedAt: startOfTests, retryAfterSeconds: 300 });
  assert.equal(feed.snapshot()?.sha256, sha256(text));
  assert.equal(feed.snapshot()?.verifiedBy, signer.publicKey);
  const first = feed.snapshot();
  assert.equal(await feed.check(), 'unchanged');
  assert.equal(feed.snapshot(), first);
  upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
  assert.equal(await feed.check(), 'updated');
  assert.equal(getLatestBuild(feed), '1.1');
  assert.equal(changes, 2);
});

test('the status of a feed has the time of the last check, and after start() the delay until the next one', async () => {
  upstream.serveBytes(createAppcast('1.0'));
  const feed = createTestFeed({ policy: 'off', publicKeys: [] });
  await clock.advance(1000);
  const status = { state: 'fresh', problem: null, checkedAt: startOfTests + 1000 };
  await feed.check();
  assert.deepEqual(feed.status(), { ...status, retryAfterSeconds: 5 });
  await feed.start();
  assert.deepEqual(feed.status(), { ...status, retryAfterSeconds: 300 });
});

test('the warnings of a feed are in its snapshot and in the log', async () => {
  const [log, odd] = [createRecordingLog(), wrapInAppcast(createItem('1.0'), '<item/>')];
  upstream.serveBytes(signer.sign(odd));
  const feed = await startFeed({ log });
  const message =
    'Item 2 is skipped: it has no sparkle:version; the application itself refuses a whole feed with such an item.';
  assert.deepEqual(
    feed.snapshot()?.warnings.map((warning) => warning.message),
    [message],
  );
  assert.ok(
    log.lines.some((line) => line.startsWith(`warn feed: ${message}`)),
    log.lines.join('\n'),
  );
});

test('a check of a feed returns unchanged for the same bytes with another ETag', async () => {
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  const feed = await startFeed();
  upstream.setListener((_, response) =>
    response.writeHead(200, { etag: '"other"' }).end(signer.sign(createAppcast('1.0'))),
  );
  assert.equal(await feed.check(), 'unchanged');
});

test('concurrent checks of a feed share one request', async () => {
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  const feed = createTestFeed();
  const before = upstream.requests.length;
  assert.deepEqual(await Promise.all([feed.check(), feed.check(), feed.start()]), ['updated', 'updated', undefined]);
  assert.equal(upstream.requests.length - before, 1);
});

test('a feed becomes stale three intervals after its last successful check and keeps its snapshot', async () => {
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  const feed = await startFeed();
  const snapshot = feed.snapshot();
  failUpstream();
  assert.equal(await feed.check(), 'failed');
  assert.equal(feed.status().state, 'fresh');
  assert.match(feed.status().problem ?? '', /returned 500/);
  feed.stop();
  await clock.advance(900_000);
  assert.equal(feed.status().state, 'fresh');
  await clock.advance(1);
  assert.equal(feed.status().state, 'stale');
  assert.equal(feed.status().checkedAt, startOfTests);
  assert.equal(feed.snapshot(), snapshot);
});

test('a stale feed becomes fresh after a check that returns unchanged', async () => {
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  const feed = await startFeed({ intervalSeconds: 60 });
  failUpstream();
  await feed.check();
  await clock.advance(181_000);
  await feed.check();
  assert.equal(feed.status().state, 'stale');
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  assert.equal(await feed.check(), 'unchanged');
  assert.deepEqual(
    { ...feed.status(), retryAfterSeconds: 0 },
    { state: 'fresh', problem: null, checkedAt: clock.now(), retryAfterSeconds: 0 },
  );
});

test('a feed whose first request fails is unavailable and recovers at its next retry', async () => {
  failUpstream();
  const feed = await startFeed();
  assert.equal(feed.snapshot(), null);
  // The first backoff is 15 s times `random`, which is 0.5 here; 7.5 s are rounded up to 8.
  assert.deepEqual(
    { ...feed.status(), problem: null },
    { state: 'unavailable', problem: null, checkedAt: null, retryAfterSeconds: 8 },
  );
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  const arrived = new Promise<void>((resolve) => feed.onChange(resolve));
  await clock.advance(8_000);
  await arrived;
  assert.equal(getLatestBuild(feed), '1.0');
});

test('a feed that restarts without its upstream is stale and serves its verified saved copy', async () => {
  upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
  const before = await startFeed();
  before.stop();
  failUpstream();
  const log = createRecordingLog();
  const feed = await startFeed({ log });
  assert.equal(feed.status().state, 'stale');
  assert.deepEqual(feed.snapshot(), before.snapshot());
  assert.ok(log.lines.some((line) => line.includes(signer.publicKey)));
});

test('a feed that restarts sends the ETag of its saved copy', async () => {
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  (await startFeed()).stop();
  const before = upstream.requests.length;
  const feed = await startFeed();
  assert.ok(upstream.requests[before]?.headers['if-none-match']);
  assert.equal(feed.status().state, 'fresh');
  assert.equal(getLatestBuild(feed), '1.0');
});

/** Replaces the file of the only saved copy of the feed, in the folder `copies`, with what `change` returns for its bytes. */
async function changeCopy(change: (file: Buffer) => Buffer): Promise<void> {
  const [name = ''] = await readdir(copies);
  const path = join(copies, name);
  await writeFile(path, change(await readFile(path)));
}

const copyChanges: Record<string, (file: Buffer) => Buffer> = {
  'whose text was changed': (file) =>
    Buffer.from(file.toString('latin1').replace('Larder 1.1', 'Larder 9.9'), 'latin1'),
  'that was truncated': (file) => file.subarray(0, file.length - 20),
  'that is empty': () => Buffer.alloc(0),
  'without its first line': (file) => file.subarray(file.indexOf('\n') + 1),
  'that is another, older feed of the same key': (file) =>
    Buffer.concat([file.subarray(0, file.indexOf('\n') + 1), signer.sign(createAppcast('0.9'))]),
};

for (const [damage, change] of Object.entries(copyChanges)) {
  test(`a saved feed copy ${damage} is refused and logged, and the next check updates the feed`, async () => {
    upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
    (await startFeed()).stop();
    await changeCopy(change);
    failUpstream();
    const log = createRecordingLog();
    const feed = await startFeed({ log });
    assert.equal(feed.snapshot(), null);
    assert.equal(feed.status().state, 'unavailable');
    assert.ok(log.lines.some((line) => line.startsWith('error the saved copy of the feed is not used')));
    upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
    assert.equal(await feed.check(), 'updated');
  });
}

test('a feed whose saved copy was truncated still refuses a build below the saved one', async () => {
  upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
  (await startFeed()).stop();
  await changeCopy((file) => file.subarray(0, file.length - 20));
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  const feed = await startFeed();
  assert.equal(feed.status().state, 'unavailable');
  assert.match(feed.status().problem ?? '', /below 1\.1/);
});

test('a saved feed copy of another source or other public keys is not used', async () => {
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  (await startFeed()).stop();
  failUpstream();
  const otherSigner = createSigner();
  assert.equal((await startFeed({ source: `${upstream.origin}/other.xml` })).snapshot(), null);
  assert.equal((await startFeed({ publicKeys: [otherSigner.publicKey] })).snapshot(), null);
  assert.equal((await startFeed({ publicKeys: [signer.publicKey, otherSigner.publicKey] })).snapshot(), null);
  assert.notEqual((await startFeed()).snapshot(), null);
});

test('a saved feed copy without a signature is not used once a signature is required', async () => {
  upstream.serveBytes(createAppcast('1.0'));
  (await startFeed({ policy: 'off' })).stop();
  failUpstream();
  assert.equal((await startFeed({ policy: 'required' })).snapshot(), null);
});

test('a feed that is changed, unsigned, not an appcast or empty is refused, and the last snapshot is kept', async () => {
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  const feed = await startFeed();
  const snapshot = feed.snapshot();
  for (const [bytes, problem] of [
    [signer.sign(createAppcast('1.1')).toString().replace('1.1.zip', '6.6.zip'), /signature does not match/],
    [createAppcast('1.1'), /not signed/],
    ['<html><body>Back soon</body></html>', /not signed/],
    [signer.sign('<html><body>Back soon</body></html>'), /not an appcast/],
    [signer.sign(wrapInAppcast()), /no release that can be read/],
    [signer.sign(wrapInAppcast('<item/>')), /no release that can be read\. Item 1 is skipped/],
  ] as const) {
    upstream.serveBytes(bytes);
    assert.equal(await feed.check(), 'refused');
    assert.match(feed.status().problem ?? '', problem);
    assert.equal(feed.snapshot(), snapshot);
  }
});

test('a feed whose releases are all on a channel is accepted', async () => {
  upstream.serveBytes(signer.sign(wrapInAppcast(createItem('2.0', '<sparkle:channel>beta</sparkle:channel>'))));
  const feed = await startFeed();
  assert.equal(feed.status().state, 'fresh');
  assert.deepEqual(
    feed.snapshot()?.releases.map(({ build, channel }) => [build, channel]),
    [['2.0', 'beta']],
  );
});

test('a replayed older feed is refused, also after a restart', async () => {
  const old = signer.sign(createAppcast('1.0'));
  upstream.serveBytes(old);
  const feed = await startFeed();
  upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
  await feed.check();
  upstream.serveBytes(old);
  assert.equal(await feed.check(), 'refused');
  assert.match(
    feed.status().problem ?? '',
    /highest build is 1\.0, below 1\.1.*set feed\.accept to [0-9a-f]{64} in product\.yaml/,
  );
  feed.stop();
  const restartedFeed = await startFeed();
  assert.equal(getLatestBuild(restartedFeed), '1.1');
  assert.match(restartedFeed.status().problem ?? '', /below 1\.1/);
});

test('a superseded feed with the same highest build is refused', async () => {
  const first = signer.sign(createAppcast('1.0', '1.1'));
  upstream.serveBytes(first);
  const feed = await startFeed();
  upstream.serveBytes(signer.sign(createAppcast('1.1')));
  assert.equal(await feed.check(), 'updated');
  upstream.serveBytes(first);
  assert.equal(await feed.check(), 'refused');
  assert.match(feed.status().problem ?? '', /superseded/);
});

test('a feed with the hash in feed.accept may have a lower build, which becomes the new minimum', async () => {
  const olderText = createAppcast('1.0');
  upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
  (await startFeed()).stop();
  upstream.serveBytes(signer.sign(olderText));
  const feed = await startFeed({ accept: `sha256:${sha256(olderText).toUpperCase()}` });
  assert.equal(getLatestBuild(feed), '1.0');
  feed.stop();
  const restartedFeed = await startFeed();
  assert.equal(getLatestBuild(restartedFeed), '1.0');
  upstream.serveBytes(signer.sign(createAppcast('1.0', '1.0.5')));
  assert.equal(await restartedFeed.check(), 'updated');
});

test('an unsigned feed from a URL is refused if its highest build decreases', async () => {
  upstream.serveBytes(createAppcast('1.1'));
  const feed = await startFeed({ policy: 'off', publicKeys: [] });
  assert.equal(feed.snapshot()?.verifiedBy, null);
  upstream.serveBytes(createAppcast('1.0'));
  assert.equal(await feed.check(), 'refused');
});

test('an unsigned feed in a local file may have a lower build than before, with a warning', async () => {
  const source = join(folder, 'local.xml');
  await writeFile(source, createAppcast('1.0', '1.1'));
  const feed = await startFeed({ source, policy: 'off', publicKeys: [] });
  await writeFile(source, createAppcast('1.0'));
  assert.equal(await feed.check(), 'updated');
  assert.match(feed.snapshot()?.warnings[0]?.message ?? '', /below 1\.1/);
  await writeFile(source, createAppcast('1.0', '1.1'));
  assert.equal(await feed.check(), 'updated');
});

test('a signed feed in a local file is refused if its highest build decreases', async () => {
  const source = join(folder, 'signed.xml');
  await writeFile(source, signer.sign(createAppcast('1.0', '1.1')));
  const feed = await startFeed({ source });
  await writeFile(source, signer.sign(createAppcast('1.0')));
  assert.equal(await feed.check(), 'refused');
  await rename(source, `${source}.gone`);
  assert.equal(await feed.check(), 'failed');
  assert.equal(getLatestBuild(feed), '1.1');
});

test('an unsigned feed is refused after a signed one if a signature is optional, also after a restart', async () => {
  const policy = 'optional';
  upstream.serveBytes(createAppcast('1.0'));
  const feed = await startFeed({ policy });
  assert.equal(feed.snapshot()?.verifiedBy, null);
  upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
  assert.equal(await feed.check(), 'updated');
  assert.equal(feed.snapshot()?.verifiedBy, signer.publicKey);
  upstream.serveBytes(createAppcast('1.0', '1.1', '1.2'));
  assert.equal(await feed.check(), 'refused');
  assert.match(feed.status().problem ?? '', /no longer signed/);
  feed.stop();
  const restartedFeed = await startFeed({ policy });
  assert.equal(getLatestBuild(restartedFeed), '1.1');
  assert.match(restartedFeed.status().problem ?? '', /no longer signed/);
});

test('a feed that is signed again with another key of the list is updated', async () => {
  const next = createSigner();
  const publicKeys = [signer.publicKey, next.publicKey];
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  const feed = await startFeed({ publicKeys });
  upstream.serveBytes(next.sign(createAppcast('1.0')));
  assert.equal(await feed.check(), 'updated');
  assert.equal(feed.snapshot()?.verifiedBy, next.publicKey);
});

/**
 * Advances the clock by `ms`, in steps of `step` ms, and returns the number of requests to `upstream` meanwhile. Each step must end
 * at an attempt or more than five seconds before it.
 */
async function countRequests(feed: Feed, ms: number, step: number): Promise<number> {
  const before = upstream.requests.length;
  for (let passed = 0; passed < ms; passed += step) {
    await clock.advance(step);
    // While a due attempt runs, retryAfterSeconds is 5, its minimum; after the attempt it is larger, since the next one is far away.
    for (let turn = 0; turn < 1000 && feed.status().retryAfterSeconds === 5; turn += 1) await pause(5);
  }
  return upstream.requests.length - before;
}

test('a feed is requested once an interval, with a jitter of 20 %', async () => {
  for (const [random, seconds] of [
    [0, 240],
    [0.5, 300],
    [0.999999, 360],
  ] as const) {
    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    const feed = await startFeed({ random: () => random });
    assert.ok(Math.abs(feed.status().retryAfterSeconds - Math.min(300, seconds)) <= 1);
    assert.equal(await countRequests(feed, (seconds - 10) * 1000, 10_000), 0);
    assert.equal(await countRequests(feed, 20_000, 10_000), 1);
    feed.stop();
  }
});

test('max-age of the response lengthens the interval of a feed, to an hour at most', async () => {
  for (const [maxAge, minutes] of [
    [60, 5],
    [1200, 20],
    [99_999, 60],
  ] as const) {
    upstream.serveBytes(signer.sign(createAppcast('1.0')), { 'cache-control': `max-age=${maxAge}` });
    const feed = await startFeed();
    assert.equal(await countRequests(feed, (minutes - 1) * 60_000, 30_000), 0);
    assert.equal(feed.status().state, 'fresh');
    assert.equal(await countRequests(feed, 120_000, 30_000), 1);
    feed.stop();
  }
});

test('the retry delay of a feed doubles up to 15 minutes, or is its Retry-After of at most an hour', async () => {
  failUpstream();
  const delays: number[] = [];
  const feed = createTestFeed({
    random: () => 1 - Number.EPSILON,
    clock: {
      ...clock,
      after(ms, run) {
        delays.push(Math.round(ms / 1000));
        return clock.after(ms, run);
      },
    },
  });
  await feed.start();
  for (let attempt = 0; attempt < 7; attempt += 1) await feed.check();
  // The first delay, of 10 s, is the time limit of the start.
  assert.deepEqual(delays, [10, 15, 30, 60, 120, 240, 480, 900, 900]);
  upstream.setListener((_, response) => response.writeHead(503, { 'retry-after': '1800' }).end());
  await feed.check();
  upstream.setListener((_, response) => response.writeHead(503, { 'retry-after': '999999' }).end());
  await feed.check();
  assert.deepEqual(delays.slice(9), [1800, 3600]);
  assert.equal(feed.status().retryAfterSeconds, 300);
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  await feed.check();
  failUpstream();
  await feed.check();
  assert.equal(delays.at(-1), 15);
});

test('a stopped feed sends no more requests, and its running check returns failed', async () => {
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  const feed = await startFeed({ intervalSeconds: 60 });
  upstream.setListener(() => {});
  const check = feed.check();
  await pause(20);
  feed.stop();
  assert.equal(await check, 'failed');
  const before = upstream.requests.length;
  await clock.advance(600_000);
  await pause(20);
  assert.equal(upstream.requests.length, before);
});

test('the start of a feed waits at most ten seconds for a response', async () => {
  upstream.setListener(() => {});
  const feed = createTestFeed();
  let isDone = false;
  const start = feed.start().then(() => {
    isDone = true;
  });
  await pause(20);
  await clock.advance(9_999);
  assert.equal(isDone, false);
  await clock.advance(1);
  await start;
  assert.equal(feed.status().state, 'unavailable');
  feed.stop();
});

test('a feed that cannot be saved is served nevertheless, and saved at the next check', async () => {
  await writeFile(copies, 'a file where the folder should be');
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  const log = createRecordingLog();
  const feed = await startFeed({ log });
  assert.equal(getLatestBuild(feed), '1.0');
  assert.ok(log.lines.some((line) => line.includes('cannot be saved')));
  await rm(copies);
  upstream.setListener((_, response) => response.writeHead(200).end(signer.sign(createAppcast('1.0'))));
  assert.equal(await feed.check(), 'unchanged');
  assert.equal((await readdir(copies)).length, 1);
});

test('createFileStorage replaces the saved feed copy and removes its temporary files', async () => {
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  const feed = await startFeed();
  upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
  await feed.check();
  const names = await readdir(copies);
  assert.equal(names.length, 1);
  assert.match(names[0] ?? '', /^feed-[0-9a-f]{64}$/);
  // A save that fails removes its temporary file too: here, a folder has the name of the copy.
  const store = createFileStorage(join(copies, 'inner'));
  await mkdir(join(copies, 'inner', 'feed-aa', 'x'), { recursive: true });
  const metadata = {
    url: null,
    etag: null,
    lastModified: null,
    sha256: '0'.repeat(64),
    signed: false,
    kind: 'appcast' as const,
    address: null,
    highestBuild: '1',
    superseded: [],
    notes: [],
    savedAt: 0,
  };
  await assert.rejects(store.save('aa', { bytes: Buffer.from('x'), metadata }));
  assert.deepEqual(await readdir(join(copies, 'inner')), ['feed-aa']);
});

test('a feed logs a problem, its end and the error of a listener once, and calls the other listeners', async () => {
  const log = createRecordingLog();
  failUpstream();
  const feed = await startFeed({ log });
  let calls = 0;
  feed.onChange(() => {
    throw new Error('listener');
  });
  feed.onChange(() => {
    calls += 1;
  });
  await feed.check();
  upstream.serveBytes(signer.sign(createAppcast('1.0')));
  await feed.check();
  assert.equal(calls, 1);
  assert.equal(log.lines.filter((line) => line.includes('returned 500')).length, 1);
  assert.equal(log.lines.filter((line) => line.includes('available again')).length, 1);
  assert.equal(log.lines.filter((line) => line.includes('"error":"listener"')).length, 1);
});

test('the query of a feed’s URL is neither in the log nor in the status', async () => {
  const log = createRecordingLog();
  failUpstream();
  const feed = await startFeed({ log, source: `${upstream.origin}/appcast.xml?token=secret` });
  assert.ok(!log.lines.join().includes('secret'));
  assert.ok(!(feed.status().problem ?? '').includes('secret'));
});

test('content/appcast.xml has 18 builds with notes and dates, the latest 2.3.0 and the highest 2.4.0-beta.1', async () => {
  const feed = await startFeed({
    source: join(import.meta.dirname, '../..', 'content', 'appcast.xml'),
    publicKeys: ['/Hk7dvpNgfKa+2Ii/RGn/kH2ZgWiOxmXu30R/Bb9gGc='],
  });
  const { releases = [], warnings } = feed.snapshot() ?? {};
  assert.deepEqual(warnings, []);
  assert.equal(releases.length, 18);
  assert.equal(getLatestBuild(feed), '230');
  assert.equal(findHighestBuild(releases)?.version, '2.4.0-beta.1');
  assert.deepEqual(
    releases.filter(({ critical }) => critical !== null).map(({ version }) => version),
    ['1.2.1'],
  );
  assert.deepEqual(
    releases.filter(({ notesFormat }) => notesFormat === 'html').map(({ version }) => version),
    ['2.3.0', '2.3.0'],
  );
  for (const release of releases) {
    assert.ok(release.notes !== '' && release.publishedAtTime !== null);
    assert.equal(release.arch ?? release.namedArch, release.downloadUrl.includes('x86_64') ? 'x86_64' : 'arm64');
  }
});
