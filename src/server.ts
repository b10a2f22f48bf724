/** Puts the parts together: content and feed into a catalog, the catalog into a state, the state behind a listener. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { apiVersion } from './base/build.ts';
import type { Clock } from './base/clock.ts';
import { createRequestIds } from './base/ids.ts';
import type { Log } from './base/log.ts';
import { type Catalog, createCatalog } from './catalog/catalog.ts';
import { createCursors } from './catalog/cursor.ts';
import { type Config, ConfigError } from './config.ts';
import type { Content } from './content/content.ts';
import { type ContentSource, createContentSource } from './content/source.ts';
import { createFileCopies, createSharedCopies, noCopies } from './feed/copies.ts';
import { isExampleKey } from './feed/example-key.ts';
import { createFeed, type Feed } from './feed/feed.ts';
import { createNotesProcess, type NotesProcess } from './feed/notes-process.ts';
import type { FeedStatus } from './feed/release.ts';
import { createSharedFeed } from './feed/shared-feed.ts';
import { createAccessLog } from './http/access-log.ts';
import { type Admin, type Serving, startAdmin } from './http/admin.ts';
import { createAdmission } from './http/admission.ts';
import type { DevDesk } from './http/dev-desk.ts';
import { createOpenDesk, exportEndpoints } from './http/exports.ts';
import { createHandler } from './http/handler.ts';
import { createListener, type Timeouts } from './http/listener.ts';
import { createLoad, type DelaySensor, type LoadBounds, loopDelay } from './http/load.ts';
import { mcpEndpoints } from './http/mcp.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { oauthEndpoints } from './http/oauth.ts';
import { createRates, type Rates } from './http/rate.ts';
import { createRoutes } from './http/routes.ts';
import { siteEndpoints } from './http/site.ts';
import { createState, type State } from './http/state.ts';
import { createTally, type Tally } from './http/tally.ts';
import { createWriter } from './http/writer.ts';
import { createJobs } from './jobs/jobs.ts';
import { createSandboxJobs } from './jobs/sandbox-jobs.ts';
import { createLocalLimits } from './limits/local-limits.ts';
import { alone, type LimitsStatus } from './limits/shared-limits.ts';
import { trustIssuers } from './oauth/trusted-issuers.ts';
import type { Service } from './operations/context.ts';
import { exampleJob } from './operations/export-examples.ts';
import { createExporter } from './operations/export-files.ts';
import { operations } from './operations/operations.ts';
import { type ApiVersion, apiVersions, versionFaults } from './operations/versions.ts';
import { openSharedLimits } from './rate-limits.ts';
import { readSecret } from './secret-key.ts';
import { compareSecret, openStorage, type Storage } from './storage.ts';
import type { FeedTable } from './store/feed-table.ts';
import { createMemoryIdempotency } from './store/memory-idempotency.ts';
import type { Store } from './store/store.ts';
import { createStoreWatch, type StoreHealth } from './store/store-watch.ts';
import { createSweeper } from './store/sweeper.ts';

/** The product that is served when no folder is named. */
export const shippedContent = resolve(import.meta.dirname, '../content');
const sandboxContent = resolve(import.meta.dirname, '../content-sandbox');

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
  readonly devDesk?: DevDesk;
  /** Bounds of the listener, shorter in tests. */
  readonly timeouts?: Timeouts;
  /** Whether other processes listen at the same port, each with a socket of its own. */
  readonly sharesPort?: boolean;
  /** How late the event loop is; measured unless a test says it. */
  readonly delaySensor?: DelaySensor;
  /** When requests are refused because there are too many, lower in tests. */
  readonly loadBounds?: Partial<LoadBounds>;
  /** How long a request waits for the shared rate limits, in milliseconds; longer in tests on a busy machine. */
  readonly limitsDeadlineMs?: number;
}

export interface RunningServer {
  readonly baseUrl: string;
  /** Where it listens, which a proxy may stand before. */
  readonly listenUrl: string;
  /** Where the operator asks for /livez, /readyz and /metrics; null when that is off. */
  readonly adminUrl: string | null;
  readonly productName: string;
  /** Asks the feed now, whatever its interval. */
  checkFeed(): ReturnType<Feed['check']>;
  /** The revision that is served now. */
  revision(): string;
  /** What /readyz is told. */
  serving(): Promise<Serving>;
  /** What /metrics answers. */
  metrics(): Promise<string>;
  /**
   * Ends: /readyz says so, after the drain delay no connection is taken any more, and requests under way get the drain time.
   * `atOnce` leaves the delay out.
   */
  close(how?: { readonly atOnce?: boolean }): Promise<void>;
}

