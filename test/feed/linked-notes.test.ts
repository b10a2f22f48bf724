/** Tests release notes that a feed only links to: they are fetched once, verified and kept, and never fetched from a forbidden URL. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { getPublicKey, signAppcast } from '../../scripts/sign-appcast.ts';
import type { Log } from '../../src/base/log.ts';
import { createFeed, type Feed, type FeedOptions } from '../../src/feed/feed.ts';
import { createFileStorage } from '../../src/feed/feed-storage.ts';
import { createItem, wrapInAppcast } from '../support/feed-samples.ts';
import { startUpstream, type Upstream } from '../support/feed-upstream.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { createSharedWorkers } from '../support/shared-workers.ts';

const workers = createSharedWorkers();

let upstream: Upstream;
let folder: string;
const running: Feed[] = [];
let clock: ManualClock;
let copies: string;
let tests = 0;
let warnings: string[] = [];

before(async () => {
  upstream = await startUpstream();
  folder = await mkdtemp(join(tmpdir(), 'linked-'));
});
beforeEach(() => {
  clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
  warnings = [];
  tests += 1;
  copies = join(folder, `${tests}`);
});
after(async () => {
  for (const feed of running) feed.stop();
  await upstream.close();
  await rm(folder, { recursive: true });
});

const log: Log = {
  info: () => {},
  warn: (_, message) => void warnings.push(message),
  error: (_, message) => void warnings.push(message),
};

interface File {
  readonly body: string | Buffer;
  readonly type?: string;
}

/**
 * Makes `upstream` serve the feed at /appcast.xml and these files by path, as HTML unless they have a type, and 404 for anything
 * else.
 */
function serveFeed(feed: string | Buffer, files: Readonly<Record<string, File>>): void {
  upstream.setListener((request, response) => {
    const path = request.url ?? '';
    const file: File | undefined = path === '/appcast.xml' ? { body: feed, type: 'application/xml' } : files[path];
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': file.type ?? 'text/html; charset=utf-8' }).end(file.body);
  });
}

async function startFeed(options: Partial<FeedOptions> = {}): Promise<Feed> {
  const feed = createFeed({
    source: `${upstream.origin}/appcast.xml`,
    publicKeys: [],
    policy: 'off',
    intervalSeconds: 300,
    storage: createFileStorage(copies),
    clock,
    log,
    random: () => 0.5,
    workers,
    fetchesNotes: true,
    ...options,
  });
  running.push(feed);
  await feed.start();
  return feed;
}

async function waitUntil(isMet: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000_000 && !isMet(); turn += 1) await setImmediate();
  assert.ok(isMet());
}

const listNotes = (feed: Feed): (string | undefined)[] => feed.snapshot()?.releases.map(({ notes }) => notes) ?? [];
const countRequests = (path: string): number => upstream.requests.filter((request) => request.path === path).length;
const link = (url: string, attributes = ''): string =>
  `<sparkle:releaseNotesLink ${attributes}>\n${url}\n</sparkle:releaseNotesLink>`;

test('linked release notes of any format are fetched once and kept after a restart', async () => {
  const feed = wrapInAppcast(
    createItem('4', link('notes/4.html')),
    createItem('3', link(`${upstream.origin}/notes/3.md`)),
    createItem('2', '<sparkle:fullReleaseNotesLink>notes/2.txt</sparkle:fullReleaseNotesLink>'),
    createItem('1', `<description>own</description>${link('notes/1.html')}`),
  );
  serveFeed(feed, {
    '/notes/4.html': { body: '<main><h1>Four</h1><a href="more">more</a></main>' },
    '/notes/3.md': { body: '<!-- sparkle-sign-warning:\nSigned. --># Three', type: 'application/octet-stream' },
    '/notes/2.txt': { body: 'two\nlines', type: 'text/plain' },
  });
  const first = await startFeed();
  await waitUntil(() => listNotes(first)[2] !== '');
  const expected = [`# Four\n\n[more](${upstream.origin}/notes/more)`, '# Three', 'two  \nlines', 'own'];
  assert.deepEqual(listNotes(first), expected);
  assert.equal(await first.check(), 'unchanged');
  for (const path of ['/notes/4.html', '/notes/3.md', '/notes/2.txt']) assert.equal(countRequests(path), 1, path);
  assert.equal(countRequests('/notes/1.html'), 0);
  first.stop();

  upstream.setListener((_, response) => response.writeHead(500).end());
  const second = await startFeed();
  assert.deepEqual(listNotes(second), expected);
  assert.equal(second.snapshot()?.revision, first.snapshot()?.revision);
});

