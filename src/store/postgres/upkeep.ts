/** Commands of the operator on the PostgreSQL store. Servers may be running. */
import { type Client, createClientStore, listClients } from '../clients.ts';
import { findPendingVersions } from '../schema.ts';
import { createFeedTable, type StoredCopy } from './feeds.ts';
import { useDatabase } from './store.ts';

/**
 * Lists all clients, newest first, revoked ones included. `url` is DATABASE_URL.
 * @throws StoreUnusable for every error, also if the database has no tables yet
 */
export const listPostgresClients = (url: string): Promise<Client[]> =>
  useDatabase(url, async (database) => {
    await findPendingVersions(database, 'postgres');
    return listClients(database);
  });

/**
 * Revokes a client (`ended`), unless there is no such client (`unknown`) or it was revoked `before`. `url` is DATABASE_URL, and
 * `now` is in milliseconds since 1970.
 * @throws StoreUnusable for every error, also if the database has no tables yet
 */
export function revokePostgresClient(url: string, id: string, now: number): Promise<'ended' | 'before' | 'unknown'> {
  return useDatabase(url, async (database) => {
    await findPendingVersions(database, 'postgres');
    const clients = createClientStore(database);
    if (await clients.revokeClient(id, now, false)) return 'ended';
    return (await clients.findClient(id)) === undefined ? 'unknown' : 'before';
  });
}

/**
 * Reads the stored copy of the feed with a key of `FeedTable`, or returns undefined if there is none, or no table of feeds yet.
 * `url` is DATABASE_URL.
 * @throws StoreUnusable for every error
 */
export function loadPostgresFeed(url: string, key: string): Promise<StoredCopy | undefined> {
  return useDatabase(url, async (database) => {
    const row = await database.get("SELECT to_regclass('feeds') IS NOT NULL AS has_feeds");
    return row?.has_feeds === true ? createFeedTable(database).load(key) : undefined;
  });
}
