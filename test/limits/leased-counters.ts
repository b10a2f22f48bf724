/** Counters with leases by the rule as it is written down, as slow as that is: what the real stores and the processes are held to. */
import type { Ask, Count, RateStore } from '../../src/store/rate-store.ts';
import type { ManualClock } from '../support/manual-clock.ts';

interface Counter {
  readonly groups: number[][];
  leases: { id: number; count: number; end: number }[];
}

export function createLeasedCounters(clock: Pick<ManualClock, 'monotonic'>): RateStore {
  const counters = new Map<string, Counter>();

  const add = (counter: Counter, count: number, now: number, windowMs: number): void => {
    for (let one = 0; one < count; one += 1) {
      const newest = counter.groups.at(-1);
      if (newest !== undefined && now - (newest[0] ?? 0) < windowMs / 60) newest.push(now);
      else counter.groups.push([now]);
    }
  };

  const state = ({ key, windowMs, lease }: Ask, now: number) => {
    const counter = counters.get(key) ?? { groups: [], leases: [] };
    counters.set(key, counter);
    while (counter.groups[0] !== undefined && now - (counter.groups[0].at(-1) ?? 0) >= windowMs) counter.groups.shift();
    counter.leases = counter.leases.filter(({ end }) => now - end < windowMs);
    const settled = counter.leases.find(({ id }) => id === lease?.settled?.id);
    if (settled !== undefined) {
      counter.leases = counter.leases.filter((one) => one !== settled);
      add(counter, lease?.settled?.spent ?? 0, now, windowMs);
    }
    const reserved = counter.leases.reduce((sum, { count }) => sum + count, 0);
    return { counter, reserved, used: counter.groups.flat().length + reserved };
  };

  return {
    name: 'redis',
    async take(asks) {
      const now = clock.monotonic();
      const states = asks.map((ask) => state(ask, now));
      const all = states.every(({ used }, index) => used < (asks[index]?.limit ?? 0));
      return states.map(({ counter, reserved, used }, index): Count => {
        const { limit = 0, windowMs = 0, count = false, lease } = asks[index] ?? {};
        let leased = 0;
        if (all && count) {
          add(counter, 1, now, windowMs);
          const settled = used + 1 - reserved;
          const room = Math.floor((limit - settled) / 2) - reserved;
          leased = Math.max(0, Math.min(lease?.wanted ?? 0, Math.floor(limit / 20), room));
          if (leased > 0) counter.leases.push({ id: lease?.id ?? 0, count: leased, end: now + 1000 });
        }
        const waitMs = windowMs - (now - (counter.groups[0]?.at(-1) ?? now));
        return { allowed: used < limit, used: used + (all && count ? 1 : 0), reserved, leased, waitMs };
      });
    },
    abandon() {},
    async close() {},
  };
}
