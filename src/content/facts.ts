/** Formats facts for people in the language of the folder: days, numbers, sizes, processors, prices, lists. */
import { anyVersion, formatVersion, parseVersion } from '../base/systems.ts';
import type { Price } from './fact-schemas.ts';
import { fillWords, type Words } from './words.ts';

/** The language of a folder as a BCP 47 tag, and the words of its site in that language. */
export interface Wording {
  readonly language: string;
  readonly words: Words;
}

/**
 * Returns the product’s name in lower-case words joined by hyphens, as programs name it in their configuration. Only digits and the
 * letters `a` to `z` stay, so that `é` ends a word; a name without any becomes `product`.
 */
export const toSlug = (name: string): string => (name.toLowerCase().match(/[a-z0-9]+/g) ?? ['product']).join('-');

/** Returns the language and the words of a folder's content. */
export const getWording = ({ product, words }: { product: { language: string }; words: Words }): Wording => ({
  language: product.language,
  words,
});

/**
 * Returns a function that creates the formatter of a language when it is first asked for and keeps it, because creating one takes
 * longer than the page that needs it. The formatter of `en` is created for `en-GB`.
 */
function cacheByLanguage<T>(create: (locale: string) => T): (language: string) => T {
  const formatters = new Map<string, T>();
  return (language) => {
    // `en` alone would give the forms of the United States; those of en-GB, such as 27 October 2026, are clear to all readers.
    const locale = language === 'en' ? 'en-GB' : language;
    const formatter = formatters.get(locale) ?? create(locale);
    formatters.set(locale, formatter);
    return formatter;
  };
}

const cacheNumbers = (digits: number, unit?: 'kilobyte' | 'megabyte' | 'gigabyte') => {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return cacheByLanguage(
    (locale) => new Intl.NumberFormat(locale, unit ? { ...options, style: 'unit', unit } : options),
  );
};
const cacheLists = (type: 'conjunction' | 'disjunction') =>
  cacheByLanguage((locale) => new Intl.ListFormat(locale, { type }));

const days = cacheByLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }));
const integers = cacheNumbers(0);
const amounts = cacheNumbers(2);
const conjunctions = cacheLists('conjunction');
const disjunctions = cacheLists('disjunction');
const kilobytes = cacheNumbers(0, 'kilobyte');
const megabytes = cacheNumbers(1, 'megabyte');
const gigabytes = cacheNumbers(1, 'gigabyte');
const wholeMegabytes = cacheNumbers(0, 'megabyte');
const wholeGigabytes = cacheNumbers(0, 'gigabyte');

/** Loads the tables that days, sizes and numbers are formatted with, because their first use in a language takes longer than a page. */
export function loadLanguage(language: string): void {
  dayInWords('2000-01-01', language);
  writeSize(1, language);
  numberInWords(1, language);
}

/**
 * Formats `2026-10-27`, a day that exists, as "27 October 2026", or as the language writes it. Other texts throw a RangeError or
 * become another day: `2026-02-31` is 3 March, and `2026-10` is 1 October.
 */
export const dayInWords = (day: string, language = 'en'): string => days(language).format(new Date(`${day}T00:00:00Z`));

/** Formats 1200 as "1,200", or as the language writes it; rounds to a whole number. */
export const numberInWords = (value: number, language: string): string => integers(language).format(value);

/** Formats bytes as "1.2 GB", "180.4 MB" or "12 kB", at least "1 kB": in decimal units, in which disks and downloads are sold. */
export function writeSize(bytes: number, language: string): string {
  if (bytes >= 1e9) return gigabytes(language).format(bytes / 1e9);
  if (bytes >= 1e6) return megabytes(language).format(bytes / 1e6);
  return kilobytes(language).format(Math.max(1, Math.round(bytes / 1e3)));
}

/** Formats megabytes as "1,200 MB". */
export const writeDiskSpace = (megabytes: number, language: string): string =>
  wholeMegabytes(language).format(megabytes);

