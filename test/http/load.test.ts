/** A server with more to do than it can: it refuses early, says so, and takes requests again by itself. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { converse } from '../support/conversation.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { newToken } from '../support/oauth.ts';
import { json, startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

async function startAlone(t: TestContext, options: TestServerOptions = {}): Promise<TestServer> {
  const server = (await startTestServer(options)).alone;
  t.after(() => server.close());
  return server;
}

interface SlowClock extends ManualClock {
  /** Milliseconds that pass with each look at it: a turn of the event loop lasts as long as the requests in it take. */
  step: number;
}

function createSlowClock(): SlowClock {
  const clock = createManualClock(start);
  let passed = 0;
  return {
    ...clock,
    step: 0,
    monotonic() {
      passed += this.step;
      return clock.monotonic() + passed;
    },
  };
}

/** A server on such a clock that refuses what has waited for 200 ms behind 32 others. */
async function startSlow(t: TestContext, options: TestServerOptions = {}) {
  const clock = createSlowClock();
  const server = await startAlone(t, { clock, ...options, loadBounds: { maxTurnMs: 200, ...options.loadBounds } });
  return { server, clock };
}

const events = ({ lines }: TestServer): unknown[] => lines.filter(({ msg }) => /overload/.test(String(msg)));

let asked = 0;
/** Requests that come together, of answers that nobody has asked for before unless `query` says so. */
const burst = (count: number, path = '/api/v1/docs', query?: string): string =>
  Array.from({ length: count }, () => {
    asked += 1;
    return `GET ${path}?${query ?? `asked=${asked}`} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  }).join('');

describe('Requests that wait behind others in one event loop turn: overloaded', () => {
  it('the response is 503 with Retry-After, the connection is closed, and no rate limit counts the request', async (t) => {
    const { server, clock } = await startSlow(t, { env: { RATE_LIMIT_ANONYMOUS: '120' } });
    const { headers: before } = await server.ask('/api/v1/docs');
    clock.step = 10;
    const { responses, rest, closed } = await converse(server.listenUrl, [burst(40)]);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [...Array.from({ length: 32 }, () => 200), 503],
    );
    assert.deepEqual([rest, closed], ['', true]);
    const { headers, body } = responses.at(-1) ?? assert.fail();
    const { date, etag, 'x-request-id': id, 'ratelimit-reset': reset, ratelimit, ...others } = headers;
    assert.deepEqual(others, {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'retry-after': '5',
      'content-length': String(body.length),
      'api-version': before.get('api-version'),
      'ratelimit-limit': '120',
      'ratelimit-remaining': '87',
      'ratelimit-policy': '"anonymous";q=120;w=60',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': before.get('access-control-expose-headers'),
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    assert.ok(date);
    assert.match(etag ?? '', /^"[\w-]+"$/);
    assert.equal(ratelimit, `"anonymous";r=87;t=${reset}`);
    assert.deepEqual(JSON.parse(String(body)), {
      object: 'error',
      type: `${server.baseUrl}/developers/errors#overloaded`,
      title: 'Overloaded',
      status: 503,
      detail: 'The server has more requests than it can handle right now. Wait 5 seconds and send it again.',
      instance: '/api/v1/docs',
      code: 'overloaded',
      request_id: id,
      docs_url: `${server.baseUrl}/developers/errors#overloaded`,
      retry_after: 5,
    });
  });

  it('the 503 is sent before the token is looked up and before the body is received', async (t) => {
    let lookups = 0;
    const { server, clock } = await startSlow(t, {
      wrapStore: (store) => ({
        ...store,
        findToken: (...found) => {
          lookups += 1;
          return store.findToken(...found);
        },
      }),
    });
    const token = await newToken(server);
    const last = [
      `GET /api/v1/faq HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      ...['Content-Length: 60000', 'Transfer-Encoding: chunked', 'Content-Length: 60000\r\nExpect: 100-continue'].map(
        (framing) =>
          `POST /api/v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`,
      ),
    ];
    clock.step = 10;
    for (const request of last) {
      const { responses, closed } = await converse(server.listenUrl, [burst(32) + request]);
      assert.deepEqual([responses.length, responses.at(-1)?.status, closed], [33, 503, true], request);
    }
    assert.equal(lookups, 0);
  });

  it('the 503 has the error fields of its protocol: JSON-RPC, OAuth, the sandbox or the API', async (t) => {
    const { server, clock } = await startSlow(t);
    clock.step = 10;
    const fetchRefusal = async (request: string) => {
      const { responses } = await converse(server.listenUrl, [
        `${burst(32)}${request} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      ]);
      const { status, headers, body } = responses.at(-1) ?? assert.fail();
      assert.deepEqual([status, headers['content-type']], [503, 'application/problem+json'], request);
      return { headers, json: JSON.parse(String(body)) };
    };
    assert.equal((await fetchRefusal('POST /mcp')).json.error.code, -32603);
    const { json: oauth } = await fetchRefusal('POST /oauth/token');
    assert.deepEqual([oauth.code, oauth.error], ['overloaded', 'temporarily_unavailable']);
    const sandbox = await fetchRefusal('GET /api/v1/sandbox/docs');
    assert.deepEqual([sandbox.json.code, sandbox.json.sandbox], ['overloaded', true]);
    assert.equal(sandbox.headers['x-service-environment'], 'sandbox');
    assert.equal((await fetchRefusal('GET /docs/quickstart')).json.code, 'overloaded');
  });

  it('60 requests whose response is cached get 200, and no overload is logged', async (t) => {
    const { server, clock } = await startSlow(t);
    await server.ask('/api/v1/docs?ready=1');
    clock.step = 10;
    const { responses } = await converse(server.listenUrl, [burst(60, '/api/v1/docs', 'ready=1')], { silenceMs: 300 });
    assert.deepEqual(responses.filter(({ status }) => status === 200).length, 60);
    assert.deepEqual(events(server), []);
  });

  it('32 requests get 200, however long they take', async (t) => {
    const { server, clock } = await startSlow(t);
    clock.step = 1000;
    const { responses } = await converse(server.listenUrl, [burst(32)], { silenceMs: 300 });
    assert.equal(responses.filter(({ status }) => status === 200).length, 32);
  });

  it('200 requests that are handled quickly get 200', async (t) => {
    const { server } = await startSlow(t);
    const { responses } = await converse(server.listenUrl, [burst(200)], { silenceMs: 300 });
    assert.equal(responses.filter(({ status }) => status === 200).length, 200);
  });

  it('colophon_shed_total counts each 503, and the log has one warning until a minute passes without one', async (t) => {
    const { server, clock } = await startSlow(t, { env: { ADMIN_PORT: '0' } });
    const overload = async (): Promise<void> => {
      clock.step = 10;
      assert.equal((await converse(server.listenUrl, [burst(40)])).responses.at(-1)?.status, 503);
      clock.step = 0;
    };
    for (let times = 0; times < 3; times += 1) await overload();
    for (const path of ['/livez', '/readyz']) assert.equal((await fetch(server.adminUrl + path)).status, 200);
    const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
    assert.match(metrics, /^colophon_shed_total\{reason="delay"\} 3$/m);
    assert.equal((await server.ask('/api/v1/docs')).status, 200);
    const line = { level: 'warn', msg: 'overloaded: requests get 503', reason: 'delay', waiting: 0 };
    assert.deepEqual(events(server), [line]);
    await clock.advance(60_001);
    await overload();
    assert.deepEqual(events(server), [line, line]);
  });
});