/** What /metrics asks, null until it is there. */
interface Reports {
  feed: () => FeedStatus | null;
  limits: () => LimitsStatus | null;
  store: () => Promise<StoreHealth> | null;
}

/** Listens once everything that it serves has been read. Throws ConfigError or ContentError with every fault. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { clock } = options;
  const tally = createTally();
  const reports: Reports = { feed: () => null, limits: () => null, store: () => null };
  const metrics = createMetrics({
    tally,
    apiVersion,
    feed: () => reports.feed(),
    limits: () => reports.limits(),
    store: () => reports.store(),
    now: clock.now,
  });
  // It listens first, so that a probe sees a server that is starting.
  const admin = await listenForOperator(options, metrics);
  try {
    const service = await startService(options, tally, admin, reports);
    return { ...service, metrics: metrics.text };
  } catch (error) {
    await admin?.close();
    throw error;
  }
}

/** How long requests may take to end once no connection is taken any more, in milliseconds. */
export const drainMs = 10_000;

/** A second server on one machine finds the usual port taken: it goes on without, unless the port was asked for. */
export async function listenForOperator(
  { config, log }: Pick<ServerOptions, 'config' | 'log'>,
  metrics: Metrics,
): Promise<Admin | null> {
  if (config.admin === null) return null;
  try {
    return await startAdmin({ ...config.admin, metrics });
  } catch (error) {
    const taken = error instanceof Error && Reflect.get(error, 'code') === 'EADDRINUSE';
    if (!taken || config.admin.chosen) throw error;
    const { port } = config.admin;
    log.warn(
      { port },
      'the admin port is taken, so this server has no admin listener: set ADMIN_PORT to another one, or off',
    );
    return null;
  }
}

async function startService(
  options: ServerOptions,
  tally: Tally,
  admin: Admin | null,
  reports: Reports,
): Promise<Served> {
  const { config, clock, log, versions = apiVersions } = options;
  const faults = versionFaults(versions);
  if (faults.length > 0) throw new ConfigError(faults);
  const directory = config.contentDir ?? shippedContent;
  const source = createContentSource({ directory, clock, log });
  const sandboxSource = createContentSource({ directory: sandboxContent, clock, log });
  const [content, fixtures] = [await source.start(), await sandboxSource.start()];
  sandboxSource.stop();
  const storage = await openStorage({ config, clock, log });
  const local = createLocalLimits(clock);
  const sharedLimits = await openSharedLimits({
    config,
    database: storage.shared,
    clock,
    log,
    local,
    ...(options.limitsDeadlineMs !== undefined && { deadlineMs: options.limitsDeadlineMs }),
  });
  reports.limits = () => sharedLimits?.status() ?? alone;
  const rates = createRates({ limits: config.limits, local, shared: sharedLimits });
  const closeStores = async (): Promise<void> => {
    await sharedLimits?.close();
    await storage.store.close();
  };
  try {
    const parts = { options, tally, admin, source, content, fixtures, storage, rates, closeStores, versions, reports };
    return await serveContent(parts);
  } catch (error) {
    source.stop();
    await closeStores();
    throw error;
  }
}

type Served = Omit<RunningServer, 'metrics'>;

interface Parts {
  readonly options: ServerOptions;
  readonly tally: Tally;
  readonly admin: Admin | null;
  readonly source: ContentSource;
  readonly content: Content;
  /** The sandbox's content. */
  readonly fixtures: Content;
  readonly storage: Storage;
  readonly rates: Rates;
  /** Ends everything that is kept outside of the process. */
  closeStores(): Promise<void>;
  readonly versions: readonly ApiVersion[];
  readonly reports: Reports;
}

