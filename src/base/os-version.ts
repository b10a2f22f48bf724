/** Versions of operating systems, and what is particular about macOS's: two numberings, a gap, and names. */

/** One to three numbers, such as `[14, 5]` for `14.5` (white space around it is allowed), or null for anything else. */
export function parseOsVersion(text: string): readonly number[] | null {
  const version = text.trim();
  return /^\d{1,3}(\.\d{1,3}){0,2}$/.test(version) ? version.split('.').map(Number) : null;
}

/** Below 0, 0 or above 0, by the numbers; a missing one is 0, so that 14 equals 14.0.0. */
export function compareOsVersions(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < 3; at += 1) {
    const order = (a[at] ?? 0) - (b[at] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** What Apple calls a version of macOS, or null when it has no name that is known here. */
export function macosName([major = 0, minor = 0]: readonly number[]): string | null {
  return (major === 10 ? namesOf10[minor] : names.get(major)) ?? null;
}

/** Returns a version of macOS with its name, such as `macOS 14.0 (Sonoma)`. */
export function formatMacos(version: readonly number[]): string {
  const name = macosName(version);
  return `macOS ${version.join('.')}${name === null ? '' : ` (${name})`}`;
}

/** The version that a name stands for, such as `[14, 0]` for `Sonoma`, in any case; null when there is none. */
export function macosNamed(name: string): readonly number[] | null {
  const wanted = name.trim().toLowerCase();
  const minor = namesOf10.findIndex((known) => known.toLowerCase() === wanted);
  if (minor !== -1) return [10, minor];
  for (const [major, known] of names) if (known.toLowerCase() === wanted) return [major, 0];
  return null;
}

/**
 * The version of macOS that is meant. A program built with an older SDK is told 16 on macOS 26 and 10.16 on macOS 11.
 * Null for one that never existed: macOS 15 was followed by 26, and 10.15 by 11.
 */
export function interpretMacos(version: readonly number[]): readonly number[] | null {
  const [major = 0, minor = 0] = version;
  if (major === 16) return [26, ...version.slice(1)];
  if (major === 10 && minor === 16) return [11, 0];
  return (major > 16 && major < 26) || (major === 10 && minor > 16) ? null : version;
}

/** The versions of macOS that somebody may still use, newest first. */
export const macosVersions = (): { readonly version: string; readonly name: string }[] => [
  ...[...names].map(([major, name]) => ({ version: String(major), name })).toReversed(),
  ...namesOf10
    .map((name, minor) => ({ version: `10.${minor}`, name }))
    .slice(-3)
    .toReversed(),
];

const namesOf10 = [
  'Cheetah',
  'Puma',
  'Jaguar',
  'Panther',
  'Tiger',
  'Leopard',
  'Snow Leopard',
  'Lion',
  'Mountain Lion',
  'Mavericks',
  'Yosemite',
  'El Capitan',
  'Sierra',
  'High Sierra',
  'Mojave',
  'Catalina',
];

const names = new Map([
  [11, 'Big Sur'],
  [12, 'Monterey'],
  [13, 'Ventura'],
  [14, 'Sonoma'],
  [15, 'Sequoia'],
  [26, 'Tahoe'],
  [27, 'Golden Gate'],
]);
