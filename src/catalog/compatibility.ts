/** Checks whether a computer runs the application's current release, and collects every reason why not. */
import { formatMacos } from '../base/os-version.ts';
import { compareNumbers } from '../base/semver.ts';
import { anyVersion, formatVersion, parseVersion, type SystemName } from '../base/systems.ts';
import { emulatesX64 } from '../base/windows-version.ts';
import type { Architecture } from '../content/field-schemas.ts';
import { type CallerOs, explainOtherSystem, readCallerOs, type SentSystem } from './caller-os.ts';
import { findRangeFor, hasBuild, type SystemRequirements } from './requirements.ts';

/** The computer that a caller asks about. */
export interface CompatibilityInput extends SentSystem {
  readonly arch: Architecture;
}

/** A requirement that is not met. */
interface FailedCheck {
  readonly code: 'os_unsupported' | 'os_too_old' | 'os_too_new' | 'arch_unsupported';
  /** A version, a processor, the systems separated by commas, or `a build` if the system has none. */
  readonly required: string;
  /** The caller's version, processor or system. */
  readonly given: string;
}

/** The result of a check: whether the computer runs the current release, and why not. */
export interface Compatibility {
  readonly compatible: boolean;
  /** A sentence for each of `checks`, in the same order. */
  readonly reasons: readonly string[];
  /**
   * The minimum on the caller's system, or on the main one if the product does not run there. `arch` is `x86_64` if the
   * requirements name it, otherwise `arm64`.
   */
  readonly minimum: { readonly osVersion: string; readonly arch: Architecture };
  /** All that fail, in a fixed order: the system, its minimum, its maximum, the processor. */
  readonly checks: readonly FailedCheck[];
  /** The version that was checked, such as `26.1`, if the caller sent another number for it, such as 16.1; otherwise null. */
  readonly interpretedAs: string | null;
  /** Whether the version of the system is newer than any that the vendor has tested; false if either is unknown. */
  readonly untested: boolean;
  /** Whether the system runs it only by emulating another processor, as Windows 11 on Arm does. */
  readonly emulated: boolean;
}

/**
 * Checks a computer against the requirements of its system, of which the first are those of the product's main one. Compares
 * versions by their numbers; a computer without a version is older than any minimum above 0, except on Linux. Throws an ApiError
 * `invalid_request` or `unprocessable` for a version that `readCallerOs` refuses. `productName` is used in `reasons`.
 */
export function checkCompatibility(
  input: CompatibilityInput,
  systems: readonly [SystemRequirements, ...SystemRequirements[]],
  productName: string,
): Compatibility {
  const { arch } = input;
  const names = systems.map(({ os }) => os);
  const caller = readCallerOs(input, names);
  const requirements = caller.kind === 'other' ? undefined : systems.find(({ os }) => os === caller.os);
  const failures =
    caller.kind === 'other' || requirements === undefined
      ? [createOtherSystemFailure(caller, productName, names)]
      : findFailures({ version: caller.version ?? [], arch }, requirements, productName);
  const { os, archs, testedUpTo, byArch, osVersion } = requirements ?? systems[0];
  const testedVersion = testedUpTo === null ? null : parseVersion(os, testedUpTo);
  const version = caller.kind === 'known' ? caller.version : null;
  return {
    compatible: failures.length === 0,
    reasons: failures.map(({ reason }) => reason),
    minimum: {
      osVersion: (requirements && byArch.get(arch)?.osVersion) ?? osVersion,
      arch: archs.includes('x86_64') ? 'x86_64' : 'arm64',
    },
    checks: failures.map(({ code, required, given }) => ({ code, required, given })),
    interpretedAs: version !== null && caller.kind === 'known' && version !== caller.sent ? version.join('.') : null,
    untested:
      testedVersion !== null &&
      version !== null &&
      compareNumbers(version.slice(0, testedVersion.length), testedVersion) > 0,
    emulated: failures.length === 0 && archs.length > 0 && !archs.includes(arch),
  };
}

/**
 * Returns why no Mac has this version and processor, in one or two sentences, or null if there may be one. An empty version counts
 * as 0, which no Mac has.
 */
export const explainImpossibleMac = (mac: AskedComputer): string | null =>
  explainProcessor(mac, { os: 'macOS', archs: ['arm64', 'x86_64'], isTooOld: false });

