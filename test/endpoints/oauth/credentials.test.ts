/** Tests requests with a bearer token: their rate limits, caching and scope, and the 401 for an invalid token. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Store } from '../../../src/store/store.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import {
  allScopes,
  createBearerHeaders,
  createFormPost,
  createToken,
  issueToken,
  isTokenValid,
  registerClient,
  revokeToken,
} from '../../support/oauth.ts';
import { sendRaw } from '../../support/raw.ts';
import { createJsonPost, startTestServer, type TestServer } from '../../support/server.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const unknownToken = 'at_u9KkYmDFIWh5gtIFxQe3DDTk0iUFVV0BgmtuoBPioVv';
const batch = { operations: [{ id: 'a', method: 'GET', path: '/docs' }] };

describe('The bearer token of a request (RFC 6750): invalid_token, insufficient_scope', () => {
  const clock = createManualClock(start);
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ clock, env: { RATE_LIMIT_TOKEN: '600' } });
  });
  after(() => server.close());

  it('an unknown, malformed, expired or revoked token gets 401 on every endpoint that reads bearer tokens, even public ones', async () => {
    const client = await registerClient(server);
    // The server deletes expired tokens at every full minute, so a token that expires 30 seconds after one is still stored.
    await clock.advance(30_000);
    const expiredToken = await issueToken(server, client);
    assert.equal(await isTokenValid(server, expiredToken), true);
    await clock.advance(3_600_000);
    const revokedToken = await issueToken(server, client);
    await revokeToken(server, client, revokedToken);
    const requests: [string, RequestInit][] = [
      ['/api/v1', {}],
      ['/api/v1/docs', {}],
      ['/api/v1/docs/quickstart', { method: 'HEAD' }],
      ['/api/v1/batch', createJsonPost(batch)],
      ['/api/v1/exports', createJsonPost({ resource: 'docs', format: 'json' })],
      ['/api/v1/nothing', {}],
      ['/api/v1/sandbox/docs', {}],
      ['/api/v1/sandbox/exports', createJsonPost({ resource: 'docs', format: 'json' })],
      ['/mcp', createJsonPost({ jsonrpc: '2.0', id: 1, method: 'ping' })],
      ['/mcp/docs', createJsonPost({ jsonrpc: '2.0', id: 1, method: 'ping' })],
      ['/agent/auth', {}],
      ['/oauth/register', createJsonPost({})],
      ['/oauth/authorize', {}],
      ['/.well-known/oauth-authorization-server', {}],
      ['/.well-known/oauth-protected-resource', {}],
      ['/openapi.json', {}],
      ['/auth.md', {}],
    ];
    const tokens = [expiredToken, revokedToken, unknownToken].map((token) => `Bearer ${token}`);
    for (const value of [...tokens, 'Bearer', 'Bearer a b', 'Basic YTpi', 'x', '']) {
      for (const [path, init] of requests) {
        const headers = new Headers(init.headers);
        headers.set('authorization', value);
        const response = await fetch(server.listenUrl + path, { redirect: 'manual', ...init, headers });
        const where = `${init.method ?? 'GET'} ${path} with ${value}`;
        assert.equal(response.status, 401, where);
        assert.match(
          response.headers.get('www-authenticate') ?? '',
          /^Bearer error="invalid_token", error_description="[^"\\]+", resource_metadata="http[^"]+"$/,
          where,
        );
        const text = await response.text();
        if (init.method !== 'HEAD') assert.equal(JSON.parse(text).code, 'invalid_token', where);
      }
    }
  });

  it('requests for pages and static files ignore an invalid token', async () => {
    for (const path of ['/', '/docs/quickstart', '/site.css', '/docs.md']) {
      const { status, headers } = await server.request(path, { headers: createBearerHeaders('nonsense') });
      assert.equal(status, 200, path);
      assert.match(headers.get('ratelimit-policy') ?? '', /^"pages"/);
    }
  });

  it('the Authorization header is the only place for a token', async () => {
    const token = await createToken(server);
    const { status } = await server.request(`/agent/auth?access_token=${token}`, {
      headers: { cookie: `access_token=${token}` },
    });
    assert.equal(status, 401);
    const body = await server.request(
      `/api/v1/exports?access_token=${token}`,
      createJsonPost({ resource: 'docs', format: 'json', access_token: token }),
    );
    assert.equal(body.json.code, 'unauthorized');
    assert.equal((await server.request('/api/v1/docs?access_token=nonsense')).status, 200);
  });

  it('a second Authorization header is refused', async () => {
    const token = await createToken(server);
    const line = `Authorization: Bearer ${token}\r\n`;
    const response = await sendRaw(server.listenUrl, `GET /agent/auth HTTP/1.1\r\nHost: x\r\n${line}\r\n`);
    assert.equal(response.status, 200);
    const rejection = await sendRaw(server.listenUrl, `GET /agent/auth HTTP/1.1\r\nHost: x\r\n${line}${line}\r\n`);
    assert.equal(rejection.status, 401);
    assert.equal(JSON.parse(rejection.body).code, 'invalid_token');
  });

  it('a request whose target is an absolute URL has its token checked', async () => {
    const token = await createToken(server);
    const host = new URL(server.listenUrl).host;
    const target = `http://${host}/agent/auth`;
    const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n`;
    const response = await sendRaw(server.listenUrl, `${head}Authorization: Bearer ${token}\r\n\r\n`);
    assert.equal(response.status, 200);
    assert.match(response.headers['ratelimit-policy'] ?? '', /^"authenticated"/);
    assert.equal((await sendRaw(server.listenUrl, `${head}Authorization: Bearer ${unknownToken}\r\n\r\n`)).status, 401);
    assert.match((await sendRaw(server.listenUrl, `${head}\r\n`)).headers['ratelimit-policy'] ?? '', /^"anonymous"/);
  });

  it('responses to requests with a token are private and have the ETag of the public response', async () => {
    const token = await createToken(server);
    const publicResponse = await server.request('/api/v1/docs');
    const privateResponse = await server.request('/api/v1/docs', { headers: createBearerHeaders(token) });
    assert.equal(privateResponse.headers.get('cache-control'), 'private, no-cache');
    assert.equal(privateResponse.headers.get('etag'), publicResponse.headers.get('etag'));
    assert.match(privateResponse.headers.get('vary') ?? '', /Authorization/);
    const etag = publicResponse.headers.get('etag') ?? '';
    const repetition = await server.request('/api/v1/docs', {
      headers: { ...createBearerHeaders(token), 'if-none-match': etag },
    });
    assert.equal(repetition.status, 304);
    assert.equal(repetition.headers.get('cache-control'), 'private, no-cache');
  });

  it('content that is publicly cacheable without a token has Cache-Control: private, no-cache with one', async () => {
    const headers = createBearerHeaders(await createToken(server));
    for (const path of ['/api/v1/faq', '/openapi.json', '/auth.md', '/docs', '/download/latest', '/consent.css']) {
      const publicResponse = await server.request(path);
      assert.match(publicResponse.headers.get('cache-control') ?? '', /^public, max-age=60, s-maxage=300/, path);
      assert.equal((await server.request(path, { headers })).headers.get('cache-control'), 'private, no-cache', path);
    }
  });

  it('a 401 for a missing or invalid token and a 403 for a missing scope have Vary: Authorization', async () => {
    for (const path of ['/api/v1/faq', '/agent/auth', '/openapi.json']) {
      const { status, headers } = await server.request(path, { headers: createBearerHeaders('junk') });
      assert.deepEqual([status, headers.get('vary')], [401, 'Authorization'], path);
    }
    const mcp = await fetch(`${server.listenUrl}/mcp`, createJsonPost({}, createBearerHeaders('junk')));
    assert.deepEqual([mcp.status, mcp.headers.get('vary')], [401, 'Authorization']);
    const missing = await server.request('/api/v1/exports', createJsonPost({ resource: 'faq', format: 'json' }));
    assert.deepEqual([missing.status, missing.headers.get('vary')], [401, 'Authorization']);
    const token = await createToken(server, 'read:docs');
    const insufficient = await server.request(
      '/api/v1/exports',
      createJsonPost({ resource: 'faq', format: 'json' }, createBearerHeaders(token)),
    );
    assert.deepEqual([insufficient.status, insufficient.headers.get('vary')], [403, 'Authorization']);
  });

  it('only exports check the scope', async () => {
    const token = await createToken(server, 'read:pricing');
    for (const path of ['', '/releases', '/docs/quickstart', '/faq', '/search?q=dictation']) {
      assert.equal((await server.request(`/api/v1${path}`, { headers: createBearerHeaders(token) })).status, 200, path);
    }
    for (const [path, init] of [
      ['/api/v1/exports', createJsonPost({ resource: 'docs', format: 'json' })],
      ['/api/v1/exports', createJsonPost('{')],
      ['/api/v1/exports/job_1', {}],
    ] as const) {
      const { status, json, headers } = await server.request(path, {
        ...init,
        headers: { ...init.headers, ...createBearerHeaders(token) },
      });
      assert.equal(status, 403);
      assert.equal(json.code, 'insufficient_scope');
      assert.equal(json.scope, 'export:docs');
      assert.match(headers.get('www-authenticate') ?? '', /^Bearer error="insufficient_scope", scope="export:docs"/);
      const anonymous = await server.request(path, init);
      assert.equal(anonymous.status, 401);
      assert.equal(anonymous.json.code, 'unauthorized');
      assert.match(anonymous.headers.get('www-authenticate') ?? '', /resource_metadata="[^"]+", scope="export:docs"$/);
    }
  });

  it('a batch checks the token for each operation', async () => {
    const operations = [
      { id: 'a', method: 'GET', path: '/docs' },
      { id: 'b', method: 'GET', path: '/exports/job_1' },
      { id: 'c', method: 'GET', path: '/sandbox/exports/job_1' },
    ];
    const statuses = async (headers: Record<string, string>) => {
      const { json } = await server.request('/api/v1/batch', createJsonPost({ operations }, headers));
      return json.results.map(({ status, body }: { status: number; body: { code?: string } }) => body.code ?? status);
    };
    assert.deepEqual(await statuses({}), [200, 'unauthorized', 'not_found']);
    assert.deepEqual(await statuses(createBearerHeaders(await createToken(server, 'read:docs'))), [
      200,
      'insufficient_scope',
      'not_found',
    ]);
    assert.deepEqual(await statuses(createBearerHeaders(await createToken(server))), [200, 'not_found', 'not_found']);
  });

  it('the MCP servers need no token, and accept one under the rate limit policy authenticated', async () => {
    const withToken = createBearerHeaders(await createToken(server));
    for (const path of ['/mcp', '/mcp/docs']) {
      for (const [headers, policy] of [
        [{}, /^"anonymous"/],
        [withToken, /^"authenticated"/],
      ] as const) {
        const ping = createJsonPost({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers);
        const response = await fetch(server.listenUrl + path, ping);
        assert.deepEqual([response.status, await response.json()], [200, { jsonrpc: '2.0', id: 1, result: {} }], path);
        assert.match(response.headers.get('ratelimit-policy') ?? '', policy, path);
      }
    }
  });
});

describe('RATE_LIMIT_TOKEN, RATE_LIMIT_ANONYMOUS, RATE_LIMIT_ADDRESS, RATE_LIMIT_REFUSED and RATE_LIMIT_SANDBOX: rate_limited', () => {
  it('a token expires after 3600 seconds', async (t) => {
    const clock = createManualClock(start);
    const server = await startTestServer({ clock });
    t.after(() => server.close());
    const token = await createToken(server);
    await clock.advance(3_599_000);
    assert.equal(await isTokenValid(server, token), true);
    await clock.advance(1000);
    assert.equal(await isTokenValid(server, token), false);
  });

  it('the tokens of a client share 600 requests a minute, which other clients and anonymous requests do not use', async (t) => {
    const clock = createManualClock(start);
    const server = await startTestServer({ clock, env: { RATE_LIMIT_TOKEN: '600', RATE_LIMIT_ANONYMOUS: '120' } });
    t.after(() => server.close());
    const client = await registerClient(server);
    const [first, second] = [await issueToken(server, client), await issueToken(server, client)];
    for (let count = 1; count <= 600; count += 1) {
      const { status, headers } = await server.request('/api/v1/docs', {
        headers: createBearerHeaders(count % 2 === 0 ? first : second),
      });
      assert.equal(status, 200);
      assert.equal(headers.get('ratelimit'), `"authenticated";r=${600 - count};t=60`);
    }
    const rejection = await server.request('/api/v1/docs', { headers: createBearerHeaders(first) });
    assert.equal(rejection.status, 429);
    assert.equal(rejection.headers.get('ratelimit-policy'), '"authenticated";q=600;w=60');
    assert.equal(
      (await server.request('/api/v1/docs', { headers: createBearerHeaders(await createToken(server)) })).status,
      200,
    );
    const { headers } = await server.request('/api/v1/docs');
    assert.equal(headers.get('ratelimit-limit'), '120');
    await clock.advance(60_000);
    assert.equal((await server.request('/api/v1/docs', { headers: createBearerHeaders(first) })).status, 200);
  });

  it('all clients of an address share the limit of RATE_LIMIT_ADDRESS', async (t) => {
    const clock = createManualClock(start);
    // Each process counts RATE_LIMIT_ADDRESS by itself, so one process gets all requests.
    const { firstServer: server } = await startTestServer({
      clock,
      env: { RATE_LIMIT_TOKEN: '5', RATE_LIMIT_ADDRESS: '12' },
    });
    t.after(() => server.close());
    const tokens = [await createToken(server), await createToken(server), await createToken(server)];
    let allowedCount = 0;
    for (let round = 0; round < 8; round += 1) {
      for (const token of tokens) {
        const { status, headers, json } = await server.request('/api/v1/docs', { headers: createBearerHeaders(token) });
        if (status === 200) allowedCount += 1;
        else if (allowedCount >= 12 && headers.get('ratelimit-policy')?.startsWith('"address"')) {
          assert.equal(headers.get('ratelimit-policy'), '"address";q=12;w=60');
          assert.match(json.detail, /clients of this address/);
        }
      }
    }
    assert.equal(allowedCount, 12);
    assert.equal((await server.request('/api/v1/docs')).status, 200);
    await clock.advance(60_000);
    assert.equal((await server.request('/api/v1/docs', { headers: createBearerHeaders(tokens[0] ?? '') })).status, 200);
  });

  it('an address that sent 60 invalid tokens in a minute gets 429, and its tokens are not looked up', async (t) => {
    const clock = createManualClock(start);
    let lookUps = 0;
    const server = await startTestServer({
      clock,
      env: { RATE_LIMIT_REFUSED: '60' },
      wrapStore(store) {
        const findToken: Store['findToken'] = (...query) => {
          lookUps += 1;
          return store.findToken(...query);
        };
        return { ...store, findToken };
      },
    });
    t.after(() => server.close());
    const token = await createToken(server);
    for (let count = 0; count < 60; count += 1) {
      assert.equal((await server.request('/api/v1/docs', { headers: createBearerHeaders(unknownToken) })).status, 401);
    }
    assert.equal(lookUps, 60);
    // Invalid tokens are counted separately for the sandbox, so this one is looked up; `lookUps` is only for the other requests.
    assert.equal(
      (await server.request('/api/v1/sandbox/docs', { headers: createBearerHeaders(unknownToken) })).status,
      401,
    );
    lookUps -= 1;
    for (const value of [unknownToken, token, 'malformed']) {
      const { status, headers, json } = await server.request('/api/v1/docs', { headers: createBearerHeaders(value) });
      assert.equal(status, 429);
      assert.equal(headers.get('ratelimit-policy'), '"refused";q=60;w=60');
      assert.match(json.detail, /leave out the Authorization header/);
    }
    assert.equal(lookUps, 60);
    assert.equal((await server.request('/api/v1/docs')).status, 200);
    await clock.advance(60_000);
    assert.equal((await server.request('/api/v1/docs', { headers: createBearerHeaders(token) })).status, 200);
  });

  it('an invalid token counts as an anonymous request', async (t) => {
    const server = await startTestServer({ env: { RATE_LIMIT_ANONYMOUS: '2' } });
    t.after(() => server.close());
    const { status, headers } = await server.request('/api/v1/docs', { headers: createBearerHeaders(unknownToken) });
    assert.equal(status, 401);
    assert.equal(headers.get('ratelimit'), '"anonymous";r=1;t=60');
    assert.equal((await server.request('/api/v1/docs')).status, 200);
    assert.equal((await server.request('/api/v1/docs', { headers: createBearerHeaders(unknownToken) })).status, 429);
  });

  it('requests to the sandbox count under the policy sandbox, and an invalid token gets 401', async (t) => {
    const server = await startTestServer({ env: { RATE_LIMIT_SANDBOX: '60', RATE_LIMIT_TOKEN: '600' } });
    t.after(() => server.close());
    const token = await createToken(server, 'read:faq');
    const { status, headers } = await server.request('/api/v1/sandbox/docs', { headers: createBearerHeaders(token) });
    assert.equal(status, 200);
    assert.equal(headers.get('ratelimit'), '"sandbox";r=59;t=60');
    const rejection = await server.request('/api/v1/sandbox/docs', { headers: createBearerHeaders(unknownToken) });
    assert.equal(rejection.status, 401);
    assert.equal(rejection.json.sandbox, true);
    assert.equal(rejection.headers.get('ratelimit'), '"sandbox";r=58;t=60');
    assert.equal(
      (await server.request('/agent/auth', { headers: createBearerHeaders(token) })).headers.get('ratelimit-remaining'),
      '599',
    );
  });
});

describe('RATE_LIMIT_REGISTRATION, RATE_LIMIT_ISSUE, RATE_LIMIT_ADDRESS and RATE_LIMIT_REFUSED: rate_limited', () => {
  it('an address may register 20 clients an hour, not counting replays and refused requests', async (t) => {
    const clock = createManualClock(start);
    const server = await startTestServer({ clock, env: { RATE_LIMIT_REGISTRATION: '20' } });
    t.after(() => server.close());
    const body = { client_name: 'x' };
    for (let count = 0; count < 20; count += 1) {
      assert.equal((await server.request('/oauth/register', createJsonPost({ scope: 'nonsense' }))).status, 400);
      assert.equal(
        (await server.request('/oauth/register', createJsonPost(body, { 'idempotency-key': `k${count}` }))).status,
        201,
      );
      if (count === 5) {
        const replay = await server.request('/oauth/register', createJsonPost(body, { 'idempotency-key': 'k5' }));
        assert.equal(replay.headers.get('idempotent-replayed'), 'true');
      }
    }
    const lastReplay = await server.request('/oauth/register', createJsonPost(body, { 'idempotency-key': 'k19' }));
    assert.equal(lastReplay.headers.get('idempotent-replayed'), 'true');
    assert.equal(
      (await server.request('/oauth/register', createJsonPost(body, { 'idempotency-key': 'k20' }))).status,
      429,
    );
    const rejection = await server.request('/oauth/register', createJsonPost(body));
    assert.equal(rejection.status, 429);
    assert.equal(rejection.json.error, 'temporarily_unavailable');
    assert.equal(rejection.headers.get('ratelimit-policy'), '"registration";q=20;w=3600');
    assert.equal(rejection.headers.get('retry-after'), '3600');
    await clock.advance(3_599_000);
    assert.equal((await server.request('/oauth/register', createJsonPost(body))).status, 429);
    await clock.advance(60_000);
    assert.equal((await server.request('/oauth/register', createJsonPost(body))).status, 201);
  });

  it('a client may get 60 tokens a minute, not counting requests with a wrong secret', async (t) => {
    const clock = createManualClock(start);
    const server = await startTestServer({ clock, env: { RATE_LIMIT_ISSUE: '60' } });
    t.after(() => server.close());
    const client = await registerClient(server);
    for (let count = 0; count < 60; count += 1) {
      await issueToken(server, client);
      const wrong = createFormPost({ grant_type: 'client_credentials', client_id: client.id, client_secret: 'wrong' });
      assert.equal((await server.request('/oauth/token', wrong)).status, 401);
    }
    const rejection = await server.request(
      '/oauth/token',
      createFormPost({ grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret }),
    );
    assert.equal(rejection.status, 429);
    assert.equal(rejection.headers.get('ratelimit-policy'), '"issue";q=60;w=60');
    assert.equal(
      (await server.request('/agent/auth', { headers: createBearerHeaders(await createToken(server)) })).status,
      200,
    );
    await clock.advance(60_000);
    await issueToken(server, client);
  });

  it('GET /api/v1 lists each rate limit by the name of its policy, with its requests and its window', async (t) => {
    const limits: [name: string, setting: string, requests: number, seconds: number][] = [
      ['anonymous', 'RATE_LIMIT_ANONYMOUS', 101, 60],
      ['authenticated', 'RATE_LIMIT_TOKEN', 102, 60],
      ['sandbox', 'RATE_LIMIT_SANDBOX', 103, 60],
      ['pages', 'RATE_LIMIT_PAGES', 104, 60],
      ['address', 'RATE_LIMIT_ADDRESS', 105, 60],
      ['registration', 'RATE_LIMIT_REGISTRATION', 106, 3600],
      ['issue', 'RATE_LIMIT_ISSUE', 107, 60],
      ['refused', 'RATE_LIMIT_REFUSED', 108, 60],
    ];
    const env = Object.fromEntries(limits.map(([, setting, requests]) => [setting, String(requests)]));
    const server = await startTestServer({ env });
    t.after(() => server.close());
    const { json } = await server.request('/api/v1');
    assert.deepEqual(
      json.rate_limits.map(({ applies_to: _, ...limit }: { applies_to: string }) => limit),
      limits.map(([name, , requests, seconds]) => ({ name, requests, window_seconds: seconds })),
    );
  });
});

describe('Bearer tokens and OAuth endpoints while the store is down: upstream_unavailable, temporarily_unavailable', () => {
  /** Starts a server, and returns it with a function that closes its stores. */
  async function startWithStore(t: TestContext) {
    const stores: Store[] = [];
    const server = await startTestServer({
      wrapStore(store) {
        stores.push(store);
        return store;
      },
    });
    t.after(() => server.close());
    const closeStore = async () => {
      for (const store of stores) await store.close();
    };
    return { server, closeStore };
  }

  it('only requests that need the store get 503, with Retry-After', async (t) => {
    const { server, closeStore } = await startWithStore(t);
    const client = await registerClient(server);
    const token = await issueToken(server, client);
    await closeStore();
    for (const [path, init] of [
      ['/api/v1/docs', {}],
      ['/api/v1/sandbox/docs', {}],
      ['/agent/auth', {}],
      ['/api/v1/exports', createJsonPost({ resource: 'docs', format: 'json' })],
    ] as const) {
      const { status, json, headers } = await server.request(path, {
        ...init,
        headers: { ...init.headers, ...createBearerHeaders(token) },
      });
      assert.equal(status, 503, path);
      assert.equal(json.code, 'upstream_unavailable');
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    for (const [path, init] of [
      ['/oauth/register', createJsonPost({ scope: allScopes })],
      [
        '/oauth/token',
        createFormPost({ grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret }),
      ],
      ['/oauth/revoke', createFormPost({ token })],
    ] as const) {
      const { status, json, headers } = await server.request(path, init);
      assert.equal(status, 503, path);
      assert.equal(json.error, 'temporarily_unavailable');
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    const { json: index } = await server.request('/api/v1');
    for (const { method, path, token_required } of index.endpoints) {
      if (method !== 'GET' || token_required || path.includes('{')) continue;
      const query = path.endsWith('/search')
        ? '?q=dictation'
        : path.endsWith('/compatibility')
          ? '?os_version=15.1&arch=arm64'
          : '';
      assert.equal((await server.request(path + query)).status, 200, path);
    }
    for (const [path, init] of [
      ['/api/v1/batch', createJsonPost(batch, { 'idempotency-key': 'a' })],
      ['/api/v1/sandbox/exports', createJsonPost({ resource: 'docs', format: 'json' }, { 'idempotency-key': 'a' })],
      ['/docs/quickstart', {}],
      ['/.well-known/oauth-authorization-server', {}],
      ['/auth.md', {}],
    ] as const) {
      assert.ok((await server.request(path, init)).status < 300, path);
    }
    assert.equal(
      (await server.request('/api/v1/exports', createJsonPost({ resource: 'docs', format: 'json' }))).status,
      401,
    );
  });

  it('a malformed token gets 401 although the store is down', async (t) => {
    const { server, closeStore } = await startWithStore(t);
    await closeStore();
    for (const token of ['x', 'at_short', unknownToken.slice(1), `${unknownToken}9`, 'cs_x', 'a'.repeat(5000)]) {
      assert.equal(
        (await server.request('/api/v1/docs', { headers: createBearerHeaders(token) })).status,
        401,
        token.slice(0, 20),
      );
    }
  });
});

