/** Collects the files that sources list into releases: the files of one version on one channel are one release. */
import { normalizeVersion } from '../base/semver.ts';
import { type FeedRelease, type FeedWarning, isUpdaterSource } from './release.ts';
import { compareUpdates } from './selection.ts';

/** The files of one release, in the order of the sources; never empty. */
export type ReleaseGroup = readonly [FeedRelease, ...FeedRelease[]];

/**
 * Groups files by release, in the order of the first file of each version.
 *
 * Files of an appcast with one version and channel are one release if they have one build and differ in system, processor, format
 * or OS versions, or if their builds are for different systems or processors; otherwise they are two. A file of another kind of
 * source joins the last release of its version: on any channel if no updater reads that kind or the release begins with a file of
 * it, otherwise on the same one. The same URL in a release is the same file.
 *
 * @param items the files of every source, in the order of the sources
 * @param warnings receives a sentence for each file of which two sources state different facts
 */
export function groupReleases(items: readonly FeedRelease[], warnings: FeedWarning[]): ReleaseGroup[] {
  const byVersion = Map.groupBy(items, ({ version }) => normalizeVersion(version));
  return [...byVersion.values()].flatMap((files) => {
    const groups: [FeedRelease, ...FeedRelease[]][] = [];
    for (const file of files) {
      const group = groups.findLast((candidate) => belongsTo(file, candidate));
      if (group === undefined) groups.push([file]);
      else addFile(group, file, warnings);
    }
    return groups;
  });
}

/** Returns whether a file belongs to the release `group`, which has the same version, by the rules of `groupReleases`. */
function belongsTo(file: FeedRelease, group: ReleaseGroup): boolean {
  const [first] = group;
  if (file.source !== first.source) return !isUpdaterSource(file.source) || file.channel === first.channel;
  if (file.source !== 'appcast') return true;
  if (file.channel !== first.channel) return false;
  return group.every((other) =>
    other.build === file.build ? !isSameTarget(other, file) : isForOtherMachines(other, file),
  );
}

/** Returns whether two files of one build have the same system, processor, format and OS versions; unknown equals unknown. */
const isSameTarget = (a: FeedRelease, b: FeedRelease): boolean =>
  a.os === b.os &&
  getStatedArch(a) === getStatedArch(b) &&
  a.format === b.format &&
  a.minimumOsVersion === b.minimumOsVersion &&
  a.maximumOsVersion === b.maximumOsVersion;

const isForOtherMachines = (a: FeedRelease, b: FeedRelease): boolean => {
  const [archA, archB] = [getStatedArch(a), getStatedArch(b)];
  return a.os !== b.os || (archA !== null && archB !== null && archA !== archB);
};

const getStatedArch = ({ arch, namedArch }: FeedRelease): string | null => arch ?? namedArch;

/**
 * Adds a file to its release `group`, in place. If the release already has it, what is known of the file is added to the one that
 * is there.
 */
function addFile(group: [FeedRelease, ...FeedRelease[]], file: FeedRelease, warnings: FeedWarning[]): void {
  const place = group.findIndex((other) => other.downloadUrl === file.downloadUrl || isSameFile(other, file));
  const existing = group[place];
  if (existing === undefined) group.push(file);
  else group[place] = combine(existing, file, warnings);
}

/**
 * Returns whether sources of two kinds list one file under two URLs: the system, processor and format are the same, and so is at
 * least one of SHA-256, SHA-512 and size, which both have to state. False for two entries of one kind of source.
 */
const isSameFile = (a: FeedRelease, b: FeedRelease): boolean =>
  a.source !== b.source &&
  a.os === b.os &&
  getStatedArch(a) === getStatedArch(b) &&
  a.format === b.format &&
  ((a.sha256 !== null && a.sha256 === b.sha256) ||
    (a.sha512 !== null && a.sha512 === b.sha512) ||
    (a.sizeBytes !== null && a.sizeBytes === b.sizeBytes));

/**
 * Returns the file with what `other`, the entry for it in a second source, adds: size and hashes, and where they are missing,
 * processor, notes with their format, links to notes and date. A size or hash on which the two differ is null, since nobody knows
 * which is right, and `warnings` receives a sentence about it.
 */
function combine(existing: FeedRelease, other: FeedRelease, warnings: FeedWarning[]): FeedRelease {
  const conflicts: string[] = [];
  const agree = <T>(what: string, a: T | null, b: T | null): T | null => {
    if (a !== null && b !== null && a !== b) conflicts.push(what);
    return a === null || b === null ? (a ?? b) : a === b ? a : null;
  };
  const combinedFile = {
    ...existing,
    sizeBytes: agree('size', existing.sizeBytes, other.sizeBytes),
    sha256: agree('SHA-256', existing.sha256, other.sha256),
    sha512: agree('SHA-512', existing.sha512, other.sha512),
    arch: existing.arch ?? other.arch,
    ...(existing.notes === '' && { notes: other.notes, notesFormat: other.notesFormat }),
    notesUrl: existing.notesUrl ?? other.notesUrl,
    fullNotesUrl: existing.fullNotesUrl ?? other.fullNotesUrl,
    publishedAtTime: existing.publishedAtTime ?? other.publishedAtTime,
  };
  if (conflicts.length > 0)
    warnings.push({
      line: other.line,
      message: `Release ${existing.version}: the sources state different values of ${conflicts.join(' and ')} for ${existing.downloadUrl}; none is published.`,
    });
  return combinedFile;
}

/** Returns the file by which the updater orders a release: the one with the highest build, and of equal ones the first. */
export const getLeadingFile = (group: ReleaseGroup): FeedRelease =>
  group.reduce((highest, file) => (compareUpdates(highest, file) < 0 ? file : highest));
