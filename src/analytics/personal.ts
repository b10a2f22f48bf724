/** What a search must not have to be counted: whatever looks like an email address, a token or a number of somebody's. */

/** Looked for in the query as it was typed, since case tells a token from words. */
export function looksPersonal(query: string): boolean {
  const text = query.normalize('NFKC');
  return (
    [...text].length > mostCharacters ||
    countOf(text, /\p{N}/gu) > mostDigits ||
    countOf(text, /\p{Ll}\p{Lu}/gu) > mostCapitals ||
    patterns.some((pattern) => pattern.test(text))
  );
}

/** What is longer was pasted. */
const mostCharacters = 100;
/** Two versions have no more; a telephone number does. */
const mostDigits = 6;
/** Capitals inside words: names in code have a few. */
const mostCapitals = 4;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

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