describe('POST /oauth/token and GET /oauth/authorize with an unexpected exception: internal_error, server_error', () => {
  it('the response is 500 with server_error, for browsers too, and does not contain the cause', async (t) => {
    const findClient = () => Promise.reject(new TypeError('the cause'));
    const server = await startTestServer({ wrapStore: (opened) => ({ ...opened, findClient }) });
    t.after(() => server.close());
    const credentials = { client_id: 'cl_0000000000000000', client_secret: 'x' };
    for (const [path, init] of [
      ['/oauth/token', createFormPost({ grant_type: 'client_credentials', ...credentials })],
      [`/oauth/authorize?client_id=${credentials.client_id}`, { headers: { accept: 'text/html' } }],
    ] as const) {
      const { status, headers, json, text } = await server.request(path, init);
      assert.deepEqual(
        [status, headers.get('content-type'), json.code, json.error],
        [500, 'application/problem+json', 'internal_error', 'server_error'],
      );
      assert.ok(!text.includes('the cause'));
    }
  });
});

describe('POST /api/v1/exports from a client that closes the connection before the end of the body', () => {
  it('the server logs no error and accepts further requests with the token', async (t) => {
    const { firstServer: server } = await startTestServer();
    t.after(() => server.close());
    const token = await createToken(server);
    const { hostname, port } = new URL(server.listenUrl);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/v1/exports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"resource"`,
    );
    await once(socket, 'connect');
    // The server reads connections in turn, so this response shows that it has read the incomplete request.
    await server.request('/api/v1/faq');
    socket.destroy();
    assert.equal((await server.request('/agent/auth', { headers: createBearerHeaders(token) })).status, 200);
    assert.deepEqual(
      server.logLines.filter(({ level }) => level === 'error'),
      [],
    );
  });
});
