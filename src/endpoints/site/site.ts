/** The endpoints other than the API: every page of the site and the portal, the contract, and the documents for programs. */
import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import { isNone } from '../../base/none.ts';
import { loadLanguage } from '../../content/facts.ts';
import { describeAddress } from '../../feed/address.ts';
import { type Answer, isSandboxPage } from '../../http/answer.ts';
import type { Endpoint } from '../../http/endpoints.ts';
import type { Exchange } from '../../http/exchange.ts';
import { rangeHeaders } from '../../http/range.ts';
import type { State } from '../../http/state.ts';
import { describedEndpoints } from '../../openapi/endpoints.ts';
import { codesOf, commonCodes } from '../../openapi/responses.ts';
import type { Context, Service } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import { responseHeaders } from '../../operations/response-headers.ts';
import { clientModule, clientModulePath } from '../../pages/developers/client-module.ts';
import { apiCatalog, apiCatalogType } from '../../pages/discovery/api-catalog.ts';
import { releasesAtom } from '../../pages/discovery/atom.ts';
import { llmsFullTxt, llmsTxt } from '../../pages/discovery/llms.ts';
import { securityTxt } from '../../pages/discovery/security-txt.ts';
import { robotsTxt, sitemap } from '../../pages/discovery/sitemap.ts';
import { skillPath, skills, skillsIndex } from '../../pages/discovery/skills.ts';
import type { Drawer } from '../../pages/drawing.ts';
import { appIconPathNames, createLook, manifestPath, referenceScriptPath } from '../../pages/look.ts';
import { describePreview, previewAddress, previewRoute } from '../../pages/preview.ts';
import { renderAhead } from '../../pages/prose.ts';
import { requireReleases } from '../../pages/releases.ts';
import type { Rendering } from '../../pages/rendering.ts';
import type { Parameters, Published, Site } from '../../pages/site.ts';
import { requestContext } from '../api/request-context.ts';
import type { Routes } from '../api/routes.ts';
import { simulations } from '../api/simulate.ts';
import { downloadEndpoints } from './download.ts';
import { contractForms, contractHandler, type FileRoute, fileEndpoint, inert } from './site-files.ts';
import { failureAnswer, type PageOptions, pageEndpoints } from './site-pages.ts';

const plain = 'text/plain; charset=utf-8';
const json = 'application/json; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const icon = ({ look }: Site) => ({ type: look.icon.mediaType, content: look.icon.bytes, headers: inert });

const appIcon = ({ look }: Site, path: string) => look.appIcons.find((one) => one.path === path);

function findPreviewTask(site: Site, { section: file = '' }: Parameters) {
  const section = file.replace(/\.png$/, '');
  return { section, task: describePreview(site, section) };
}

