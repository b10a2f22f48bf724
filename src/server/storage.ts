/** Opens what is kept between requests: PostgreSQL when DATABASE_URL names it, else SQLite in the data directory. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/environment.ts';
import type { PostgresStore } from '../store/postgres/store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import type { Store } from '../store/store.ts';

export interface Storage {
  readonly store: Store;
  /** The same store if several processes can share it, or null with SQLite. */
  readonly shared: PostgresStore | null;
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
    return { store, shared: null };
  }
  // Loaded only where it is used: the driver would make every other start slower.
  const { openPostgresStore } = await import('../store/postgres/store.ts');
  const store = await openPostgresStore({
    url: config.databaseUrl,
    clock,
    log,
    size: config.database.size,
  });
  return { store, shared: store };
}

/** Warns when the servers on one database have different keys: what one signs, another would not recognize. */
export async function compareSecret({ shared }: Storage, secret: Uint8Array, log: Log): Promise<void> {
  if (shared === null) return;
  const { rememberKey } = await import('../store/postgres/key.ts');
  if ((await rememberKey(shared.database, secret)) !== 'other') return;
  log.warn(
    { event: 'store.other_key' },
    'SECRET_KEY differs from the one of the last server that used this database: give all of them the same one, otherwise each rejects the others’ cursors',
  );
}
