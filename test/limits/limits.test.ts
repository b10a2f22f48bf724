/** Tests the rate limits of one process: headers, the maximum in any minute, the wait of Retry-After, eviction, and address keys. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createAddressKey } from '../../src/limits/address-key.ts';
import { createLimiter } from '../../src/limits/sliding-window.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createJsonPost, startTestServer } from '../support/server.ts';
import { createLocalCounters, testRateCounters } from './rate-contract.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

testRateCounters('this process', createLocalCounters, { runs: 200 });

describe('RATE_LIMIT_ANONYMOUS in one process: rate_limited', () => {
  it('exactly 120 requests get 200, and the next ones 429 until Retry-After has passed', async (t) => {
    const clock = createManualClock(start);
    const server = await startTestServer({ clock, env: { RATE_LIMIT_ANONYMOUS: '120' } });
    t.after(() => server.close());
    for (let count = 1; count <= 120; count += 1) {
      const { status, headers } = await server.request('/api/v1/docs');
      assert.equal(status, 200);
      assert.equal(headers.get('ratelimit-limit'), '120');
      assert.equal(headers.get('ratelimit-remaining'), String(120 - count));
      assert.equal(headers.get('ratelimit-reset'), '60');
      assert.equal(headers.get('ratelimit-policy'), '"anonymous";q=120;w=60');
      assert.equal(headers.get('ratelimit'), `"anonymous";r=${120 - count};t=60`);
      assert.equal(headers.get('retry-after'), null);
    }
    const response = await server.request('/api/v1/docs');
    assert.equal(response.status, 429);
    assert.equal(response.json.code, 'rate_limited');
    assert.equal(response.headers.get('retry-after'), '60');
    assert.equal(response.json.retry_after, 60);
    assert.equal(response.headers.get('ratelimit-remaining'), '0');
    await clock.advance(59_999);
    assert.equal((await server.request('/api/v1/docs')).status, 429);
    await clock.advance(1);
    assert.equal((await server.request('/api/v1/docs')).status, 200);
  });

  it('RateLimit and RateLimit-Remaining are exact for large limits, in the first response and in cached ones', async (t) => {
    for (const limit of [10_002, 100_003, 1_000_000]) {
      const server = await startTestServer({ env: { RATE_LIMIT_ANONYMOUS: String(limit) } });
      t.after(() => server.close());
      // The responses after the first one are cached, and src/http/fast-path.ts writes their headers.
      for (let remaining = limit - 1; remaining >= limit - 4; remaining -= 1) {
        const { headers } = await server.request('/api/v1/docs');
        assert.equal(headers.get('ratelimit-remaining'), String(remaining));
        assert.equal(headers.get('ratelimit'), `"anonymous";r=${remaining};t=60`);
      }
    }
  });

  it('requests that get 404, 304 or 410 count, OPTIONS counts, and a batch counts once', async (t) => {
    const clock = createManualClock(start);
    const server = await startTestServer({ clock, env: { RATE_LIMIT_ANONYMOUS: '120' } });
    t.after(() => server.close());
    const fetchRemaining = async (path: string, init?: RequestInit) =>
      Number((await server.request(path, init)).headers.get('ratelimit-remaining'));
    assert.equal(await fetchRemaining('/api/v1/nothing'), 119);
    const { headers } = await server.request('/api/v1/docs');
    assert.equal(
      await fetchRemaining('/api/v1/docs', { headers: { 'if-none-match': headers.get('etag') ?? '' } }),
      117,
    );
    const operations = Array.from({ length: 20 }, (_, index) => ({ id: String(index), method: 'GET', path: '/docs' }));
    assert.equal(await fetchRemaining('/api/v1/batch', createJsonPost({ operations })), 116);
    assert.equal(await fetchRemaining('/api/v0/anything'), 115);
    assert.equal(await fetchRemaining('/api/v1/docs', { method: 'OPTIONS' }), 114);
  });

  it('pages have a separate limit and are served when the limit of the API is used up', async (t) => {
    const server = await startTestServer({ env: { RATE_LIMIT_ANONYMOUS: '1' } });
    t.after(() => server.close());
    assert.equal((await server.request('/api/v1/docs')).status, 200);
    assert.equal((await server.request('/api/v1/docs')).status, 429);
    const { status, headers } = await server.request('/docs/quickstart');
    assert.equal(status, 200);
    assert.match(headers.get('ratelimit-policy') ?? '', /^"pages";/);
  });

  it('requests within one second expire together, a minute after the last of them', async () => {
    const clock = createManualClock(start);
    const limiter = createLimiter({ clock, windowMs: 60_000 });
    const allowed: boolean[] = [];
    for (const gap of [0, 900, 59_100, 1, 898, 1]) {
      await clock.advance(gap);
      allowed.push(limiter.take('key', 2).allowed);
    }
    // The requests are at 0, 900, 60,000, 60,001, 60,899 and 60,900 ms; those at 0 and 900 ms expire together at 60,900 ms.
    assert.deepEqual(allowed, [true, true, false, false, false, true]);
  });

  it('no rolling minute exceeds the limit, and a refused request is allowed after a wait of resetSeconds', async () => {
    /** Milliseconds between requests: within a group (a sixtieth of the window), across groups, or about as long as the window. */
    const gap = fc.oneof(
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 58_000, max: 60_001 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.array(gap, { minLength: 1, maxLength: 120 }),
        async (limit, gaps) => {
          const clock = createManualClock(start);
          const limiter = createLimiter({ clock, windowMs: 60_000 });
          const times: number[] = [];
          for (const gap of gaps) {
            await clock.advance(gap);
            const now = clock.monotonic();
            const inWindow = times.filter((time) => now - time < 60_000).length;
            const decision = limiter.take('key', limit);
            assert.ok(decision.remaining >= 0 && Number.isInteger(decision.resetSeconds));
            assert.ok(decision.resetSeconds >= 1 && decision.resetSeconds <= 60);
            if (decision.allowed) {
              times.push(now);
              assert.ok(inWindow < limit, 'more than the limit in a rolling minute');
              continue;
            }
            await clock.advance(decision.resetSeconds * 1000);
            assert.ok(limiter.take('key', limit).allowed, 'refused after the wait that it asked for');
            times.push(clock.monotonic());
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('the limiter counts at most maxKeys keys, those that were used last', () => {
    const limiter = createLimiter({ clock: createManualClock(start), windowMs: 60_000, maxKeys: 100 });
    for (let index = 0; index < 1000; index += 1) limiter.take(`key ${index}`, 5);
    assert.equal(limiter.size, 100);
    const keys = Array.from({ length: 1000 }, (_, index) => `key ${index}`);
    assert.deepEqual(
      keys.filter((key) => limiter.peek(key, 5).remaining === 4),
      keys.slice(-100),
    );
  });

  it('the limiter evicts the least recently used key, so that a key in constant use is still counted', async () => {
    const clock = createManualClock(start);
    const limiter = createLimiter({ clock, windowMs: 60_000, maxKeys: 3 });
    for (let index = 0; index < 10; index += 1) {
      await clock.advance(1000);
      limiter.take('used', 100);
      limiter.take(`once ${index}`, 5);
    }
    assert.equal(limiter.take('used', 100).remaining, 89);
    assert.equal(limiter.take('once 9', 5).remaining, 3);
    assert.equal(limiter.take('once 0', 5).remaining, 4);
  });

  it('createAddressKey returns one key for an IPv6 /64 network, and an IPv4-mapped address as IPv4', () => {
    assert.equal(createAddressKey('2001:db8:1:2::1'), '20010db800010002/64');
    assert.equal(createAddressKey('2001:db8:1:2:ffff::9'), '20010db800010002/64');
    assert.equal(createAddressKey('2001:db8:1:200::1'), '20010db800010200/64');
    assert.equal(createAddressKey('192.0.2.7'), '192.0.2.7');
    assert.equal(createAddressKey('no address'), 'no address');
    assert.notEqual(createAddressKey('2001:db8:1:2::1'), createAddressKey('2001:db8:1:3::1'));
    assert.equal(createAddressKey('::ffff:192.0.2.7'), '192.0.2.7');
    assert.equal(createAddressKey('fe80::1%eth0'), createAddressKey('fe80::2'));
  });
});
