/** What a word is: where words stand in a text, and how a word is folded. */

/** A text is scanned by code units; the end is exclusive. `spaceless`: cut out of a run written without spaces. */
export type VisitWord = (start: number, end: number, spaceless: boolean) => void;

/**
 * Visits every word of `text` in order: runs of letters, digits and marks. Runs in scripts that put no spaces between
 * words are cut by a dictionary (Unicode's word boundaries). Any string is safe, lone surrogates included.
 */
export function eachWord(text: string, visit: VisitWord): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const start = at;
    let kind = kindAt(text, at);
    at += kind & wide ? 2 : 1;
    if ((kind & (wordKind | spacelessKind)) === 0) continue;
    let spaceless = kind & spacelessKind;
    while (at < length) {
      kind = kindAt(text, at);
      if (kind & noKind) break;
      spaceless |= kind & spacelessKind;
      at += kind & wide ? 2 : 1;
    }
    if (spaceless !== 0) eachSegment(text, start, at, visit);
    else visit(start, at, false);
  }
}

/** A word in lower case, without the diacritics of Latin, Greek and Cyrillic; '' when nothing is left. */
export function fold(word: string): string {
  if (plain.test(word)) return word.toLowerCase();
  return word.toLowerCase().normalize('NFKD').replace(diacritics, '').normalize('NFC').replace(notWord, '');
}

const plain = /^[A-Za-z0-9]+$/;
const diacritics = /[\u0300-\u036f]+/g;
const notWord = /[^\p{L}\p{N}\p{M}]+/gu;

const noKind = 1;
const wordKind = 2;
const spacelessKind = 4;
/** A mark continues a word and starts none. */
const markKind = 8;
/** Added to the kind of a character that takes two code units. */
const wide = 16;

/** By code unit, found when first met; 0 is not known yet. */
const kinds = new Uint8Array(65_536);

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return kinds[unit] || learnKind(unit, text.codePointAt(at) ?? unit);
}

function learnKind(unit: number, point: number): number {
  const kind = classify(String.fromCodePoint(point));
  if (point !== unit) return kind | wide;
  if (unit < 0xd800 || unit > 0xdfff) kinds[unit] = kind;
  return kind;
}

const letterOrDigit = /[\p{L}\p{N}]/u;
const spacelessScript =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const mark = /[\p{Mn}\p{Mc}]/u;
/** Variation selectors and the like: they shape emoji and belong to no word. */
const ignorable = /\p{Default_Ignorable_Code_Point}/u;

function classify(character: string): number {
  if (letterOrDigit.test(character)) return spacelessScript.test(character) ? spacelessKind : wordKind;
  return mark.test(character) && !ignorable.test(character) ? markKind : noKind;
}

/** The locale is fixed so that every machine cuts alike; the dictionaries go by script. Made when a text needs it. */
let segmenter: Intl.Segmenter | null = null;

function eachSegment(text: string, start: number, end: number, visit: VisitWord): void {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  for (const { segment, index } of segmenter.segment(text.slice(start, end))) {
    visit(start + index, start + index + segment.length, true);
  }
}
