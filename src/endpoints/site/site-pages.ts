/** Serves pages in HTML or markdown, each created once for a revision, and failures as pages for people. */
import { ApiError } from '../../base/api-error.ts';
import { hasDotSegment } from '../../content/redirects.ts';
import { type Answer, getPath, vary } from '../../http/answer.ts';
import type { Endpoint, EndpointHandler } from '../../http/endpoints.ts';
import { type Exchange, readHeader } from '../../http/exchange.ts';
import { normalizePath } from '../../http/guard.ts';
import { chooseAccepted } from '../../http/negotiation.ts';
import { createRendition, type Rendition } from '../../http/renditions.ts';
import type { State } from '../../http/state.ts';
import { encodeLargeText } from '../../operations/representation.ts';
import { getMarkdownPath } from '../../operations/searchable.ts';
import { renderFailurePage } from '../../pages/missing.ts';
import type { PageDocument } from '../../pages/page.ts';
import type { PageRoute, Parameters, Site } from '../../pages/site.ts';
import { getCachedRendition } from './cached-rendition.ts';

type Representation = 'text/html' | 'text/markdown';

/** The root below which pages are served, and the function that returns the site of a state. */
export interface PageOptions {
  readonly root: Site['root'];
  getSite(state: State): Site;
}

/**
 * Creates the endpoints (GET) of a page below `options.root` and of its markdown version, for which Accept is ignored. At the path
 * of the page, Accept decides between HTML and Markdown, and the endpoint throws `not_acceptable` if the header allows neither.
 */
export const createPageEndpoints = (options: PageOptions, route: PageRoute): Endpoint[] => [
  { path: options.root + getMarkdownRoute(route.path), methods: { GET: createPageHandler(options, route, true) } },
  ...listPaths(options.root, route.path).map((path) => ({
    path,
    methods: { GET: createPageHandler(options, route, false) },
  })),
];

/** Returns the paths of a page below `root`: one, but both `/sandbox` and `/sandbox/` for the front page of the sandbox. */
const listPaths = (root: Site['root'], path: string): string[] =>
  root !== '' && path === '/' ? [root, `${root}/`] : [root + path];

/**
 * Returns the route of the markdown version of a page: `/faq.md` for `/faq`, `/index.md` for `/`, `/docs/:slug{.+\.md}` for
 * `/docs/:slug{.+}`, and `/releases/:version{[^/]+\.md}` for `/releases/:version`.
 */
function getMarkdownRoute(path: string): string {
  if (!path.includes(':')) return getMarkdownPath(path);
  return path.replace(/:(\w+)(\{(.+)\})?$/, (_, name, __, pattern = '[^/]+') => `:${name}{${pattern}\\.md}`);
}

function createPageHandler({ root, getSite }: PageOptions, route: PageRoute, isMarkdownPath: boolean): EndpointHandler {
  const offers: Representation[] = isMarkdownPath ? ['text/markdown'] : ['text/html', 'text/markdown'];
  return (exchange, pathParameters, state) => {
    const representation = chooseAccepted(isMarkdownPath ? '' : readHeader(exchange, 'accept'), offers);
    if (representation === null) {
      const detail = `Accept must allow ${offers.join(' or ')}.`;
      throw new ApiError('not_acceptable', detail, { headers: { vary: 'Accept' } });
    }
    const parameters = isMarkdownPath ? removeExtension(pathParameters) : pathParameters;
    const query = selectQuery(exchange, route);
    const form = isMarkdownPath ? 'markdown' : representation;
    const key = `page ${root}${form} ${route.path} ${JSON.stringify(parameters)} ${query}`;
    return getCachedRendition(state, key, async () => {
      const site = getSite(state);
      const page = await route.make(site, parameters, query);
      return createPageRendition(site, { route, page, representation, isMarkdownPath });
    });
  };
}

/** Returns the parameters without `.md` at the end of any value; only the one at the end of the path has it. */
const removeExtension = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, value.replace(/\.md$/, '')]));

/**
 * Returns the parameters of the query that the page depends on, in the order of the route: the first value of each, without those
 * whose first value is empty.
 */
function selectQuery(exchange: Exchange, { query: names = [] }: PageRoute): URLSearchParams {
  if (names.length === 0 || exchange.query === '') return new URLSearchParams();
  const query = new URLSearchParams(exchange.query);
  return new URLSearchParams(names.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])));
}

