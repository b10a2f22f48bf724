/** Writes a release for people: its name, its day, its requirements, its labels. */
import type { SystemName } from '../base/systems.ts';
import type { Catalog, Release } from '../catalog/catalog.ts';
import { listNeeds, listRanges, type SystemRequirements } from '../catalog/requirements.ts';
import { dayInWords, writeProcessors, writeSize, writeSystemRange } from '../content/facts.ts';
import { fillWords } from '../content/words.ts';
import type { Site } from './site.ts';

/**
 * Returns the version; with the build in parentheses, as "About" windows show it, if the release's ID is not the version, because
 * another build has that.
 */
export const getReleaseName = ({ id, version, build }: Release): string =>
  id === version ? version : `${version} (${build})`;

export { getReleasePath } from '../catalog/release-ids.ts';

/**
 * Returns the release that the front page presents: what the updater offers, or else the one by which compatibility is measured,
 * such as a beta while every release is on a channel; null if there is none.
 */
export const findPresentedRelease = ({ catalog }: Site): Release | null =>
  catalog.latest ?? catalog.requirements.current;

/** Returns the day of publication as `YYYY-MM-DD`, as the source has it; null if it is a guess. */
export const getReleaseDay = ({ publishedAt, publishedAtSource }: Release): string | null =>
  publishedAtSource === 'feed' ? publishedAt : null;

/** Returns the day of the newest release that has one as `YYYY-MM-DD`; null if none has. */
export const findNewestDay = ({ releases }: Pick<Catalog, 'releases'>): string | null =>
  (releases ?? []).map(getReleaseDay).find((day) => day !== null) ?? null;

/** Returns the day in words; empty if it is a guess. */
export const formatReleaseDay = (site: Site, release: Release): string => {
  const day = getReleaseDay(release);
  return day === null ? '' : dayInWords(day, site.language);
};

/** The systems and the processors of one range of versions, in words. */
interface NeedInWords {
  readonly os: SystemName;
  /** "macOS 13.0 or later". */
  readonly system: string;
  /** "Apple silicon or Intel"; empty if no source has them. */
  readonly processors: string;
}

/** Returns what a release needs on each system that it has a build for, two entries where processors have different ranges. */
const describeReleaseNeeds = (site: Site, release: Release): NeedInWords[] =>
  describeNeeds(site, listNeeds(release, site.catalog.systems));

/**
 * Returns what the current release needs on each system of `catalog.supported`, two entries where processors have different ranges,
 * and at least one; without a release, what product.yaml says.
 */
export const listRequiredNeeds = (site: Site): NeedInWords[] => describeNeeds(site, site.catalog.supported);

const describeNeeds = (site: Site, systems: readonly Omit<SystemRequirements, 'current'>[]): NeedInWords[] =>
  systems.flatMap((needs) =>
    listRanges(needs).map((range) => ({
      os: needs.os,
      system: writeSystemRange({ os: needs.os, ...range }, site.words),
      processors: writeProcessors(needs.os, range.archs, site),
    })),
  );

/** Returns the systems that run a release, '' for none: "macOS 13.0 or later", "macOS 14.0 or later, Windows 10 or later". */
export const describeSystems = (site: Site, release: Release): string =>
  [...new Set(describeReleaseNeeds(site, release).map(({ system }) => system))].join(', ');

/**
 * Returns needs as facts for `joinFacts`: two for a single one, its system and its processors ('' if no source has them), otherwise
 * one for each, so that no needs give an empty array.
 */
export function listNeedFacts(needs: readonly Omit<NeedInWords, 'os'>[]): string[] {
  const [only, another] = needs;
  if (only !== undefined && another === undefined) return [only.system, only.processors];
  return needs.map(({ system, processors }) => [system, processors].filter((text) => text !== '').join(', '));
}

/**
 * Returns the facts of a release for `joinFacts`: its day, requirements, the size of a single file, build and rollout, with false
 * or '' for one that it lacks.
 */
export function listReleaseFacts(site: Site, release: Release): (string | false)[] {
  const { sizeBytes, build, builds, phasedRolloutSeconds } = release;
  return [
    formatReleaseDay(site, release),
    ...listNeedFacts(describeReleaseNeeds(site, release)),
    sizeBytes !== null && builds.length === 1 && writeSize(sizeBytes, site.language),
    fillWords(site.words.build, { build }),
    phasedRolloutSeconds !== null && site.words.in_groups,
  ];
}

/**
 * Returns the labels of a release: its channel unless that is the default, whether it is critical, and whether it is an
 * announcement. `isBad` marks that of a critical one.
 */
export function listReleaseLabels(
  site: Site,
  { channel, critical, isInformational }: Release,
): { text: string; isBad: boolean }[] {
  return [
    ...(channel === null ? [] : [{ text: channel, isBad: false }]),
    ...(critical === null ? [] : [{ text: describeUrgency(site, critical.belowBuild), isBad: true }]),
    ...(isInformational ? [{ text: site.words.announcement, isBad: false }] : []),
  ];
}

const describeUrgency = ({ words }: Site, belowBuild: string | null): string =>
  belowBuild === null ? words.critical : fillWords(words.critical_below, { build: belowBuild });

/** Returns the notes as Markdown, or a link to them if they are published elsewhere, or else a sentence that there are none. */
export function writeNotesOrLink(site: Site, { notes, notesUrl, fullNotesUrl }: Release): string {
  if (notes !== '') return notes;
  if (notesUrl !== null) return `[${site.words.release_notes}](<${notesUrl}>)`;
  return fullNotesUrl === null ? site.words.no_notes : `[${site.words.all_release_notes}](<${fullNotesUrl}>)`;
}

/** Returns the text of a link to a file of a release, such as "Download Sotto 2.1.0", or to its web page if it is an announcement. */
export function downloadInWords(site: Site, release: Release): string {
  const { name } = site.product;
  return fillWords(release.isInformational ? site.words.about : site.words.download, {
    name,
    version: getReleaseName(release),
  });
}
