/** What an operator does to the PostgreSQL store from outside the servers, which may be running: list, end, look at it. */
import { ApiError } from '../../base/api-error.ts';
import { silentLog } from '../../base/log.ts';
import { text } from '../row.ts';
import { toListedClient } from '../rows.ts';
import type { ListedClient } from '../store.ts';
import { describePostgres } from './address.ts';
import { createPostgresClients } from './clients.ts';
import { createPostgresConnection, type PostgresConnection } from './connection.ts';
import { createPostgresFeeds } from './feeds.ts';
import { compareKey } from './key.ts';
import { appliedVersions, findPendingPostgresVersions } from './migrate.ts';
import { statement } from './queries.ts';
import { addressOf, unusable } from './store.ts';

/** Newest first, revoked ones included. Throws StoreUnusable. */
export function listPostgresClients(url: string): Promise<ListedClient[]> {
  return using(url, async (connection) => (await connection.all(listClients)).map(toListedClient));
}

/** `unknown`: there is no such client. `before`: it was already revoked. Throws StoreUnusable. */
export function revokePostgresClient(url: string, id: string, now: number): Promise<'ended' | 'before' | 'unknown'> {
  return using(url, async (connection) => {
    const clients = createPostgresClients(connection);
    if (await clients.revokeClient(id, now, false)) return 'ended';
    return (await clients.findClient(id)) === undefined ? 'unknown' : 'before';
  });
}

export interface PostgresState {
  /** Host, port and database. */
  readonly name: string;
  readonly serverVersion: string;
  /** Schema versions that the next start applies. */
  readonly pending: number;
  /** A server with another key started on it last. */
  readonly hasOtherKey: boolean;
}

/** `key`: the secret key that a start would use, or null. Throws StoreUnusable when a start would refuse the database. */
export function inspectPostgres(url: string, key: Uint8Array | null): Promise<PostgresState> {
  return using(url, async (connection) => {
    const row = (await connection.get(describeServer)) ?? {};
    const { length } = findPendingPostgresVersions(row.has_schema === true ? await appliedVersions(connection) : []);
    const hasOtherKey = key !== null && length === 0 && (await compareKey(connection, key)) === 'other';
    const name = describePostgres(addressOf(url));
    return { name, serverVersion: text(row, 'version'), pending: length, hasOtherKey };
  });
}

/** The stored copy of a feed, as JSON and bytes; null when there is none. Throws StoreUnusable. */
export function loadPostgresFeed(url: string, key: string) {
  return using(url, async (connection) => {
    const hasSchema = (await connection.get(describeServer))?.has_schema === true;
    return hasSchema ? createPostgresFeeds(connection).load(key) : null;
  });
}

/** In the way that works through every pooler. */
async function using<T>(url: string, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
  const address = addressOf(url);
  const connection = createPostgresConnection({ address, log: silentLog, size: 1, pooling: 'transaction' });
  try {
    return await work(connection);
  } catch (error) {
    throw error instanceof ApiError ? unusable(address, error) : error;
  } finally {
    await connection.close();
  }
}

const listClients = statement(
  'list_clients',
  `SELECT id, name, identity_type, scopes, issued_at, last_token_at, revoked_at FROM clients
   ORDER BY issued_at DESC, id`,
);

const describeServer = statement(
  'describe_server',
  "SELECT current_setting('server_version') AS version, to_regclass('schema_migrations') IS NOT NULL AS has_schema",
);
