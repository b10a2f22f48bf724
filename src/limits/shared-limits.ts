/** The rate limits of several processes: the shared counters decide, and this process by itself while they do not answer. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/thrown.ts';
import {
  type Ask,
  type Count,
  type CounterAsk,
  leaseMs,
  type RateStore,
  type TokenAsk,
  type TokenCount,
} from '../store/rate-store.ts';
import { createDeadline } from './deadline.ts';
import { createLeases } from './leases.ts';
import type { LocalLimits } from './local-limits.ts';
import { createRefusals } from './refusals.ts';
import { type Decision, decisionOf } from './sliding-window.ts';

export interface SharedLimits {
  /** As the local limits' method; never rejects, and takes at most the deadline. */
  takeAll(asks: readonly Ask[]): Decision[] | Promise<Decision[]>;
  /**
   * Looks a token up where it is counted. null: the store cannot do both in one step, or not now; then nothing was counted
   * that anybody is told of.
   */
  admit(ask: TokenAsk): Promise<TokenCount | null> | null;
  /** Asks the store for the first time, so that its absence is known before a request needs it. */
  start(): Promise<void>;
  status(): LimitsStatus;
  close(): Promise<void>;
}

export interface LimitsStatus {
  /** null: there is none, and only this process counts. */
  readonly store: RateStore['name'] | null;
  /** The store decides. */
  readonly isShared: boolean;
  /** How often the store gave no answer in time, or an error. */
  readonly errors: number;
}

/** Of a process that shares its limits with no other. */
export const alone: LimitsStatus = { store: null, isShared: false, errors: 0 };

export interface SharedLimitsOptions {
  readonly store: RateStore;
  readonly local: LocalLimits;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds that a request waits for the store at most. */
  readonly deadlineMs?: number;
}

/** Milliseconds before the store is asked again: the first time, and at most. */
const leastPause = 250;
const mostPause = 5000;
/** A store that fails again within this time of its return has not recovered: the pause keeps growing. */
const trialMs = 60_000;
/** What only leases of others stand against is asked again after this time, until they have been given back. */
const heldPause = 50;
const mostTries = (2 * leaseMs) / heldPause;

/**
 * Whatever the store allows is counted locally too, so that this process, when it has to decide by itself, knows what it let
 * in: it never gives more than one allowance beyond what the store gives, however often the store comes and goes.
 */
