/** The read model: one revision of content and feed, with everything that is looked up in them. Immutable. */
import { sha256Hex } from '../base/hash.ts';
import type { Content, Page } from '../content/content.ts';
import type { FindRedirectTarget } from '../content/redirects.ts';
import type { FeedSnapshot } from '../feed/release.ts';
import type { SearchDocument } from '../search/document.ts';
import { type Compatibility, type CompatibilityInput, checkCompatibility } from './compatibility.ts';
import { fillFacts } from './filled-content.ts';
import { createRedirectFinder } from './redirects.ts';
import { createReleaseIndex, type ReleaseIndex, tryOffer } from './release-index.ts';
import type { Release } from './releases.ts';
import type { SystemRequirements } from './requirements.ts';
import { buildIndexHere, buildIndexLazily, type RevisionIndex, type Searched } from './search-index-builder.ts';

export type { Release } from './releases.ts';

/** Everything that operations and pages read of one revision: the content, the releases and the search index. */
export interface Catalog extends ReleaseIndex {
  /** SHA-256 (hex) of the content's revision and the feed's. */
  readonly revision: string;
  readonly content: Content;
  page(slug: string): Page | undefined;
  faqEntry(id: string): Content['faq'][number] | undefined;
  /** The slugs of the pages, in the order of `content.pages`. */
  readonly slugs: readonly string[];
  /** The IDs of the questions, in the order of `content.faq`. */
  readonly faqIds: readonly string[];
  readonly search: RevisionIndex;
  /**
   * Finds where the content of an address that nothing is at is now, or returns null: by redirects.yaml, aliases, and other
   * spellings of a page's address.
   */
  readonly movedTo: FindRedirectTarget;
  /**
   * Checks a computer against the requirements of its system; `lastRelease` is the older release that the updater still offers
   * there, or null if the computer runs the current one or there is none. Throws an ApiError `invalid_request` or `unprocessable`
   * for a version that `readCallerOs` refuses.
   */
  compatibility(input: CompatibilityInput): Compatibility & { readonly lastRelease: Release | null };
}

/** The facts of a revision that search documents are made from. */
export interface SearchSource {
  readonly content: Content;
  /** The releases of every channel; empty if none is known. */
  readonly releases: readonly Release[];
  /** The requirements of the current release on the main system, and then on the others that there are builds for. */
  readonly systems: readonly [SystemRequirements, ...SystemRequirements[]];
}

/** Lists the documents that search finds in a revision; the result is iterated more than once. */
export type ListSearchDocuments = (source: SearchSource) => Iterable<SearchDocument>;

/** A catalog without its search index, which may take seconds to build. */
export interface CatalogDraft {
  readonly revision: string;
  readonly content: Content;
  readonly releases: ReleaseIndex;
  /** The documents and settings that the index is built from. */
  readonly searched: Searched;
}

/**
 * Joins content and releases, and fills in the facts that the folder's Markdown names. `listDocuments` lists what search finds;
 * nothing is indexed yet.
 *
 * @param feed the last verified releases, or null if no feed was ever read
 */
export function draftCatalog(
  folderContent: Content,
  feed: FeedSnapshot | null,
  listDocuments: ListSearchDocuments,
): CatalogDraft {
  const facts = createReleaseIndex(folderContent, feed);
  const content = fillFacts(folderContent, facts);
  const isChanged = [...content.releaseNotes].some(
    ([version, notes]) => notes !== folderContent.releaseNotes.get(version),
  );
  // Release notes of the folder may name facts; if any were filled in, the index is created again with the new notes.
  const releases = isChanged ? createReleaseIndex(content, feed) : facts;
  const { language } = content.product;
  return {
    revision: sha256Hex(`${content.revision} ${feed?.revision ?? 'without a feed'}`),
    content,
    releases,
    searched: {
      documents: listDocuments({ content, releases: releases.releases ?? [], systems: releases.supported }),
      language,
      synonyms: content.synonyms,
    },
  };
}

/** Returns the read model of a draft with its search index. */
export function finishCatalog({ revision, content, releases }: CatalogDraft, search: RevisionIndex): Catalog {
  const pages = new Map(content.pages.map((page) => [page.slug, page]));
  const faq = new Map(content.faq.map((entry) => [entry.id, entry]));
  return {
    ...releases,
    revision,
    content,
    page: (slug) => pages.get(slug),
    faqEntry: (id) => faq.get(id),
    slugs: [...pages.keys()],
    faqIds: [...faq.keys()],
    search,
    movedTo: createRedirectFinder(content),
    compatibility(input) {
      const result = checkCompatibility(input, releases.systems, content.product.name);
      const offer = tryOffer(() => releases.offered({ ...input, channel: null, format: null }));
      const isCurrent = releases.systems.some(({ os, current }) => os === offer?.os && current?.id === offer.id);
      return { ...result, lastRelease: result.compatible || isCurrent ? null : offer };
    },
  };
}

/**
 * Creates the read model of content and feed, which is null if none was ever read. Its search index is built in this process for
 * the first query, or is that of `previous` if content and feed are the same.
 */
export function createCatalog(
  content: Content,
  feed: FeedSnapshot | null,
  listDocuments: ListSearchDocuments,
  previous?: Catalog,
): Catalog {
  const draft = draftCatalog(content, feed, listDocuments);
  const isSame = previous?.revision === draft.revision;
  return finishCatalog(draft, isSame ? previous.search : buildIndexLazily(() => buildIndexHere(draft.searched)));
}