async function serveContent(parts: Parts): Promise<Served> {
  const { options, tally, admin, source, content, fixtures, storage, rates, closeStores, versions, reports } = parts;
  const { config, clock, log, devDesk } = options;
  const store = options.wrapStore?.(storage.store) ?? storage.store;
  // Both have notes to convert: in one process, which is costly to start.
  const notesProcess = createNotesProcess();
  const [sandboxFeed, live] = await Promise.all([
    startFeed(options, fixtures, 'alone', notesProcess),
    createLiveCatalog(options, storage.feeds, source, content, notesProcess),
  ]);
  sandboxFeed.stop();
  const sandboxCatalog = createCatalog(fixtures, sandboxFeed.snapshot());
  reports.feed = live.feedStatus;
  const secret = await readSecret(config);
  await compareSecret(storage, secret, log);

  const newId = createRequestIds();
  const accessLog = tally.counting(createAccessLog({ clock, sink: options.accessSink }));
  let handle: ReturnType<typeof createHandler> | null = null;
  let service: Service = { baseUrl: '', apiVersion, limits: config.limits, versions };
  let draining = false;
  const server = createListener({
    service: () => service,
    rates,
    newId,
    handle(request, response) {
      if (!devDesk?.answer(request, response)) handle?.(request, response);
    },
    draining: () => draining,
    onRefused: (id, code) => {
      tally.refuse(code);
      log.info({ request_id: id, code }, 'request refused by the parser');
    },
    ...(options.timeouts !== undefined && { timeouts: options.timeouts }),
  });
  server.listen({ port: config.port, host: config.host, reusePort: options.sharesPort ?? false });
  await once(server, 'listening');
  service = { ...service, baseUrl: config.baseUrl ?? originOf(server, config.host) };
  warnOfPlainHttp(service.baseUrl, log);

  const cursors = createCursors(secret);
  const sandboxJobs = createSandboxJobs({
    clock,
    key: secret,
    exporter: createExporter(() => state.sandbox),
    example: exampleJob,
  });
  const makeState = (catalog: Catalog): State =>
    createState({
      service,
      catalog,
      sandboxCatalog,
      cursors,
      feedStatus: live.feedStatus,
      now: clock.now,
      findSandboxJob: (id) => sandboxJobs.get(id, { step: false }),
    });
  let state = makeState(live.catalog());
  const currentState = (): State => {
    if (clock.now() >= state.validUntil) state = makeState(live.catalog());
    return state;
  };
  live.onChange((catalog) => {
    state = makeState(catalog);
    devDesk?.changed();
    log.info({ revision: catalog.revision.slice(0, 12) }, 'serving a new revision');
  });
  source.onFaults((found) => devDesk?.show(found));
  const routes = createRoutes(operations);
  const site = siteEndpoints({ service, operations, routes, clock, reloads: devDesk !== undefined });
  const load = createLoad({
    clock,
    log,
    rates,
    sensor: options.delaySensor ?? loopDelay(clock),
    onShed: tally.turnAway,
    ...(options.loadBounds !== undefined && { bounds: options.loadBounds }),
  });
  const keys = { clients: store, anonymous: createMemoryIdempotency() };
  const mcp = mcpEndpoints({ service, clock, log, keys });
  const jobs = createJobs({ store, clock, key: secret, exporter: createExporter(() => state.production), log });
  const issuers = trustIssuers(config.assertionIssuers);
  const authority = { service, store, clock, log, baseUrl: service.baseUrl, key: secret, issuers, rates, keys };
  const sweeper = createSweeper({ store, clock, log });
  handle = createHandler({
    service,
    clock,
    log,
    admit: createAdmission({ service, clock, rates, store }),
    writer: createWriter({ service, clock, accessLog }),
    load,
    routes,
    endpoints: [...mcp, ...oauthEndpoints(authority), ...exportEndpoints({ jobs, sandboxJobs }), ...site.endpoints],
    keys,
    openDesk: createOpenDesk({ jobs, sandboxJobs }),
    trust: config.trust,
    newId,
    state: currentState,
    failurePage: site.failurePage,
  });
  jobs.run();
  const { health } = createStoreWatch({ store, clock });
  reports.store = health;
  const serving = async (): Promise<Serving> => {
    const { revision } = state.production.catalog;
    return { revision, feed: live.feedStatus(), store: await health(), limits: reports.limits() };
  };
  admin?.ready(serving);

  return {
    baseUrl: service.baseUrl,
    listenUrl: originOf(server, config.host),
    adminUrl: admin?.url ?? null,
    productName: content.product.name,
    checkFeed: live.checkFeed,
    revision: () => state.production.catalog.revision,
    serving,
    async close({ atOnce = false } = {}) {
      admin?.drain();
      draining = true;
      source.stop();
      live.stop();
      const delayMs = atOnce ? 0 : config.drainDelaySeconds * 1000;
      if (delayMs > 0) await new Promise<void>((over) => clock.after(delayMs, over));
      const closed = once(server, 'close');
      server.close();
      // A connection whose request has just been answered would wait for the next one.
      let cancelSweep = () => {};
      const sweep = (): void => {
        server.closeIdleConnections();
        cancelSweep = clock.after(50, sweep);
      };
      sweep();
      const cancel = clock.after(options.drainMs ?? drainMs, () => server.closeAllConnections());
      await closed;
      cancelSweep();
      cancel();
      load.close();
      sweeper.close();
      await jobs.close();
      await closeStores();
      accessLog.flush();
      await admin?.close();
    },
  };
}

