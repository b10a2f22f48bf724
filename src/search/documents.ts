/** What is searched: what each resource adds, as plain text. */
import type { Content } from '../content/content.ts';
import type { SearchDocument } from './search.ts';

/** Adds the documents of one kind. */
export interface SearchSource {
  /** The `object` of what is found. */
  readonly kind: string;
  documents(content: Content): Omit<SearchDocument, 'kind'>[];
}

export const searchDocumentsOf = (content: Content, sources: readonly SearchSource[]): SearchDocument[] =>
  sources.flatMap(({ kind, documents }) => documents(content).map((document) => ({ kind, ...document })));
