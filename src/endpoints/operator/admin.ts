/** The operator's own listener, apart from the public one: /livez, /readyz, /metrics and /searches. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { findNearMisses, writeDidYouMean } from '../../base/near-miss.ts';
import { getMessage } from '../../base/thrown.ts';
import type { ContentStatus } from '../../content/source.ts';
import type { FeedStatus } from '../../feed/release.ts';
import { createPrivateHeaders } from '../../http/common-headers.ts';
import { createHttpServer, getOrigin } from '../../http/http-server.ts';
import type { LimitsStatus } from '../../limits/shared-limits.ts';
import type { StoreHealth } from '../../store/store-watch.ts';
import { type CountedSearches, createSearchReport } from './search-counts.ts';

/** The state of a service that serves requests. */
export interface Serving {
  /** The revision of the content that is served. */
  readonly revision: string;
  readonly content: Pick<ContentStatus, 'errors'>;
  readonly feed: FeedStatus;
  readonly store: StoreHealth;
  /** The state of the rate limits, or null if it is not known. */
  readonly limits: LimitsStatus | null;
  /** Warnings about settings to reconsider, one text each. */
  readonly settings: readonly string[];
  /** Reasons why the service is not ready, one sentence each; it is ready if this is absent or empty. */
  readonly missing?: readonly string[];
}

/** The running admin listener. */
export interface Admin {
  /** `http://HOST:PORT`. */
  readonly url: string;
  /**
   * Makes /readyz respond with the state that `report` returns at each request, or with 503 if it rejects or names something
   * `missing`. Until then, /readyz responds with 503 and `starting`.
   */
  ready(report: () => Promise<Serving>): void;
  /** Makes /readyz respond with 503 and `draining`, because the server is shutting down. */
  drain(): void;
  /** Closes the listener and all of its connections at once; may be called again. */
  close(): Promise<void>;
}

/** Options of the admin listener. */
export interface AdminOptions {
  readonly host: string;
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** Host names that it responds to, in addition to `host`, localhost and addresses. */
  readonly names: readonly string[];
  /** Returns the metrics in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Returns what each process counted, of at least one; rejects if none answers. */
  searches(): readonly CountedSearches[] | Promise<readonly CountedSearches[]>;
}

/**
 * Starts the listener, which comes first at a start, so that a probe can tell a server that is starting from none. Rejects if it
 * cannot listen, such as with EADDRINUSE.
 */
export async function startAdmin({ host, port, names, metrics, searches }: AdminOptions): Promise<Admin> {
  const isAllowedHost = createHostCheck([host, ...names]);
  let report: (() => Promise<Serving>) | null = null;
  let closing: Promise<unknown> | null = null;
  let draining = false;

  const checkReadiness = async (): Promise<Reply> => {
    if (draining) return { status: 503, body: { status: 'draining', reasons: ['The server is shutting down.'] } };
    if (report === null) return { status: 503, body: { status: 'starting', reasons: ['Content is being read.'] } };
    const { revision, content, feed, store, limits, settings, missing = [] } = await report();
    if (missing.length > 0) return { status: 503, body: { status: 'incomplete', reasons: missing } };
    const { state, problem, checkedAt } = feed;
    // A broken feed or store is only a warning: unready servers would also fail the requests that need neither.
    const warnings = state === 'fresh' && problem === null ? [] : [`The feed is ${state}: ${problem ?? 'no news'}`];
    if (content.errors > 0) {
      const errors = content.errors === 1 ? 'an error' : `${content.errors} errors`;
      warnings.push(`The content folder has ${errors}, listed in the log; the last valid revision is still served.`);
    }
    if (store.problem !== null) warnings.push(`The store cannot be used: ${store.problem}`);
    const writeProblem = store.stats?.writeProblem ?? null;
    if (writeProblem !== null) {
      const advice = 'Free disk space, or point DATABASE_URL at a primary that can be written.';
      warnings.push(`The store cannot be written (${writeProblem}): registrations, tokens and exports fail. ${advice}`);
    }
    if (limits !== null && limits.store !== null && !limits.isShared) {
      warnings.push(`The rate limits are counted by each process for itself: ${limits.store} does not answer.`);
    }
    warnings.push(...settings);
    const checked_at = checkedAt === null ? null : new Date(checkedAt).toISOString();
    const writable = store.stats !== null && writeProblem === null;
    const states = { feed: { state, checked_at }, store: { state: store.problem === null ? 'up' : 'down', writable } };
    return { status: 200, body: { status: 'ready', reasons: [], warnings, revision, ...states } };
  };

  const searchCounts = async (): Promise<Reply> => {
    if (report === null) return { status: 503, body: { error: 'The server is starting.' } };
    return { status: 200, body: createSearchReport(await searches()) };
  };

  const routes = new Map<string, () => Promise<Reply>>([
    ['/livez', async () => ({ status: 200, body: { status: 'alive' } })],
    ['/readyz', checkReadiness],
    ['/metrics', async () => ({ status: 200, body: await metrics() })],
    ['/searches', searchCounts],
  ]);

  const server = createHttpServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    const { url = '', method, headers } = request;
    const [path = ''] = url.split('?', 1);
    const route = routes.get(path);
    if (headers.host !== undefined && !isAllowedHost(headers.host)) {
      const hint = 'Ask for its address, localhost or ADMIN_HOST, or add the name to ADMIN_NAMES.';
      send(response, { status: 421, body: { error: `The admin listener does not respond to this Host. ${hint}` } });
    } else if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      send(response, { status: 405, body: { error: 'The admin listener supports only GET and HEAD.' } });
    } else if (route === undefined) {
      const paths = [...routes.keys()];
      const error = `There is nothing here.${writeDidYouMean(findNearMisses(path, paths))} The paths are ${paths.join(', ')}.`;
      send(response, { status: 404, body: { error } });
    } else {
      route()
        .catch((error: unknown) => ({ status: 503, body: { status: 'failing', reasons: [getMessage(error)] } }))
        .then((reply) => send(response, reply));
    }
  });
  server.listen(port, host);
  await once(server, 'listening');

  return {
    url: getOrigin(server, host),
    ready(newReport) {
      report = newReport;
    },
    drain() {
      draining = true;
    },
    async close() {
      closing ??= once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closing;
    },
  };
}

/**
 * Creates the function that returns whether the listener responds to a Host header: localhost and `names`, and every IP address,
 * each with any port, but not ''. A page in a browser on the operator's machine could reach it through another name that it makes
 * resolve there (DNS rebinding), but nobody can make an address resolve to another. A request without Host is not checked: it is
 * HTTP/1.0, which health checks speak and browsers do not.
 */
function createHostCheck(names: readonly string[]): (host: string) => boolean {
  const allowedHosts = new Set(['localhost', ...names].map((name) => name.toLowerCase()));
  return (host) => {
    const name = /^(\[[\da-fA-F:.]+\]|[^:[\]]+)(?::\d{1,5})?$/.exec(host)?.[1]?.toLowerCase() ?? '';
    return allowedHosts.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  };
}

interface Reply {
  readonly status: number;
  /** An object, which is sent as JSON, or a text in Prometheus' format. */
  readonly body: object | string;
}

/** Sends a reply: a text as Prometheus' text format, any other body as JSON. Node leaves out the body of a response to HEAD. */
function send(response: ServerResponse, { status, body }: Reply): void {
  const [type, text] =
    typeof body === 'string'
      ? ['text/plain; version=0.0.4; charset=utf-8', body]
      : ['application/json; charset=utf-8', `${JSON.stringify(body)}\n`];
  response.writeHead(status, createPrivateHeaders(type, text));
  response.end(text);
}
