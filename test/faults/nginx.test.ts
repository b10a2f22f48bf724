/** packaging/nginx.conf in a real nginx in front of a real server: which responses are cached, for which requests. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { problemCodes } from '../../src/base/problem-codes.ts';
import { runColophon } from '../support/command.ts';
import { assertSchema } from '../support/contract.ts';
import { findFreePort } from '../support/free-port.ts';
import { createBearerHeaders, createToken } from '../support/oauth.ts';
import { sendRaw } from '../support/raw.ts';
import { createJsonPost, startTestServer, type TestServer } from '../support/server.ts';
import { type Nginx, nginxSkipReason, startNginx } from './support/nginx.ts';
import { type Relay, startRelay } from './support/relay.ts';

const rateHeaders = ['ratelimit', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
const freshSeconds = 1;

describe('packaging/nginx.conf: nginx as a cache', { skip: nginxSkipReason ?? false }, () => {
  let server: TestServer;
  let relay: Relay;
  let nginx: Nginx;
  before(async () => {
    // The server takes the client's address from nginx, and nginx ignores the address that a client sends.
    server = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1', BASE_URL: 'https://api.example.com' } });
    relay = await startRelay(server.listenUrl, freshSeconds);
    nginx = await startNginx(relay.url);
  });
  after(async () => {
    await nginx?.close();
    await relay?.close();
    await server?.close();
  });

  interface CachedResponse {
    readonly status: number;
    readonly headers: Headers;
    readonly text: string;
    readonly cache: string;
  }

  const get = async (path: string, init: RequestInit = {}): Promise<CachedResponse> => {
    const response = await fetch(nginx.url + path, { redirect: 'manual', ...init });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, cache: headers.get('cache-status') ?? '' };
  };

  /** Number of paths so far; an unknown parameter, which the server ignores, makes each one new for the cache. */
  let paths = 0;
  const createPath = (path: string): string => {
    paths += 1;
    return `${path}?unknown=${paths}`;
  };

  // nginx counts the age of a response in whole seconds, so the wait is a second longer than `freshSeconds`.
  const waitUntilExpired = (): Promise<void> => wait((freshSeconds + 1) * 1000 + 100);

  it('a second request gets the cached response, byte for byte and with the strong ETag', async () => {
    const path = createPath('/api/v1/features');
    const first = await get(path);
    const second = await get(path);
    assert.deepEqual([first.status, first.cache], [200, 'nginx; fwd=uri-miss']);
    assert.deepEqual([second.status, second.cache], [200, 'nginx; hit']);
    assert.equal(second.text, first.text);
    assert.match(first.headers.get('etag') ?? '', /^"/);
    assert.equal(second.headers.get('etag'), first.headers.get('etag'));
    assert.equal(relay.requests.filter(({ target }) => target === path).length, 1);
  });

  it('JSON, Markdown and each content coding are cached separately, each with its own ETag', async () => {
    const path = createPath('/api/v1/docs/quickstart');
    const requests: [string, string, string, string | null][] = [
      ['application/json', 'identity', 'application/json; charset=utf-8', null],
      ['text/markdown', 'identity', 'text/markdown; charset=utf-8', null],
      ['application/json', 'gzip', 'application/json; charset=utf-8', 'gzip'],
      ['application/json', 'gzip, deflate, br', 'application/json; charset=utf-8', 'br'],
    ];
    const tags = new Set<string | null>();
    for (const cache of ['nginx; fwd=uri-miss', 'nginx; hit']) {
      for (const [accept, encoding, type, coding] of requests) {
        const response = await get(path, { headers: { accept, 'accept-encoding': encoding } });
        assert.deepEqual(
          [response.cache, response.headers.get('content-type'), response.headers.get('content-encoding')],
          [cache, type, coding],
          `${accept} ${encoding}`,
        );
        assert.match(response.headers.get('etag') ?? '', /^"/);
        tags.add(response.headers.get('etag'));
      }
    }
    assert.equal(tags.size, requests.length);
  });

  it('a request gets the representation that its Accept header selects, whatever is cached', async () => {
    const path = createPath('/api/v1/faq');
    const page = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const trap = 'text/html,application/xhtml+xml,application/xml;q=0.9,text/markdown,*/*;q=0.8';
    await get(path, { headers: { accept: trap } });
    assert.match(
      (await get(path, { headers: { accept: page } })).headers.get('content-type') ?? '',
      /^application\/json/,
    );
    assert.equal((await get(path, { headers: { accept: 'image/png' } })).status, 406);
    assert.equal((await get(path)).status, 200);
  });

  it('proxy_cache_key contains every header that Vary lists', async () => {
    const configuration = await readFile(new URL('../../packaging/nginx.conf', import.meta.url), 'utf8');
    const [, key = ''] = /proxy_cache_key "([^"]+)";/.exec(configuration) ?? [];
    const keyHeaders = [...configuration.matchAll(/^map \$http_(\w+) (\$\w+) \{$/gm)]
      .filter(([, , variable = '']) => key.split('|').includes(variable))
      .map(([, header = '']) => header.replaceAll('_', '-'));
    for (const path of ['/api/v1', '/api/v1/faq', '/docs/quickstart', '/', '/openapi.json', '/llms.txt', '/site.css']) {
      const { headers } = await server.request(path);
      const names = (headers.get('vary') ?? '').split(',').map((name) => name.trim());
      for (const name of names) assert.ok(keyHeaders.includes(name.toLowerCase()), `${path}: ${name}`);
    }
  });

  it('a request with If-None-Match gets 304 from the cache', async () => {
    const path = createPath('/api/v1/pricing');
    const etag = (await get(path)).headers.get('etag') ?? '';
    const unchanged = await get(path, { headers: { 'if-none-match': etag } });
    assert.deepEqual([unchanged.status, unchanged.text, unchanged.cache], [304, '', 'nginx; hit']);
    for (const name of rateHeaders) assert.equal(unchanged.headers.get(name), null, name);
    assert.equal(relay.requests.filter(({ target }) => target === path).length, 1);
  });

  it('a stale response is revalidated with If-None-Match, and a 304 makes it fresh again', async () => {
    const path = createPath('/api/v1/requirements');
    const etag = (await get(path)).headers.get('etag');
    await waitUntilExpired();
    const stale = await get(path);
    assert.equal(stale.status, 200);
    assert.match(stale.cache, /detail=(updating|stale)$/);
    await waitUntil(() => relay.requests.filter(({ target }) => target === path).length === 2);
    const [, revalidation] = relay.requests.filter(({ target }) => target === path);
    assert.equal(revalidation?.headers['if-none-match'], etag);
    await waitUntil(async () => (await get(path)).cache === 'nginx; hit');
    assert.equal(revalidation?.status, 304);
  });

  it('a cached response has a new X-Request-Id and no RateLimit headers of another client', async () => {
    const path = createPath('/api/v1/docs');
    const first = await get(path);
    for (const name of rateHeaders) assert.ok(first.headers.get(name), name);
    const ids = new Set([first.headers.get('x-request-id')]);
    for (let times = 1; times <= 3; times += 1) {
      const next = await get(path, { headers: { 'x-request-id': 'attacker-<script>' } });
      assert.equal(next.cache, 'nginx; hit');
      for (const name of rateHeaders) assert.equal(next.headers.get(name), null, name);
      assert.equal(next.headers.get('ratelimit-policy'), first.headers.get('ratelimit-policy'));
      assert.match(next.headers.get('x-request-id') ?? '', /^[\w-]{8,64}$/);
      ids.add(next.headers.get('x-request-id'));
    }
    assert.equal(ids.size, 4);
    // An error is not cached, so its X-Request-Id is that of the request, as in the body.
    const missing = await get('/api/v1/docs/no-such-page');
    assert.equal(missing.headers.get('x-request-id'), JSON.parse(missing.text).request_id);
    assert.ok(missing.headers.get('ratelimit'));
  });

  it('a wrong token gets 401 although the response without a token is cached', async () => {
    const path = createPath('/api/v1/releases');
    await get(path);
    assert.equal((await get(path)).cache, 'nginx; hit');
    const refused = await get(path, { headers: createBearerHeaders('at_wrong') });
    assert.deepEqual([refused.status, refused.cache], [401, 'nginx; fwd=bypass']);
    assert.equal((await get(path)).cache, 'nginx; hit');
  });

  it('the response to a request with a token is not cached', async () => {
    const path = createPath('/api/v1/search?q=microphone').replace('?unknown', '&unknown');
    const headers = createBearerHeaders(await createToken(server));
    for (let times = 1; times <= 2; times += 1) {
      const response = await get(path, { headers });
      assert.deepEqual([response.status, response.cache], [200, 'nginx; fwd=bypass']);
      assert.equal(response.headers.get('cache-control'), 'private, no-cache');
      assert.match(response.headers.get('ratelimit-policy') ?? '', /^"authenticated"/);
    }
    const anonymous = await get(path);
    assert.equal(anonymous.cache, 'nginx; fwd=uri-miss');
    assert.match(anonymous.headers.get('ratelimit-policy') ?? '', /^"anonymous"/);
  });

  it('a stale response is sent, with its Cache-Status, while the server fails or is down', async () => {
    for (const state of ['failing', 'down'] as const) {
      const path = createPath('/api/v1/releases/latest');
      const cached = await get(path);
      await waitUntilExpired();
      relay.setState(state);
      try {
        const stale = await get(path);
        assert.deepEqual([stale.status, stale.text], [200, cached.text], state);
        assert.match(stale.cache, /detail=(updating|stale)$/);
        const uncached = await get(createPath('/api/v1/faq'));
        assert.equal(uncached.status, state === 'failing' ? 502 : 503);
      } finally {
        relay.setState('up');
      }
    }
  });

  it('responses to POST, OAuth responses, simulated failures and errors are not cached', async () => {
    const batch = createJsonPost({ operations: [{ id: 'a', method: 'GET', path: '/faq' }] });
    const form = { method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) };
    const requests: [string, RequestInit, number][] = [
      ['/api/v1/batch', batch, 200],
      ['/oauth/token', form, 401],
      ['/agent/auth', {}, 401],
      ['/api/v1/docs/nothing-here', {}, 404],
      ['/api/v1/sandbox/faq?simulate=rate_limited', {}, 429],
      ['/mcp', createJsonPost({ jsonrpc: '2.0', id: 1, method: 'ping' }), 200],
    ];
    for (const [path, init, status] of requests) {
      const count = (): number => relay.requests.filter(({ target }) => target === path).length;
      const before = count();
      for (let times = 1; times <= 2; times += 1) {
        const response = await get(path, init);
        assert.equal(response.status, status, `${path} ${response.text}`);
        assert.doesNotMatch(response.cache, /hit/);
      }
      assert.equal(count() - before, 2, path);
    }
  });

  it('two registrations with one body create two clients, and a repeated Idempotency-Key creates none', async () => {
    const body = { client_name: 'twice', grant_types: ['client_credentials'], scope: 'read:docs' };
    const register = async (headers: Record<string, string> = {}) => {
      const { status, headers: responseHeaders, text } = await get('/oauth/register', createJsonPost(body, headers));
      assert.equal(status, 201, text);
      return { id: JSON.parse(text).client_id, key: responseHeaders.get('idempotency-key') };
    };
    const [first, second] = [await register(), await register()];
    assert.notEqual(first.id, second.id);
    assert.notEqual(first.key, second.key);
    for (const { key } of [first, second]) assert.match(key ?? '', /^[0-9a-f]{32}$/);
    // nginx repeats a request with the same Idempotency-Key, so that the repetition registers no second client.
    assert.equal((await register({ 'idempotency-key': first.key ?? '' })).id, first.id);
    const batch = await get(
      '/api/v1/batch',
      createJsonPost({ operations: [{ id: 'a', method: 'GET', path: '/faq' }] }),
    );
    assert.equal(batch.headers.get('idempotency-key'), null);
  });

  it('X-Forwarded-Host, Forwarded and similar headers of a client do not change the cached response', async () => {
    const path = createPath('/api/v1');
    const spoofedHeaders = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-prefix': '/evil',
      'x-original-url': '/evil',
      'x-rewrite-url': '/evil',
      'x-http-method-override': 'DELETE',
      forwarded: 'host=evil.example;for=203.0.113.9',
    };
    const first = await get(path, { headers: spoofedHeaders });
    const next = await get(path);
    assert.equal(first.status, 200);
    assert.doesNotMatch(first.text, /evil/);
    assert.deepEqual([next.text, next.cache], [first.text, 'nginx; hit']);
    const forwardedHeaders = relay.requests.find(({ target }) => target === path)?.headers ?? {};
    assert.equal(forwardedHeaders['x-forwarded-for'], '127.0.0.1');
    assert.deepEqual(
      [forwardedHeaders['x-forwarded-host'], forwardedHeaders['x-forwarded-proto'], forwardedHeaders.forwarded],
      [undefined, undefined, undefined],
    );
  });

  it('another Host, an oversized body and a server that is down get problem documents', async () => {
    const otherHost = await sendRaw(nginx.url, 'GET /api/v1 HTTP/1.1\r\nHost: evil.example\r\n\r\n');
    const large = await get('/api/v1/batch', createJsonPost(`"${'x'.repeat(200_000)}"`));
    const malformed = await sendRaw(nginx.url, 'HELLO\r\n\r\n');
    relay.setState('down');
    const unavailable = await get(createPath('/api/v1/docs')).finally(() => relay.setState('up'));
    const responses: [keyof typeof problemCodes, number, string | null | undefined, string][] = [
      ['invalid_request', otherHost.status, otherHost.headers['content-type'], otherHost.body],
      ['invalid_request', malformed.status, malformed.headers['content-type'], malformed.body],
      ['payload_too_large', large.status, large.headers.get('content-type'), large.text],
      ['upstream_unavailable', unavailable.status, unavailable.headers.get('content-type'), unavailable.text],
    ];
    for (const [code, status, type, text] of responses) {
      const problem = JSON.parse(text);
      assert.deepEqual(
        [type, status, problem.status],
        ['application/problem+json', problemCodes[code].status, status],
        code,
      );
      assert.deepEqual([problem.code, problem.title], [code, problemCodes[code].title]);
      assertSchema({ $ref: '#/components/schemas/Problem' }, problem, code);
    }
    assert.equal(unavailable.headers.get('retry-after'), '5');
    // nginx passes on a body that is slightly over the limit, so that the client gets the 413 of the server, which has an ETag.
    const slightlyLarge = await get('/api/v1/batch', createJsonPost(`"${'x'.repeat(70_000)}"`));
    assert.deepEqual([slightlyLarge.status, JSON.parse(slightlyLarge.text).code], [413, 'payload_too_large']);
    assert.ok(slightlyLarge.headers.get('etag'));
  });
});

