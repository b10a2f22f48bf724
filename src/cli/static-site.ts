/** Reads a whole site over HTTP and turns it into files for a static host, or for a folder that is opened without a server. */
import { posix } from 'node:path';
import { decodeUri } from '../base/uri.ts';
import type { Content } from '../content/content.ts';

/** A file of the site. */
interface SiteFile {
  /** Percent-encoded, below the site's folder, without a slash at its beginning. */
  readonly address: string;
  readonly isPage: boolean;
  readonly bytes: Buffer;
  readonly headers: Headers;
}

/** The files, redirects and broken links of a site. */
export interface CrawledSite {
  /** The files by path, which begins with a slash. */
  readonly files: ReadonlyMap<string, SiteFile>;
  /** Old paths, and where they lead: to a path of this site or an absolute URL. */
  readonly redirects: ReadonlyMap<string, string>;
  /** Targets below `/download` with a query, and the files that they lead to: a static host redirects by path only. */
  readonly downloads: ReadonlyMap<string, string>;
  /** Paths that pages link to, and where nothing is. */
  readonly missing: ReadonlySet<string>;
}

/** Returns the response to a GET of a path of the site, without following redirects. Rejects if there is no response. */
export type Get = (path: string) => Promise<Response>;

/**
 * Reads everything that can be reached from `starts` by links.
 *
 * @param baseUrl the origin of the whole addresses in documents
 * @param starts paths that need not exist
 * @throws an Error for a response with a status of 500 or above, and what `get` rejects with
 */
export async function crawl(get: Get, baseUrl: string, starts: readonly string[]): Promise<CrawledSite> {
  const files = new Map<string, SiteFile>();
  const redirects = new Map<string, string>();
  const downloads = new Map<string, string>();
  const missing = new Set<string>();
  const linkedPaths = new Set<string>();
  const paths = new Set(starts);
  // The loop also visits the paths that it adds to the set.
  for (const path of paths) {
    const response = await get(path);
    const { status, headers } = response;
    const bytes = Buffer.from(await response.arrayBuffer());
    const location = headers.get('location');
    if (status >= 500) throw new Error(`GET ${path} returned ${status}: ${bytes.toString().slice(0, 300)}`);
    if (location !== null)
      (path.includes('?') ? downloads : redirects).set(
        path,
        location.startsWith(`${baseUrl}/`) ? location.slice(baseUrl.length) : location,
      );
    else if (status !== 200) missing.add(path);
    else {
      const type = headers.get('content-type') ?? '';
      const isPage = type.startsWith('text/html');
      files.set(path, { address: toAddress(path, type), isPage, bytes, headers });
      if (!linking.test(type)) continue;
      const text = bytes.toString();
      const links = isPage ? listLinks(text) : [];
      for (const target of links) linkedPaths.add(target);
      for (const target of [...links, ...listAddresses(text, baseUrl)]) paths.add(target);
    }
  }
  return { files, redirects, downloads, missing: missing.intersection(linkedPaths) };
}

/** Content types whose links are followed. */
const linking = /^text\/html|^text\/plain|xml|manifest/;

/**
 * Returns the address of the file for a path. Pages end in `.html`, without which static hosts and browsers do not find them, the
 * front page is `index.html`, and responses of the API end in `/index.json`.
 */
function toAddress(path: string, type: string): string {
  const plain = path.slice(1);
  if (type.startsWith('text/html')) return plain === '' ? 'index.html' : `${plain}.html`;
  return path.startsWith('/api/') ? `${plain}/index.json` : plain;
}

const tag = /<[a-z][^<>]*>/g;
const link = /\s(href|src|srcset|action|poster)="([^"]*)"/g;

/**
 * Returns the paths of the site that a page links to or loads, repeated ones too, without fragments, and without queries except
 * those of downloads.
 */
const listLinks = (html: string): string[] =>
  [...html.matchAll(tag)]
    .flatMap(([text]) => [...text.matchAll(link)])
    .flatMap(([, name = '', value = '']) => listTargets(name, value))
    .filter(isSitePath)
    .map(toPath);

/**
 * Returns the paths of the site whose whole addresses are in a document between quotes, parentheses or tags, and those of the icons
 * in a manifest; repeated ones too, without fragments and queries as in `listLinks`.
 */
const listAddresses = (text: string, baseUrl: string): string[] =>
  [...text.replace(/("src":\s?")\//g, `$1${baseUrl}/`).matchAll(/(?<=["(>])[^\s"()<>\\]+(?=[")<])/g)]
    .filter(([address]) => address.startsWith(`${baseUrl}/`))
    .map(([address]) => toPath(address.slice(baseUrl.length)));

const isSitePath = (target: string): boolean => /^\/(?!\/)/.test(target);

/** Returns the addresses in the value of an attribute, of which `srcset` has several; an empty value has one, which is empty. */
const listTargets = (name: string, value: string): string[] =>
  name === 'srcset' ? value.split(',').map((source) => source.trim().split(/\s/)[0] ?? '') : [value];

