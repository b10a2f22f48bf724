/** Describes a rendered page: HTML for people, and Markdown for programs. */
import type { AnsweredSearch } from '../operations/operation.ts';

/** A page in both of its forms. */
export interface PageDocument {
  /** The page's own path below the root of the site, percent-encoded, without a query. */
  readonly path: string;
  /** The language of the page as a whole, as a BCP 47 tag. */
  readonly language: string;
  /** A complete document, or a part of one if the query asks for a part. */
  readonly html: string;
  readonly markdown: string;
  /** The search that the page answers, to be counted; null or left out if there is none. */
  readonly search?: AnsweredSearch | null;
  /** False if caches must not store the page; true when left out. */
  readonly isShared?: boolean;
}
