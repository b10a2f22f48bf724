/** Tests fetchFeed with real sockets: conditional requests, limits, redirects, and servers that misbehave. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readFeedAddress, resolveRedirect } from '../../src/feed/address.ts';
import { FeedFault } from '../../src/feed/fault.ts';
import { type Fetched, type FetchOptions, fetchFeed, type Validators } from '../../src/feed/fetch.ts';
import { startUpstream, type Upstream } from '../support/feed-upstream.ts';

let upstream: Upstream;
let folder: string;
/** URL of the feed. */
let source: string;
/** The validators of the server's last response. */
let validators: Validators;

before(async () => {
  upstream = await startUpstream();
  folder = await mkdtemp(join(tmpdir(), 'feed-fetch-'));
  source = `${upstream.origin}/appcast.xml`;
  validators = { url: source, etag: '"a"', lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT' };
});
after(async () => {
  await upstream.close();
  await rm(folder, { recursive: true });
});

const now = Date.parse('2026-11-21T12:00:00Z');

const fetchTestFeed = (address = source, options: Partial<FetchOptions> = {}): Promise<Fetched> =>
  fetchFeed(address, { validators: null, deadlineMs: 5000, signal: new AbortController().signal, now, ...options });

async function getFault(address = source, options: Partial<FetchOptions> = {}): Promise<FeedFault> {
  const error = await fetchTestFeed(address, options).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof FeedFault && error.kind === 'failed', `${error}`);
  return error;
}

test('fetchFeed returns the bytes, the validators and the max-age of a 200', async () => {
  upstream.setListener((_, response) =>
    response
      .writeHead(200, {
        etag: '"a"',
        'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT',
        'cache-control': 'public, max-age=900',
      })
      .end('<rss/>'),
  );
  assert.deepEqual(await fetchTestFeed(), {
    bytes: Buffer.from('<rss/>'),
    url: source,
    etag: '"a"',
    lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT',
    maxAgeSeconds: 900,
    contentType: '',
    address: null,
    link: null,
  });
  assert.equal(upstream.requests.at(-1)?.headers['if-none-match'], undefined);
});

test('fetchFeed returns no bytes for a 304 to the validators of the same URL', async () => {
  upstream.setListener((_, response) => response.writeHead(304, { 'cache-control': 'no-cache, max-age=900' }).end());
  assert.deepEqual(await fetchTestFeed(source, { validators }), {
    ...validators,
    bytes: null,
    maxAgeSeconds: null,
    contentType: '',
    address: null,
    link: null,
  });
  assert.equal(upstream.requests.at(-1)?.headers['if-none-match'], '"a"');
  assert.equal(upstream.requests.at(-1)?.headers['if-modified-since'], 'Sat, 21 Nov 2026 10:00:00 GMT');
});

test('fetchFeed does not send the validators of another URL, and rejects a 304 without validators', async () => {
  const elsewhere = { ...validators, url: `${upstream.origin}/old.xml` };
  upstream.setListener((_, response) => response.writeHead(304).end());
  assert.match((await getFault(source, { validators: elsewhere })).message, /returned 304 instead of 200/);
  assert.equal(upstream.requests.at(-1)?.headers['if-none-match'], undefined);
});

test('fetchFeed rejects other statuses, with the seconds of their Retry-After', async () => {
  const getRetryAfter = async (status: number, retryAfter?: string) => {
    upstream.setListener((_, response) =>
      response.writeHead(status, retryAfter ? { 'retry-after': retryAfter } : {}).end('x'),
    );
    return (await getFault()).retryAfterSeconds;
  };
  assert.equal(await getRetryAfter(500), null);
  assert.equal(await getRetryAfter(404, 'whenever'), null);
  assert.equal(await getRetryAfter(503, '120'), 120);
  assert.equal(await getRetryAfter(429, 'Sat, 21 Nov 2026 12:01:30 GMT'), 90);
  assert.equal(await getRetryAfter(503, 'Sat, 21 Nov 2026 11:00:00 GMT'), 0);
  assert.equal(await getRetryAfter(206), null);
});

test('fetchFeed rejects a slow body at the deadline', async () => {
  upstream.setListener((_, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('x'), 50);
    response.on('close', () => clearInterval(drip));
  });
  assert.match((await getFault(source, { deadlineMs: 400 })).message, /did not arrive within 0\.4 seconds/);
});

test('fetchFeed rejects a missing response at the deadline', async () => {
  upstream.setListener(() => {});
  assert.match((await getFault(source, { deadlineMs: 200 })).message, /did not arrive within/);
});

