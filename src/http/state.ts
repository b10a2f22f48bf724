/** The state that one request sees from start to end: both contexts and their renditions, replaced as one. */
import type { Catalog } from '../catalog/catalog.ts';
import type { Cursors } from '../catalog/cursor.ts';
import type { FeedStatus } from '../feed/release.ts';
import type { CallerExports, Context, Service } from '../operations/context.ts';
import { createExampleExports } from '../operations/exports.ts';
import { findNextChange } from '../operations/versions.ts';
import { createRenditions, type Renditions } from './renditions.ts';

/** The catalogs and renditions of one revision. */
export interface State {
  readonly production: Context;
  readonly sandbox: Context;
  readonly renditions: Renditions;
  /** When the renditions become invalid because the status of a version changes, in milliseconds since 1970; Infinity if none will. */
  readonly validUntil: number;
}

/** The parts of a state. */
export interface StateOptions {
  readonly service: Service;
  readonly catalog: Catalog;
  readonly sandboxCatalog: Catalog;
  readonly cursors: Cursors;
  /** Returns the status of the update feed, for production. */
  readonly feedStatus: () => FeedStatus;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  /** Finds a job of the sandbox without advancing it. */
  readonly findSandboxJob: CallerExports['find'];
}

/** Creates a state. The sandbox never depends on the vendor's feed: its own is always fresh. */
export function createState(options: StateOptions): State {
  const { service, catalog, sandboxCatalog, cursors, feedStatus, now } = options;
  const sharedFields = { service, cursors, now, getAll: null, principal: null };
  const fresh: FeedStatus = { state: 'fresh', problem: null, checkedAt: null, retryAfterSeconds: 5 };
  return {
    production: {
      ...sharedFields,
      environment: 'production',
      catalog,
      apiRoot: `${service.baseUrl}/api/v1`,
      siteRoot: service.baseUrl,
      feedStatus,
      exports: null,
    },
    sandbox: {
      ...sharedFields,
      environment: 'sandbox',
      cursors: createSandboxCursors(cursors),
      catalog: sandboxCatalog,
      apiRoot: `${service.baseUrl}/api/v1/sandbox`,
      siteRoot: `${service.baseUrl}/sandbox`,
      feedStatus: () => fresh,
      exports: createExampleExports(options.findSandboxJob),
    },
    renditions: createRenditions(),
    validUntil: findNextChange(service.versions, now()),
  };
}

/** Returns cursors that are valid only in the sandbox's listings, not in production's of the same name. */
const createSandboxCursors = (cursors: Cursors): Cursors => ({
  issue: (listing, filter, position) => cursors.issue(`sandbox ${listing}`, filter, position),
  read: (listing, filter, cursor) => cursors.read(`sandbox ${listing}`, filter, cursor),
  issueBytes: (listing, filter, place) => cursors.issueBytes(`sandbox ${listing}`, filter, place),
  readBytes: (listing, filter, cursor) => cursors.readBytes(`sandbox ${listing}`, filter, cursor),
});
