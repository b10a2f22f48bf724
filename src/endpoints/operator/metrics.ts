/** Counts requests and background tasks with prom-client as they happen, in one registry for /metrics. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { apiVersion } from '../../base/build.ts';
import { type TaskKind, type TaskMeter, taskKinds } from '../../base/task-tally.ts';
import type { AccessLog } from '../../http/access-log.ts';
import type { Exchange } from '../../http/exchange.ts';

/** The metrics of one process. */
export interface Metrics {
  /**
   * Returns the registry with every metric. The metrics of the process itself, which watch the event loop and the garbage
   * collector, are collected from the first call on.
   */
  readRegistry(): Registry;
  /** The registry without the metrics of the process, for others to add theirs. */
  readonly registry: Registry;
  /** Returns an access log that counts each request and then writes its line to `accessLog`. */
  countRequests(accessLog: AccessLog): AccessLog;
  /** Counts a request that the HTTP parser rejected. */
  countUnparsed(code: string): void;
  /** Counts a request that was rejected because the server was overloaded. */
  countShed(reason: string): void;
  /** Returns the function that counts the background tasks of one kind. */
  meter(kind: TaskKind): TaskMeter;
}

/** Creates the metrics, all of them at 0. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const unparsed = new Counter({
    name: 'colophon_http_unparsed_total',
    help: 'Requests that the HTTP parser rejected, by error code.',
    labelNames: ['code'],
    registers,
  });
  const shed = new Counter({
    name: 'colophon_shed_total',
    help: 'Requests rejected because the server was overloaded, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const tasks = new Counter({
    name: 'colophon_background_tasks_total',
    help: 'Background tasks that ended, by outcome.',
    labelNames: ['task', 'outcome'],
    registers,
  });
  for (const task of taskKinds) {
    for (const outcome of ['succeeded', 'failed']) tasks.inc({ task, outcome }, 0);
  }
  new Gauge({
    name: 'colophon_build_info',
    help: 'Always 1; the labels say what is running.',
    labelNames: ['api_version', 'node_version'],
    aggregator: 'first',
    registers,
  }).set({ api_version: apiVersion, node_version: process.version }, 1);
  const countRequest = createRequestCounter(registry);
  let hasProcessMetrics = false;
  return {
    registry,
    readRegistry() {
      if (!hasProcessMetrics) collectDefaultMetrics({ register: registry });
      hasProcessMetrics = true;
      return registry;
    },
    countRequests: (accessLog) => ({
      ...accessLog,
      write(exchange, status, description) {
        countRequest(exchange, status);
        accessLog.write(exchange, status, description);
      },
    }),
    countUnparsed: (code) => unparsed.inc({ code }),
    countShed: (reason) => shed.inc({ reason }),
    meter: (task) => (succeeded) => tasks.inc({ task, outcome: succeeded ? 'succeeded' : 'failed' }),
  };
}

/** Methods that have a label of their own; every other one is `other`, so that callers cannot make the labels grow. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH']);

function createRequestCounter(registry: Registry): (exchange: Exchange, status: number) => void {
  const registers = [registry];
  // Incrementing a counter of prom-client costs much more than adding to a number, so its counters get their values when they are read.
  const cache = new Map<string, ReturnType<typeof createSeries>>();
  const collect = (): void => {
    for (const series of cache.values()) {
      series.requests.inc(series.count);
      series.decisions?.inc(series.count);
      series.count = 0;
    }
  };
  const requests = new Counter({
    name: 'colophon_http_requests_total',
    help: 'Requests by route template, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
    collect,
  });
  const durations = new Histogram({
    name: 'colophon_http_request_duration_seconds',
    help: 'Time from reading a request’s headers to handing over its response.',
    labelNames: ['route', 'method'],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const decisions = new Counter({
    name: 'colophon_rate_limit_decisions_total',
    help: 'What the rate limit decided, by bucket.',
    labelNames: ['bucket', 'decision'],
    registers,
    collect,
  });
  const createSeries = (route: string, method: string, status: number, bucket: string, decision: string | null) => ({
    requests: requests.labels({ route, method, status }),
    durations: durations.labels({ route, method }),
    decisions: decision === null ? null : decisions.labels({ bucket, decision }),
    count: 0,
  });

  return ({ route, method: sent, startedAt, endedAt, decision, bucket }, status) => {
    const method = methods.has(sent) ? sent : 'other';
    const outcome = decision === null ? null : decision.allowed ? 'allowed' : 'refused';
    const key = `${status} ${method} ${bucket} ${outcome} ${route}`;
    let series = cache.get(key);
    if (series === undefined) {
      series = createSeries(route, method, status, bucket, outcome);
      cache.set(key, series);
    }
    series.count += 1;
    series.durations.observe((endedAt - startedAt) / 1000);
  };
}
