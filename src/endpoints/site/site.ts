/** Creates the endpoints of the site and the portal: every page, file and document, from one `Site` object for each state. */
import type { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import { isNone } from '../../base/none.ts';
import { type Answer, isSandboxPage } from '../../http/answer.ts';
import type { Endpoint } from '../../http/endpoints.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { State } from '../../http/state.ts';
import { describeEndpoints } from '../../openapi/endpoints.ts';
import { commonCodes, createExampleProblem, listCodes } from '../../openapi/responses.ts';
import type { Context, Service } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import { createResponseHeaders } from '../../operations/response-headers.ts';
import type { Drawer } from '../../pages/drawing.ts';
import { createLook } from '../../pages/look.ts';
import type { Renderer } from '../../pages/renderer.ts';
import { type Published, type Site, showCatalog } from '../../pages/site.ts';
import { createRequestContext } from '../api/request-context.ts';
import type { Routes } from '../api/routes.ts';
import { downloadEndpoints } from './downloads.ts';
import { createFileEndpoints } from './site-files.ts';
import { createFailureAnswer, createPageEndpoints } from './site-pages.ts';

/** The parts that the site consists of. */
export interface SiteOptions {
  readonly service: Service;
  /** The operations of the API, for the pages about them. */
  readonly operations: readonly Operation[];
  /** The pages of each resource. */
  readonly published: readonly Published[];
  /** The routes of the API, by which pages read its responses. */
  readonly routes: Routes;
  readonly clock: Clock;
  readonly renderer: Renderer;
  readonly drawer: Drawer;
  /** Whether pages load themselves again after a change. */
  readonly reloads: boolean;
  /** Whether pages leave out what needs a server. */
  readonly isSnapshot: boolean;
}

/** The endpoints of the site, and its failure page. */
export interface SiteEndpoints {
  readonly endpoints: readonly Endpoint[];
  /**
   * Returns the page about a failure, or null for clients that do not accept HTML and for the files of exports. A 404 at an old
   * address is a redirect for every client, and one at a path with a slash at its end a redirect for clients that accept HTML.
   */
  failurePage(error: ApiError, exchange: Exchange, state: State): Answer | null;
}

/** Creates the endpoints of the product's files, downloads and pages, and of the sandbox's pages. */
export function createSiteEndpoints(options: SiteOptions): SiteEndpoints {
  const getSites = createSites(options);
  const roots = [
    { root: '', getSite: (state: State) => getSites(state).product },
    { root: '/sandbox', getSite: (state: State) => getSites(state).fixtures },
  ] as const;
  const pages = roots.flatMap((site) =>
    selectPublished(site.root, options.published).flatMap(({ page }) =>
      isNone(page) ? [] : page.routes.flatMap((route) => createPageEndpoints(site, route)),
    ),
  );
  return {
    endpoints: [...createFileEndpoints(roots[0].getSite), ...downloadEndpoints, ...pages],
    failurePage(error, exchange, state) {
      const { product, fixtures } = getSites(state);
      return createFailureAnswer(isSandboxPage(exchange.path) ? fixtures : product, error, exchange, state);
    },
  };
}

/** Returns what is published below a root: in the sandbox, only what has fixtures. */
const selectPublished = (root: Site['root'], published: readonly Published[]): readonly Published[] =>
  root === '' ? published : published.filter(({ sandbox }) => !isNone(sandbox));

interface Sites {
  readonly product: Site;
  /** The pages that responses of the sandbox link to. */
  readonly fixtures: Site;
}

/** Creates the function that returns the sites of a state. It creates them at the first call for that state only. */
function createSites(options: SiteOptions): (state: State) => Sites {
  const { service, operations, published, routes, clock, renderer, drawer, reloads, isSnapshot } = options;
  const cache = new WeakMap<State, Sites>();
  const headers = Object.entries(createResponseHeaders(service.apiVersion)).map(([name, { description, schema }]) => {
    const [example] = Array.isArray(schema.examples) ? schema.examples : [];
    return [name, { description, example: String(example ?? '') }];
  });
  const createSite = (state: State): Site => {
    const addBatches = (context: Context) =>
      createRequestContext({ state, context, routes, requestId: exampleRequestId, clock });
    const { catalog } = state.production;
    return {
      baseUrl: service.baseUrl,
      root: '',
      shown: state.production,
      ...showCatalog(catalog),
      isSnapshot,
      look: createLook(catalog.content, reloads ? 'reload.js' : isSnapshot ? 'snapshot.js' : null),
      renderer,
      drawer,
      production: addBatches(state.production),
      sandbox: addBatches(state.sandbox),
      operations,
      endpoints: describeEndpoints(service, catalog.content.product.name),
      published,
      responseHeaders: Object.fromEntries(headers),
      exampleProblem: (code) => createExampleProblem(code, service.baseUrl),
      commonCodes,
      listProblemCodes: (operation) => listCodes(operation, false),
    };
  };
  return (state) => {
    const cachedSites = cache.get(state);
    if (cachedSites !== undefined) return cachedSites;
    const product = createSite(state);
    const sites = { product, fixtures: createFixtureSite(product, state.sandbox) };
    cache.set(state, sites);
    return sites;
  };
}

/**
 * Returns a copy of `product` for the sandbox, whose context is `context`: with its catalog, only what has fixtures, and without
 * the vendor's logo and social image.
 */
const createFixtureSite = (product: Site, context: Context): Site => ({
  ...product,
  root: '/sandbox',
  shown: context,
  ...showCatalog(context.catalog),
  look: { ...product.look, logo: null, socialImage: null },
  published: selectPublished('/sandbox', product.published),
});

/** The request ID in the responses that documentation shows. */
const exampleRequestId = 'req_4zq1h8k2m6n0p5r7000001';
