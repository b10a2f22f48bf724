/** Whether a computer runs the application, and every reason why not. */
import { ApiError } from '../base/api-error.ts';
import { compareOsVersions, interpretMacos, macosName, macosNamed, parseOsVersion } from '../base/os-version.ts';
import type { Architecture } from '../content/field-schemas.ts';

export interface Minimums {
  /** Such as `macOS`, whose version numbers follow separate rules. */
  readonly osName: string;
  readonly osVersion: string;
  readonly archs: readonly Architecture[];
  /** The newest OS version that the vendor has tested, or null. `26` covers 26.x. */
  readonly testedUpTo: string | null;
  /** The newest OS version that runs the application, where there is one. */
  readonly maximumOsVersion?: string | null;
}

export interface CompatibilityInput {
  readonly osVersion: string;
  readonly arch: Architecture;
}

/** A requirement that is not met. */
interface FailedCheck {
  readonly code: 'os_too_old' | 'os_too_new' | 'arch_unsupported';
  readonly required: string;
  readonly given: string;
}

export interface Compatibility {
  readonly compatible: boolean;
  /** A sentence for each of `checks`, in the same order. */
  readonly reasons: readonly string[];
  /** `arch` is `arm64` when only Apple silicon runs it, else `x86_64`. */
  readonly minimum: { readonly osVersion: string; readonly arch: Architecture };
  /** All that fail, in a fixed order: the OS's minimum, its maximum, the processor. */
  readonly checks: readonly FailedCheck[];
  /** The OS version that was checked, when the one given is another number for it. */
  readonly interpretedAs: string | null;
  /** Whether the OS is newer than any that the vendor has tested. */
  readonly untested: boolean;
}

/**
 * Compares by the numbers. Throws an ApiError: `invalid_request` for what is no version, `unprocessable` for a version
 * of macOS that never existed.
 */
export function checkCompatibility({ osVersion, arch }: CompatibilityInput, minimums: Minimums): Compatibility {
  const isMacos = isMacosName(minimums.osName);
  const { given, version } = readOsVersion(osVersion, minimums.osName);
  const failures = failuresOf({ version, arch }, minimums, isMacos);
  const tested = minimums.testedUpTo === null ? null : parseOsVersion(minimums.testedUpTo);
  return {
    compatible: failures.length === 0,
    reasons: failures.map(({ reason }) => reason),
    minimum: { osVersion: minimums.osVersion, arch: minimums.archs.includes('x86_64') ? 'x86_64' : 'arm64' },
    checks: failures.map(({ code, required, given: found }) => ({ code, required, given: found })),
    interpretedAs: version === given ? null : version.join('.'),
    untested: tested !== null && compareOsVersions(version.slice(0, tested.length), tested) > 0,
  };
}

/**
 * A version as it was sent, and the one that it means. Throws an ApiError: `invalid_request` for what is no version,
 * `unprocessable` for a version of macOS that never existed.
 */
export function readOsVersion(
  text: string,
  osName: string,
): { readonly given: readonly number[]; readonly version: readonly number[] } {
  const isMacos = isMacosName(osName);
  const given = parseOsVersion(text) ?? refuseMalformed(text, isMacos);
  return { given, version: isMacos ? (interpretMacos(given) ?? refuseNeverExisted(given)) : given };
}

/** Why there is no such computer, or null. */
export const impossibleReason = (computer: Computer, osName: string): string | null =>
  processorReason(
    computer,
    { osName, osVersion: '', archs: ['arm64', 'x86_64'], testedUpTo: null },
    isMacosName(osName),
    false,
  );

interface Failure extends FailedCheck {
  readonly reason: string;
}

interface Computer {
  readonly version: readonly number[];
  readonly arch: Architecture;
}

