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
  /** Counts a request that the HTTP parser rejected; `code` is the code of Node's error. */
  countUnparsed(code: string): void;
  /** Counts a request that was rejected because the server was overloaded; `reason` becomes a label. */
  countShed(reason: string): void;
  /** Returns the function that counts the background tasks of one kind. */
  meter(kind: TaskKind): TaskMeter;
}

/** Creates the metrics, with nothing counted yet. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const unparsedRequests = new Counter({
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
    countUnparsed: (code) => unparsedRequests.inc({ code }),
    countShed: (reason) => shed.inc({ reason }),
    meter: (task) => (hasSucceeded) => tasks.inc({ task, outcome: hasSucceeded ? 'succeeded' : 'failed' }),
  };
}

/** Methods that have a label of their own; every other one is `other`, so that callers cannot make the labels grow. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH']);

/** Upper bounds of the buckets of response times, in seconds. */
const durationBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The requests that have their labels in common. */
interface RequestSeries {
  readonly labels: { readonly route: string; readonly method: string; readonly status: number };
  /** The bucket of the rate limit, such as `pages`, which a request without a decision has too. */
  readonly bucket: string;
  /** Decision of the rate limit, or null for a request that no limit counts. */
  readonly decision: 'allowed' | 'refused' | null;
  /** Number of requests whose time is at most the bound of the same index and above the one before; the last has no bound. */
  readonly durations: number[];
  totalSeconds: number;
}

/**
 * Adds the metrics of requests to the registry, and returns the function that counts a request whose `endedAt` is set. prom-client
 * checks and hashes the labels for each value, which costs 6 % of a prepared GET, so requests are counted as numbers, and its
 * metrics get their values when they are read.
 */
function createRequestCounter(registry: Registry): (exchange: Exchange, status: number) => void {
  const registers = [registry];
  const seriesByRoute = new Map<string, RequestSeries[]>();
  const listSeries = (): RequestSeries[] => [...seriesByRoute.values()].flat();
  new Counter({
    name: 'colophon_http_requests_total',
    help: 'Requests by route template, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
    collect() {
      this.reset();
      for (const { labels, durations } of listSeries()) this.inc(labels, addUp(durations));
    },
  });
  new Counter({
    name: 'colophon_rate_limit_decisions_total',
    help: 'What the rate limit decided, by bucket.',
    labelNames: ['bucket', 'decision'],
    registers,
    collect() {
      this.reset();
      for (const { bucket, decision, durations } of listSeries()) {
        if (decision !== null) this.inc({ bucket, decision }, addUp(durations));
      }
    },
  });
  const name = 'colophon_http_request_duration_seconds';
  const help = 'Time from reading a request’s headers to handing over its response.';
  // The registry calls `getForPromString` of a Histogram, which the types lack, so `get` of a Counter returns the values.
  const histogram = new Histogram({ name, help, registers: [] });
  new Counter({ name, help, registers }).get = async () => ({
    ...(await histogram.get()),
    values: listHistogramValues(name, listSeries()),
  });

  return ({ route, method: sent, startedAt, endedAt, decision: rate, bucket }, status) => {
    const method = methods.has(sent) ? sent : 'other';
    const decision = rate === null ? null : rate.allowed ? 'allowed' : 'refused';
    const candidates = seriesByRoute.get(route) ?? [];
    let series = candidates.find(
      (each) =>
        each.labels.status === status &&
        each.bucket === bucket &&
        each.decision === decision &&
        each.labels.method === method,
    );
    if (series === undefined) {
      const none = Array.from({ length: durationBounds.length + 1 }, () => 0);
      series = { labels: { route, method, status }, bucket, decision, durations: none, totalSeconds: 0 };
      seriesByRoute.set(route, [...candidates, series]);
    }
    const seconds = (endedAt - startedAt) / 1000;
    let index = durationBounds.findIndex((bound) => seconds <= bound);
    if (index === -1) index = durationBounds.length;
    series.durations[index] = (series.durations[index] ?? 0) + 1;
    series.totalSeconds += seconds;
  };
}

/**
 * Returns the samples of a histogram in the format of Prometheus, by route and method: `<name>_bucket`, whose label `le` is its
 * upper bound and which contains those before it, `<name>_sum` in seconds, and `<name>_count`.
 */
function listHistogramValues(name: string, all: readonly RequestSeries[]) {
  const byLabels = Map.groupBy(all, ({ labels }) => `${labels.route} ${labels.method}`);
  return [...byLabels.values()].flatMap((group) => {
    const { route = '', method = '' } = group[0]?.labels ?? {};
    const labels = { route, method };
    const countBelow = (end: number) => addUp(group.flatMap(({ durations }) => durations.slice(0, end)));
    const buckets = [...durationBounds, '+Inf'].map((le, index) => ({
      metricName: `${name}_bucket`,
      labels: { le, ...labels },
      value: countBelow(index + 1),
    }));
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: addUp(group.map(({ totalSeconds }) => totalSeconds)) },
      { metricName: `${name}_count`, labels, value: countBelow(durationBounds.length + 1) },
    ];
  });
}

const addUp = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