/** The catalog of the newest content and feed, made anew whenever one of them changes. */
async function createLiveCatalog(
  options: ServerOptions,
  feeds: FeedTable | null,
  source: ContentSource,
  first: Content,
  notesProcess: NotesProcess,
) {
  const { log } = options;
  let content = first;
  let feed = await startFeed(options, content, feeds, notesProcess);
  let catalog = createCatalog(content, feed.snapshot());
  const listeners: ((catalog: Catalog) => void)[] = [];
  const remake = (): void => {
    const previous = catalog;
    catalog = createCatalog(content, feed.snapshot(), previous);
    for (const warning of catalog.warnings) log.warn({ warning }, 'catalog');
    if (catalog.revision !== previous.revision) for (const listener of listeners) listener(catalog);
  };
  for (const warning of catalog.warnings) log.warn({ warning }, 'catalog');
  feed.onChange(remake);
  source.onChange(async (changed) => {
    const moved = JSON.stringify(changed.product.feed) !== JSON.stringify(content.product.feed);
    content = changed;
    if (moved) {
      feed.stop();
      feed = await startFeed(options, changed, feeds, notesProcess);
      feed.onChange(remake);
    }
    remake();
  });
  source.onFeedFileChange(() => void feed.check());
  return {
    catalog: () => catalog,
    feedStatus: () => feed.status(),
    checkFeed: () => feed.check(),
    onChange: (listener: (catalog: Catalog) => void) => listeners.push(listener),
    stop: () => feed.stop(),
  };
}

/**
 * `feeds` is where several processes share a feed: then one of them fetches it. A feed that is a file is read by each, since
 * it comes with the content. null: this process keeps its copy in the data directory; `alone`: it keeps none.
 */
async function startFeed(
  { config, clock, log }: ServerOptions,
  { product, directory }: Content,
  feeds: FeedTable | null | 'alone',
  notesProcess: NotesProcess,
): Promise<Feed> {
  const { source, public_keys, signature, interval_seconds, accept } = product.feed;
  if (directory !== shippedContent && public_keys.some(isExampleKey)) {
    log.warn({}, 'product.yaml trusts the example key, whose private half is public: replace feed.public_keys');
  }
  const isFile = !/^https?:/.test(source);
  const options = {
    source: isFile ? resolve(directory, source) : source,
    publicKeys: public_keys,
    policy: signature ?? (public_keys.length > 0 ? 'required' : 'off'),
    intervalSeconds: interval_seconds,
    clock,
    log,
    notesProcess,
    ...(accept !== undefined && { accept }),
  };
  const copies =
    feeds === 'alone'
      ? noCopies
      : feeds === null
        ? createFileCopies(join(config.dataDir, 'feed'))
        : createSharedCopies(feeds);
  const isElected = !isFile && feeds !== null && feeds !== 'alone';
  const feed = isElected ? createSharedFeed({ ...options, table: feeds }) : createFeed({ ...options, copies });
  await feed.start();
  return feed;
}

function warnOfPlainHttp(baseUrl: string, log: Log): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)) return;
  log.warn(
    { base_url: baseUrl },
    'BASE_URL is plain http: secrets and tokens cross the network in clear. Put TLS before it.',
  );
}

function originOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
