/** Requests that are refused before they are counted: the order of the checks, and that nothing behind the request is read. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sendParts } from '../support/conversation.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createBearerHeaders, createToken } from '../support/oauth.ts';
import { sendRaw } from '../support/raw.ts';
import { createJsonPost, startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';
import { sendAndDisconnect } from '../support/sockets.ts';

const host = 'Host: localhost\r\n';
const nextRequest = `GET /robots.txt HTTP/1.1\r\n${host}\r\n`;

async function start(t: TestContext, options: TestServerOptions = {}): Promise<TestServer> {
  // Each process has its own count of refused requests, so the tests use one server even with TEST_POSTGRES.
  const server = (await startTestServer(options)).firstServer;
  t.after(() => server.close());
  return server;
}

/** Ends the server, and returns the paths of the requests in its log. */
async function closeAndListPaths(server: TestServer): Promise<unknown[]> {
  await server.close();
  return server.logLines.filter(({ msg }) => msg === 'request').map(({ path }) => path);
}

const refusals: readonly (readonly [what: string, bytes: string, policy: string])[] = [
  ['a fragment', `GET /mcp# HTTP/1.1\r\n${host}\r\n`, 'pages'],
  ['a fragment behind a query', `GET /api/v1/faq?a=1#b HTTP/1.1\r\n${host}\r\n`, 'pages'],
  ['a fragment behind a name', `GET /openapi.json#x HTTP/1.1\r\n${host}\r\n`, 'pages'],
  ['a fragment in a target in absolute form', `GET http://localhost/mcp# HTTP/1.1\r\n${host}\r\n`, 'pages'],
  ['a fragment behind the sandbox', `GET /api/v1/sandbox# HTTP/1.1\r\n${host}\r\n`, 'pages'],
  ['a target of another host', `GET http://evil.example/api/v1 HTTP/1.1\r\n${host}\r\n`, 'anonymous'],
  ['a target with a user', `GET http://a@localhost/api/v1 HTTP/1.1\r\n${host}\r\n`, 'anonymous'],
  ['HTTP/2.0', `GET /api/v1/faq HTTP/2.0\r\n${host}\r\n`, 'anonymous'],
  ['HTTP/0.9', `GET /api/v1/faq HTTP/0.9\r\n${host}\r\n`, 'anonymous'],
  ['no Host', 'GET /api/v1/faq HTTP/1.1\r\n\r\n', 'anonymous'],
  ['two Hosts', `GET /api/v1/faq HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`, 'anonymous'],
  ['the same Host twice', `GET /api/v1/sandbox/faq HTTP/1.1\r\n${host}${host}\r\n`, 'sandbox'],
  ['a Host with a path', 'GET /docs HTTP/1.1\r\nHost: localhost/a\r\n\r\n', 'pages'],
  [
    'an unknown transfer coding',
    `POST /api/v1/batch HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    'anonymous',
  ],
  [
    'HTTP/1.0 in chunks',
    `POST /api/v1/batch HTTP/1.0\r\n${host}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    'anonymous',
  ],
];

