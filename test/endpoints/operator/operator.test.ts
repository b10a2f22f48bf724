/** Tests the endpoints of an operator (health, readiness, metrics), and how a server ends and treats slow clients. */
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
import { createManualClock } from '../../support/manual-clock.ts';
import { sendRaw } from '../../support/raw.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const withAdmin = { ADMIN_PORT: '0' };

interface Health {
  status: string;
  reasons: string[];
  warnings?: string[];
  feed?: { state: string; checked_at: string | null };
  store?: { state: string; writable: boolean };
}

async function health(adminUrl: string | null, path = '/readyz'): Promise<{ status: number; body: Health }> {
  const response = await fetch(`${adminUrl}${path}`);
  return { status: response.status, body: (await response.json()) as Health };
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = getAddress(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns the address of a server that listens on a host and a port. */
function getAddress(server: Server): AddressInfo {
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return address;
}

/** A socket to the server that has sent `bytes`, and all that it receives until the server closes. */
function open(server: TestServer, bytes: string): { socket: Socket; received: Promise<string> } {
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
    server = await startTestServer({ env: { ...withAdmin, RATE_LIMIT_SANDBOX: '2' } });
  });
  after(() => server.close());

  it('GET /livez returns 200 alive, and GET /readyz returns 200 ready without reasons and warnings', async () => {
    assert.deepEqual(await health(server.adminUrl, '/livez'), { status: 200, body: { status: 'alive' } });
    const { status, body: ready } = await health(server.adminUrl);
    assert.equal(status, 200);
    assert.equal(ready.status, 'ready');
    assert.deepEqual([ready.reasons, ready.warnings, ready.feed?.state], [[], [], 'fresh']);
  });

  it('a Host that is an IP address, localhost or in ADMIN_NAMES is accepted, and any other gets 421', async (t) => {
    const named = await startTestServer({ env: { ADMIN_PORT: '0', ADMIN_NAMES: 'colophon, ops.example' } });
    t.after(() => named.close());
    const { port } = new URL(named.adminUrl ?? '');
    const ask = async (host: string | null, path = '/readyz') => {
      const version = host === null ? '1.0' : '1.1';
      const line = host === null ? '' : `Host: ${host}\r\n`;
      return sendRaw(named.adminUrl ?? '', `GET ${path} HTTP/${version}\r\n${line}Connection: close\r\n\r\n`);
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
    await server.ask('/api/v1/docs/quickstart');
    await server.ask('/api/v1/docs/no-such-page');
    await server.ask('/no/such/path/at-all');
    for (let count = 0; count < 3; count += 1) await server.ask('/api/v1/sandbox/faq');
    await open(server, 'HELLO\r\n\r\n').received;
    const response = await fetch(`${server.adminUrl}/metrics`);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    const line = (start: string): number => {
      const found = text.split('\n').find((candidate) => candidate.startsWith(start));
      assert.ok(found, `${start} is in:\n${text}`);
      return Number(found.slice(found.lastIndexOf(' ')));
    };
    const route = 'route="/api/v1/docs/{slug}",method="GET"';
    assert.equal(line(`colophon_http_requests_total{${route},status="200"}`), 1);
    assert.equal(line(`colophon_http_requests_total{${route},status="404"}`), 1);
    assert.equal(line(`colophon_http_request_duration_seconds_bucket{le="+Inf",${route}}`), 2);
    assert.equal(line(`colophon_http_request_duration_seconds_count{${route}}`), 2);
    assert.equal(line('colophon_http_requests_total{route="none",method="GET",status="404"}'), 1);
    assert.equal(line('colophon_rate_limit_decisions_total{bucket="sandbox",decision="refused"}'), 1);
    assert.equal(line('colophon_rate_limit_decisions_total{bucket="sandbox",decision="allowed"}'), 2);
    assert.equal(line('colophon_http_unparsed_total{code="invalid_request"}'), 1);
    assert.equal(line('colophon_rate_limit_deciding{counters="local"}'), 1);
    assert.equal(line('colophon_feed_state{state="fresh"}'), 1);
    assert.ok(line('colophon_feed_age_seconds ') < 600);
    assert.equal(line('colophon_build_info{'), 1);
    assert.ok(line('nodejs_eventloop_lag_p99_seconds ') >= 0);
    assert.doesNotMatch(text, /no-such|at-all|quickstart/);
  });

  it('forwarding headers without TRUST_PROXY are logged once and are a warning of GET /readyz', async (t) => {
    const server = await startTestServer({ env: withAdmin });
    t.after(() => server.close());
    const advice = /Requests from 127\.0\.0\.1 have X-Forwarded-For.*set TRUST_PROXY=127\.0\.0\.1\.$/;
    await server.ask('/api/v1/faq');
    assert.deepEqual((await health(server.alone.adminUrl)).body.warnings, []);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-forwarded-for']) {
      await server.alone.ask('/api/v1/faq', { headers: { [header]: 'for=192.0.2.1' } });
    }
    assert.match((await health(server.alone.adminUrl)).body.warnings?.join() ?? '', advice);
    assert.equal(server.alone.lines.filter(({ msg }) => advice.test(String(msg))).length, 1);
    const trusting = await startTestServer({ env: { ...withAdmin, TRUST_PROXY: '127.0.0.1' } });
    t.after(() => trusting.close());
    await trusting.ask('/api/v1/faq', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    assert.deepEqual((await health(trusting.alone.adminUrl)).body.warnings, []);
  });

  it('a request that is rejected before routing has the route of its path in the metrics and in the access log', async (t) => {
    const refusing = await startTestServer({ env: { ...withAdmin, RATE_LIMIT_PAGES: '1' } });
    t.after(() => refusing.close());
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
      const response = await refusing.ask(path, { headers });
      assert.equal(response.status, status, path);
      ids.push(response.headers.get('x-request-id') ?? '');
    }
    const text = await (await fetch(`${refusing.adminUrl}/metrics`)).text();
    await refusing.close();
    for (const [index, [, status, route]] of requests.entries()) {
      const line = refusing.lines.find(({ request_id }) => request_id === ids[index]);
      assert.equal(line?.route, route);
      assert.ok(text.includes(`colophon_http_requests_total{route="${route}",method="GET",status="${status}"}`));
    }
  });

  it('each bucket of colophon_http_request_duration_seconds counts all requests that took no longer', async (t) => {
    const manual = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const waits = Promise.withResolvers<void>();
    let isAsked = false;
    const clock: Clock = {
      ...manual,
      after(ms, run) {
        // A server that starts sets timers of that length, too.
        if (isAsked && ms === 2000) waits.resolve();
        return manual.after(ms, run);
      },
    };
    const timed = await startTestServer({ env: withAdmin, clock });
    t.after(() => timed.close());
    await timed.ask('/api/v1/sandbox/faq');
    await timed.ask('/api/v1/sandbox/faq');
    isAsked = true;
    const slow = timed.ask('/api/v1/sandbox/faq?simulate=slow');
    await waits.promise;
    await manual.advance(2000);
    await slow;
    const text = await (await fetch(`${timed.adminUrl}/metrics`)).text();
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
    let down = false;
    let writeProblem: string | null = null;
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const counted: StoreStats = {
      writeProblem: null,
      jobs: { queued: 2, running: 1 },
      oldestOpenJobAt: clock.now() - 90_000,
      pool: { open: 5, busy: 3, waiting: 4 },
    };
    let asked = 0;
    const watched = await startTestServer({
      env: withAdmin,
      clock,
      wrapStore: (store) => ({
        ...store,
        async stats() {
          asked += 1;
          if (down) throw storeDown(new Error('connect ECONNREFUSED'));
          return { ...counted, writeProblem };
        },
      }),
    });
    t.after(() => watched.close());
    const metrics = async (): Promise<string[]> => {
      const response = await fetch(`${watched.adminUrl}/metrics`);
      assert.equal(response.status, 200);
      const lines = (await response.text()).split('\n');
      return lines.filter((line) => /^colophon_(store|job)/.test(line));
    };
    assert.deepEqual(await metrics(), [
      'colophon_store_up 1',
      'colophon_store_writable 1',
      'colophon_store_connections{state="busy"} 3',
      'colophon_store_connections{state="idle"} 2',
      'colophon_store_waiting 4',
      'colophon_jobs{state="queued"} 2',
      'colophon_jobs{state="running"} 1',
      'colophon_job_age_seconds 90',
    ]);
    assert.deepEqual((await health(watched.adminUrl)).body.store, { state: 'up', writable: true });
    assert.equal(asked, 1, 'the store is asked once a second at most');
    writeProblem = 'the database is read-only';
    await clock.advance(1000);
    assert.ok((await metrics()).includes('colophon_store_writable 0'));
    const readOnly = await health(watched.adminUrl);
    assert.deepEqual([readOnly.status, readOnly.body.store], [200, { state: 'up', writable: false }]);
    assert.deepEqual(readOnly.body.warnings, [
      'The store cannot be written (the database is read-only): registrations, tokens and exports fail. Free disk space, or point DATABASE_URL at a primary that can be written.',
    ]);
    down = true;
    await clock.advance(1000);
    assert.deepEqual(await metrics(), [
      'colophon_store_up 0',
      'colophon_store_waiting 0',
      'colophon_job_age_seconds 0',
    ]);
    const { status, body: ready } = await health(watched.adminUrl);
    assert.deepEqual([status, ready.status, ready.store?.state], [200, 'ready', 'down']);
    assert.deepEqual(ready.warnings, ['The store cannot be used: connect ECONNREFUSED']);
    assert.equal((await watched.ask('/api/v1/docs')).status, 200);
  });

  it('GET /readyz warns of a feed that is unavailable, and returns 200', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, {
      'product.yaml': (text) => text.replace('source: appcast.xml', `source: ${upstream.origin}/appcast.xml`),
    });
    const stale = await startTestServer({ env: { ...withAdmin, CONTENT_DIR: directory } });
    t.after(() => stale.close());
    const { status, body: ready } = await health(stale.adminUrl);
    assert.equal(status, 200);
    assert.match(ready.warnings?.join() ?? '', /unavailable: .*500/);
  });
});

