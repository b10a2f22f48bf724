/** Opens what is kept between requests: the store of clients, tokens and jobs, and the counters of the rate limits. */
import { existsSync } from 'node:fs';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/environment.ts';
import { getKeyFile, readSecret } from '../config/secret-key.ts';
import { createRates, type Rates } from '../http/rate.ts';
import { createSharedLimits, type LimitsStatus, unsharedStatus } from '../limits/shared-limits.ts';
import { createLocalLimits } from '../limits/sliding-window.ts';
import type { Database } from '../store/database.ts';
import type { FeedTable } from '../store/postgres/feeds.ts';
import type { RateStore } from '../store/rate-store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import type { Store } from '../store/store.ts';

/** The stores of a server. */
export interface Stores {
  /** The store of clients, tokens and jobs. */
  readonly store: Store;
  /** The database that several processes share, or null with SQLite. */
  readonly shared: { readonly database: Database; readonly feeds: FeedTable } | null;
  readonly rates: Rates;
  /** Returns the state of the shared rate limits, or `unsharedStatus` if only this process counts. */
  limitsStatus(): LimitsStatus;
  /** Ends the shared rate limits, then closes the store. */
  close(): Promise<void>;
}

/** Options of the stores. */
export interface StoresOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a request waits for the shared rate limits, in milliseconds; 100 if it is undefined. */
  readonly timeoutMs: number | undefined;
}

/**
 * Opens the stores that the settings name. A PostgreSQL database or a rate store that cannot be reached is no reason not to start:
 * it is tried again.
 *
 * @throws StoreUnusable for what waiting does not fix, whose message says what to do; with DATABASE_URL also ConfigError, if the
 * file of the key cannot be read or has fewer than 32 characters
 */
export async function openStores(options: StoresOptions): Promise<Stores> {
  const { config, clock, log, timeoutMs } = options;
  const { store, shared } = await openStore(options);
  const local = createLocalLimits(clock);
  const rateStore = await openRateStore(config, clock, shared?.database ?? null);
  const limits =
    rateStore === null
      ? null
      : createSharedLimits({ store: rateStore, local, clock, log, ...(timeoutMs !== undefined && { timeoutMs }) });
  await limits?.start();
  return {
    store,
    shared,
    rates: createRates({ limits: config.limits, local, shared: limits }),
    limitsStatus: () => limits?.status() ?? unsharedStatus,
    async close() {
      await limits?.close();
      await store.close();
    },
  };
}

async function openStore({ config, clock, log }: StoresOptions): Promise<Pick<Stores, 'store' | 'shared'>> {
  const { databaseUrl: url, dataDir: directory, databasePoolSize: size } = config;
  if (url === null) {
    // The first start generates the key after it opened the store, so an existing key shows that the store was used before.
    const isUsed = existsSync(getKeyFile(directory));
    return { store: await openSqliteStore({ directory, now: clock.now(), isUsed }), shared: null };
  }
  // The driver of PostgreSQL takes time to load, so it is loaded only if it is used.
  const { openPostgresStore } = await import('../store/postgres/store.ts');
  const store = await openPostgresStore({ url, clock, log, size, secret: await readSecret(config) });
  return { store, shared: store };
}

/** Opens Redis if REDIS_URL names it, else the shared database. Returns null if only this process counts. */
async function openRateStore(config: Config, clock: Clock, database: Database | null): Promise<RateStore | null> {
  // The time of the store's server counts, unless a test has a clock of its own.
  const time = clock === systemClock ? {} : { now: clock.now };
  if (config.redisUrl !== null) {
    const { openRedisRates } = await import('../store/redis/rates.ts');
    return openRedisRates({ url: config.redisUrl, ...time });
  }
  if (database === null) return null;
  const { createPostgresRates } = await import('../store/postgres/rates.ts');
  return createPostgresRates({ database, ...time });
}