const files: readonly FileRoute[] = [
  {
    path: '/site.css',
    address: ({ look }) => look.stylesheetUrl,
    make: ({ look }) => ({ type: 'text/css; charset=utf-8', content: look.stylesheet }),
  },
  {
    path: '/site.js',
    address: ({ look }) => look.scriptUrl,
    make: ({ look }) => ({ type: script, content: look.script }),
  },
  { path: clientModulePath, make: () => ({ type: script, content: clientModule() }) },
  {
    path: referenceScriptPath,
    address: ({ look }) => look.referenceScript.url,
    make: ({ look }) => ({ type: script, content: look.referenceScript.text }),
  },
  { path: '/favicon.svg', make: icon },
  { path: '/favicon.ico', make: icon },
  ...appIconPathNames.map((path) => ({
    path,
    address: (site: Site) => appIcon(site, path)?.url ?? path,
    make: async (site: Site) => {
      const drawn = appIcon(site, path);
      return drawn === undefined ? null : { type: 'image/png', content: await site.drawer.draw(drawn.task) };
    },
  })),
  {
    path: previewRoute,
    address: (site, parameters) => {
      const { section, task } = findPreviewTask(site, parameters);
      return task && previewAddress(section, task);
    },
    make: async (site, parameters) => {
      const { task } = findPreviewTask(site, parameters);
      return task && { type: 'image/png', content: await site.drawer.draw(task) };
    },
  },
  {
    path: manifestPath,
    address: ({ look }) => look.manifest.url,
    make: ({ look }) => ({ type: 'application/manifest+json; charset=utf-8', content: look.manifest.text }),
  },
  { path: '/assets/:path{.+}', make: asset },
  { path: '/llms.txt', make: (site) => ({ type: plain, content: llmsTxt(site) }) },
  { path: '/llms-full.txt', make: async (site) => ({ type: plain, content: await llmsFullTxt(site) }) },
  { path: '/robots.txt', make: (site) => ({ type: plain, content: robotsTxt(site) }) },
  {
    path: '/sitemap.xml',
    make: async (site) => ({ type: 'application/xml; charset=utf-8', content: await sitemap(site) }),
    needsFeed: true,
  },
  {
    path: '/releases.atom',
    make: async (site) => ({ type: 'application/atom+xml; charset=utf-8', content: await releasesAtom(site) }),
    needsFeed: true,
  },
  {
    path: '/appcast.xml',
    // A feed is the vendor's, and may not be signed: opened in a browser, nothing in it runs.
    make: (site) => ({ type: 'application/rss+xml', content: adoptedFeed(site), headers: inert }),
    needsFeed: true,
  },
  { path: '/.well-known/api-catalog', make: (site) => ({ type: apiCatalogType, content: apiCatalog(site) }) },
  { path: '/.well-known/security.txt', make: security },
  { path: '/.well-known/agent-skills/index.json', make: (site) => ({ type: json, content: skillsIndex(site) }) },
  { path: skillPath(':name'), make: skill },
];

export interface SiteOptions {
  readonly service: Service;
  readonly operations: readonly Operation[];
  readonly published: readonly Published[];
  readonly routes: Routes;
  readonly clock: Clock;
  readonly renderer: Rendering;
  readonly drawer: Drawer;
  /** Whether pages load themselves again after a change. */
  readonly reloads: boolean;
}

/** `failurePage` is what people see of a failure; null for those who do not ask for HTML. */
export function siteEndpoints(options: SiteOptions): {
  endpoints: Endpoint[];
  failurePage(error: ApiError, exchange: Exchange, state: State): Answer | null;
  /** Renders pages before they are asked for, for as long as the state is current. */
  renderAhead(state: State, isCurrent: () => boolean): Promise<void>;
  /** Loads the tables that the first date of a language needs, which take longer than a page. */
  loadLanguage(state: State): void;
} {
  const { service, operations, published } = options;
  const sitesOf = createSites(options);
  const siteOf = (state: State): Site => sitesOf(state).product;
  const pageOptions: PageOptions = { baseUrl: service.baseUrl, siteOf, root: '' };
  const fixtureOptions: PageOptions = {
    baseUrl: service.baseUrl,
    siteOf: (state) => sitesOf(state).fixtures,
    root: '/sandbox',
  };
  const examplesIn = (state: State): Context => siteOf(state).sandbox;
  return {
    endpoints: [
      ...Object.entries(contractForms).map((form) => ({
        path: form[0],
        methods: { GET: contractHandler({ baseUrl: service.baseUrl, operations, examplesIn }, form) },
      })),
      ...files.map((file) => fileEndpoint(siteOf, file)),
      ...downloadEndpoints,
      ...[pageOptions, fixtureOptions].flatMap((of) =>
        shownIn(of.root, published).flatMap(({ page }) =>
          isNone(page) ? [] : page.routes.flatMap((route) => pageEndpoints(of, route)),
        ),
      ),
    ],
    failurePage: (error, exchange, state) =>
      failureAnswer(isSandboxPage(exchange.path) ? fixtureOptions : pageOptions, error, exchange, state),
    renderAhead: (state, isCurrent) => renderAhead(siteOf(state), mostAhead, isCurrent),
    loadLanguage: ({ production }) => loadLanguage(production.catalog.content.product.language),
  };
}

