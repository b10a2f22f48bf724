/** Versions of Windows: as numbers, such as 10.0.22631, and as people write them, such as `11`, `23H2` and `Server 2022`. */

/** A release of Windows with its build number, from Microsoft's list of releases. Newer ones follow older ones in the lists. */
interface WindowsRelease {
  readonly build: number;
  /** The system that it is a release of: `10`, `11` or `Server`. */
  readonly name: string;
  /** Such as `23H2`, or null for a release that has none. */
  readonly version: string | null;
}

const firstWindows11 = 22_000;

const releases: readonly WindowsRelease[] = [
  ...list('10', '1507 10240 1511 10586 1607 14393 1703 15063 1709 16299 1803 17134 1809 17763 1903 18362 1909 18363'),
  ...list('10', '2004 19041 20H2 19042 21H1 19043 21H2 19044 22H2 19045'),
  ...list('11', '21H2 22000 22H2 22621 23H2 22631 24H2 26100 25H2 26200'),
];

const servers: readonly WindowsRelease[] = list('Server', '2016 14393 2019 17763 2022 20348 2025 26100');

/** The versions before 10, which have a number of their own. */
const olderNames: Readonly<Record<string, string>> = { '6.1': '7', '6.2': '8', '6.3': '8.1' };

function list(name: string, versionsAndBuilds: string): WindowsRelease[] {
  const words = versionsAndBuilds.split(' ');
  return words.flatMap((version, place) =>
    place % 2 === 0 ? [{ name, version, build: Number(words[place + 1]) }] : [],
  );
}

/**
 * Reads a version of Windows: `10`, `11`, `8.1`, `10.0.22631` and longer, `23H2`, `11 23H2`, `10 19045` (a build), `Server 2022`,
 * in any case, with or without the word Windows.
 *
 * @returns the version as `[major, minor, build]`, such as `[10, 0, 22000]` for `11`; more than one if the text names several, as
 *   `22H2` does; an empty array if it names none
 */
export function readWindowsVersions(text: string): readonly (readonly number[])[] {
  const words = text.toLowerCase().match(/[\da-z.]+/g) ?? [];
  const rest = words.filter((word) => !['windows', 'win', 'version', 'build'].includes(word));
  const [first = '', second] = rest;
  if (rest.length > 2) return [];
  if (first === 'server') return servers.filter(({ version }) => version === second).map(toNumbers);
  const [system, version] =
    second === undefined && !['7', '8', '8.1', '10', '11'].includes(first) ? [null, first] : [first, second];
  if (version === undefined) return system === null ? [] : readNamed(system);
  const matchingReleases = releases.filter(
    (release) => release.version?.toLowerCase() === version && (system ?? release.name) === release.name,
  );
  if (matchingReleases.length > 0) return matchingReleases.map(toNumbers);
  if (system !== null && /^\d{4,5}$/.test(version)) return [[10, 0, Number(version)]];
  return system === null ? readNumbers(version) : [];
}

function readNamed(system: string): readonly (readonly number[])[] {
  if (system === '10') return [[10, 0, 0]];
  if (system === '11') return [[10, 0, firstWindows11]];
  const number = Object.keys(olderNames).find((key) => olderNames[key] === system);
  return number === undefined ? [] : [[...number.split('.').map(Number), 0]];
}

/**
 * Returns the numbers of `major.minor.build` as the only version of an array, which is empty for any other text. A missing build is
 * 0, except that `10.17763` is 10.0.17763, and the parts after it are updates, which no requirement names.
 */
function readNumbers(text: string): readonly (readonly number[])[] {
  if (!/^\d{1,2}\.\d{1,5}(\.\d{1,7}){0,3}$/.test(text)) return [];
  const [major = 0, minor = 0, build = 0] = text.split('.').map(Number);
  // WinSparkle's own feeds have both 10.0-17763 and 10.17763 for the same version, so both give the same numbers.
  return [major === 10 && minor > 0 && build === 0 ? [10, 0, minor] : [major, minor, build]];
}

const toNumbers = ({ build }: WindowsRelease): readonly number[] => [10, 0, build];

/** Returns a version of Windows in words: `Windows 10, version 1809 (build 17763)`, `Windows 11`, `Windows 8.1`. */
export function formatWindows([major = 0, minor = 0, build = 0]: readonly number[]): string {
  const older = olderNames[`${major}.${minor}`];
  if (older !== undefined) return `Windows ${older}`;
  if (major !== 10) return `Windows ${[major, minor, build].join('.')}`;
  const name = build >= firstWindows11 ? '11' : '10';
  if (build === 0 || build === firstWindows11) return `Windows ${name}`;
  const release = releases.find((candidate) => candidate.build === build);
  return release === undefined
    ? `Windows ${name} (build ${build})`
    : `Windows ${name}, version ${release.version} (build ${build})`;
}

/**
 * Returns the versions of Windows that somebody may still use, newest first, as `readWindowsVersions` reads them, such as `11 24H2`
 * and `8.1`. Servers are not among them.
 */
export const listWindowsVersions = (): string[] => [
  ...releases.map(({ name, version }) => `${name} ${version}`).toReversed(),
  ...Object.values(olderNames).toReversed(),
];

/** Returns whether a version of Windows on Arm runs programs for x86_64, which it emulates from Windows 11 on. */
export const emulatesX64 = ([major = 0, , build = 0]: readonly number[]): boolean =>
  major > 10 || (major === 10 && build >= firstWindows11);