test('linked release notes are not fetched unless fetchesNotes is true', async () => {
  const before = upstream.requests.length;
  serveFeed(wrapInAppcast(createItem('1', link('notes/1.html'))), { '/notes/1.html': { body: 'x' } });
  const feed = await startFeed({ fetchesNotes: false });
  await feed.check();
  assert.deepEqual(listNotes(feed), ['']);
  assert.deepEqual(new Set(upstream.requests.slice(before).map(({ path }) => path)), new Set(['/appcast.xml']));
});

test('linked release notes that cannot be fetched are logged and retried after an hour', async () => {
  const text = wrapInAppcast(createItem('1', link('late.html')));
  serveFeed(text, {});
  const feed = await startFeed();
  await waitUntil(() => warnings.length > 0);
  assert.match(warnings[0] ?? '', /^notes of a release: .*\/late\.html returned 404|^notes of a release: .*404/);
  serveFeed(text, { '/late.html': { body: 'late' } });
  await feed.check();
  assert.equal(countRequests('/late.html'), 1);
  await clock.advance(3_600_000);
  await feed.check();
  await waitUntil(() => listNotes(feed)[0] === 'late');
  assert.equal(countRequests('/late.html'), 2);
});

test('linked release notes with a wrong signature or length, or unsigned in a signed feed, are not published', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const publicKey = getPublicKey(privateKey);
  const createSignature = (text: string) =>
    `sparkle:edSignature="${sign(null, Buffer.from(text), privateKey).toString('base64')}"`;
  const content = wrapInAppcast(
    createItem('5', link('good.html', `${createSignature('good')} sparkle:length="4"`)),
    createItem('4', link('forged.html', createSignature('something else'))),
    createItem('3', link('bare.html')),
  );
  const files = { '/good.html': { body: 'good' }, '/forged.html': { body: 'forged' }, '/bare.html': { body: 'bare' } };
  serveFeed(signAppcast(Buffer.from(content), privateKey), files);
  const feed = await startFeed({ publicKeys: [publicKey], policy: 'required' });
  await waitUntil(() => listNotes(feed)[0] === 'good');
  assert.deepEqual(listNotes(feed), ['good', '', '']);
  assert.equal(countRequests('/bare.html'), 0);
  assert.match(warnings.join('\n'), /their signature does not match[\s\S]*has to be signed/);

  copies = join(folder, 'lengths');
  serveFeed(wrapInAppcast(createItem('1', link('short.html', 'length="99"'))), { '/short.html': { body: 'short' } });
  const feedWithoutKey = await startFeed();
  await waitUntil(() => warnings.some((message) => /they have 5 bytes, and the feed says 99/.test(message)));
  assert.deepEqual(listNotes(feedWithoutKey), ['']);
});

test('linked release notes that several versions share are not fetched, and builds of one version share theirs', async () => {
  const history = '<sparkle:fullReleaseNotesLink>history.html</sparkle:fullReleaseNotesLink>';
  const twins = `<sparkle:shortVersionString>1.0</sparkle:shortVersionString>${link('1.0.html')}`;
  serveFeed(
    wrapInAppcast(
      createItem('5', history),
      createItem('4', link('history.html')),
      createItem('3', twins),
      createItem('2', twins),
    ),
    {
      '/history.html': { body: 'all' },
      '/1.0.html': { body: 'both' },
    },
  );
  const feed = await startFeed();
  await waitUntil(() => listNotes(feed)[2] === 'both');
  assert.deepEqual(listNotes(feed), ['', '', 'both', 'both']);
  assert.equal(countRequests('/history.html'), 0);
});

test('linked release notes at a loopback URL are not fetched if the feed has no loopback URL itself', async () => {
  const path = join(folder, 'local.xml');
  await writeFile(path, wrapInAppcast(createItem('1', link(`${upstream.origin}/inside.html`))));
  serveFeed('', { '/inside.html': { body: 'inside' } });
  const feed = await startFeed({ source: path });
  await waitUntil(() => warnings.length > 0);
  assert.equal(warnings[0], 'notes of a release: The feed links to this machine, which is not followed.');
  assert.deepEqual([listNotes(feed), countRequests('/inside.html')], [[''], 0]);
});
