/** The options of a server, the dependencies that a test or a benchmark may replace, and the interface of a running server. */
import type { Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config/environment.ts';
import type { loadContent } from '../content/load.ts';
import type { Serving } from '../endpoints/operator/admin.ts';
import type { DevPage } from '../endpoints/operator/dev-page.ts';
import type { Metrics } from '../endpoints/operator/metrics.ts';
import type { CountedSearches, SearchCounts } from '../endpoints/operator/search-counts.ts';
import type { Feed } from '../feed/feed.ts';
import type { Timeouts } from '../http/listener.ts';
import type { LoadBounds } from '../http/load.ts';
import type { ApiVersion } from '../operations/versions.ts';
import type { Store } from '../store/store.ts';
import type { Workers } from '../worker/pool.ts';

/** The options of a server. */
export interface ServerOptions {
  readonly config: Config;
  readonly log: Log;
  /** Receives whole access lines, and keeps the buffer. Tests pass their own, so the server decides what is logged. */
  readonly accessSink: (lines: Buffer) => void;
  /** Shows the faults of a content folder in `colophon dev`. */
  readonly devPage?: DevPage;
  /** Whether the pages are for a snapshot, which leaves out everything that needs a server. */
  readonly isSnapshot?: boolean;
}

/** The world around a server. Commands use the defaults. */
export interface Dependencies {
  readonly clock: Clock;
  /** Returns the store of clients, tokens and jobs, from the one that the configuration names. */
  readonly store: (configuredStore: Store) => Store;
  /** Runs work outside the event loop. If null, the server starts worker processes of its own; it ends only these. */
  readonly workers: Workers | null;
  readonly versions: readonly ApiVersion[];
  /** Reads a content folder at the start. */
  readonly loadContent: typeof loadContent;
  readonly limits: ServerLimits;
}

/** Limits in time and number that no setting changes. */
export interface ServerLimits {
  /** How long requests in progress may take to end at a shutdown, in milliseconds. */
  readonly drainMs: number;
  /** How long after the start the search index and dates are prepared, in milliseconds, or null for not before they are needed. */
  readonly prepareMs: number | null;
  /** Timeouts of the listener, which has defaults. */
  readonly timeouts?: Timeouts;
  /** The bounds beyond which requests are rejected because there are too many; `LoadBounds` has the defaults. */
  readonly load?: Partial<LoadBounds>;
  /** How long a request waits for the shared rate limits, in milliseconds. @defaultValue 100 */
  readonly sharedLimitsMs?: number;
}

/** The options and parts that every step of a start uses. */
export interface Start extends ServerOptions, Dependencies {
  readonly metrics: Metrics;
  readonly searches: SearchCounts;
  /** The steps that end what was started so far, the last one first. */
  readonly ending: AsyncDisposableStack;
}

/** A server that listens. */
export interface RunningServer {
  /** The public origin, without a slash at its end: BASE_URL, or `listenUrl` if it is not set. */
  readonly baseUrl: string;
  /** The origin that the server listens at, `http://HOST:PORT`, which a proxy may be in front of. */
  readonly listenUrl: string;
  /** The origin of /livez, /readyz, /metrics and /searches, or null if they are off or their usual port was in use. */
  readonly adminUrl: string | null;
  readonly productName: string;
  /**
   * Checks the feed now, whatever its interval, and resolves with the outcome as `CheckResult`; never rejects. A process that does
   * not lead a shared feed only looks for a newer copy.
   */
  checkFeed(): ReturnType<Feed['check']>;
  /** Returns the revision that is served now, as in `Catalog.revision`. */
  revision(): string;
  /** Returns the catalog that is served now. */
  catalog(): Catalog;
  /** Returns the state of the service, from which /readyz makes its response. Never rejects. */
  serving(): Promise<Serving>;
  /** Returns the searches that this process counted. */
  searches(): CountedSearches;
  /** Returns the registry whose metrics /metrics has. */
  readMetrics(): Registry;
  /**
   * Ends the server, and resolves when all has ended: /readyz returns 503, after the drain delay no connection is accepted anymore,
   * and requests in progress get the drain time (`ServerLimits.drainMs`). With `atOnce` there is no delay. It may be called again,
   * and `atOnce` then also ends the delay of an earlier call.
   */
  close(how?: { readonly atOnce?: boolean }): Promise<void>;
}

/** How long requests may take to end once no connection is accepted anymore, in milliseconds. */
export const drainMs = 10_000;
