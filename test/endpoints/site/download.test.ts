/** Tests the latest release for a computer, the redirects below /download to its archive, and the bytes of /appcast.xml. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { writeContentFolder } from '../../support/content-folder.ts';
import { createItem, createSigner, createTag, createVersionTag, wrapInAppcast } from '../../support/feed-samples.ts';
import { startUpstream } from '../../support/feed-upstream.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { sendRpcRequest } from '../../support/mcp.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const larder = [
  createItem(
    '50',
    createVersionTag('3.0 beta') + createTag('channel', 'beta') + createTag('minimumSystemVersion', '14.0'),
  ),
  createItem(
    '40',
    createVersionTag('2.0') + createTag('minimumSystemVersion', '13.0') + createTag('hardwareRequirements', 'arm64'),
  ),
  createItem('30', createVersionTag('1.5') + createTag('minimumSystemVersion', '11.0')),
  createItem(
    '35',
    createVersionTag('1.5') + createTag('minimumSystemVersion', '10.13') + createTag('maximumSystemVersion', '12.99'),
  ),
  `<item><title>News</title><sparkle:version>10</sparkle:version><link>https://larder.example/news</link>${createTag('minimumSystemVersion', '10.13')}</item>`,
];

async function startServer(t: TestContext, items: readonly string[] = larder): Promise<TestServer> {
  const directory = writeContentFolder(t, { 'appcast.xml': wrapInAppcast(...items) });
  const server = await startTestServer({ env: { CONTENT_DIR: directory } });
  t.after(() => server.close());
  return server;
}

const getArchiveUrl = (build: string): string => `https://larder.example/${build}.zip`;

describe('GET /api/v1/releases/latest: unprocessable, invalid_request', () => {
  it('channel, os_version and arch select the release', async (t) => {
    const server = await startServer(t);
    const fetchBuild = async (query: string) => (await server.request(`/api/v1/releases/latest${query}`)).json.build;
    for (const [query, expected] of [
      ['', '40'],
      ['?os_version=13.0&arch=arm64', '40'],
      ['?os_version=13.0&arch=x86_64', '30'],
      ['?os_version=12.6', '35'],
      ['?channel=beta', '50'],
      ['?channel=beta&os_version=13.2', '40'],
      ['?channel=stable', '40'],
    ] as const) {
      assert.equal(await fetchBuild(query), expected, query);
    }
  });

  it('a computer without a release gets 422 with the reason, and an invalid parameter gets 400', async (t) => {
    const server = await startServer(t);
    const fetchFailure = async (query: string) => {
      const { status, json } = await server.request(`/api/v1/releases/latest${query}`);
      return [status, json.code, json.errors?.[0]?.field ?? null, json.detail];
    };
    assert.deepEqual(await fetchFailure('?os_version=10.9'), [
      422,
      'unprocessable',
      null,
      'No release runs on macOS 10.9 (Mavericks). Every release needs macOS 10.13 or later.',
    ]);
    assert.deepEqual((await fetchFailure('?os_version=19')).slice(0, 3), [422, 'unprocessable', null]);
    assert.deepEqual((await fetchFailure('?os_version=Sonoma')).slice(0, 3), [400, 'invalid_request', 'os_version']);
    assert.deepEqual((await fetchFailure('?arch=intel')).slice(0, 3), [400, 'invalid_request', 'arch']);
    assert.deepEqual((await fetchFailure('?channel=betta')).slice(0, 3), [400, 'invalid_request', 'channel']);
    assert.deepEqual((await fetchFailure('?arch=arm64&arch=x86_64')).slice(0, 3), [400, 'invalid_request', 'arch']);
  });

  it('the MCP tool get_release selects the same release, or reports why there is none', async (t) => {
    const server = await startServer(t);
    const fetchRelease = async (input: Record<string, unknown>) =>
      (await sendRpcRequest(server, '/mcp', 'tools/call', { name: 'get_release', arguments: input })).json.result;
    const fetchBuild = async (input: Record<string, unknown>) => (await fetchRelease(input)).structuredContent.build;
    assert.equal(await fetchBuild({}), '40');
    assert.equal(await fetchBuild({ os_version: '12.6', arch: 'x86_64' }), '35');
    assert.equal(await fetchBuild({ version: 'latest', channel: 'beta' }), '50');
    assert.equal(await fetchBuild({ version: '1.5+30' }), '30');
    for (const [input, reason] of [
      [{ os_version: '10.9' }, /Every release needs macOS 10\.13 or later/],
      [{ version: '1.5', arch: 'arm64' }, /arch chooses the latest release for a computer/],
      [{ channel: 'betta' }, /channel must be one of `stable`, `beta`/],
    ] as const) {
      const { isError, content } = await fetchRelease(input);
      assert.equal(isError, true);
      assert.match(content[0].text, reason);
    }
  });
});

describe('GET /download/latest and /download/{version}: upstream_unavailable', () => {
  it('the response is a 302 to the archive that the updater would fetch', async (t) => {
    const server = await startServer(t);
    for (const [path, build] of [
      ['latest', '40'],
      ['latest?os_version=12.6&arch=x86_64', '35'],
      ['latest?channel=beta', '50'],
      ['2.0', '40'],
      ['1.5', '35'],
      ['1.5+30', '30'],
      ['1.5%2B30', '30'],
      ['3.0%20beta', '50'],
    ] as const) {
      const { status, headers, text } = await server.request(`/download/${path}`);
      assert.deepEqual(
        [status, headers.get('location'), text],
        [302, getArchiveUrl(build), `${getArchiveUrl(build)}\n`],
        path,
      );
      assert.equal(headers.get('ratelimit-policy')?.split(';')[0], '"pages"');
      assert.match(headers.get('cache-control') ?? '', /^public, max-age=60/);
      assert.match(headers.get('etag') ?? '', /^"[^"]+"$/);
    }
    const etags = await Promise.all(
      ['2.0', '1.5'].map(async (path) => (await server.request(`/download/${path}`)).headers.get('etag')),
    );
    assert.notEqual(etags[0], etags[1]);
    const head = await server.request('/download/latest', { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('location'), head.text], [302, getArchiveUrl('40'), '']);
    // A server ignores conditions if the response would be neither 2xx nor 412 without them (RFC 9110 section 13.2.1).
    const conditional = await server.request('/download/latest', {
      headers: { 'if-none-match': head.headers.get('etag') ?? '' },
    });
    assert.equal(conditional.status, 302);
  });

  it('os, os_version, arch and format select the build, and User-Agent is ignored', async (t) => {
    const createBuild = (name: string, more: string, attributes = '') =>
      `<item><sparkle:version>9</sparkle:version>${more}<enclosure url="https://larder.example/${name}" length="1" ${attributes}/></item>`;
    const directory = writeContentFolder(t, {
      'product.yaml': (text) =>
        text.replace(
          /minimums:[\s\S]*?\nfeed/,
          'platform: { os: [macOS, Windows] }\nminimums: { macOS: { os_version: "13", arch: [arm64] }, Windows: { os_version: "10", arch: [x86_64] } }\nfeed',
        ),
      'appcast.xml': wrapInAppcast(
        createBuild('arm.dmg', createTag('hardwareRequirements', 'arm64') + createTag('minimumSystemVersion', '14.0')),
        createBuild('x86_64.dmg', createTag('minimumSystemVersion', '13.0')),
        createBuild('setup.exe', '', 'sparkle:os="windows"'),
      ),
    });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    for (const version of ['latest', '9'])
      for (const [query, name] of [
        ['', 'arm.dmg'],
        ['?arch=x86_64', 'x86_64.dmg'],
        ['?os=macOS&os_version=13.1&arch=x86_64', 'x86_64.dmg'],
        ['?os=Windows', 'setup.exe'],
        ['?os_version=Windows%2011&arch=arm64&format=exe', 'setup.exe'],
        ['?format=dmg', 'arm.dmg'],
      ] as const) {
        const { status, headers } = await server.request(`/download/${version}${query}`, {
          headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)' },
        });
        assert.deepEqual([status, headers.get('location')], [302, `https://larder.example/${name}`], version + query);
      }
    for (const [path, expected] of [
      ['latest?format=msi', [404, 'not_found', 'Release 9 has no msi for that computer. It has dmg.']],
      ['9?os=Windows&format=dmg', [404, 'not_found', 'Release 9 has no dmg for that computer. It has exe.']],
      ['9?os_version=12', [422, 'unprocessable', 'Release 9 has no build that runs on macOS 12 (Monterey).']],
      ['9?os=Linux', [422, 'unprocessable', 'No release runs on Linux. Lamp runs on macOS and Windows only.']],
    ] as const) {
      const { status, json } = await server.request(`/download/${path}`);
      assert.deepEqual([status, json.code, json.detail], expected);
    }
    assert.equal((await server.request('/download/9?format=tgz')).status, 400);
  });

  it('a version without an enclosure gets 404, a computer without a release 422, an invalid parameter 400', async (t) => {
    const server = await startServer(t);
    const fetchFailure = async (path: string, init?: RequestInit) => {
      const { status, json } = await server.request(`/download/${path}`, init);
      return [status, json.code, json.detail];
    };
    assert.deepEqual(await fetchFailure('10'), [
      404,
      'not_found',
      'Release 10 is an announcement without a download. Read about it at https://larder.example/news',
    ]);
    assert.deepEqual((await fetchFailure('9.9')).slice(0, 2), [404, 'not_found']);
    assert.deepEqual((await fetchFailure('latest?os_version=10.9')).slice(0, 2), [422, 'unprocessable']);
    assert.deepEqual((await fetchFailure('latest?arch=mips')).slice(0, 2), [400, 'invalid_request']);
    assert.deepEqual((await fetchFailure('evil.example')).slice(0, 2), [404, 'not_found']);
    const postResponse = await server.request('/download/latest', { method: 'POST' });
    assert.deepEqual([postResponse.status, postResponse.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
    const page = await server.request('/download/9.9', { headers: { accept: 'text/html' } });
    assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
  });

  it('the response is 503 until the feed was read once, and Cache-Status reports a stale feed', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const directory = writeContentFolder(t, {
      'product.yaml': (text) => text.replace('appcast.xml', `${upstream.origin}/appcast.xml`),
    });
    const server = await startTestServer({ clock, env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    for (const path of ['/download/latest', '/download/1', '/appcast.xml']) {
      const { status, json } = await server.request(path);
      assert.deepEqual([status, json.code], [503, 'upstream_unavailable'], path);
    }
    upstream.serveBytes(wrapInAppcast(createItem('1')));
    assert.equal(await server.checkFeed(), 'updated');
    assert.equal((await server.request('/download/latest')).status, 302);
    upstream.setListener((_, response) => response.writeHead(500).end());
    await clock.advance(3_600_000);
    for (const path of ['/download/latest', '/appcast.xml']) {
      const { headers } = await server.request(path);
      assert.equal(headers.get('cache-status'), '"feed"; hit; detail=stale', path);
    }
  });
});

describe('GET /appcast.xml', () => {
  it('the response is the feed byte for byte, with an entity tag that gets 304', async (t) => {
    const signer = createSigner();
    const feed = signer.sign(wrapInAppcast(...larder, '<item><title>Größe</title></item>'));
    const directory = writeContentFolder(t, {
      'appcast.xml': feed,
      'product.yaml': (text) => `${text}  public_keys: ["${signer.publicKey}"]\n`,
    });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const response = await fetch(`${server.listenUrl}/appcast.xml`);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), feed);
    assert.equal(response.headers.get('content-type'), 'application/rss+xml');
    assert.match(response.headers.get('content-security-policy') ?? '', /sandbox/);
    assert.equal(response.headers.get('ratelimit-policy')?.split(';')[0], '"pages"');
    const etag = response.headers.get('etag') ?? '';
    const revalidation = await server.request('/appcast.xml', { headers: { 'if-none-match': etag } });
    assert.deepEqual([revalidation.status, revalidation.text], [304, '']);
    const head = await server.request('/appcast.xml', { method: 'HEAD' });
    assert.deepEqual([head.status, head.text, head.headers.get('content-length') !== null], [200, '', true]);
    assert.notEqual(etag, (await server.request('/releases.atom')).headers.get('etag'));
  });

  it('the response changes when only the signature of the feed changes', async (t) => {
    const feed = wrapInAppcast(createItem('1'));
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    upstream.serveBytes(feed);
    const directory = writeContentFolder(t, {
      'product.yaml': (text) => text.replace('appcast.xml', `${upstream.origin}/appcast.xml`),
    });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    assert.equal((await server.request('/appcast.xml')).text, feed);
    const signedFeed = createSigner().sign(feed);
    upstream.serveBytes(signedFeed);
    assert.equal(await server.checkFeed(), 'updated');
    assert.equal((await server.request('/appcast.xml')).text, signedFeed.toString());
  });

  it('a feed with relative URLs and a base_url gets 404, and its downloads resolve against base_url', async (t) => {
    const relativeFeed = wrapInAppcast(
      '<item><title>1</title><sparkle:version>1</sparkle:version><enclosure url="1.zip"/></item>',
    );
    const directory = writeContentFolder(t, {
      'appcast.xml': relativeFeed,
      'product.yaml': (text) => `${text}  base_url: https://larder.example/updates/appcast.xml?token=1\n`,
    });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const { status, json } = await server.request('/appcast.xml');
    assert.deepEqual(
      [status, json.code, json.detail],
      [
        404,
        'not_found',
        'The feed has relative URLs, which would lead elsewhere from here. It is published at https://larder.example/updates/appcast.xml.',
      ],
    );
    const download = await server.request('/download/latest');
    assert.equal(download.headers.get('location'), 'https://larder.example/updates/1.zip');
  });
});
