/** A release as people read it: its name, its address on the site, its facts. */
import type { Catalog, Release } from '../catalog/catalog.ts';
import { dayInWords, processorsInWords, sizeInWords } from '../content/facts.ts';
import { filled } from '../content/words.ts';
import type { Site } from './site.ts';

/** Of several builds with one version, all but the highest show theirs too, as "About" windows do. */
export const releaseName = ({ id, version, build }: Release): string =>
  id === version ? version : `${version} (${build})`;

export { releasePath } from '../catalog/release-ids.ts';

/** The day as the feed has it; null when that is a guess. */
export const releaseDay = ({ publishedAt, publishedAtSource }: Release): string | null =>
  publishedAtSource === 'feed' ? publishedAt : null;

/** The day of the newest release that has one. */
export const newestDay = ({ releases }: Pick<Catalog, 'releases'>): string | null =>
  (releases ?? []).map(releaseDay).find((day) => day !== null) ?? null;

export const releaseDayInWords = (site: Site, release: Release): string => {
  const day = releaseDay(release);
  return day === null ? '' : dayInWords(day, site.language);
};

/** Returns the systems that run a release: "macOS 13.0 or later", "macOS 10.13 to 12.4". */
export function systemsInWords(site: Site, release: Release): string {
  if (release.id === site.catalog.latest?.id) return requiredSystemsInWords(site);
  return rangeInWords(site, release.platform.minVersion, release.platform.maxVersion);
}

/** Returns the systems that run the current release. */
export function requiredSystemsInWords(site: Site): string {
  const { osVersion, maximumOsVersion } = site.catalog.requirements;
  return rangeInWords(site, osVersion, maximumOsVersion);
}

function rangeInWords(site: Site, minimum: string, maximum: string | null): string {
  const system = `${site.catalog.requirements.os} ${minimum}`;
  return maximum === null
    ? filled(site.words.or_later, { system })
    : filled(site.words.from_to, { system, version: maximum });
}

/** Returns the processors that run the current release: "Intel or Apple silicon". */
export const requiredProcessorsInWords = (site: Site): string =>
  processorsInWords(site.catalog.requirements.os, site.catalog.requirements.archs, site);

export function releaseFacts(site: Site, release: Release): (string | false)[] {
  const { platform, sizeBytes, build, phasedRolloutSeconds } = release;
  return [
    releaseDayInWords(site, release),
    systemsInWords(site, release),
    processorsInWords(platform.os, [platform.arch], site),
    sizeBytes !== null && sizeInWords(sizeBytes, site.language),
    filled(site.words.build, { build }),
    phasedRolloutSeconds !== null && site.words.in_groups,
  ];
}

/** Its channel and its urgency, where they are worth a label. */
export function releaseLabels(
  site: Site,
  { channel, critical, isInformational }: Release,
): { text: string; isBad: boolean }[] {
  return [
    ...(channel === null ? [] : [{ text: channel, isBad: false }]),
    ...(critical === null ? [] : [{ text: urgencyInWords(site, critical.belowBuild), isBad: true }]),
    ...(isInformational ? [{ text: site.words.announcement, isBad: false }] : []),
  ];
}

const urgencyInWords = ({ words }: Site, belowBuild: string | null): string =>
  belowBuild === null ? words.critical : filled(words.critical_below, { build: belowBuild });

/** Its notes as markdown; where they are kept elsewhere, the way there. */
export function notesOrLink(site: Site, { notes, notesUrl, fullNotesUrl }: Release): string {
  if (notes !== '') return notes;
  if (notesUrl !== null) return `[${site.words.release_notes}](<${notesUrl}>)`;
  return fullNotesUrl === null ? site.words.no_notes : `[${site.words.all_release_notes}](<${fullNotesUrl}>)`;
}

/** What the link to its archive, or to its web page, says. */
export function downloadInWords(site: Site, release: Release): string {
  const { name } = site.product;
  return filled(release.isInformational ? site.words.about : site.words.download, {
    name,
    version: releaseName(release),
  });
}
