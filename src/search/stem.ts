/** English stems by Porter's algorithm ("An algorithm for suffix stripping", 1980), with his later `bli` and `logi`. */

/** The stem of a word of lower-case letters a to z; a word of one or two letters is its own stem. */
export function stem(word: string): string {
  if (word.length < 3) return word;
  let text = plural(word);
  text = pastAndGerund(text);
  if (text.endsWith('y') && hasVowel(text.slice(0, -1))) text = `${text.slice(0, -1)}i`;
  text = replaceLongest(text, doubleSuffixes);
  text = replaceLongest(text, lesserSuffixes);
  text = dropLongest(text);
  return tidy(text);
}

/** Step 1a. */
function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** Step 1b. */
function pastAndGerund(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  const base = word.slice(0, word.length - cut);
  if (cut === 0 || !hasVowel(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (endsInDouble(base) && !/[lsz]$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && endsInShortSyllable(base) ? `${base}e` : base;
}

type Replacement = readonly [suffix: string, by: string];

/** Step 2. Of two suffixes that fit, the longer stands first. */
const doubleSuffixes: readonly Replacement[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];

/** Step 3. */
const lesserSuffixes: readonly Replacement[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

/** Step 4. */
const droppedSuffixes =
  /(?:al|ance|ence|er|ic|able|ible|ant|ement|(?<!e)ment|(?<!m)ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/;

function replaceLongest(word: string, replacements: readonly Replacement[]): string {
  const found = replacements.find(([suffix]) => word.endsWith(suffix));
  if (found === undefined) return word;
  const base = word.slice(0, -found[0].length);
  return measure(base) > 0 ? base + found[1] : word;
}

function dropLongest(word: string): string {
  const at = word.search(droppedSuffixes);
  if (at === -1) return word;
  const base = word.slice(0, at);
  return measure(base) > 1 ? base : word;
}

/** Step 5. */
function tidy(word: string): string {
  let text = word;
  if (text.endsWith('e')) {
    const base = text.slice(0, -1);
    const size = measure(base);
    if (size > 1 || (size === 1 && !endsInShortSyllable(base))) text = base;
  }
  return text.endsWith('ll') && measure(text.slice(0, -1)) > 1 ? text.slice(0, -1) : text;
}

/** `y` is a vowel after a consonant. */
function isVowel(text: string, at: number): boolean {
  const letter = text[at];
  if (letter === 'y') return at > 0 && !isVowel(text, at - 1);
  return letter === 'a' || letter === 'e' || letter === 'i' || letter === 'o' || letter === 'u';
}

function hasVowel(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (isVowel(text, at)) return true;
  return false;
}

/** Porter's m: how often a consonant follows a vowel. */
function measure(text: string): number {
  let count = 0;
  let before = false;
  for (let at = 0; at < text.length; at += 1) {
    const vowel = isVowel(text, at);
    if (before && !vowel) count += 1;
    before = vowel;
  }
  return count;
}

function endsInDouble(text: string): boolean {
  const last = text.length - 1;
  return last > 0 && text[last] === text[last - 1] && !isVowel(text, last);
}

/** Consonant, vowel, consonant, where the last is none of w, x and y. */
function endsInShortSyllable(text: string): boolean {
  const last = text.length - 1;
  return (
    last > 1 && !isVowel(text, last) && isVowel(text, last - 1) && !isVowel(text, last - 2) && !/[wxy]$/.test(text)
  );
}
