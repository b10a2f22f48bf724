/** Facts as a person reads them: days, sizes, processors, prices, lists. */
import { grouped } from '../base/amount-in-words.ts';
import { listInWords } from '../base/list-in-words.ts';
import type { Price } from '../content/fact-schemas.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-10-27` as "27 October 2026", or as the language writes it. Plain English takes the form that all its readers know. */
export function dayInWords(day: string, language = 'en'): string {
  const locale = language === 'en' ? 'en-GB' : language;
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  formats.set(locale, format);
  return format.format(new Date(`${day}T00:00:00Z`));
}

/** "180.4 MB", "1.2 GB"; of decimal units, as disks and downloads are sold. */
export function sizeInWords(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`;
}

/** "1,200 MB" for disk space; memory that is a whole number of gibibytes as "8 GB". */
export const memoryInWords = (megabytes: number): string =>
  megabytes >= 1024 && megabytes % 1024 === 0 ? `${megabytes / 1024} GB` : `${grouped(megabytes)} MB`;

/** "Apple silicon", "Intel or Apple silicon"; the plain names on another system than Apple's. */
export function processorsInWords(os: string, archs: readonly string[]): string {
  const names: Record<string, string> = os === 'macOS' ? { arm64: 'Apple silicon', x86_64: 'Intel' } : {};
  return listInWords(
    archs.flatMap((arch) => (arch === 'universal' ? ['arm64', 'x86_64'] : [arch])).map((arch) => names[arch] ?? arch),
    'or',
  );
}

/** Short facts on one line; a dot stays with the fact before it when the line breaks. */
export const factsInWords = (facts: readonly string[]): string => facts.join('\u00a0· ');

/** An identifier such as `privacy-policy` as "Privacy policy". */
export function nameInWords(identifier: string): string {
  const words = identifier.replaceAll(/[-_]+/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** A price without its period: "29 USD", "4.50 EUR". */
export function amountInWords(amount: number, currency: string): string {
  const [whole = '', cents] = (Number.isInteger(amount) ? String(amount) : amount.toFixed(2)).split('.');
  return `${grouped(Number(whole))}${cents === undefined ? '' : `.${cents}`} ${currency}`;
}

/** What an amount is charged for: "once", "per month", "per seat per year"; empty when nothing is charged. */
export function termsInWords({ amount, interval, unit }: Price): string {
  if (amount === 0) return '';
  const period = interval === null ? '' : { once: 'once', month: 'per month', year: 'per year' }[interval];
  return [unit === null ? '' : `per ${unit}`, period].filter((part) => part !== '').join(' ');
}