it('nginx serves cached responses while RATE_LIMIT_ANONYMOUS is used up', {
  skip: nginxSkipReason ?? false,
}, async (t) => {
  const server = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_ANONYMOUS: '5' } });
  t.after(() => server.close());
  const nginx = await startNginx(server.listenUrl);
  t.after(() => nginx.close());
  const fetchStatus = async (query: string): Promise<number> => {
    const response = await fetch(`${nginx.url}/api/v1/faq${query}`);
    await response.arrayBuffer();
    return response.status;
  };
  const statuses: number[] = [];
  for (const query of ['', '?a=1', '?a=2', '?a=3', '?a=4', '?a=5']) statuses.push(await fetchStatus(query));
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  assert.equal(await fetchStatus(''), 200);
});

it('nginx accepts requests over IPv6', { skip: nginxSkipReason ?? false }, async (t) => {
  const server = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1' } });
  t.after(() => server.close());
  const nginx = await startNginx(server.listenUrl);
  t.after(() => nginx.close());
  const { port } = new URL(nginx.url);
  // The Host header is not the server_name, so nginx responds with 400 by itself, which is enough to see that it listens.
  const response = await fetch(`http://[::1]:${port}/api/v1/faq`);
  assert.deepEqual([response.status, JSON.parse(await response.text()).code], [400, 'invalid_request']);
});

it('colophon check URL finds nothing wrong with nginx as shipped', { skip: nginxSkipReason ?? false }, async (t) => {
  const port = await findFreePort();
  const server = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1', BASE_URL: `http://127.0.0.1:${port}` } });
  t.after(() => server.close());
  const nginx = await startNginx(server.listenUrl, port);
  t.after(() => nginx.close());
  const { code, stdout, stderr } = await runColophon(['check', nginx.url]);
  assert.equal(code, 0, stdout + stderr);
});

/**
 * Waits until `isDone` returns true, because nginx does not report the end of its background work. Rejects with an AssertionError
 * after 5 seconds.
 */
async function waitUntil(isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isDone()) return;
    await wait(50);
  }
  assert.fail('the condition was false for 5 seconds');
}
