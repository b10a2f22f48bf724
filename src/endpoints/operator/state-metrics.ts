/** Metrics of a running service's state: content, feed, rate limits and store. Each is read when /metrics is requested. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ContentStatus } from '../../content/source.ts';
import type { FeedStatus } from '../../feed/release.ts';
import type { LimitsStatus } from '../../limits/shared-limits.ts';
import type { StoreHealth } from '../../store/store-watch.ts';

/** The state of the content. */
export interface ContentReport extends ContentStatus {
  /** The revision that is served, of content and feed together. */
  readonly revision: string;
  /** Number of warnings that were logged when the revision was adopted. */
  readonly warnings: number;
  /** The entries of the revision by kind, of which only the number is read. */
  readonly entries: ReadonlyMap<string, { readonly size: number }>;
  /** Number of entries that newer revisions no longer had, by kind. */
  readonly dropped: ReadonlyMap<string, number>;
}

/** The functions that read the state of the service; a scrape fails if one of them throws or rejects. */
export interface ServiceState {
  content(): ContentReport;
  feed(): FeedStatus;
  limits(): LimitsStatus;
  store(): Promise<StoreHealth>;
  /** Returns the clock's time, in milliseconds since 1970. */
  now(): number;
}

/** A value of a metric with its labels. */
type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Returns the samples of a metric, or the value of a metric without labels; null if it has no value, and then no line. */
type Read = () => readonly Sample[] | number | null | Promise<readonly Sample[] | number | null>;

interface Details {
  readonly labels?: readonly string[];
  /** How the values of several processes become one gauge; counters are added up. @defaultValue 'max' */
  readonly aggregator?: 'sum' | 'min' | 'max';
}

type Add = (name: string, help: string, read: Read, details?: Details) => void;

/**
 * Adds the metrics of content, feed, rate limits and store to a registry; they read `state` at each scrape, which rejects if
 * `state` does.
 */
export function addStateMetrics(registry: Registry, state: ServiceState): void {
  const register =
    (Metric: typeof Gauge | typeof Counter): Add =>
    (name, help, read, { labels = [], aggregator = 'max' } = {}) => {
      const metric = new Metric({
        name,
        help,
        labelNames: labels,
        registers: [registry],
        ...(Metric === Gauge && { aggregator }),
        async collect() {
          const value = await read();
          const samples = typeof value === 'number' ? [[{}, value] as const] : (value ?? []);
          metric.reset();
          // A metric without labels is 0 after a reset, so a value that does not exist is removed.
          if (labels.length === 0) metric.remove();
          for (const [label, count] of samples) metric.inc(label, count);
        },
      });
    };
  const [gauge, counter] = [register(Gauge), register(Counter)];
  addContent(state, gauge, counter);
  addFeed(state, gauge);
  addLimits(state, gauge, counter);
  addStore(state, gauge);
}

function addContent({ content }: ServiceState, gauge: Add, counter: Add): void {
  gauge('colophon_content_errors', 'Errors in the content folder at its last reload.', () => content().errors);
  gauge('colophon_content_warnings', 'Warnings about the revision that is served.', () => content().warnings);
  gauge(
    'colophon_content_info',
    'Always 1; the label has the first 12 characters of the revision that is served.',
    () => [[{ revision: content().revision.slice(0, 12) }, 1]],
    { labels: ['revision'] },
  );
  gauge(
    'colophon_content_entries',
    'Entries of the revision that is served, by kind.',
    () => Array.from(content().entries, ([kind, { size }]): Sample => [{ kind }, size]),
    { labels: ['kind'] },
  );
  counter(
    'colophon_content_dropped_entries_total',
    'Entries that a newer revision no longer had, by kind.',
    () => Array.from(content().dropped, ([kind, count]): Sample => [{ kind }, count]),
    { labels: ['kind'] },
  );
}

function addFeed({ feed, now }: ServiceState, gauge: Add): void {
  const states = ['fresh', 'stale', 'unavailable'] as const;
  gauge(
    'colophon_feed_state',
    '1 for the state that the feed is in, 0 for the others.',
    () => states.map((state): Sample => [{ state }, feed().state === state ? 1 : 0]),
    { labels: ['state'] },
  );
  gauge('colophon_feed_age_seconds', 'Time since the last successful check of the feed; absent before the first.', () =>
    computeAge(feed().checkedAt, now()),
  );
}

function addLimits({ limits }: ServiceState, gauge: Add, counter: Add): void {
  gauge(
    'colophon_rate_limit_deciding',
    '1 for the counters in use, 0 for the others: a shared store, or only this process (local).',
    () => {
      const { store, isShared } = limits();
      const local: Sample = [{ counters: 'local' }, isShared ? 0 : 1];
      return store === null ? [local] : [local, [{ counters: store }, isShared ? 1 : 0]];
    },
    { labels: ['counters'], aggregator: 'min' },
  );
  counter(
    'colophon_rate_limit_store_errors_total',
    'Errors and timeouts of the shared rate-limit store.',
    () => {
      const { store, errors } = limits();
      return store === null ? [] : [[{ store }, errors]];
    },
    { labels: ['store'] },
  );
}

function addStore({ store, now }: ServiceState, gauge: Add): void {
  const readStats = async () => (await store()).stats;
  gauge(
    'colophon_store_up',
    '1 when the store of clients, tokens and jobs responds.',
    async () => ((await readStats()) === null ? 0 : 1),
    { aggregator: 'min' },
  );
  gauge(
    'colophon_store_writable',
    '1 when the store can be written; absent while it is down.',
    async () => {
      const stats = await readStats();
      return stats === null ? null : stats.writeProblem === null ? 1 : 0;
    },
    { aggregator: 'min' },
  );
  gauge(
    'colophon_store_connections',
    'Connections of the pool to the database, by state; absent with SQLite.',
    async () => {
      const pool = (await readStats())?.pool ?? null;
      return pool && [[{ state: 'busy' }, pool.busy] as const, [{ state: 'idle' }, pool.open - pool.busy] as const];
    },
    { labels: ['state'], aggregator: 'sum' },
  );
  gauge(
    'colophon_store_waiting',
    'Statements waiting for a connection from the pool.',
    async () => (await readStats())?.pool?.waiting ?? 0,
    { aggregator: 'sum' },
  );
  gauge(
    'colophon_jobs',
    'Unfinished export jobs, by state, up to 10,000; absent while the store is down.',
    async () => {
      const stats = await readStats();
      return stats && Object.entries(stats.jobs).map(([state, count]): Sample => [{ state }, count]);
    },
    { labels: ['state'] },
  );
  gauge('colophon_job_age_seconds', 'Age of the oldest unfinished export job; 0 when there is none.', async () =>
    computeAge((await readStats())?.oldestOpenJobAt ?? now(), now()),
  );
}

const toSeconds = (milliseconds: number | null): number | null => (milliseconds === null ? null : milliseconds / 1000);

/** Returns the seconds from `time` to `now`, both in milliseconds since 1970: 0 if the clock was set back since, null for null. */
const computeAge = (time: number | null, now: number): number | null =>
  toSeconds(time === null ? null : Math.max(0, now - time));
