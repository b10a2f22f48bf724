/** Puts the parts together: content and feed into a catalog, the catalog into a state, the state behind a listener. */
import { once } from 'node:events';
import { apiVersion } from './base/build.ts';
import { createRequestIds } from './base/ids.ts';
import type { Log } from './base/log.ts';
import { type Catalog, createCatalog } from './catalog/catalog.ts';
import { createCursors } from './catalog/cursor.ts';
import { ConfigError } from './config.ts';
import type { Content } from './content/content.ts';
import { type ContentSource, createContentSource } from './content/source.ts';
import { sandboxContent, shippedContent } from './content-folders.ts';
import { createNotesProcess } from './feed/notes-process.ts';
import { createAccessLog } from './http/access-log.ts';
import type { Admin, Serving } from './http/admin.ts';
import { createAdmission } from './http/admission.ts';
import { drain } from './http/drain.ts';
import { createOpenDesk, exportEndpoints } from './http/exports.ts';
import { createHandler } from './http/handler.ts';
import { createListener } from './http/listener.ts';
import { createLoad, loopDelay } from './http/load.ts';
import { mcpEndpoints } from './http/mcp.ts';
import { oauthEndpoints } from './http/oauth.ts';
import { originOf } from './http/origin.ts';
import { createRates, type Rates } from './http/rate.ts';
import { createRoutes } from './http/routes.ts';
import { siteEndpoints } from './http/site.ts';
import { createState, type State } from './http/state.ts';
import type { Tally } from './http/tally.ts';
import { createWriter } from './http/writer.ts';
import { createJobs } from './jobs/jobs.ts';
import { createSandboxJobs } from './jobs/sandbox-jobs.ts';
import { createLocalLimits } from './limits/local-limits.ts';
import { alone } from './limits/shared-limits.ts';
import { createLiveCatalog, startFeed } from './live-catalog.ts';
import { trustIssuers } from './oauth/trusted-issuers.ts';
import type { Service } from './operations/context.ts';
import { exampleJob } from './operations/export-examples.ts';
import { createExporter } from './operations/export-files.ts';
import { operations } from './operations/operations.ts';
import { type ApiVersion, apiVersions, versionFaults } from './operations/versions.ts';
import { openSharedLimits } from './rate-limits.ts';
import { readSecret } from './secret-key.ts';
import { drainMs, type Reports, type Served, type ServerOptions } from './server-options.ts';
import { compareSecret, openStorage, type Storage } from './storage.ts';
import { createFallbackIdempotency } from './store/fallback-idempotency.ts';
import { createMemoryIdempotency } from './store/memory-idempotency.ts';
import { createStoreWatch } from './store/store-watch.ts';
import { createSweeper } from './store/sweeper.ts';

/** Keys and looks of the sandbox's jobs: about three a job. */
const mostSandboxClaims = 3000;

/** Listens at the public port once everything that it serves has been read. Throws ConfigError or ContentError with every fault. */
export async function startService(
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
  const ownClaims = createMemoryIdempotency(mostSandboxClaims);
  const sandboxJobs = createSandboxJobs({
    clock,
    key: secret,
    // Several processes on one database have to agree on how often a job was looked at; one alone spares the disk.
    table: storage.shared === null ? ownClaims : createFallbackIdempotency(store, ownClaims),
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
      await drain(server, clock, options.drainMs ?? drainMs);
      load.close();
      sweeper.close();
      await jobs.close();
      await closeStores();
      accessLog.flush();
      await admin?.close();
    },
  };
}

function warnOfPlainHttp(baseUrl: string, log: Log): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)) return;
  log.warn(
    { base_url: baseUrl },
    'BASE_URL is plain http: secrets and tokens cross the network in clear. Put TLS before it.',
  );
}
