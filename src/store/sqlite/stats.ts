/** What the operator's gauges say of the SQLite store. */
import { jobCounts } from '../job-counts-sql.ts';
import { toJobStats } from '../rows.ts';
import type { Store } from '../store.ts';
import type { Connection } from './connection.ts';

export function createSqliteStats(connection: Connection): Pick<Store, 'stats'> {
  return {
    async stats() {
      return { ...toJobStats(connection.get(countJobs) ?? {}), writable: isWritable(connection), pool: null };
    },
  };
}

const countJobs = `SELECT ${jobCounts}`;

/** A transaction that may write takes the file's lock, and writes nothing. */
function isWritable(connection: Connection): boolean {
  try {
    return connection.transaction(() => true);
  } catch {
    return false;
  }
}
