/** Tests rate limits in a store that several processes share: while the store fails, each process counts by itself. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { createSharedLimits } from '../../src/limits/shared-limits.ts';
import { createLocalLimits } from '../../src/limits/sliding-window.ts';
import type { CounterRequest, RateStore } from '../../src/store/rate-store.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createRedisHandler, sendAndDisconnect, sendAndReadAll, startSocketServer } from '../support/sockets.ts';
import { waitUntil } from '../support/wait-until.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

async function startWith(t: TestContext, url: string): Promise<TestServer> {
  const server = await startTestServer({ env: { RATE_LIMIT_ANONYMOUS: '120', REDIS_URL: url } });
  t.after(() => server.close());
  return server;
}

/** Asserts that 120 requests, `used` earlier ones included, are allowed with the headers of the limit, and that the next is not. */
async function assertLimited(server: TestServer, used = 0): Promise<void> {
  for (let count = used + 1; count <= 120; count += 1) {
    const { status, headers } = await server.request('/api/v1/docs');
    assert.equal(status, 200);
    const reset = headers.get('ratelimit-reset');
    assert.match(reset ?? '', /^([1-9]|[1-5][0-9]|60)$/);
    assert.equal(headers.get('ratelimit-limit'), '120');
    assert.equal(headers.get('ratelimit-remaining'), String(120 - count));
    assert.equal(headers.get('ratelimit-policy'), '"anonymous";q=120;w=60');
    assert.equal(headers.get('ratelimit'), `"anonymous";r=${120 - count};t=${reset}`);
  }
  const response = await server.request('/api/v1/docs');
  assert.equal(response.status, 429);
  assert.equal(response.headers.get('retry-after'), response.headers.get('ratelimit-reset'));
  assert.equal(response.headers.get('ratelimit-remaining'), '0');
}

const listEvents = ({ logLines }: TestServer): unknown[] =>
  logLines
    .filter(({ event }) => String(event).startsWith('limits.'))
    .map(({ event, store, reason }) => ({ event, store, reason }));