describe('A request with an invalid target, version, Host or Transfer-Encoding (RFC 9112): invalid_request', () => {
  it('the response is 400, no rate limit counts the request, and nothing behind the request is read', async (t) => {
    const limits: Record<string, string> = { anonymous: '120', sandbox: '60', pages: '1000' };
    const server = await start(t, {
      env: { RATE_LIMIT_ANONYMOUS: '120', RATE_LIMIT_SANDBOX: '60', RATE_LIMIT_PAGES: '1000' },
    });
    const { headers: plain } = await server.request('/healthy');
    for (const [what, bytes, policy] of refusals) {
      const limit = limits[policy];
      const remaining = policy === 'pages' ? '999' : limit;
      for (const parts of [[bytes], [bytes + nextRequest], [bytes, nextRequest]]) {
        const { responses, rest, isClosed } = await sendParts(server.listenUrl, parts);
        const [response, ...others] = responses;
        assert.deepEqual([response?.status, others.length, rest, isClosed], [400, 0, '', true], what);
        const {
          date,
          etag,
          'x-request-id': id,
          'ratelimit-reset': reset,
          ratelimit,
          ...headers
        } = response?.headers ?? {};
        assert.deepEqual(
          headers,
          {
            'content-type': 'application/problem+json',
            'cache-control': 'no-store',
            'content-length': String(response?.body.length),
            'api-version': plain.get('api-version'),
            'ratelimit-limit': limit,
            'ratelimit-remaining': remaining,
            'ratelimit-policy': `"${policy}";q=${limit};w=60`,
            'access-control-allow-origin': '*',
            'access-control-expose-headers': plain.get('access-control-expose-headers'),
            'x-content-type-options': 'nosniff',
            ...(policy === 'sandbox' && { 'x-service-environment': 'sandbox' }),
            connection: 'close',
          },
          what,
        );
        assert.equal(ratelimit, `"${policy}";r=${remaining};t=${reset}`);
        assert.ok(date && etag);
        const problem = JSON.parse(String(response?.body));
        assert.deepEqual([problem.code, problem.status, problem.request_id], ['invalid_request', 400, id]);
      }
    }
    assert.equal((await closeAndListPaths(server)).length, 1 + 3 * refusals.length);
  });

  it('the response is 400 instead of 429 when the rate limit is used up, and the connection is closed', async (t) => {
    const server = await start(t, {
      env: { RATE_LIMIT_ANONYMOUS: '1', RATE_LIMIT_SANDBOX: '1', RATE_LIMIT_PAGES: '1', RATE_LIMIT_REFUSED: '1' },
    });
    for (const path of ['/api/v1/faq', '/api/v1/sandbox/faq', '/docs']) await server.request(path);
    await server.request('/api/v1/faq', { headers: createBearerHeaders('junk') });
    for (const path of ['/api/v1/faq', '/api/v1/sandbox/faq', '/docs', '/api/v1/faq'])
      assert.equal((await server.request(path)).status, 429);
    for (const [what, bytes] of refusals) {
      for (const request of [bytes, bytes.replace(host, `${host}Authorization: Bearer junk\r\n`)]) {
        const { responses, isClosed } = await sendParts(server.listenUrl, [request, nextRequest]);
        assert.deepEqual([responses.map(({ status }) => status), isClosed], [[400], true], what);
        assert.equal(responses[0]?.headers['retry-after'], undefined);
        assert.equal(responses[0]?.headers['ratelimit-remaining'], '0');
      }
    }
  });

  it('a fragment in the target bypasses neither the rate limit nor the check of the token', async (t) => {
    const server = await start(t, { env: { RATE_LIMIT_ANONYMOUS: '2' } });
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const post = (target: string, headers = '') =>
      sendRaw(
        server.listenUrl,
        `POST ${target} HTTP/1.1\r\n${host}${headers}Content-Type: application/json\r\nContent-Length: ${call.length}\r\n\r\n${call}`,
      );
    assert.equal((await post('/mcp#', 'Authorization: Bearer junk\r\n')).status, 400);
    assert.equal((await post('/mcp', 'Authorization: Bearer junk\r\n')).status, 401);
    assert.equal((await post('/mcp')).status, 200);
    assert.equal((await post('/mcp')).status, 429);
    assert.equal((await post('/mcp#')).status, 400);
  });
});

