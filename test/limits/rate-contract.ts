/** Registers the tests that the rate counters of this process, of PostgreSQL and of Redis have in common. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createLocalLimits, type Decision, toDecision } from '../../src/limits/sliding-window.ts';
import type { CounterRequest, RateStore } from '../../src/store/rate-store.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

/** Rate counters under test, with the decisions that a client gets. */
export interface RateCounters {
  take(request: CounterRequest): Promise<Decision>;
  close(): Promise<void>;
}

/** Returns the counters of a store with the decisions that a client would get. Their `close` closes the store. */
export const toRateCounters = (store: RateStore): RateCounters => ({
  async take(request) {
    const { allowed, used, waitMs } = await store.take(request);
    return toDecision(allowed, request.limit, used, waitMs);
  },
  close: store.close,
});

/** Returns new counters of this process, whose time is that of the clock. */
export const createLocalCounters = async (clock: ManualClock): Promise<RateCounters> => {
  const local = createLocalLimits(clock);
  return { take: async (request) => local.take(request), close: async () => {} };
};

const start = Date.parse('2026-11-21T12:00:00Z');
const minute = 60_000;

/**
 * Registers the tests of counters of rate limits in a store, whose name is in their titles. `open` returns empty counters whose
 * time is that of the clock; `runs` is the number of random cases of a property.
 */
