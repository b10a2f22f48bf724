/** Creates the record of a release's file for sources that lack the further fields of Sparkle. */
import type { SystemName } from '../base/systems.ts';
import { describeFile, getLastSegment, type NamedFile } from './file-names.ts';
import type { ParsedItem } from './parse-item.ts';
import type { FeedRelease } from './release.ts';
import { isRelative, resolveWebAddress } from './web-address.ts';

type File = ParsedItem['release'];

/** The facts about a file that every source has, and those that some have. */
export type FileFacts = Pick<File, 'source' | 'version' | 'channel' | 'downloadUrl' | 'os'> & Partial<File>;

/**
 * Creates the record of a file. A fact that is not given is null, except that `build` is the version, `hardware` empty,
 * `isInformational` false and `feedIndex` 0.
 */
export const createFile = (facts: FileFacts): File => ({
  build: facts.version,
  title: null,
  publishedAtTime: null,
  notesUrl: null,
  fullNotesUrl: null,
  isInformational: false,
  sizeBytes: null,
  sha256: null,
  sha512: null,
  signature: null,
  arch: null,
  namedArch: null,
  format: null,
  minimumOsVersion: null,
  maximumOsVersion: null,
  hardware: [],
  critical: null,
  minimumUpdateBuild: null,
  minimumAutoupdateBuild: null,
  phasedRolloutSeconds: null,
  feedIndex: 0,
  line: null,
  ...facts,
});

/** A file that people download, and what its name says. */
export interface ListedFile extends NamedFile {
  /** The absolute http or https URL of the file. */
  readonly url: string;
}

/**
 * Returns the file at a URL as a list writes it, or a sentence without its full stop if nobody can download it, or it is not for
 * `os`. `base` is the URL that a relative one starts at, null if nobody knows it; `os` is null if any system will do.
 */
export function readListedFile(fileUrl: string, base: string | null, os: SystemName | null): ListedFile | string {
  const url = resolveWebAddress(fileUrl, base);
  const parsedUrl = URL.parse(url ?? '');
  const name = getLastSegment(fileUrl);
  if (url === null && base === null && isRelative(fileUrl))
    return `the URL of ${name} is relative, and nothing says to what: write the URL of this file as base_url in product.yaml`;
  if (url === null || parsedUrl === null || parsedUrl.username !== '' || parsedUrl.password !== '')
    return `a file has a URL that is not http or https, or has a user name: ${JSON.stringify(fileUrl.slice(0, 200))}`;
  const file = describeFile(url);
  if (file === null || file === 'conflict') return `${name} is no file that people download`;
  return os !== null && file.os !== null && file.os !== os ? `${name} is for ${file.os}` : { ...file, url };
}

/** Returns a version without the `v` of a tag, or null if there is none or the text has not the form of one. */
export function readVersion(version: string | null | undefined): string | null {
  const text = version?.trim().replace(/^v(?=\d)/i, '') ?? '';
  return /^\d[\w.+-]{0,127}$/.test(text) ? text : null;
}

/**
 * Returns the files, in which those for macOS without a processor have become those for Intel if there is one for Apple silicon
 * next to them.
 */
export function markIntelFiles<F extends Pick<FeedRelease, 'os' | 'arch'>>(files: readonly F[]): F[] {
  const isMac = ({ os }: F): boolean => os === 'macOS';
  const hasArm64 = files.some((file) => isMac(file) && file.arch === 'arm64');
  return files.map((file) => (hasArm64 && isMac(file) && file.arch === null ? { ...file, arch: 'x86_64' } : file));
}

/**
 * Returns an item for each file of a release, with the same notes and without links or warnings. A macOS file that names no processor
 * next to one for arm64 is for Intel.
 */
export const createItems = (files: readonly File[], notes: ParsedItem['notes']): ParsedItem[] =>
  markIntelFiles(files).map((release) => ({ kind: 'release', release, notes, link: null, warnings: [] }));

/**
 * Returns the notes of a release, as HTML if they have a tag of a block and otherwise as Markdown, or null if there are none. `url`
 * is their web page, where relative URLs in them start; null if they have none.
 */
export const readNotes = (text: string | null | undefined, url: string | null = null): ParsedItem['notes'] =>
  !text?.trim()
    ? null
    : { text, format: /<(?:p|ul|ol|li|h[1-6]|br|div)\b[^<>]*>/i.test(text) ? 'html' : 'markdown', url, base: url };
