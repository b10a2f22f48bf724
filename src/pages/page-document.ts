/** What a page is once it is made: for people, and the same for programs. */
import type { AnsweredSearch } from '../operations/operation.ts';

export interface PageDocument {
  /** The page's own path, percent-encoded, without a query. */
  readonly path: string;
  /** Of the page as a whole, as BCP 47 has it. */
  readonly language: string;
  readonly html: string;
  readonly markdown: string;
  /** The search that the page answers, to be counted. */
  readonly search?: AnsweredSearch | null;
  /** False keeps it out of caches. */
  readonly isShared?: boolean;
}
