/** Decides which release the updater offers a given computer, and why it offers none. */
import { ApiError } from '../base/api-error.ts';
import { listInWords } from '../base/list-in-words.ts';
import { createComparison, formatVersion, type SystemName } from '../base/systems.ts';
import type { Architecture } from '../content/field-schemas.ts';
import type { ProductSystem } from '../content/product-schema.ts';
import { type Build, sortBuilds } from '../feed/builds.ts';
import { type BuildFormat, isUpdaterSource } from '../feed/release.ts';
import { type Computer, findHighestBuild, runsOn } from '../feed/selection.ts';
import { explainOtherSystem, readCallerOs, type SentSystem } from './caller-os.ts';
import { explainImpossibleMac, rosettaAdvice } from './compatibility.ts';
import { type Release, type ReleaseContent, replaceBuild } from './releases.ts';

/** A channel and a computer. Null stands for the default channel, the main system, its newest version, any processor or any format. */
export interface OfferInput extends SentSystem {
  readonly channel: string | null;
  readonly arch: Architecture | null;
  readonly format: BuildFormat | null;
}

/** A build with its release. */
type Candidate = Build & { readonly release: Release };

/**
 * Lists the builds of all releases for a system in the order of the sources. If none of them has a minimum OS version, each gets
 * that of product.yaml; if some have one, the others keep null, which means any version.
 */
function listBuilds(releases: readonly Release[], { os, minVersion }: ProductSystem): Candidate[] {
  const pairs = releases
    .flatMap((release) => release.builds.map((build) => ({ build, release })))
    .filter(({ build }) => build.os === os)
    .sort((a, b) => a.build.feedIndex - b.build.feedIndex);
  const preset = pairs.some(({ build }) => build.minimumOsVersion !== null) ? null : minVersion;
  return pairs.map(({ build, release }) => ({
    ...build,
    minimumOsVersion: build.minimumOsVersion ?? preset,
    release,
  }));
}

/**
 * Lists the builds for a system that its updater offers, in the order of the sources. A release that is only in a list, such as a
 * GitHub repository's, is not offered while an updater's own feed has builds for that system.
 */
function listCandidates(releases: readonly Release[], system: ProductSystem): Candidate[] {
  const builds = listBuilds(releases, system);
  const updaterBuilds = builds.filter(({ source }) => isUpdaterSource(source));
  return updaterBuilds.length > 0 ? updaterBuilds : builds;
}

/**
 * Returns the release by which a system's requirements are measured, or null if no release has a build for it: the highest one on
 * the default channel that runs on the newest version, or else the highest there, or else the highest on any channel.
 */
export function findCurrent(releases: readonly Release[], system: ProductSystem): Release | null {
  const candidates = listCandidates(releases, system);
  const onDefault = candidates.filter(({ release }) => release.channel === null);
  const newest = onDefault.filter((build) => runsOn({ os: system.os, osVersion: null, arch: null }, build));
  return (findHighestBuild(newest) ?? findHighestBuild(onDefault) ?? findHighestBuild(candidates))?.release ?? null;
}

/**
 * Returns the release that the updater offers a computer, with the facts of the build that suits it best: the updater's rules for a
 * check that the user starts look at channel (the default one and `input.channel`), minimum and maximum OS version and processor,
 * and take the highest build.
 *
 * @throws ApiError `not_found` if the channels have no release or the offered one has no build in the format, `unprocessable` with
 *   the reason if none is for that system or runs there or if there is no such computer, and `invalid_request` for a version that
 *   `readCallerOs` refuses
 */
export function findOffer(
  releases: readonly Release[],
  product: ReleaseContent['product'],
  input: OfferInput,
): Release {
  const { channel, format } = input;
  const { system, computer } = readComputer(product, input);
  const candidates = listCandidates(releases, system).filter(
    ({ release }) => release.channel === null || release.channel === channel,
  );
  if (candidates.length === 0) throw explainNoRelease(releases, system.os, channel);
  const offeredBuild = findHighestBuild(candidates.filter((build) => runsOn(computer, build)));
  if (offeredBuild === null) throw toRefusal(describeComputer(computer), explainNoOffer(candidates, computer));
  const { release } = offeredBuild;
  const running = release.builds.filter(
    (build) => build.downloadUrl === offeredBuild.downloadUrl || runsOn(computer, build),
  );
  return chooseBuild(release, running, computer, format);
}

/**
 * Returns a release with the facts of its build for a computer, or `release` itself if every field of `input` is null. Where the
 * caller names no system, it is that of the release's main build.
 *
 * @throws ApiError `unprocessable` if none of its builds runs there or if there is no such computer, `not_found` if none of those
 *   that run there has the format, and `invalid_request` for a version that `readCallerOs` refuses
 */
