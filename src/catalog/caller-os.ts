/** Reads the operating system that a caller sends: its name, its version, or the name of another system in the place of a version. */
import { ApiError } from '../base/api-error.ts';
import { listInWords } from '../base/list-in-words.ts';
import { findMacosVersion, findSystem } from '../base/os-names.ts';
import { interpretMacos, parseOsVersion } from '../base/os-version.ts';
import { formatVersion, type SystemName, systemNames } from '../base/systems.ts';
import { readWindowsVersions } from '../base/windows-version.ts';

/** The system and the version that a caller sends of a computer; each is null if it was not sent. */
export interface SentSystem {
  readonly os: SystemName | null;
  /** The text that was sent: a version, or the name of a system such as `Ubuntu 24.04`. */
  readonly osVersion: string | null;
}

/** The operating system that a caller means: a `known` one, which the product runs on, or any `other` by its name, such as `iOS`. */
export type CallerOs =
  /**
   * `sent` is the version as it was sent, and `version` the one that it means: the same array unless it is another number for it.
   * Both are null if no version was sent, and for Linux, whose distributions have versions and the system has none.
   */
  | {
      readonly kind: 'known';
      readonly os: SystemName;
      readonly sent: readonly number[] | null;
      readonly version: readonly number[] | null;
    }
  | { readonly kind: 'other'; readonly name: string };

/**
 * Returns the system and the version that a caller means. A system that is not among `systems` is an `other` one.
 *
 * @param systems the systems of the product, of which the first is meant where the caller names none
 * @throws ApiError `invalid_request` if `osVersion` names another system than `os`, or if a known macOS or Windows is meant and it
 *   is no version of that (of macOS, only one to three numbers are) or stands for several; `unprocessable` for a version of macOS
 *   that never existed
 */
export function readCallerOs({ os, osVersion }: SentSystem, systems: readonly SystemName[]): CallerOs {
  const [mainSystem = 'macOS'] = systems;
  const fromVersion = osVersion === null ? null : findSystem(osVersion);
  if (os !== null && fromVersion !== null && fromVersion !== os)
    throw refuseVersion(
      `os is ${os} and os_version names ${fromVersion}: \`${shorten(osVersion ?? '')}\`. Send one of them.`,
    );
  const system = fromVersion ?? os ?? mainSystem;
  const name = systemNames.find((name) => name === system);
  if (name === undefined || !systems.includes(name)) return { kind: 'other', name: system };
  const version = osVersion === null || name === 'Linux' ? null : osVersion;
  if (version === null) return { kind: 'known', os: name, sent: null, version: null };
  return name === 'macOS' ? readMacos(version) : readWindows(version);
}

/** Returns the sentence that a product runs on `systems` only, which is the reason to refuse any other system. */
export const explainOtherSystem = (productName: string, systems: readonly SystemName[]): string =>
  `${productName} runs on ${listInWords(systems, 'and')} only.`;

function readMacos(text: string): CallerOs {
  const numbers = parseOsVersion(text);
  if (numbers === null) return refuseMacos(text);
  return { kind: 'known', os: 'macOS', sent: numbers, version: interpretMacos(numbers) ?? refuseNeverExisted(numbers) };
}

function readWindows(text: string): CallerOs {
  const [version, another] = readWindowsVersions(text);
  if (version === undefined)
    throw createVersionError(text, 'Send a version of Windows such as 10, 11, 23H2 or 10.0.22631', []);
  if (another !== undefined) {
    const names = [version, another].map((numbers) => formatVersion('Windows', numbers));
    throw createVersionError(text, `${names.join(' and ')} have that name. Send 10 or 11 in front of it`, [
      `10 ${text.trim()}`,
      `11 ${text.trim()}`,
    ]);
  }
  return { kind: 'known', os: 'Windows', sent: version, version };
}

function refuseNeverExisted(version: readonly number[]): never {
  const [major = 0, minor = 0] = version;
  throw new ApiError(
    'unprocessable',
    major === 10
      ? `There is no macOS 10.${minor}; macOS 10.15 is followed by 11.`
      : `There is no macOS ${major}; macOS 15 is followed by 26. If the number is from \`uname -r\`, it is the kernel’s: \`sw_vers -productVersion\` gives the one of macOS.`,
  );
}

function refuseMacos(text: string): never {
  const version = findMacosVersion(text);
  const suggestion = version === null || interpretMacos(version) === null ? null : version.join('.');
  const advice = suggestion === null ? 'Send one to three numbers joined by dots, such as 14.0' : `Use ${suggestion}`;
  throw createVersionError(text, advice, suggestion === null ? [] : [suggestion]);
}

const createVersionError = (text: string, advice: string, suggestions: string[]): ApiError =>
  refuseVersion(`\`${shorten(text)}\` is not an OS version. ${advice}.`, suggestions);

const refuseVersion = (detail: string, suggestions: string[] = []): ApiError =>
  new ApiError('invalid_request', detail, {
    errors: [{ field: 'os_version', code: 'malformed', detail }],
    ...(suggestions.length > 0 && { suggestions }),
  });

/** Returns the first 40 characters of what a caller sent, on one line; nothing marks a cut. */
const shorten = (text: string): string => [...text.toWellFormed().replace(/\p{Cc}/gu, ' ')].slice(0, 40).join('');
