/** The fast path sends the same bytes as the ordinary path, and is not used where they may differ. */
import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createFastPath } from '../../src/http/fast-path.ts';
import { createRendition } from '../../src/http/renditions.ts';
import type { State } from '../../src/http/state.ts';
import { encodeText } from '../../src/operations/representation.ts';
import { scaleCaseCount } from '../support/cases.ts';
import { createBearerHeaders, createToken } from '../support/oauth.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

const perRequest = new Set(['x-request-id', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit', 'date']);

/**
 * Sends a request without a body to the origin `base`, and returns its response: the header lines as received, with `…` for values
 * that differ in each response, and the body as Latin-1 text with `req_…` for request IDs.
 */
function ask(agent: Agent, base: string, method: string, path: string, headers: IncomingHttpHeaders): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const clientRequest = request({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const raw = response.rawHeaders;
        const { statusCode: status = 0 } = response;
        // An error has the request ID in its body, so its entity tag differs in each response too.
        const variableHeaders = status < 400 ? perRequest : new Set([...perRequest, 'etag']);
        const lines = raw.flatMap((name, index) =>
          index % 2 === 0 ? [`${name}: ${variableHeaders.has(name.toLowerCase()) ? '…' : raw[index + 1]}`] : [],
        );
        const body = Buffer.concat(chunks).toString('latin1');
        resolve({ status, headers: lines, body: body.replace(/req_[0-9a-z]{22}/g, 'req_…') });
      });
    });
    clientRequest.on('error', reject);
    clientRequest.end();
  });
}

