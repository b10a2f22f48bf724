/** The record of a file of a release as sources list it that have none of Sparkle's other fields. */
import type { ParsedItem } from './parse-item.ts';
import type { FeedRelease } from './release.ts';

type File = ParsedItem['release'];

/** What every source says of a file, and what some do. */
export type FileFacts = Pick<File, 'source' | 'version' | 'channel' | 'downloadUrl' | 'os'> & Partial<File>;

/** Creates the record; what nobody states is null. */
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

/** Marks the files for macOS without a processor as those for Intel, if there is one for Apple silicon next to them. */
export function markIntelFiles<F extends Pick<FeedRelease, 'os' | 'arch'>>(files: readonly F[]): F[] {
  const isMac = ({ os }: F): boolean => os === 'macOS';
  const hasArm64 = files.some((file) => isMac(file) && file.arch === 'arm64');
  return files.map((file) => (hasArm64 && isMac(file) && file.arch === null ? { ...file, arch: 'x86_64' } : file));
}

/** Returns a version as people write it: without the `v` of a tag. */
export const withoutV = (version: string): string => version.trim().replace(/^v(?=\d)/i, '');

/** Returns the notes of a release: HTML if they have a tag of a block, otherwise Markdown. Null if there are none. */
export const readNotes = (text: string | null | undefined, url: string | null = null): ParsedItem['notes'] =>
  !text?.trim()
    ? null
    : { text, format: /<(?:p|ul|ol|li|h[1-6]|br|div)\b[^>]*>/i.test(text) ? 'html' : 'markdown', url, base: url };
