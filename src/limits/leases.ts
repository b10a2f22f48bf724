/** Shares of busy counters that this process has reserved in advance: requests that they cover do not ask the store. */
import { randomInt } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { createOldest } from '../base/oldest.ts';
import { type Ask, type Count, type LeaseAsk, leaseMs } from '../store/rate-store.ts';
import { type Decision, decisionOf } from './sliding-window.ts';

export interface Leases {
  /** The decisions on asks that are covered, which are then spent; null: the store has to be asked. */
  spend(asks: readonly Ask[]): Decision[] | null;
  /** The asks with what to reserve, by how busy each counter has been, and what to give back. */
  asking(asks: readonly Ask[]): readonly Ask[];
  /** What the store gave to asks that it was sent at `sentAt`; null: nothing is known of them. */
  answered(asks: readonly Ask[], counts: readonly Count[] | null, sentAt: number): void;
  /** Forgets everything: what the store reserved counts as used until it expires there. */
  forget(): void;
}

export interface LeasesOptions {
  readonly clock: Clock;
  /** Tells the store what has become of leases that are not used any more. */
  settle(asks: readonly Ask[]): void;
  readonly mostKeys?: number;
}

interface Counter {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Requests admitted in the current second and in the one before. */
  since: number;
  current: number;
  before: number;
  lease: Lease | null;
  /** A lease is being asked for. */
  asked: number | null;
}

interface Lease {
  readonly id: number;
  readonly until: number;
  /** What is left of the limit for everybody, without this lease. */
  readonly others: number;
  /** When the oldest requests stop counting. */
  readonly resetAt: number;
  left: number;
  spent: number;
  /** Since it was last looked at. */
  isUsed: boolean;
}

/** Fewer requests a second are not worth a lease. */
const leastWanted = 4;
/** Nor is a lower limit: its counter asks a few times a second at most, and stays exact for every process. */
const leastLimit = 500;
/** A lease that was not used for this long is given back. */
const idleMs = leaseMs / 4;

/**
 * A counter whose requests come fast asks the store for some that are still to come, as many as it has admitted within a second. The store
 * counts them as used from that moment, so nothing that is admitted here is more than the limit; they count for a second longer at most.
 */
export function createLeases({ clock, settle, mostKeys = 10_000 }: LeasesOptions): Leases {
  const counters = new Map<string, Counter>();
  const oldest = createOldest(counters);
  const leased = new Set<Counter>();
  const nextId = createLeaseIds();
  let isTicking = false;

  const tick = (): void => {
    const now = clock.monotonic();
    const over: Ask[] = [];
    for (const counter of leased) {
      const { lease } = counter;
      if (lease?.isUsed && now < lease.until) {
        lease.isUsed = false;
        continue;
      }
      leased.delete(counter);
      if (lease === null || counter.asked !== null) continue;
      counter.lease = null;
      over.push({ ...askOf(counter), count: false, lease: { wanted: 0, id: 0, settled: lease } });
    }
    if (over.length > 0) settle(over);
    isTicking = leased.size > 0;
    if (isTicking) clock.after(idleMs, tick);
  };

  const counterOf = ({ key, limit, windowMs }: Ask, now: number): Counter => {
    const known = counters.get(key);
    if (known !== undefined) return known;
    const made = { key, limit, windowMs, since: now, current: 0, before: 0, lease: null, asked: null };
    counters.set(key, made);
    if (counters.size > mostKeys) oldest.drop();
    return made;
  };

  const covering = (ask: Ask, now: number): Lease | null => {
    const lease = ask.count ? counters.get(ask.key)?.lease : null;
    return lease != null && lease.left > 0 && now < lease.until ? lease : null;
  };

  return {
    spend(asks) {
      if (leased.size === 0) return null;
      const now = clock.monotonic();
      for (const ask of asks) if (covering(ask, now) === null) return null;
      const decisions: Decision[] = [];
      for (const ask of asks) {
        const counter = counterOf(ask, now);
        const { lease } = counter;
        if (lease === null) return null;
        note(counter, now);
        lease.left -= 1;
        lease.spent += 1;
        lease.isUsed = true;
        decisions.push(decisionOf(true, ask.limit, ask.limit - lease.others - lease.left, lease.resetAt - now));
      }
      return decisions;
    },

    asking(asks) {
      const now = clock.monotonic();
      return asks.map((ask) => {
        if (!ask.count) return ask;
        const counter = counterOf(ask, now);
        if (counter.asked !== null) return ask;
        turn(counter, now);
        const busy = Math.max(counter.current, counter.before);
        const wanted = busy < leastWanted || ask.limit < leastLimit ? 0 : busy;
        if (wanted === 0 && counter.lease === null) return ask;
        const lease: LeaseAsk = { wanted, id: nextId(), settled: counter.lease };
        counter.lease = null;
        counter.asked = lease.id;
        return { ...ask, lease };
      });
    },

    answered(asks, counts, sentAt) {
      const now = clock.monotonic();
      const isAdmitted = counts?.every(({ allowed }) => allowed) ?? false;
      for (const [index, { key, limit, windowMs, count, lease }] of asks.entries()) {
        const counter = counters.get(key);
        if (counter === undefined || !count) continue;
        if (isAdmitted) note(counter, now);
        if (lease === undefined || counter.asked !== lease.id) continue;
        counter.asked = null;
        const { leased: left = 0, used = 0, waitMs = windowMs } = counts?.[index] ?? {};
        if (left === 0) continue;
        const others = limit - used - left;
        const until = sentAt + leaseMs;
        counter.lease = { id: lease.id, until, others, resetAt: now + waitMs, left, spent: 0, isUsed: true };
        leased.add(counter);
        if (!isTicking) {
          isTicking = true;
          clock.after(idleMs, tick);
        }
      }
    },

    forget() {
      counters.clear();
      leased.clear();
    },
  };
}

const askOf = ({ key, limit, windowMs }: Counter): Pick<Ask, 'key' | 'limit' | 'windowMs'> => ({
  key,
  limit,
  windowMs,
});

/** One more was admitted. */
function note(counter: Counter, now: number): void {
  turn(counter, now);
  counter.current += 1;
}

function turn(counter: Counter, now: number): void {
  const passed = now - counter.since;
  if (passed < leaseMs) return;
  counter.before = passed < 2 * leaseMs ? counter.current : 0;
  counter.current = 0;
  counter.since = now;
}

/** Whole numbers below 2^53, of which no two processes choose the same. */
function createLeaseIds(): () => number {
  const span = 2 ** 20;
  const base = randomInt(1, 2 ** 32) * span;
  let next = 0;
  return () => {
    next = (next + 1) % span;
    return base + next;
  };
}
