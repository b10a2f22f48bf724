/** Writes texts in the language of the content: its direction, its quotation marks, and its words as markup. */
import { type html, raw } from 'hono/html';
import { findQuotes, replaceQuotes } from '../markdown/quotes.ts';
import type { Markup } from './components/attributes.ts';
import type { Site } from './site.ts';

/** Returns a text of the content with the quotation marks and apostrophes of its language, unchanged if `findQuotes` has none. */
export const typeset = (site: Site, text: string): string => replaceQuotes(text, findQuotes(site.language));

/**
 * Returns `ltr` or `rtl`: the direction of the script that the tag names, or that its language is usually written in. Throws a
 * RangeError for what is no BCP 47 tag.
 */
export const findDirection = (language: string): string => new Intl.Locale(language).getTextInfo().direction ?? 'ltr';

/** Returns the parts of a word, which a template escapes, with markup in place of each `{name}`. Names without a value stay as they are. */
export const fillHtml = (
  word: string,
  values: Readonly<Record<string, ReturnType<typeof html>>>,
): (Markup | string)[] =>
  word.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)));

/**
 * Returns the attributes `lang` and `dir`, each after a space, of an English text on a page in another language; '' if the site is
 * in English of any region, such as `en-GB`.
 */
export const markEnglish = (site: Pick<Site, 'language'>): Markup | '' =>
  /^en\b/i.test(site.language) ? '' : raw(' lang="en" dir="ltr"');

/** Returns the word for a yes or a no. */
export const writeYesOrNo = ({ words }: Site, value: boolean): string => (value ? words.yes : words.no);

/** Returns a text in the quotation marks of the site's language, or in “ and ” if `findQuotes` has none. */
export function quote(site: Pick<Site, 'language'>, text: string): string {
  const [open = '“', close = '”'] = findQuotes(site.language) ?? '';
  return `${open}${text}${close}`;
}
