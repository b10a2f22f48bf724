/** Commands of the operator on the PostgreSQL store. Servers may be running. */
import { type Client, createClientStore, listClients } from '../clients.ts';
import { findPendingVersions } from '../schema.ts';
import { createFeedTable, type StoredCopy } from './feeds.ts';
import { useDatabase } from './store.ts';

/**
 * Lists all clients, newest first, revoked ones included.
 * @throws StoreUnusable
 */
export const listPostgresClients = (url: string): Promise<Client[]> =>
  useDatabase(url, async (database) => {
    await findPendingVersions(database, 'postgres');
    return listClients(database);
  });

/**
 * Revokes a client (`ended`), unless there is no such client (`unknown`) or it was revoked `before`.
 * @throws StoreUnusable
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
 * Reads the stored copy of a feed, or undefined if there is none.
 * @throws StoreUnusable
 */
export function loadPostgresFeed(url: string, key: string): Promise<StoredCopy | undefined> {
  return useDatabase(url, async (database) => {
    const row = await database.get("SELECT to_regclass('feeds') IS NOT NULL AS has_feeds");
    return row?.has_feeds === true ? createFeedTable(database).load(key) : undefined;
  });
}
