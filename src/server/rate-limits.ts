/** Opens what the rate limits are counted in: nothing but this process, unless several share a store. */
import { type Clock, systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/environment.ts';
import type { LocalLimits } from '../limits/local-limits.ts';
import { createSharedLimits, type SharedLimits } from '../limits/shared-limits.ts';
import type { RateConnection } from '../store/postgres/session.ts';
import type { RateStore } from '../store/rate-store.ts';

export interface RateLimitOptions {
  readonly config: Config;
  /** The database that several processes share, with its schema in place; null: there is none. */
  readonly database: RateConnection | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly local: LocalLimits;
  /** Milliseconds; usual unless given. */
  readonly deadlineMs?: number;
}

/**
 * Redis when REDIS_URL names it, else the shared database; null where only this process counts. A store that cannot be
 * reached is no reason not to start.
 */
export async function openSharedLimits(options: RateLimitOptions): Promise<SharedLimits | null> {
  const { clock, log, local, deadlineMs } = options;
  const store = await openRateStore(options);
  if (store === null) return null;
  const shared = createSharedLimits({ store, local, clock, log, ...(deadlineMs !== undefined && { deadlineMs }) });
  await shared.start();
  return shared;
}

async function openRateStore({ config, database, clock, log }: RateLimitOptions): Promise<RateStore | null> {
  // The database's own time counts, unless a test moves time by hand.
  const time = clock === systemClock ? {} : { now: clock.now };
  if (config.redis !== null) {
    const { openRedisRates } = await import('../store/redis/rates.ts');
    return openRedisRates({ address: config.redis, log, ...time });
  }
  if (database !== null) {
    const { openPostgresRates } = await import('../store/postgres/rates.ts');
    return openPostgresRates({ connection: database, clock, ...time });
  }
  return null;
}
