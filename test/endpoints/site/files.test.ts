/** Tests the small files of the site as complete responses, redirects without a body, and requests with Range. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { contentFiles, writeContentFolder } from '../../support/content-folder.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { readPage } from '../../support/site-page.ts';

describe('GET /favicon.ico, /previews/{section}.png, /apple-touch-icon.png, /site.webmanifest and /appcast.xml', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  async function fetchDrawing(path: string) {
    const response = await fetch(server.baseUrl + path, { headers: { 'accept-encoding': 'br' } });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { status, headers } = response;
    return {
      status,
      type: headers.get('content-type'),
      encoding: headers.get('content-encoding'),
      cacheControl: headers.get('cache-control'),
      etag: headers.get('etag'),
      width: bytes.readUInt32BE(16),
      height: bytes.readUInt32BE(20),
    };
  }

  it('/.well-known/agent-skills/index.json is indented', async () => {
    const { status, text, json } = await server.request('/.well-known/agent-skills/index.json');
    assert.equal(status, 200);
    assert.equal(text, `${JSON.stringify(json, null, 2)}\n`);
  });

  it('/favicon.ico and /favicon.svg return the same SVG', async () => {
    const icons = await Promise.all(['/favicon.ico', '/favicon.svg'].map((path) => server.request(path)));
    for (const { status, headers, text } of icons) {
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'image/svg+xml');
      assert.match(text, /^<svg /);
    }
    assert.equal(icons[0]?.text, icons[1]?.text);
  });

  it('og:image is one preview for each section, and immutable at the URL with its version', async () => {
    const { text } = await server.request('/docs/quickstart', { headers: { accept: 'text/html' } });
    const page = readPage(text);
    const property = (name: string) => page.getAttribute('meta', { property: `og:${name}` }, 'content');
    const url = property('image') ?? '';
    assert.match(url.slice(server.baseUrl.length), /^\/previews\/docs\.png\?v=[0-9a-f]{12}$/);
    assert.deepEqual(
      [property('image:width'), property('image:height'), property('image:alt')],
      ['1200', '630', 'Sotto: Documentation'],
    );
    for (const [name, content] of Object.entries({
      'twitter:card': 'summary_large_image',
      'twitter:image': url,
      'twitter:image:alt': 'Sotto: Documentation',
    })) {
      assert.equal(page.getAttribute('meta', { name }, 'content'), content);
    }
    const { pathname, search } = new URL(url);
    const [versioned, repeated, current] = await Promise.all([
      fetchDrawing(pathname + search),
      fetchDrawing(pathname + search),
      fetchDrawing(pathname),
    ]);
    assert.deepEqual(
      [versioned.status, versioned.type, versioned.encoding, versioned.width, versioned.height],
      [200, 'image/png', null, 1200, 630],
    );
    assert.equal(versioned.cacheControl, 'public, max-age=31536000, immutable');
    assert.deepEqual(repeated, versioned);
    assert.equal(current.etag, versioned.etag);
    assert.match(current.cacheControl ?? '', /^public, max-age=60,/);
    assert.equal((await fetchDrawing(`${pathname}?v=000000000000`)).cacheControl, current.cacheControl);
    const overview = readPage((await server.request('/docs', { headers: { accept: 'text/html' } })).text);
    assert.equal(overview.getAttribute('meta', { property: 'og:image' }, 'content'), url);
    const home = readPage((await server.request('/', { headers: { accept: 'text/html' } })).text);
    assert.match(home.getAttribute('meta', { property: 'og:image' }, 'content') ?? '', /\/previews\/home\.png\?v=/);
    assert.equal((await fetchDrawing('/previews/home.png')).status, 200);
    for (const path of ['/previews/docs/quickstart.png', '/previews/docs', '/previews/nothing.png']) {
      assert.equal((await server.request(path)).status, 404, path);
    }
    const searchPage = await server.request('/search?q=model', { headers: { accept: 'text/html' } });
    assert.doesNotMatch(searchPage.text, /og:image/);
  });

  it('apple-touch-icon has 180 pixels, and the icons of the web app manifest have 192 and 512', async () => {
    const { text } = await server.request('/', { headers: { accept: 'text/html' } });
    const page = readPage(text);
    const touch = page.getAttribute('link', { rel: 'apple-touch-icon' }, 'href') ?? '';
    const versioned = await fetchDrawing(touch);
    assert.deepEqual([versioned.status, versioned.width, versioned.height], [200, 180, 180]);
    assert.match(versioned.cacheControl ?? '', /immutable/);
    const plain = await fetchDrawing('/apple-touch-icon.png');
    assert.deepEqual([plain.status, plain.etag], [200, versioned.etag]);
    const manifest = await server.request(page.getAttribute('link', { rel: 'manifest' }, 'href') ?? '');
    assert.equal(manifest.headers.get('content-type'), 'application/manifest+json; charset=utf-8');
    assert.match(manifest.headers.get('cache-control') ?? '', /immutable/);
    const { icons, ...rest } = manifest.json;
    assert.deepEqual(rest, {
      name: 'Sotto',
      id: '/',
      start_url: '/',
      display: 'browser',
      lang: 'en',
      background_color: '#fcfcfb',
      theme_color: '#fcfcfb',
    });
    for (const [index, size] of [192, 512].entries()) {
      assert.deepEqual([icons[index].sizes, icons[index].type], [`${size}x${size}`, 'image/png']);
      const icon = await fetchDrawing(icons[index].src);
      assert.deepEqual([icon.status, icon.width, icon.height], [200, size, size]);
    }
  });

  it('/appcast.xml has a Content-Security-Policy with sandbox', async () => {
    const { status, headers, text } = await server.request('/appcast.xml');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/rss+xml');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    assert.equal(headers.get('ratelimit-policy'), '"pages";q=1000000;w=60');
    assert.match(text, /<rss /);
  });

  it('a path with a trailing slash redirects with 308 and an empty body', async () => {
    const { status, headers, text } = await server.request('/docs/quickstart/', { redirect: 'manual' });
    assert.equal(status, 308);
    assert.equal(headers.get('location'), `${server.baseUrl}/docs/quickstart`);
    assert.equal(headers.get('content-length'), '0');
    assert.equal(text, '');
  });
});

describe('GET with Range (RFC 9110 section 14): range_not_satisfiable', () => {
  const video = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251));
  const large = Buffer.alloc(1_200_000, 7);
  let server: TestServer;
  let removeFolder: () => void = () => {};
  before(async () => {
    const directory = writeContentFolder(
      {
        after: (remove) => {
          removeFolder = remove as () => void;
        },
      },
      { 'assets/tour.mp4': video, 'assets/large.webm': large, 'assets/empty.txt': '' },
    );
    server = await startTestServer({ env: { CONTENT_DIR: directory } });
  });
  after(async () => {
    await server.close();
    removeFolder();
  });
  const get = async (range: string, more: Record<string, string> = {}, path = '/assets/tour.mp4', method = 'GET') => {
    const headers = { 'accept-encoding': 'identity', ...(range !== '' && { range }), ...more };
    const response = await fetch(server.baseUrl + path, { headers, method });
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  };

  it('a whole file is sent uncompressed, with Accept-Ranges: bytes', async () => {
    const { status, headers, bytes } = await get('', { 'accept-encoding': 'br, gzip' });
    assert.equal(status, 200);
    assert.equal(headers.get('accept-ranges'), 'bytes');
    assert.equal(headers.get('content-encoding'), null);
    assert.equal(headers.get('content-range'), null);
    assert.deepEqual(bytes, video);
  });

  it('a 206 response has the headers of the whole file, such as ETag and Cache-Control (section 15.3.7)', async () => {
    const whole = await get('');
    const { status, headers, bytes } = await get('bytes=0-1');
    assert.equal(status, 206);
    assert.deepEqual(bytes, video.subarray(0, 2));
    const rangeHeaders = new Set(['content-range', 'content-length', 'date', 'x-request-id']);
    const listSharedHeaders = (from: Headers) =>
      [...from].filter(([name]) => !rangeHeaders.has(name) && !name.startsWith('ratelimit'));
    assert.deepEqual(listSharedHeaders(headers), listSharedHeaders(whole.headers));
    assert.equal(headers.get('content-type'), 'video/mp4');
    assert.equal(headers.get('content-range'), 'bytes 0-1/5000');
    assert.equal(headers.get('content-length'), '2');
  });

  it('a 206 response has the bytes of the range, at most to the end of the file (section 14.1.2)', async () => {
    for (const [range, from, to] of [
      ['bytes=10-19', 10, 20],
      ['bytes=4990-', 4990, 5000],
      ['bytes=4990-9999999999999999999', 4990, 5000],
      ['bytes=-10', 4990, 5000],
      ['bytes=-9999', 0, 5000],
      ['BYTES= 0-0 ', 0, 1],
    ] as const) {
      const { status, headers, bytes } = await get(range);
      assert.equal(status, 206, range);
      assert.equal(headers.get('content-range'), `bytes ${from}-${to - 1}/5000`);
      assert.deepEqual(bytes, video.subarray(from, to), range);
    }
    const { bytes, headers } = await get('bytes=1199990-', {}, '/assets/large.webm');
    assert.equal(headers.get('content-range'), 'bytes 1199990-1199999/1200000');
    assert.deepEqual(bytes, large.subarray(1_199_990));
  });

  it('a range that is malformed, in another unit or one of several gets the whole file (section 14.2)', async () => {
    for (const range of [
      'bytes=',
      'bytes=-',
      'bytes=9-1',
      'bytes=a-b',
      'items=0-1',
      '0-1',
      'bytes=0-1,4-5',
      'bytes=0x1-2',
    ]) {
      const { status, headers, bytes } = await get(range);
      assert.equal(status, 200, range);
      assert.equal(headers.get('content-range'), null);
      assert.deepEqual(bytes, video, range);
    }
  });

  it('a range that selects no bytes gets 416 with the length of the file (section 15.5.17)', async () => {
    for (const [range, path, length] of [
      ['bytes=5000-', '/assets/tour.mp4', 5000],
      ['bytes=-0', '/assets/tour.mp4', 5000],
      ['bytes=0-', '/assets/empty.txt', 0],
    ] as const) {
      const { status, headers, bytes } = await get(range, {}, path);
      assert.equal(status, 416, range);
      assert.equal(headers.get('content-range'), `bytes */${length}`);
      assert.equal(headers.get('content-type'), 'application/problem+json');
      assert.equal(JSON.parse(bytes.toString()).code, 'range_not_satisfiable');
    }
  });

  it('If-Range with anything but the current strong entity tag gets the whole file (section 13.1.5)', async () => {
    const { headers } = await get('');
    const etag = headers.get('etag') ?? '';
    assert.equal((await get('bytes=5-9', { 'if-range': etag })).status, 206);
    for (const condition of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
      const { status, bytes } = await get('bytes=5-9', { 'if-range': condition });
      assert.equal(status, 200, condition);
      assert.equal(bytes.length, 5000);
    }
    assert.equal(
      (await get('bytes=9000-', { 'if-range': '"other"' })).status,
      200,
      'a condition comes before the range',
    );
  });

  it('If-None-Match takes precedence over Range, and HEAD ignores Range (sections 13.2.2 and 14.2)', async () => {
    const { headers } = await get('');
    assert.equal((await get('bytes=5-9', { 'if-none-match': headers.get('etag') ?? '' })).status, 304);
    const head = await get('bytes=5-9', {}, '/assets/tour.mp4', 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.headers.get('content-length'), '5000');
  });

  it('a range of a compressible file is sent uncompressed, and a repeated download still supports ranges', async () => {
    const brotli = { 'accept-encoding': 'br' };
    const { status, headers, bytes } = await get('bytes=0-3', brotli, '/assets/logo.svg');
    const length = Buffer.byteLength(contentFiles['assets/logo.svg'] ?? '');
    assert.deepEqual(
      [status, headers.get('content-range'), headers.get('content-encoding'), bytes.toString()],
      [206, `bytes 0-3/${length}`, null, '<svg'],
    );
    // `fetch` appends `identity` to a request with Range, so these two requests have the Accept-Encoding of the one below. The fast
    // path sends the second response. The request with Range must bypass the fast path, which has only whole files.
    const sameCoding = { 'accept-encoding': 'br, identity' };
    await get('', sameCoding);
    await get('', sameCoding);
    const part = await get('bytes=0-3', brotli);
    assert.deepEqual(
      [part.status, part.headers.get('content-range'), part.bytes],
      [206, 'bytes 0-3/5000', video.subarray(0, 4)],
    );
  });

  it('a page ignores Range and has no Accept-Ranges', async () => {
    const { status, headers } = await get('bytes=0-3', { accept: 'text/html' }, '/docs/start');
    assert.equal(status, 200);
    assert.equal(headers.get('accept-ranges'), null);
  });
});
