/** Tests the endpoints of the admin listener (health, readiness, metrics), the shutdown of a server, and slow clients. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Clock } from '../../../src/base/clock.ts';
import { storeDown } from '../../../src/store/database.ts';
import type { StoreStats } from '../../../src/store/store.ts';
import { writeContentFolder } from '../../support/content-folder.ts';
import { createAppcast } from '../../support/feed-samples.ts';
import { startUpstream } from '../../support/feed-upstream.ts';
import { findFreePort } from '../../support/free-port.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { sendRaw } from '../../support/raw.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const adminEnv = { ADMIN_PORT: '0' };

interface Health {
  status: string;
  reasons: string[];
  warnings?: string[];
  feed?: { state: string; checked_at: string | null };
  store?: { state: string; writable: boolean };
}

async function fetchHealth(adminUrl: string | null, path = '/readyz'): Promise<{ status: number; body: Health }> {
  const response = await fetch(`${adminUrl}${path}`);
  return { status: response.status, body: (await response.json()) as Health };
}

/** Returns the address on which a server listens. Asserts that it listens on a port. */
function getAddress(server: Server): AddressInfo {
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return address;
}

/**
 * Opens a socket that sends `bytes`, and returns it with the promise of all that it receives until the server closes it, as Latin-1
 * text. The promise rejects if the connection breaks.
 */
function openSocket(server: TestServer, bytes: string): { socket: Socket; received: Promise<string> } {
  const { hostname, port } = new URL(server.listenUrl);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.write(bytes);
  return { socket, received: once(socket, 'close').then(() => text) };
}

