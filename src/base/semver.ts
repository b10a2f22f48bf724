/** Orders versions as semantic versioning does (https://semver.org, section 11), for sources that have no build number. */

/**
 * Compares two versions: numbers part by part, where a missing part is 0; then a version with a prerelease before the one without;
 * then the prereleases, part by part. A leading `v` and what follows `+` do not count. A text that does not begin with a number is
 * a prerelease of 0, and an empty one is 0.
 *
 * @returns below 0 if `a` is older, 0 if they are equal, above 0 if `a` is newer
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  const order = compareNumbers(left.numbers, right.numbers);
  if (order !== 0) return order;
  if (left.prerelease.length === 0 || right.prerelease.length === 0)
    return right.prerelease.length - left.prerelease.length;
  return comparePrereleases(left.prerelease, right.prerelease);
}

/** Compares two lists of numbers place by place: below 0, 0 or above 0. A missing number is 0, so that 14 equals 14.0.0. */
export function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let place = 0; place < Math.max(a.length, b.length); place += 1) {
    const order = (a[place] ?? 0) - (b[place] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * Returns a version without that in which two spellings of it may differ: a leading `v`, zeros before a number, parts that are 0 at
 * the end of its numbers, and what follows `+`. `v2.0.0+5` and `2.0` are both `2`, `2.0-beta` is `2-beta`, and `0.0` is `0`. A text
 * that does not begin with a number is only trimmed.
 */
export function normalizeVersion(version: string): string {
  const { numbers, prerelease } = parse(version);
  if (numbers.length === 0) return version.trim();
  const last = numbers.findLastIndex((number) => number !== 0);
  const core = numbers.slice(0, Math.max(last, 0) + 1).join('.');
  return prerelease.length === 0 ? core : `${core}-${prerelease.join('.')}`;
}

function parse(version: string): { numbers: number[]; prerelease: string[] } {
  const [, core = '', rest = ''] = /^v?(\d+(?:\.\d+)*)?(.*)$/is.exec(version.trim().replace(/\+.*$/s, '')) ?? [];
  const prerelease = rest.replace(/^[-.]/, '');
  return {
    numbers: core === '' ? [] : core.split('.').map(Number),
    prerelease: prerelease === '' ? [] : prerelease.split('.'),
  };
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (let place = 0; place < Math.max(a.length, b.length); place += 1) {
    const [left, right] = [a[place], b[place]];
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    if (left === right) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
    if (isNumber && isOtherNumber) return Number(left) - Number(right);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return 0;
}