/** Characters: the documentation of most products. A larger one is rendered page by page, when somebody asks. */
const mostAhead = 500_000;

/** What a site shows: the sandbox's, only what it has fixtures of. */
const shownIn = (root: Site['root'], published: readonly Published[]): readonly Published[] =>
  root === '' ? published : published.filter(({ sandbox }) => !isNone(sandbox));

interface Sites {
  readonly product: Site;
  /** The pages that responses of the sandbox link to. */
  readonly fixtures: Site;
}

/** Those of each revision. */
function createSites({
  service,
  operations,
  published,
  routes,
  clock,
  renderer,
  drawer,
  reloads,
}: SiteOptions): (state: State) => Sites {
  const made = new WeakMap<State, Sites>();
  const headers = Object.entries(responseHeaders(service.apiVersion)).map(([name, { description, schema }]) => {
    const [example] = Array.isArray(schema.examples) ? schema.examples : [];
    return [name, { description, example: String(example ?? '') }];
  });
  return (state) => {
    const known = made.get(state);
    if (known !== undefined) return known;
    const answering = (context: Context) =>
      requestContext({ state, context, routes, requestId: exampleRequestId, clock });
    const { catalog } = state.production;
    const look = createLook(catalog.content, reloads);
    const product: Site = {
      baseUrl: service.baseUrl,
      root: '',
      shown: state.production,
      catalog,
      look,
      renderer,
      drawer,
      production: answering(state.production),
      sandbox: answering(state.sandbox),
      operations,
      endpoints: describedEndpoints(service, catalog.content.product.name),
      published,
      simulations,
      responseHeaders: Object.fromEntries(headers),
      commonCodes,
      problemCodesOf: (operation) => codesOf(operation, false),
    };
    const sites = { product, fixtures: fixturesIn(product, state.sandbox) };
    made.set(state, sites);
    return sites;
  };
}

/** The same pages over the sandbox's catalog, without the vendor's pictures. */
const fixturesIn = (product: Site, shown: Context): Site => ({
  ...product,
  root: '/sandbox',
  shown,
  catalog: shown.catalog,
  look: { ...product.look, logo: null, socialImage: null },
  published: shownIn('/sandbox', product.published),
});

/** In the responses that documentation shows. */
const exampleRequestId = 'req_4zq1h8k2m6n0p5r7000001';

/** The feed's bytes as they were adopted, signature included. */
function adoptedFeed(site: Site): Buffer {
  const { catalog } = site;
  requireReleases(site);
  const { feedFile } = catalog;
  if (feedFile === null) throw new ApiError('not_found', 'There is no feed.');
  if (!feedFile.hasRelativeUrls) return feedFile.bytes;
  const source = URL.parse(catalog.content.product.feed.source) ?? URL.parse(feedFile.address ?? '');
  const where = source === null ? '' : ` It is published at ${describeAddress(source)}.`;
  throw new ApiError('not_found', `The feed has relative URLs, which would lead elsewhere from here.${where}`);
}

function asset({ catalog }: Site, { path = '' }: Readonly<Record<string, string>>) {
  const found = catalog.content.assets.get(`assets/${path}`);
  return found === undefined
    ? null
    : { type: found.mediaType, content: found.bytes, headers: { ...inert, ...rangeHeaders } };
}

function security(site: Site) {
  const text = securityTxt(site);
  return text === null ? null : { type: plain, content: text };
}

function skill(site: Site, { name = '' }: Readonly<Record<string, string>>) {
  const found = skills(site).find((known) => known.name === name);
  return found === undefined ? null : { type: 'text/markdown; charset=utf-8', content: found.text };
}
