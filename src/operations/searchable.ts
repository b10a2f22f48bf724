/** What a resource adds to search: its documents, where a hit leads, and the operation that gives all of it. */
import { decodeUri } from '../base/uri.ts';
import type { Catalog, SearchSource } from '../catalog/catalog.ts';
import type { Content } from '../content/content.ts';
import type { Words } from '../content/words.ts';
import type { Kind, SearchDocument } from '../search/document.ts';
import type { RateLimits } from './context.ts';
import type { Operation } from './operation.ts';
import type { Body } from './outcome.ts';

/** What documents are made from. */
export interface SearchInput extends SearchSource {
  readonly limits: RateLimits;
}

/** An item as an agent reads it. */
export interface Reading {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

export interface Searchable {
  /** The `object` of what is found. */
  readonly kind: Kind;
  /** What people call one: "Page". */
  label(words: Words): string;
  /** Whether its texts are ours, in English whatever the language of the folder is. */
  readonly isEnglish?: true;
  /** Whether it is part of the documentation, which the API searches by itself. */
  readonly isDocumentation: boolean;
  /** In turn, as they are made: of thousands, whoever takes them decides when to pause. */
  documents(from: SearchInput): Iterable<Omit<SearchDocument, 'kind'>>;
  /** The page of the site that has the item, such as `/docs/quickstart`; its markdown is at the same path with `.md`. */
  path(key: string): string;
  /** Where the item is on that page, when it shares it with others. */
  anchor?(key: string): string;
  /** Under which a hit has the item's key. */
  readonly parameter: 'slug' | 'id';
  /** The operation that gives the item, and its input. */
  readonly item: Operation;
  input(key: string): Readonly<Record<string, unknown>>;
  /** The keys that there are. */
  keys(catalog: Pick<Catalog, 'content' | 'versions'>): readonly string[];
  /** Returns the item, read from the operation's body or the catalog, or null if none has that key. */
  reading(body: Body, key: string, catalog: Catalog): Reading | null;
}

/** All of their documents, made again for each iteration. */
export const searchDocumentsOf = (searched: readonly Searchable[], from: SearchInput): Iterable<SearchDocument> => ({
  *[Symbol.iterator]() {
    for (const searchable of searched) {
      for (const document of searchable.documents(from)) yield withKeywords(searchable, document, from.content);
    }
  },
});

/** What people type for a place is indexed with it. */
function withKeywords(
  { kind, path, anchor }: Searchable,
  document: Omit<SearchDocument, 'kind'>,
  { keywords }: Content,
): SearchDocument {
  if (keywords.size === 0) return { kind, ...document };
  const { key } = document;
  const sections = document.sections.map((section) => {
    const at = section.anchor ?? anchor?.(key);
    const found = keywords.get(decodeUri(path(key) + (at === undefined ? '' : `#${at}`)));
    return found === undefined ? section : { ...section, keywords: found };
  });
  return { kind, ...document, sections };
}

/** The markdown twin of a page's path. */
export const markdownPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);
