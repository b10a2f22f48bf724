/** Counts requests, queries and background tasks with prom-client as they happen, in one registry for /metrics. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { apiVersion } from '../../base/build.ts';
import type { Clock } from '../../base/clock.ts';
import { type TaskMeter, taskKinds, uncounted } from '../../base/task-tally.ts';
import type { AccessLog } from '../../http/access-log.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { SearchIndex, SearchPage } from '../../search/search.ts';

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
  /** Returns the same index, with its queries counted. */
  countQueries(index: SearchIndex): SearchIndex;
  /** Returns what counts the background tasks of `kind`, and counts nothing for a name that is not a kind. */
  meter(kind: string): TaskMeter;
}

export function createMetrics(clock: Pick<Clock, 'monotonic'>): Metrics {
  const registry = new Registry();
  const counter: AddCounter = (name, help, ...labelNames) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const histogram: AddHistogram = (name, help, buckets, ...labelNames) =>
    new Histogram({ name, help, buckets, labelNames, registers: [registry] });
  const unparsed = counter(
    'colophon_http_unparsed_total',
    'Requests that the HTTP parser rejected, by error code.',
    'code',
  );
  const shed = counter(
    'colophon_shed_total',
    'Requests rejected because the server was overloaded, by reason.',
    'reason',
  );
  new Gauge({
    name: 'colophon_build_info',
    help: 'Always 1; the labels say what is running.',
    labelNames: ['api_version', 'node_version'],
    aggregator: 'first',
    registers: [registry],
  }).set({ api_version: apiVersion, node_version: process.version }, 1);
  let hasProcessMetrics = false;
  return {
    registry,
    readRegistry() {
      if (!hasProcessMetrics) collectDefaultMetrics({ register: registry });
      hasProcessMetrics = true;
      return registry;
    },
    countRequests: createRequestCounter(counter, histogram),
    countUnparsed: (code) => unparsed.inc({ code }),
    countShed: (reason) => shed.inc({ reason }),
    countQueries: createQueryCounter(counter, histogram, clock),
    meter: createTaskMeters(registry, counter, histogram, clock),
  };
}

type AddCounter = <L extends string>(name: string, help: string, ...labels: L[]) => Counter<L>;
type AddHistogram = <L extends string>(name: string, help: string, buckets: number[], ...labels: L[]) => Histogram<L>;

/** Methods that have a label of their own; every other one is `other`, so that callers cannot make the labels grow. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH']);

/** Label children of one route and method, looked up once: looking labels up for each request costs more than counting. */
interface RouteCounter {
  observe(seconds: number): void;
  readonly statuses: Map<number, { inc(): void }>;
}

function createRequestCounter(counter: AddCounter, histogram: AddHistogram): Metrics['countRequests'] {
  const requests = counter(
    'colophon_http_requests_total',
    'Requests by route template, method and status.',
    'route',
    'method',
    'status',
  );
  const durations = histogram(
    'colophon_http_request_duration_seconds',
    'Time from reading a request’s headers to handing over its response.',
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    'route',
    'method',
  );
  const decisions = counter(
    'colophon_rate_limit_decisions_total',
    'What the rate limit decided, by bucket.',
    'bucket',
    'decision',
  );
  const findRoute = createLookup((route: string) =>
    createLookup((method: string): RouteCounter => {
      const statuses = new Map<number, { inc(): void }>();
      return { observe: durations.labels({ route, method }).observe, statuses };
    }),
  );
  const findBucket = createLookup((bucket: string) => ({
    allowed: decisions.labels({ bucket, decision: 'allowed' }),
    refused: decisions.labels({ bucket, decision: 'refused' }),
  }));

  const count = ({ route: template, method: sent, startedAt, endedAt, decision, policy }: Exchange, status: number) => {
    const [route, method] = [template || 'none', methods.has(sent) ? sent : 'other'];
    const { observe, statuses } = findRoute(route)(method);
    observe((endedAt - startedAt) / 1000);
    let byStatus = statuses.get(status);
    if (byStatus === undefined) {
      byStatus = requests.labels({ route, method, status });
      statuses.set(status, byStatus);
    }
    byStatus.inc();
    if (decision !== null) findBucket(policy)[decision.allowed ? 'allowed' : 'refused'].inc();
  };
  return (accessLog) => ({
    ...accessLog,
    write(exchange, status, description) {
      count(exchange, status);
      accessLog.write(exchange, status, description);
    },
  });
}

function createLookup<K, V>(create: (key: K) => V): (key: K) => V {
  const values = new Map<K, V>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) {
      value = create(key);
      values.set(key, value);
    }
    return value;
  };
}

function createQueryCounter(
  counter: AddCounter,
  histogram: AddHistogram,
  clock: Pick<Clock, 'monotonic'>,
): Metrics['countQueries'] {
  const queries = counter(
    'colophon_search_queries_total',
    'Queries that the search index answered, by outcome.',
    'outcome',
  );
  const durations = histogram(
    'colophon_search_duration_seconds',
    'Time that the search index took for a query.',
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
  );
  for (const outcome of ['found', 'not_found']) queries.inc({ outcome }, 0);
  const timed = <T extends SearchPage | null>(find: () => T): T => {
    const startedAt = clock.monotonic();
    const page = find();
    durations.observe((clock.monotonic() - startedAt) / 1000);
    queries.inc({ outcome: page === null || page.hits.length === 0 ? 'not_found' : 'found' });
    return page;
  };
  return (index) => ({
    search: (query, options) => timed(() => index.search(query, options)),
    resume: (query, rest, options) => timed(() => index.resume(query, rest, options)),
  });
}

function createTaskMeters(
  registry: Registry,
  counter: AddCounter,
  histogram: AddHistogram,
  clock: Pick<Clock, 'monotonic'>,
): Metrics['meter'] {
  const ended = counter(
    'colophon_background_tasks_total',
    'Background tasks that ended, by outcome.',
    'task',
    'outcome',
  );
  const starts = counter(
    'colophon_background_starts_total',
    'Processes that were started for background tasks.',
    'task',
  );
  const open = new Gauge({
    name: 'colophon_background_tasks',
    help: 'Background tasks that have not ended, by state.',
    labelNames: ['task', 'state'],
    registers: [registry],
  });
  const durations = histogram(
    'colophon_background_task_duration_seconds',
    'Time that background tasks ran.',
    [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    'task',
  );
  for (const task of taskKinds) {
    for (const outcome of ['succeeded', 'failed']) ended.inc({ task, outcome }, 0);
    for (const state of ['waiting', 'running']) open.set({ task, state }, 0);
    starts.inc({ task }, 0);
    durations.zero({ task });
  }
  const createMeter = (task: string): TaskMeter => ({
    started: () => starts.inc({ task }),
    enter() {
      let begunAt: number | null = null;
      open.inc({ task, state: 'waiting' });
      return {
        begin() {
          begunAt = clock.monotonic();
          open.dec({ task, state: 'waiting' });
          open.inc({ task, state: 'running' });
        },
        end(succeeded) {
          open.dec({ task, state: begunAt === null ? 'waiting' : 'running' });
          if (begunAt !== null) durations.observe({ task }, (clock.monotonic() - begunAt) / 1000);
          ended.inc({ task, outcome: succeeded ? 'succeeded' : 'failed' });
        },
      };
    },
  });
  return (kind) => (taskKinds.some((task) => task === kind) ? createMeter(kind) : uncounted);
}