export function testRateCounters(
  name: string,
  open: (clock: ManualClock) => Promise<RateCounters>,
  { runs }: { runs: number },
): void {
  describe(`Rate limit counters in ${name}`, () => {
    const withCounters = async (work: (counters: RateCounters, clock: ManualClock) => Promise<void>): Promise<void> => {
      const clock = createManualClock(start);
      const counters = await open(clock);
      try {
        await work(counters, clock);
      } finally {
        await counters.close();
      }
    };
    const createRequest = (key: string, limit: number, more: Partial<CounterRequest> = {}): CounterRequest => ({
      key,
      limit,
      windowMs: minute,
      count: true,
      ...more,
    });

    it('a key is allowed its full limit at once, and then nothing until the wait is over', () =>
      withCounters(async ({ take }, clock) => {
        for (let remaining = 119; remaining >= 0; remaining -= 1) {
          const expected = { allowed: true, limit: 120, remaining, resetSeconds: 60 };
          assert.deepEqual(await take(createRequest('a', 120)), expected);
        }
        await clock.advance(10);
        const refusal = { allowed: false, limit: 120, remaining: 0, resetSeconds: 60 };
        assert.deepEqual(await take(createRequest('a', 120)), refusal);
        assert.deepEqual(await take(createRequest('b', 1)), {
          allowed: true,
          limit: 1,
          remaining: 0,
          resetSeconds: 60,
        });
        await clock.advance(59_989);
        assert.deepEqual(await take(createRequest('a', 120)), { ...refusal, resetSeconds: 1 });
        await clock.advance(1);
        assert.equal((await take(createRequest('a', 120))).allowed, true);
      }));

    it('concurrent requests are allowed up to exactly the limit', () =>
      withCounters(async ({ take }) => {
        const decisions = await Promise.all(Array.from({ length: 300 }, () => take(createRequest('a', 120))));
        assert.equal(decisions.filter(({ allowed }) => allowed).length, 120);
      }));

    it('a request with count: false is decided but not counted', () =>
      withCounters(async ({ take }) => {
        const peek = createRequest('looked at', 1, { count: false });
        const unused = { allowed: true, limit: 1, remaining: 1, resetSeconds: 60 };
        assert.deepEqual(await take(peek), unused);
        assert.deepEqual(await take(peek), unused);
        assert.equal((await take(createRequest('looked at', 1))).remaining, 0);
        assert.equal((await take(peek)).allowed, false);
      }));

    it('a window of an hour and one of a minute count side by side, each until it is over', () =>
      withCounters(async ({ take }, clock) => {
        const inHour = createRequest('registration', 1, { windowMs: 60 * minute });
        const inMinute = createRequest('anonymous', 1);
        const refusal = { allowed: false, limit: 1, remaining: 0 };
        assert.equal((await take(inHour)).resetSeconds, 3600);
        for (let minutesLeft = 60; minutesLeft > 0; minutesLeft -= 1) {
          assert.deepEqual(await take(inHour), { ...refusal, resetSeconds: 60 * minutesLeft });
          assert.deepEqual(await take(inMinute), { ...refusal, allowed: true, resetSeconds: 60 });
          assert.deepEqual(await take(inMinute), { ...refusal, resetSeconds: 60 });
          await clock.advance(minute);
        }
        assert.equal((await take(inHour)).allowed, true);
      }));

    it('a key may contain any characters, and each key has a separate counter', () =>
      withCounters(async ({ take }) => {
        for (const key of ['a b', "o'; DROP TABLE rate_counters; --", '{tag}', '🙂', 'k'.repeat(300), '::1/64', '*']) {
          assert.equal((await take(createRequest(key, 2))).remaining, 1, key);
          assert.equal((await take(createRequest(key, 2))).remaining, 0, key);
        }
      }));

    it('each decision about random traffic equals that of a reference implementation', async () => {
      const request = fc.record({
        gap: fc.oneof(fc.integer({ min: 0, max: 1200 }), fc.integer({ min: 0, max: 40_000 })),
        key: fc.constantFrom('x', 'y'),
        count: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 6 }),
          fc.array(request, { minLength: 1, maxLength: 60 }),
          (limit, requests) =>
            withCounters(async ({ take }, clock) => {
              const timesByKey = new Map<string, number[]>([
                ['x', []],
                ['y', []],
              ]);
              for (const { gap, key, count } of requests) {
                await clock.advance(gap);
                const now = clock.monotonic();
                const times = timesByKey.get(key) ?? [];
                const expected = computeDecision(times, now, limit, count);
                assert.deepEqual(await take(createRequest(key, limit, { count })), expected);
                if (expected.allowed && count) times.push(now);
                assert.ok(times.filter((time) => now - time < minute).length <= limit, 'too many in a rolling minute');
              }
            }),
        ),
        { numRuns: runs },
      );
    });

    it('a refused request is allowed after a wait of resetSeconds', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 6 }),
          fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 30 }),
          (limit, gaps) =>
            withCounters(async ({ take }, clock) => {
              for (const gap of gaps) {
                await clock.advance(gap);
                const { allowed, resetSeconds } = await take(createRequest('x', limit));
                if (allowed) continue;
                await clock.advance(resetSeconds * 1000);
                assert.equal((await take(createRequest('x', limit))).allowed, true);
              }
            }),
        ),
        { numRuns: runs },
      );
    });
  });
}

/**
 * Computes the expected decision at `now` from the sorted times of all requests that counted before; times are in milliseconds, and
 * `count` is whether this request counts. The window is a minute. Requests within a sixtieth of it after a first one are a
 * group, which counts until its last request is a window old.
 */
function computeDecision(times: readonly number[], now: number, limit: number, count: boolean): Decision {
  const groups: number[][] = [];
  const add = (time: number): void => {
    const newest = groups.at(-1);
    if (newest !== undefined && time - (newest[0] ?? 0) < minute / 60) newest.push(time);
    else groups.push([time]);
  };
  for (const time of times) add(time);
  const isLive = (group: readonly number[]): boolean => now - (group.at(-1) ?? 0) < minute;
  const used = groups.filter(isLive).flat().length;
  const allowed = used < limit;
  if (allowed && count) add(now);
  const oldest = groups.find(isLive)?.at(-1) ?? now;
  const remaining = limit - used - (allowed && count ? 1 : 0);
  return { allowed, limit, remaining, resetSeconds: Math.max(1, Math.ceil((minute - (now - oldest)) / 1000)) };
}