interface PageRepresentation {
  readonly route: PageRoute;
  readonly page: PageDocument;
  readonly representation: Representation;
  /** Whether the requested path ends in `.md`. */
  readonly isMarkdownPath: boolean;
}

async function createPageRendition(
  { baseUrl, root }: Site,
  { route, page, representation, isMarkdownPath }: PageRepresentation,
): Promise<Rendition> {
  const isHtml = representation === 'text/html';
  const markdownAddress = root + getMarkdownPath(page.path);
  const link = isHtml
    ? `<${baseUrl}${markdownAddress}>; rel="alternate"; type="text/markdown"`
    : `<${baseUrl}${root}${page.path}>; rel="canonical"`;
  const moreLinks = route.links?.(baseUrl);
  return createRendition({
    encoded: await encodeLargeText(isHtml ? page.html : page.markdown),
    headers: {
      ...createPageHeaders(representation, page.language),
      ...(!isHtml && !isMarkdownPath && { 'content-location': markdownAddress }),
      ...(root !== '' && { 'x-robots-tag': 'noindex' }),
      link: moreLinks === undefined ? link : `${link}, ${moreLinks}`,
    },
    cache: page.isShared === false ? 'none' : 'content',
    ...(page.search && { search: page.search }),
    route: root + route.path,
    needsFeed: root === '' && route.needsFeed === true,
  });
}

/**
 * Returns a failure as a page if Accept contains text/html, otherwise null: such a client gets the problem document. A 404 at an
 * old address becomes a redirect (308) to the new one for every client, and one at a path that ends in a slash a redirect to the
 * path without it if Accept contains text/html. Paths below /exports/ always get null: they belong to the API, whose failures have
 * one form.
 */
export function createFailureAnswer(site: Site, error: ApiError, exchange: Exchange, state: State): Answer | null {
  const { path, id: requestId } = exchange;
  if (path.startsWith('/exports/')) return null;
  const redirect = error.status === 404 ? createRedirect(site.baseUrl, exchange, state) : null;
  if (redirect !== null) return redirect;
  if (!acceptsHtml(exchange)) return null;
  const page = renderFailurePage(site, { error, path, requestId });
  const { retryAfter, headers } = error.options;
  return {
    status: error.status,
    headers: {
      ...createPageHeaders('text/html', page.language),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...headers,
    },
    cache: 'none',
    body: page.html,
    error,
  };
}

const acceptsHtml = (exchange: Exchange): boolean => readHeader(exchange, 'accept').includes('text/html');

/**
 * Returns the redirect (308) from an old address to its new one or, for a client that accepts HTML, from a path with a slash at its
 * end to the one without. Returns null if there is neither, or if the new address is the one that was requested.
 */
function createRedirect(baseUrl: string, exchange: Exchange, { production }: State): Answer | null {
  const sentPath = getPath(exchange.request.url ?? '');
  const target = production.catalog.movedTo(sentPath, exchange.query);
  const location = target === null ? null : encodeLocation(target.startsWith('/') ? baseUrl + target : target);
  if (location !== null) {
    if (normalizeAddress(location) === normalizeAddress(baseUrl + sentPath)) return null;
    return { status: 308, headers: { location }, cache: 'content', body: '' };
  }
  if (!/[^/]\/+$/.test(exchange.path) || hasDotSegment(sentPath) || !acceptsHtml(exchange)) return null;
  const plainUrl = encodeLocation(`${baseUrl}/${exchange.path.replace(/^\/+|\/+$/g, '')}`);
  return { status: 308, headers: { location: plainUrl }, cache: 'none', body: '' };
}

/**
 * Returns a URL without query and fragment, with unreserved characters decoded and the digits of percent codes in capitals, so that
 * URLs that reach the same resource of this site are equal texts. Never throws.
 */
const normalizeAddress = (url: string): string =>
  normalizePath(url.replace(/[?#].*$/s, '')).replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase());

/** Percent-encodes everything but visible ASCII, so that it can be sent in a header; what is encoded already stays as it is. */
const encodeLocation = (location: string): string => location.replace(/[^!-~]+/gu, encodeURIComponent);

/** The Content-Security-Policy of pages: only files and requests of this site, and no style or script inside the page. */
const contentPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; manifest-src 'self'; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const createPageHeaders = (type: Representation, language: string): Record<string, string> => ({
  'content-type': `${type}; charset=utf-8`,
  'content-language': language,
  vary: vary.page,
  ...(type === 'text/html' && {
    'content-security-policy': contentPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
  }),
});
