/** What every page is made from, and what a resource shows on the site. */
import type { None } from '../base/none.ts';
import type { Code } from '../base/problem-codes.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Content } from '../content/content.ts';
import type { Words } from '../content/words.ts';
import type { Context } from '../operations/context.ts';
import type { EndpointDescription } from '../operations/endpoint-description.ts';
import type { Operation } from '../operations/operation.ts';
import type { Drawer } from './drawing.ts';
import type { Look } from './look.ts';
import type { PageDocument } from './page-document.ts';
import type { Renderer } from './renderer.ts';

/** What the portal's guides are written from, apart from their examples. */
export interface GuideSite {
  readonly baseUrl: string;
  readonly content: Content;
  readonly production: Pick<Context, 'apiRoot'> & { readonly service: Pick<Context['service'], 'limits'> };
  readonly sandbox: Pick<Context, 'apiRoot'>;
  readonly operations: readonly Operation[];
  /** Returns an example of the problem document with a code; undefined where texts have no examples. */
  readonly exampleProblem?: (code: Code) => Record<string, unknown>;
}

/** The catalog that the pages of a site show, and the parts of its content that most components need. */
interface ShownCatalog {
  readonly catalog: Catalog;
  readonly content: Content;
  readonly product: Content['product'];
  /** The words around the content, in its language. */
  readonly words: Words;
  /** The language of the content as a BCP 47 tag. */
  readonly language: string;
}

/** One revision of the product, and the API that publishes it. */
export interface Site extends ShownCatalog {
  readonly baseUrl: string;
  /** Before the path of each of its pages: nothing, or `/sandbox` for the pages with the fixtures. */
  readonly root: '' | '/sandbox';
  /** Whether it is written as static files: what needs a server is left out. */
  readonly isSnapshot: boolean;
  /** What its pages show. */
  readonly shown: Context;
  readonly look: Look;
  readonly renderer: Renderer;
  readonly drawer: Pick<Drawer, 'draw'>;
  /** Examples in the portal are answers of this API, given when the page is made. */
  readonly production: Context;
  readonly sandbox: Context;
  readonly operations: readonly Operation[];
  /** What the contract has in addition to the API's operations: the authorization server, files of exports. */
  readonly endpoints: readonly EndpointDescription[];
  /** What every resource shows, in the order in which the site lists them. */
  readonly published: readonly Published[];
  /** The headers that responses carry, by name. */
  readonly responseHeaders: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  /** Returns an example of the problem document with a code. */
  readonly exampleProblem: (code: Code) => Record<string, unknown>;
  /** The codes that every endpoint can return. */
  readonly commonCodes: readonly Code[];
  /** Every code that an operation can return. */
  problemCodesOf(operation: Operation): readonly Code[];
}

/** What the site shows of one resource: its pages, and where they are listed. */
export interface Published {
  readonly page: PageFacet | None;
  /** Whether its pages also exist below /sandbox, with the fixtures: responses of the sandbox link there. */
  readonly sandbox: 'served' | None;
  readonly sitemap: 'listed' | None;
  readonly llms: LlmsFacet | None;
  readonly navigation: NavigationFacet | None;
  /** Whether a path that leads nowhere may lead to one of its pages instead. */
  readonly suggestions: 'listed' | None;
}

export interface PageFacet {
  readonly routes: readonly PageRoute[];
  /** The pages that there are now, an overview first. */
  listed(site: Site): readonly ListedPage[];
}

export type Parameters = Readonly<Record<string, string>>;

export interface PageRoute {
  /** In the router's syntax; the path of its markdown is made of it. */
  readonly path: string;
  /** Whether the page shows what the update feed says. */
  readonly needsFeed?: boolean;
  /** The parameters of the query that the page depends on. */
  readonly query?: readonly string[];
  /** More for its Link header (RFC 8288). */
  links?(baseUrl: string): string;
  make(site: Site, parameters: Parameters, query: URLSearchParams): PageDocument | Promise<PageDocument>;
}

export interface ListedPage {
  /** Percent-encoded. */
  readonly path: string;
  readonly title: string;
  /** `YYYY-MM-DD`; left out where nothing says it. */
  readonly modified?: string;
}

/** The parts of llms.txt, in their order. */
export const llmsHeadings = ['Documentation', 'Product', 'Releases', 'API', 'Questions', 'Optional'] as const;

export type LlmsFacet = (site: Site) => readonly LlmsEntry[];

export interface LlmsEntry {
  readonly heading: (typeof llmsHeadings)[number];
  readonly title: string;
  /** Of the markdown, or of a document for programs. */
  readonly path: string;
  readonly about?: string;
  /** `single`: left out where there are too many; `index`: stands for them then. */
  readonly only?: 'single' | 'index';
}

/** Lists pages that llms.txt leaves out if there are too many. */
export const listPages = (
  heading: LlmsEntry['heading'],
  pages: readonly Pick<LlmsEntry, 'title' | 'path' | 'about'>[],
): LlmsEntry[] => pages.map((page) => ({ heading, ...page, only: 'single' }));

export interface NavigationFacet {
  readonly href: string;
  /** Where it stands; the least comes first. */
  readonly place: number;
  /** In the menu at the top, and in the foot of every page; null: not there. */
  readonly menu: ((words: Words) => string) | null;
  readonly foot: ((words: Words) => string) | null;
  /** Whether there is anything to go to; else always. */
  isThere?(site: Site): boolean;
}

/** Returns what a site shows of a catalog. */
export const showCatalog = (catalog: Catalog): ShownCatalog => {
  const { content } = catalog;
  return { catalog, content, product: content.product, words: content.words, language: content.product.language };
};

/** The day of a listed page's last change, where it is known. */
export const modifiedOn = (day: string | null | undefined): Pick<ListedPage, 'modified'> =>
  day === null || day === undefined ? {} : { modified: day };
