/** Creates the handler of requests with every endpoint, the state that it serves and the jobs that it starts. */
import { setImmediate } from 'node:timers/promises';
import { normalizeHostName } from '../base/host-name.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { createCursors } from '../catalog/cursor.ts';
import { loadLanguage } from '../content/facts.ts';
import { createApi } from '../endpoints/api/api.ts';
import { exportFileEndpoint } from '../endpoints/api/export-file.ts';
import { createRoutes } from '../endpoints/api/routes.ts';
import { createHandler } from '../endpoints/dispatch.ts';
import { createMcpEndpoints } from '../endpoints/mcp/mcp.ts';
import { createOAuthEndpoints } from '../endpoints/oauth/endpoints.ts';
import { createSiteEndpoints } from '../endpoints/site/site.ts';
import type { AccessLog } from '../http/access-log.ts';
import { createAdmission } from '../http/admission.ts';
import { createAddressReader } from '../http/client-address.ts';
import { createGate } from '../http/gate.ts';
import { createLoad } from '../http/load.ts';
import { createState, type State } from '../http/state.ts';
import { createWriter } from '../http/writer.ts';
import { createJobs } from '../jobs/jobs.ts';
import { createSandboxJobs } from '../jobs/sandbox-jobs.ts';
import { trustIssuers } from '../oauth/trusted-issuers.ts';
import type { Service } from '../operations/context.ts';
import { createExporter } from '../operations/export-files.ts';
import { exampleJob } from '../operations/exports.ts';
import { createDrawer } from '../pages/drawing.ts';
import { createRenderer } from '../pages/renderer.ts';
import { exportSources, mcpServers, operations, resources } from '../resources/resources.ts';
import { wordListLoaders } from '../search/language.ts';
import { createMemoryIdempotency, type IdempotencyTable } from '../store/idempotency.ts';
import type { Store } from '../store/store.ts';
import type { Workers } from '../worker/pool.ts';
import { type LiveCatalog, openAhead } from './live-catalog.ts';
import type { Start } from './options.ts';
import type { Stores } from './stores.ts';

/** The parts that the handler consists of. */
export interface RequestHandlerParts {
  readonly start: Start;
  readonly service: Service;
  /** Creates the ID of a request. */
  readonly newId: () => string;
  /** The store of clients, tokens and jobs, as `Dependencies.store` returns it. */
  readonly store: Store;
  /** The database that processes share, if there is one, and the rate limits. */
  readonly stores: Pick<Stores, 'shared' | 'rates'>;
  readonly live: LiveCatalog;
  readonly sandboxCatalog: Catalog;
  /** The key that signs cursors and the IDs of jobs. */
  readonly secret: Uint8Array;
  readonly workers: Workers;
  readonly accessLog: AccessLog;
  /** Is called once if requests have forwarding headers that TRUST_PROXY ignores, with the address that sends them. */
  onForwarded(peer: string): void;
}

/**
 * The functions that handle a request of Node's server (`handle`), return the revision that is served (`revision`), and end the
 * jobs that were started (`close`).
 */
export type RequestHandler = ReturnType<typeof createRequestHandler>;

/** Maximum number of keys and polls of the sandbox's jobs that are remembered, about three for each job. */
const maxSandboxClaims = 3000;

/**
 * Creates `handle`, which handles a request of Node's server and returns nothing, and `revision`, which returns the revision that
 * is served. Runs queued export jobs until `close` is called.
 */
