/** What every page is made from, and what a page is. */
import type { Code } from '../base/problem-codes.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Context } from '../operations/context.ts';
import type { Operation } from '../operations/operation.ts';
import type { Highlighter } from './highlighter.ts';
import type { Look } from './look.ts';

/** One revision of the product, and the API that publishes it. */
export interface Site {
  readonly baseUrl: string;
  readonly catalog: Catalog;
  readonly look: Look;
  readonly highlighter: Highlighter;
  /** Examples in the portal are answers of this API, given when the page is made. */
  readonly production: Context;
  readonly sandbox: Context;
  readonly operations: readonly Operation[];
  /** The values of the sandbox's `simulate`. */
  readonly simulations: readonly string[];
  /** The headers that responses carry, by name. */
  readonly responseHeaders: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  /** Every code that an operation can answer with. */
  problemCodesOf(operation: Operation): readonly Code[];
}

export const productOf = (site: Site) => site.catalog.content.product;
