/** The one statement that counts unfinished jobs; both engines take the oldest of them from the index of open jobs. */
import { mostCountedJobs } from './store.ts';

export const jobCounts = `
  count(CASE WHEN status = 'queued' THEN 1 END) AS queued, count(CASE WHEN status = 'running' THEN 1 END) AS running,
  min(created_at) AS oldest
  FROM (
    SELECT status, created_at FROM jobs WHERE status IN ('queued', 'running') ORDER BY created_at LIMIT ${mostCountedJobs}
  ) AS unfinished`;
