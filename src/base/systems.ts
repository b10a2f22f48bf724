/** The operating systems that releases are published for, and how each one's versions are read, compared and written. */
import { formatMacos, macosNames, parseOsVersion } from './os-version.ts';
import { compareNumbers } from './semver.ts';
import { formatWindows, listWindowsVersions, readWindowsVersions } from './windows-version.ts';

/** The operating systems in the order in which they are listed. */
export const systemNames = ['macOS', 'Windows', 'Linux'] as const;

/** The name of an operating system. */
export type SystemName = (typeof systemNames)[number];

/** The minimum version of Linux in responses: distributions have versions, and Linux as a system has none. */
export const anyVersion = '0';

/**
 * Returns the numbers of a version as files and feeds write it, such as `[14, 5]` or, on Windows, `[10, 0, 22631]`. Returns null if
 * it is none, or stands for several as `22H2` does. Linux has only `0`.
 */
export function parseVersion(os: SystemName, text: string): readonly number[] | null {
  if (os === 'macOS') return parseOsVersion(text);
  if (os === 'Linux') return text.trim() === anyVersion ? [0] : null;
  const [version, another] = readWindowsVersions(text.replace('-', '.'));
  return another === undefined ? (version ?? null) : null;
}

/**
 * Returns the function that compares two versions as files and feeds write them, by their numbers: below 0 if the first is older, 0
 * if they are equal, above 0 if it is newer. A text that is no version counts as 0, the oldest.
 */
export const createComparison =
  (os: SystemName) =>
  (a: string, b: string): number =>
    compareNumbers(parseVersion(os, a) ?? [], parseVersion(os, b) ?? []);

/** Returns a version with the name of its system, such as `macOS 14.0 (Sonoma)`, `Windows 11` or `Linux`. */
export function formatVersion(os: SystemName, version: readonly number[]): string {
  if (os === 'macOS') return formatMacos(version);
  return os === 'Windows' ? formatWindows(version) : os;
}

/** A version of a system that somebody may still use. */
export interface KnownVersion {
  /** The version as a caller sends it, such as `13` or `10 1809`; empty for Linux. */
  readonly version: string;
  /** The system with its version, such as `macOS 13`. */
  readonly name: string;
  /** The name with what people call it, such as `macOS 13 Ventura`; on Windows and Linux, the name alone. */
  readonly title: string;
  /** Numbers that its newest update does not exceed, such as `[13, 999, 999]`: what runs only there runs on the version, too. */
  readonly newest: readonly number[];
}

/**
 * Returns the versions of a system that somebody may still use, newest first: macOS 10.13 and later, the Windows versions of
 * `listWindowsVersions`, or for Linux one entry without a version.
 */
export function listKnownVersions(os: SystemName): KnownVersion[] {
  if (os === 'Linux') return [{ version: '', name: os, title: os, newest: [0] }];
  if (os === 'Windows')
    return listWindowsVersions().map((version) => {
      const newest = readWindowsVersions(version)[0] ?? [];
      const name = formatWindows(newest).replace(/ \(build \d+\)$/, '');
      return { version, name, title: name, newest };
    });
  const supportedNames = [...macosNames].slice(13).toReversed();
  return supportedNames.map(([version, name]) => ({
    version,
    name: `macOS ${version}`,
    title: `macOS ${version} ${name}`,
    newest: [...version.split('.').map(Number), 999, 999].slice(0, 3),
  }));
}
