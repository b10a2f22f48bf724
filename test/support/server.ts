/** Starts a server for a test, with its own data folder, and sends it HTTP requests. */
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
  drainMs as defaultDrainMs,
  type RunningServer,
  type ServerLimits,
} from '../../src/server/options.ts';
import { startServer } from '../../src/server/server.ts';
import { assertDocumented } from './contract.ts';
import { dataRoot } from './data-root.ts';
import { createSharedWorkers } from './shared-workers.ts';
import { startTwoServers } from './two-servers.ts';

/** A started server. */
export interface TestServer extends RunningServer {
  /**
   * The first of two servers where two answer in turn (test/postgres-suite.ts), otherwise this server: for tests of state that
   * servers do not share.
   */
  readonly firstServer: TestServer;
  /** Everything that was logged, access lines included, one parsed line each. */
  readonly logLines: Record<string, unknown>[];
  readonly dataDir: string;
  /** Sends a request, checks the response against the contract, and returns it. Follows no redirect. */
  request(path: string, init?: RequestInit): Promise<TestResponse>;
}

/** A response, whose shape the contract has checked. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body of a JSON response, or undefined if the body is empty or no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of responses whose shape the contract has just checked
  readonly json: any;
}

/** Options of a test server. */
export interface TestServerOptions {
  /** Settings in addition to those of every test: a free port, no admin listener, and rate limits that no test reaches. */
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
  /** Bounds of the load. By default, a turn of the event loop may take any time, because the machine of the tests may be slow. */
  readonly loadBounds?: Partial<LoadBounds>;
  /** Returns the store that is used instead of the configured one, which it may call. */
  readonly wrapStore?: Dependencies['store'];
  /** How long a request waits for the shared rate limits, in milliseconds. @defaultValue 100 */
  readonly limitsDeadlineMs?: number;
  /** A data folder, which is kept when the server closes. Without it, the server gets a new one, which is removed. */
  readonly dataDir?: string;
}

const highLimit = '1000000';
const workers = createSharedWorkers();

/** The content of the shipped folders, which all servers of a test process share. */
const loadedContent = new Map<string, ReturnType<typeof loadContent>>();

/** Loads a content folder, a shipped one only once. */
function loadContentOnce(directory: string): ReturnType<typeof loadContent> {
  const content = loadedContent.get(directory) ?? loadContent(directory);
  if (directory === shippedContent || directory === sandboxContent) loadedContent.set(directory, content);
  return content;
}

/**
 * Starts a server whose rate limits no test reaches unless `env` sets them, or with TEST_POSTGRES two servers on a new database of
 * that cluster, which answer in turn. The caller closes it.
 */
export const startTestServer = (options: TestServerOptions = {}): Promise<TestServer> => {
  const { TEST_POSTGRES: cluster } = process.env;
  return cluster === undefined ? startOneServer(options) : startTwoServers(options, cluster);
};

/**
 * Starts one server in this process, even with TEST_POSTGRES; the entries of its log go to `logLines`. The caller closes it, which
 * removes a data folder of its own.
 */
export async function startOneServer(
  options: TestServerOptions,
  logLines: Record<string, unknown>[] = [],
): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(dataRoot, 'colophon-')));
  const config = readConfig(
    {
      PORT: '0',
      ADMIN_PORT: 'off',
      DATA_DIR: dataDir,
      RATE_LIMIT_ANONYMOUS: highLimit,
      RATE_LIMIT_SANDBOX: highLimit,
      RATE_LIMIT_PAGES: highLimit,
      RATE_LIMIT_TOKEN: highLimit,
      RATE_LIMIT_ADDRESS: highLimit,
      RATE_LIMIT_REGISTRATION: highLimit,
      RATE_LIMIT_ISSUE: highLimit,
      RATE_LIMIT_REFUSED: highLimit,
      ...options.env,
    },
    process.cwd(),
  );
  const createLogger =
    (level: string) =>
    (fields: Record<string, unknown>, msg: string): void => {
      logLines.push({ level, msg, ...fields });
    };
  const log: Log = { info: createLogger('info'), warn: createLogger('warn'), error: createLogger('error') };
  const accessSink = (text: Buffer): void => {
    for (const line of text.toString().trimEnd().split('\n')) logLines.push(JSON.parse(line));
  };
  const {
    clock = systemClock,
    versions,
    drainMs = defaultDrainMs,
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
    ...omitUndefined({ timeouts, sharedLimitsMs: limitsDeadlineMs }),
  };
  const server = await startServer(settings, {
    clock,
    workers,
    limits,
    loadContent: loadContentOnce,
    ...omitUndefined({ versions, store: wrapStore }),
  });
  const testServer: TestServer = {
    ...server,
    logLines,
    dataDir,
    get firstServer() {
      return testServer;
    },
    request: (path, init) => sendRequest(server.listenUrl, path, init),
    async close() {
      await server.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
  return testServer;
}

/** Returns a copy of the options without those that are undefined, for types that only allow an option to be left out. */
const omitUndefined = <T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;

/** Sends a request, checks the response against the contract, and returns it. Follows no redirect. */
export async function sendRequest(baseUrl: string, path: string, init: RequestInit = {}): Promise<TestResponse> {
  const response = await fetch(baseUrl + path, { redirect: 'manual', ...init });
  const text = await response.text();
  const { status, headers } = response;
  assertDocumented({ method: (init.method ?? 'GET').toUpperCase(), path, status, headers, text });
  const json = (headers.get('content-type') ?? '').includes('json') && text !== '' ? JSON.parse(text) : undefined;
  return { status, headers, text, json };
}

/** Returns a POST of a JSON body as the options of `fetch`; a body that is a string is sent as it is. */
export const createJsonPost = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
