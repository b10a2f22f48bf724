/** What rate counters have to do wherever they are kept: one suite for this process's, PostgreSQL's and Redis'. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createLocalLimits, type Decision, toDecision } from '../../src/limits/sliding-window.ts';
import type { CounterRequest, RateStore } from '../../src/store/rate-store.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

export interface RateCounters {
  take(asks: readonly CounterRequest[]): Promise<Decision[]>;
  close(): Promise<void>;
}

/** The counters of a store as a client would be told of them. */
export const countersOf = (store: RateStore): RateCounters => ({
  async take(asks) {
    const counts = await store.take(asks);
    return asks.map(({ limit }, index) => {
      const { allowed, used, waitMs } = counts[index] ?? assert.fail('a count is missing');
      return toDecision(allowed, limit, used, waitMs);
    });
  },
  close: store.close,
});

export const localCounters = async (clock: ManualClock): Promise<RateCounters> => {
  const local = createLocalLimits(clock);
  return { take: async (asks) => local.takeAll(asks), close: async () => {} };
};

const start = Date.parse('2026-11-21T12:00:00Z');
const minute = 60_000;

/** `open` gives empty counters whose time is the clock's. */
export function rateContract(
  name: string,
  open: (clock: ManualClock) => Promise<RateCounters>,
  { runs }: { runs: number },
): void {
  describe(`rate counters in ${name}`, () => {
    const using = async (work: (counters: RateCounters, clock: ManualClock) => Promise<void>): Promise<void> => {
      const clock = createManualClock(start);
      const counters = await open(clock);
      try {
        await work(counters, clock);
      } finally {
        await counters.close();
      }
    };
    const ask = (key: string, limit: number, more: Partial<CounterRequest> = {}): CounterRequest => ({
      key,
      limit,
      windowMs: minute,
      count: true,
      ...more,
    });

    it('give a full allowance at once, then nothing until the wait is over', () =>
      using(async ({ take }, clock) => {
        for (let left = 119; left >= 0; left -= 1) {
          assert.deepEqual(await take([ask('a', 120)]), [
            { allowed: true, limit: 120, remaining: left, resetSeconds: 60 },
          ]);
        }
        await clock.advance(10);
        const refused = [{ allowed: false, limit: 120, remaining: 0, resetSeconds: 60 }];
        assert.deepEqual(await take([ask('a', 120)]), refused);
        assert.deepEqual(await take([ask('b', 1)]), [{ allowed: true, limit: 1, remaining: 0, resetSeconds: 60 }]);
        await clock.advance(59_989);
        assert.deepEqual(await take([ask('a', 120)]), [{ ...refused[0], resetSeconds: 1 }]);
        await clock.advance(1);
        assert.equal((await take([ask('a', 120)]))[0]?.allowed, true);
      }));

    it('allow exactly the limit of what comes at the same time', () =>
      using(async ({ take }) => {
        const decisions = await Promise.all(Array.from({ length: 300 }, () => take([ask('a', 120)])));
        assert.equal(decisions.filter(([decision]) => decision?.allowed).length, 120);
      }));

    it('count in each of several, or in none', () =>
      using(async ({ take }) => {
        const both = [ask('address', 3), ask('client', 2)];
        const seen = async () =>
          (await take(both.map((one) => ({ ...one, count: false })))).map((one) => one.remaining);
        assert.deepEqual(
          (await take(both)).map(({ remaining }) => remaining),
          [2, 1],
        );
        await take(both);
        assert.deepEqual(await seen(), [1, 0]);
        assert.deepEqual(
          (await take(both)).map(({ allowed, remaining }) => [allowed, remaining]),
          [
            [true, 1],
            [false, 0],
          ],
        );
        assert.deepEqual(await seen(), [1, 0]);
      }));

    it('look without counting, and count only what they are asked to', () =>
      using(async ({ take }) => {
        const look = ask('looked at', 1, { count: false });
        assert.deepEqual(await take([look, ask('counted', 5)]), [
          { allowed: true, limit: 1, remaining: 1, resetSeconds: 60 },
          { allowed: true, limit: 5, remaining: 4, resetSeconds: 60 },
        ]);
        assert.equal((await take([look]))[0]?.remaining, 1);
      }));

    it('keep an hour’s window apart from a minute’s', () =>
      using(async ({ take }, clock) => {
        const hour = ask('registration', 1, { windowMs: 60 * minute });
        assert.equal((await take([hour]))[0]?.resetSeconds, 3600);
        await clock.advance(59 * minute);
        assert.deepEqual(await take([hour]), [{ allowed: false, limit: 1, remaining: 0, resetSeconds: 60 }]);
        await clock.advance(minute);
        assert.equal((await take([hour]))[0]?.allowed, true);
      }));

    it('hold keys as they are, whatever is in them', () =>
      using(async ({ take }) => {
        for (const key of ['a b', "o'; DROP TABLE rate_counters; --", '{tag}', '🙂', 'k'.repeat(300), '::1/64', '*']) {
          assert.equal((await take([ask(key, 2)]))[0]?.remaining, 1, key);
          assert.equal((await take([ask(key, 2)]))[0]?.remaining, 0, key);
        }
      }));

    it('decide as the rule says, for any traffic', async () => {
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
            using(async ({ take }, clock) => {
              const taken = new Map<string, number[]>([
                ['x', []],
                ['y', []],
              ]);
              for (const { gap, key, count } of requests) {
                await clock.advance(gap);
                const now = clock.monotonic();
                const times = taken.get(key) ?? [];
                const expected = byTheRule(times, now, limit, count);
                assert.deepEqual(await take([ask(key, limit, { count })]), [expected]);
                if (expected.allowed && count) times.push(now);
                assert.ok(times.filter((at) => now - at < minute).length <= limit, 'too many in a rolling minute');
              }
            }),
        ),
        { numRuns: runs },
      );
    });

    it('keep their word about waiting', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 6 }),
          fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 30 }),
          (limit, gaps) =>
            using(async ({ take }, clock) => {
              for (const gap of gaps) {
                await clock.advance(gap);
                const [decision] = await take([ask('x', limit)]);
                if (decision?.allowed !== false) continue;
                await clock.advance(decision.resetSeconds * 1000);
                assert.equal((await take([ask('x', limit)]))[0]?.allowed, true);
              }
            }),
        ),
        { numRuns: runs },
      );
    });
  });
}

/** The rule once more, from the whole history: requests within a sixtieth of the window of the first count until the last stops. */
function byTheRule(times: readonly number[], now: number, limit: number, count: boolean): Decision {
  const groups: number[][] = [];
  const add = (at: number): void => {
    const newest = groups.at(-1);
    if (newest !== undefined && at - (newest[0] ?? 0) < minute / 60) newest.push(at);
    else groups.push([at]);
  };
  for (const at of times) add(at);
  const isLive = (group: readonly number[]): boolean => now - (group.at(-1) ?? 0) < minute;
  const used = groups.filter(isLive).flat().length;
  const allowed = used < limit;
  if (allowed && count) add(now);
  const oldest = groups.find(isLive)?.at(-1) ?? now;
  const remaining = limit - used - (allowed && count ? 1 : 0);
  return { allowed, limit, remaining, resetSeconds: Math.max(1, Math.ceil((minute - (now - oldest)) / 1000)) };
}