export function createSharedLimits(options: SharedLimitsOptions): SharedLimits {
  const { store, local, clock, log, deadlineMs = 100 } = options;
  const refusals = createRefusals(clock);
  const deadline = createDeadline(clock, deadlineMs);
  /** What nobody waits for; unless it gets there, all of the lease counts as used for as long as it could be. */
  const settle = (asks: readonly Ask[]): void => {
    if (away === null) for (const ask of asks) store.take([ask]).catch(() => {});
  };
  const leases = createLeases({ clock, settle });
  /** By request that waits for the store: ends the wait. */
  const waiting = new Set<() => void>();
  let away: { since: number; pause: number } | null = null;
  let lastBack = Number.NEGATIVE_INFINITY;
  let lastPause = 0;
  let errors = 0;
  let cancelProbe = () => {};
  let closed = false;
  /** By counter: how many requests wait for leases of others. */
  const held = new Map<string, number>();

  return {
    takeAll(asks) {
      if (away !== null) return local.takeAll(asks);
      const leased = leases.spend(asks);
      if (leased !== null) {
        record(asks);
        return leased;
      }
      return refusals.find(asks) ?? take(asks);
    },
    admit(ask) {
      if (away !== null || store.admit === undefined) return null;
      if (refusals.find([{ ...ask.refused, count: false }]) !== null) return null;
      return askStore(store.admit(ask)).then((found) => {
        if (found !== null) keepToken(ask, found);
        return found;
      });
    },
    async start() {
      await probe();
    },
    status: () => ({ store: store.name, isShared: away === null, errors }),
    async close() {
      closed = true;
      cancelProbe();
      await store.close();
    },
  };

  /** The store's answer; null: there is none in time, and this process has to decide. */
  function askStore<A>(answer: Promise<A>): Promise<A | null> {
    return new Promise((resolve) => {
      const settle = (known: A | null): void => {
        // A response that comes after the deadline finds the request decided and counted.
        if (!waiting.delete(giveUp)) return;
        cancel();
        resolve(known);
      };
      const giveUp = (): void => settle(null);
      waiting.add(giveUp);
      const cancel = deadline.start(() => {
        if (waiting.has(giveUp)) lose(noAnswer());
      });
      answer.then(settle, (error: unknown) => {
        if (waiting.has(giveUp)) lose(error);
      });
    });
  }

  async function take(asks: readonly Ask[], tries = 0): Promise<Decision[]> {
    const sent = leases.asking(asks);
    const sentAt = clock.monotonic();
    const counts = await askStore(store.take(sent));
    leases.answered(sent, counts, sentAt);
    if (counts === null) return local.takeAll(asks);
    const key = tries < mostTries ? heldBy(asks, counts) : null;
    return key === null ? decided(asks, counts) : again(asks, key, tries + 1);
  }

  /** The counter that refuses only because of leases, while no more wait for these than could be given back; null: there is none. */
  function heldBy(asks: readonly Ask[], counts: readonly Count[]): string | null {
    let key: string | null = null;
    for (const [index, ask] of asks.entries()) {
      const { allowed = true, used = 0, reserved = 0 } = counts[index] ?? {};
      if (allowed) continue;
      if (used - reserved >= ask.limit || (held.get(ask.key) ?? 0) >= reserved) return null;
      key = ask.key;
    }
    return key;
  }

  async function again(asks: readonly Ask[], key: string, tries: number): Promise<Decision[]> {
    held.set(key, (held.get(key) ?? 0) + 1);
    await new Promise<void>((resolve) => {
      clock.after(heldPause, resolve);
    });
    const others = (held.get(key) ?? 1) - 1;
    if (others > 0) held.set(key, others);
    else held.delete(key);
    return away === null ? take(asks, tries) : local.takeAll(asks);
  }

  function decided(asks: readonly Ask[], counts: readonly Count[]): Decision[] {
    if (counts.every(({ allowed }) => allowed)) record(asks);
    return asks.map((ask, index) => {
      const count = counts[index] ?? { allowed: true, used: 0, reserved: 0, waitMs: ask.windowMs };
      keepRefusal(ask, count);
      return decisionOf(count.allowed, ask.limit, count.used, count.waitMs);
    });
  }

  /** Until the wait is over; what leases are in the way of may be possible before that. */
  function keepRefusal({ key, limit }: CounterAsk, { allowed, used, reserved, waitMs }: Omit<Count, 'leased'>): void {
    if (!allowed && used - reserved >= limit) refusals.keep(key, waitMs);
  }

  /** Of what the store has let in. */
  function record(asks: readonly Ask[]): void {
    for (const { key, windowMs, count } of asks) if (count) local.of(windowMs).record(key);
  }

  function keepToken({ refused, bucket, holder }: TokenAsk, found: TokenCount): void {
    const counted: [CounterAsk, Count | null][] = [[bucket, found.bucket]];
    if (holder !== null && found.token !== undefined) {
      const client = { ...holder.address, key: holder.clientPrefix + found.token.clientId, limit: holder.clientLimit };
      counted.push([holder.address, found.holder?.address ?? null], [client, found.holder?.client ?? null]);
    }
    keepRefusal(refused, found.refused);
    if (found.token === undefined && found.refused.allowed) local.of(refused.windowMs).record(refused.key);
    const isAdmitted = found.refused.allowed && counted.every(([, count]) => count?.allowed !== false);
    for (const [ask, count] of counted) {
      if (count === null) continue;
      keepRefusal(ask, count);
      if (isAdmitted) local.of(ask.windowMs).record(ask.key);
    }
  }

  function lose(error: unknown): void {
    errors += 1;
    const now = clock.monotonic();
    const pause = now - lastBack < trialMs ? Math.min(lastPause * 2, mostPause) : leastPause;
    away = { since: now, pause };
    // Only the message: an error of the store may contain what was sent to it, including the password.
    log.warn(
      { event: 'limits.local', store: store.name, reason: messageOf(error) },
      'the shared rate limits are unavailable: this process counts by itself until they return',
    );
    leases.forget();
    for (const giveUp of [...waiting]) giveUp();
    store.abandon();
    probeIn(pause);
  }

  function probeIn(pause: number): void {
    if (!closed) cancelProbe = clock.after(pause, () => void probe());
  }

  /** Nobody waits for this. It counts something, since a store that can only be read is of no use. */
  async function probe(): Promise<void> {
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      cancel = deadline.start(() => reject(noAnswer()));
    });
    try {
      await Promise.race([store.take([probeAsk]), late]);
    } catch (error) {
      if (away === null) lose(error);
      else {
        errors += 1;
        store.abandon();
        away.pause = Math.min(away.pause * 2, mostPause);
        probeIn(away.pause);
      }
      return;
    } finally {
      cancel();
    }
    if (away === null) return;
    const now = clock.monotonic();
    const { since, pause } = away;
    away = null;
    lastBack = now;
    lastPause = pause;
    log.info(
      { event: 'limits.shared', store: store.name, away_ms: Math.round(now - since) },
      'the shared rate limits are available again',
    );
  }

  function noAnswer(): Error {
    return new Error(`no answer within ${deadlineMs} ms`);
  }
}

const probeAsk: Ask = { key: 'probe', limit: 1_000_000, windowMs: 60_000, count: true };