describe('Repeated requests, served by the fast path', () => {
  let server: TestServer;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const paths = [
    '/api/v1',
    '/api/v1/releases/latest',
    '/api/v1/releases',
    '/api/v1/docs',
    '/api/v1/docs/quickstart',
    '/api/v1/docs/missing',
    '/api/v1/faq',
    '/api/v1/search',
    '/api/v1/sandbox/docs',
    '/api/v1/nowhere',
    '/api/v0/docs',
    '/docs/quickstart',
    '/llms.txt',
  ];
  const queries = [
    '',
    'limit=2',
    'limit=none',
    'q=mac',
    'q=m%C3%BCnze&limit=1',
    'limit=1&limit=2',
    'simulate=not_found',
  ];

  before(async () => {
    server = await startTestServer();
  });
  after(async () => {
    agent.destroy();
    await server.close();
  });

  it('a repeated request gets the same response as the first, whatever its method, query and headers are', async () => {
    const tag = (await server.request('/api/v1/releases/latest')).headers.get('etag') ?? '';
    const token = await createToken(server);
    const chooseOrOmit = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const headers = fc.record({
      accept: chooseOrOmit('application/json', 'text/markdown', '*/*', 'text/html', 'image/png', ''),
      'accept-encoding': chooseOrOmit(
        'br',
        'zstd',
        'gzip, zstd',
        'gzip',
        'gzip, br',
        'br;q=0',
        'identity',
        '*',
        'nonsense',
      ),
      'if-none-match': chooseOrOmit(tag, `W/${tag}`, '*', '"other"', `"other", ${tag}`, tag.replace(/"$/, '-br"')),
      authorization: chooseOrOmit('Bearer nonsense', `Bearer ${token}`),
      origin: chooseOrOmit('https://elsewhere.example'),
      'x-request-id': chooseOrOmit('mine'),
    });
    const methods = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE');
    let run = 0;
    const property = fc.asyncProperty(
      methods,
      fc.constantFrom(...paths),
      fc.constantFrom(...queries),
      headers,
      async (method, path, query, values) => {
        run += 1;
        // The server ignores the unknown parameter `run`, which makes each target new for the fast path.
        const target = `${path}?${query}${query === '' ? '' : '&'}run=${run}`;
        const requestHeaders = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
        const ordinary = await ask(agent, server.listenUrl, method, target, requestHeaders);
        const repeated = await ask(agent, server.listenUrl, method, target, requestHeaders);
        const { 'if-none-match': _, ...unconditionalHeaders } = requestHeaders;
        const unconditional = await ask(agent, server.listenUrl, method, target, unconditionalHeaders);
        assert.deepEqual(repeated, ordinary);
        assert.deepEqual(await ask(agent, server.listenUrl, method, target, unconditionalHeaders), unconditional);
        assert.deepEqual(await ask(agent, server.listenUrl, method, target, requestHeaders), ordinary);
      },
    );
    await fc.assert(property, { numRuns: scaleCaseCount(300) });
  });

  it('another Accept, HEAD and a token each get their own response after a cached GET', async () => {
    const path = '/api/v1/docs/quickstart';
    const json = await server.request(path);
    await server.request(path);
    const markdown = await server.request(path, { headers: { accept: 'text/markdown' } });
    assert.equal(json.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8');
    const head = await server.request(path, { method: 'HEAD' });
    assert.equal(head.text, '');
    assert.equal(head.headers.get('etag'), json.headers.get('etag'));
    const headers = createBearerHeaders(await createToken(server));
    const listCacheHeaders = (response: typeof json) =>
      ['cache-control', 'ratelimit-policy'].map((name) => response.headers.get(name));
    for (let count = 0; count < 2; count += 1) {
      const authorized = await server.request(path, { headers });
      assert.equal(authorized.text, json.text);
      assert.deepEqual(listCacheHeaders(authorized), ['private, no-cache', '"authenticated";q=1000000;w=60']);
    }
    assert.deepEqual(listCacheHeaders(await server.request(path)), listCacheHeaders(json));
  });

  it('each repeated request uses up the rate limit and gets a new X-Request-Id', async () => {
    const first = await server.request('/api/v1/pricing');
    const second = await server.request('/api/v1/pricing');
    assert.notEqual(first.headers.get('x-request-id'), second.headers.get('x-request-id'));
    const readRemaining = (response: typeof first): number => Number(response.headers.get('ratelimit-remaining'));
    assert.equal(readRemaining(second), readRemaining(first) - 1);
  });
});

describe('createFastPath', () => {
  const rendition = createRendition({
    encoded: encodeText('x'.repeat(500)),
    headers: {},
    body: { object: 'doc' },
    route: '/r',
  });
  const state = {} as State;

  function createTestPath(options: { maxBytes?: number; maxTargets?: number }) {
    let responseCount = 0;
    const writer: Parameters<typeof createFastPath>[0] = {
      listRenditionHeaders: () => ['x-request-id', 'old', 'ratelimit-limit', '1'],
      describe: () => '',
      send: () => {
        responseCount += 1;
      },
    };
    const fastPath = createFastPath(writer, () => {}, options);
    const exchange = (url: string, headers = {}, method = 'GET') =>
      ({
        request: { url, headers },
        method,
        path: url,
        id: 'new',
        decision: { allowed: true, limit: 9, remaining: 8, resetSeconds: 60 },
      }) as unknown as Parameters<typeof fastPath.answer>[0];
    return { ...fastPath, exchange, sentCount: () => responseCount };
  }

  it('answer returns false until keep has stored the response, and then sends it', () => {
    const fastPath = createTestPath({});
    const exchange = fastPath.exchange('/api/v1/docs');
    assert.equal(fastPath.answer(exchange, state), false);
    fastPath.keep(exchange, state, rendition, 'identity');
    assert.equal(fastPath.answer(exchange, state), true);
    assert.equal(fastPath.sentCount(), 1);
  });

  it('a stored response is not sent for a token, another method, Accept or state, nor in the sandbox', () => {
    const fastPath = createTestPath({});
    fastPath.keep(fastPath.exchange('/api/v1/docs'), state, rendition, 'identity');
    fastPath.keep(fastPath.exchange('/api/v1/sandbox/docs'), state, rendition, 'identity');
    for (const exchange of [
      fastPath.exchange('/api/v1/docs', { authorization: 'Bearer x' }),
      fastPath.exchange('/api/v1/docs', {}, 'HEAD'),
      fastPath.exchange('/api/v1/docs', { accept: 'text/markdown' }),
      fastPath.exchange('/api/v1/sandbox/docs'),
    ]) {
      assert.equal(fastPath.answer(exchange, state), false);
    }
    assert.equal(fastPath.answer(fastPath.exchange('/api/v1/docs'), { ...state }), false);
  });

  it('equal requests whose response is stored 20 times count as one variant', () => {
    const fastPath = createTestPath({ maxBytes: 10_000 });
    const [first, other] = [
      fastPath.exchange('/api/v1/docs'),
      fastPath.exchange('/api/v1/docs', { accept: 'text/markdown' }),
    ];
    for (let count = 0; count < 20; count += 1) fastPath.keep(first, state, rendition, 'identity');
    fastPath.keep(other, state, rendition, 'identity');
    assert.deepEqual([fastPath.answer(first, state), fastPath.answer(other, state)], [true, true]);
  });

  it('maxTargets and maxBytes limit the number of stored responses', () => {
    for (const options of [{ maxTargets: 10 }, { maxBytes: 45_000 }]) {
      const fastPath = createTestPath(options);
      for (let index = 0; index < 100; index += 1)
        fastPath.keep(fastPath.exchange(`/api/v1/docs?x=${index}`), state, rendition, 'identity');
      const answers = Array.from({ length: 100 }, (_, index) =>
        fastPath.answer(fastPath.exchange(`/api/v1/docs?x=${index}`), state),
      );
      const count = answers.filter(Boolean).length;
      assert.ok(count > 0 && count <= 10, `${count} are stored`);
    }
  });
});
