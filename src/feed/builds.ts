/** The builds of a release, one for each file that people download, and which of them suits a computer. */
import { anyVersion, parseVersion, type SystemName, systemNames } from '../base/systems.ts';
import type { Architecture } from '../content/field-schemas.ts';
import type { ProductSystem } from '../content/product-schema.ts';
import { type BuildFormat, type FeedRelease, type FeedWarning, isUpdaterSource } from './release.ts';
import type { ReleaseGroup } from './release-groups.ts';
import { type Computer, rankArch, runsOn } from './selection.ts';

/** A file of a release with the facts that product.yaml and the release's other files add to what its source says. */
export interface Build extends FeedRelease {
  /** The oldest version of its system that runs it, such as `14.0`; `0` for Linux, null if neither the source nor product.yaml says it. */
  readonly minVersion: string | null;
  /** The newest version of its system that runs it, or null if the source states none, or none that can be read. */
  readonly maxVersion: string | null;
}

/** Facts about processors that only the whole feed shows. */
export interface FeedHabits {
  /** Whether some item of an appcast requires Apple silicon: then one without a requirement runs on both processors. */
  readonly namesArm64: boolean;
}

/**
 * Returns a build for each file of a release, in their order. A minimum version or processor that the release does not state is
 * taken from `systems`, those of product.yaml, and is null if they have none, but the minimum version of Linux is always `0`. The
 * maximum version comes from the release alone.
 *
 * @param warnings receives a sentence for each version of a system that cannot be read
 */
export function describeBuilds(
  group: ReleaseGroup,
  systems: readonly ProductSystem[],
  habits: FeedHabits,
  warnings: FeedWarning[],
): Build[] {
  return group.map((file) => {
    const system = systems.find(({ os }) => os === file.os);
    const statedRange = inheritRange(file, group);
    const range = (what: 'minimum' | 'maximum', text: string | null, instead: string): string | null =>
      readRange(file, what, text, instead, warnings);
    const preset = file.os === 'Linux' ? anyVersion : (system?.minVersion ?? null);
    return {
      ...file,
      minimumOsVersion: statedRange.minimumOsVersion,
      maximumOsVersion: statedRange.maximumOsVersion,
      arch: findBuildArch(file, group, system?.archs ?? [], habits),
      minVersion:
        range('minimum', statedRange.minimumOsVersion, `${preset ?? 'none'} of product.yaml is shown`) ?? preset,
      maxVersion: range('maximum', statedRange.maximumOsVersion, 'none is shown'),
    };
  });
}

/**
 * Returns the range of system versions of a file. One that only a list has (GitHub's or the content folder's) has that of the
 * updater's file for its system, of the same processor if there is one, and its own without such a file.
 */
function inheritRange(
  file: FeedRelease,
  group: ReleaseGroup,
): Pick<FeedRelease, 'minimumOsVersion' | 'maximumOsVersion'> {
  if (isUpdaterSource(file.source)) return file;
  const updaterFiles = group.filter(({ source, os }) => isUpdaterSource(source) && os === file.os);
  return updaterFiles.find(({ arch }) => arch === file.arch) ?? updaterFiles[0] ?? file;
}

function readRange(
  { os, version, build, line }: FeedRelease,
  what: 'minimum' | 'maximum',
  text: string | null,
  instead: string,
  warnings: FeedWarning[],
): string | null {
  if (text === null) return null;
  const numbers = parseVersion(os, text);
  if (numbers !== null) return os === 'Windows' ? numbers.join('.') : text.trim();
  const message = `Release ${version} (build ${build}) has the ${what} OS version ${JSON.stringify(text)}, which is not a version; ${instead}.`;
  warnings.push({ line, message });
  return null;
}

/**
 * Returns the processor that a file is for, such as `arm64` or `universal`, or null if neither the source nor product.yaml
 * (`archs`, of which several are `universal`) says. An appcast has one item for Apple silicon and one without a requirement where a
 * version has two builds: the second is for Intel if its file name says so, and otherwise for both (`universal`). An item without a
 * requirement is for both, too, if only items of other releases require Apple silicon.
 */
function findBuildArch(
  file: FeedRelease,
  group: ReleaseGroup,
  archs: readonly Architecture[],
  { namesArm64 }: FeedHabits,
): string | null {
  if (file.arch !== null) return file.arch;
  if (file.source === 'appcast' && file.os === 'macOS') {
    if (group.some(({ os, arch }) => os === 'macOS' && arch === 'arm64'))
      return file.namedArch === 'x86_64' ? 'x86_64' : 'universal';
    if (namesArm64) return 'universal';
  }
  const [arch, another] = archs;
  return another === undefined ? (arch ?? null) : 'universal';
}

/** The order of formats that people prefer: an installer or a disk image before an archive. */
const preferredFormats: readonly (BuildFormat | null)[] = [
  'dmg',
  'pkg',
  'exe',
  'msi',
  'msix',
  'appimage',
  'deb',
  'rpm',
  'zip',
  'tar',
  null,
];

/**
 * Returns the builds in another order, the one that suits a computer best first: by processor, then by format as in
 * `preferredFormats`, then as they are given. Builds that do not run on the computer's processor come last.
 */
export function sortBuilds(builds: readonly Build[], computer: Computer): Build[] {
  const rank = ({ arch }: Build): number => rankArch(computer, arch) ?? Number.MAX_SAFE_INTEGER;
  const place = ({ format }: Build): number => preferredFormats.indexOf(format);
  return builds.toSorted((a, b) => rank(a) - rank(b) || place(a) - place(b));
}

/**
 * Returns the build that represents a release where no computer is known: the best one for the newest version of the product's main
 * system or, without builds for that, of the first of macOS, Windows and Linux that has one. If none of the system's builds runs on
 * its newest version, it is the best of them all.
 */
export function findMainBuild(builds: readonly [Build, ...Build[]], mainSystem: SystemName): Build {
  const [first] = builds;
  for (const os of [mainSystem, ...systemNames]) {
    const systemBuilds = builds.filter((build) => build.os === os);
    const newest: Computer = { os, osVersion: null, arch: null };
    const running = systemBuilds.filter((build) => runsOn(newest, build));
    const [best] = sortBuilds(running.length > 0 ? running : systemBuilds, newest);
    if (best !== undefined) return best;
  }
  return first;
}
