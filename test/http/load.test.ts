/** A server with more to do than it can: it refuses early, says so, and takes requests again by itself. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { DelaySensor } from '../../src/http/load.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { send } from '../support/mcp.ts';
import { newToken } from '../support/oauth.ts';
import { sendRaw } from '../support/raw.ts';
import { json, startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

/** A server whose event loop is as late as the test says. */
async function startLate(t: TestContext, options: TestServerOptions = {}) {
  let report: (lateMs: number) => void = () => {};
  const delaySensor: DelaySensor = (listener) => {
    report = listener;
    return () => {};
  };
  const server = await startTestServer({ delaySensor, ...options });
  t.after(() => server.close());
  const late = (...reports: number[]): void => {
    for (const lateMs of reports) report(lateMs);
  };
  return { server, late };
}

const events = ({ lines }: TestServer): unknown[] => lines.filter(({ msg }) => /overload/.test(String(msg)));
const calm = Array.from({ length: 10 }, () => 3);

describe('a late event loop', () => {
  it('refuses new requests with 503, Retry-After and nothing counted, and keeps the connection', async (t) => {
    const { server, late } = await startLate(t, { env: { RATE_LIMIT_ANONYMOUS: '120' } });
    const { headers: before } = await server.ask('/api/v1/docs');
    assert.equal(before.get('ratelimit-remaining'), '119');
    late(800, 900);
    const { status, headers, body } = await sendRaw(
      server.listenUrl,
      'GET /api/v1/docs?limit=1 HTTP/1.1\r\nHost: a.example\r\n\r\n',
    );
    const { date, etag, 'x-request-id': id, 'ratelimit-reset': reset, ratelimit, ...others } = headers;
    assert.equal(status, 503);
    assert.deepEqual(others, {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'retry-after': '5',
      'content-length': String(body.length),
      'api-version': before.get('api-version'),
      'ratelimit-limit': '120',
      'ratelimit-remaining': '119',
      'ratelimit-policy': '"anonymous";q=120;w=60',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': before.get('access-control-expose-headers'),
      'x-content-type-options': 'nosniff',
      connection: 'keep-alive',
      'keep-alive': 'timeout=65',
    });
    assert.ok(date);
    assert.match(etag ?? '', /^"[\w-]+"$/);
    assert.equal(ratelimit, `"anonymous";r=119;t=${reset}`);
    assert.deepEqual(JSON.parse(body), {
      object: 'error',
      type: `${server.baseUrl}/developers/errors#overloaded`,
      title: 'Overloaded',
      status: 503,
      detail: 'The server has more to do than it can right now. Wait 5 seconds and send it again.',
      instance: '/api/v1/docs',
      code: 'overloaded',
      request_id: id,
      docs_url: `${server.baseUrl}/developers/errors#overloaded`,
      retry_after: 5,
    });
  });

  it('refuses a request with a body before the body comes, and closes the connection', async (t) => {
    const { server, late } = await startLate(t);
    late(800, 900);
    const head = 'POST /api/v1/batch HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\n';
    for (const framing of ['Content-Length: 60000\r\n', 'Transfer-Encoding: chunked\r\n', expecting]) {
      const { status, headers, closed } = await sendRaw(server.listenUrl, `${head}${framing}\r\n`);
      assert.deepEqual([status, headers.connection, closed], [503, 'close', true]);
    }
  });

  it('answers each protocol in its own words', async (t) => {
    const { server, late } = await startLate(t);
    late(800, 900);
    const mcp = await send(server, '/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    assert.deepEqual([mcp.status, mcp.json.error.code], [503, -32603]);
    const { status, json: oauth } = await server.ask('/oauth/token', { method: 'POST', body: new URLSearchParams() });
    assert.deepEqual([status, oauth.code, oauth.error], [503, 'overloaded', 'temporarily_unavailable']);
    const sandbox = await server.ask('/api/v1/sandbox/docs');
    assert.deepEqual([sandbox.status, sandbox.json.code, sandbox.json.sandbox], [503, 'overloaded', true]);
    assert.equal(sandbox.headers.get('x-service-environment'), 'sandbox');
    const page = await server.ask('/', { headers: { accept: 'text/html' } });
    assert.deepEqual([page.status, page.json.code], [503, 'overloaded']);
  });

  it('is forgiven once, and ends after a second of calm', async (t) => {
    const { server, late } = await startLate(t);
    const status = async () => (await server.ask('/api/v1/docs')).status;
    late(5000, 3, 5000);
    assert.equal(await status(), 200);
    late(501);
    assert.equal(await status(), 503);
    late(...calm.slice(1), 150, ...calm.slice(1));
    assert.equal(await status(), 503);
    late(3);
    assert.equal(await status(), 200);
    late(501, 501);
    assert.equal(await status(), 503);
  });

  it('leaves the admin listener alone, is counted there, and makes two lines an episode', async (t) => {
    const clock = createManualClock(start);
    const { server, late } = await startLate(t, { env: { ADMIN_PORT: '0' }, clock });
    late(800, 900, 1000, 1000);
    for (let sent = 0; sent < 3; sent += 1) await server.ask('/api/v1/docs');
    for (const path of ['/livez', '/readyz']) assert.equal((await fetch(server.adminUrl + path)).status, 200);
    const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
    assert.match(metrics, /^colophon_shed_total\{reason="delay"\} 3$/m);
    await clock.advance(7000);
    late(...calm, ...calm);
    assert.deepEqual(events(server), [
      { level: 'warn', msg: 'overloaded: new requests get 503 until it is over', reason: 'delay', late_ms: 900 },
      { level: 'info', msg: 'no longer overloaded', reason: 'delay', shed: 3, seconds: 7 },
    ]);
  });
});

describe('too many requests that wait', () => {
  it('refuse others that would wait, and no plain read, until half of them are answered', async (t) => {
    const clock = createManualClock(start);
    const { server } = await startLate(t, { clock, loadBounds: { mostWaiting: 2, calmWaiting: 1 } });
    const token = await newToken(server);
    const authorized = { headers: { authorization: `Bearer ${token}` } };
    const slow = Array.from({ length: 3 }, () => server.ask('/api/v1/sandbox/docs?simulate=slow'));
    while (events(server).length === 0) await server.ask('/api/v1/docs');
    assert.equal((await server.ask('/api/v1/docs', authorized)).json.code, 'overloaded');
    assert.equal((await server.ask('/api/v1/batch', json({ operations: [] }))).json.code, 'overloaded');
    assert.equal((await server.ask('/api/v1/docs')).status, 200);
    await clock.advance(2000);
    for (const answer of slow) assert.equal((await answer).status, 200);
    assert.equal((await server.ask('/api/v1/docs', authorized)).status, 200);
    assert.deepEqual(events(server), [
      { level: 'warn', msg: 'overloaded: new requests get 503 until it is over', reason: 'requests', waiting: 3 },
      { level: 'info', msg: 'no longer overloaded', reason: 'requests', shed: 2, seconds: 2 },
    ]);
  });
});

const expecting = 'Content-Length: 60000\r\nExpect: 100-continue\r\n';
