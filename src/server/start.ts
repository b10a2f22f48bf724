/** Starts what a service needs in order (content, stores, feed, listener, what answers requests), and ends it in order. */

import { once } from 'node:events';
import { apiVersion } from '../base/build.ts';
import { createRequestIds } from '../base/ids.ts';
import { type Log, silentLog } from '../base/log.ts';
import { taskKinds } from '../base/task-tally.ts';
import { type Catalog, createCatalog } from '../catalog/catalog.ts';
import { sandboxContent, shippedContent } from '../config/content-folders.ts';
import { ConfigError } from '../config/environment.ts';
import { readSecret } from '../config/secret-key.ts';
import { settingWarnings } from '../config/setting-warnings.ts';
import { type ContentSource, createContentSource } from '../content/source.ts';
import type { Admin, Serving } from '../endpoints/operator/admin.ts';
import type { Metrics } from '../endpoints/operator/metrics.ts';
import type { SearchCounts } from '../endpoints/operator/search-counts.ts';
import { addStateMetrics } from '../endpoints/operator/state-metrics.ts';
import { createAccessLog } from '../http/access-log.ts';
import { createListener, drain } from '../http/listener.ts';
import { originOf } from '../http/origin.ts';
import { createRates, type Rates } from '../http/rate.ts';
import { type LimitsStatus, unsharedStatus } from '../limits/shared-limits.ts';
import { createLocalLimits } from '../limits/sliding-window.ts';
import type { Service } from '../operations/context.ts';
import { searchDocumentsOf } from '../operations/searchable.ts';
import { type ApiVersion, apiVersions, versionFaults } from '../operations/versions.ts';
import { searched } from '../resources/resources.ts';
import { createStoreWatch } from '../store/store-watch.ts';
import { createSweeper } from '../store/sweeper.ts';
import { createWorkers, type Workers } from '../worker/pool.ts';
import { createRequestHandler, type RequestHandler } from './compose.ts';
import { createLiveCatalog, type LiveCatalog, startFeed } from './live-catalog.ts';
import { drainMs, type Served, type ServerOptions } from './options.ts';
import { openSharedLimits } from './rate-limits.ts';
import { compareSecret, openStorage, type Storage } from './storage.ts';

/** The sandbox's feed is a fixture: what is new in it is no news. */
const sandboxLog = (log: Log): Log => ({
  ...silentLog,
  warn: (...said) => log.warn(...said),
  error: (...said) => log.error(...said),
});

/** Listens at the public port once everything that it serves has been read. Throws ConfigError or ContentError with every fault. */
export async function startService(options: ServerOptions, operator: Operator): Promise<Served> {
  const { config, clock, log, versions = apiVersions } = options;
  const faults = versionFaults(versions);
  if (faults.length > 0) throw new ConfigError(faults);
  const directory = config.contentDir ?? shippedContent;
  const { metrics } = operator;
  const meter = metrics.meter('content');
  const threads = options.workers ?? createWorkers({ clock });
  const workers: Workers = {
    run(task, input, parts) {
      const kind = taskKinds.find((name) => name === task.name);
      return threads.run(task, input, kind === undefined ? parts : { ...parts, meter: metrics.meter(kind) });
    },
    stop: () => threads.stop(),
  };
  const source = createContentSource({ directory, clock, log, workers, meter });
  const sandboxSource = createContentSource({ directory: sandboxContent, clock, log, workers });
  const [content, fixtures] = [await source.start(), await sandboxSource.start()];
  sandboxSource.stop();
  const storage = await openStorage({ config, clock, log });
  const local = createLocalLimits(clock);
  const sharedLimits = await openSharedLimits({
    config,
    database: storage.shared?.database ?? null,
    clock,
    log,
    local,
    ...(options.limitsDeadlineMs !== undefined && { timeoutMs: options.limitsDeadlineMs }),
  });
  const rates = createRates({ limits: config.limits, local, shared: sharedLimits });
  const closeStores = async (): Promise<void> => {
    await sharedLimits?.close();
    await storage.store.close();
  };
  let live: LiveCatalog | null = null;
  try {
    const [sandboxFeed, started] = await Promise.all([
      startFeed({ ...options, log: sandboxLog(log) }, fixtures, 'alone', workers),
      createLiveCatalog(options, storage.shared?.feeds ?? null, source, content, workers, metrics),
    ]);
    live = started;
    sandboxFeed.stop();
    const sandboxSearched = searched.filter(({ kind }) => kind !== 'reference');
    const sandboxCatalog = createCatalog(fixtures, sandboxFeed.snapshot(), (source) =>
      searchDocumentsOf(sandboxSearched, { ...source, limits: config.limits }),
    );
    const served = { productName: content.product.name, live, sandboxCatalog };
    const kept = { storage, rates, workers, limitsStatus: () => sharedLimits?.status() ?? unsharedStatus, closeStores };
    return await listen({ options, operator, source, ...served, ...kept, versions });
  } catch (error) {
    // Its connection to a shared database would keep a process alive that cannot serve.
    live?.stop();
    source.stop();
    if (options.workers === undefined) workers.stop();
    await closeStores();
    throw error;
  }
}

