/** Where a server with these settings keeps the feed that it accepted last, to read it from outside. */
import { join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { createFileStorage, type FeedStorage, parseStored } from '../feed/feed-storage.ts';

export function keptFeed({ dataDir, databaseUrl }: Config): Pick<FeedStorage, 'load'> {
  if (databaseUrl === null) return createFileStorage(join(dataDir, 'feed'));
  return {
    async load(key) {
      const { loadPostgresFeed } = await import('../store/postgres/upkeep.ts');
      const stored = await loadPostgresFeed(databaseUrl, key);
      return stored === null ? null : parseStored(stored);
    },
  };
}