const body = '{"operations":[{"id":"a","method":"GET","path":"/faq"}]}';
const postHead = `POST /api/v1/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

describe('ADMIN_PORT, ADMIN_HOST and ADMIN_NAMES: the admin listener', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: { ...adminEnv, RATE_LIMIT_SANDBOX: '2' } });
  });
  after(() => server.close());

  it('GET /livez returns 200 alive, and GET /readyz returns 200 ready without reasons and warnings', async () => {
    assert.deepEqual(await fetchHealth(server.adminUrl, '/livez'), { status: 200, body: { status: 'alive' } });
    const { status, body: ready } = await fetchHealth(server.adminUrl);
    assert.equal(status, 200);
    assert.equal(ready.status, 'ready');
    assert.deepEqual([ready.reasons, ready.warnings, ready.feed?.state], [[], [], 'fresh']);
  });

  it('a Host that is an IP address, localhost or in ADMIN_NAMES is accepted, and any other gets 421', async (t) => {
    const namedServer = await startTestServer({ env: { ADMIN_PORT: '0', ADMIN_NAMES: 'colophon, ops.example' } });
    t.after(() => namedServer.close());
    const { port } = new URL(namedServer.adminUrl ?? '');
    const ask = async (host: string | null, path = '/readyz') => {
      const version = host === null ? '1.0' : '1.1';
      const line = host === null ? '' : `Host: ${host}\r\n`;
      return sendRaw(namedServer.adminUrl ?? '', `GET ${path} HTTP/${version}\r\n${line}Connection: close\r\n\r\n`);
    };
    for (const host of [
      `127.0.0.1:${port}`,
      '127.0.0.1',
      `localhost:${port}`,
      'LOCALHOST',
      '[::1]:9464',
      '10.1.2.3:9464',
      'colophon:9464',
      'ops.example',
      null,
    ])
      assert.equal((await ask(host)).status, 200, String(host));
    for (const path of ['/livez', '/readyz', '/metrics', '/searches', '/']) {
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        'localhost.evil.example',
        '127.0.0.1.evil.example',
        'a',
        '[x]',
        ' ',
      ]) {
        const { status, headers, body } = await ask(host, path);
        assert.equal(status, 421, `${host} ${path}`);
        assert.equal(headers['content-type'], 'application/json; charset=utf-8');
        assert.deepEqual(JSON.parse(body), {
          error:
            'The admin listener does not respond to this Host. Ask for its address, localhost or ADMIN_HOST, or add the name to ADMIN_NAMES.',
        });
      }
    }
  });

  it('HEAD is accepted, POST gets 405 with Allow, and an unknown path gets 404 that suggests a path', async () => {
    const head = await fetch(`${server.adminUrl}/readyz`, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
    const post = await fetch(`${server.adminUrl}/readyz`, { method: 'POST' });
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD']);
    const unknown = await fetch(`${server.adminUrl}/ready`);
    assert.equal(unknown.status, 404);
    assert.match(await unknown.text(), /`\/readyz`/);
  });

  it('GET /metrics counts requests by route template, method and status, and contains no requested path', async () => {
    await server.request('/api/v1/docs/quickstart');
    await server.request('/api/v1/docs/no-such-page');
    await server.request('/no/such/path/at-all');
    for (let count = 0; count < 3; count += 1) await server.request('/api/v1/sandbox/faq');
    await openSocket(server, 'HELLO\r\n\r\n').received;
    const response = await fetch(`${server.adminUrl}/metrics`);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    const readValue = (start: string): number => {
      const line = text.split('\n').find((candidate) => candidate.startsWith(start));
      assert.ok(line, `${start} is in:\n${text}`);
      return Number(line.slice(line.lastIndexOf(' ')));
    };
    const route = 'route="/api/v1/docs/{slug}",method="GET"';
    assert.equal(readValue(`colophon_http_requests_total{${route},status="200"}`), 1);
    assert.equal(readValue(`colophon_http_requests_total{${route},status="404"}`), 1);
    assert.equal(readValue(`colophon_http_request_duration_seconds_bucket{le="+Inf",${route}}`), 2);
    assert.equal(readValue(`colophon_http_request_duration_seconds_count{${route}}`), 2);
    assert.equal(readValue('colophon_http_requests_total{route="none",method="GET",status="404"}'), 1);
    assert.equal(readValue('colophon_rate_limit_decisions_total{bucket="sandbox",decision="refused"}'), 1);
    assert.equal(readValue('colophon_rate_limit_decisions_total{bucket="sandbox",decision="allowed"}'), 2);
    assert.equal(readValue('colophon_http_unparsed_total{code="invalid_request"}'), 1);
    assert.equal(readValue('colophon_rate_limit_deciding{counters="local"}'), 1);
    assert.equal(readValue('colophon_feed_state{state="fresh"}'), 1);
    assert.ok(readValue('colophon_feed_age_seconds ') < 600);
    assert.equal(readValue('colophon_build_info{'), 1);
    assert.ok(readValue('nodejs_eventloop_lag_p99_seconds ') >= 0);
    assert.doesNotMatch(text, /no-such|at-all|quickstart/);
  });

  it('forwarding headers without TRUST_PROXY are logged once and are a warning of GET /readyz', async (t) => {
    const server = await startTestServer({ env: adminEnv });
    t.after(() => server.close());
    const advice = /Requests from 127\.0\.0\.1 have X-Forwarded-For.*set TRUST_PROXY=127\.0\.0\.1\.$/;
    await server.request('/api/v1/faq');
    assert.deepEqual((await fetchHealth(server.firstServer.adminUrl)).body.warnings, []);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-forwarded-for']) {
      await server.firstServer.request('/api/v1/faq', { headers: { [header]: 'for=192.0.2.1' } });
    }
    assert.match((await fetchHealth(server.firstServer.adminUrl)).body.warnings?.join() ?? '', advice);
    assert.equal(server.firstServer.logLines.filter(({ msg }) => advice.test(String(msg))).length, 1);
    const trustingServer = await startTestServer({ env: { ...adminEnv, TRUST_PROXY: '127.0.0.1' } });
    t.after(() => trustingServer.close());
    await trustingServer.request('/api/v1/faq', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    assert.deepEqual((await fetchHealth(trustingServer.firstServer.adminUrl)).body.warnings, []);
  });

  it('a request that is rejected before routing has the route of its path in the metrics and in the access log', async (t) => {
    const limitedServer = await startTestServer({ env: { ...adminEnv, RATE_LIMIT_PAGES: '1' } });
    t.after(() => limitedServer.close());
    const headers = { authorization: 'Bearer nope' };
    const requests: [path: string, status: number, route: string][] = [
      ['/api/v1/docs/quickstart', 401, '/api/v1/docs/{slug}'],
      ['/api/v1/sandbox/faq', 401, '/api/v1/sandbox/faq'],
      ['/agent/auth', 401, '/agent/auth'],
      ['/api/v1/nowhere', 401, 'none'],
      ['/faq', 200, '/faq'],
      ['/docs/quickstart', 429, '/docs/{slug}'],
    ];
    const ids: string[] = [];
    for (const [path, status] of requests) {
      const response = await limitedServer.request(path, { headers });
      assert.equal(response.status, status, path);
      ids.push(response.headers.get('x-request-id') ?? '');
    }
    const text = await (await fetch(`${limitedServer.adminUrl}/metrics`)).text();
    await limitedServer.close();
    for (const [index, [, status, route]] of requests.entries()) {
      const line = limitedServer.logLines.find(({ request_id }) => request_id === ids[index]);
      assert.equal(line?.route, route);
      assert.ok(text.includes(`colophon_http_requests_total{route="${route}",method="GET",status="${status}"}`));
    }
  });

  it('each bucket of colophon_http_request_duration_seconds counts all requests that took no longer', async (t) => {
    const manual = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const delayStarted = Promise.withResolvers<void>();
    let isRequestSent = false;
    const clock: Clock = {
      ...manual,
      after(ms, run) {
        // The delay of simulate=slow is 2,000 ms; timers that the server sets before the request do not count.
        if (isRequestSent && ms === 2000) delayStarted.resolve();
        return manual.after(ms, run);
      },
    };
    const timedServer = await startTestServer({ env: adminEnv, clock });
    t.after(() => timedServer.close());
    await timedServer.request('/api/v1/sandbox/faq');
    await timedServer.request('/api/v1/sandbox/faq');
    isRequestSent = true;
    const slow = timedServer.request('/api/v1/sandbox/faq?simulate=slow');
    await delayStarted.promise;
    await manual.advance(2000);
    await slow;
    const text = await (await fetch(`${timedServer.adminUrl}/metrics`)).text();
    const series = 'colophon_http_request_duration_seconds';
    const labels = 'route="/api/v1/sandbox/faq",method="GET"';
    const bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
    const counts = bounds.map((bound) => [bound, 2]);
    assert.deepEqual(
      text.split('\n').filter((line) => line.startsWith(series) && line.includes(labels)),
      [
        ...[...counts, [2.5, 3], [5, 3], ['+Inf', 3]].map(
          ([bound, count]) => `${series}_bucket{le="${bound}",${labels}} ${count}`,
        ),
        `${series}_sum{${labels}} 2`,
        `${series}_count{${labels}} 3`,
      ],
    );
  });

  it('GET /metrics counts jobs, and GET /readyz warns of a store that is read-only or down but returns 200', async (t) => {
    let isDown = false;
    let writeProblem: string | null = null;
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const stats: StoreStats = {
      writeProblem: null,
      jobs: { queued: 2, running: 1 },
      oldestOpenJobAt: clock.now() - 90_000,
      pool: { open: 5, busy: 3, waiting: 4 },
    };
    let statsCalls = 0;
    const watchedServer = await startTestServer({
      env: adminEnv,
      clock,
      wrapStore: (store) => ({
        ...store,
        async stats() {
          statsCalls += 1;
          if (isDown) throw storeDown(new Error('connect ECONNREFUSED'));
          return { ...stats, writeProblem };
        },
      }),
    });
    t.after(() => watchedServer.close());
    const fetchMetrics = async (): Promise<string[]> => {
      const response = await fetch(`${watchedServer.adminUrl}/metrics`);
      assert.equal(response.status, 200);
      const lines = (await response.text()).split('\n');
      return lines.filter((line) => /^colophon_(store|job)/.test(line));
    };
    assert.deepEqual(await fetchMetrics(), [
      'colophon_store_up 1',
      'colophon_store_writable 1',
      'colophon_store_connections{state="busy"} 3',
      'colophon_store_connections{state="idle"} 2',
      'colophon_store_waiting 4',
      'colophon_jobs{state="queued"} 2',
      'colophon_jobs{state="running"} 1',
      'colophon_job_age_seconds 90',
    ]);
    assert.deepEqual((await fetchHealth(watchedServer.adminUrl)).body.store, { state: 'up', writable: true });
    assert.equal(statsCalls, 1, 'the store is asked once a second at most');
    writeProblem = 'the database is read-only';
    await clock.advance(1000);
    assert.ok((await fetchMetrics()).includes('colophon_store_writable 0'));
    const readOnly = await fetchHealth(watchedServer.adminUrl);
    assert.deepEqual([readOnly.status, readOnly.body.store], [200, { state: 'up', writable: false }]);
    assert.deepEqual(readOnly.body.warnings, [
      'The store cannot be written (the database is read-only): registrations, tokens and exports fail. Free disk space, or point DATABASE_URL at a primary that can be written.',
    ]);
    isDown = true;
    await clock.advance(1000);
    assert.deepEqual(await fetchMetrics(), [
      'colophon_store_up 0',
      'colophon_store_waiting 0',
      'colophon_job_age_seconds 0',
    ]);
    const { status, body: ready } = await fetchHealth(watchedServer.adminUrl);
    assert.deepEqual([status, ready.status, ready.store?.state], [200, 'ready', 'down']);
    assert.deepEqual(ready.warnings, ['The store cannot be used: connect ECONNREFUSED']);
    assert.equal((await watchedServer.request('/api/v1/docs')).status, 200);
  });

  it('GET /readyz warns of a feed that is unavailable, and returns 200', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, {
      'product.yaml': (text) => text.replace('source: appcast.xml', `source: ${upstream.origin}/appcast.xml`),
    });
    const stale = await startTestServer({ env: { ...adminEnv, CONTENT_DIR: directory } });
    t.after(() => stale.close());
    const { status, body: ready } = await fetchHealth(stale.adminUrl);
    assert.equal(status, 200);
    assert.match(ready.warnings?.join() ?? '', /unavailable: .*500/);
  });
});

describe('ADMIN_PORT and GET /readyz while the server starts', () => {
  it('GET /readyz returns 503 starting until the content and the feed are read', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const port = await findFreePort();
    const directory = writeContentFolder(t, {
      'product.yaml': (text) => text.replace('source: appcast.xml', `source: ${upstream.origin}/appcast.xml`),
    });
    const firstHealth = new Promise<Health & { code: number }>((resolve) => {
      upstream.setListener(async (_, response) => {
        const { status, body: starting } = await fetchHealth(`http://127.0.0.1:${port}`);
        resolve({ ...starting, code: status });
        response.end(createAppcast('1.0'));
      });
    });
    const server = await startTestServer({ env: { ADMIN_PORT: String(port), CONTENT_DIR: directory } });
    t.after(() => server.close());
    const starting = await firstHealth;
    assert.deepEqual([starting.code, starting.status], [503, 'starting']);
    assert.equal((await fetchHealth(server.adminUrl)).status, 200);
  });

  it('an ADMIN_PORT in use fails the start, and a default port in use only disables the admin listener', async (t) => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    t.after(() => occupant.close());
    const { port } = getAddress(occupant);
    const server = await startTestServer({ env: adminEnv, admin: { port, chosen: false } });
    t.after(() => server.close());
    assert.equal(server.adminUrl, null);
    assert.ok(server.logLines.some(({ level, msg }) => level === 'warn' && String(msg).includes('set ADMIN_PORT')));
    assert.equal((await server.request('/api/v1')).status, 200);
    await assert.rejects(startTestServer({ env: { ADMIN_PORT: String(port) } }), /EADDRINUSE/);
  });

  it('the admin port is closed if the server cannot start', async (t) => {
    const port = await findFreePort();
    const directory = writeContentFolder(t, { 'faq.yaml': 'entries: 1\n' });
    await assert.rejects(startTestServer({ env: { ADMIN_PORT: String(port), CONTENT_DIR: directory } }));
    await assert.rejects(fetchHealth(`http://127.0.0.1:${port}`));
  });
});

