/** The endpoints beside the API: the contract, the pages with their markdown twins, and the vendor's files. */
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { Context, Service } from '../operations/context.ts';
import { unknownPage } from '../operations/docs.ts';
import { faqBody, unknownFaqEntry } from '../operations/faq.ts';
import type { Operation } from '../operations/operation.ts';
import { type PageDocument, type Site, stylesheet } from '../pages/layout.ts';
import * as pages from '../pages/pages.ts';
import { type Answer, cacheControl } from './answer.ts';
import type { Endpoint, EndpointHandler } from './endpoints.ts';
import { type Exchange, header } from './exchange.ts';
import { acceptable } from './negotiation.ts';
import { createRendition, type Rendition } from './renditions.ts';
import { requestContext } from './rest.ts';
import type { Routes } from './routes.ts';
import { simulations } from './simulate.ts';
import type { State } from './state.ts';

const contentPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export interface SiteOptions {
  readonly service: Service;
  readonly operations: readonly Operation[];
  readonly routes: Routes;
  readonly clock: Clock;
}

export function siteEndpoints(options: SiteOptions) {
  const { service } = options;
  const siteOf = (state: State): Site => ({ baseUrl: service.baseUrl, catalog: state.production.catalog });
  const page = (path: string, make: (site: Site) => PageDocument): Endpoint[] => [
    { path: `${path === '/' ? '/index' : path}.md`, methods: { GET: pageHandler(make, true) } },
    { path, methods: { GET: pageHandler(make, false) } },
  ];
  const endpoints: Endpoint[] = [
    { path: '/openapi.json', methods: { GET: openApiHandler(options) } },
    {
      path: '/site.css',
      methods: { GET: (_, __, state) => file(state, 'site.css', stylesheet, 'text/css; charset=utf-8') },
    },
    { path: '/assets/:path{.+}', methods: { GET: assetHandler } },
    ...page('/', pages.homePage),
    ...page('/docs', pages.docsPage),
    { path: '/docs/:slug{.+\\.md}', methods: { GET: docHandler(true) } },
    { path: '/docs/:slug{.+}', methods: { GET: docHandler(false) } },
    ...page('/faq', pages.faqPage),
    { path: '/faq/:id{[^/]+\\.md}', methods: { GET: faqHandler(true) } },
    { path: '/faq/:id', methods: { GET: faqHandler(false) } },
    ...page('/developers', pages.developersPage),
    ...page('/developers/errors', pages.errorsPage),
    ...page('/developers/versioning', (site) => pages.versioningPage(site, service.versions)),
  ];
  return { endpoints, missingPage };

  function pageHandler(make: (site: Site) => PageDocument, twin: boolean): EndpointHandler {
    return (exchange, _, state) => pageReply(exchange, state, twin, () => make(siteOf(state)));
  }

  function docHandler(twin: boolean): EndpointHandler {
    return (exchange, { slug = '' }, state) => {
      const wanted = twin ? slug.slice(0, -'.md'.length) : slug;
      return pageReply(exchange, state, twin, () => {
        const { catalog } = state.production;
        const found = catalog.page(wanted);
        if (found === undefined) throw unknownPage(wanted, catalog.slugs, state.production.apiRoot);
        return pages.docPage(siteOf(state), found);
      });
    };
  }

  function faqHandler(twin: boolean): EndpointHandler {
    return (exchange, { id = '' }, state) => {
      const wanted = twin ? id.slice(0, -'.md'.length) : id;
      return pageReply(exchange, state, twin, () => {
        const entry = state.production.catalog.faqEntry(wanted);
        if (entry === undefined) throw unknownFaqEntry(state.production, wanted);
        return pages.faqEntryPage(siteOf(state), faqBody(service.baseUrl, entry));
      });
    };
  }

  /** A page in the representation that was asked for; for people, a missing one is a page as well. */
  function pageReply(exchange: Exchange, state: State, twin: boolean, make: () => PageDocument): Rendition | Answer {
    const offers = twin ? ['text/markdown'] : ['text/html', 'text/markdown'];
    const accept = twin ? '' : header(exchange, 'accept');
    const wanted = acceptable(accept, offers);
    if (wanted === null) {
      throw new ApiError('not_acceptable', `Accept must allow ${offers.join(' or ')}.`, {
        headers: { vary: 'Accept' },
      });
    }
    const key = `page ${wanted} ${exchange.path}`;
    const held = state.renditions.get(key);
    if (held !== undefined) return held;
    let made: PageDocument;
    try {
      made = make();
    } catch (error) {
      const missing = error instanceof ApiError && error.code === 'not_found' ? missingPage(exchange, state) : null;
      if (missing !== null) return missing;
      throw error;
    }
    const text = wanted === 'text/html' ? made.html : made.markdown;
    const rendition = createRendition({ text, headers: pageHeaders(wanted), route: exchange.route });
    state.renditions.set(key, rendition);
    return rendition;
  }

  /** Only for those who ask for HTML: a program gets the problem document. */
  function missingPage(exchange: Exchange, state: State): Answer | null {
    const read = exchange.method === 'GET' || exchange.method === 'HEAD';
    if (!read || !header(exchange, 'accept').includes('text/html')) return null;
    const { html } = pages.missingPage(siteOf(state), exchange.path);
    return { status: 404, headers: { ...pageHeaders('text/html'), 'cache-control': cacheControl.none }, body: html };
  }
}

