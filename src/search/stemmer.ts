/** The stemmer of a language: what makes one term of the forms of a word. */
import { createRequire } from 'node:module';
import { stemmer as english } from '@orama/stemmers/english';

/** A folded word's stem. */
export type Stem = (folded: string) => string;

/** The library's names for languages by their ISO 639 codes; the words of any other are searched as they stand. */
const names: ReadonlyMap<string, string> = new Map(
  `ar arabic, bg bulgarian, da danish, de german, el greek, es spanish, fi finnish, fr french, ga irish, hu hungarian,
hy armenian, id indonesian, it italian, lt lithuanian, nb norwegian, ne nepali, nl dutch, no norwegian, pt portuguese,
ro romanian, ru russian, sr serbian, sv swedish, ta tamil, tr turkish, uk ukrainian`
    .split(/,\s/)
    .map((pair) => [pair.slice(0, 2), pair.slice(3)]),
);

const load = createRequire(import.meta.url);

/** `language`: a BCP 47 tag such as `en` or `de-CH`. Loads what it needs when asked. */
export function stemmerFor(language: string): Stem {
  const code = new Intl.Locale(language).language;
  const name = names.get(code);
  if (code !== 'en' && name === undefined) return (folded) => folded;
  const { stemmer }: { stemmer: Stem } = name === undefined ? { stemmer: english } : load(`@orama/stemmers/${name}`);
  return (folded) => (stemmable.test(folded) ? stemmer(folded) : folded);
}

/** Letters only: a version or an identifier has one form. */
const stemmable = /^[\p{L}\p{M}]{3,64}$/u;
