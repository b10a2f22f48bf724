/** The fast path gives byte for byte what the ordinary path gives, and gives way wherever a response may differ. */
import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createFastPath } from '../../src/http/fast-path.ts';
import { createRendition } from '../../src/http/renditions.ts';
import type { State } from '../../src/http/state.ts';
import { encodeText } from '../../src/operations/representation.ts';
import { cases } from '../support/cases.ts';
import { newToken } from '../support/oauth.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

const perRequest = new Set(['x-request-id', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit', 'date']);

/** Headers in their order and spelling; what differs between any two requests is left out. */
function ask(agent: Agent, base: string, method: string, path: string, headers: IncomingHttpHeaders): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((done, fail) => {
    const asked = request({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const raw = response.rawHeaders;
        const { statusCode: status = 0 } = response;
        // A problem document holds the request's id, which its tag follows.
        const own = status < 400 ? perRequest : new Set([...perRequest, 'etag']);
        const kept = raw.flatMap((name, at) =>
          at % 2 === 0 ? [`${name}: ${own.has(name.toLowerCase()) ? '…' : raw[at + 1]}`] : [],
        );
        const body = Buffer.concat(chunks).toString('latin1');
        done({ status, headers: kept, body: body.replace(/req_[0-9a-z]{22}/g, 'req_…') });
      });
    });
    asked.on('error', fail);
    asked.end();
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
    const tag = (await server.ask('/api/v1/releases/latest')).headers.get('etag') ?? '';
    const token = await newToken(server);
    const maybe = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const headers = fc.record({
      accept: maybe('application/json', 'text/markdown', '*/*', 'text/html', 'image/png', ''),
      'accept-encoding': maybe('br', 'zstd', 'gzip, zstd', 'gzip', 'gzip, br', 'br;q=0', 'identity', '*', 'nonsense'),
      'if-none-match': maybe(tag, `W/${tag}`, '*', '"other"', `"other", ${tag}`, tag.replace(/"$/, '-br"')),
      authorization: maybe('Bearer nonsense', `Bearer ${token}`),
      origin: maybe('https://elsewhere.example'),
      'x-request-id': maybe('mine'),
    });
    const methods = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE');
    let run = 0;
    const property = fc.asyncProperty(
      methods,
      fc.constantFrom(...paths),
      fc.constantFrom(...queries),
      headers,
      async (method, path, query, sent) => {
        run += 1;
        // An unknown parameter is ignored, and makes a target that was never asked for.
        const target = `${path}?${query}${query === '' ? '' : '&'}run=${run}`;
        const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
        const ordinary = await ask(agent, server.listenUrl, method, target, given);
        const again = await ask(agent, server.listenUrl, method, target, given);
        const { 'if-none-match': _, ...unconditional } = given;
        const whole = await ask(agent, server.listenUrl, method, target, unconditional);
        assert.deepEqual(again, ordinary);
        assert.deepEqual(await ask(agent, server.listenUrl, method, target, unconditional), whole);
        assert.deepEqual(await ask(agent, server.listenUrl, method, target, given), ordinary);
      },
    );
    await fc.assert(property, { numRuns: cases(300) });
  });

  it('another Accept gets its own media type, and HEAD gets no body, after a cached GET', async () => {
    const path = '/api/v1/docs/quickstart';
    const json = await server.ask(path);
    await server.ask(path);
    const markdown = await server.ask(path, { headers: { accept: 'text/markdown' } });
    assert.equal(json.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8');
    const head = await server.ask(path, { method: 'HEAD' });
    assert.equal(head.text, '');
    assert.equal(head.headers.get('etag'), json.headers.get('etag'));
  });

  it('each repeated request uses up the rate limit and gets a new X-Request-Id', async () => {
    const first = await server.ask('/api/v1/pricing');
    const second = await server.ask('/api/v1/pricing');
    assert.notEqual(first.headers.get('x-request-id'), second.headers.get('x-request-id'));
    const left = (asked: typeof first): number => Number(asked.headers.get('ratelimit-remaining'));
    assert.equal(left(second), left(first) - 1);
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

  function hold(options: { maxBytes?: number; maxTargets?: number }) {
    let sent = 0;
    const writer: Parameters<typeof createFastPath>[0] = {
      listRenditionHeaders: () => ['x-request-id', 'old', 'ratelimit-limit', '1'],
      describe: () => '',
      send: () => {
        sent += 1;
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
    return { ...fastPath, exchange, sentCount: () => sent };
  }

  it('answer returns false until keep has stored the response, and then sends it', () => {
    const held = hold({});
    const asked = held.exchange('/api/v1/docs');
    assert.equal(held.answer(asked, state), false);
    held.keep(asked, state, rendition, 'identity');
    assert.equal(held.answer(asked, state), true);
    assert.equal(held.sentCount(), 1);
  });

  it('a stored response is not sent for a token, another method, Accept or state, nor in the sandbox', () => {
    const held = hold({});
    held.keep(held.exchange('/api/v1/docs'), state, rendition, 'identity');
    held.keep(held.exchange('/api/v1/sandbox/docs'), state, rendition, 'identity');
    for (const exchange of [
      held.exchange('/api/v1/docs', { authorization: 'Bearer x' }),
      held.exchange('/api/v1/docs', {}, 'HEAD'),
      held.exchange('/api/v1/docs', { accept: 'text/markdown' }),
      held.exchange('/api/v1/sandbox/docs'),
    ]) {
      assert.equal(held.answer(exchange, state), false);
    }
    assert.equal(held.answer(held.exchange('/api/v1/docs'), { ...state }), false);
  });

  it('equal requests whose response is stored 20 times count as one variant', () => {
    const held = hold({ maxBytes: 10_000 });
    const [first, other] = [held.exchange('/api/v1/docs'), held.exchange('/api/v1/docs', { accept: 'text/markdown' })];
    for (let count = 0; count < 20; count += 1) held.keep(first, state, rendition, 'identity');
    held.keep(other, state, rendition, 'identity');
    assert.deepEqual([held.answer(first, state), held.answer(other, state)], [true, true]);
  });

  it('maxTargets and maxBytes limit the number of stored responses', () => {
    for (const options of [{ maxTargets: 10 }, { maxBytes: 45_000 }]) {
      const held = hold(options);
      for (let at = 0; at < 100; at += 1)
        held.keep(held.exchange(`/api/v1/docs?x=${at}`), state, rendition, 'identity');
      const kept = Array.from({ length: 100 }, (_, at) => held.answer(held.exchange(`/api/v1/docs?x=${at}`), state));
      const count = kept.filter(Boolean).length;
      assert.ok(count > 0 && count <= 10, `${count} are held`);
    }
  });
});
