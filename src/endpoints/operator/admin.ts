/** The operator's own listener, apart from the public one: is it alive, is it ready, what are its numbers. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { didYouMean, nearMisses } from '../../base/near-miss.ts';
import { messageOf } from '../../base/thrown.ts';
import type { ContentStatus } from '../../content/source.ts';
import type { FeedStatus } from '../../feed/release.ts';
import { privateHeaders } from '../../http/common-headers.ts';
import { createHttpServer, originOf } from '../../http/http-server.ts';
import type { LimitsStatus } from '../../limits/shared-limits.ts';
import type { StoreHealth } from '../../store/store-watch.ts';
import { type CountedSearches, searchReport } from './search-counts.ts';

/** What the service tells of itself once it answers. */
export interface Serving {
  readonly revision: string;
  readonly content: Pick<ContentStatus, 'errors'>;
  readonly feed: FeedStatus;
  readonly store: StoreHealth;
  readonly limits: LimitsStatus | null;
  /** Settings to reconsider, one sentence each. */
  readonly settings: readonly string[];
  /** What it lacks to be ready, a sentence each. */
  readonly missing?: readonly string[];
}

export interface Admin {
  /** `http://HOST:PORT`. */
  readonly url: string;
  /** From now on it is ready; `report` is asked at each call. */
  ready(report: () => Promise<Serving>): void;
  /** From now on it is not ready any more. */
  drain(): void;
  close(): Promise<void>;
}

export interface AdminOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Host names that it responds to, in addition to `host`, localhost and addresses. */
  readonly names: readonly string[];
  /** In Prometheus' text format. */
  metrics(): Promise<string>;
  /** Returns what each process counted. */
  searches(): readonly CountedSearches[] | Promise<readonly CountedSearches[]>;
}

const paths = ['/livez', '/readyz', '/metrics', '/searches'];

/** Listens from the start on, so that a probe can tell a server that is starting from none. */
export async function startAdmin({ host, port, names, metrics, searches }: AdminOptions): Promise<Admin> {
  const isKnown = createHostCheck([host, ...names]);
  let report: (() => Promise<Serving>) | null = null;
  let closing: Promise<unknown> | null = null;
  let draining = false;

  const readiness = async (): Promise<{ status: number; body: object }> => {
    if (draining) return { status: 503, body: { status: 'draining', reasons: ['The server is shutting down.'] } };
    if (report === null) return { status: 503, body: { status: 'starting', reasons: ['Content is being read.'] } };
    const { revision, content, feed, store, limits, settings, missing = [] } = await report();
    if (missing.length > 0) return { status: 503, body: { status: 'incomplete', reasons: missing } };
    const { state, problem, checkedAt } = feed;
    // What needs neither still answers: taking every server out of service would make an outage of a part one of all.
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

  const searched = async (): Promise<{ status: number; body: object }> => {
    if (report === null) return { status: 503, body: { error: 'The server is starting.' } };
    return { status: 200, body: searchReport(await searches()) };
  };

  const server = createHttpServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const named = request.headers.host;
    if (named !== undefined && !isKnown(named)) {
      const hint = 'Ask for its address, localhost or ADMIN_HOST, or add the name to ADMIN_NAMES.';
      sendJson(response, 421, { error: `The admin listener does not respond to this Host. ${hint}` });
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      sendJson(response, 405, { error: 'The admin listener supports only GET and HEAD.' });
    } else if (path === '/livez') {
      sendJson(response, 200, { status: 'alive' });
    } else if (path === '/readyz') {
      readiness().then(
        ({ status, body }) => sendJson(response, status, body),
        (error: unknown) => sendJson(response, 503, { status: 'failing', reasons: [messageOf(error)] }),
      );
    } else if (path === '/metrics') {
      metrics().then(
        (text) => send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', text),
        (error: unknown) => sendJson(response, 500, { error: String(error) }),
      );
    } else if (path === '/searches') {
      searched().then(
        ({ status, body }) => sendJson(response, status, body),
        (error: unknown) => sendJson(response, 503, { error: messageOf(error) }),
      );
    } else {
      const hint = didYouMean(nearMisses(path, paths));
      sendJson(response, 404, { error: `There is nothing here.${hint} The paths are ${paths.join(', ')}.` });
    }
  });
  server.listen(port, host);
  await once(server, 'listening');

  return {
    url: originOf(server, host),
    ready(asked) {
      report = asked;
    },
    drain() {
      draining = true;
    },
    async close() {
      if (closing === null) {
        closing = once(server, 'close');
        server.close();
        server.closeAllConnections();
      }
      await closing;
    },
  };
}

/**
 * A page in a browser on the operator's machine could reach this listener through a name that it makes resolve there (DNS
 * rebinding). A name has to be known; an address is one that nobody can make resolve to another. Without Host comes HTTP/1.0,
 * which health checks speak and browsers do not.
 */
function createHostCheck(names: readonly string[]): (host: string) => boolean {
  const known = new Set(['localhost', ...names].map((name) => name.toLowerCase()));
  return (host) => {
    const name = /^(\[[\da-fA-F:.]+\]|[^:[\]]+)(?::\d{1,5})?$/.exec(host)?.[1]?.toLowerCase() ?? '';
    return known.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  };
}

const sendJson = (response: ServerResponse, status: number, body: object): void =>
  send(response, status, 'application/json; charset=utf-8', `${JSON.stringify(body)}\n`);

/** Node leaves the body of an answer to HEAD out by itself. */
function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, privateHeaders(type, body));
  response.end(body);
}
