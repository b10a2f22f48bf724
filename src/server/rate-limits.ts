/** Opens the limits that several processes share: in Redis, or in the database that they share. */
import { type Clock, systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/environment.ts';
import { createSharedLimits, type SharedLimits } from '../limits/shared-limits.ts';
import type { LocalLimits } from '../limits/sliding-window.ts';
import type { RateDatabase } from '../store/postgres/rates.ts';
import type { RateStore } from '../store/rate-store.ts';

export interface RateLimitOptions {
  readonly config: Config;
  /** The database that several processes share, with its schema in place, or null if there is none. */
  readonly database: RateDatabase | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly local: LocalLimits;
  /** Maximum time that a request waits for the store, in milliseconds. */
  readonly timeoutMs?: number;
}

/**
 * Opens Redis if REDIS_URL names it, else the shared database. Returns null if only this process counts. A store that
 * cannot be reached is no reason not to start.
 */
export async function openSharedLimits(options: RateLimitOptions): Promise<SharedLimits | null> {
  const { clock, log, local, timeoutMs } = options;
  const store = await openRateStore(options);
  if (store === null) return null;
  const shared = createSharedLimits({ store, local, clock, log, ...(timeoutMs !== undefined && { timeoutMs }) });
  await shared.start();
  return shared;
}

async function openRateStore({ config, database, clock }: RateLimitOptions): Promise<RateStore | null> {
  // The database's own time counts, unless a test moves time by hand.
  const time = clock === systemClock ? {} : { now: clock.now };
  if (config.redis !== null) {
    const { openRedisRates } = await import('../store/redis/rates.ts');
    return openRedisRates({ url: config.redis, ...time });
  }
  if (database !== null) {
    const { createPostgresRates } = await import('../store/postgres/rates.ts');
    return createPostgresRates({ database, clock, ...time });
  }
  return null;
}
