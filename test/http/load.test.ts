/** An overloaded server: it refuses requests early with 503 overloaded, and accepts them again by itself. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { slowMs } from '../../src/operations/simulations.ts';
import { sendParts } from '../support/conversation.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { createToken } from '../support/oauth.ts';
import { createProblem } from '../support/problem.ts';
import { createJsonPost, startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

async function startAlone(t: TestContext, options: TestServerOptions = {}): Promise<TestServer> {
  const server = (await startTestServer(options)).firstServer;
  t.after(() => server.close());
  return server;
}

interface SlowClock extends ManualClock {
  /** Milliseconds by which each reading moves the clock, as if the requests in a turn of the event loop took that long. */
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

/** Starts a server on a slow clock, which refuses a request that has waited for 200 ms behind 32 others. */
async function startSlow(t: TestContext, options: TestServerOptions = {}) {
  const clock = createSlowClock();
  const server = await startAlone(t, { clock, ...options, loadBounds: { maxTurnMs: 200, ...options.loadBounds } });
  return { server, clock };
}

const listOverloads = ({ logLines }: TestServer): unknown[] =>
  logLines.filter(({ msg }) => /overload/.test(String(msg)));

let requestCount = 0;
/** Returns pipelined requests, each with a new query, so that no response is cached, or all with `query`. */
const createBurst = (count: number, path = '/api/v1/docs', query?: string): string =>
  Array.from({ length: count }, () => {
    requestCount += 1;
    return `GET ${path}?${query ?? `count=${requestCount}`} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  }).join('');

describe('Requests that wait behind others in one event loop turn: overloaded', () => {
  it('the response is 503 with Retry-After, the connection is closed, and no rate limit counts the request', async (t) => {
    const { server, clock } = await startSlow(t, { env: { RATE_LIMIT_ANONYMOUS: '120' } });
    const { headers: before } = await server.request('/api/v1/docs');
    clock.step = 10;
    const { responses, rest, isClosed } = await sendParts(server.listenUrl, [createBurst(40)]);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [...Array.from({ length: 32 }, () => 200), 503],
    );
    assert.deepEqual([rest, isClosed], ['', true]);
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
    assert.deepEqual(
      JSON.parse(String(body)),
      createProblem(server.baseUrl, {
        title: 'Overloaded',
        status: 503,
        detail: 'The server has more requests than it can handle right now. Wait 5 seconds and send it again.',
        instance: '/api/v1/docs',
        code: 'overloaded',
        request_id: id ?? null,
        retry_after: 5,
      }),
    );
  });

  it('the 503 is sent before the token is looked up and before the body is received', async (t) => {
    let lookups = 0;
    const { server, clock } = await startSlow(t, {
      wrapStore: (store) => ({
        ...store,
        findToken: (...args) => {
          lookups += 1;
          return store.findToken(...args);
        },
      }),
    });
    const token = await createToken(server);
    const lastRequests = [
      `GET /api/v1/faq HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      ...['Content-Length: 60000', 'Transfer-Encoding: chunked', 'Content-Length: 60000\r\nExpect: 100-continue'].map(
        (framing) =>
          `POST /api/v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`,
      ),
    ];
    clock.step = 10;
    for (const request of lastRequests) {
      const { responses, isClosed } = await sendParts(server.listenUrl, [createBurst(32) + request]);
      assert.deepEqual([responses.length, responses.at(-1)?.status, isClosed], [33, 503, true], request);
    }
    assert.equal(lookups, 0);
  });

  it('the 503 has the error fields of its protocol: JSON-RPC, OAuth, the sandbox or the API', async (t) => {
    const { server, clock } = await startSlow(t);
    clock.step = 10;
    const fetchRefusal = async (request: string) => {
      const { responses } = await sendParts(server.listenUrl, [
        `${createBurst(32)}${request} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
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
    await server.request('/api/v1/docs?ready=1');
    clock.step = 10;
    const { responses } = await sendParts(server.listenUrl, [createBurst(60, '/api/v1/docs', 'ready=1')], {
      silenceMs: 300,
    });
    assert.deepEqual(responses.filter(({ status }) => status === 200).length, 60);
    assert.deepEqual(listOverloads(server), []);
  });

  it('32 requests get 200, however long they take', async (t) => {
    const { server, clock } = await startSlow(t);
    clock.step = 1000;
    const { responses } = await sendParts(server.listenUrl, [createBurst(32)], { silenceMs: 300 });
    assert.equal(responses.filter(({ status }) => status === 200).length, 32);
  });

  it('200 requests that are handled quickly get 200', async (t) => {
    const { server } = await startSlow(t);
    const { responses } = await sendParts(server.listenUrl, [createBurst(200)], { silenceMs: 300 });
    assert.equal(responses.filter(({ status }) => status === 200).length, 200);
  });

  it('colophon_shed_total counts each 503, and the log has one warning until a minute passes without one', async (t) => {
    const { server, clock } = await startSlow(t, { env: { ADMIN_PORT: '0' } });
    const overload = async (): Promise<void> => {
      clock.step = 10;
      assert.equal((await sendParts(server.listenUrl, [createBurst(40)])).responses.at(-1)?.status, 503);
      clock.step = 0;
    };
    for (let times = 0; times < 3; times += 1) await overload();
    for (const path of ['/livez', '/readyz']) assert.equal((await fetch(server.adminUrl + path)).status, 200);
    const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
    assert.match(metrics, /^colophon_shed_total\{reason="delay"\} 3$/m);
    assert.equal((await server.request('/api/v1/docs')).status, 200);
    const line = { level: 'warn', msg: 'overloaded: requests get 503', reason: 'delay', waiting: 0 };
    assert.deepEqual(listOverloads(server), [line]);
    await clock.advance(60_001);
    await overload();
    assert.deepEqual(listOverloads(server), [line, line]);
  });
});

describe('Requests after the process was suspended: overloaded', () => {
  it('requests that are sent one by one get 200, and no overload is logged', async (t) => {
    const { server, clock } = await startSlow(t);
    for (let stops = 0; stops < 3; stops += 1) await clock.advance(900);
    clock.step = 900;
    for (let reads = 0; reads < 25; reads += 1) assert.equal((await server.request(`/docs?read=${reads}`)).status, 200);
    assert.deepEqual(listOverloads(server), []);
  });
});

describe('Too many requests that wait: overloaded', () => {
  it('requests with a token and batches get 503 until half of the others have ended, and anonymous reads get 200', async (t) => {
    const manualClock = createManualClock(start);
    let slowCount = 0;
    const clock: ManualClock = {
      ...manualClock,
      after(ms, run) {
        if (ms === slowMs) slowCount += 1;
        return manualClock.after(ms, run);
      },
    };
    const server = await startAlone(t, { clock, loadBounds: { maxWaiting: 4 } });
    const authorized = { headers: { authorization: `Bearer ${await createToken(server)}` } };
    const slow: ReturnType<typeof server.request>[] = [];
    for (let count = 1; count <= 5; count += 1) {
      slow.push(server.request('/api/v1/sandbox/docs?simulate=slow'));
      while (slowCount < count) await clock.advance(0);
      await clock.advance(100);
    }
    assert.equal((await server.request('/api/v1/docs', authorized)).json.code, 'overloaded');
    assert.equal((await server.request('/api/v1/batch', createJsonPost({ operations: [] }))).json.code, 'overloaded');
    assert.equal((await server.request('/api/v1/docs')).status, 200);
    await clock.advance(slowMs - 500);
    for (const [ended, status] of [503, 503, 200, 200, 200].entries()) {
      assert.equal((await slow[ended])?.status, 200);
      assert.equal((await server.request('/api/v1/docs', authorized)).status, status, `${ended + 1} of 5 have ended`);
      await clock.advance(100);
    }
    assert.deepEqual(
      listOverloads(server).map((event) => (event as { reason: string }).reason),
      ['requests'],
    );
  });
});
