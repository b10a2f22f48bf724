/** The rate limits of several processes: a store decides, and this process by itself while the store does not reply. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { getCause, getMessage } from '../base/thrown.ts';
import type { CounterRequest, RateStore } from '../store/rate-store.ts';
import { type Decision, type LocalLimits, toDecision } from './sliding-window.ts';

/** Limits that a store counts for several processes. */
export interface SharedLimits {
  /**
   * Decides like `LocalLimits.take`, by the store's counters, or by this process's own while the store does not reply. Never
   * rejects, and waits at most `timeoutMs` for the store, or twice that after the process was busy.
   */
  take(request: CounterRequest): Promise<Decision>;
  /** Asks the store for the first time, so that its absence is known before a request needs it. Never rejects. */
  start(): Promise<void>;
  status(): LimitsStatus;
  /** Stops the probes of the store and closes it. */
  close(): Promise<void>;
}

/** The state of the limits for the operator. */
export interface LimitsStatus {
  /** The store, or null if only this process counts. */
  readonly store: RateStore['name'] | null;
  /** Whether the store decides now. */
  readonly isShared: boolean;
  /** How often the store was given up, plus how often it failed again before it was back. */
  readonly errors: number;
}

/** The state of a process that counts by itself, without a store. */
export const unsharedStatus: LimitsStatus = { store: null, isShared: false, errors: 0 };

/** Options of the shared limits. */
export interface SharedLimitsOptions {
  readonly store: RateStore;
  /** The counters of this process, which decide while the store does not reply and also count what the store admits. */
  readonly local: LocalLimits;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum time that a request waits for the store, in milliseconds. @defaultValue 100 */
  readonly timeoutMs?: number;
}

/** Milliseconds before a store that failed is asked again: the first time, and at most. */
const minPauseMs = 250;
const maxPauseMs = 5000;
/** A store that fails again within this time of its return, in milliseconds, has not recovered: the pause keeps doubling. */
const trialMs = 60_000;

/**
 * Creates limits that the store decides until it fails, and then this process by itself until the store replies again. Everything
 * that the store admits is counted locally too: by itself, this process never admits more than one whole limit beyond what
 * the store admits, however often the store fails and returns.
 */
export function createSharedLimits(options: SharedLimitsOptions): SharedLimits {
  const { store, local, clock, log, timeoutMs = 100 } = options;
  /** The monotonic time, in milliseconds, until which a used-up counter refuses requests without a call of the store. */
  const usedUpUntil = new LRUCache<string, number>({ max: 10_000 });
  let downSince: number | null = null;
  let backAt = Number.NEGATIVE_INFINITY;
  let pauseMs = minPauseMs;
  let errors = 0;
  let isClosed = false;
  let cancelProbe = () => {};

  return {
    async take(request) {
      if (downSince !== null) return local.take(request);
      const { key, limit, windowMs, count } = request;
      const waitLeftMs = (usedUpUntil.get(key) ?? 0) - clock.monotonic();
      if (waitLeftMs > 0) return toDecision(false, limit, limit, waitLeftMs);
      try {
        const { allowed, used, waitMs } = await limitTime(store.take(request));
        if (!allowed) usedUpUntil.set(key, clock.monotonic() + waitMs);
        else if (count) local.limiterFor(windowMs).record(key);
        return toDecision(allowed, limit, used, waitMs);
      } catch (error) {
        if (downSince === null) markDown(error);
        return local.take(request);
      }
    },
    start: probe,
    status: () => ({ store: store.name, isShared: downSince === null, errors }),
    async close() {
      isClosed = true;
      cancelProbe();
      await store.close();
    },
  };

  /**
   * Settles as `reply` does, or rejects after `timeoutMs`. A process that was busy itself, so that the timer is late, waits once
   * more before it blames the store.
   */
  function limitTime<T>(reply: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let cancel = () => {};
      const wait = (isLast: boolean): void => {
        const dueAt = clock.monotonic() + timeoutMs;
        cancel = clock.after(timeoutMs, () => {
          if (!isLast && clock.monotonic() > dueAt + timeoutMs / 10) wait(true);
          // `setImmediate` lets replies that have already arrived be read before the rejection.
          else setImmediate(() => reject(new Error(`no answer within ${timeoutMs} ms`)));
        });
      };
      wait(false);
      reply.then(resolve, reject).finally(() => cancel());
    });
  }

  function markDown(error: unknown): void {
    errors += 1;
    const now = clock.monotonic();
    const isNewOutage = downSince === null && now - backAt >= trialMs;
    pauseMs = isNewOutage ? minPauseMs : Math.min(pauseMs * 2, maxPauseMs);
    if (downSince === null) {
      downSince = now;
      // Only the message is logged, because the error object may contain what was sent to the store, including the password.
      log.warn(
        { event: 'limits.local', store: store.name, reason: getMessage(getCause(error)) },
        'the shared rate limits are unavailable: this process counts by itself until they return',
      );
    }
    if (!isClosed) cancelProbe = clock.after(pauseMs, () => void probe());
  }

  /**
   * Asks whether the store replies; no request waits for it, and it never rejects: after a failure it is called again. The probe
   * counts, because a store that can only be read is of no use.
   */
  async function probe(): Promise<void> {
    try {
      await limitTime(store.take(probeRequest));
    } catch (error) {
      markDown(error);
      return;
    }
    if (downSince === null) return;
    const awayMs = Math.round(clock.monotonic() - downSince);
    downSince = null;
    backAt = clock.monotonic();
    log.info(
      { event: 'limits.shared', store: store.name, away_ms: awayMs },
      'the shared rate limits are available again',
    );
  }
}

const probeRequest: CounterRequest = { key: 'probe', limit: 1_000_000, windowMs: 60_000, count: true };
