/** Defines the input of a search index: documents, each cut into sections at its headings. */

/** The kinds of documents, by the `object` of what they lead to. */
export const kinds = ['doc', 'faq', 'release', 'feature', 'plan', 'requirements', 'reference'] as const;
/** The kind of a document: one of `kinds`. */
export type Kind = (typeof kinds)[number];

/** A page, an FAQ entry, a release, or anything else that search finds. */
export interface SearchDocument {
  readonly kind: Kind;
  /** The name of the document, which no other of its kind has: a page's slug or an entry's ID. */
  readonly key: string;
  /** The title in results. */
  readonly title: string;
  /**
   * The field that the title is indexed in: `page` for a title of all sections, `heading` for the heading of the first one, such
   * as the question of an FAQ entry.
   */
  readonly titleIs: 'page' | 'heading';
  /** The title of the page that the document shares with others. It also finds the document, unless `titleIs` is `page`. */
  readonly topic?: string;
  /** One section or more. */
  readonly sections: readonly SearchSection[];
}

/** The text below one heading. */
export interface SearchSection {
  /** The heading, or null for the introduction. */
  readonly heading: string | null;
  /** The heading's anchor in the page, or null for an introduction and for a heading without one. */
  readonly anchor: string | null;
  /** The headings above this one, or a category. */
  readonly parents: readonly string[];
  /** Paragraphs, list items and table rows, one a line, with the marks of `base/plain-text.ts`; the first line is the lead. */
  readonly text: string;
  /** Markdown in place of `text`. It is parsed by whoever builds the index, in a worker if the documents are many. */
  readonly markdown?: string;
  /** Blocks of code, one after the other. */
  readonly code: string;
  /** The words that people type instead of the section's own: search finds the section by them, and no result shows them. */
  readonly keywords?: readonly string[];
  /** The share of `text` that is the text of links, 0 to 1. */
  readonly linkShare: number;
}

/** Factor of the time for Markdown, which is parsed before it is indexed: a hostile text takes ten times as long as others. */
const markdownFactor = 10;

/** Returns the number of characters of plain text that would take as long to index as the document. */
export const countCharacters = ({ sections }: SearchDocument): number =>
  sections.reduce((sum, { text, code, markdown = '', keywords = [] }) => {
    const typedLength = keywords.reduce((length, keyword) => length + keyword.length, 0);
    return sum + text.length + code.length + typedLength + markdownFactor * markdown.length + 100;
  }, 0);
