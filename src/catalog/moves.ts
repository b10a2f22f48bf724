/** Old and misspelt addresses of pages: where a path that nothing is at leads. */
import type { Content } from '../content/content.ts';
import { createRedirection, redirectKey } from '../content/redirects.ts';
import { isSitePath } from '../content/site-paths.ts';
import { docPath, slugIn } from '../content/slugs.ts';

/** Gives a path of the site (with `#anchor`, if any) or a URL; null for a path that is right, or that nobody knows. */
export function createMoves({ pages, faq, assets, redirects }: Content): (path: string) => string | null {
  const slugs = new Set(pages.map(({ slug }) => slug));
  const faqIds = new Set(faq.map(({ id }) => id));
  const exists = (path: string) =>
    slugs.has(slugIn(path) ?? '') || isSitePath(path, faqIds) || assets.has(path.slice(1));
  const { targetOf } = createRedirection(redirects, exists);

  return (path) => {
    // A page's markdown version moves with it.
    const isMarkdown = /\.md$/i.test(path);
    const key = redirectKey(path);
    const slug = slugIn(key);
    const found =
      slug !== null && slugs.has(slug) ? docPath(slug) : (targetOf(path) ?? (isPage(key, faqIds) ? key : null));
    if (found === null || found === path) return null;
    return isMarkdown && slugs.has(slugIn(found) ?? '') ? sameOrNull(`${found}.md`, path) : found;
  };
}

const sameOrNull = (found: string, path: string): string | null => (found === path ? null : found);

/** Of the site's own pages; what is below /releases/ is not known here, and the API has no other spelling of its paths. */
const isPage = (path: string, faqIds: ReadonlySet<string>): boolean =>
  !/^\/(releases|api)\//.test(path) && isSitePath(path, faqIds);
