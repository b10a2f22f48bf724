/** Old and misspelt addresses of pages: where a path that nothing is at leads. */
import type { Content } from '../content/content.ts';
import { createRedirection, redirectKey } from '../content/redirects.ts';
import { isOwnPage, isSitePath } from '../content/site-paths.ts';
import { docPath, slugIn } from '../markdown/links.ts';

/** Returns the path of the site (with `#anchor`, if any) or the URL that a path and query as they were sent lead to, or null. */
export type FindRedirect = (path: string, query?: string) => string | null;

/**
 * Creates the lookup for old and misspelt addresses. Below open prefixes such as `/releases/` and `/download/` only the vendor's
 * redirects count: which addresses exist there is not known here, and capitals may matter.
 */
export function createRedirectFinder({ pages, faq, assets, redirects }: Content): FindRedirect {
  const slugs = new Set(pages.map(({ slug }) => slug));
  const faqIds = new Set(faq.map(({ id }) => id));
  const exists = (path: string) =>
    slugs.has(slugIn(path) ?? '') || isSitePath(path, faqIds) || assets.has(path.slice(1));
  const { targetOf } = createRedirection(redirects, exists);

  return (path, query) => {
    const key = redirectKey(path);
    const slug = slugIn(key);
    const target =
      slug !== null && slugs.has(slug)
        ? docPath(slug)
        : (targetOf(path, query) ?? (isOwnPage(key, faqIds) ? key : null));
    // A page's markdown version moves with it.
    return target !== null && /\.md$/i.test(path) && slugs.has(slugIn(target) ?? '') ? `${target}.md` : target;
  };
}
