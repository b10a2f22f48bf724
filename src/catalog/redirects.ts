/** Finds the page that an old or misspelled path meant, for a path at which nothing is served. */
import type { Content } from '../content/content.ts';
import { createRedirectLookup, type FindRedirectTarget, normalizeRedirect } from '../content/redirects.ts';
import { hasPath, isOwnPage } from '../content/site-paths.ts';
import { getDocPath, readSlug } from '../markdown/links.ts';

/**
 * Creates the lookup for old and misspelled addresses, which returns the path of the page that is meant (with `.md` if the address
 * has it) or the target of the vendor's redirect, and null if there is none. Below open prefixes such as `/releases/` and
 * `/download/` only the vendor's redirects count: which addresses exist there is not known here, and capitals may matter.
 */
export function createRedirectFinder({ pages, faq, assets, redirects }: Content): FindRedirectTarget {
  const slugs = new Set(pages.map(({ slug }) => slug));
  const faqIds = new Set(faq.map(({ id }) => id));
  const findTarget = createRedirectLookup(redirects, (path) => hasPath({ pages: slugs, assets, faqIds }, path));

  return (path, query) => {
    const key = normalizeRedirect(path);
    const slug = readSlug(key);
    const target =
      slug !== null && slugs.has(slug)
        ? getDocPath(slug)
        : (findTarget(path, query) ?? (isOwnPage(key, faqIds) ? key : null));
    // A redirect of a page also applies to its Markdown version, whose path ends in `.md`.
    return target !== null && /\.md$/i.test(path) && slugs.has(readSlug(target) ?? '') ? `${target}.md` : target;
  };
}
