/** The addresses that nginx may have stored of what changed, for a purge module that knows an address at a time and no keys. */
import { assetKey, pageKey, resourceKey, surrogateKeys } from '../base/surrogate-keys.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { docPath } from '../content/slugs.ts';

export type Published = Pick<Catalog, 'slugs' | 'faqIds' | 'versions'> & {
  readonly content: Pick<Catalog['content'], 'assets'>;
};

export interface StoredAddress {
  readonly path: string;
  /** The shipped configuration makes the cache's key of them. */
  readonly headers: { readonly accept: string; readonly 'accept-encoding': string };
}

const accepts = [
  '*/*',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'application/json',
  'text/markdown',
];
const codings = ['', 'gzip', 'br'];
/** More than that, and the rest expires by itself within minutes. */
const mostPaths = 500;

/** Without those that have a query, which nobody can list: they expire. */
export function storedAddresses(keys: readonly string[], published: Published): StoredAddress[] {
  const paths = pathsOf(new Set(keys), published).slice(0, mostPaths);
  return paths.flatMap((path) =>
    accepts.flatMap((accept) => codings.map((coding) => ({ path, headers: { accept, 'accept-encoding': coding } }))),
  );
}

function pathsOf(keys: ReadonlySet<string>, { slugs, faqIds, versions, content }: Published): string[] {
  const { all, content: whole, feed, menu, mixed } = surrogateKeys;
  const isAll = keys.has(all) || keys.has(whole);
  const of = (key: string, paths: readonly string[]): readonly string[] => (isAll || keys.has(key) ? paths : []);
  const named = (name: string, paths: readonly string[]) => of(resourceKey(name), paths);
  const page = (path: string): string[] => [path, `${path}.md`];
  const api = '/api/v1';
  return [
    ...of(mixed, ['/', '/index.md', '/sitemap.xml', '/llms.txt', '/llms-full.txt', '/robots.txt', '/search']),
    ...of(feed, [...page('/releases'), `${api}/releases`, `${api}/releases/latest`, `${api}/requirements`]),
    ...of(feed, ['/appcast.xml', '/releases.atom', '/download/latest', ...page('/pricing')]),
    ...of(
      feed,
      versions.flatMap((version) => [...page(`/releases/${version}`), `${api}/releases/${version}`]),
    ),
    ...named('docs', [...page('/docs'), `${api}/docs`]),
    ...named('faq', [...page('/faq'), `${api}/faq`]),
    ...named(
      'faq',
      faqIds.flatMap((id) => [...page(`/faq/${id}`), `${api}/faq/${id}`]),
    ),
    ...named('pricing', [...page('/pricing'), `${api}/pricing`]),
    ...named('features', [`${api}/features`]),
    ...named('requirements', [`${api}/requirements`]),
    ...(isAll ? [api, '/openapi.json', '/openapi.sdk.json', '/auth.md', ...page('/developers')] : []),
    ...slugs.flatMap((slug) => [
      ...(isAll || keys.has(menu) || keys.has(pageKey(slug)) ? page(docPath(slug)) : []),
      ...of(pageKey(slug), [api + docPath(slug)]),
    ]),
    ...[...content.assets.keys()].flatMap((path) => of(assetKey(path), [`/${path}`])),
  ];
}
