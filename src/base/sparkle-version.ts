/** Orders versions as Sparkle's updater does (SUStandardVersionComparator.m). */
import { compareNumbers } from './semver.ts';

/**
 * Compares two versions: below 0 if `a` is older than `b`, 0 if they are equal, above 0 if `a` is newer.
 *
 * The rules, which are not SemVer's: everything from the first hyphen on is ignored, unless it is the first character; missing
 * `.0` parts of the leading number are filled in (14 = 14.0.0), and an empty text is 0; letters make a version older
 * (1.0b1 < 1.0); any separator equals any other.
 * A total order for versions as people write them; malformed ones (`1..0`) can compare in a circle, as in Sparkle.
 */
export function compareSparkleVersions(a: string, b: string): number {
  if (whole.test(a) && whole.test(b)) return Number(a) - Number(b);
  if (plain.test(a) && plain.test(b)) return compareNumbers(a.split('.').map(Number), b.split('.').map(Number));
  const left = split(a);
  const right = split(b);
  const leading = Math.max(countLeadingNumbers(left), countLeadingNumbers(right));
  fillIn(left, right, leading);
  fillIn(right, left, leading);
  const sharedLength = Math.min(left.length, right.length);
  for (let index = 0; index < sharedLength; index += 1) {
    const order = comparePieces(left[index], right[index]);
    if (order !== 0) return order;
  }
  if (left.length === right.length) return 0;
  const longer = left.length > right.length ? 1 : -1;
  const next = left[sharedLength] ?? right[sharedLength];
  return next?.kind === letters ? -longer : longer;
}

/** Matches a number, as most builds are: a feed of thousands of releases is sorted by them, so they are compared without more ado. */
const whole = /^[0-9]{1,15}$/;
/** Matches numbers with full stops between them, which nearly all other versions are. */
const plain = /^[0-9]{1,15}(?:\.[0-9]{1,15})*$/;

/** The kinds of piece, in the order in which one beats another at the same place. */
const letters = 0;
const hyphen = 1;
const separator = 2;
const digits = 3;

interface Piece {
  readonly kind: number;
  readonly text: string;
}

/** A run of digits, one separator, or a run of anything else; a hyphen can only be the first character. */
const pieces =
  /(?<digits>\p{Nd}+)|(?<hyphen>-)|(?<separator>[\p{P}\p{Zs}\t-\r\u0085\u2028\u2029])|[^\p{Nd}\p{P}\p{Zs}\t-\r\u0085\u2028\u2029]+/gu;

/** Splits a version, up to the first hyphen that is not the first character; an empty text has no pieces. */
const split = (version: string): Piece[] =>
  [...version.replace(/(?<=.)-.*/s, '').matchAll(pieces)].map(({ 0: text, groups = {} }) => ({
    kind: groups.digits ? digits : groups.hyphen ? hyphen : groups.separator ? separator : letters,
    text,
  }));

/** Returns how many pieces at the start are numbers and full stops. */
function countLeadingNumbers(pieces: readonly Piece[]): number {
  const end = pieces.findIndex(({ kind, text }) => kind !== digits && text !== '.');
  return end === -1 ? pieces.length : end;
}

/** Lengthens the numbers and full stops at the start of `pieces` to `length` pieces, each `0` where `other` has a number, otherwise `.`. */
function fillIn(pieces: Piece[], other: readonly Piece[], length: number): void {
  for (let index = countLeadingNumbers(pieces); index < length; index += 1) {
    const filler = other[index]?.kind === digits ? { kind: digits, text: '0' } : { kind: separator, text: '.' };
    pieces.splice(index, 0, filler);
  }
}

function comparePieces(a: Piece | undefined, b: Piece | undefined): number {
  if (a === undefined || b === undefined) return 0;
  if (a.kind !== b.kind) return a.kind - b.kind;
  if (a.kind === digits) return compareIntegers(a.text, b.text);
  if (a.kind === letters && a.text !== b.text) return a.text < b.text ? -1 : 1;
  return 0;
}

/** Sparkle reads numbers as signed 64-bit integers that saturate. */
const largest = 9_223_372_036_854_775_807n;

function compareIntegers(a: string, b: string): number {
  const left = parseInteger(a);
  const right = parseInteger(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function parseInteger(text: string): bigint | number {
  const ascii = /^[0-9]*/.exec(text)?.[0] ?? '';
  if (ascii.length < 16) return Number(ascii);
  // A number of more than 19 significant digits exceeds `largest`, so it is not converted, which would take long.
  const significant = ascii.replace(/^0+/, '');
  if (significant.length > 19) return largest;
  const value = BigInt(significant);
  return value > largest ? largest : value;
}