interface Failure extends FailedCheck {
  readonly reason: string;
}

/** A Mac, or any other computer. The version is empty if the system has none or none was sent. */
interface AskedComputer {
  readonly version: readonly number[];
  readonly arch: Architecture;
}

const createOtherSystemFailure = (caller: CallerOs, productName: string, systems: readonly SystemName[]): Failure => ({
  code: 'os_unsupported',
  required: systems.join(', '),
  given: caller.kind === 'other' ? caller.name : caller.os,
  reason: explainOtherSystem(productName, systems),
});

/**
 * Returns every reason why a computer does not meet the requirements, in the order of `Compatibility.checks`; an empty array if it
 * does.
 */
function findFailures(
  { version, arch }: AskedComputer,
  requirements: SystemRequirements,
  productName: string,
): Failure[] {
  const { os, archs } = requirements;
  if (!hasBuild(requirements))
    return [
      { code: 'os_unsupported', required: 'a build', given: os, reason: `${productName} has no build for ${os}.` },
    ];
  const { osVersion, maximumOsVersion } = findRangeFor(requirements, { version, arch });
  const failures: Failure[] = [];
  const versionText = version.join('.') || anyVersion;

  const minimum = parseVersion(os, osVersion);
  const isTooOld = minimum !== null && os !== 'Linux' && compareNumbers(version, minimum) < 0;
  if (isTooOld) {
    const reason = `${formatVersion(os, version)} is older than the required ${formatVersion(os, minimum)}.`;
    failures.push({ code: 'os_too_old', required: osVersion, given: versionText, reason });
  }

  const maximum = maximumOsVersion === null ? null : parseVersion(os, maximumOsVersion);
  if (maximum !== null && compareNumbers(version, maximum) > 0) {
    const reason = `${formatVersion(os, version)} is newer than ${formatVersion(os, maximum)}, the newest that runs it.`;
    failures.push({ code: 'os_too_new', required: maximum.join('.'), given: versionText, reason });
  }

  const explain = os === 'macOS' ? explainProcessor : explainOtherProcessor;
  const reason = explain({ version, arch }, { os, archs, isTooOld });
  if (reason !== null) {
    const requiredArch = arch === 'arm64' ? 'x86_64' : 'arm64';
    failures.push({ code: 'arch_unsupported', required: requiredArch, given: arch, reason });
  }
  return failures;
}

interface Processors {
  readonly os: SystemName;
  /** The processors that there are builds for; empty if nobody says, so that any may run it. */
  readonly archs: readonly Architecture[];
  readonly isTooOld: boolean;
}

function explainOtherProcessor({ version, arch }: AskedComputer, { os, archs }: Processors): string | null {
  if (archs.length === 0 || archs.includes(arch)) return null;
  if (arch === 'x86_64') return 'It does not run on x86_64; the required processor is Arm (arm64).';
  if (os !== 'Windows') return 'It does not run on Arm (arm64); the required processor is x86_64.';
  return emulatesX64(version)
    ? null
    : 'It does not run on Arm (arm64) before Windows 11, which emulates the required processor, x86_64.';
}

/** Advice for a caller whose program is told the wrong processor. */
export const rosettaAdvice = 'A program that runs under Rosetta sees x86_64: on Apple silicon send arm64.';
const firstWithArm = [11, 0];
const firstWithoutIntel = [27, 0];

function explainProcessor({ version, arch }: AskedComputer, { archs, isTooOld }: Processors): string | null {
  if (arch === 'x86_64' && compareNumbers(version, firstWithoutIntel) >= 0)
    return `${formatMacos(version)} runs only on Apple silicon (arm64). ${rosettaAdvice}`;
  if (!archs.includes(arch))
    return arch === 'arm64'
      ? 'It does not run on Apple silicon (arm64); the required processor is Intel (x86_64).'
      : `It does not run on Intel (x86_64); the required processor is Apple silicon (arm64). ${rosettaAdvice}`;
  // A version below the minimum is refused for that reason already.
  if (arch === 'arm64' && !isTooOld && compareNumbers(version, firstWithArm) < 0)
    return `${formatMacos(version)} does not run on Apple silicon (arm64), which begins with ${formatMacos(firstWithArm)}.`;
  return null;
}
