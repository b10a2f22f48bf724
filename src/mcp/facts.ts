/** What MCP clients may read whole: pages and FAQ entries as texts, and what is known of the product as facts. */
import { docsSearch } from '../operations/docs.ts';
import { faqSearch } from '../operations/faq.ts';
import type { Operation } from '../operations/operation.ts';
import type { FactRecipe, TextRecipe } from './resources.ts';

export const docsTexts: TextRecipe = {
  servers: ['product', 'docs'],
  texts: docsSearch,
  entries: ({ catalog }) =>
    catalog.content.pages.map(({ slug, title, description, order, updated }) => ({
      key: slug,
      place: [order, slug],
      title,
      description,
      priority: 0.8,
      updated,
    })),
  template: {
    name: 'page',
    title: 'Documentation page',
    description: 'A documentation page as markdown, by its slug.',
  },
};

export const faqTexts: TextRecipe = {
  servers: ['docs'],
  texts: faqSearch,
  entries: ({ catalog }) =>
    catalog.content.faq.map(({ id, question, category }, index) => ({
      key: id,
      place: [index],
      title: question,
      description: `Frequently asked: ${category}.`,
      priority: 0.5,
    })),
  template: {
    name: 'faq-entry',
    title: 'FAQ entry',
    description: 'A frequently asked question and its answer as markdown, by its id.',
  },
};

/** The response of an operation without parameters. */
export const factOf = (fact: Operation): FactRecipe => ({ servers: ['product'], fact });
