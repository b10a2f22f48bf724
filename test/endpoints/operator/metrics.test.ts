/** What /metrics says of limits, feed, store and overload, in every state that they can be in. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTaskTally } from '../../../src/base/task-tally.ts';
import { createQueryTally } from '../../../src/catalog/query-tally.ts';
import { createMetrics, type MetricsOptions } from '../../../src/endpoints/operator/metrics.ts';
import { createTally } from '../../../src/http/tally.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

/** The lines about the service itself, sorted, without those that explain them. */
async function linesOf(options: Partial<MetricsOptions> = {}): Promise<string[]> {
  const metrics = createMetrics({
    requests: createTally(),
    tasks: createTaskTally(createManualClock(now)),
    queries: createQueryTally(createManualClock(now)),
    content: () => null,
    apiVersion: '2026-11-21',
    feed: () => null,
    limits: () => null,
    store: () => null,
    now: () => now,
    ...options,
  });
  const text = await metrics();
  return text.split('\n').filter((line) => line.startsWith('colophon_'));
}

const build = `colophon_build_info{api_version="2026-11-21",node_version="${process.version}"} 1`;
const noFeed = ['fresh', 'stale', 'unavailable'].map((state) => `colophon_feed_state{state="${state}"} 0`);
const noStore = ['colophon_store_up 0', 'colophon_store_waiting 0', 'colophon_job_age_seconds 0'];

it('has no counts of what has not begun', async () => {
  const others = (await linesOf()).filter((line) => !/^colophon_(background|search_)/.test(line));
  assert.deepEqual(others, [...noFeed, ...noStore, build]);
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
  const stats = { writeProblem: null, jobs: { queued: 1, running: 0 }, oldestOpenJobAt: now - 2500, pool: null };
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
  const lines = await linesOf({ requests: tally });
  assert.deepEqual(
    lines.filter((line) => /unparsed|shed/.test(line)),
    [
      'colophon_http_unparsed_total{code="invalid_request"} 1',
      'colophon_shed_total{reason="delay"} 2',
      'colophon_shed_total{reason="requests"} 1',
    ],
  );
});

it('counts background tasks that wait, run and end, without the time that they waited', async () => {
  const clock = createManualClock(now);
  const tasks = createTaskTally(clock);
  const notes = tasks.meter('notes');
  notes.started();
  const [first, second] = [notes.enter(), notes.enter()];
  first.begin();
  await clock.advance(40);
  first.end(true);
  second.begin();
  const lines = async () =>
    (await linesOf({ tasks })).filter((line) => line.startsWith('colophon_background') && line.includes('"notes"'));
  assert.deepEqual(
    (await lines()).filter((line) => !line.includes('bucket')),
    [
      'colophon_background_tasks_total{task="notes",outcome="succeeded"} 1',
      'colophon_background_tasks_total{task="notes",outcome="failed"} 0',
      'colophon_background_starts_total{task="notes"} 1',
      'colophon_background_tasks{task="notes",state="waiting"} 0',
      'colophon_background_tasks{task="notes",state="running"} 1',
      'colophon_background_task_duration_seconds_sum{task="notes"} 0.04',
      'colophon_background_task_duration_seconds_count{task="notes"} 1',
    ],
  );
  assert.ok((await lines()).includes('colophon_background_task_duration_seconds_bucket{task="notes",le="0.01"} 0'));
  assert.ok((await lines()).includes('colophon_background_task_duration_seconds_bucket{task="notes",le="0.05"} 1'));
  second.end(false);
  notes.enter().end(false);
  assert.ok((await lines()).includes('colophon_background_tasks_total{task="notes",outcome="failed"} 2'));
  assert.ok((await lines()).includes('colophon_background_tasks{task="notes",state="waiting"} 0'));
});

it('counts queries by whether the index found anything, and how long they took', async () => {
  let elapsed = 0;
  const queries = createQueryTally({ ...createManualClock(now), monotonic: () => elapsed });
  const index = queries.counted({
    search(query) {
      elapsed += 2;
      const hit = { kind: 'doc', key: 'a', title: 'A', section: null, anchor: null, score: 1, excerpt: '' } as const;
      return { hits: query === 'a' ? [hit] : [], rest: null, searchedFor: null };
    },
    resume: () => null,
  });
  index.search('a', { limit: 1 });
  index.search('b', { limit: 1 });
  index.resume('a', new Uint8Array(0), { limit: 1 });
  const lines = (await linesOf({ queries })).filter((line) => line.startsWith('colophon_search'));
  assert.deepEqual(
    lines.filter((line) => !/le="0\.00(01|025|05|5)"|le="0\.0[^0]|le="0\.[1-9]/.test(line)),
    [
      'colophon_search_queries_total{outcome="found"} 1',
      'colophon_search_queries_total{outcome="not_found"} 2',
      'colophon_search_duration_seconds_bucket{le="0.001"} 1',
      'colophon_search_duration_seconds_bucket{le="0.0025"} 3',
      'colophon_search_duration_seconds_bucket{le="+Inf"} 3',
      'colophon_search_duration_seconds_sum 0.004',
      'colophon_search_duration_seconds_count 3',
    ],
  );
});