export function createRequestHandler(parts: RequestHandlerParts) {
  const { start, service, newId, store, stores, live, sandboxCatalog, secret, workers, accessLog } = parts;
  const { config, clock, log, devPage, isSnapshot = false, limits, metrics } = start;
  const { rates } = stores;
  const previousKey = config.secretKeyPrevious === null ? undefined : Buffer.from(config.secretKeyPrevious);
  const countSearch = start.searches.count;
  const cursors = createCursors(secret, previousKey);
  const ownClaims = createMemoryIdempotency(maxSandboxClaims);
  const sandboxJobs = createSandboxJobs({
    clock,
    key: secret,
    // Processes on one database have to agree on how often a job was polled; a single process counts in memory.
    table: stores.shared !== null ? createFallbackIdempotency(store, ownClaims) : ownClaims,
    exporter: createExporter(exportSources, () => state.sandbox),
    resources: [...exportSources.keys()],
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
  const getCurrentState = (): State => {
    if (clock.now() >= state.validUntil) state = makeState(live.catalog());
    return state;
  };
  live.onChange((catalog) => {
    state = makeState(catalog);
    devPage?.changed();
  });

  const jobs = createJobs({
    store,
    clock,
    key: secret,
    previousKey,
    exporter: createExporter(exportSources, () => state.production),
    log,
    meter: metrics.meter('export'),
  });
  const load = createLoad({
    log,
    onShed: metrics.countShed,
    ...(limits.load !== undefined && { bounds: limits.load }),
  });
  const keys = { clients: store, anonymous: createMemoryIdempotency() };
  const renderer = createRenderer({ workers, log });
  const drawer = createDrawer({ workers, log });
  const routes = createRoutes(operations);
  const site = createSiteEndpoints({
    service,
    operations,
    // The resource `service` publishes the developer portal, which describes endpoints that a snapshot lacks.
    published: isSnapshot ? resources.filter(({ name }) => name !== 'service') : resources,
    routes,
    clock,
    renderer,
    drawer,
    reloads: devPage !== undefined,
    isSnapshot,
  });
  // Loads what the first date and the first search would wait for, `prepareMs` after the start so that first requests come before.
  const prepare = async (): Promise<void> => {
    const { content, search } = state.production.catalog;
    openAhead(search, log);
    for (const load of [() => loadLanguage(content.product.language), ...wordListLoaders]) {
      await setImmediate();
      load();
    }
  };
  const cancelPreparation = limits.prepareMs === null ? () => {} : clock.after(limits.prepareMs, () => void prepare());
  const mcp = createMcpEndpoints({ service, servers: mcpServers, clock, log, keys, countSearch });
  const oauth = createOAuthEndpoints({
    service,
    store,
    clock,
    log,
    baseUrl: service.baseUrl,
    key: secret,
    previousKey,
    issuers: trustIssuers(config.assertionIssuers),
    rates,
    keys,
  });
  const handle = createHandler({
    service,
    clock,
    log,
    findApiRoute: routes.findTemplate,
    gate: createGate({ load, rates, admit: createAdmission({ service, clock, rates, store }) }),
    writer: createWriter({ service, clock, accessLog }),
    load,
    api: createApi({ service, clock, routes, keys, jobs, sandboxJobs, countSearch }),
    endpoints: [...mcp, ...oauth, exportFileEndpoint({ jobs, sandboxJobs }), ...site.endpoints],
    readAddress: createAddressReader(config.trustProxy, parts.onForwarded),
    mcpHost: config.mcpBaseUrl === null ? null : normalizeHostName(new URL(config.mcpBaseUrl).host),
    newId,
    countSearch,
    state: getCurrentState,
    failurePage: site.failurePage,
  });
  jobs.run();

  return {
    handle,
    /** Returns the revision that is served now. */
    revision: () => state.production.catalog.revision,
    /** Starts no other job, and resolves when the one that is running has ended. */
    async close(): Promise<void> {
      cancelPreparation();
      await jobs.close();
    },
  };
}

/**
 * Returns a table of idempotency keys that calls `sharedTable`, and `localTable` instead for each call that the first rejects, with
 * whatever error, as when the database is down.
 */
const createFallbackIdempotency = (sharedTable: IdempotencyTable, localTable: IdempotencyTable): IdempotencyTable => ({
  claimIdempotency: (...claim) =>
    sharedTable.claimIdempotency(...claim).catch(() => localTable.claimIdempotency(...claim)),
  hasIdempotency: (...call) => sharedTable.hasIdempotency(...call).catch(() => localTable.hasIdempotency(...call)),
  releaseIdempotency: (...claim) =>
    sharedTable.releaseIdempotency(...claim).catch(() => localTable.releaseIdempotency(...claim)),
});
