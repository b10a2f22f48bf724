/** The service's state in Prometheus' text format, put together only when somebody asks for it. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { TaskTally } from '../../base/task-tally.ts';
import type { QueryTally } from '../../catalog/query-tally.ts';
import type { FeedStatus } from '../../feed/release.ts';
import type { RouteTally, Tally } from '../../http/tally.ts';
import type { LimitsStatus } from '../../limits/shared-limits.ts';
import type { StoreStats } from '../../store/store.ts';
import type { StoreHealth } from '../../store/store-watch.ts';
import { addBackground, addQueries, backgroundDurations, queryDurations } from './background-metrics.ts';
import { addContent, type ContentReport } from './content-metrics.ts';
import { histogram } from './histogram.ts';

export interface MetricsOptions {
  readonly requests: Tally;
  readonly tasks: TaskTally;
  readonly queries: QueryTally;
  readonly apiVersion: string;
  /** Null until it has been read. */
  content(): ContentReport | null;
  /** Null until the feed has been asked. */
  feed(): FeedStatus | null;
  /** Null until there are limits. */
  limits(): LimitsStatus | null;
  /** Null until it is opened. */
  store(): Promise<StoreHealth> | null;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Watches the event loop and the garbage collector from now on; everything else is read from counts at each call. */
export function createMetrics(options: MetricsOptions): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addCounts(registry, options.requests);
  addQueries(registry, options.queries);
  addContent(registry, options.content);
  addBackground(registry, options.tasks);
  addFeed(registry, options);
  addLimits(registry, options);
  addStore(registry, options);
  new Gauge({
    name: 'colophon_build_info',
    help: 'Always 1; the labels say what is running.',
    labelNames: ['api_version', 'node_version'],
    registers: [registry],
  }).set({ api_version: options.apiVersion, node_version: process.version }, 1);
  // Written apart, since prom-client's histogram can only count on the request's own path.
  return async () =>
    (await registry.metrics()) +
    requestDurations(options.requests) +
    queryDurations(options.queries) +
    backgroundDurations(options.tasks);
}

function addCounts(registry: Registry, { routes, limits, unparsed, shed }: Tally): void {
  new Counter({
    name: 'colophon_http_requests_total',
    help: 'Requests by route template, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { route, method, tally } of series(routes)) {
        for (const [status, count] of tally.statuses) this.inc({ route, method, status }, count);
      }
    },
  });
  new Counter({
    name: 'colophon_http_unparsed_total',
    help: 'Requests that the HTTP parser rejected, by error code.',
    labelNames: ['code'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [code, count] of unparsed) this.inc({ code }, count);
    },
  });
  new Counter({
    name: 'colophon_shed_total',
    help: 'Requests rejected because the server was overloaded, by reason.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of shed) this.inc({ reason }, count);
    },
  });
  new Counter({
    name: 'colophon_rate_limit_decisions_total',
    help: 'What the rate limit decided, by bucket.',
    labelNames: ['bucket', 'decision'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [bucket, { allowed, refused }] of limits) {
        this.inc({ bucket, decision: 'allowed' }, allowed);
        this.inc({ bucket, decision: 'refused' }, refused);
      }
    },
  });
}

function addLimits(registry: Registry, { limits }: MetricsOptions): void {
  new Gauge({
    name: 'colophon_rate_limit_deciding',
    help: '1 for the counters in use, 0 for the others: a shared store, or only this process (local).',
    labelNames: ['counters'],
    registers: [registry],
    collect() {
      this.reset();
      const status = limits();
      if (status === null) return;
      this.set({ counters: 'local' }, status.isShared ? 0 : 1);
      if (status.store !== null) this.set({ counters: status.store }, status.isShared ? 1 : 0);
    },
  });
  new Counter({
    name: 'colophon_rate_limit_store_errors_total',
    help: 'Errors and timeouts of the shared rate-limit store.',
    labelNames: ['store'],
    registers: [registry],
    collect() {
      this.reset();
      const status = limits();
      if (status !== null && status.store !== null) this.inc({ store: status.store }, status.errors);
    },
  });
}

function addFeed(registry: Registry, { feed, now }: MetricsOptions): void {
  new Gauge({
    name: 'colophon_feed_state',
    help: '1 for the state that the feed is in, 0 for the others.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const status = feed();
      for (const state of ['fresh', 'stale', 'unavailable'] as const) {
        this.set({ state }, status?.state === state ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: 'colophon_feed_age_seconds',
    help: 'Time since the last successful check of the feed; absent before the first.',
    registers: [registry],
    collect() {
      this.reset();
      const checkedAt = feed()?.checkedAt ?? null;
      if (checkedAt === null) this.remove();
      else this.set(Math.max(0, now() - checkedAt) / 1000);
    },
  });
}

function addStore(registry: Registry, { store, now }: MetricsOptions): void {
  const statsNow = async (): Promise<StoreStats | null> => (await store())?.stats ?? null;
  new Gauge({
    name: 'colophon_store_up',
    help: '1 when the store of clients, tokens and jobs responds.',
    registers: [registry],
    async collect() {
      this.set((await statsNow()) === null ? 0 : 1);
    },
  });
  new Gauge({
    name: 'colophon_store_writable',
    help: '1 when the store can be written; absent while it is down.',
    registers: [registry],
    async collect() {
      const stats = await statsNow();
      this.remove();
      if (stats !== null) this.set(stats.writeProblem === null ? 1 : 0);
    },
  });
  new Gauge({
    name: 'colophon_store_connections',
    help: 'Connections of the pool to the database, by state; absent with SQLite.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const pool = (await statsNow())?.pool ?? null;
      this.reset();
      if (pool === null) return;
      this.set({ state: 'busy' }, pool.busy);
      this.set({ state: 'idle' }, pool.open - pool.busy);
    },
  });
  new Gauge({
    name: 'colophon_store_waiting',
    help: 'Statements waiting for a connection from the pool.',
    registers: [registry],
    async collect() {
      this.set((await statsNow())?.pool?.waiting ?? 0);
    },
  });
  new Gauge({
    name: 'colophon_jobs',
    help: 'Unfinished export jobs, by state, up to 10,000; absent while the store is down.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const stats = await statsNow();
      this.reset();
      for (const [state, count] of Object.entries(stats?.jobs ?? {})) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'colophon_job_age_seconds',
    help: 'Age of the oldest unfinished export job; 0 when there is none.',
    registers: [registry],
    async collect() {
      const oldest = (await statsNow())?.oldestOpenJobAt ?? null;
      this.set(oldest === null ? 0 : Math.max(0, now() - oldest) / 1000);
    },
  });
}

const requestDurations = ({ routes }: Tally): string =>
  histogram({
    name: 'colophon_http_request_duration_seconds',
    help: 'Time from reading a request’s headers to handing over its response.',
    series: Array.from(series(routes), ({ route, method, tally }) => ({
      labels: `route=${JSON.stringify(route)},method="${method}"`,
      durations: tally.durations,
    })),
  });

function* series(routes: Tally['routes']): Generator<{ route: string; method: string; tally: RouteTally }> {
  for (const [route, byMethod] of routes) for (const [method, tally] of byMethod) yield { route, method, tally };
}
