/** Starts a server in order (admin listener, content, stores, feed, listener, request handler) and ends it in reverse. */
import { once } from 'node:events';
import { apiVersion } from '../base/build.ts';
import { systemClock } from '../base/clock.ts';
import { createRequestIds } from '../base/ids.ts';
import { type Log, silentLog } from '../base/log.ts';
import { measureTask, taskKinds } from '../base/task-tally.ts';
import { type Catalog, createCatalog } from '../catalog/catalog.ts';
import { ConfigError, listSettingWarnings } from '../config/environment.ts';
import { readSecret } from '../config/secret-key.ts';
import type { Content } from '../content/content.ts';
import { loadContent } from '../content/load.ts';
import type { ContentSource } from '../content/source.ts';
import { type Admin, type AdminOptions, type Serving, startAdmin } from '../endpoints/operator/admin.ts';
import { createMetrics } from '../endpoints/operator/metrics.ts';
import { createSearchCounts } from '../endpoints/operator/search-counts.ts';
import { addStateMetrics } from '../endpoints/operator/state-metrics.ts';
import { createAccessLog } from '../http/access-log.ts';
import { getOrigin } from '../http/http-server.ts';
import { createListener, drain } from '../http/listener.ts';
import type { Service } from '../operations/context.ts';
import { listSearchDocuments } from '../operations/searchable.ts';
import { apiVersions, findVersionFaults } from '../operations/versions.ts';
import { searchables } from '../resources/resources.ts';
import type { Store } from '../store/store.ts';
import { createStoreWatch } from '../store/store-watch.ts';
import { createSweeper } from '../store/sweep.ts';
import { createWorkers, type Workers } from '../worker/pool.ts';
import { readContent } from './content.ts';
import { createLiveCatalog, type LiveCatalog, startFeed } from './live-catalog.ts';
import { type Dependencies, drainMs, type RunningServer, type ServerOptions, type Start } from './options.ts';
import { createRequestHandler, type RequestHandler } from './routes.ts';
import { openStores, type Stores } from './stores.ts';

const defaults: Dependencies = {
  clock: systemClock,
  store: (configuredStore) => configuredStore,
  workers: null,
  versions: apiVersions,
  loadContent,
  limits: { drainMs, prepareMs: 200 },
};

/**
 * Starts a server and resolves once it listens with everything that it serves. `chosen` replaces the defaults of the dependencies.
 *
 * @throws ConfigError or ContentError with every fault, StoreUnusable, the error of a port such as EADDRINUSE, or the error of the
 * file system if a generated key cannot be written
 */
export async function startServer(options: ServerOptions, chosen: Partial<Dependencies> = {}): Promise<RunningServer> {
  const dependencies = { ...defaults, ...chosen };
  const { clock } = dependencies;
  const [metrics, searches, ending] = [createMetrics(), createSearchCounts(clock), new AsyncDisposableStack()];
  const start: Start = { ...options, ...dependencies, metrics, searches, ending };
  try {
    // The admin listener is started first, so that a probe sees a server that is starting.
    const admin = await listenForOperator(options, {
      metrics: () => metrics.readRegistry().metrics(),
      searches: () => [searches.list()],
    });
    ending.defer(() => admin?.close());
    return await startService(start, admin);
  } catch (error) {
    await ending.disposeAsync();
    throw error;
  }
}

async function startService(start: Start, admin: Admin | null): Promise<RunningServer> {
  const { config, clock, log, limits, versions, metrics, searches, ending } = start;
  const faults = findVersionFaults(versions);
  if (faults.length > 0) throw new ConfigError(faults);
  const workers = openWorkers(start);
  const { source, content, fixtures } = await readContent(start, workers);
  const stores = await openStores({ config, clock, log, timeoutMs: limits.sharedLimitsMs });
  ending.defer(stores.close);
  const store = start.store(stores.store);
  const feeds = stores.shared?.feeds ?? null;
  const [live, sandboxCatalog] = await Promise.all([
    createLiveCatalog(start, { feeds, source, first: content, workers }),
    createSandboxCatalog(start, fixtures, workers),
  ]);
  ending.defer(live.stop);
  const secret = await readSecret(config);
  const settings: string[] = [];
  const warn = (sentence: string): void => {
    settings.push(sentence);
    log.warn({ event: 'settings' }, sentence);
  };
  for (const sentence of listSettingWarnings(config)) warn(sentence);
  const accessLog = metrics.countRequests(createAccessLog({ clock, sink: start.accessSink }));
  ending.defer(accessLog.flush);
  const listener = await listen(start, stores.rates);
  const { service, newId } = listener;
  const handler = createRequestHandler({
    start,
    service,
    newId,
    store,
    stores,
    live,
    sandboxCatalog,
    secret,
    workers,
    accessLog,
    onForwarded: (peer) => warn(describeForwarding(peer)),
  });
  ending.defer(handler.close);
  listener.serve(handler.handle);
  const sweeper = createSweeper({ store, clock, log });
  ending.defer(sweeper.close);
  ending.defer(listener.close);
  const serving = reportState(start, settings, source, live, store, stores);
  admin?.ready(serving);
  let closing: Promise<void> | null = null;
  return {
    baseUrl: service.baseUrl,
    listenUrl: listener.url,
    adminUrl: admin?.url ?? null,
    productName: content.product.name,
    checkFeed: live.checkFeed,
    revision: handler.revision,
    catalog: live.catalog,
    serving,
    searches: searches.list,
    readMetrics: metrics.readRegistry,
    async close({ atOnce = false } = {}) {
      admin?.drain();
      listener.drain();
      source.stop();
      live.stop();
      const delayMs = atOnce || closing !== null ? 0 : config.drainDelay * 1000;
      if (delayMs > 0) await new Promise<void>((resolve) => clock.after(delayMs, resolve));
      closing ??= ending.disposeAsync();
      await closing;
    },
  };
}