describe('Requests after the process was suspended: overloaded', () => {
  it('requests that are sent one by one get 200, and no overload is logged', async (t) => {
    const { server, clock } = await startSlow(t);
    for (let stops = 0; stops < 3; stops += 1) await clock.advance(900);
    clock.step = 900;
    for (let reads = 0; reads < 25; reads += 1) assert.equal((await server.ask(`/docs?read=${reads}`)).status, 200);
    assert.deepEqual(events(server), []);
  });
});

describe('Too many requests that wait: overloaded', () => {
  it('requests with a token and batches get 503 until others are finished, and anonymous reads get 200', async (t) => {
    const clock = createManualClock(start);
    const server = await startAlone(t, { clock, loadBounds: { maxWaiting: 4 } });
    const authorized = { headers: { authorization: `Bearer ${await newToken(server)}` } };
    const slow = Array.from({ length: 5 }, () => server.ask('/api/v1/sandbox/docs?simulate=slow'));
    while ((await server.ask('/api/v1/docs', authorized)).status !== 503);
    assert.equal((await server.ask('/api/v1/docs', authorized)).json.code, 'overloaded');
    assert.equal((await server.ask('/api/v1/batch', json({ operations: [] }))).json.code, 'overloaded');
    assert.equal((await server.ask('/api/v1/docs')).status, 200);
    await clock.advance(2000);
    for (const answer of slow) assert.ok([200, 503].includes((await answer).status));
    assert.equal((await server.ask('/api/v1/docs', authorized)).status, 200);
    assert.deepEqual(
      events(server).map((event) => (event as { reason: string }).reason),
      ['requests'],
    );
  });
});
