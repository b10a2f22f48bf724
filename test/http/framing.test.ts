/** Malformed requests as raw bytes: each gets a problem document, whether the parser or the server rejects it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertSchema } from '../support/contract.ts';
import { sendRaw } from '../support/raw.ts';
import { createJsonPost, startTestServer, type TestServer } from '../support/server.ts';

describe('Request framing (RFC 9112): invalid_request, headers_too_large, payload_too_large', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const headers = 'Host: localhost\r\n';
  const invalidRequests: [string, string, number, string][] = [
    ['a line that is not a request', 'HELLO\r\n\r\n', 400, 'invalid_request'],
    ['two Host headers', `GET /api/v1 HTTP/1.1\r\n${headers}Host: evil.example\r\n\r\n`, 400, 'invalid_request'],
    ['no Host header', 'GET /api/v1 HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
    ['an invalid Host header', 'GET /api/v1 HTTP/1.1\r\nHost: a b\r\n\r\n', 400, 'invalid_request'],
    ['a target with another host', `GET http://evil.example/api/v1 HTTP/1.1\r\n${headers}\r\n`, 400, 'invalid_request'],
    [
      'Content-Length and Transfer-Encoding',
      `POST /api/v1/batch HTTP/1.1\r\n${headers}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'invalid_request',
    ],
    [
      'an unknown transfer coding',
      `POST /api/v1/batch HTTP/1.1\r\n${headers}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
      400,
      'invalid_request',
    ],
    [
      'two Content-Length headers',
      `POST /api/v1/batch HTTP/1.1\r\n${headers}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
      400,
      'invalid_request',
    ],
    [
      'an invalid Content-Length',
      `POST /api/v1/batch HTTP/1.1\r\n${headers}Content-Length: +5\r\n\r\nhello`,
      400,
      'invalid_request',
    ],
    ['a NUL in a header', `GET /api/v1 HTTP/1.1\r\n${headers}X: a\0b\r\n\r\n`, 400, 'invalid_request'],
    ['a folded header', `GET /api/v1 HTTP/1.1\r\n${headers}X: a\r\n b\r\n\r\n`, 400, 'invalid_request'],
    [
      'headers over 16 KiB',
      `GET /api/v1 HTTP/1.1\r\n${headers}X: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'a broken chunk',
      `POST /api/v1/batch HTTP/1.1\r\n${headers}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      'invalid_request',
    ],
    ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${headers}\r\n`, 400, 'invalid_request'],
    ['TRACE', `TRACE /api/v1 HTTP/1.1\r\n${headers}\r\n`, 405, 'method_not_allowed'],
    ['an unknown path that begins with //', `GET //evil.example/.. HTTP/1.1\r\n${headers}\r\n`, 404, 'not_found'],
  ];

  for (const [what, bytes, status, code] of invalidRequests) {
    it(`the response to ${what} is ${status} ${code}`, async () => {
      const response = await sendRaw(server.listenUrl, bytes);
      assert.equal(response.status, status);
      assert.equal(response.headers['content-type'], 'application/problem+json');
      const problem = JSON.parse(response.body);
      assert.equal(problem.code, code);
      assert.equal(problem.request_id, response.headers['x-request-id']);
      assertSchema({ $ref: '#/components/schemas/Problem' }, problem, what);
      for (const name of [
        'etag',
        'api-version',
        'ratelimit',
        'ratelimit-policy',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
        'cache-control',
      ]) {
        assert.ok(response.headers[name], `${what}: no ${name}`);
      }
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
      assert.equal(response.headers['access-control-allow-origin'], '*');
      assert.equal(response.headers['content-length'], String(Buffer.byteLength(response.body)));
    });
  }

  it('the response does not contain the value of Host or X-Forwarded-Host', async () => {
    const response = await sendRaw(
      server.listenUrl,
      'GET /api/v1 HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: worse.example\r\n\r\n',
    );
    assert.equal(response.status, 200);
    assert.doesNotMatch(response.body, /evil|worse/);
  });

  it('the instance of a problem document is the path as it was sent', async () => {
    const rows: readonly (readonly [target: string, instance: string])[] = [
      ['/x#y', '/x'],
      ['/api/v1/%66aq/none?a=%2F', '/api/v1/%66aq/none'],
      ['/assets/%2e%2e/product.yaml', '/assets/%2e%2e/product.yaml'],
      [`http://${new URL(server.baseUrl).host}/api/v1/%6eone?a=b`, '/api/v1/%6eone'],
    ];
    for (const [target, instance] of rows) {
      const head = `GET ${target} HTTP/1.1\r\nHost: ${new URL(server.baseUrl).host}\r\n\r\n`;
      assert.equal(JSON.parse((await sendRaw(server.listenUrl, head)).body).instance, instance);
    }
    const operations = [
      { id: 'a', method: 'GET', path: '/%66aq/none?a=b' },
      { id: 'b', method: 'GET', path: 'sandbox/%66aq/none' },
    ];
    const { json: batch } = await server.request('/api/v1/batch', createJsonPost({ operations }));
    assert.deepEqual(
      batch.results.map(({ body }: { body: { instance: string } }) => body.instance),
      ['/api/v1/%66aq/none', '/api/v1/sandbox/%66aq/none'],
    );
  });

  it('a target in absolute form with the server’s own host gets 200', async () => {
    const { host } = new URL(server.listenUrl);
    const response = await sendRaw(
      server.listenUrl,
      `GET http://${host}/api/v1/features HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    );
    assert.equal(response.status, 200);
  });

  it('OPTIONS * gets 204 with Allow: GET, HEAD, POST, OPTIONS', async () => {
    const response = await sendRaw(server.listenUrl, `OPTIONS * HTTP/1.1\r\n${headers}\r\n`);
    assert.equal(response.status, 204);
    assert.equal(response.headers.allow, 'GET, HEAD, POST, OPTIONS');
  });

  it('a body over the maximum gets 413: by its Content-Length before it is sent, or by its chunks', async () => {
    const head = `POST /api/v1/batch HTTP/1.1\r\n${headers}Content-Type: application/json\r\n`;
    const declared = await sendRaw(server.listenUrl, `${head}Content-Length: 1000000000\r\n\r\n`);
    assert.equal(declared.status, 413);
    assert.equal(declared.headers.connection, 'close');
    const expecting = await sendRaw(server.listenUrl, `${head}Expect: 100-continue\r\nContent-Length: 65537\r\n\r\n`);
    assert.equal(expecting.status, 413);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const chunked = await sendRaw(server.listenUrl, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`);
    assert.equal(chunked.status, 413);
  });

  it('a client that sends a body of 1 MB receives the 413', async () => {
    // The server reads a body of up to 1 MB to its end; the sender of a larger one may find the connection closed before it reads.
    const body = 'x'.repeat(1_000_000);
    const response = await fetch(`${server.listenUrl}/api/v1/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    assert.equal(response.status, 413);
    assert.match(await response.text(), /"code":"payload_too_large"/);
  });

  it('a request with escapes in its path and its X-Request-Id is logged with path, route, status and code', async () => {
    await sendRaw(
      server.listenUrl,
      `GET /api/v1/docs/a%0d%0ab HTTP/1.1\r\n${headers}X-Request-Id: mine"\t\\u000a\r\n\r\n`,
    );
    await server.close();
    const line = server.logLines.find(({ client_request_id }) => String(client_request_id).startsWith('mine'));
    assert.ok(line);
    assert.equal(line.path, '/api/v1/docs/a%0d%0ab');
    assert.equal(line.route, '/api/v1/docs/{slug}');
    assert.equal(line.status, 404);
    assert.equal(line.code, 'not_found');
    server = await startTestServer();
  });
});
