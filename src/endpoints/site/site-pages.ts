/** Pages over HTTP: in HTML or markdown as asked, made once for a revision, with a page for people where one is missing. */
import { ApiError } from '../../base/api-error.ts';
import { hasDotSegment } from '../../content/redirects.ts';
import { type Answer, vary } from '../../http/answer.ts';
import type { Endpoint, EndpointHandler } from '../../http/endpoints.ts';
import { type Exchange, header } from '../../http/exchange.ts';
import { plainPath } from '../../http/guard.ts';
import { acceptable, remember } from '../../http/negotiation.ts';
import { createRendition, type Rendition } from '../../http/renditions.ts';
import type { State } from '../../http/state.ts';
import { encodedBytes } from '../../operations/representation.ts';
import { failurePage } from '../../pages/missing.ts';
import { markdownPathOf, type PageDocument } from '../../pages/page.ts';
import type { PageRoute, Parameters, Site } from '../../pages/site.ts';
import { cachedRendition } from './cached-rendition.ts';

export interface PageOptions {
  readonly baseUrl: string;
  /** What the paths of the site's pages begin with. */
  readonly root: Site['root'];
  siteOf(state: State): Site;
}

type Representation = 'text/html' | 'text/markdown';

/** The page itself, and its markdown version. */
export function pageEndpoints(options: PageOptions, route: PageRoute): Endpoint[] {
  return [
    { path: options.root + markdownRoute(route.path), methods: { GET: pageHandler(options, route, true) } },
    ...pathsOf(options, route).map((path) => ({ path, methods: { GET: pageHandler(options, route, false) } })),
  ];
}

/** The front page of the sandbox is at `/sandbox/`, and at `/sandbox`, as its API is. */
const pathsOf = ({ root }: PageOptions, { path }: PageRoute): string[] =>
  root !== '' && path === '/' ? [root, `${root}/`] : [root + path];

/** `/docs/:slug{.+}` has its markdown version at `/docs/:slug{.+\.md}`. */
function markdownRoute(path: string): string {
  if (!path.includes(':')) return markdownPathOf(path);
  return path.replace(/:(\w+)(\{(.+)\})?$/, (_, name, __, pattern = '[^/]+') => `:${name}{${pattern}\\.md}`);
}

function pageHandler(options: PageOptions, route: PageRoute, asMarkdown: boolean): EndpointHandler {
  const offers: Representation[] = asMarkdown ? ['text/markdown'] : ['text/html', 'text/markdown'];
  const wantedOf = remember((accept) => acceptable(accept, offers));
  return (exchange, sent, state) => {
    const wanted = wantedOf(asMarkdown ? '' : header(exchange, 'accept'));
    if (wanted === null) {
      const detail = `Accept must allow ${offers.join(' or ')}.`;
      throw new ApiError('not_acceptable', detail, { headers: { vary: 'Accept' } });
    }
    const parameters = asMarkdown ? withoutExtension(sent) : sent;
    const query = queryOf(exchange, route);
    const key = `page ${options.root}${asMarkdown ? 'markdown' : wanted} ${route.path} ${JSON.stringify(parameters)} ${query}`;
    return cachedRendition(state, key, async () => {
      const page = await route.make(options.siteOf(state), parameters, query);
      return pageRendition(options, { route, page, wanted, asMarkdown });
    });
  };
}

/** The last parameter holds the path's end. */
const withoutExtension = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, value.replace(/\.md$/, '')]));

/** What of the query the page depends on, in one order. */
function queryOf(exchange: Exchange, { query = [] }: PageRoute): URLSearchParams {
  const kept = new URLSearchParams();
  if (query.length === 0 || exchange.query === '') return kept;
  const sent = new URLSearchParams(exchange.query);
  for (const name of query) {
    const value = sent.get(name);
    if (value !== null && value !== '') kept.set(name, value);
  }
  return kept;
}

interface Made {
  readonly route: PageRoute;
  readonly page: PageDocument;
  readonly wanted: Representation;
  /** Asked for by an address that ends in `.md`. */
  readonly asMarkdown: boolean;
}

