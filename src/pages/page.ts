/** The content of a page, before the layout is around it. */
import type { Markup } from './components/attributes.ts';
import type { JsonLd } from './json-ld.ts';
import type { Destination } from './navigation.ts';

export type { PageDocument } from './page-document.ts';

export interface PageParts {
  /** The page's own path, percent-encoded, without a query. */
  readonly path: string;
  readonly title: string;
  /** For search engines and previews. */
  readonly description: string;
  readonly body: Markup;
  /** The same as markdown; links absolute. */
  readonly markdown: string;
  /** Whose menu is shown next to the content; null for none. */
  readonly section?: 'docs' | 'developers' | null;
  /** The headings that "On this page" lists. */
  readonly contents?: readonly Heading[];
  /** The pages above this one but for the front page, and the page itself last. */
  readonly breadcrumb?: readonly Destination[];
  readonly jsonLd?: readonly JsonLd[];
  readonly kind?: 'website' | 'article';
  /** False keeps search engines away. */
  readonly indexed?: boolean;
  /** Fills the width: for pages that lay out their own columns. */
  readonly wide?: boolean;
  /** Address of a script that the page has in addition to that of every page. */
  readonly scriptUrl?: string;
}

/** A heading of a page, with the ID that links lead to. */
export interface Heading {
  readonly text: string;
  readonly anchor: string;
  readonly level: number;
}

/** The path of a page’s markdown version. */
export const markdownPathOf = (path: string): string => `${path === '/' ? '/index' : path}.md`;