describe('A request with Upgrade (RFC 9110 section 7.8)', () => {
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: websocket\r\nHTTP2-Settings: AAMAAABk\r\n';
  const smuggled = `GET /api/v1/requirements HTTP/1.1\r\n${host}\r\n`;
  const batchHead = `POST /api/v1/batch HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: ${smuggled.length}\r\n\r\n`;
  const batchBody = '{"operations":[{"id":"a","method":"GET","path":"/faq"}]}';
  const rows: readonly (readonly [what: string, parts: string[], status: number])[] = [
    ['a request alone', [`GET /api/v1/faq HTTP/1.1\r\n${host}${upgrade}\r\n`], 200],
    [
      'a request with another one in the same packet',
      [`GET /api/v1/faq HTTP/1.1\r\n${host}${upgrade}\r\n${nextRequest}`],
      200,
    ],
    [
      'a request with another one in the next packet',
      [`GET /api/v1/faq HTTP/1.1\r\n${host}${upgrade}\r\n`, nextRequest],
      200,
    ],
    [
      'a request with another head in the same packet and its body in the next one',
      [`GET /api/v1/faq HTTP/1.1\r\n${host}${upgrade}\r\n${batchHead}`, smuggled],
      200,
    ],
    [
      'a request with Upgrade but no Connection',
      [`GET /api/v1/faq HTTP/1.1\r\n${host}Upgrade: h2c\r\n\r\n${nextRequest}`],
      200,
    ],
    [
      'a request with a body',
      [
        `POST /api/v1/batch HTTP/1.1\r\n${host}${upgrade}Content-Type: application/json\r\nContent-Length: ${batchBody.length}\r\n\r\n${batchBody}${nextRequest}`,
      ],
      200,
    ],
    ['a request for an unknown path', [`GET /api/v1/nothing HTTP/1.1\r\n${host}${upgrade}\r\n${nextRequest}`], 404],
  ];
  for (const [what, parts, status] of rows) {
    it(`${what} gets ${status}, and the connection is closed`, async (t) => {
      const server = await start(t);
      const { responses, rest, isClosed } = await sendParts(server.listenUrl, parts);
      assert.deepEqual([responses.map((response) => response.status), rest, isClosed], [[status], '', true]);
      assert.equal(responses[0]?.headers.connection, 'close');
      assert.equal((await closeAndListPaths(server)).length, 1);
    });
  }

  it('a pipelined request gets its response after the earlier ones, and no request behind it is read', async (t) => {
    const server = await start(t);
    const { responses, isClosed } = await sendParts(server.listenUrl, [
      `GET /api/v1/docs HTTP/1.1\r\n${host}\r\nGET /api/v1/faq HTTP/1.1\r\n${host}${upgrade}\r\n${nextRequest}`,
    ]);
    assert.deepEqual([responses.map(({ status }) => status), isClosed], [[200, 200], true]);
    assert.deepEqual(await closeAndListPaths(server), ['/api/v1/docs', '/api/v1/faq']);
  });
});

