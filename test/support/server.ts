/** Starts a real server for a test, with its own data directory, and asks it over HTTP. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Log } from '../../src/base/log.ts';
import { sandboxContent, shippedContent } from '../../src/config/content-folders.ts';
import { readConfig } from '../../src/config/environment.ts';
import { loadContent } from '../../src/content/load.ts';
import type { Timeouts } from '../../src/http/listener.ts';
import type { LoadBounds } from '../../src/http/load.ts';
import type { ApiVersion } from '../../src/operations/versions.ts';
import {
  type Dependencies,
  type RunningServer,
  type ServerLimits,
  drainMs as usualDrainMs,
} from '../../src/server/options.ts';
import { startServer } from '../../src/server/server.ts';
import { assertDocumented } from './contract.ts';
import { dataRoot } from './data-root.ts';
import { createSharedWorkers } from './shared-workers.ts';
import { startTwoServers } from './two-servers.ts';

/** A started server. */
export interface TestServer extends RunningServer {
  /**
   * The first of two servers where two answer in turn (test/postgres-suite.ts), otherwise this server: for what each process keeps
   * for itself.
   */
  readonly alone: TestServer;
  /** Everything that was logged, access lines included, one parsed line each. */
  readonly lines: Record<string, unknown>[];
  readonly dataDir: string;
  /** Sends a request; the response is held against the contract before it is returned. */
  ask(path: string, init?: RequestInit): Promise<Asked>;
}

/** A response, whose shape the contract has checked. */
export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body of a JSON answer, or undefined if the answer is empty or no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape the contract has just checked
  readonly json: any;
}

/** Options of a test server. */
export interface TestServerOptions {
  /** Settings in addition to those of every test: a free port, no admin listener, and limits that are out of the way. */
  readonly env?: Record<string, string>;
  /**
   * Changes to the admin listener, which override `env`. They have no effect unless `env` turns it on. If `chosen` is true, a port
   * in use makes the start fail; otherwise the server starts without the listener.
   */
  readonly admin?: { readonly port: number; readonly chosen: boolean };
  /** The clock of the server. @defaultValue the system's */
  readonly clock?: Clock;
  /** The versions of the API. @defaultValue the server's */
  readonly versions?: readonly ApiVersion[];
  /** How long requests in progress may take to end at a shutdown, in milliseconds. @defaultValue the server's */
  readonly drainMs?: number;
  /** The timeouts of the listener. @defaultValue the listener's own */
  readonly timeouts?: Timeouts;
  /** No turn of the event loop is too long unless told: the machine that runs the tests may be slow. */
  readonly loadBounds?: Partial<LoadBounds>;
  /** Returns the store that is used instead of the configured one, which it may call. */
  readonly wrapStore?: Dependencies['store'];
  /** How long a request waits for the shared rate limits, in milliseconds. @defaultValue 100 */
  readonly limitsDeadlineMs?: number;
  /** A data folder, which is kept when the server closes. Without it, the server gets a new one, which is removed. */
  readonly dataDir?: string;
}

const generous = '1000000';
const workers = createSharedWorkers();

/** The content of the shipped folders, which all servers of a test process share. */
const shipped = new Map<string, ReturnType<typeof loadContent>>();

/** Loads a content folder, a shipped one only once. */
function loadOnce(directory: string): ReturnType<typeof loadContent> {
  const content = shipped.get(directory) ?? loadContent(directory);
  if (directory === shippedContent || directory === sandboxContent) shipped.set(directory, content);
  return content;
}

/**
 * Starts a server whose limits are out of the way unless `env` sets them, or with TEST_POSTGRES two servers on a new database of
 * that cluster, which answer in turn. The caller closes it.
 */
export const startTestServer = (options: TestServerOptions = {}): Promise<TestServer> => {
  const { TEST_POSTGRES: cluster } = process.env;
  return cluster === undefined ? startOneServer(options) : startTwoServers(options, cluster);
};

/**
 * Starts one server in this process, even with TEST_POSTGRES; the entries of its log go to `lines`. The caller closes it, which
 * removes a data folder of its own.
 */
export async function startOneServer(
  options: TestServerOptions,
  lines: Record<string, unknown>[] = [],
): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(dataRoot, 'colophon-')));
  const config = readConfig(
    {
      PORT: '0',
      ADMIN_PORT: 'off',
      DATA_DIR: dataDir,
      RATE_LIMIT_ANONYMOUS: generous,
      RATE_LIMIT_SANDBOX: generous,
      RATE_LIMIT_PAGES: generous,
      RATE_LIMIT_TOKEN: generous,
      RATE_LIMIT_ADDRESS: generous,
      RATE_LIMIT_REGISTRATION: generous,
      RATE_LIMIT_ISSUE: generous,
      RATE_LIMIT_REFUSED: generous,
      ...options.env,
    },
    process.cwd(),
  );
  const record =
    (level: string) =>
    (fields: Record<string, unknown>, msg: string): void => {
      lines.push({ level, msg, ...fields });
    };
  const log: Log = { info: record('info'), warn: record('warn'), error: record('error') };
  const accessSink = (text: Buffer): void => {
    for (const line of text.toString().trimEnd().split('\n')) lines.push(JSON.parse(line));
  };
  const {
    clock = systemClock,
    versions,
    drainMs = usualDrainMs,
    timeouts,
    wrapStore,
    loadBounds,
    limitsDeadlineMs,
  } = options;
  const settings = {
    config: config.admin === null ? config : { ...config, admin: { ...config.admin, ...options.admin } },
    log,
    accessSink,
  };
  const limits: ServerLimits = {
    drainMs,
    prepareMs: null,
    load: { maxTurnMs: Number.POSITIVE_INFINITY, ...loadBounds },
    ...given({ timeouts, sharedLimitsMs: limitsDeadlineMs }),
  };
  const server = await startServer(settings, {
    clock,
    workers,
    limits,
    loadContent: loadOnce,
    ...given({ versions, store: wrapStore }),
  });
  const made: TestServer = {
    ...server,
    lines,
    dataDir,
    get alone() {
      return made;
    },
    ask: (path, init) => ask(server.listenUrl, path, init),
    async close() {
      await server.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
  return made;
}

/** Returns a copy of the options without those that are undefined, for types that only allow an option to be left out. */
const given = <T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;

/** Sends a request, checks the response against the contract, and returns it. Follows no redirect. */
export async function ask(baseUrl: string, path: string, init: RequestInit = {}): Promise<Asked> {
  const response = await fetch(baseUrl + path, { redirect: 'manual', ...init });
  const text = await response.text();
  const { status, headers } = response;
  assertDocumented({ method: (init.method ?? 'GET').toUpperCase(), path, status, headers, text });
  const json = (headers.get('content-type') ?? '').includes('json') && text !== '' ? JSON.parse(text) : undefined;
  return { status, headers, text, json };
}

/** Returns a POST of a JSON body as the options of `fetch`; a body that is a string is sent as it is. */
export const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
