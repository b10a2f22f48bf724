/** Where a server with these settings keeps the feed that it accepted last, to read it from outside. */
import { join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { createFileCopies, type FeedCopies, readStored } from '../feed/copies.ts';

export function keptFeed({ dataDir, databaseUrl }: Config): Pick<FeedCopies, 'load'> {
  if (databaseUrl === null) return createFileCopies(join(dataDir, 'feed'));
  return {
    async load(key) {
      const { loadPostgresFeed } = await import('../store/postgres/upkeep.ts');
      const stored = await loadPostgresFeed(databaseUrl, key);
      return stored === null ? null : readStored(stored);
    },
  };
}