function failuresOf({ version, arch }: Computer, minimums: Minimums, isMacos: boolean): Failure[] {
  const failures: Failure[] = [];
  const say = (numbers: readonly number[]) => namedOs(minimums.osName, numbers);
  const given = version.join('.');

  const least = parseOsVersion(minimums.osVersion);
  const tooOld = least !== null && compareOsVersions(version, least) < 0;
  if (tooOld) {
    const reason = `${say(version)} is older than the required ${say(least)}.`;
    failures.push({ code: 'os_too_old', required: minimums.osVersion, given, reason });
  }

  const most = parseOsVersion(minimums.maximumOsVersion ?? '');
  if (most !== null && compareOsVersions(version, most) > 0) {
    const reason = `${say(version)} is newer than ${say(most)}, the newest that runs it.`;
    failures.push({ code: 'os_too_new', required: most.join('.'), given, reason });
  }

  const reason = processorReason({ version, arch }, minimums, isMacos, tooOld);
  if (reason !== null) {
    failures.push({
      code: 'arch_unsupported',
      required: arch === 'arm64' ? 'x86_64' : 'arm64',
      given: arch,
      reason,
    });
  }
  return failures;
}

function processorReason(
  { version, arch }: Computer,
  { osName, archs }: Minimums,
  isMacos: boolean,
  tooOld: boolean,
): string | null {
  const rosetta = 'A program that runs under Rosetta sees x86_64: on Apple silicon send arm64.';
  if (isMacos && arch === 'x86_64' && compareOsVersions(version, firstWithoutIntel) >= 0) {
    return `${namedOs(osName, version)} runs only on Apple silicon (arm64). ${rosetta}`;
  }
  if (!archs.includes(arch)) {
    if (!isMacos) return `It does not run on ${arch}; the required processor is ${archs.join(' or ')}.`;
    if (arch === 'arm64') return 'It does not run on Apple silicon (arm64); the required processor is Intel (x86_64).';
    return `It does not run on Intel (x86_64); the required processor is Apple silicon (arm64). ${rosetta}`;
  }
  // Below the minimum that has been said already.
  if (isMacos && arch === 'arm64' && !tooOld && compareOsVersions(version, firstWithArm) < 0) {
    return `${namedOs(osName, version)} does not run on Apple silicon (arm64), which begins with ${namedOs(osName, firstWithArm)}.`;
  }
  return null;
}

const firstWithArm = [11, 0];
const firstWithoutIntel = [27, 0];

const isMacosName = (osName: string) => osName.toLowerCase() === 'macos';

/** Such as `macOS 14.0 (Sonoma)`. */
export function namedOs(osName: string, version: readonly number[]): string {
  const name = isMacosName(osName) ? macosName(version) : null;
  return `${osName} ${version.join('.')}${name === null ? '' : ` (${name})`}`;
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

function refuseMalformed(text: string, isMacos: boolean): never {
  const shown = [...text.toWellFormed().replace(/\p{Cc}/gu, ' ')].slice(0, 40).join('');
  const meant = nearestVersion(text, isMacos);
  const example = meant === null ? 'Send one to three numbers joined by dots, such as 14.0' : `Use ${meant}`;
  const detail = `\`${shown}\` is not an OS version. ${example}.`;
  throw new ApiError('invalid_request', detail, {
    errors: [{ field: 'os_version', code: 'malformed', detail }],
    ...(meant !== null && { suggestions: [meant] }),
  });
}

/** What someone who sent `Sonoma`, `v14` or `14.5 (23F79)` probably meant, or null. */
function nearestVersion(text: string, isMacos: boolean): string | null {
  const words = text.slice(0, 100).trim();
  const byName = isMacos ? macosNamed(words.replace(/^mac ?os\s*x?\s*/i, '')) : null;
  if (byName !== null) return byName.join('.');
  const found = /(?<![\d.]|\d[a-z])\d{1,3}(?:\.\d{1,3}){0,2}(?![\da-z])/i.exec(words)?.[0];
  const version = parseOsVersion(found ?? '');
  return version === null || (isMacos && interpretMacos(version) === null) ? null : version.join('.');
}
