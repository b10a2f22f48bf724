/** The language of the content, as a page needs it: its tag, its direction, and its words. */
import { type html, raw } from 'hono/html';
import { type Wording, wordingOf as wordingOfContent } from '../content/facts.ts';
import type { Words } from '../content/words.ts';
import { quotesOf, withQuotes } from '../markdown/quotes.ts';
import type { Site } from './site.ts';

export const languageOf = (site: Site): string => site.catalog.content.product.language;

export const wordsOf = (site: Site): Words => site.catalog.content.words;

export const wordingOf = (site: Site): Wording => wordingOfContent(site.catalog.content);

/** A text of the content with the quotation marks and apostrophes of its language. */
export const typeset = (site: Site, text: string): string => withQuotes(text, quotesOf(languageOf(site)));

/** Returns the direction of the script that the tag names, or that its language is usually written in. */
export const directionOf = (language: string): string => new Intl.Locale(language).getTextInfo().direction ?? 'ltr';

/** `{name}` in a word as markup, the rest as text. */
export const filledHtml = (word: string, values: Readonly<Record<string, ReturnType<typeof html>>>) =>
  word.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : (values[part] ?? `{${part}}`)));

/** The attributes of a text that is English whatever the language of the site is. */
export const englishIn = (site: Site) => (/^en\b/i.test(languageOf(site)) ? '' : raw(' lang="en" dir="ltr"'));

/** A text in the quotation marks of the language. */
export function quoted(site: Site, text: string): string {
  const [open = '“', close = '”'] = quotesOf(languageOf(site)) ?? '';
  return `${open}${text}${close}`;
}