/** What the operator sees of the service. */
export interface Operator {
  readonly metrics: Metrics;
  readonly searches: SearchCounts;
  /** The admin listener, or null if it is off. */
  readonly admin: Admin | null;
}

interface Parts {
  readonly options: ServerOptions;
  readonly operator: Operator;
  readonly source: ContentSource;
  readonly productName: string;
  readonly live: LiveCatalog;
  readonly sandboxCatalog: Catalog;
  readonly storage: Storage;
  readonly workers: Workers;
  readonly rates: Rates;
  limitsStatus(): LimitsStatus;
  /** Ends everything that is kept outside of the process. */
  closeStores(): Promise<void>;
  readonly versions: readonly ApiVersion[];
}

async function listen(parts: Parts): Promise<Served> {
  const { options, operator, source, productName, live, sandboxCatalog } = parts;
  const { metrics, searches, admin } = operator;
  const { storage, rates, limitsStatus, closeStores, versions } = parts;
  const { config, clock, log, devPage } = options;
  const store = options.wrapStore?.(storage.store) ?? storage.store;
  const secret = await readSecret(config);
  await compareSecret(storage, secret, log);

  const newId = createRequestIds();
  const accessLog = metrics.countRequests(createAccessLog({ clock, sink: options.accessSink }));
  let handle: RequestHandler['handle'] | null = null;
  let service: Service = { baseUrl: '', apiVersion, limits: config.limits, versions };
  let draining = false;
  const server = createListener({
    clock,
    service: () => service,
    rates,
    newId,
    handle(request, response) {
      if (!devPage?.answer(request, response)) handle?.(request, response);
    },
    draining: () => draining,
    onRefused: (id, code) => {
      metrics.countUnparsed(code);
      log.info({ request_id: id, code }, 'request refused by the parser');
    },
    ...(options.timeouts !== undefined && { timeouts: options.timeouts }),
  });
  server.listen({ port: config.port, host: config.host });
  await once(server, 'listening');
  service = { ...service, baseUrl: config.baseUrl ?? originOf(server, config.host) };
  const warnings = settingWarnings(config);
  for (const warning of warnings) log.warn({ event: 'settings' }, warning);

  const requests = createRequestHandler({
    options,
    service,
    store,
    isStoreShared: storage.shared !== null,
    live,
    sandboxCatalog,
    secret,
    rates,
    metrics,
    workers: parts.workers,
    accessLog,
    countSearch: searches.count,
    newId,
  });
  handle = requests.handle;
  source.onFaults((found) => devPage?.show(found));
  const sweeper = createSweeper({ store, clock, log });
  const { health } = createStoreWatch({ store, clock });
  addStateMetrics(metrics.registry, {
    content: () => ({ ...source.status(), ...servedContent(live) }),
    feed: live.feedStatus,
    limits: limitsStatus,
    store: health,
    now: clock.now,
  });
  const serving = async (): Promise<Serving> => ({
    settings: warnings,
    revision: requests.revision(),
    content: source.status(),
    feed: live.feedStatus(),
    store: await health(),
    limits: limitsStatus(),
  });
  admin?.ready(serving);

  return {
    baseUrl: service.baseUrl,
    listenUrl: originOf(server, config.host),
    adminUrl: admin?.url ?? null,
    productName,
    checkFeed: live.checkFeed,
    revision: requests.revision,
    serving,
    searches: searches.list,
    async close({ atOnce = false } = {}) {
      admin?.drain();
      draining = true;
      source.stop();
      live.stop();
      const delayMs = atOnce ? 0 : config.drainDelaySeconds * 1000;
      if (delayMs > 0) await new Promise<void>((over) => clock.after(delayMs, over));
      await drain(server, clock, options.drainMs ?? drainMs);
      sweeper.close();
      await requests.close();
      if (options.workers === undefined) parts.workers.stop();
      await closeStores();
      accessLog.flush();
      await admin?.close();
    },
  };
}

const servedContent = (live: LiveCatalog) => {
  const { revision, warnings } = live.catalog();
  const { entries, dropped } = live.entries;
  return { revision, warnings: warnings.length, entries, dropped };
};