describe('ADMIN_PORT and GET /readyz while the server starts', () => {
  it('GET /readyz returns 503 starting until the content and the feed are read', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const port = await freePort();
    const directory = writeContentFolder(t, {
      'product.yaml': (text) => text.replace('source: appcast.xml', `source: ${upstream.origin}/appcast.xml`),
    });
    const seen = new Promise<Health & { code: number }>((resolve) => {
      upstream.answer(async (_, response) => {
        const { status, body: starting } = await health(`http://127.0.0.1:${port}`);
        resolve({ ...starting, code: status });
        response.end(createAppcast('1.0'));
      });
    });
    const server = await startTestServer({ env: { ADMIN_PORT: String(port), CONTENT_DIR: directory } });
    t.after(() => server.close());
    const starting = await seen;
    assert.deepEqual([starting.code, starting.status], [503, 'starting']);
    assert.equal((await health(server.adminUrl)).status, 200);
  });

  it('an ADMIN_PORT in use fails the start, and a default port in use only disables the admin listener', async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    const { port } = getAddress(other);
    const server = await startTestServer({ env: withAdmin, admin: { port, chosen: false } });
    t.after(() => server.close());
    assert.equal(server.adminUrl, null);
    assert.ok(server.lines.some(({ level, msg }) => level === 'warn' && String(msg).includes('set ADMIN_PORT')));
    assert.equal((await server.ask('/api/v1')).status, 200);
    await assert.rejects(startTestServer({ env: { ADMIN_PORT: String(port) } }), /EADDRINUSE/);
  });

  it('the admin port is closed if the server cannot start', async (t) => {
    const port = await freePort();
    const directory = writeContentFolder(t, { 'faq.yaml': 'entries: 1\n' });
    await assert.rejects(startTestServer({ env: { ADMIN_PORT: String(port), CONTENT_DIR: directory } }));
    await assert.rejects(health(`http://127.0.0.1:${port}`));
  });
});