/**
 * Returns the worker processes of the server, or the workers that tests provide. Tasks whose name is among `taskKinds` are counted
 * in the metrics.
 */
function openWorkers({ workers: given, clock, metrics, ending }: Start): Workers {
  const workers = given ?? createWorkers({ clock });
  if (given === null) ending.defer(workers.stop);
  return {
    run(task, input, parts) {
      const kind = taskKinds.find((name) => name === task.name);
      const work = () => workers.run(task, input, parts);
      return kind === undefined ? work() : measureTask(metrics.meter(kind), work);
    },
    stop: workers.stop,
  };
}

async function createSandboxCatalog(start: Start, fixtures: Content, workers: Workers): Promise<Catalog> {
  const { config, log } = start;
  const feed = await startFeed({ ...start, log: silenceNews(log) }, fixtures, 'alone', workers);
  feed.stop();
  const kinds = searchables.filter(({ kind }) => kind !== 'reference');
  return createCatalog(fixtures, feed.snapshot(), (source) =>
    listSearchDocuments(kinds, { ...source, limits: config.limits }),
  );
}

/** Returns a log that passes on only warnings and errors: that the sandbox's feed, a fixture, was read is no news. */
const silenceNews = (log: Log): Log => ({
  ...silentLog,
  warn: (...event) => log.warn(...event),
  error: (...event) => log.error(...event),
});

/**
 * Starts the listener, and returns its service, its origin (`url`) and its functions. A request before `serve` gets no response;
 * from `drain` on, connections are closed after their response, and `close` resolves when every connection has ended. Rejects with
 * the error of the port, such as EADDRINUSE.
 */
async function listen(start: Start, rates: Stores['rates']) {
  const { config, clock, log, devPage, limits, versions, metrics } = start;
  const newId = createRequestIds();
  let handle: RequestHandler['handle'] | null = null;
  let service: Service = { baseUrl: '', apiVersion, limits: config.limits, versions };
  let isDraining = false;
  const server = createListener({
    clock,
    service: () => service,
    rates,
    newId,
    handle(request, response) {
      if (!devPage?.answer(request, response)) handle?.(request, response);
    },
    draining: () => isDraining,
    onRefused: (id, code) => {
      metrics.countUnparsed(code);
      log.info({ request_id: id, code }, 'request refused by the parser');
    },
    ...(limits.timeouts !== undefined && { timeouts: limits.timeouts }),
  });
  server.listen({ port: config.port, host: config.host });
  await once(server, 'listening');
  service = { ...service, baseUrl: config.baseUrl ?? getOrigin(server, config.host) };
  return {
    service,
    url: getOrigin(server, config.host),
    newId,
    serve(handler: RequestHandler['handle']) {
      handle = handler;
    },
    drain() {
      isDraining = true;
    },
    close: () => drain(server, clock, limits.drainMs),
  };
}

const describeForwarding = (peer: string): string =>
  `Requests from ${peer} have X-Forwarded-For or Forwarded, which TRUST_PROXY ignores, so they share one rate limit. If your proxy is there, set TRUST_PROXY=${peer}.`;

/**
 * Adds the state of the service to the metrics, and returns the function that reads it for /readyz. `settings` are the warnings
 * about settings.
 */
function reportState(
  { clock, metrics }: Start,
  settings: readonly string[],
  source: ContentSource,
  live: LiveCatalog,
  store: Store,
  stores: Stores,
): () => Promise<Serving> {
  const readHealth = createStoreWatch(store, clock);
  addStateMetrics(metrics.registry, {
    content() {
      const { revision, warnings } = live.catalog();
      const { entries, dropped } = live.entries;
      return { ...source.status(), revision, warnings: warnings.length, entries: entries(), dropped };
    },
    feed: live.feedStatus,
    limits: stores.limitsStatus,
    store: readHealth,
    now: clock.now,
  });
  return async () => ({
    settings,
    revision: live.catalog().revision,
    content: source.status(),
    feed: live.feedStatus(),
    store: await readHealth(),
    limits: stores.limitsStatus(),
  });
}

/**
 * Starts the admin listener with the metrics and searches of `sources`, or returns null if it is switched off. A second server on
 * one machine finds the usual port in use and starts without it, so this logs a warning and returns null, too, unless
 * ADMIN_PORT is set: then it rejects with EADDRINUSE. It rejects with any other error of the port in either case.
 */
export async function listenForOperator(
  { config, log }: Pick<ServerOptions, 'config' | 'log'>,
  sources: Pick<AdminOptions, 'metrics' | 'searches'>,
): Promise<Admin | null> {
  if (config.admin === null) return null;
  try {
    return await startAdmin({ ...config.admin, ...sources });
  } catch (error) {
    const isInUse = error instanceof Error && Reflect.get(error, 'code') === 'EADDRINUSE';
    if (!isInUse || config.admin.chosen) throw error;
    const { port } = config.admin;
    log.warn(
      { port },
      'the admin port is in use, so this server has no admin listener: set ADMIN_PORT to another one, or off',
    );
    return null;
  }
}
