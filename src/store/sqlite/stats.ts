/** What the operator's gauges say of the SQLite store. */
import { jobCounts } from '../job-counts-sql.ts';
import { toJobStats } from '../rows.ts';
import type { Store } from '../store.ts';
import { createProbeFile } from '../write-health.ts';
import type { Connection } from './connection.ts';

export function createSqliteStats(connection: Connection): Pick<Store, 'stats'> {
  return {
    async stats() {
      const stats = toJobStats(connection.get(countJobs) ?? {});
      return { ...stats, writeProblem: await connection.writeHealth.check(() => writeProbe(connection)), pool: null };
    },
  };
}

const countJobs = `SELECT ${jobCounts}`;

/** Two commits: what is deleted in the commit that inserted it would need no space. */
function writeProbe(connection: Connection): void {
  const { hash, bytes } = createProbeFile();
  connection.transaction(() => {
    connection.run(
      "INSERT INTO artifacts (hash, media_type, size, expires_at, is_whole) VALUES (?, '', 0, 0, 0)",
      hash,
    );
    connection.run('INSERT INTO artifact_parts (hash, part, bytes) VALUES (?, 0, ?)', hash, bytes);
  });
  connection.run('DELETE FROM artifacts WHERE hash = ?', hash);
}
