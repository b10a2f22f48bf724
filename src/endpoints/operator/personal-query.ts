/** Tells queries that may be personal data, such as an email address, a token or a telephone number, from words. */

/** Returns whether a query looks like personal data. The query is the one that was typed, because case tells a token from words. */
export function looksPersonal(query: string): boolean {
  const text = query.normalize('NFKC');
  return (
    [...text].length > maxCharacters ||
    countMatches(text, /\p{N}/gu) > maxDigits ||
    countMatches(text, /\p{Ll}\p{Lu}/gu) > maxCapitals ||
    patterns.some((pattern) => pattern.test(text))
  );
}

/** Maximum length, in characters; a longer query was pasted. */
const maxCharacters = 100;
/** Maximum number of digits: two versions have no more, a telephone number does. */
const maxDigits = 6;
/** Maximum number of capitals inside words: names in code have a few. */
const maxCapitals = 4;

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const patterns: readonly RegExp[] = [
  // An email address or an account.
  /\S@\S/,
  // A URL, which may have either in it.
  /:\/\//,
  // Four digits in a row, an address of the network, or nothing but a number.
  /\p{N}{4}/u,
  /\p{N}[.:]\p{N}{1,3}[.:]\p{N}{1,3}[.:]\p{N}/u,
  /^[^\p{L}]*\p{N}[^\p{L}]*$/u,
  // Letters and digits that change three times within a word.
  /\p{L}\p{N}+\p{L}+\p{N}|\p{N}\p{L}+\p{N}+\p{L}/u,
  // A word that is too long for one.
  /[\w.~+/=-]{25}/,
  // Groups as license keys have them.
  /[A-Z0-9]{4}-[A-Z0-9]{4,8}-[A-Z0-9]{4}/,
  // How the tokens of well-known services begin.
  /(?:^|[^\p{L}\p{N}])(?:[prs]k[-_]|gh[oprsu]_|glpat-|xox[a-z]-|npm_|pypi-|eyJ)[A-Za-z0-9]/u,
];