const pageHeaders = (type: string): Record<string, string> => ({
  'content-type': `${type}; charset=utf-8`,
  'cache-control': cacheControl.content,
  vary: 'Accept, Authorization, Accept-Encoding',
  ...(type === 'text/html' && {
    'content-security-policy': contentPolicy,
    'referrer-policy': 'strict-origin-when-cross-origin',
  }),
});

function file(state: State, key: string, bytes: string | Buffer, type: string): Rendition {
  const held = state.renditions.get(`file ${key}`);
  if (held !== undefined) return held;
  const headers = {
    'content-type': type,
    'cache-control': cacheControl.content,
    vary: 'Authorization, Accept-Encoding',
  };
  const made = createRendition({ text: bytes, headers, route: key });
  state.renditions.set(`file ${key}`, made);
  return made;
}

const assetHandler: EndpointHandler = (_, { path = '' }, state) => {
  const asset = state.production.catalog.content.assets.get(`assets/${path}`);
  if (asset === undefined) throw new ApiError('not_found', 'There is no such file.');
  return file(state, asset.path, asset.bytes, asset.mediaType);
};

/** The document is made once for each product name; its examples come from the sandbox and never change. */
function openApiHandler({ service, operations, routes, clock }: SiteOptions): EndpointHandler {
  return async (_, __, state) => {
    const { name } = state.production.catalog.content.product;
    const key = `openapi ${name}`;
    const held = state.renditions.get(key);
    if (held !== undefined) return held;
    const context = requestContext({ state, context: state.sandbox, routes, requestId: exampleRequestId, clock });
    const made = await openApiDocument({
      operations,
      examples: exampleContext(context),
      productName: name,
      simulations,
    });
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': cacheControl.content,
      vary: 'Authorization, Accept-Encoding',
      link: `<${service.baseUrl}/developers>; rel="service-doc"`,
    };
    const rendition = createRendition({ text: `${JSON.stringify(made, null, 2)}\n`, headers, route: '/openapi.json' });
    state.renditions.set(key, rendition);
    return rendition;
  };
}

const exampleRequestId = 'req_4zq1h8k2m6n0p5r7000001';

/** Cursors in the examples are of no use and must not differ between servers. */
const exampleContext = (context: Context): Context => ({
  ...context,
  cursors: { ...context.cursors, issue: () => 'eyJleGFtcGxlIjp0cnVlfQ.c2lnbmF0dXJl' },
});
