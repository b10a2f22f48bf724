/** Typographic quotation marks and apostrophes, for what people read; code and the markdown of a page keep what was written. */
import MarkdownIt, { type Token } from 'markdown-it';

/** By language: the outer pair, then the inner one. A language that is not here keeps its marks as they are written. */
const byLanguage: Readonly<Record<string, string>> = {
  en: '“”‘’',
  de: '„“‚‘',
  es: '«»“”',
  it: '«»“”',
  nl: '“”‘’',
  pt: '“”‘’',
};

/** Of a BCP 47 tag; null where nothing is known. */
export const quotesOf = (language: string): string | null =>
  byLanguage[language.split('-')[0]?.toLowerCase() ?? ''] ?? null;

const typographer = new MarkdownIt({ typographer: true });
typographer.core.ruler.enableOnly(['smartquotes']);

/** In the texts of the tokens themselves. */
export function setQuotes(tokens: Token[], quotes: string): void {
  const state = new typographer.core.State('', typographer, {});
  state.tokens = tokens;
  typographer.options.quotes = quotes;
  typographer.core.process(state);
}

/** The same in a plain text, such as a title. */
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
