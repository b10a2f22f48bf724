/** Requests that no ordinary client sends: odd methods and headers, path traversal, names such as __proto__, modified cursors. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { createAddressKey } from '../../src/limits/address-key.ts';
import { scaleCaseCount } from '../support/cases.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createBearerHeaders, createToken } from '../support/oauth.ts';
import { sendRaw } from '../support/raw.ts';
import { createJsonPost, startTestServer, type TestServer } from '../support/server.ts';

const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

describe('Hostile requests: payload_too_large, unsupported_media_type, method_not_allowed, not_acceptable', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const sendLines = (lines: readonly string[], body = '') =>
    sendRaw(server.listenUrl, `${['', ...lines].slice(1).join('\r\n')}\r\n\r\n${body}`);
  const createBatch = (path: string) => ({ operations: [{ id: 'a', method: 'GET', path }] });

  it('a malformed Idempotency-Key is rejected and adds no header to the response', async () => {
    const body = JSON.stringify(createBatch('/faq'));
    const head = (key: string) => [
      'POST /api/v1/batch HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `Idempotency-Key: ${key}`,
    ];
    for (const key of [
      'a\rX-Evil: 1',
      'a\nX-Evil: 1',
      'a\0b',
      'a\x1b[31m',
      'a\x7f',
      'caf\xe9',
      '\xf0\x9f\xa6\x89',
      'a\tb',
    ]) {
      const response = await sendLines(head(key), body);
      assert.equal(response.headers['x-evil'], undefined);
      assert.ok(response.status === 400 || response.headers['idempotency-key'] === undefined, JSON.stringify(key));
      assert.equal(JSON.parse(response.body).code, 'invalid_request', JSON.stringify(key));
    }
    const split = await sendLines(head('a\r\nX-Evil: 1'), body);
    assert.deepEqual([split.status, split.headers['x-evil'], split.headers['idempotency-key']], [200, undefined, 'a']);
  });

  it('headers such as X-Forwarded-Host and X-HTTP-Method-Override change nothing in the response', async () => {
    const plain = await server.request('/api/v1');
    for (const [name, value] of [
      ['x-forwarded-host', 'evil.example'],
      ['x-forwarded-proto', 'javascript'],
      ['x-forwarded-port', '6666'],
      ['x-forwarded-prefix', '/evil'],
      ['x-forwarded-server', 'evil.example'],
      ['forwarded', 'host=evil.example;proto=gopher'],
      ['x-host', 'evil.example'],
      ['x-original-url', '/api/v1/evil'],
      ['x-rewrite-url', '/api/v1/evil'],
      ['x-http-method-override', 'DELETE'],
      ['x-http-method', 'PUT'],
      ['x-method-override', 'POST'],
    ] as const) {
      const { status, text, headers } = await server.request('/api/v1', { headers: { [name]: value } });
      assert.deepEqual([status, text], [200, plain.text], name);
      assert.equal(headers.get('etag'), plain.headers.get('etag'), name);
    }
  });

  it('an unsupported method gets 405 with Allow, an unknown method 400, and OPTIONS * 204', async () => {
    const head = 'Host: localhost\r\n\r\n';
    const rows: [string, number, string | undefined][] = [
      ['PROPFIND /api/v1/docs', 405, 'GET, HEAD, OPTIONS'],
      ['PATCH /api/v1/docs', 405, 'GET, HEAD, OPTIONS'],
      ['DELETE /api/v1/batch', 405, 'POST, OPTIONS'],
      ['TRACE /docs/quickstart', 405, 'GET, HEAD, OPTIONS'],
      ['OPTIONS *', 204, 'GET, HEAD, POST, OPTIONS'],
      ['GET *', 404, undefined],
      ['get /api/v1/docs', 400, undefined],
      ['BREW /api/v1/docs', 400, undefined],
      ['CONNECT localhost:443', 400, undefined],
      ['PRI *', 400, undefined],
    ];
    for (const [line, status, allow] of rows) {
      const response = await sendRaw(server.listenUrl, `${line} HTTP/1.1\r\n${head}`);
      assert.deepEqual([response.status, response.headers.allow], [status, allow], line);
      if (status !== 204) assert.equal(response.headers['content-type'], 'application/problem+json', line);
    }
  });

  it('names such as __proto__ are plain data in paths, queries and bodies, and no prototype is changed', async () => {
    for (const name of prototypeNames) {
      const encoded = encodeURIComponent(name);
      for (const path of [
        `/docs/${encoded}`,
        `/faq/${encoded}`,
        `/releases/${encoded}`,
        `/exports/${encoded}`,
        `/${encoded}`,
      ]) {
        const { status } = await server.request(`/api/v1${path}`);
        assert.ok(status === 404 || status === 401, `${path}: ${status}`);
        if (path !== `/${encoded}`) assert.ok((await server.request(`/api/v1/sandbox${path}`)).status === 404, path);
      }
      for (const path of [
        `/docs/${encoded}`,
        `/assets/${encoded}`,
        `/${encoded}`,
        `/api/${encoded}`,
        `/exports/${encoded}.md`,
      ])
        assert.equal((await server.request(path)).status, 404, path);
      assert.equal((await server.request(`/api/v1/docs?${encoded}=1&${encoded}[x]=2`)).status, 200, name);
      assert.equal((await server.request(`/api/v1/search?q=${encoded}`)).status, 200, name);
      for (const query of [`type=${encoded}&q=light`, `cursor=${encoded}&q=light`])
        assert.equal((await server.request(`/api/v1/search?${query}`)).status, 400, name);
      assert.equal((await server.request(`/api/v1/sandbox/docs?simulate=${encoded}`)).status, 400, name);
      const batch = await server.request(
        '/api/v1/batch',
        createJsonPost(
          `{"${name}":{"polluted":1},"operations":[{"id":"${name}","method":"GET","path":"/docs","${name}":{"polluted":1}}]}`,
        ),
      );
      assert.deepEqual([batch.status, batch.json.results[0].id], [200, name]);
      const client = await server.request(
        '/oauth/register',
        createJsonPost(`{"${name}":{"polluted":1},"scope":"read:docs"}`),
      );
      assert.equal(client.status, 201, client.text);
      const token = await server.request('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({ [name]: 'x', grant_type: name, client_id: name, client_secret: name }),
      });
      assert.ok(token.status === 400 || token.status === 401, token.text);
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { [name]: 1 } } };
      const mcp = await server.request('/mcp', createJsonPost(call, { accept: 'application/json, text/event-stream' }));
      assert.ok(mcp.status < 500 && mcp.json.error !== undefined, mcp.text);
    }
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('path traversal in any encoding returns no unpublished file', async () => {
    const traversals = [
      '../',
      '..%2f',
      '%2e%2e/',
      '%2e%2e%2f',
      '..%5c',
      '..\\',
      '%252e%252e%252f',
      '.%2e/',
      '..;/',
      '%c0%ae%c0%ae/',
      '．．/',
    ];
    const targets = ['etc/passwd', 'package.json', 'product.yaml', 'data/secret-key', 'secret-key'];
    const spellings = traversals.flatMap((traversal) => targets.map((target) => traversal.repeat(6) + target));
    const oddNames = [
      '%00',
      'quickstart%00',
      'quickstart%00.md',
      '/etc/passwd',
      '%2fetc%2fpasswd',
      'file:%2f%2f%2fetc/passwd',
      'con',
      'a'.repeat(10_000),
      '%',
      '%zz',
      '%ff',
      'e%CC%81',
      '%C3%A9',
      '%ed%a0%80',
      '.',
      '..',
      '...',
      '~root',
      'quickstart.',
      'QUICKSTART',
      'quickstart/',
    ];
    const folders = [
      '/api/v1/docs/',
      '/api/v1/releases/',
      '/api/v1/faq/',
      '/docs/',
      '/assets/',
      '/exports/',
      '/',
      '/releases/',
    ];
    for (const folder of folders) {
      for (const name of [...spellings, ...oddNames]) {
        const response = await sendRaw(
          server.listenUrl,
          `GET ${folder}${Buffer.from(name).toString('latin1')} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
        );
        const where = `${folder}${name.slice(0, 60)}: ${response.status}`;
        assert.ok([200, 301, 308, 400, 404].includes(response.status), where);
        assert.doesNotMatch(response.body, /root:.*:0:0|"dependencies"|public_keys/, where);
        if (response.status === 200) assert.ok(folder === '/' || oddNames.includes(name), where);
        if (folder.startsWith('/api/') && response.status >= 400)
          assert.equal(response.headers['content-type'], 'application/problem+json', where);
      }
    }
  });

  it('a body with Content-Encoding gets 415 before it is received, whatever the coding is', async () => {
    const zeros = Buffer.alloc(10_000_000);
    const bombs = {
      gzip: gzipSync(zeros),
      deflate: deflateSync(zeros),
      br: brotliCompressSync(zeros),
      'gzip, gzip': gzipSync(gzipSync(zeros)),
      zstd: Buffer.from('x'),
      'x-unknown': Buffer.from('x'),
    };
    for (const path of ['/api/v1/batch', '/api/v1/sandbox/exports', '/oauth/register', '/oauth/token', '/mcp']) {
      for (const [coding, body] of Object.entries(bombs)) {
        const type = path === '/oauth/token' ? 'application/x-www-form-urlencoded' : 'application/json';
        const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`;
        assert.equal((await sendRaw(server.listenUrl, head)).status, 415, `${path} ${coding}`);
        // `request` would check the response against the contract, which does not have the JSON-RPC members of MCP errors.
        const response = await fetch(server.listenUrl + path, {
          method: 'POST',
          headers: { 'content-type': type, 'content-encoding': coding, accept: 'application/json, text/event-stream' },
          body: body.subarray(0, 60_000),
        });
        assert.equal(response.status, 415, `${path} ${coding}`);
        assert.match(await response.text(), /Content-Encoding/, `${path} ${coding}`);
      }
    }
  });

  it('a malformed or very long Accept header gets 200 or 406', async () => {
    const ranges = Array.from({ length: 500 }, (_, index) => `text/x-${index}`).join(',');
    const rows: [string, number][] = [
      ['*/*;q=0', 406],
      [ranges, 406],
      [`${ranges},application/json`, 200],
      ['a'.repeat(8000), 406],
      [','.repeat(8000), 406],
      [';q=1', 406],
      ['application/json;q=2', 406],
      ['application/json;q=nan', 406],
      ['"', 406],
      ['application/json;charset="utf-8', 200],
      ['*', 406],
      ['application/*;q=0.001', 200],
    ];
    for (const [accept, status] of rows) {
      const response = await server.request('/api/v1/docs', { headers: { accept } });
      assert.equal(response.status, status, accept.slice(0, 40));
    }
  });

  it('a query parameter is parsed exactly or gets 400, and the response contains no database error', async () => {
    const many = Array.from({ length: 1500 }, (_, index) => `p${index}=1`).join('&');
    const rows: [string, number][] = [
      ['/docs?limit[]=1', 200],
      ['/docs?limit=1&limit=1', 400],
      ['/docs?limit=+5', 400],
      ['/docs?limit=%35', 200],
      ['/docs?limit=５', 400],
      ['/docs?limit=5%00', 400],
      ['/docs?limit=NaN', 400],
      ['/docs?limit=Infinity', 400],
      ['/docs?LIMIT=0', 200],
      [`/docs?${many}`, 200],
      ['/docs?&&&==&=', 200],
      ['/docs?%', 200],
      ['/docs?limit=%zz', 400],
      ['/search', 400],
      ['/search?q=a', 400],
      [`/search?q=${'a'.repeat(200)}`, 200],
      [`/search?q=${'a'.repeat(201)}`, 400],
      [`/search?q=${encodeURIComponent('🦉'.repeat(200))}`, 200],
      [`/search?q=${encodeURIComponent('e\u0301'.repeat(100))}`, 200],
      [`/search?q=${encodeURIComponent('" OR 1=1; DROP TABLE clients; --')}`, 200],
      [`/search?q=${encodeURIComponent('NEAR(a b, 5) AND title:* ^ "')}`, 200],
      [`/search?q=${encodeURIComponent('%_*()[]{}^$.|?+\\')}`, 200],
      [`/search?q=${encodeURIComponent('(a+)+$'.repeat(30))}`, 200],
      ['/search?q=light&type=doc&type=faq', 400],
      [`/search?q=light&type=${encodeURIComponent("doc' OR '1'='1")}`, 400],
      ['/compatibility?os_version=14&arch=arm64&arch=x86_64', 400],
    ];
    for (const [path, status] of rows) {
      const response = await server.request(`/api/v1${path}`);
      assert.equal(response.status, status, path.slice(0, 60));
      assert.doesNotMatch(response.text, /fts5|sqlite|syntax error/i, path.slice(0, 60));
    }
  });

  it('a cursor that is modified, truncated or from another list gets 400', async () => {
    const { json: first } = await server.request('/api/v1/docs?limit=1');
    const cursor: string = first.pagination.next_cursor;
    const change = fc.oneof(
      fc.tuple(fc.nat(cursor.length - 1), fc.integer({ min: 0, max: 6 })).map(([index, bit]) => {
        const code = cursor.charCodeAt(index) ^ (1 << bit);
        return cursor.slice(0, index) + String.fromCharCode(code) + cursor.slice(index + 1);
      }),
      fc.nat(cursor.length - 1).map((end) => cursor.slice(0, end)),
      fc.string().map((more) => `${cursor}${more}x`),
      fc.string({ minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(change, async (invalidCursor) => {
        const { status, json } = await server.request(
          `/api/v1/docs?limit=1&cursor=${encodeURIComponent(invalidCursor)}`,
        );
        assert.deepEqual([status, json.code], [400, 'invalid_cursor'], invalidCursor);
      }),
      { numRuns: scaleCaseCount(150) },
    );
    for (const path of ['/releases', '/faq', '/search?q=light', '/sandbox/docs'])
      assert.equal(
        (await server.request(`/api/v1${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`)).status,
        400,
        path,
      );
    const wider = await server.request(`/api/v1/docs?limit=3&cursor=${cursor}`);
    assert.deepEqual([wider.status, wider.json.data.length], [200, 3], 'a cursor is a place, whatever the limit');
  });

  it('any origin gets Access-Control-Allow-Origin: * without credentials, except from /oauth/authorize', async () => {
    for (const origin of [
      'null',
      'https://evil.example',
      'file://',
      'http://localhost:1',
      '*',
      'https://a.example, https://b.example',
    ]) {
      const { headers } = await server.request('/api/v1/docs', { headers: { origin, cookie: 'session=1' } });
      assert.equal(headers.get('access-control-allow-origin'), '*', origin);
      assert.equal(headers.get('access-control-allow-credentials'), null);
      assert.match(headers.get('access-control-expose-headers') ?? '', /etag.*ratelimit/i);
    }
    const token = await createToken(server);
    const { headers } = await server.request('/agent/auth', {
      headers: { ...createBearerHeaders(token), origin: 'https://evil.example' },
    });
    assert.deepEqual(
      [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')],
      ['*', null],
    );
    const consent = await server.request('/oauth/authorize', { headers: { origin: 'https://evil.example' } });
    assert.equal(consent.headers.get('access-control-allow-origin'), null);
  });
});

describe('TRUST_PROXY: the address whose requests are counted', () => {
  const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));

  it('X-Forwarded-For from an untrusted peer is ignored, and the address of the peer counts', async (t) => {
    const server = await startTestServer({ clock, env: { RATE_LIMIT_ANONYMOUS: '5' } });
    t.after(() => server.close());
    const hops = Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`).join(', ');
    const spoofs = ['192.0.2.1', hops, 'unknown', '::1', '", "', '192.0.2.2'];
    const remaining: (string | null)[] = [];
    for (const spoof of spoofs) {
      const headers = { 'x-forwarded-for': spoof, 'x-real-ip': spoof.slice(0, 15), 'true-client-ip': '192.0.2.3' };
      remaining.push((await server.request('/api/v1/docs', { headers })).headers.get('ratelimit-remaining'));
    }
    assert.deepEqual(remaining, ['4', '3', '2', '1', '0', '0']);
  });

  it('the last untrusted entry of X-Forwarded-For counts, or the proxy’s address if that entry is invalid', async (t) => {
    const server = await startTestServer({ clock, env: { RATE_LIMIT_ANONYMOUS: '3', TRUST_PROXY: '127.0.0.0/8' } });
    t.after(() => server.close());
    const readRemaining = async (spoof: string) =>
      (await server.request('/api/v1/docs', { headers: { 'x-forwarded-for': spoof } })).headers.get(
        'ratelimit-remaining',
      );
    assert.equal(await readRemaining('6.6.6.6, 192.0.2.1'), '2');
    assert.equal(await readRemaining('7.7.7.7, 192.0.2.1, 127.0.0.9'), '1');
    assert.equal(await readRemaining('::ffff:192.0.2.1'), '0');
    assert.equal(await readRemaining('192.0.2.9'), '2');
    assert.equal(await readRemaining('192.0.2.1, garbage'), '2', 'the proxy’s address counts');
    assert.equal(await readRemaining(`${'9.9.9.9,'.repeat(1000)}garbage`), '1', 'the proxy’s address counts');
  });

  it('the addresses of one IPv6 /64 count as one, and an IPv4-mapped address as its IPv4 address', () => {
    const keys = new Set<string>();
    for (let low = 0; low < 65_536; low += 1)
      keys.add(createAddressKey(`2001:db8:1:2:${low.toString(16)}::${(low ^ 0xffff).toString(16)}`));
    assert.equal(keys.size, 1);
    assert.equal(createAddressKey('::ffff:c000:207'), createAddressKey('192.0.2.7'));
  });
});
