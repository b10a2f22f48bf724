/** Checks whether a computer runs the application's current release, and collects every reason why not. */
import { compareOsVersions, formatMacos, parseOsVersion } from '../base/os-version.ts';
import type { Architecture } from '../content/field-schemas.ts';
import { explainOtherSystem, readCallerOs } from './caller-os.ts';

/** The requirements of the current release. */
export interface SystemRequirements {
  /** The minimum version of macOS. */
  readonly osVersion: string;
  readonly archs: readonly Architecture[];
  /** The newest version of macOS that the vendor has tested, or null. `26` covers 26.x. */
  readonly testedUpTo: string | null;
  /** The newest version of macOS that runs the release, or null if every later one does. */
  readonly maximumOsVersion: string | null;
}

export interface CompatibilityInput {
  readonly osVersion: string;
  readonly arch: Architecture;
}

/** A requirement that is not met. */
interface FailedCheck {
  readonly code: 'os_unsupported' | 'os_too_old' | 'os_too_new' | 'arch_unsupported';
  readonly required: string;
  readonly given: string;
}

export interface Compatibility {
  readonly compatible: boolean;
  /** A sentence for each of `checks`, in the same order. */
  readonly reasons: readonly string[];
  /** `arch` is `arm64` if only Apple silicon runs it, otherwise `x86_64`. */
  readonly minimum: { readonly osVersion: string; readonly arch: Architecture };
  /** All that fail, in a fixed order: the system, its minimum, its maximum, the processor. */
  readonly checks: readonly FailedCheck[];
  /** The version of macOS that was checked, or null unless the caller sent another number for it. */
  readonly interpretedAs: string | null;
  /** Whether the version of macOS is newer than any that the vendor has tested. */
  readonly untested: boolean;
}

/** Compares versions by their numbers. Throws an ApiError as `readCallerOs` does. */
export function checkCompatibility(
  { osVersion, arch }: CompatibilityInput,
  requirements: SystemRequirements,
  productName: string,
): Compatibility {
  const os = readCallerOs(osVersion);
  const failures =
    os.kind === 'other'
      ? [otherSystemFailure(os.name, productName)]
      : findFailures({ version: os.version, arch }, requirements);
  const { osVersion: minimum, archs, testedUpTo } = requirements;
  const tested = parseOsVersion(testedUpTo ?? '');
  return {
    compatible: failures.length === 0,
    reasons: failures.map(({ reason }) => reason),
    minimum: { osVersion: minimum, arch: archs.includes('x86_64') ? 'x86_64' : 'arm64' },
    checks: failures.map(({ code, required, given }) => ({ code, required, given })),
    interpretedAs: os.kind === 'macOS' && os.version !== os.sent ? os.version.join('.') : null,
    untested:
      os.kind === 'macOS' && tested !== null && compareOsVersions(os.version.slice(0, tested.length), tested) > 0,
  };
}

/** Returns why no such Mac exists, or null. */
export const explainImpossibleMac = (mac: Mac): string | null =>
  explainProcessor(mac, { archs: ['arm64', 'x86_64'], isTooOld: false });

interface Failure extends FailedCheck {
  readonly reason: string;
}

interface Mac {
  readonly version: readonly number[];
  readonly arch: Architecture;
}

const otherSystemFailure = (name: string, productName: string): Failure => ({
  code: 'os_unsupported',
  required: 'macOS',
  given: name,
  reason: explainOtherSystem(productName),
});

function findFailures({ version, arch }: Mac, requirements: SystemRequirements): Failure[] {
  const { osVersion, maximumOsVersion, archs } = requirements;
  const failures: Failure[] = [];
  const given = version.join('.');

  const minimum = parseOsVersion(osVersion);
  const isTooOld = minimum !== null && compareOsVersions(version, minimum) < 0;
  if (isTooOld) {
    const reason = `${formatMacos(version)} is older than the required ${formatMacos(minimum)}.`;
    failures.push({ code: 'os_too_old', required: osVersion, given, reason });
  }

  const maximum = parseOsVersion(maximumOsVersion ?? '');
  if (maximum !== null && compareOsVersions(version, maximum) > 0) {
    const reason = `${formatMacos(version)} is newer than ${formatMacos(maximum)}, the newest that runs it.`;
    failures.push({ code: 'os_too_new', required: maximum.join('.'), given, reason });
  }

  const reason = explainProcessor({ version, arch }, { archs, isTooOld });
  if (reason !== null) {
    const required = arch === 'arm64' ? 'x86_64' : 'arm64';
    failures.push({ code: 'arch_unsupported', required, given: arch, reason });
  }
  return failures;
}

const rosetta = 'A program that runs under Rosetta sees x86_64: on Apple silicon send arm64.';
const firstWithArm = [11, 0];
const firstWithoutIntel = [27, 0];

function explainProcessor(
  { version, arch }: Mac,
  { archs, isTooOld }: { readonly archs: readonly Architecture[]; readonly isTooOld: boolean },
): string | null {
  if (arch === 'x86_64' && compareOsVersions(version, firstWithoutIntel) >= 0)
    return `${formatMacos(version)} runs only on Apple silicon (arm64). ${rosetta}`;
  if (!archs.includes(arch))
    return arch === 'arm64'
      ? 'It does not run on Apple silicon (arm64); the required processor is Intel (x86_64).'
      : `It does not run on Intel (x86_64); the required processor is Apple silicon (arm64). ${rosetta}`;
  // A version below the minimum has its own reason.
  if (arch === 'arm64' && !isTooOld && compareOsVersions(version, firstWithArm) < 0)
    return `${formatMacos(version)} does not run on Apple silicon (arm64), which begins with ${formatMacos(firstWithArm)}.`;
  return null;
}
