/** Versions of operating systems, and those of macOS with their two numberings, their gap and their names. */

/**
 * Returns the one to three numbers of a version, each of up to three digits, such as `[14, 5]` for `14.5` (white space around it is
 * allowed), or null for any other text.
 */
export function parseOsVersion(text: string): readonly number[] | null {
  const version = text.trim();
  return /^\d{1,3}(\.\d{1,3}){0,2}$/.test(version) ? version.split('.').map(Number) : null;
}

/** Returns Apple's name of a version of macOS, such as `Sonoma` for `[14, 5]`, or null if no name is known. */
export const findMacosName = ([major = 0, minor = 0]: readonly number[]): string | null =>
  macosNames.get(major === 10 ? `10.${minor}` : String(major)) ?? null;

/** Returns a version of macOS with all its numbers, and with its name if one is known: `macOS 14.0 (Sonoma)`, `macOS 14 (Sonoma)`. */
export function formatMacos(version: readonly number[]): string {
  const name = findMacosName(version);
  return `macOS ${version.join('.')}${name === null ? '' : ` (${name})`}`;
}

/** Returns the version that a name stands for, such as `[14, 0]` for `Sonoma`, in any case, or null if it is no name of macOS. */
export function parseMacosName(name: string): readonly number[] | null {
  const lowerName = name.trim().toLowerCase();
  for (const [version, title] of macosNames) {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (title.toLowerCase() === lowerName) return [major, minor];
  }
  return null;
}

/**
 * Returns the version of macOS that is meant: a program built with an older SDK is told 16 on macOS 26 and 10.16 on macOS 11. Any
 * other version is returned as the same array, except one that never existed, for which the result is null: macOS 15 was followed
 * by 26, and 10.15 by 11.
 */
export function interpretMacos(version: readonly number[]): readonly number[] | null {
  const [major = 0, minor = 0] = version;
  if (major === 16) return [26, ...version.slice(1)];
  if (major === 10 && minor === 16) return [11, 0];
  return (major > 16 && major < 26) || (major === 10 && minor > 16) ? null : version;
}

/** Names by version of macOS, oldest first. */
export const macosNames = new Map([
  ['10.0', 'Cheetah'],
  ['10.1', 'Puma'],
  ['10.2', 'Jaguar'],
  ['10.3', 'Panther'],
  ['10.4', 'Tiger'],
  ['10.5', 'Leopard'],
  ['10.6', 'Snow Leopard'],
  ['10.7', 'Lion'],
  ['10.8', 'Mountain Lion'],
  ['10.9', 'Mavericks'],
  ['10.10', 'Yosemite'],
  ['10.11', 'El Capitan'],
  ['10.12', 'Sierra'],
  ['10.13', 'High Sierra'],
  ['10.14', 'Mojave'],
  ['10.15', 'Catalina'],
  ['11', 'Big Sur'],
  ['12', 'Monterey'],
  ['13', 'Ventura'],
  ['14', 'Sonoma'],
  ['15', 'Sequoia'],
  ['26', 'Tahoe'],
  ['27', 'Golden Gate'],
]);