describe('REDIS_URL of a Redis server that is unavailable or fails', () => {
  it('the process counts by itself, and logs that once, if Redis never responds', async (t) => {
    const silent = await startSocketServer();
    t.after(() => silent.close());
    const server = await startWith(t, `redis://127.0.0.1:${silent.port}`);
    await assertLimited(server);
    assert.equal(listEvents(server).length, 1);
    assert.match(JSON.stringify(listEvents(server)), /"event":"limits\.local","store":"redis","reason":"[^"]+"/);
  });

  it('the process counts by itself, and logs that once without the password, if Redis refuses the connection', async (t) => {
    const closed = await startSocketServer();
    await closed.close();
    const server = await startWith(t, `redis://:a-secret-word@127.0.0.1:${closed.port}/3`);
    await assertLimited(server);
    assert.deepEqual(listEvents(server), [
      { event: 'limits.local', store: 'redis', reason: `connect ECONNREFUSED 127.0.0.1:${closed.port}` },
    ]);
    assert.doesNotMatch(JSON.stringify(server.logLines), /a-secret-word/);
  });

  it('GET /readyz warns that each process counts by itself, and GET /metrics counts the errors of Redis', async (t) => {
    const closed = await startSocketServer();
    await closed.close();
    const server = await startTestServer({ env: { ADMIN_PORT: '0', REDIS_URL: `redis://127.0.0.1:${closed.port}` } });
    t.after(() => server.close());
    const ready = await fetch(`${server.adminUrl}/readyz`);
    assert.equal(ready.status, 200);
    // Another warning is possible: the feed may not have been read yet.
    const { warnings } = (await ready.json()) as { warnings: string[] };
    assert.deepEqual(
      warnings.filter((warning) => !warning.startsWith('The feed is')),
      ['The rate limits are counted by each process for itself: redis does not answer.'],
    );
    const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
    assert.match(metrics, /^colophon_rate_limit_deciding\{counters="local"\} 1$/m);
    assert.match(metrics, /^colophon_rate_limit_deciding\{counters="redis"\} 0$/m);
    assert.match(metrics, /^colophon_rate_limit_store_errors_total\{store="redis"\} [1-9]\d*$/m);
  });

  it('requests that Redis allowed still count after Redis closes the connection', async (t) => {
    const redis = await startSocketServer(createRedisHandler({ countsBeforeEnd: 50 }));
    t.after(() => redis.close());
    const server = await startWith(t, `redis://127.0.0.1:${redis.port}`);
    await assertLimited(server);
    assert.equal((listEvents(server)[0] as { event: string }).event, 'limits.local');
  });

  it('the process counts by itself if Redis returns an unexpected reply', async (t) => {
    const redis = await startSocketServer(createRedisHandler({ countsBeforeEnd: 10_000, reply: '*1\r\n:1\r\n' }));
    t.after(() => redis.close());
    const server = await startWith(t, `redis://127.0.0.1:${redis.port}`);
    await assertLimited(server);
    assert.deepEqual(listEvents(server), [
      { event: 'limits.local', store: 'redis', reason: 'Redis returned an unexpected response' },
    ]);
  });

  it('clients that disconnect while the server waits for Redis cause no error', async (t) => {
    const redis = await startSocketServer(createRedisHandler({ countsBeforeEnd: 1, end: 'silence' }));
    t.after(() => redis.close());
    const server = await startWith(t, `redis://127.0.0.1:${redis.port}`);
    assert.equal((await server.request('/api/v1/docs')).status, 200);
    const post =
      'POST /api/v1/batch HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{';
    await Promise.all(
      ['GET /api/v1/docs HTTP/1.1\r\nHost: a.example\r\n\r\n', post].map((bytes) =>
        sendAndDisconnect(server.listenUrl, bytes),
      ),
    );
    await waitUntil(() => server.logLines.filter(({ msg }) => msg === 'request').length === 3);
    const requests = server.logLines.filter(({ msg }) => msg === 'request');
    assert.deepEqual(requests.map(({ method, status }) => `${method} ${status}`).sort(), [
      'GET 200',
      'GET 200',
      'POST 400',
    ]);
    assert.deepEqual(
      server.logLines.filter(({ level }) => level === 'error'),
      [],
    );
    assert.equal((await server.request('/api/v1/docs')).status, 200);
  });

  it('the responses to pipelined requests are in order, the 400 of a malformed one last', async (t) => {
    const redis = await startSocketServer(createRedisHandler({ countsBeforeEnd: 10_000 }));
    t.after(() => redis.close());
    const server = await startWith(t, `redis://127.0.0.1:${redis.port}`);
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a.example\r\n\r\n`;
    const text = await sendAndReadAll(
      server.listenUrl,
      `${get('/api/v1/docs')}${get('/api/v1/nothing')}${get('/api/v1/faq')}GET\r\n\r\n`,
    );
    assert.deepEqual(
      [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status),
      ['200', '404', '200', '400'],
    );
  });
});

/**
 * Creates a store with the counters of another process, which records its requests in `requests`. `setMode` makes it reject requests
 * (`fails`), never settle them (`hangs`) or answer again.
 */
function createStore(clock: ManualClock) {
  const requests: CounterRequest[] = [];
  const counters = createLocalLimits(clock);
  let mode: 'answers' | 'fails' | 'hangs' = 'answers';
  const store: RateStore = {
    name: 'redis',
    async take(request) {
      requests.push(request);
      if (mode === 'fails') throw new Error('out of order');
      if (mode === 'hangs') return new Promise(() => {});
      const { allowed, limit, remaining, resetSeconds } = counters.take(request);
      return { allowed, used: limit - remaining, waitMs: resetSeconds * 1000 };
    },
    async close() {},
  };
  return {
    store,
    requests,
    setMode(next: typeof mode) {
      mode = next;
    },
  };
}

const createRequest = (key: string, limit: number): CounterRequest => ({ key, limit, windowMs: 60_000, count: true });

function createProcess(clock: ManualClock) {
  const { store, setMode, requests } = createStore(clock);
  const local = createLocalLimits(clock);
  const events: object[] = [];
  const record = (fields: object): void => void events.push(fields);
  const shared = createSharedLimits({ store, local, clock, log: { info: record, warn: record, error: record } });
  const take = async (request: CounterRequest) => {
    const count = requests.length;
    const decision = shared.take(request);
    if (requests.length > count) await clock.advance(100);
    return decision;
  };
  return { shared, setMode, take, requests, events };
}

describe('createSharedLimits: limits that processes share with REDIS_URL or DATABASE_URL', () => {
  it('a key is allowed at most twice its limit in any minute, however often the store fails and recovers', async () => {
    const step = fc.record({
      gap: fc.integer({ min: 0, max: 20_000 }),
      mode: fc.constantFrom('answers', 'fails', 'hangs' as const),
      requests: fc.integer({ min: 1, max: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 10 }),
        fc.array(step, { minLength: 1, maxLength: 40 }),
        async (limit, steps) => {
          const clock = createManualClock(start);
          const { setMode, take } = createProcess(clock);
          const times: number[] = [];
          for (const { gap, mode, requests } of steps) {
            await clock.advance(gap);
            setMode(mode);
            for (let count = 0; count < requests; count += 1) {
              const decision = await take(createRequest('key', limit));
              assert.ok(decision.remaining >= 0);
              assert.ok(decision.resetSeconds >= 1 && decision.resetSeconds <= 60);
              if (decision.allowed) times.push(clock.monotonic());
              const now = clock.monotonic();
              const inMinute = times.filter((time) => now - time < 60_000).length;
              assert.ok(inMinute <= 2 * limit, `${inMinute} in a minute where ${limit} are allowed`);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('a key that has used up its limit is still refused after the store fails', async () => {
    const clock = createManualClock(start);
    const { setMode, take, shared } = createProcess(clock);
    for (let count = 1; count <= 5; count += 1) assert.equal((await take(createRequest('key', 5))).allowed, true);
    setMode('fails');
    assert.equal((await take(createRequest('other', 5))).remaining, 4);
    assert.equal((await take(createRequest('key', 5))).allowed, false);
    assert.deepEqual(shared.status(), { store: 'redis', isShared: false, errors: 1 });
  });

  it('requests do not wait for a failed store, which is retried in the background with exponential backoff', async () => {
    const clock = createManualClock(start);
    const { setMode, take, requests, shared } = createProcess(clock);
    setMode('hangs');
    await take(createRequest('key', 5));
    assert.deepEqual(shared.status(), { store: 'redis', isShared: false, errors: 1 });
    await shared.take(createRequest('key', 5));
    assert.equal(requests.length, 1);
    // The retries are 250, 500, 1000, … and at most 5,000 ms after a failure, and each takes the timeout of 100 ms.
    await clock.advance(249);
    assert.equal(shared.status().errors, 1);
    await clock.advance(101);
    assert.equal(shared.status().errors, 2);
    await clock.advance(600_000);
    assert.ok(shared.status().errors > 110 && shared.status().errors < 125, String(shared.status().errors));
    setMode('answers');
    await clock.advance(10_000);
    assert.equal(shared.status().isShared, true);
    await shared.close();
  });

  it('a timeout that fires late because this process was busy starts once more', async () => {
    const clock = createManualClock(start);
    let busyMs = 0;
    const reply = Promise.withResolvers<Awaited<ReturnType<RateStore['take']>>>();
    const events: object[] = [];
    const record = (fields: object): void => void events.push(fields);
    const shared = createSharedLimits({
      store: { name: 'redis', take: () => reply.promise, close: async () => {} },
      local: createLocalLimits(clock),
      clock: { ...clock, monotonic: () => clock.monotonic() + busyMs },
      log: { info: record, warn: record, error: record },
    });
    const decision = shared.take(createRequest('key', 5));
    busyMs = 20;
    await clock.advance(199);
    reply.resolve({ allowed: true, used: 3, waitMs: 0 });
    assert.equal((await decision).remaining, 2);
    assert.deepEqual(events, []);
    await shared.close();
  });

  it('a request waits for the store at most 100 milliseconds', async () => {
    const clock = createManualClock(start);
    const { setMode, shared } = createProcess(clock);
    setMode('hangs');
    let isDecided = false;
    const decision = shared.take(createRequest('key', 5)).finally(() => {
      isDecided = true;
    });
    await clock.advance(99);
    assert.equal(isDecided, false);
    await clock.advance(1);
    assert.deepEqual(await decision, { allowed: true, limit: 5, remaining: 4, resetSeconds: 60 });
  });

  it('the failure and the recovery of the store are logged, and the probe is a request that counts', async () => {
    const clock = createManualClock(start);
    const { setMode, take, requests, events, shared } = createProcess(clock);
    setMode('fails');
    await take(createRequest('key', 5));
    setMode('answers');
    await clock.advance(250);
    assert.deepEqual(events, [
      { event: 'limits.local', store: 'redis', reason: 'out of order' },
      { event: 'limits.shared', store: 'redis', away_ms: 250 },
    ]);
    assert.deepEqual(requests.at(-1), { key: 'probe', limit: 1_000_000, windowMs: 60_000, count: true });
    assert.deepEqual(shared.status(), { store: 'redis', isShared: true, errors: 1 });
  });

  it('each failure doubles the delay of the retry until the store has worked for a minute', async () => {
    const clock = createManualClock(start);
    const { setMode, take, events } = createProcess(clock);
    const measurePause = async (ms: number): Promise<unknown> => {
      await clock.advance(ms);
      setMode('fails');
      await take(createRequest('key', 5));
      setMode('answers');
      await clock.advance(5000);
      return (events.at(-1) as { away_ms: number }).away_ms;
    };
    assert.equal(await measurePause(0), 250);
    assert.equal(await measurePause(0), 500);
    assert.equal(await measurePause(0), 1000);
    // A call ends 5,100 ms after its failure, so these failures are 59,999 and 60,000 ms after the recovery of the store.
    assert.equal(await measurePause(59_999 - (5100 - 1000)), 2000);
    assert.equal(await measurePause(60_000 - (5100 - 2000)), 250);
  });

  it('a key that is known to have used up its limit is refused without a call to the store', async () => {
    const clock = createManualClock(start);
    const { setMode, take, shared } = createProcess(clock);
    await take(createRequest('key', 1));
    assert.equal((await take(createRequest('key', 1))).allowed, false);
    setMode('fails');
    const refusal = await shared.take(createRequest('key', 1));
    assert.equal(refusal.allowed, false);
    assert.equal(shared.status().isShared, true);
    setMode('answers');
    await clock.advance(refusal.resetSeconds * 1000);
    assert.equal((await take(createRequest('key', 1))).allowed, true);
  });
});
