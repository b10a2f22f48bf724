/** What is searched: the pages and the FAQ entries of a content folder, as plain text. */
import type { Content } from '../content/content.ts';
import type { SearchDocument } from './search.ts';

/** A FAQ entry's title is its question, its one heading the category. */
export function searchDocumentsOf({ pages, faq }: Content): SearchDocument[] {
  return [
    ...pages.map(({ slug, title, headings, text: body }) => ({
      kind: 'doc' as const,
      key: slug,
      title,
      headings: headings.map(({ text }) => text),
      body,
    })),
    ...faq.map(({ id, question, category, text: body }) => ({
      kind: 'faq' as const,
      key: id,
      title: question,
      headings: [category],
      body,
    })),
  ];
}