test('fetchFeed limits the size of a body after decompression', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  upstream.setListener((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
  assert.match((await getFault()).message, /larger than 8388608 bytes/);
  upstream.setListener((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('<rss/>')),
  );
  assert.equal((await fetchTestFeed()).bytes?.toString(), '<rss/>');
});

test('fetchFeed accepts a body of maxBytes and rejects a larger one', async () => {
  upstream.setListener((_, response) => response.writeHead(200).end('12345678'));
  assert.equal((await fetchTestFeed(source, { maxBytes: 8 })).bytes?.length, 8);
  assert.match((await getFault(source, { maxBytes: 7 })).message, /larger than 7 bytes/);
});

test('fetchFeed rejects a truncated body, with and without Content-Length', async () => {
  upstream.setListener((_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('<rss>', () => response.destroy());
  });
  assert.match((await getFault()).message, /cannot be fetched/);
  upstream.setListener((_, response) => {
    response.writeHead(200);
    response.write('<rss>', () => response.destroy());
  });
  assert.match((await getFault()).message, /cannot be fetched/);
});

test('fetchFeed rejects a refused connection and an aborted request', async () => {
  const closedUpstream = await startUpstream();
  await closedUpstream.close();
  assert.match((await getFault(`${closedUpstream.origin}/appcast.xml`)).message, /ECONNREFUSED/);
  const controller = new AbortController();
  upstream.setListener(() => controller.abort());
  await getFault(source, { signal: controller.signal });
});

test('fetchFeed follows redirects and sends the validators only to the last URL', async () => {
  upstream.setListener((request, response) => {
    const step = Number(/\d$/.exec(request.url ?? '')?.[0] ?? 0);
    if (step < 5)
      response.writeHead([301, 302, 303, 307, 308][step] ?? 302, { location: `/hop${step + 1}` }).end('moved');
    else response.writeHead(200, { etag: '"end"' }).end('<rss/>');
  });
  const feed = await fetchTestFeed();
  assert.equal(feed.url, `${upstream.origin}/hop5`);
  const before = upstream.requests.length;
  await fetchTestFeed(source, { validators: feed });
  const etags = upstream.requests.slice(before).map(({ headers }) => headers['if-none-match']);
  assert.deepEqual(etags, [undefined, undefined, undefined, undefined, undefined, '"end"']);
});

test('fetchFeed follows at most five redirects', async () => {
  upstream.setListener((_, response) => response.writeHead(302, { location: source }).end());
  const before = upstream.requests.length;
  assert.match((await getFault()).message, /more than 5 times/);
  assert.equal(upstream.requests.length - before, 6);
});

test('fetchFeed does not follow a redirect to an invalid URL or away from https', async () => {
  for (const [location, message] of [
    ['http://larder.example/appcast.xml', /not https/],
    ['ftp://larder.example/appcast.xml', /not https/],
    ['file:///etc/passwd', /not https/],
    ['https://user:secret@larder.example/', /user name/],
    ['https://', /no valid address/],
  ] as const) {
    upstream.setListener((_, response) => response.writeHead(302, { location }).end());
    assert.match((await getFault()).message, message);
  }
  upstream.setListener((_, response) => response.writeHead(302).end());
  assert.match((await getFault()).message, /no valid address/);
});

test('resolveRedirect rejects a redirect from the internet to this machine or a private network', async () => {
  const from = new URL('https://larder.example/appcast.xml');
  const names: Record<string, string[]> = {
    'inner.example': ['10.1.2.3'],
    'mixed.example': ['203.0.114.9', '192.168.0.1'],
    'six.example': ['fd00::1'],
    'compatible.example': ['::10.0.0.1'],
    'nowhere.example': [],
    'outer.example': ['93.184.215.14', '2606:2800:21f::1'],
  };
  const resolve = async (host: string) => names[host] ?? Promise.reject(new Error('ENOTFOUND'));
  const follow = (location: string) => resolveRedirect(location, from, from, resolve);
  for (const location of [
    'https://127.0.0.1/x',
    'http://127.9.9.9:8080/',
    'https://localhost/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://2130706433/x',
    'https://10.0.0.1/x',
    'https://172.16.5.4/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://[fe80::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::127.0.0.1]/',
    'https://[::5db8:d70e]/',
    'https://[::]/',
    'https://compatible.example/x',
    'https://nowhere.example/x',
    'https://inner.example/x',
    'https://mixed.example/x',
    'https://six.example/x',
    'https://unknown.example/x',
  ]) {
    await assert.rejects(follow(location), { name: 'FeedFault', kind: 'failed' }, location);
  }
  assert.equal((await follow('https://outer.example/x')).href, 'https://outer.example/x');
  assert.equal(
    (await resolveRedirect('/y', from, from, async () => ['93.184.215.14'])).href,
    'https://larder.example/y',
  );
  const local = new URL('http://127.0.0.1:1/appcast.xml');
  assert.equal((await resolveRedirect('http://localhost:2/x', local, local, resolve)).port, '2');
});

test('readFeedAddress accepts https, and http only for this machine', () => {
  for (const good of [
    'https://larder.example/a.xml',
    'http://127.0.0.1:1/a',
    'http://localhost/a',
    'http://[::1]:80/a',
  ]) {
    assert.equal(readFeedAddress(good).href.startsWith(good.slice(0, 12)), true);
  }
  for (const bad of [
    'http://larder.example/a.xml',
    'http://10.0.0.1/',
    'file:///a.xml',
    'https://a:b@larder.example/',
    'https://',
  ]) {
    assert.throws(() => readFeedAddress(bad), { name: 'FeedFault', kind: 'failed' }, bad);
  }
});

test('fetchFeed reads a file by its absolute path', async () => {
  const path = join(folder, 'appcast.xml');
  await writeFile(path, '<rss/>');
  assert.deepEqual(await fetchTestFeed(path), {
    bytes: Buffer.from('<rss/>'),
    url: null,
    etag: null,
    lastModified: null,
    maxAgeSeconds: null,
    contentType: '',
    address: null,
    link: null,
  });
  assert.match((await getFault(path, { maxBytes: 5 })).message, /larger than 5 bytes/);
  assert.match((await getFault(folder)).message, /is not a file/);
  assert.match((await getFault(join(folder, 'none.xml'))).message, /ENOENT/);
  assert.match((await getFault('appcast.xml')).message, /neither a URL nor an absolute path/);
});

test('fetchFeed rejects a named pipe instead of a file', async () => {
  // Windows has no named pipes in its file system, so there is nothing to test.
  if (process.platform === 'win32') return;
  const path = join(folder, 'pipe');
  execFileSync('/usr/bin/env', ['mkfifo', path]);
  assert.match((await getFault(path)).message, /is not a file/);
});
