/** What a search index is made from: documents, each cut into sections at its headings. */

/** The kinds of documents, by the `object` of what they lead to. */
export const kinds = ['doc', 'faq', 'release', 'feature', 'plan', 'requirements', 'reference'] as const;
export type Kind = (typeof kinds)[number];

export interface SearchDocument {
  readonly kind: Kind;
  /** Unique within its kind: a page's slug, an entry's id. */
  readonly key: string;
  /** As results show it. */
  readonly title: string;
  /**
   * What the title is indexed as: `page` names all sections; `heading` is the heading of the first one, as a question
   * of an FAQ is.
   */
  readonly titleIs: 'page' | 'heading';
  /** For what stands on a page with others: the page's title, by which it is found too. */
  readonly topic?: string;
  /** At least one. */
  readonly sections: readonly SearchSection[];
}

export interface SearchSection {
  /** Null for the introduction. */
  readonly heading: string | null;
  /** The heading's anchor in the page. */
  readonly anchor: string | null;
  /** The headings above this one, or a category. */
  readonly parents: readonly string[];
  /** Paragraphs, list items and table rows, one a line; the first one is the lead. */
  readonly text: string;
  /** A text that is still to be read, in place of `text`: whoever builds the index reads it, where it holds up nobody. */
  readonly markdown?: string;
  /** Blocks of code, one after the other. */
  readonly code: string;
  /** What people type for it instead of its words: it is found by them, and they are shown nowhere. */
  readonly keywords?: readonly string[];
  /** The share of `text` that is the text of links, 0 to 1. */
  readonly linkShare: number;
}

/** Markdown has to be read before it is indexed; a hostile text takes ten times as long as others. */
const markdownFactor = 10;

/** How many characters of plain text would take as long to index. */
export const charactersOf = ({ sections }: SearchDocument): number =>
  sections.reduce((sum, { text, code, markdown = '', keywords = [] }) => {
    const typed = keywords.reduce((length, keyword) => length + keyword.length, 0);
    return sum + text.length + code.length + typed + markdownFactor * markdown.length + 100;
  }, 0);