async function pageRendition(
  { baseUrl, root }: PageOptions,
  { route, page, wanted, asMarkdown }: Made,
): Promise<Rendition> {
  const asHtml = wanted === 'text/html';
  const link = asHtml
    ? `<${baseUrl}${root}${markdownPathOf(page.path)}>; rel="alternate"; type="text/markdown"`
    : `<${baseUrl}${root}${page.path}>; rel="canonical"`;
  const more = route.links?.(baseUrl);
  return createRendition({
    encoded: await encodedBytes(asHtml ? page.html : page.markdown),
    headers: {
      ...pageHeaders(wanted, page.language),
      ...(!asHtml && !asMarkdown && { 'content-location': root + markdownPathOf(page.path) }),
      ...(root !== '' && { 'x-robots-tag': 'noindex' }),
      link: more === undefined ? link : `${link}, ${more}`,
    },
    cache: page.isShared === false ? 'none' : 'content',
    ...(page.search && { search: page.search }),
    route: root + route.path,
    needsFeed: root === '' && route.needsFeed === true,
  });
}

/**
 * A failure as a page, for those who ask for HTML; null for programs, which get the problem document. An old address leads
 * everybody to the new one, and for people a path that ends in a slash leads to the one without. The file of an export
 * belongs to the API, whose failures have one form.
 */
export function failureAnswer(options: PageOptions, error: ApiError, exchange: Exchange, state: State): Answer | null {
  if (exchange.path.startsWith('/exports/')) return null;
  const moved = error.status === 404 ? movedAnswer(options, exchange, state) : null;
  if (moved !== null) return moved;
  if (!isForPeople(exchange)) return null;
  const { path, id: requestId } = exchange;
  const page = failurePage(options.siteOf(state), { error, path, requestId });
  const again = error.options.retryAfter;
  return {
    status: error.status,
    headers: {
      ...pageHeaders('text/html', page.language),
      ...(again !== undefined && { 'retry-after': String(again) }),
      ...error.options.headers,
    },
    cache: 'none',
    body: page.html,
    error,
  };
}

const isForPeople = (exchange: Exchange): boolean => header(exchange, 'accept').includes('text/html');

/** The redirect from an old address, or from one with a slash at its end; null if there is none, or if it leads to the address that was requested. */
function movedAnswer({ baseUrl }: PageOptions, exchange: Exchange, { production }: State): Answer | null {
  const sent = sentPath(exchange);
  const target = production.catalog.movedTo(sent, exchange.query);
  const location = target === null ? null : encodeLocation(target.startsWith('/') ? baseUrl + target : target);
  if (location !== null) return isSameAddress(location, baseUrl + sent) ? null : redirect(location, true);
  const isSlashed = /[^/]\/+$/.test(exchange.path) && !hasDotSegment(sent);
  if (!isSlashed || !isForPeople(exchange)) return null;
  return redirect(encodeLocation(`${baseUrl}/${exchange.path.replace(/^\/+|\/+$/g, '')}`), false);
}

/** The request target's path, byte by byte as the client sent it. */
const sentPath = ({ request }: Exchange): string =>
  (request.url ?? '').replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '') || '/';

/** Tells whether two URLs reach the same resource of this site: the query and the fragment make no difference. */
const isSameAddress = (one: string, other: string): boolean => addressKey(one) === addressKey(other);

const addressKey = (url: string): string =>
  plainPath(url.replace(/[?#].*$/s, '')).replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase());

/** A header can hold only ASCII; what is encoded already stays as it is. */
const encodeLocation = (location: string): string => location.replace(/[^!-~]+/gu, encodeURIComponent);

/** Only styles, scripts, images and requests of this site, and none inside the page itself. */
const contentPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; manifest-src 'self'; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const pageHeaders = (type: Representation, language: string): Record<string, string> => ({
  'content-type': `${type}; charset=utf-8`,
  'content-language': language,
  vary: vary.page,
  ...(type === 'text/html' && {
    'content-security-policy': contentPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
  }),
});

const redirect = (location: string, isShared: boolean): Answer => ({
  status: 308,
  headers: { location },
  cache: isShared ? 'content' : 'none',
  body: '',
});
