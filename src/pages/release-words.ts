/** A release as people read it: its name, its address on the site, its facts. */
import type { Catalog, Release } from '../catalog/catalog.ts';
import { filled, wordsOf } from './language.ts';
import { productOf, type Site } from './site.ts';
import { dayInWords, processorsInWords, sizeInWords } from './words.ts';

/** Of several builds with one version, all but the highest show theirs too, as "About" windows do. */
export const releaseName = ({ id, version, build }: Release): string =>
  id === version ? version : `${version} (${build})`;

export const releasePath = ({ id }: Release): string => `/releases/${encodeURIComponent(id).replaceAll('%2B', '+')}`;

/** The day as the feed has it; null when that is a guess. */
export const releaseDay = ({ publishedAt, publishedAtSource }: Release): string | null =>
  publishedAtSource === 'feed' ? publishedAt : null;

/** The day of the newest release that has one. */
export const newestDay = ({ releases }: Pick<Catalog, 'releases'>): string | null =>
  (releases ?? []).map(releaseDay).find((day) => day !== null) ?? null;

export const releaseDayInWords = (release: Release, language: string): string => {
  const day = releaseDay(release);
  return day === null ? '' : dayInWords(day, language);
};

/** "macOS 13.0 or later", "macOS 10.13 to 12.4". */
export const systemsInWords = ({ platform: { os, minVersion, maxVersion } }: Release): string =>
  maxVersion === null ? `${os} ${minVersion} or later` : `${os} ${minVersion} to ${maxVersion}`;

export function releaseFacts(release: Release, language: string): string[] {
  const { platform, sizeBytes, build, phasedRolloutSeconds } = release;
  return [
    releaseDayInWords(release, language),
    systemsInWords(release),
    processorsInWords(platform.os, [platform.arch]),
    sizeBytes === null ? '' : sizeInWords(sizeBytes),
    `build ${build}`,
    phasedRolloutSeconds === null ? '' : 'offered to users in groups',
  ].filter((fact) => fact !== '');
}

/** Its channel and its urgency, where they are worth a label. */
export const releaseLabels = ({ channel, critical, isInformational }: Release): { text: string; isBad: boolean }[] => [
  ...(channel === null ? [] : [{ text: channel, isBad: false }]),
  ...(critical === null ? [] : [{ text: urgencyInWords(critical.belowBuild), isBad: true }]),
  ...(isInformational ? [{ text: 'announcement', isBad: false }] : []),
];

const urgencyInWords = (belowBuild: string | null): string =>
  belowBuild === null ? 'critical' : `critical below build ${belowBuild}`;

/** Its notes as markdown; where they are kept elsewhere, the way there. */
export function notesOrLink({ notes, notesUrl, fullNotesUrl }: Release): string {
  if (notes !== '') return notes;
  if (notesUrl !== null) return `[Release notes](<${notesUrl}>)`;
  return fullNotesUrl === null ? 'There are no notes.' : `[Release notes of all versions](<${fullNotesUrl}>)`;
}

/** What the link to its archive, or to its web page, says. */
export function downloadInWords(site: Site, release: Release): string {
  const words = wordsOf(site);
  const { name } = productOf(site);
  return filled(release.isInformational ? words.about : words.download, { name, version: releaseName(release) });
}
