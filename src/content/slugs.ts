/** From a page's file to its slug, and from its slug to its path on the site. */

/** The slug of `docs/index.md`, which is served at `/docs` itself. */
export const rootSlug = 'index';

/** `docs/guides/setup.md` and `docs/guides/setup/index.md` are `guides/setup`; a README.md is its folder's page, too. */
export function slugOf(file: string): string {
  const path = file.slice('docs/'.length).replace(/\.md$/, '');
  return path.replace(/(^|\/)(?:index|readme)$/i, '') || rootSlug;
}

/** The path of a page, or of what would be one. */
export const docPath = (slug: string): string => (slug === rootSlug ? '/docs' : `/docs/${slug}`);

/** The slug in a path of the site, with or without a slash at its end; null for a path outside the documentation. */
export function slugIn(path: string): string | null {
  const [, rest] = /^\/docs(?:\/(.*))?$/.exec(path.replace(/\/+$/, '')) ?? [null, null];
  return rest === null ? null : rest || rootSlug;
}
