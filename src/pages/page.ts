/** What a page says, before it has its frame. */
import type { JsonLd } from './json-ld.ts';
import type { Destination } from './navigation.ts';

export type { PageDocument } from './page-document.ts';

export interface PageParts {
  /** The page's own path, percent-encoded, without a query. */
  readonly path: string;
  readonly title: string;
  /** For search engines and previews. */
  readonly description: string;
  /** Safe HTML of the content. */
  readonly body: string;
  /** The same as markdown; links absolute. */
  readonly markdown: string;
  /** Whose menu is shown next to the content; null for none. */
  readonly section?: 'docs' | 'developers' | null;
  /** The headings that "On this page" lists. */
  readonly contents?: readonly { readonly text: string; readonly anchor: string; readonly level: number }[];
  /** The pages above this one, itself last. */
  readonly trail?: readonly Destination[];
  readonly jsonLd?: readonly JsonLd[];
  readonly kind?: 'website' | 'article';
  /** False keeps search engines away. */
  readonly indexed?: boolean;
  /** Fills the width: for pages that lay out their own columns. */
  readonly wide?: boolean;
  /** Address of a script that the page has in addition to that of every page. */
  readonly scriptUrl?: string;
}

/** The path of a page’s markdown version. */
export const markdownPathOf = (path: string): string => `${path === '/' ? '/index' : path}.md`;
