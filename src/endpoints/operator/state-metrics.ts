/** Metrics of a running service's state: content, feed, rate limits and store. Each is read when /metrics is requested. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ContentStatus } from '../../content/source.ts';
import type { FeedStatus } from '../../feed/release.ts';
import type { LimitsStatus } from '../../limits/shared-limits.ts';
import type { StoreHealth } from '../../store/store-watch.ts';

export interface ContentReport extends ContentStatus {
  /** The revision that is served, of content and feed together. */
  readonly revision: string;
  /** Number of warnings that the log had when the revision was adopted. */
  readonly warnings: number;
  /** Entries of the revision, by kind. */
  readonly entries: ReadonlyMap<string, { readonly size: number }>;
  /** Number of entries that newer revisions no longer had, by kind. */
  readonly dropped: ReadonlyMap<string, number>;
}

export interface ServiceState {
  content(): ContentReport;
  feed(): FeedStatus;
  limits(): LimitsStatus;
  store(): Promise<StoreHealth>;
  /** The clock's time, in milliseconds since 1970. */
  now(): number;
}

/** Values of a metric, each with its labels. */
type Samples = Iterable<readonly [labels: Readonly<Record<string, string>>, value: number]>;

interface Definition {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** How the values of several processes become one. */
  readonly of?: 'sum' | 'min' | 'max';
  read(): Samples | Promise<Samples>;
}

export function addStateMetrics(registry: Registry, state: ServiceState): void {
  for (const definition of [
    ...contentMetrics(state),
    ...feedMetrics(state),
    ...limitMetrics(state),
    ...storeMetrics(state),
  ]) {
    const { name, help, labels = [], of = 'max', read } = definition;
    const common = { name, help, labelNames: labels, registers: [registry] };
    if (name.endsWith('_total')) {
      new Counter({
        ...common,
        async collect() {
          const samples = await read();
          this.reset();
          for (const [label, value] of samples) this.inc(label, value);
        },
      });
    } else {
      new Gauge({
        ...common,
        aggregator: of,
        async collect() {
          const samples = await read();
          // A gauge without labels is 0 after a reset, so a value that does not exist is removed.
          if (labels.length === 0) this.remove();
          else this.reset();
          for (const [label, value] of samples) this.set(label, value);
        },
      });
    }
  }
}

/** The samples of a metric without labels, which has none while there is no value. */
const single = (value: number | null): Samples => (value === null ? [] : [[{}, value]]);

const contentMetrics = ({ content }: ServiceState): Definition[] => [
  {
    name: 'colophon_content_errors',
    help: 'Errors in the content folder at its last reload.',
    read: () => single(content().errors),
  },
  {
    name: 'colophon_content_last_reload_successful',
    help: '1 when the last reload found no error, otherwise 0.',
    of: 'min',
    read: () => single(content().errors === 0 ? 1 : 0),
  },
  {
    name: 'colophon_content_last_reload_success_timestamp_seconds',
    help: 'When the content folder was last read without an error, in Unix time.',
    of: 'min',
    read() {
      const { lastSuccessAt } = content();
      return single(lastSuccessAt === null ? null : lastSuccessAt / 1000);
    },
  },
  {
    name: 'colophon_content_warnings',
    help: 'Warnings about the revision that is served.',
    read: () => single(content().warnings),
  },
  {
    name: 'colophon_content_reloads_total',
    help: 'Times that the content folder was read, by outcome.',
    labels: ['outcome'],
    read() {
      const { succeeded, failed } = content();
      return [
        [{ outcome: 'succeeded' }, succeeded],
        [{ outcome: 'failed' }, failed],
      ];
    },
  },
  {
    name: 'colophon_content_info',
    help: 'Always 1; the label has the first 12 characters of the revision that is served.',
    labels: ['revision'],
    read: () => [[{ revision: content().revision.slice(0, 12) }, 1]],
  },
  {
    name: 'colophon_content_entries',
    help: 'Entries of the revision that is served, by kind.',
    labels: ['kind'],
    read: () => Array.from(content().entries, ([kind, { size }]) => [{ kind }, size]),
  },
  {
    name: 'colophon_content_dropped_entries_total',
    help: 'Entries that a newer revision no longer had, by kind.',
    labels: ['kind'],
    read: () => Array.from(content().dropped, ([kind, count]) => [{ kind }, count]),
  },
];

const feedMetrics = ({ feed, now }: ServiceState): Definition[] => [
  {
    name: 'colophon_feed_state',
    help: '1 for the state that the feed is in, 0 for the others.',
    labels: ['state'],
    read() {
      const status = feed();
      return (['fresh', 'stale', 'unavailable'] as const).map((state) => [{ state }, status.state === state ? 1 : 0]);
    },
  },
  {
    name: 'colophon_feed_age_seconds',
    help: 'Time since the last successful check of the feed; absent before the first.',
    read() {
      const { checkedAt } = feed();
      return single(checkedAt === null ? null : Math.max(0, now() - checkedAt) / 1000);
    },
  },
];

const limitMetrics = ({ limits }: ServiceState): Definition[] => [
  {
    name: 'colophon_rate_limit_deciding',
    help: '1 for the counters in use, 0 for the others: a shared store, or only this process (local).',
    labels: ['counters'],
    of: 'min',
    read() {
      const { store, isShared } = limits();
      const local = [{ counters: 'local' }, isShared ? 0 : 1] as const;
      return store === null ? [local] : [local, [{ counters: store }, isShared ? 1 : 0]];
    },
  },
  {
    name: 'colophon_rate_limit_store_errors_total',
    help: 'Errors and timeouts of the shared rate-limit store.',
    labels: ['store'],
    read() {
      const { store, errors } = limits();
      return store === null ? [] : [[{ store }, errors]];
    },
  },
];

const storeMetrics = ({ store, now }: ServiceState): Definition[] => [
  {
    name: 'colophon_store_up',
    help: '1 when the store of clients, tokens and jobs responds.',
    of: 'min',
    read: async () => single((await store()).stats === null ? 0 : 1),
  },
  {
    name: 'colophon_store_writable',
    help: '1 when the store can be written; absent while it is down.',
    of: 'min',
    async read() {
      const { stats } = await store();
      return single(stats === null ? null : stats.writeProblem === null ? 1 : 0);
    },
  },
  {
    name: 'colophon_store_connections',
    help: 'Connections of the pool to the database, by state; absent with SQLite.',
    labels: ['state'],
    of: 'sum',
    async read() {
      const pool = (await store()).stats?.pool ?? null;
      if (pool === null) return [];
      return [
        [{ state: 'busy' }, pool.busy],
        [{ state: 'idle' }, pool.open - pool.busy],
      ];
    },
  },
  {
    name: 'colophon_store_waiting',
    help: 'Statements waiting for a connection from the pool.',
    of: 'sum',
    read: async () => single((await store()).stats?.pool?.waiting ?? 0),
  },
  {
    name: 'colophon_jobs',
    help: 'Unfinished export jobs, by state, up to 10,000; absent while the store is down.',
    labels: ['state'],
    async read() {
      const { stats } = await store();
      return stats === null ? [] : Object.entries(stats.jobs).map(([state, count]) => [{ state }, count]);
    },
  },
  {
    name: 'colophon_job_age_seconds',
    help: 'Age of the oldest unfinished export job; 0 when there is none.',
    async read() {
      const oldest = (await store()).stats?.oldestOpenJobAt ?? null;
      return single(oldest === null ? 0 : Math.max(0, now() - oldest) / 1000);
    },
  },
];
