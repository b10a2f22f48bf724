/** Typographic quotation marks and apostrophes, for what people read; code and the markdown of a page keep what was written. */
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

/** Returns the quotation marks for a BCP 47 tag, or null for a language without an entry. */
export const quotesOf = (language: string): string | null =>
  marksByLanguage[language.split('-')[0]?.toLowerCase() ?? ''] ?? null;

const typographer = new MarkdownIt({ typographer: true });
typographer.core.ruler.enableOnly(['smartquotes']);

/** Sets the marks in the texts of tokens. */
export function setQuotes(tokens: Token[], quotes: string): void {
  const state = new typographer.core.State('', typographer, {});
  state.tokens = tokens;
  typographer.options.quotes = quotes;
  typographer.core.process(state);
}

/** Sets the marks in a plain text, such as a title. */
export function withQuotes(text: string, quotes: string | null): string {
  if (quotes === null || !/["']/.test(text)) return text;
  const words = new typographer.core.State('', typographer, {});
  const [inline, only] = [new words.Token('inline', '', 0), new words.Token('text', '', 0)];
  inline.content = text;
  only.content = text;
  inline.children = [only];
  setQuotes([inline], quotes);
  return only.content;
}