describe('Server shutdown: GET /readyz and requests in progress', () => {
  it('GET /readyz returns 503 draining, new connections are refused, and requests in progress are completed', async () => {
    const server = await startTestServer({ env: adminEnv });
    const { socket, received } = openSocket(server, postHead);
    await once(socket, 'connect');
    // The server reads connections in turn, so this response shows that it has read the unfinished request.
    await server.request('/api/v1/faq');
    const closed = server.close();
    const { status, body: draining } = await fetchHealth(server.adminUrl);
    assert.deepEqual([status, draining.status], [503, 'draining']);
    await assert.rejects(fetch(server.listenUrl));
    socket.write(body);
    assert.match(await received, /^HTTP\/1\.1 200 /);
    await closed;
    await assert.rejects(fetchHealth(server.adminUrl));
  });

  it('a connection with an unfinished request is closed without a response at the deadline', async () => {
    const server = await startTestServer({ env: adminEnv, drainMs: 20 });
    const { socket, received } = openSocket(server, postHead);
    await once(socket, 'connect');
    await server.request('/api/v1/faq');
    await server.close();
    assert.equal(await received, '');
  });
});

describe('Slow clients: request_timeout', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ timeouts: { headers: 150, request: 300, check: 25 } });
  });
  after(() => server.close());

  const slow: [string, string][] = [
    ['headers without an end', 'GET /api/v1/faq HTTP/1.1\r\nHost: a\r\nX-'],
    ['a missing body', postHead],
    ['half a body', postHead + body.slice(0, 20)],
    ['an incomplete chunk', `${postHead.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')}ff\r\nabc`],
  ];
  for (const [what, bytes] of slow) {
    it(`a request with ${what} gets 408 request_timeout, and its connection is closed`, async () => {
      const received = await openSocket(server, bytes).received;
      assert.match(received, /^HTTP\/1\.1 408 /);
      assert.match(received, /application\/problem\+json[\s\S]*"code":"request_timeout"/);
    });
  }

  it('other requests are served while 200 slow clients are connected', async () => {
    const responses = Array.from({ length: 200 }, () => openSocket(server, 'GET / HTTP/1.1\r\nHost: a\r\nX-').received);
    assert.equal((await server.request('/api/v1/faq')).status, 200);
    const ends = await Promise.all(responses);
    assert.ok(ends.every((received) => received.startsWith('HTTP/1.1 408 ')));
  });
});
