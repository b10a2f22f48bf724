/** Opens what is kept between requests: PostgreSQL when DATABASE_URL names it, else SQLite in the data directory. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/environment.ts';
import type { FeedTable } from '../store/feed-table.ts';
import type { PostgresConnection } from '../store/postgres/connection.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import type { Store } from '../store/store.ts';

export interface Storage {
  readonly store: Store;
  /** The database that several processes share, for what else they share; null with SQLite. It ends with the store. */
  readonly shared: PostgresConnection | null;
  /** Where those processes keep their feeds; null with SQLite. */
  readonly feeds: FeedTable | null;
}

export interface StorageOptions {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'database'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Throws StoreUnusable, which says what to do. */
export async function openStorage({ config, clock, log }: StorageOptions): Promise<Storage> {
  if (config.databaseUrl === null) {
    const store = await openSqliteStore({ directory: config.dataDir, now: clock.now() });
    return { store, shared: null, feeds: null };
  }
  // Loaded only where it is used: the driver would make every other start slower.
  const { openPostgresStore } = await import('../store/postgres/store.ts');
  const store = await openPostgresStore({
    url: config.databaseUrl,
    clock,
    log,
    pooler: config.database.pooler,
    size: config.database.size,
    connectMs: 2000,
    statementMs: 2000,
  });
  return { store, shared: store.connection, feeds: store.feeds };
}

/** Warns when the servers on one database have different keys: what one signs, another would not recognize. */
export async function compareSecret({ shared }: Storage, secret: Uint8Array, log: Log): Promise<void> {
  if (shared === null) return;
  const { rememberKey } = await import('../store/postgres/key.ts');
  if ((await rememberKey(shared, secret)) !== 'other') return;
  log.warn(
    { event: 'store.other_key' },
    'SECRET_KEY differs from the one of the last server that used this database: give all of them the same one, otherwise each rejects the others’ cursors',
  );
}
