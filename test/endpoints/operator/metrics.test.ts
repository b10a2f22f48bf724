/** What /metrics says of limits, feed, store and overload, in every state that they can be in. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AggregatorRegistry } from 'prom-client';
import type { Clock } from '../../../src/base/clock.ts';
import { createMetrics, type Metrics } from '../../../src/endpoints/operator/metrics.ts';
import { addStateMetrics, type ServiceState } from '../../../src/endpoints/operator/state-metrics.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

const content = {
  errors: 0,
  succeeded: 1,
  failed: 0,
  lastSuccessAt: now,
  revision: 'abcdef012345678',
  warnings: 0,
  entries: new Map(),
  dropped: new Map(),
};

/** The lines about the service itself, without those that explain them. */
async function readLines(metrics: Metrics): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => line.startsWith('colophon_'));
}

const start = (clock: Pick<Clock, 'monotonic'> = createManualClock(now)) => createMetrics(clock);

/** The lines of a service in a state. */
function readState(state: Partial<ServiceState>): Promise<string[]> {
  const metrics = start();
  addStateMetrics(metrics.registry, {
    content: () => content,
    feed: () => ({ state: 'unavailable', problem: null, checkedAt: null, retryAfterSeconds: 5 }),
    limits: () => ({ store: null, isShared: false, errors: 0 }),
    store: async () => ({ problem: 'down', stats: null }),
    now: () => now,
    ...state,
  });
  return readLines(metrics);
}

const build = `colophon_build_info{api_version="2026-11-21",node_version="${process.version}"} 1`;

it('a server that is starting has counts of its own, and none of feed, store and limits', async () => {
  const others = (await readLines(start())).filter((line) => !/^colophon_(background|search_)/.test(line));
  assert.deepEqual(others, [build]);
});

it('colophon_rate_limit_deciding says which counters decide', async () => {
  const rates = async (limits: ReturnType<ServiceState['limits']>) =>
    (await readState({ limits: () => limits })).filter((line) => line.startsWith('colophon_rate'));
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

it('colophon_feed_state has the state of the feed, and colophon_feed_age_seconds the age of its last good check', async () => {
  for (const state of ['fresh', 'stale', 'unavailable'] as const) {
    const feed = { state, problem: null, checkedAt: now - 1500, retryAfterSeconds: 5 };
    assert.deepEqual(
      (await readState({ feed: () => feed })).filter((line) => line.startsWith('colophon_feed')),
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
  assert.ok((await readState({ feed: () => ahead })).includes('colophon_feed_age_seconds 0'));
});

it('a store in a file has no connections, and the age of its oldest open job', async () => {
  const stats = { writeProblem: null, jobs: { queued: 1, running: 0 }, oldestOpenJobAt: now - 2500, pool: null };
  const lines = await readState({ store: async () => ({ problem: null, stats }) });
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

it('colophon_http_unparsed_total and colophon_shed_total count what was refused before it had a route', async () => {
  const metrics = start();
  metrics.countShed('delay');
  metrics.countShed('delay');
  metrics.countShed('requests');
  metrics.countUnparsed('invalid_request');
  const lines = await readLines(metrics);
  assert.deepEqual(
    lines.filter((line) => /unparsed|shed/.test(line)),
    [
      'colophon_http_unparsed_total{code="invalid_request"} 1',
      'colophon_shed_total{reason="delay"} 2',
      'colophon_shed_total{reason="requests"} 1',
    ],
  );
});

it('colophon_background metrics count tasks that wait, run and end, without the time that they waited', async () => {
  const clock = createManualClock(now);
  const metrics = start(clock);
  const notes = metrics.meter('notes');
  notes.started();
  const [first, second] = [notes.enter(), notes.enter()];
  first.begin();
  await clock.advance(40);
  first.end(true);
  second.begin();
  const lines = async () =>
    (await readLines(metrics)).filter((line) => line.startsWith('colophon_background') && line.includes('"notes"'));
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
  assert.ok((await lines()).includes('colophon_background_task_duration_seconds_bucket{le="0.01",task="notes"} 0'));
  assert.ok((await lines()).includes('colophon_background_task_duration_seconds_bucket{le="0.05",task="notes"} 1'));
  second.end(false);
  notes.enter().end(false);
  assert.ok((await lines()).includes('colophon_background_tasks_total{task="notes",outcome="failed"} 2'));
  assert.ok((await lines()).includes('colophon_background_tasks{task="notes",state="waiting"} 0'));
});

it('colophon_search metrics count queries by whether the index found anything, and how long they took', async () => {
  let elapsed = 0;
  const metrics = start({ monotonic: () => elapsed });
  const index = metrics.countQueries({
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
  const lines = (await readLines(metrics)).filter((line) => line.startsWith('colophon_search'));
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

it('the metrics of several processes add counts up and keep the worst state', async () => {
  const stats = { writeProblem: null, jobs: { queued: 2, running: 0 }, oldestOpenJobAt: null };
  const pool = { open: 3, busy: 1, waiting: 4 };
  const processes = [
    { shed: 1, isShared: true, age: 1000, health: { problem: null, stats: { ...stats, pool } } },
    { shed: 2, isShared: false, age: 3000, health: { problem: 'down', stats: null } },
    { shed: 0, isShared: true, age: 2000, health: { problem: null, stats: { ...stats, pool } } },
  ].map(({ shed, isShared, age, health }) => {
    const metrics = start();
    for (let count = 0; count < shed; count += 1) metrics.countShed('delay');
    addStateMetrics(metrics.registry, {
      content: () => content,
      feed: () => ({ state: 'fresh', problem: null, checkedAt: now - age, retryAfterSeconds: 5 }),
      limits: () => ({ store: 'redis', isShared, errors: 2 }),
      store: async () => health,
      now: () => now,
    });
    return metrics.registry.getMetricsAsJSON();
  });
  const text = await AggregatorRegistry.aggregate(await Promise.all(processes)).metrics();
  const lines = text.split('\n');
  for (const expected of [
    build,
    'colophon_shed_total{reason="delay"} 3',
    'colophon_rate_limit_store_errors_total{store="redis"} 6',
    'colophon_rate_limit_deciding{counters="redis"} 0',
    'colophon_feed_age_seconds 3',
    'colophon_feed_state{state="fresh"} 1',
    'colophon_content_info{revision="abcdef012345"} 1',
    'colophon_store_up 0',
    'colophon_store_writable 1',
    'colophon_store_waiting 8',
    'colophon_store_connections{state="busy"} 2',
    'colophon_jobs{state="queued"} 2',
  ]) {
    assert.ok(lines.includes(expected), `${expected} is in:\n${text}`);
  }
});
