/** Finds what the current release needs on each system, from its builds and product.yaml; every surface shows these requirements. */
import { compareNumbers } from '../base/semver.ts';
import { anyVersion, createComparison, parseVersion, type SystemName } from '../base/systems.ts';
import { type Architecture, architecture } from '../content/field-schemas.ts';
import type { ProductSystem } from '../content/product-schema.ts';
import type { Build } from '../feed/builds.ts';
import type { FeedWarning } from '../feed/release.ts';
import type { Release } from './releases.ts';

/** The range of system versions that runs the application. */
export interface VersionRange {
  /** The oldest version; `0` for Linux, and if neither builds nor product.yaml name one. */
  readonly osVersion: string;
  /** The newest version, or null if every later one runs it too. */
  readonly maximumOsVersion: string | null;
}

/** A range of system versions, and the processors that it applies to; empty if neither builds nor product.yaml name any. */
export interface ProcessorRange extends VersionRange {
  readonly archs: readonly Architecture[];
}

/** The requirements of a release on one system. */
export interface SystemRequirements extends VersionRange {
  readonly os: SystemName;
  /** The processors of its builds, or else those in product.yaml; empty if neither name any. */
  readonly archs: readonly Architecture[];
  /** The range of each processor that there are builds for. */
  readonly byArch: ReadonlyMap<Architecture, VersionRange>;
  /** The newest version that the vendor has tested, or null if product.yaml names none. `26` covers 26.x. */
  readonly testedUpTo: string | null;
  /** The current release of that system, or the main system's if none has a build for it; null if there are no releases. */
  readonly current: Release | null;
}

/**
 * Returns what the current release needs on a system: its builds' own minimums, and product.yaml's where it is higher, a build has
 * none or `current` is null. The processors are those of all its builds, or else product.yaml's. Adds a warning to `warnings` for
 * each fact in which the builds contradict product.yaml.
 */
export function findRequirements(
  system: ProductSystem,
  current: Release | null,
  warnings: FeedWarning[],
): SystemRequirements {
  const { os, minVersion } = system;
  const builds = current?.builds.filter((build) => build.os === os) ?? [];
  if (current !== null) warnings.push(...listContradictions(system, current, builds));
  return { ...describeNeeds(system, builds, os === 'Linux' ? anyVersion : (minVersion ?? anyVersion)), current };
}

/** Returns whether the current release has a build for a system; it counts as having one while no release is known. */
export const hasBuild = ({ os, current }: Pick<SystemRequirements, 'os' | 'current'>): boolean =>
  current === null || current.builds.some((build) => build.os === os);

/**
 * Returns what a release needs on each system that it has a build for, in the order of `systems`. The minimums of product.yaml
 * count only for the release that is current on a system.
 */
export const listNeeds = (
  release: Release,
  systems: readonly SystemRequirements[],
): Omit<SystemRequirements, 'current'>[] =>
  systems.flatMap((system) => {
    const builds = release.builds.filter(({ os }) => os === system.os);
    if (builds.length === 0) return [];
    return [system.current?.id === release.id ? system : describeNeeds(system, builds, anyVersion)];
  });

/**
 * Returns the ranges of versions of a system, each with the processors that have it, in the order of the processors. If all have
 * the same, there is one range with all of them; if no processor is known, one range with none.
 */
export function listRanges(system: Omit<SystemRequirements, 'current'>): [ProcessorRange, ...ProcessorRange[]] {
  const { archs, byArch, osVersion, maximumOsVersion } = system;
  const getRange = (arch: Architecture): VersionRange => byArch.get(arch) ?? system;
  const groups = Map.groupBy(archs, (arch) =>
    JSON.stringify([getRange(arch).osVersion, getRange(arch).maximumOsVersion]),
  );
  const [first, second] = [...groups.values()].flatMap(([arch, ...others]) =>
    arch === undefined ? [] : [{ ...getRange(arch), archs: [arch, ...others] }],
  );
  return first === undefined || second === undefined ? [{ osVersion, maximumOsVersion, archs }] : [first, second];
}

