/** What a resource gives to exports: every item of it, one at a time. */
import type { Catalog } from '../catalog/catalog.ts';
import type { Context } from './context.ts';
import type { Body } from './outcome.ts';

export interface ExportSource {
  /** What the items are called: "documentation pages". */
  readonly called: string;
  /** Whether the product has none, so that there is nothing to export. */
  isEmpty(catalog: Catalog): boolean;
  /** One function for each item. Throws ApiError when they cannot be read now. */
  items(context: Context): readonly ItemMaker[];
}

export type ItemMaker = () => ExportItem | Promise<ExportItem>;

export interface ExportItem {
  /** The object that the API gives. */
  readonly body: Body;
  readonly frontMatter: Readonly<Record<string, string | number | null>>;
  readonly text: string;
}

/** By the name of the resource, as `resource` in a request names it. */
export type ExportSources = ReadonlyMap<string, ExportSource>;
