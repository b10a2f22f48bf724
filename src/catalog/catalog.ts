/** The read model: one revision of content and feed, with everything that is looked up in them. Immutable. */
import { sha256Hex } from '../base/hash.ts';
import type { Content, Page } from '../content/content.ts';
import type { FeedSnapshot } from '../feed/release.ts';
import { type SearchSource, searchDocumentsOf } from '../search/documents.ts';
import { createSearchIndex, type SearchIndex } from '../search/search.ts';
import { type Compatibility, type CompatibilityInput, checkCompatibility } from './compatibility.ts';
import { createMoves } from './moves.ts';
import { createReleaseIndex, type ReleaseIndex } from './release-index.ts';

export type { Release } from './releases.ts';

export interface Catalog extends Omit<ReleaseIndex, 'minimums'> {
  /** SHA-256 (hex) of the content's revision and the feed's. */
  readonly revision: string;
  readonly content: Content;
  page(slug: string): Page | undefined;
  faqEntry(id: string): Content['faq'][number] | undefined;
  readonly slugs: readonly string[];
  readonly faqIds: readonly string[];
  readonly search: SearchIndex;
  /**
   * Where the content of a path that nothing is at may be found now: by redirects.yaml, by the aliases of pages, and by
   * the usual other spellings of a page's address. Null when that is nowhere.
   */
  movedTo(path: string): string | null;
  /** By the stricter of product.yaml's minimums and the latest release's own. Throws as `checkCompatibility` does. */
  compatibility(input: CompatibilityInput): Compatibility;
}

/** Builds the read model. `searched`: what is searched. `previous`'s search index is shared when the content is the same. */
export function createCatalog(
  content: Content,
  feed: FeedSnapshot | null,
  searched: readonly SearchSource[],
  previous?: Catalog,
): Catalog {
  const { minimums, ...releases } = createReleaseIndex(content, feed);
  const pages = new Map(content.pages.map((page) => [page.slug, page]));
  const faq = new Map(content.faq.map((entry) => [entry.id, entry]));
  const shared = previous?.content.revision === content.revision ? previous.search : undefined;
  return {
    ...releases,
    revision: sha256Hex(`${content.revision} ${feed?.revision ?? 'without a feed'}`),
    content,
    page: (slug) => pages.get(slug),
    faqEntry: (id) => faq.get(id),
    slugs: [...pages.keys()],
    faqIds: [...faq.keys()],
    search: shared ?? createSearchIndex(searchDocumentsOf(content, searched)),
    movedTo: createMoves(content),
    compatibility: (input) => checkCompatibility(input, minimums),
  };
}