/**
 * Returns the range of versions by which a computer is measured: that of its processor, or of the whole system if no build is for
 * that, with a higher minimum where the builds for older systems end before the computer's version and those for newer ones begin
 * after it.
 */
export function findRangeFor(
  { os, byArch, current, ...whole }: SystemRequirements,
  { version, arch }: { readonly version: readonly number[]; readonly arch: Architecture },
): VersionRange {
  const range = byArch.get(arch) ?? whole;
  const later = (current?.builds ?? []).filter(
    (build) =>
      build.os === os &&
      (!byArch.has(arch) || runsOnArch(build, arch)) &&
      (build.maxVersion === null || compareNumbers(parseVersion(os, build.maxVersion) ?? [], version) >= 0),
  );
  return later.length === 0 ? range : { ...range, osVersion: findRange(later, range.osVersion, os).osVersion };
}

type Preset = Pick<ProductSystem, 'os' | 'archs' | 'testedUpTo'>;

function describeNeeds(
  { os, archs, testedUpTo }: Preset,
  builds: readonly Build[],
  productMinimum: string,
): Omit<SystemRequirements, 'current'> {
  const builtArchs = listArchs(builds);
  const range = findRange(builds, productMinimum, os);
  return {
    os,
    ...range,
    archs: builtArchs.length > 0 ? sortAs(archs, builtArchs) : archs,
    byArch: new Map(
      builtArchs.map((arch) => {
        const suitable = builds.filter((build) => runsOnArch(build, arch));
        return [arch, findRange(suitable, productMinimum, os)] as const;
      }),
    ),
    testedUpTo,
  };
}

/** Returns the processors of builds in the order of `order`; those that it lacks come last. */
const sortAs = (order: readonly Architecture[], builtArchs: readonly Architecture[]): Architecture[] => [
  ...order.filter((arch) => builtArchs.includes(arch)),
  ...builtArchs.filter((arch) => !order.includes(arch)),
];

const runsOnArch = ({ arch }: Build, computerArch: Architecture): boolean =>
  arch === 'universal' || arch === computerArch;

const listArchs = (builds: readonly Build[]): Architecture[] =>
  architecture.options.filter((arch) => builds.some((build) => runsOnArch(build, arch)));

function findRange(builds: readonly Build[], productMinimum: string, os: SystemName): VersionRange {
  const order = createComparison(os);
  const [lowest = productMinimum] = builds.flatMap(({ minVersion }) => minVersion ?? []).sort(order);
  const maximums = builds.flatMap(({ maxVersion }) => maxVersion ?? []).sort(order);
  return {
    osVersion: order(lowest, productMinimum) > 0 ? lowest : productMinimum,
    maximumOsVersion: builds.length > 0 && maximums.length === builds.length ? (maximums.at(-1) ?? null) : null,
  };
}

/**
 * Returns a warning for each fact in which product.yaml differs from the current release's builds for the system; none if there are
 * no builds.
 */
function listContradictions(
  { os, minVersion, archs }: ProductSystem,
  current: Release,
  builds: readonly Build[],
): FeedWarning[] {
  const { line, version } = current;
  const warnings: FeedWarning[] = [];
  const { osVersion } = findRange(builds, anyVersion, os);
  const order = minVersion === null || builds.length === 0 ? 0 : createComparison(os)(osVersion, minVersion);
  if (order !== 0) {
    const message = `product.yaml says that ${minVersion} is the oldest OS version; the latest release, ${version}, says ${osVersion}. The stricter one, ${order > 0 ? osVersion : minVersion}, is used.`;
    warnings.push({ line, message });
  }
  const builtArchs = listArchs(builds);
  for (const arch of archs.filter((name) => builtArchs.length > 0 && !builtArchs.includes(name))) {
    const message = `product.yaml says that ${arch} runs the application; the latest release, ${version}, requires ${builtArchs.join(' or ')}, which is used.`;
    warnings.push({ line, message });
  }
  for (const arch of builtArchs.filter((name) => archs.length > 0 && !archs.includes(name))) {
    const message = `product.yaml says that only ${archs.join(' and ')} runs the application on ${os}; the latest release, ${version}, has a build for ${arch}, which is published too.`;
    warnings.push({ line, message });
  }
  return warnings;
}