describe('The last request of a connection (RFC 9112 section 9.6)', () => {
  it('a request behind one with Connection: close is not read', async (t) => {
    const server = await start(t);
    const { responses, isClosed } = await sendParts(server.listenUrl, [
      `GET /api/v1/faq HTTP/1.1\r\n${host}Connection: close\r\n\r\n${nextRequest}`,
    ]);
    assert.deepEqual([responses.length, isClosed], [1, true]);
    assert.deepEqual(await closeAndListPaths(server), ['/api/v1/faq']);
  });

  it('the error of an invalid request follows the slow response before it, and the connection is closed', async (t) => {
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const server = await start(t, { clock });
    const slow = `GET /api/v1/sandbox/faq?simulate=slow HTTP/1.1\r\n${host}\r\n`;
    const chunked = `POST /api/v1/sandbox/batch HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`;
    const rows: readonly (readonly [what: string, bytes: string, status: number, policy: string, instance: string])[] =
      [
        ['no request', 'HELLO\r\n\r\n', 400, 'pages', '/'],
        ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`, 400, 'pages', '/'],
        ['a body that breaks', chunked, 400, 'sandbox', '/api/v1/sandbox/batch'],
        [
          'a body that breaks and has its answer',
          chunked.replace('application/json', 'text/plain'),
          415,
          'sandbox',
          '/api/v1/sandbox/batch',
        ],
      ];
    for (const [what, bytes, status, policy, instance] of rows) {
      const conversation = sendParts(server.listenUrl, [slow + bytes + nextRequest]);
      // The slow response takes two seconds of the clock, and the refusal behind it has to wait for it.
      for (let turns = 0; turns < 20; turns += 1) await clock.advance(200);
      const { responses, isClosed } = await conversation;
      assert.deepEqual([responses.map((response) => response.status), isClosed], [[200, status], true], what);
      const problem = JSON.parse(String(responses[1]?.body));
      assert.deepEqual([problem.instance, problem.sandbox], [instance, policy === 'sandbox' ? true : undefined], what);
      assert.match(responses[1]?.headers['ratelimit-policy'] ?? '', new RegExp(`^"${policy}";`), what);
      const isLogged = () => server.logLines.some(({ request_id }) => request_id === problem.request_id);
      for (let turns = 0; turns < 20 && !isLogged(); turns += 1) await clock.advance(100);
      assert.ok(isLogged(), what);
    }
  });
});

describe('CONNECT from a client that disconnects', () => {
  it('the server still responds to other clients', async (t) => {
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const server = await start(t, { clock });
    // The refusal waits for the slow response, and by then the client has disconnected.
    const slow = `GET /api/v1/sandbox/faq?simulate=slow HTTP/1.1\r\n${host}\r\n`;
    for (let times = 0; times < 20; times += 1) {
      await sendAndDisconnect(server.listenUrl, `${slow}CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n`);
      await sendAndDisconnect(server.listenUrl, `CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n`);
    }
    for (let turns = 0; turns < 20; turns += 1) await clock.advance(200);
    assert.equal((await server.request('/api/v1/docs')).status, 200);
  });
});

describe('A request head over the limit: headers_too_large', () => {
  const long = (bytes: number): string => `X-Long: ${'a'.repeat(bytes)}\r\n`;
  it('the response is 431 with the path and its RateLimit-Policy, or with / if the path is too long', async (t) => {
    const server = await start(t, { env: { RATE_LIMIT_SANDBOX: '60' } });
    const rows: readonly (readonly [bytes: string, instance: string, policy: string])[] = [
      [`GET /api/v1/sandbox/faq?a=1 HTTP/1.1\r\n${host}${long(17_000)}\r\n`, '/api/v1/sandbox/faq', 'sandbox'],
      [`GET /api/v1/sandbox/faq?a=1 HTTP/1.1\r\n${host}${long(60_000)}\r\n`, '/api/v1/sandbox/faq', 'sandbox'],
      [`GET /docs/%71uickstart?${'a'.repeat(40_000)} HTTP/1.1\r\n${host}\r\n`, '/docs/%71uickstart', 'pages'],
      [`GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${host}\r\n`, '/', 'pages'],
    ];
    for (const [bytes, instance, policy] of rows) {
      const { status, headers, body, isClosed } = await sendRaw(server.listenUrl, bytes);
      const problem = JSON.parse(body);
      assert.deepEqual([status, problem.code, problem.instance, isClosed], [431, 'headers_too_large', instance, true]);
      assert.match(headers['ratelimit-policy'] ?? '', new RegExp(`^"${policy}";`));
      assert.equal(headers['x-service-environment'], policy === 'sandbox' ? 'sandbox' : undefined);
    }
    const longest = await sendRaw(server.listenUrl, `GET /api/v1/faq HTTP/1.1\r\n${host}${long(16_000)}\r\n`);
    assert.equal(longest.status, 200);
  });
});

describe('RateLimit-Policy: the bucket of a request', () => {
  it('a percent-encoded path counts in the bucket of the path to which it is routed', async (t) => {
    const server = await start(t, {
      env: { RATE_LIMIT_ANONYMOUS: '120', RATE_LIMIT_SANDBOX: '60', RATE_LIMIT_PAGES: '1000' },
    });
    const rows: readonly (readonly [target: string, status: number, policy: string, remaining: string])[] = [
      ['/api/v1/%66aq', 200, 'anonymous', '119'],
      ['/%61pi/v1/f%61q', 200, 'anonymous', '118'],
      ['/%6Fpenapi%2Ejson', 200, 'anonymous', '117'],
      ['/api/v1/%73andbox/faq', 200, 'sandbox', '59'],
      ['/%64ocs/%71uickstart', 200, 'pages', '999'],
      ['/api%2Fv1/faq', 404, 'pages', '998'],
    ];
    for (const [target, status, policy, remaining] of rows) {
      const response = await sendRaw(server.listenUrl, `GET ${target} HTTP/1.1\r\n${host}\r\n`);
      assert.deepEqual([response.status, response.headers['ratelimit-remaining']], [status, remaining], target);
      assert.match(response.headers['ratelimit-policy'] ?? '', new RegExp(`^"${policy}";`), target);
    }
    const plain = await server.request('/api/v1/faq');
    const { json: body } = await server.request(
      '/api/v1/batch',
      createJsonPost({
        operations: [
          { id: 'a', method: 'GET', path: '/%66aq' },
          { id: 'b', method: 'GET', path: '/%73andbox/faq' },
        ],
      }),
    );
    assert.deepEqual(body.results[0], { id: 'a', status: 200, body: plain.json });
    assert.deepEqual([body.results[1].status, body.results[1].body.sandbox], [200, true]);
  });

  it('a CORS preflight counts in pages, not in the bucket of the token or of the sandbox', async (t) => {
    const server = await start(t, {
      clock: createManualClock(Date.parse('2026-11-21T12:00:00Z')),
      env: { RATE_LIMIT_ANONYMOUS: '3', RATE_LIMIT_SANDBOX: '3', RATE_LIMIT_PAGES: '1000', RATE_LIMIT_TOKEN: '600' },
    });
    const token = await createToken(server);
    const preflight = {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    };
    for (let count = 1; count <= 200; count += 1) {
      const path = `/api/v1/${count % 2 === 0 ? 'sandbox/' : ''}docs?count=${count}`;
      const { status, headers } = await server.request(path, preflight);
      assert.equal(status, 204);
      assert.equal(headers.get('ratelimit'), `"pages";r=${1000 - count};t=60`);
      const authorized = await server.request(`/api/v1/docs?count=${count}`, { headers: createBearerHeaders(token) });
      assert.deepEqual([authorized.status, authorized.headers.get('ratelimit-remaining')], [200, String(600 - count)]);
    }
    const unknown = await server.request('/api/v1/nothing', {
      ...preflight,
      headers: { ...preflight.headers, accept: 'text/html' },
    });
    assert.deepEqual([unknown.status, unknown.json.code], [404, 'not_found']);
    const plain = await server.request('/api/v1/sandbox/docs', { method: 'OPTIONS' });
    assert.match(plain.headers.get('ratelimit') ?? '', /^"sandbox";r=2;/);
  });

  it('the sandbox has a separate bucket for refused tokens', async (t) => {
    const server = await start(t, { env: { RATE_LIMIT_REFUSED: '2', RATE_LIMIT_SANDBOX: '60' } });
    const token = await createToken(server);
    const fetchStatus = async (path: string, credential: string) =>
      (await server.request(path, { headers: createBearerHeaders(credential) })).status;
    for (const status of [401, 401, 429]) assert.equal(await fetchStatus('/api/v1/sandbox/faq', 'junk'), status);
    assert.equal(await fetchStatus('/api/v1/sandbox/faq', token), 429);
    assert.equal(await fetchStatus('/api/v1/faq', token), 200);
    for (const status of [401, 401, 429]) assert.equal(await fetchStatus('/api/v1/faq', 'junk'), status);
    const refused = await server.request('/api/v1/sandbox/faq', { headers: createBearerHeaders('junk') });
    assert.equal(refused.headers.get('ratelimit-policy'), '"refused";q=2;w=60');
  });

  it('a valid token from an address with too many invalid ones gets 429 rate_limited with Retry-After', async (t) => {
    const server = await start(t, { env: { RATE_LIMIT_REFUSED: '2' } });
    const token = await createToken(server);
    for (const status of [401, 401])
      assert.equal((await server.request('/api/v1/faq', { headers: createBearerHeaders('junk') })).status, status);
    const { status, headers, json } = await server.request('/api/v1/faq', { headers: createBearerHeaders(token) });
    assert.deepEqual([status, json.code], [429, 'rate_limited']);
    assert.equal(
      json.detail,
      `More than 2 requests with an invalid token came from this address in a minute, so no token from it is checked for now, not even a valid one. To read without waiting, leave out the Authorization header. Wait ${headers.get('retry-after')} seconds.`,
    );
    assert.equal((await server.request('/api/v1/faq')).status, 200);
  });

  it('a sandbox request with a token counts in the sandbox bucket, whether the token is valid or refused', async (t) => {
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const server = await start(t, { clock, env: { RATE_LIMIT_SANDBOX: '2', RATE_LIMIT_TOKEN: '600' } });
    const token = await createToken(server);
    const ask = (credential: string) =>
      server.request('/api/v1/sandbox/faq', { headers: createBearerHeaders(credential) });
    const first = await ask('junk');
    assert.deepEqual([first.status, first.headers.get('ratelimit')], [401, '"sandbox";r=1;t=60']);
    const second = await ask(token);
    assert.deepEqual([second.status, second.headers.get('ratelimit')], [200, '"sandbox";r=0;t=60']);
    for (const credential of [token, 'junk']) assert.equal((await ask(credential)).status, 429);
    const production = await server.request('/api/v1/faq', { headers: createBearerHeaders(token) });
    assert.equal(production.headers.get('ratelimit-remaining'), '599');
  });
});
