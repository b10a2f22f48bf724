/** Tests /metrics: limits, feed, store and overload, in each of their states. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AggregatorRegistry } from 'prom-client';
import { apiVersion } from '../../../src/base/build.ts';
import { createMetrics, type Metrics } from '../../../src/endpoints/operator/metrics.ts';
import { addStateMetrics, type ServiceState } from '../../../src/endpoints/operator/state-metrics.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

const content = {
  errors: 0,
  revision: 'abcdef012345678',
  warnings: 0,
  entries: new Map(),
  dropped: new Map(),
};

/** Returns the lines of the metrics that begin with `colophon_`, such as `colophon_workers 2`. */
async function readLines(metrics: Metrics): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => line.startsWith('colophon_'));
}

/** Returns the `colophon_` lines of a service in the given state; by default, its feed and store are unavailable. */
function readState(state: Partial<ServiceState>): Promise<string[]> {
  const metrics = createMetrics();
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

const build = `colophon_build_info{api_version="${apiVersion}",node_version="${process.version}"} 1`;

it('the metrics of a starting server have colophon_build_info and nothing of the feed, the store and the limits', async () => {
  const lines = (await readLines(createMetrics())).filter((line) => !/^colophon_background/.test(line));
  assert.deepEqual(lines, [build]);
});

it('colophon_rate_limit_deciding is 1 for the counters that decide and 0 for the others', async () => {
  const readRates = async (limits: ReturnType<ServiceState['limits']>) =>
    (await readState({ limits: () => limits })).filter((line) => line.startsWith('colophon_rate'));
  assert.deepEqual(await readRates({ store: null, isShared: false, errors: 0 }), [
    'colophon_rate_limit_deciding{counters="local"} 1',
  ]);
  assert.deepEqual(await readRates({ store: 'redis', isShared: true, errors: 2 }), [
    'colophon_rate_limit_deciding{counters="local"} 0',
    'colophon_rate_limit_deciding{counters="redis"} 1',
    'colophon_rate_limit_store_errors_total{store="redis"} 2',
  ]);
  assert.deepEqual(await readRates({ store: 'postgresql', isShared: false, errors: 3 }), [
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
          (name) => `colophon_feed_state{state="${name}"} ${name === state ? 1 : 0}`,
        ),
        'colophon_feed_age_seconds 1.5',
      ],
    );
  }
  // The clock of the machine was set back after the last check, so the check is in the future.
  const feed = { state: 'fresh', problem: null, checkedAt: now + 1000, retryAfterSeconds: 5 } as const;
  assert.ok((await readState({ feed: () => feed })).includes('colophon_feed_age_seconds 0'));
});

it('the metrics of a SQLite store have colophon_job_age_seconds but no colophon_store_connections', async () => {
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

it('colophon_http_unparsed_total and colophon_shed_total count the requests that were rejected before routing', async () => {
  const metrics = createMetrics();
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

it('colophon_background_tasks_total counts the tasks of a kind by whether they succeeded', async () => {
  const metrics = createMetrics();
  const count = metrics.meter('notes');
  count(true);
  count(false);
  count(false);
  const lines = (await readLines(metrics)).filter((line) => line.includes('"notes"') || line.includes('"index"'));
  assert.deepEqual(lines, [
    'colophon_background_tasks_total{task="notes",outcome="succeeded"} 1',
    'colophon_background_tasks_total{task="notes",outcome="failed"} 2',
    'colophon_background_tasks_total{task="index",outcome="succeeded"} 0',
    'colophon_background_tasks_total{task="index",outcome="failed"} 0',
  ]);
});

it('the aggregated metrics of several processes have the sum of their counts and the worst of their states', async () => {
  const stats = { writeProblem: null, jobs: { queued: 2, running: 0 }, oldestOpenJobAt: null };
  const pool = { open: 3, busy: 1, waiting: 4 };
  const processes = [
    { shed: 1, isShared: true, age: 1000, health: { problem: null, stats: { ...stats, pool } } },
    { shed: 2, isShared: false, age: 3000, health: { problem: 'down', stats: null } },
    { shed: 0, isShared: true, age: 2000, health: { problem: null, stats: { ...stats, pool } } },
  ].map(({ shed, isShared, age, health }) => {
    const metrics = createMetrics();
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
