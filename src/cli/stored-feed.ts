/** Reads the feed that a server accepted last from its data folder or database, which the server may be using. */
import { join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { createFileStorage, type FeedStorage, parseStored } from '../feed/feed-storage.ts';

/** Opens the stored feeds of a server with these settings. */
export function openStoredFeed({ dataDir, databaseUrl }: Config): Pick<FeedStorage, 'load'> {
  if (databaseUrl === null) return createFileStorage(join(dataDir, 'feed'));
  return {
    async load(key) {
      const { loadPostgresFeed } = await import('../store/postgres/upkeep.ts');
      const stored = await loadPostgresFeed(databaseUrl, key);
      return stored === null ? null : parseStored(stored);
    },
  };
}