/** Formats megabytes of memory as "1,200 MB", or as "8 GB" for a whole number of gibibytes. */
export const writeMemory = (megabytes: number, language: string): string =>
  megabytes >= 1024 && megabytes % 1024 === 0
    ? wholeGigabytes(language).format(megabytes / 1024)
    : writeDiskSpace(megabytes, language);

/** Joins items as "a, b and c", or as the language does; '' for no items. */
export const listInLanguage = (items: readonly string[], language: string): string =>
  conjunctions(language).format(items);

/** Joins items as "a, b or c", or as the language does; '' for no items. */
export const writeChoice = (items: readonly string[], language: string): string => disjunctions(language).format(items);

/**
 * Returns the processors of macOS as in "Intel or Apple silicon", those of other systems as in "x86_64 or arm64"; `universal`
 * stands for both, and no processor gives ''.
 */
export function writeProcessors(os: string, archs: readonly string[], { language, words }: Wording): string {
  const names: Record<string, string> = os === 'macOS' ? { arm64: words.apple_silicon, x86_64: 'Intel' } : {};
  return writeChoice(
    archs.flatMap((arch) => (arch === 'universal' ? ['arm64', 'x86_64'] : [arch])).map((arch) => names[arch] ?? arch),
    language,
  );
}

/** A range of versions of a system, with null for a bound that nobody states. */
export interface SystemRange {
  readonly os: string;
  readonly osVersion: string | null;
  readonly maximumOsVersion: string | null;
}

/**
 * Formats a range of versions: "macOS 13.0 or later", "macOS 10.13 to 12.4", "Windows 10, version 1809 (build 17763) or later".
 * Without a minimum, or with `anyVersion` as the minimum, it is only the system, such as "Linux", even with a maximum.
 */
export function writeSystemRange({ os, osVersion, maximumOsVersion }: SystemRange, words: Words): string {
  const nameVersion = (version: string): string =>
    os === 'Windows' ? formatVersion('Windows', parseVersion('Windows', version) ?? []) : `${os} ${version}`;
  if (osVersion === null || osVersion === anyVersion) return os;
  if (maximumOsVersion === null) return fillWords(words.or_later, { system: nameVersion(osVersion) });
  const version = os === 'Windows' ? nameVersion(maximumOsVersion) : maximumOsVersion;
  return fillWords(words.from_to, { system: nameVersion(osVersion), version });
}

/**
 * Joins short facts by middle dots, as in "a · b", without those that are false or ''. Where the line breaks, a dot stays with the
 * fact before it.
 */
export const joinFacts = (facts: readonly (string | false)[]): string =>
  facts.filter((fact) => fact !== false && fact !== '').join('\u00a0· ');

/** Formats an identifier such as `privacy-policy` as "Privacy policy". */
export function spellName(identifier: string): string {
  const words = identifier.replaceAll(/[-_]+/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Formats a price without its period, with two decimals unless the amount is whole: "29 USD", "4.50 EUR". */
export const writeAmount = (amount: number, currency: string, language: string): string =>
  `${(Number.isInteger(amount) ? integers : amounts)(language).format(amount)} ${currency}`;

/** Returns the terms of a price, such as "once" or "per seat per year"; empty if nothing is charged. */
export function describeTerms({ amount, interval, unit }: Price, words: Words): string {
  if (amount === 0) return '';
  const periods = { once: words.once, month: words.per_month, year: words.per_year };
  return [unit === null ? '' : fillWords(words.per_unit, { unit }), interval === null ? '' : periods[interval]]
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns every price of a plan, the main one first. */
export const listPrices = ({
  price,
  prices = [],
}: {
  price: Price;
  prices?: readonly Price[] | undefined;
}): Price[] => [price, ...prices];

/** Formats a price with its currency, unit and period: "24 USD per seat per year", or only "0 USD" if nothing is charged. */
export const writePrice = (price: Price, { language, words }: Wording): string =>
  `${writeAmount(price.amount, price.currency, language)} ${describeTerms(price, words)}`.trim();
