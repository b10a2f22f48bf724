/** Defines how a resource is searched: its documents, the page that a result leads to, and the operation that returns the whole item. */
import { decodeUri } from '../base/uri.ts';
import type { Catalog, SearchSource } from '../catalog/catalog.ts';
import type { Content } from '../content/content.ts';
import type { Kind, SearchDocument } from '../search/document.ts';
import type { Body, RateLimits } from './context.ts';
import type { Operation } from './operation.ts';

/** The sources of search documents. */
export interface SearchInput extends SearchSource {
  /** The server's rate limits, which some texts state. */
  readonly limits: RateLimits;
}

/** An item as an agent reads it. */
export interface Reading {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** One kind of item that search finds: how its documents are listed, and where an item is published. */
export interface Searchable {
  /** The `object` of what is found. */
  readonly kind: Kind;
  /** Whether the item is part of the documentation, which the API searches by default. */
  readonly isDocumentation: boolean;
  /**
   * Returns the documents of the items that search may find. Those of pages are made one by one as they are read, so that the
   * indexer of thousands can pause in between.
   */
  documents(from: SearchInput): Iterable<Omit<SearchDocument, 'kind'>>;
  /**
   * Returns the path of the page that has the item, such as `/docs/quickstart`, without a check that the item exists;
   * `getMarkdownPath` returns that of its markdown.
   */
  path(key: string): string;
  /** Returns the anchor of an item that shares its page with others, without `#`; left out where each item has a page of its own. */
  anchor?(key: string): string;
  /** Name of the result's field that has the item's key. */
  readonly parameter: 'slug' | 'id';
  /** The operation that returns the item or the list with it, and its input; without one, the operation takes no input. */
  readonly item: Operation;
  input?(key: string): Readonly<Record<string, unknown>>;
  /** Returns the keys of all items, also of those that search does not find. */
  keys(catalog: Pick<Catalog, 'content' | 'versions'>): readonly string[];
  /**
   * Returns the item: from the operation's body if that is the item, otherwise from the catalog by its key, or null if none there
   * has it.
   */
  reading(body: Body, key: string, catalog: Catalog): Reading | null;
}

/** Returns the documents of all searchables, created anew for each iteration. */
export const listSearchDocuments = (
  searchables: readonly Searchable[],
  from: SearchInput,
): Iterable<SearchDocument> => ({
  *[Symbol.iterator]() {
    for (const searchable of searchables) {
      for (const document of searchable.documents(from)) yield addKeywords(searchable, document, from.content);
    }
  },
});

/**
 * Returns the document with its kind, and each section with the keywords that keywords.yaml lists for its path and anchor; a
 * section for which it lists none stays as it is.
 */
function addKeywords(
  { kind, path, anchor }: Searchable,
  document: Omit<SearchDocument, 'kind'>,
  { keywords }: Content,
): SearchDocument {
  if (keywords.size === 0) return { kind, ...document };
  const { key } = document;
  const sections = document.sections.map((section) => {
    const place = section.anchor ?? anchor?.(key);
    const words = keywords.get(decodeUri(path(key) + (place === undefined ? '' : `#${place}`)));
    return words === undefined ? section : { ...section, keywords: words };
  });
  return { kind, ...document, sections };
}

/** Returns the path of a page's Markdown: `.md` is added, and `/` becomes `/index.md`. */
export const getMarkdownPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);
