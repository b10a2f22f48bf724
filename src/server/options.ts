/** What a server is started with, and what it can do once it runs. */
import type { Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/environment.ts';
import type { Serving } from '../endpoints/operator/admin.ts';
import type { DevPage } from '../endpoints/operator/dev-page.ts';
import type { CountedSearches } from '../endpoints/operator/search-counts.ts';
import type { Feed } from '../feed/feed.ts';
import type { Timeouts } from '../http/listener.ts';
import type { LoadBounds } from '../http/load.ts';
import type { ApiVersion } from '../operations/versions.ts';
import type { Store } from '../store/store.ts';
import type { Workers } from '../worker/pool.ts';

export interface ServerOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** Gets whole access lines, and keeps the buffer. */
  readonly accessSink: (lines: Buffer) => void;
  /** Stands between the service and where clients, tokens and jobs are kept; a test may count or refuse. */
  readonly wrapStore?: (store: Store) => Store;
  /** The API's versions; a test may deprecate one. */
  readonly versions?: readonly ApiVersion[];
  /** How long requests may take to end once the server is closing, in milliseconds; 10 seconds unless told. */
  readonly drainMs?: number;
  /** Where `colophon dev` shows faults; there is none otherwise. */
  readonly devPage?: DevPage;
  /** Bounds of the listener, shorter in tests. */
  readonly timeouts?: Timeouts;
  /** When requests are refused because there are too many, lower in tests. */
  readonly loadBounds?: Partial<LoadBounds>;
  /** How long after a revision its pages are rendered ahead, in milliseconds; 2 seconds unless told, null for not at all. */
  readonly aheadMs?: number | null;
  /** Runs work outside the event loop. If unset, the server starts its own threads and ends them when it closes. */
  readonly workers?: Workers;
  /** How long a request waits for the shared rate limits, in milliseconds; longer in tests on a busy machine. */
  readonly limitsDeadlineMs?: number;
}

export interface RunningServer {
  readonly baseUrl: string;
  /** Where it listens, which a proxy may stand before. */
  readonly listenUrl: string;
  /** Where the operator asks for /livez, /readyz, /metrics and /searches; null when that is off. */
  readonly adminUrl: string | null;
  readonly productName: string;
  /** Asks the feed now, whatever its interval. */
  checkFeed(): ReturnType<Feed['check']>;
  /** The revision that is served now. */
  revision(): string;
  /** What /readyz is told. */
  serving(): Promise<Serving>;
  /** Returns the searches that this process counted. */
  searches(): CountedSearches;
  /** Returns the registry whose metrics /metrics has. */
  readMetrics(): Registry;
  /**
   * Ends: /readyz says so, after the drain delay no connection is taken any more, and requests under way get the drain time.
   * `atOnce` leaves the delay out.
   */
  close(how?: { readonly atOnce?: boolean }): Promise<void>;
}

/** A running service, without what it reports of itself. */
export type Served = Omit<RunningServer, 'readMetrics'>;

/** How long requests may take to end once no connection is taken any more, in milliseconds. */
export const drainMs = 10_000;