export function selectBuild(
  release: Release,
  product: ReleaseContent['product'],
  input: Omit<OfferInput, 'channel'>,
): Release {
  const { os, osVersion, arch, format } = input;
  if (os === null && osVersion === null && arch === null && format === null) return release;
  const isSystemKnown = os !== null || osVersion !== null;
  const { system, computer } = readComputer(product, isSystemKnown ? input : { ...input, os: release.os });
  const running = listBuilds([release], system).filter((build) => runsOn(computer, build));
  if (running.length === 0)
    throw new ApiError(
      'unprocessable',
      `Release ${release.version} has no build that runs on ${describeComputer(computer)}.`,
    );
  return chooseBuild(release, running, computer, format);
}

/**
 * Returns the computer that a caller describes, and its system. Throws an ApiError `unprocessable` if the product does not run on
 * the system, no Mac has that version and processor or the version never existed, and `invalid_request` for a version that
 * `readCallerOs` refuses.
 */
function readComputer(
  { name, systems }: ReleaseContent['product'],
  input: Omit<OfferInput, 'channel' | 'format'>,
): { system: ProductSystem; computer: Computer } {
  const systemNames = systems.map(({ os }) => os);
  const caller = readCallerOs(input, systemNames);
  const system = caller.kind === 'other' ? undefined : systems.find(({ os }) => os === caller.os);
  if (caller.kind === 'other' || system === undefined)
    throw toRefusal(caller.kind === 'other' ? caller.name : caller.os, explainOtherSystem(name, systemNames));
  const { arch } = input;
  const computer: Computer = { os: system.os, osVersion: caller.version, arch };
  const impossible =
    system.os !== 'macOS' || caller.version === null || arch === null
      ? null
      : explainImpossibleMac({ version: caller.version, arch });
  if (impossible !== null) throw toRefusal(describeComputer(computer), impossible);
  return { system, computer };
}

/**
 * Returns a release with the facts of the build that suits a computer best, of `running`, at least one that runs there. Throws an
 * ApiError `not_found` if none of them has the format.
 */
function chooseBuild(
  release: Release,
  running: readonly Build[],
  computer: Computer,
  format: BuildFormat | null,
): Release {
  const suitable = sortBuilds(running, computer);
  const [build] = suitable.filter((candidate) => format === null || candidate.format === format);
  if (build === undefined) throw explainNoFormat(release, suitable, format ?? '');
  return replaceBuild(release, build);
}

const describeComputer = ({ os, osVersion, arch }: Computer): string => {
  const system = osVersion !== null ? formatVersion(os, osVersion) : os === 'Linux' ? os : `the newest ${os}`;
  return `${system}${arch === null ? '' : ` on ${arch}`}`;
};

const toRefusal = (machine: string, reason: string): ApiError =>
  new ApiError('unprocessable', `No release runs on ${machine}. ${reason}`);

function explainNoRelease(releases: readonly Release[], os: SystemName, channel: string | null): ApiError {
  const channels = [...new Set(releases.flatMap((release) => release.channel ?? []))].sort();
  if (releases.some((release) => release.channel === null || release.channel === channel))
    return toRefusal(os, `The releases have no build for ${os}.`);
  const advice = channels.length === 0 ? '' : ` Send channel=${channels.join(' or channel=')}.`;
  return new ApiError('not_found', `The update feed has no release on its default channel.${advice}`);
}

function explainNoFormat(release: Release, suitable: readonly Build[], format: string): ApiError {
  const formats = [...new Set(suitable.flatMap((build) => build.format ?? []))];
  const advice = formats.length === 0 ? '' : ` It has ${listInWords(formats, 'and')}.`;
  return new ApiError('not_found', `Release ${release.version} has no ${format} for that computer.${advice}`);
}

/**
 * Returns a sentence about what keeps all of `builds`, which are for its system, from running on a computer: the version of the
 * system, or the processor. It is called only if none of them runs there.
 */
function explainNoOffer(builds: readonly Build[], computer: Computer): string {
  const { os, osVersion, arch } = computer;
  const order = createComparison(os);
  const version = osVersion?.join('.') ?? null;
  const minimums = builds.flatMap(({ minimumOsVersion }) => minimumOsVersion ?? []).sort(order);
  const [lowest] = minimums;
  if (lowest !== undefined && minimums.length === builds.length && version !== null && order(version, lowest) < 0)
    return `Every release needs ${os} ${lowest} or later.`;
  const maximums = builds.flatMap(({ maximumOsVersion }) => maximumOsVersion ?? []).sort(order);
  const highest = maximums.at(-1);
  if (highest !== undefined && maximums.length === builds.length && (version === null || order(version, highest) > 0))
    return `No release runs on a version after ${os} ${highest}.`;
  const onOther = (other: Architecture): boolean => builds.some((build) => runsOn({ ...computer, arch: other }, build));
  if (arch === 'x86_64' && onOther('arm64')) {
    return os === 'macOS'
      ? `The releases for that version need Apple silicon (arm64). ${rosettaAdvice}`
      : 'The releases for that version need an Arm processor (arm64).';
  }
  if (arch === 'arm64' && onOther('x86_64')) return 'The releases for that version need an x86_64 processor.';
  return `Each release is for other versions of ${os}.`;
}
