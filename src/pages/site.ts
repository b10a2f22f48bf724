/** Describes the site: the data that pages are rendered from, and what each resource publishes on it. */
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

/** The part of a site that the portal's guides are written from, apart from their examples. */
export interface GuideSite {
  readonly baseUrl: string;
  readonly content: Content;
  readonly production: Pick<Context, 'apiRoot'> & { readonly service: Pick<Context['service'], 'limits'> };
  readonly sandbox: Pick<Context, 'apiRoot'>;
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
  /** The origin of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** The beginning of the path of each page: empty, or `/sandbox` for the pages with the fixtures. */
  readonly root: '' | '/sandbox';
  /** Whether the site is written as static files, without what needs a server. */
  readonly isSnapshot: boolean;
  /** The context of the facts on its pages: production, or the sandbox. */
  readonly shown: Context;
  readonly look: Look;
  readonly renderer: Renderer;
  readonly drawer: Pick<Drawer, 'draw'>;
  /** The context of the API, whose responses are the examples of the portal. */
  readonly production: Context;
  readonly sandbox: Context;
  readonly operations: readonly Operation[];
  /** The contract's endpoints in addition to the API's operations: the authorization server, files of exports. */
  readonly endpoints: readonly EndpointDescription[];
  /** The pages and links of every resource, in the order in which the site lists them. */
  readonly published: readonly Published[];
  /** The headers that responses carry, by name. */
  readonly responseHeaders: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  /** Returns an example of the problem document with a code. */
  readonly exampleProblem: (code: Code) => Record<string, unknown>;
  /** The codes that every endpoint can return. */
  readonly commonCodes: readonly Code[];
  /** Returns every error code that an operation can return in production, those of `commonCodes` included. */
  listProblemCodes(operation: Operation): readonly Code[];
}

/** The pages of one resource, and where they are listed. A `None` says why the resource has no such part. */
export interface Published {
  readonly page: PageFacet | None;
  /** Whether its pages also exist below /sandbox, with the fixtures: responses of the sandbox link there. */
  readonly sandbox: 'served' | None;
  readonly sitemap: 'listed' | None;
  readonly llms: LlmsFacet | None;
  readonly navigation: NavigationFacet | None;
  /** Whether the page for a missing path may suggest its pages. */
  readonly suggestions: 'listed' | None;
}

/** The pages of a resource. */
export interface PageFacet {
  readonly routes: readonly PageRoute[];
  /** Returns the pages of the current revision, an overview first. */
  listed(site: Site): readonly ListedPage[];
}

/** The values of a route's parameters, by name: percent-decoded, and without the `.md` of a Markdown path. */
export type Parameters = Readonly<Record<string, string>>;

/** A route and the function that renders its page. `make` throws an ApiError if the page does not exist or cannot be made now. */
export interface PageRoute {
  /** The path in the router's syntax, from which that of the Markdown is made. */
  readonly path: string;
  /** Whether the page shows releases, so that it depends on the state of their sources; false when left out. */
  readonly needsFeed?: boolean;
  /** The parameters of the query that the page depends on; left out if there are none. */
  readonly query?: readonly string[];
  /** Returns links to add to the Link header of the page, in the header's syntax (RFC 8288). */
  links?(baseUrl: string): string;
  make(site: Site, parameters: Parameters, query: URLSearchParams): PageDocument | Promise<PageDocument>;
}

/** A page in lists such as the sitemap. */
export interface ListedPage {
  /** The path below the root of the site, percent-encoded. */
  readonly path: string;
  readonly title: string;
  /** The day of the last change as `YYYY-MM-DD`; left out if it is unknown. */
  readonly modified?: string;
}

/** The headings of llms.txt, in their order. */
export const llmsHeadings = ['Documentation', 'Product', 'Releases', 'API', 'Questions', 'Optional'] as const;

/** A function that returns the lines of a resource in llms.txt. */
export type LlmsFacet = (site: Site) => readonly LlmsEntry[];

/** A line of llms.txt. */
export interface LlmsEntry {
  readonly heading: (typeof llmsHeadings)[number];
  readonly title: string;
  /** The path of the Markdown, or of a document for programs. */
  readonly path: string;
  /** A description of the page in a sentence; left out if there is none. */
  readonly about?: string;
  /** `single` for a line that is left out if there are too many, `index` for the line that replaces them then; else always there. */
  readonly only?: 'single' | 'index';
}

/** Returns a line below `heading` for each page; llms.txt leaves these lines out if there are too many. */
export const listPages = (
  heading: LlmsEntry['heading'],
  pages: readonly Pick<LlmsEntry, 'title' | 'path' | 'about'>[],
): LlmsEntry[] => pages.map((page) => ({ heading, ...page, only: 'single' }));

/** The link of a resource in the menu and in the footer. */
export interface NavigationFacet {
  readonly href: string;
  /** The position among the links; the lowest comes first. */
  readonly place: number;
  /** Returns the title in the menu at the top; null if the menu lacks the link. */
  readonly menu: ((words: Words) => string) | null;
  /** Returns the title in the footer; null if the footer lacks the link. */
  readonly foot: ((words: Words) => string) | null;
  /** Returns whether the page exists; it always does if this is left out. */
  isThere?(site: Site): boolean;
}

/** Returns a catalog with its content, product, words and language, as the pages of a site use it. */
export const showCatalog = (catalog: Catalog): ShownCatalog => {
  const { content } = catalog;
  return { catalog, content, product: content.product, words: content.words, language: content.product.language };
};

/** Returns an object with the day of a listed page's last change (`YYYY-MM-DD`) as `modified`; an empty one if it is unknown. */
export const getModified = (day: string | null | undefined): Pick<ListedPage, 'modified'> =>
  day === null || day === undefined ? {} : { modified: day };
