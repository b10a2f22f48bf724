/** The operating systems that releases are published for, and how each one's versions are read, compared and written. */
import { formatMacos, parseOsVersion } from './os-version.ts';
import { formatWindows, readWindowsVersions } from './windows-version.ts';

/** The operating systems in the order in which they are listed. */
export const systemNames = ['macOS', 'Windows', 'Linux'] as const;

export type SystemName = (typeof systemNames)[number];

/** The minimum version of Linux in responses: distributions have versions, and Linux as a system has none. */
export const anyVersion = '0';

/** Returns the numbers of a version as files and feeds write it, or null if it is none. Linux has only `0`. */
export function parseVersionOf(os: SystemName, text: string): readonly number[] | null {
  if (os === 'macOS') return parseOsVersion(text);
  if (os === 'Linux') return text.trim() === anyVersion ? [0] : null;
  const [version, another] = readWindowsVersions(text.replace('-', '.'));
  return another === undefined ? (version ?? null) : null;
}

/** Returns a version with the name of its system, such as `macOS 14.0 (Sonoma)`, `Windows 11` or `Linux`. */
export function formatVersionOf(os: SystemName, version: readonly number[]): string {
  if (os === 'macOS') return formatMacos(version);
  return os === 'Windows' ? formatWindows(version) : os;
}
