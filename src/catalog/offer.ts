/** Which release the updater offers a given computer, and why it offers none. */
import { ApiError } from '../base/api-error.ts';
import { formatMacos } from '../base/os-version.ts';
import { compareSparkleVersions } from '../base/sparkle-version.ts';
import type { Content } from '../content/content.ts';
import type { Architecture } from '../content/field-schemas.ts';
import { type Computer, highestBuild, runsOn } from '../feed/selection.ts';
import { explainOtherSystem, readCallerOs } from './caller-os.ts';
import { explainImpossibleMac } from './compatibility.ts';
import type { Release } from './releases.ts';

export interface OfferInput {
  /** null: the default channel only. */
  readonly channel: string | null;
  /** null: newer than any that a release names. */
  readonly osVersion: string | null;
  /** null: every processor that the newest computers have. */
  readonly arch: Architecture | null;
}

/**
 * Sparkle's rules for a check that the user starts: channel, minimum and maximum OS version, hardware, then the highest build.
 * What the feed is silent about in every item, product.yaml's minimums say. `items` are in the feed's order. Throws an ApiError:
 * `not_found` when the channel has no release, `unprocessable` with the reason when none runs there.
 */
export function findOffer(items: readonly Release[], { product }: Content, input: OfferInput): Release {
  const { arch } = input;
  const os = input.osVersion === null ? null : readCallerOs(input.osVersion);
  if (os?.kind === 'other') throw noneRuns(os.name, explainOtherSystem(product.name));
  const version = os?.version ?? null;
  const machine = `${version === null ? 'the newest macOS' : formatMacos(version)}${arch === null ? '' : ` on ${arch}`}`;
  const impossible = version === null || arch === null ? null : explainImpossibleMac({ version, arch });
  if (impossible !== null) throw noneRuns(machine, impossible);
  const onChannel = items.filter(({ channel }) => channel === null || channel === input.channel);
  if (onChannel.length === 0) throw new ApiError('not_found', 'The update feed has no release on its default channel.');
  const { os_version: minimum, arch: archs } = product.minimums;
  if (arch !== null && !archs.includes(arch) && !items.some(({ requiresArm64 }) => requiresArm64))
    throw noneRuns(machine, `${product.name} runs on ${archs.join(' and ')} only.`);
  const hasMinimums = items.some(({ minimumOsVersion }) => minimumOsVersion !== null);
  const candidates = hasMinimums ? onChannel : onChannel.map((item) => ({ ...item, minimumOsVersion: minimum }));
  const computer: Computer = { osVersion: version?.join('.') ?? null, hasArm64: arch !== 'x86_64' };
  const offered = highestBuild(candidates.filter((item) => runsOn(computer, item)));
  if (offered === null) throw noneRuns(machine, explainNoOffer(candidates, computer));
  return onChannel.find(({ feedIndex }) => feedIndex === offered.feedIndex) ?? offered;
}

const noneRuns = (machine: string, reason: string): ApiError =>
  new ApiError('unprocessable', `No release runs on ${machine}. ${reason}`);

/** Returns what keeps every release from running there. */
function explainNoOffer(items: readonly Release[], { osVersion, hasArm64 }: Computer): string {
  const minimums = items.flatMap(({ minimumOsVersion }) => minimumOsVersion ?? []).sort(compareSparkleVersions);
  const [lowest] = minimums;
  const isBelow = (version: string) => osVersion !== null && compareSparkleVersions(osVersion, version) < 0;
  if (lowest !== undefined && minimums.length === items.length && isBelow(lowest))
    return `Every release needs macOS ${lowest} or later.`;
  const maximums = items.flatMap(({ maximumOsVersion }) => maximumOsVersion ?? []).sort(compareSparkleVersions);
  const highest = maximums.at(-1);
  const isAbove = (version: string) => osVersion === null || compareSparkleVersions(osVersion, version) > 0;
  if (highest !== undefined && maximums.length === items.length && isAbove(highest))
    return `No release runs on a version after macOS ${highest}.`;
  if (!hasArm64 && items.every((item) => item.requiresArm64 || !runsOn({ osVersion, hasArm64: true }, item)))
    return `The releases for that version need Apple silicon (arm64). A program that runs under Rosetta sees x86_64: on Apple silicon send arm64.`;
  return 'Each release is for other versions of macOS.';
}
