/** Finds the words of a text, and folds a word to the form that is compared. */

/**
 * A run of letters, digits and marks, which begins with a letter or a digit. Variation selectors and the like, which shape emoji,
 * end it.
 */
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}[[\p{Mn}\p{Mc}]--\p{Default_Ignorable_Code_Point}]]*/gv;

/** A letter or a digit of a script that puts no spaces between words. */
const spacelessLetter =
  /[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]/v;

/** Finds word boundaries by dictionary; the locale is fixed so that every machine cuts alike. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * Visits every word of `text` in order. Runs in scripts that put no spaces between words are cut by a dictionary (Unicode's word
 * boundaries). Any string is safe, lone surrogates included. `visit` gets the offsets in UTF-16 units; the end is exclusive.
 */
export function visitWords(text: string, visit: (start: number, end: number) => void): void {
  const mayLackSpaces = spacelessLetter.test(text);
  for (const { 0: word, index: start } of text.matchAll(wordPattern)) {
    if (!mayLackSpaces || !spacelessLetter.test(word)) visit(start, start + word.length);
    else for (const { segment, index } of segmenter.segment(word)) visit(start + index, start + index + segment.length);
  }
}

/** Returns a word in lower case, without the diacritics of Latin, Greek and Cyrillic and without punctuation; '' if none is left. */
export function fold(word: string): string {
  if (plain.test(word)) return word.toLowerCase();
  return word.toLowerCase().normalize('NFKD').replace(diacritics, '').normalize('NFC').replace(notWord, '');
}

/** Returns the folded words of a text in their order, without those of which folding leaves nothing. */
export function foldWords(text: string): string[] {
  const words: string[] = [];
  visitWords(text, (start, end) => words.push(fold(text.slice(start, end))));
  return words.filter((word) => word !== '');
}

const plain = /^[A-Za-z0-9]+$/;
const diacritics = /[\u0300-\u036f]+/g;
const notWord = /[^\p{L}\p{N}\p{M}]+/gu;
