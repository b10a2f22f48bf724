/** Recognizes queries that may be personal data, such as an email address, a token or a telephone number. */

/**
 * Returns whether a query may be personal data, such as an email address, a URL, a token or a telephone number, or is so long that
 * it was pasted. The query has to be as it was typed: some tokens are recognized by their capitals.
 */
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
  // Matches an email address or the name of an account.
  /\S@\S/,
  // Matches a URL, which may contain an account or a key.
  /:\/\//,
  // The next three match four digits in a row, an IP address, and a query with digits and no letter.
  /\p{N}{4}/u,
  /\p{N}[.:]\p{N}{1,3}[.:]\p{N}{1,3}[.:]\p{N}/u,
  /^[^\p{L}]*\p{N}[^\p{L}]*$/u,
  // Matches a word in which letters and digits alternate at least three times, as in a key.
  /\p{L}\p{N}+\p{L}+\p{N}|\p{N}\p{L}+\p{N}+\p{L}/u,
  // Matches 25 characters without a space, which are more likely a key than a word.
  /[\w.~+/=-]{25}/,
  // Matches three groups of capitals and digits with hyphens between them, as license keys have.
  /[A-Z0-9]{4}-[A-Z0-9]{4,8}-[A-Z0-9]{4}/,
  // Matches the beginning of tokens of well-known services, such as `ghp_` of GitHub.
  /(?:^|[^\p{L}\p{N}])(?:[prs]k[-_]|gh[oprsu]_|glpat-|xox[a-z]-|npm_|pypi-|eyJ)[A-Za-z0-9]/u,
];
