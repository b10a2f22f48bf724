/** What /metrics says of limits, feed, store and overload, in every state that they can be in. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createMetrics, type MetricsOptions } from '../../../src/endpoints/operator/metrics.ts';
import { createTally } from '../../../src/http/tally.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

/** The lines about the service itself, sorted, without those that explain them. */
async function linesOf(options: Partial<MetricsOptions> = {}): Promise<string[]> {
  const metrics = createMetrics({
    tally: createTally(),
    apiVersion: '2026-11-21',
    feed: () => null,
    limits: () => null,
    store: () => null,
    purges: () => null,
    searches: () => new Map(),
    now: () => now,
    ...options,
  });
  const text = await metrics();
  return text.split('\n').filter((line) => line.startsWith('colophon_'));
}

const build = `colophon_build_info{api_version="2026-11-21",node_version="${process.version}"} 1`;
const noFeed = ['fresh', 'stale', 'unavailable'].map((state) => `colophon_feed_state{state="${state}"} 0`);
const noPurges = ['colophon_purge_keys_total 0', 'colophon_purge_waiting 0', 'colophon_purge_failing 0'];
const noStore = ['colophon_store_up 0', 'colophon_store_waiting 0', 'colophon_job_age_seconds 0'];

it('has no counts of what has not begun', async () => {
  assert.deepEqual(await linesOf(), [...noFeed, ...noStore, ...noPurges, build]);
});

it('says which counters decide', async () => {
  const rates = async (limits: ReturnType<MetricsOptions['limits']>) =>
    (await linesOf({ limits: () => limits })).filter((line) => line.startsWith('colophon_rate'));
  assert.deepEqual(await rates({ store: null, isShared: false, errors: 0 }), [
    'colophon_rate_limit_deciding{counters="local"} 1',
  ]);
  assert.deepEqual(await rates({ store: 'redis', isShared: true, errors: 2 }), [
    'colophon_rate_limit_deciding{counters="local"} 0',
    'colophon_rate_limit_deciding{counters="redis"} 1',
    'colophon_rate_limit_store_errors_total{store="redis"} 2',
  ]);
  assert.deepEqual(await rates({ store: 'postgresql', isShared: false, errors: 3 }), [
    'colophon_rate_limit_deciding{counters="local"} 1',
    'colophon_rate_limit_deciding{counters="postgresql"} 0',
    'colophon_rate_limit_store_errors_total{store="postgresql"} 3',
  ]);
});

it('says how the feed is, and how old its last good check', async () => {
  for (const state of ['fresh', 'stale', 'unavailable'] as const) {
    const feed = { state, problem: null, checkedAt: now - 1500, retryAfterSeconds: 5 };
    assert.deepEqual(
      (await linesOf({ feed: () => feed })).filter((line) => line.startsWith('colophon_feed')),
      [
        ...['fresh', 'stale', 'unavailable'].map(
          (known) => `colophon_feed_state{state="${known}"} ${known === state ? 1 : 0}`,
        ),
        'colophon_feed_age_seconds 1.5',
      ],
    );
  }
  // The machine's clock was set back since.
  const ahead = { state: 'fresh', problem: null, checkedAt: now + 1000, retryAfterSeconds: 5 } as const;
  assert.ok((await linesOf({ feed: () => ahead })).includes('colophon_feed_age_seconds 0'));
});

it('has no connections of a store in a file, and the age of its oldest open job', async () => {
  const stats = { writable: true, jobs: { queued: 1, running: 0 }, oldestOpenJobAt: now - 2500, pool: null };
  const lines = await linesOf({ store: async () => ({ problem: null, stats }) });
  assert.deepEqual(
    lines.filter((line) => /^colophon_(store|job)/.test(line)),
    [
      'colophon_store_up 1',
      'colophon_store_writable 1',
      'colophon_store_waiting 0',
      'colophon_jobs{state="queued"} 1',
      'colophon_jobs{state="running"} 0',
      'colophon_job_age_seconds 2.5',
    ],
  );
});

it('counts what was refused before it had a route', async () => {
  const tally = createTally();
  tally.turnAway('delay');
  tally.turnAway('delay');
  tally.turnAway('requests');
  tally.refuse('invalid_request');
  const lines = await linesOf({ tally });
  assert.deepEqual(
    lines.filter((line) => /unparsed|shed/.test(line)),
    [
      'colophon_http_unparsed_total{code="invalid_request"} 1',
      'colophon_shed_total{reason="delay"} 2',
      'colophon_shed_total{reason="requests"} 1',
    ],
  );
});
