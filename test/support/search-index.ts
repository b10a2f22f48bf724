/** Builds search indexes for tests from documents that a test writes in one line each. */
import { toPlainText } from '../../src/markdown/markdown.ts';
import { buildIndex } from '../../src/search/build.ts';
import type { Kind, SearchDocument, SearchSection } from '../../src/search/document.ts';
import { collectSynonyms, createStemmer } from '../../src/search/language.ts';
import { openIndex, type SearchIndex } from '../../src/search/search.ts';

/** Returns a section of a document, whose anchor is the heading in lower case with hyphens. Without a heading, it is an introduction. */
export function createSection(
  heading: string | null,
  text: string,
  fields: Partial<SearchSection> = {},
): SearchSection {
  const anchor = heading === null ? null : heading.toLowerCase().replaceAll(' ', '-');
  return { heading, anchor, parents: [], text, code: '', linkShare: 0, ...fields };
}

/** Returns a page as a document. A section that is a text is its introduction. */
export function createPage(key: string, title: string, ...sections: (string | SearchSection)[]): SearchDocument {
  return createDocument('doc', key, title, ...sections);
}

/** Returns an entry of the FAQ as a document with one section, an introduction with `text` and the parent `category`. */
export function createFaqEntry(key: string, title: string, text: string, category = 'Other'): SearchDocument {
  const introduction = createSection(null, text, { parents: [category] });
  return { kind: 'faq', key, title, titleIs: 'heading', sections: [introduction] };
}

/** Returns a document with these sections. A section that is a text is its introduction. */
export function createDocument(
  kind: Kind,
  key: string,
  title: string,
  ...sections: (string | SearchSection)[]
): SearchDocument {
  const documentSections = sections.map((part) => (typeof part === 'string' ? createSection(null, part) : part));
  return { kind, key, title, titleIs: 'page', sections: documentSections };
}

/** Settings of an index. */
export interface IndexSettings {
  /** The language of the documents. @defaultValue en */
  readonly language?: string;
  /** Groups of words with one meaning, in addition to the built-in ones. */
  readonly synonyms?: readonly (readonly string[])[];
  /** Whether the built-in synonyms are left out. @defaultValue false */
  readonly omitsBuiltInSynonyms?: boolean;
}

/** Builds an index of documents. */
export function createIndex(documents: readonly SearchDocument[], settings: IndexSettings = {}): SearchIndex {
  const { language = 'en', synonyms = [], omitsBuiltInSynonyms = false } = settings;
  const stem = createStemmer(language);
  const synonymGroups = omitsBuiltInSynonyms ? synonyms : collectSynonyms(language, synonyms);
  return openIndex(buildIndex(documents, { stem, synonyms: synonymGroups, toPlainText }), stem);
}