const toPath = (target: string): string =>
  target.startsWith('/download/')
    ? target.replace(/#.*$/s, '').replaceAll('&amp;', '&')
    : target.replace(/[?#].*$/s, '');

/** The crawled site, and whether its links are relative, for pages that are opened as files, or begin with a slash. */
export interface LinkRules {
  readonly site: CrawledSite;
  /** Whether links say where the file is from the page that has them, so that they work without a host. */
  readonly isRelative: boolean;
}

/**
 * Returns the content of each file of a static site by its address, as SiteFile has it: pages, other files and a page at each old
 * path. Unless links are relative, it adds the rules of `_redirects`, headers and a marker for hosts; of `redirects`, only rules
 * that end in `*` are used, because crawling finds the others.
 */
export function listStaticFiles(rules: LinkRules, redirects: Content['redirects']): Map<string, string | Buffer> {
  const { site, isRelative } = rules;
  const files = new Map<string, string | Buffer>();
  for (const path of site.redirects.keys()) files.set(findRedirectAddress(path), writeRedirectPage(path, rules));
  for (const file of site.files.values()) files.set(file.address, file.isPage ? rewritePage(file, rules) : file.bytes);
  if (isRelative) return files;
  const wildcards = redirects.flatMap(({ from, to }) => (from.endsWith('*') ? [[from, to] as const] : []));
  return (
    files
      .set('_redirects', writeRedirectsFile([...site.redirects, ...wildcards]))
      .set('_headers', writeHeadersFile(site))
      // The empty file `.nojekyll` tells GitHub Pages to leave the other files as they are.
      .set('.nojekyll', '')
  );
}

/**
 * Returns the HTML of a page with its links to the site changed: a download with a query becomes its target, and other links become
 * relative with `isRelative`. An attribute that has one of the site's `missing` paths is removed, so that the text of a link remains.
 */
export function rewritePage(
  { address, bytes }: Pick<SiteFile, 'address' | 'bytes'>,
  { site, isRelative }: LinkRules,
): string {
  const html = bytes.toString();
  const rewrite = (target: string): string | null => {
    if (!isSitePath(target)) return target;
    const path = toPath(target);
    if (site.missing.has(path)) return null;
    const download = site.downloads.get(path);
    if (download !== undefined) return download.replaceAll('&', '&amp;');
    const file = site.files.get(path);
    // A static host serves `name.html` at `/name`, so a link to a page stays; any other file is linked by its own name.
    const plain = file === undefined || file.isPage ? path : `/${file.address}`;
    return (isRelative ? makeRelative(address, site, path) : plain) + target.slice(path.length);
  };
  return html.replace(tag, (whole) =>
    whole.replace(link, (attribute, name: string, value: string) => {
      const targets = listTargets(name, value);
      const rewritten = targets.map(rewrite);
      if (rewritten.includes(null)) return '';
      return targets.reduce((text, target, index) => text.replace(target, () => rewritten[index] ?? target), attribute);
    }),
  );
}

/**
 * Returns the relative link to what is at a path, which has no query or fragment, from the file whose address is `from`. If the
 * site has nothing there, it leads to where a file at that path would be.
 */
function makeRelative(from: string, { files, redirects }: CrawledSite, path: string): string {
  const address = files.get(path)?.address ?? (redirects.has(path) ? findRedirectAddress(path) : path.slice(1));
  const way = posix.relative(posix.dirname(`/${from}`), `/${address}`);
  return way.includes(':') ? `./${way}` : way;
}

/**
 * Returns the address of the page that redirects from an old path: `old.html` for `/old` and for `/old.html`, `old/index.html` for
 * `/old/`.
 */
function findRedirectAddress(path: string): string {
  if (path.endsWith('/')) return `${path.slice(1)}index.html`;
  return /\.html?$/i.test(path) ? path.slice(1) : `${path.slice(1)}.html`;
}

/**
 * Returns the HTML of the page at the old path `path`, which leads to its new one, or to `/` if the site does not redirect it, for
 * hosts that cannot redirect.
 */
function writeRedirectPage(path: string, { site, isRelative }: LinkRules): string {
  const target = site.redirects.get(path) ?? '/';
  const targetPath = toPath(target);
  const way = makeRelative(findRedirectAddress(path), site, targetPath) + target.slice(targetPath.length);
  const to = isRelative && target.startsWith('/') ? way : target;
  const escapedUrl = to.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!DOCTYPE html>
<meta charset="utf-8">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=${escapedUrl}">
<title>Moved</title>
<a href="${escapedUrl}">${escapedUrl}</a>
`;
}

/** Returns `_redirects` as Netlify and Cloudflare Pages read it, each rule with status 301; `/*` at the end of `to` becomes `/:splat`. */
const writeRedirectsFile = (redirects: Iterable<readonly [from: string, to: string]>): string =>
  Array.from(redirects, ([from, to]) => `${from} ${to.replace(/\/\*$/, '/:splat')} 301\n`).join('');

/** Headers of the server that say how browsers may use a file. */
const headerNames = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'referrer-policy',
  'x-content-type-options',
];

/**
 * Returns `_headers` as Netlify and Cloudflare Pages read it. Styles inside a file are allowed, because a picture may have some;
 * pages have none.
 */
function writeHeadersFile({ files }: CrawledSite): string {
  const headers = files.get('/')?.headers;
  const lines = headerNames.map((name) => `  ${name}: ${headers?.get(name)}\n`).join('');
  return `/*
${lines.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}/*.md
  content-type: text/markdown; charset=utf-8
/releases.atom
  content-type: application/atom+xml; charset=utf-8
/api/*
  access-control-allow-origin: *
`;
}

/**
 * Returns the decoded path of a file of the site, relative to the site's folder and with `/`; a dot segment cannot lead out of it,
 * and a segment that cannot be decoded stays as it is.
 */
export const toDiskPath = (address: string): string => posix.join('/', ...address.split('/').map(decodeUri)).slice(1);
