/** What is searched: the pages and the FAQ entries of a content folder, as plain text. */
import type { Content } from '../content/content.ts';
import type { Section } from '../markdown/markdown.ts';
import type { SearchDocument } from './search.ts';

/** A FAQ entry's title is its question, its one heading the category. */
export function searchDocumentsOf({ pages, faq }: Content): SearchDocument[] {
  return [
    ...pages.map(({ slug, title, headings, sections }) => ({
      kind: 'doc' as const,
      key: slug,
      title,
      headings: headings.map(({ text }) => text),
      body: textOf(sections),
    })),
    ...faq.map(({ id, question, category, sections }) => ({
      kind: 'faq' as const,
      key: id,
      title: question,
      headings: [category],
      body: textOf(sections),
    })),
  ];
}

function textOf(sections: readonly Section[]): string {
  return sections.map(({ text }) => text).join('\n');
}
