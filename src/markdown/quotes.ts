/** Typographic quotation marks and apostrophes in texts for people; code and the Markdown of a page stay as they were written. */
import MarkdownIt, { type Token } from 'markdown-it';

/** The outer pair of marks, then the inner one, by language; other languages keep what is written. */
const marksByLanguage: Readonly<Record<string, string>> = {
  en: '“”‘’',
  de: '„“‚‘',
  es: '«»“”',
  it: '«»“”',
  nl: '“”‘’',
  pt: '“”‘’',
};

/**
 * Returns the quotation marks for a BCP 47 tag as four characters, the outer pair before the inner one; null for a language without
 * an entry.
 */
export const findQuotes = (language: string): string | null =>
  marksByLanguage[language.split('-')[0]?.toLowerCase() ?? ''] ?? null;

const typographer = new MarkdownIt({ typographer: true });
typographer.core.ruler.enableOnly(['smartquotes']);

/**
 * Replaces straight quotation marks in the texts of inline tokens, in place, by those of `quotes`, as `findQuotes` lists them, and
 * apostrophes by ’.
 */
export function setQuotes(tokens: Token[], quotes: string): void {
  typographer.options.quotes = quotes;
  typographer.core.process(Object.assign(new typographer.core.State('', typographer, {}), { tokens }));
}

/** Returns a plain text, such as a title, with its straight marks replaced as `setQuotes` does; unchanged if `quotes` is null. */
export function replaceQuotes(content: string, quotes: string | null): string {
  if (quotes === null || !/["']/.test(content)) return content;
  const text = Object.assign(new MarkdownIt.Token('text', '', 0), { content });
  setQuotes([Object.assign(new MarkdownIt.Token('inline', '', 0), { content, children: [text] })], quotes);
  return text.content;
}
