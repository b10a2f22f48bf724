/** What a resource adds to search: its documents, where a hit leads, and the operation that gives all of it. */
import type { Catalog } from '../catalog/catalog.ts';
import type { SearchSource } from '../search/documents.ts';
import type { Operation } from './operation.ts';
import type { Body } from './outcome.ts';

export interface Searchable extends SearchSource {
  /** What people call one: "Page". */
  readonly label: string;
  /** Where an item is on the site, such as `/docs/quickstart`; its markdown is at the same path with `.md`. */
  path(key: string): string;
  /** The operation that gives one item, and its parameter, under which a hit has the item's key. */
  readonly item: Operation;
  readonly parameter: string;
  /** The keys that there are. */
  keys(catalog: Pick<Catalog, 'content'>): readonly string[];
  /** What of the item's body is read: its title, and its text as markdown. */
  reading(body: Body): { readonly title: unknown; readonly text: unknown };
}
