/** Redirects of the old site and the addresses of its pages, as the rules of redirects.yaml. */
import { docPath, isReserved, isSitePath, redirectKey } from 'colophon/authoring';
import { addressKey, type PlacedPage } from './places.ts';
import type { Report } from './report.ts';
import type { OldRedirect, Site } from './site.ts';

export interface NewRedirect {
  readonly from: string;
  readonly to: string;
}

/** Where the old site's redirects lead a path, one step. */
export function patternTarget(redirects: readonly OldRedirect[], path: string): string | null {
  for (const { from, to } of redirects) {
    const values = matched(from, path);
    if (values !== null) return filled(to, values);
  }
  return null;
}

const placeholder = /:([A-Za-z]\w*)[*+]?|\*\*?|:splat/g;

/** What stands for `:name`, `:name*` and `*`; null where the path is another. */
function matched(from: string, path: string): ReadonlyMap<string, string> | null {
  const names: string[] = [];
  for (const [whole, name = 'splat'] of from.matchAll(placeholder)) names.push(whole.startsWith('*') ? 'splat' : name);
  if (names.length === 0) return addressKey(from) === addressKey(path) ? new Map() : null;
  const pattern = from.split(/(:[A-Za-z]\w*[*+]?|\*\*?)/).map((part) => {
    if (/^:\w+[*+]$|^\*/.test(part)) return '(.*)';
    return part.startsWith(':') ? '([^/]+)' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  const found = new RegExp(`^${pattern.join('')}/?$`, 'i').exec(path);
  return found === null ? null : new Map(names.map((name, index) => [name, found[index + 1] ?? '']));
}

const filled = (to: string, values: ReadonlyMap<string, string>): string =>
  to.replace(/:([A-Za-z]\w*)[*+]?|\*/g, (whole, name) => values.get(whole === '*' ? 'splat' : String(name)) ?? whole);

/** Where the placeholders of a redirect can come from: the paths of pages that its target would be. */
function expanded(redirect: OldRedirect, addresses: readonly string[]): { from: string; to: string }[] {
  const { from, to } = redirect;
  if (!/:[A-Za-z]\w*|\*/.test(from)) return [{ from, to }];
  // Everything below a folder can lead to one place; any other pattern cannot be written down.
  if (!/:[A-Za-z]\w*|\*/.test(to)) {
    const [, folder] = /^([^:*]*\/)(?::\w+[*+]?|\*+)$/.exec(from) ?? [];
    return folder === undefined ? [] : [{ from: `${folder}*`, to }];
  }
  return addresses.flatMap((address) => {
    const values = matched(to, address);
    return values === null ? [] : [{ from: filled(from, values), to: address }];
  });
}

/** In the order of their old paths. What the site answers by itself needs no rule. */
export function newRedirects(
  site: Site,
  pages: readonly PlacedPage[],
  follow: (path: string) => string | null,
  report: Report,
): NewRedirect[] {
  const slugs = new Set(pages.map(({ slug }) => slug));
  const rules = new Map<string, NewRedirect>();
  const served = new Set([...slugs].map((slug) => redirectKey(docPath(slug))));
  /** Adds a rule, or returns why there can be none. */
  const add = (from: string, to: string): string | null => {
    // Browsers send what an address may not contain, such as a space, in percent-encoding.
    const encoded = from.replace(/[\s"<>\\^`{|}#?]/g, encodeURIComponent);
    const plain = encoded === '/' ? encoded : encoded.replace(/\/+$/, '');
    const key = redirectKey(plain.replace(/\/\*$/, ''));
    if (key === '/' || served.has(key) || isSitePath(plain, new Set())) return null;
    if (isReserved(plain)) return 'it belongs to the service';
    if (!/^\/(?!\/)/.test(plain)) return 'it is no path';
    if (plain.length > 500) return 'it has more than 500 characters';
    if (!rules.has(key)) rules.set(key, { from: plain, to });
    return null;
  };
  for (const { page, slug } of pages) {
    for (const old of [page.address, ...page.aliases]) {
      const reason = add(old, docPath(slug));
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
    const cases = expanded(redirect, addresses);
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
  return [...rules.values()].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
}