describe('Server shutdown: GET /readyz and requests in progress', () => {
  it('GET /readyz returns 503 draining, new connections are refused, and requests in progress are completed', async () => {
    const server = await startTestServer({ env: withAdmin });
    const { socket, received } = open(server, postHead);
    await once(socket, 'connect');
    // The answer to this one shows that the server has seen the first: it reads connections in turn.
    await server.ask('/api/v1/faq');
    const closed = server.close();
    const { status, body: draining } = await health(server.adminUrl);
    assert.deepEqual([status, draining.status], [503, 'draining']);
    await assert.rejects(fetch(server.listenUrl));
    socket.write(body);
    assert.match(await received, /^HTTP\/1\.1 200 /);
    await closed;
    await assert.rejects(health(server.adminUrl));
  });

  it('a connection with an unfinished request is closed without a response at the deadline', async () => {
    const server = await startTestServer({ env: withAdmin, drainMs: 20 });
    const { socket, received } = open(server, postHead);
    await once(socket, 'connect');
    await server.ask('/api/v1/faq');
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
      const received = await open(server, bytes).received;
      assert.match(received, /^HTTP\/1\.1 408 /);
      assert.match(received, /application\/problem\+json[\s\S]*"code":"request_timeout"/);
    });
  }

  it('other requests are served while 200 slow clients are connected', async () => {
    const held = Array.from({ length: 200 }, () => open(server, 'GET / HTTP/1.1\r\nHost: a\r\nX-').received);
    assert.equal((await server.ask('/api/v1/faq')).status, 200);
    const ends = await Promise.all(held);
    assert.ok(ends.every((received) => received.startsWith('HTTP/1.1 408 ')));
  });
});
