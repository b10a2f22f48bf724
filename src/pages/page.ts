/** Describes the content of a page, before the layout is around it. */
import type { Markup } from './components/attributes.ts';
import type { JsonLd } from './json-ld.ts';
import type { Destination } from './navigation.ts';

export type { PageDocument } from './page-document.ts';

/** A page without its layout. */
export interface PageParts {
  /** The page's own path below the root of the site, percent-encoded, without a query. */
  readonly path: string;
  readonly title: string;
  /** For search engines and previews. */
  readonly description: string;
  readonly body: Markup;
  /** The body as Markdown with absolute links, its heading included. */
  readonly markdown: string;
  /** The part of the site whose menu is shown next to the content; null or left out for none. */
  readonly section?: 'docs' | 'developers' | null;
  /** The headings from which `selectHeadings` chooses those of "On this page"; none when left out. */
  readonly contents?: readonly Heading[];
  /** The pages above this one without the front page, and the page itself last; left out for a page without a breadcrumb. */
  readonly breadcrumb?: readonly Destination[];
  /** Objects for search engines, in addition to that of the breadcrumb; left out if there are none. */
  readonly jsonLd?: readonly JsonLd[];
  /** The type of the page for Open Graph; `website` when left out. */
  readonly kind?: 'website' | 'article';
  /** False if search engines must not list the page; true when left out. */
  readonly indexed?: boolean;
  /** Whether the body fills the width, for pages that lay out their own columns; false when left out. */
  readonly wide?: boolean;
  /** Path of a script that the page has in addition to that of every page; left out if there is none. */
  readonly scriptUrl?: string;
}

/** A heading of a page, with the ID that links lead to. */
export interface Heading {
  readonly text: string;
  readonly anchor: string;
  readonly level: number;
}
