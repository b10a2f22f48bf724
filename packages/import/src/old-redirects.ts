/** Writes the redirects of the old site and the addresses of its pages as the rules of redirects.yaml. */
import { compare, getDocPath, isReserved, isSitePath, normalizeRedirect } from 'colophon/authoring';
import { normalizeAddress, type PlacedPage } from './page-slugs.ts';
import type { Report } from './report.ts';
import type { OldRedirect, Site } from './site.ts';

/** A rule of redirects.yaml, from a path, which may end with `/*`, to a path or a URL. */
export interface NewRedirect {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the target, a path or a URL, of the first redirect of the old site that matches a path, or null if none does. A redirect
 * may match the target, too.
 */
export function findRedirectTarget(redirects: readonly OldRedirect[], path: string): string | null {
  for (const { from, to } of redirects) {
    const values = matchPattern(from, path);
    if (values !== null) return fillPattern(to, values);
  }
  return null;
}

const placeholder = /:([A-Za-z]\w*)[*+]?|\*\*?|:splat/g;

/** Returns the texts in the places of `:name`, `:name*` and `*` by name, which is `splat` for `*`, or null if the path does not match. */
function matchPattern(from: string, path: string): ReadonlyMap<string, string> | null {
  const names: string[] = [];
  for (const [whole, name = 'splat'] of from.matchAll(placeholder)) names.push(whole.startsWith('*') ? 'splat' : name);
  if (names.length === 0) return normalizeAddress(from) === normalizeAddress(path) ? new Map() : null;
  const pattern = from.split(/(:[A-Za-z]\w*[*+]?|\*\*?)/).map((part) => {
    if (/^:\w+[*+]$|^\*/.test(part)) return '(.*)';
    return part.startsWith(':') ? '([^/]+)' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  const match = new RegExp(`^${pattern.join('')}/?$`, 'i').exec(path);
  return match === null ? null : new Map(names.map((name, index) => [name, match[index + 1] ?? '']));
}

const fillPattern = (to: string, values: ReadonlyMap<string, string>): string =>
  to.replace(/:([A-Za-z]\w*)[*+]?|\*/g, (whole, name) => values.get(whole === '*' ? 'splat' : String(name)) ?? whole);

/**
 * Returns the redirects that redirects.yaml can have for a redirect: the same one if it has no placeholders, one with `/*` if it
 * leads from all paths below a folder to one address, or one for each of `addresses` that its target with placeholders matches.
 * Returns none for any other pattern. `addresses` are those of the pages, without the base.
 */
function expandRedirect(redirect: OldRedirect, addresses: readonly string[]): { from: string; to: string }[] {
  const { from, to } = redirect;
  if (!/:[A-Za-z]\w*|\*/.test(from)) return [{ from, to }];
  // redirects.yaml can redirect everything below a folder to one address, and has no other patterns.
  if (!/:[A-Za-z]\w*|\*/.test(to)) {
    const [, folder] = /^([^:*]*\/)(?::\w+[*+]?|\*+)$/.exec(from) ?? [];
    return folder === undefined ? [] : [{ from: `${folder}*`, to }];
  }
  return addresses.flatMap((address) => {
    const values = matchPattern(to, address);
    return values === null ? [] : [{ from: fillPattern(from, values), to: address }];
  });
}

/**
 * Creates the rules for the old addresses and aliases of `pages` and for the redirects of the old site, sorted by their old paths,
 * and reports what cannot be redirected. The first rule for a path wins, and a path that the site serves anyway has none. `follow`
 * returns the new address of an old path, or null if it leads nowhere.
 */
export function createRedirects(
  site: Site,
  pages: readonly PlacedPage[],
  follow: (path: string) => string | null,
  report: Report,
): NewRedirect[] {
  const slugs = new Set(pages.map(({ slug }) => slug));
  const rules = new Map<string, NewRedirect>();
  const servedPaths = new Set([...slugs].map((slug) => normalizeRedirect(getDocPath(slug))));
  /** Adds a rule unless it is needless. Returns why there can be none, or null if nothing is wrong. */
  const add = (from: string, to: string): string | null => {
    // Browsers percent-encode characters that a URL may not contain, such as a space, so the rule has them encoded.
    const encodedPath = from.replace(/[\s"<>\\^`{|}#?]/g, encodeURIComponent);
    const plain = encodedPath === '/' ? encodedPath : encodedPath.replace(/\/+$/, '');
    const key = normalizeRedirect(plain.replace(/\/\*$/, ''));
    if (key === '/' || servedPaths.has(key) || isSitePath(plain, new Set())) return null;
    if (isReserved(plain)) return 'it belongs to the service';
    if (!/^\/(?!\/)/.test(plain)) return 'it is no path';
    if (plain.length > 500) return 'it has more than 500 characters';
    if (!rules.has(key)) rules.set(key, { from: plain, to });
    return null;
  };
  for (const { page, slug } of pages) {
    for (const old of [page.address, ...page.aliases]) {
      const reason = add(old, getDocPath(slug));
      if (reason !== null) report.add(page.file, 1, `the old address ${old} cannot be redirected: ${reason}.`);
    }
  }
  const addresses = pages.map(({ page }) => page.address.slice(site.base.length) || '/');
  for (const redirect of site.redirects) {
    const { file, line, from: old } = redirect;
    if (site.elsewhere.some((prefix) => old === prefix || old.startsWith(`${prefix}/`))) {
      report.count(file, line, 'redirects elsewhere', 'redirects of what is not imported are left out.');
      continue;
    }
    const cases = expandRedirect(redirect, addresses);
    if (cases.length === 0)
      report.add(file, line, `the redirect from ${redirect.from} cannot be carried over: no page matches it.`);
    for (const { from, to } of cases) {
      const target = /^https?:\/\//i.test(to) ? to : follow(to);
      const reason = target === null ? null : add(`${site.base}${from}`, target);
      if (target === null)
        report.add(file, line, `the redirect from ${from} leads to ${to}, which is not here; it is left out.`);
      else if (reason !== null) report.add(file, line, `${from} cannot be redirected: ${reason}.`);
    }
  }
  return [...rules.values()].sort((a, b) => compare(a.from, b.from));
}
