/** The rate limits of several processes: the shared counters decide, and this process by itself while they do not answer. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/thrown.ts';
import type { Ask, Count, RateStore } from '../store/rate-store.ts';
import { createDeadline } from './deadline.ts';
import type { LocalLimits } from './local-limits.ts';
import { createRefusals } from './refusals.ts';
import { type Decision, decisionOf } from './sliding-window.ts';

export interface SharedLimits {
  /** As the local limits' method; never rejects, and takes at most the deadline. */
  takeAll(asks: readonly Ask[]): Decision[] | Promise<Decision[]>;
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

/**
 * Whatever the store allows is counted locally too, so that this process, when it has to decide by itself, knows what it let
 * in: it never gives more than one allowance beyond what the store gives, however often the store comes and goes.
 */
export function createSharedLimits(options: SharedLimitsOptions): SharedLimits {
  const { store, local, clock, log, deadlineMs = 100 } = options;
  const refusals = createRefusals(clock);
  const deadline = createDeadline(clock, deadlineMs);
  /** By request that waits for the store: decides it locally. */
  const waiting = new Set<() => void>();
  let away: { since: number; pause: number } | null = null;
  let lastBack = Number.NEGATIVE_INFINITY;
  let lastPause = 0;
  let errors = 0;
  let cancelProbe = () => {};
  let closed = false;

  return {
    takeAll(asks) {
      if (away !== null) return local.takeAll(asks);
      return refusals.find(asks) ?? askStore(asks);
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

  function askStore(asks: readonly Ask[]): Promise<Decision[]> {
    return new Promise((resolve) => {
      const settle = (decide: () => Decision[]): void => {
        // A response that comes after the deadline finds the request decided and counted.
        if (!waiting.delete(decideLocally)) return;
        cancel();
        resolve(decide());
      };
      const decideLocally = (): void => settle(() => local.takeAll(asks));
      waiting.add(decideLocally);
      const cancel = deadline.start(() => {
        if (waiting.has(decideLocally)) lose(noAnswer());
      });
      store.take(asks).then(
        (counts) => settle(() => decided(asks, counts)),
        (error: unknown) => {
          if (waiting.has(decideLocally)) lose(error);
        },
      );
    });
  }

  function decided(asks: readonly Ask[], counts: readonly Count[]): Decision[] {
    const isCounted = counts.every(({ allowed }) => allowed);
    return asks.map((ask, index) => {
      const count = counts[index] ?? { allowed: true, used: 0, waitMs: ask.windowMs };
      if (!count.allowed) refusals.keep(ask.key, count.waitMs);
      else if (isCounted && ask.count) local.of(ask.windowMs).record(ask.key);
      return decisionOf(count.allowed, ask.limit, count.used, count.waitMs);
    });
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
    for (const decideLocally of [...waiting]) decideLocally();
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
