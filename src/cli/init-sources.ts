/** Reads the sources that `colophon init --releases` names, and returns what they have for product.yaml and for the terminal. */
import { basename } from 'node:path';
import { sourceSchema } from '../content/source-schema.ts';
import { combineSnapshots } from '../feed/combined-feed.ts';
import type { FeedRelease, FeedSnapshot } from '../feed/release.ts';
import { readSourceSettings } from '../feed/source-settings.ts';
import type { Invocation } from './command.ts';
import {
  describeSystems,
  describeWarning,
  findSignatureWarning,
  findSystems,
  inspectSource,
} from './feed-inspection.ts';

/** A source that somebody named. */
interface NamedSource {
  /** A URL, the path of a file, or a repository such as `acme/larder`. */
  readonly source: string;
  /** The key (base64) that may have signed it, or null if none was named. */
  readonly publicKey: string | null;
  /** The URL where a file is published, or null if none was named. */
  readonly feedUrl: string | null;
}

/** A source that was read. */
interface ReadSource {
  /** The entry of product.yaml. `signature` is `optional` for an unsigned appcast with a key, and absent otherwise. */
  readonly entry: { source: string; base_url?: string; public_keys?: string[]; signature?: 'optional' };
  readonly snapshot: FeedSnapshot;
  /** Whether the source is a file, which is copied into the folder. */
  readonly isFile: boolean;
}

/**
 * Reads a source and returns what it has for product.yaml and for the terminal. `sources` are entries of `feed`; `files` are pairs
 * of a path in the content folder and the bytes, none for a URL or a repository; `summary` has lines without line ends. If it is
 * one of electron-builder's files, which are for one system each, those for the other systems are read too; those that are missing
 * or refused are left out.
 *
 * @throws an Error that names the fix if a server would refuse the source itself
 */
export async function readSources(namedSource: NamedSource, invocation: Invocation) {
  const first = await readSource(namedSource, invocation);
  const { kind } = first.snapshot;
  const names = kind === 'electron-builder' ? listSystemFiles(namedSource.source) : [namedSource.source];
  const sources = await Promise.all(
    names.map(async (source) => {
      if (source === namedSource.source) return first;
      const feedUrl = namedSource.feedUrl && new URL(basename(source), namedSource.feedUrl).href;
      return await readSource({ ...namedSource, source, feedUrl }, invocation).catch(() => null);
    }),
  );
  const usableSources = sources.flatMap((source) => (source?.snapshot.kind === kind ? [source] : []));
  const parts = usableSources.map(({ entry, snapshot }) => ({ name: entry.source, snapshot }));
  const snapshot = combineSnapshots(parts) ?? first.snapshot;
  return {
    /** The sources in product.yaml. */
    sources: usableSources.map(({ entry }) => entry),
    /** The files that are copied into the folder, with their paths there. */
    files: usableSources.flatMap(({ isFile, entry, snapshot: { bytes } }) =>
      isFile ? [[entry.source, bytes] as const] : [],
    ),
    systems: findSystems(snapshot),
    /** Number of releases whose notes are behind a link. */
    linkedNotes: snapshot.releases.filter(hasLinkedNotes).length,
    /** Lines for the terminal. */
    summary: [
      `Releases from ${parts.map(({ name }) => name).join(', ')}:`,
      ...describeSystems(snapshot).map((line) => `  ${line}`),
      ...describeProtection(first),
      ...snapshot.warnings.map((warning) => `Warning: ${describeWarning(warning)}`),
    ],
  };
}

async function readSource(
  { source, publicKey, feedUrl }: NamedSource,
  { directory, env }: Invocation,
): Promise<ReadSource> {
  const entry = {
    source,
    ...(feedUrl !== null && { base_url: feedUrl }),
    // Before Sparkle 2.9, a key signs only archives and not the feed itself, so the signature of the feed is optional.
    ...(publicKey !== null && { public_keys: [publicKey], signature: 'optional' as const }),
  };
  const parsedEntry = { ...sourceSchema.parse(entry), path: ['feed'] };
  const settings = readSourceSettings(parsedEntry, { directory, product: { language: 'en' } });
  const { snapshot, problem } = await inspectSource(settings, env.GITHUB_TOKEN?.trim() || null);
  if (snapshot === null) {
    const option = /base_url/.test(problem ?? '') ? 'Pass it as --feed-url.' : 'Check --public-key.';
    throw new Error(/base_url|signature/.test(problem ?? '') ? `${problem} ${option}` : (problem ?? ''));
  }
  const { isFile } = settings;
  const { kind, isSigned } = snapshot;
  if (publicKey !== null && kind !== 'appcast' && kind !== 'tauri')
    throw new Error('A public key checks only an appcast or Tauri’s latest.json: leave out --public-key.');
  const { signature, ...signed } = entry;
  const feedEntry = kind === 'appcast' && !isSigned ? entry : signed;
  return { entry: isFile ? { ...feedEntry, source: basename(source) } : feedEntry, snapshot, isFile };
}

/**
 * Returns the names of electron-builder's files for macOS, Windows, Linux and Linux on arm64, in the folder or at the URL of `name`
 * and with its channel; only `name` if it does not end in .yml or .yaml.
 */
const listSystemFiles = (name: string): string[] => [
  ...new Set(
    ['-mac', '', '-linux', '-linux-arm64'].map((suffix) =>
      name.replace(/(?:-mac|-linux(?:-[a-z\d]+)?)?(?=\.ya?ml(?:[?#]|$))/i, suffix),
    ),
  ),
];

const hasLinkedNotes = ({ notes, notesUrl, fullNotesUrl }: FeedRelease): boolean =>
  notes === '' && (notesUrl ?? fullNotesUrl) !== null;

/**
 * Returns a list with one line for the terminal about the signature of an appcast: that it is valid, missing or not checked. The
 * list is empty for other sources, which are not signed as a whole.
 */
function describeProtection({ entry, snapshot }: ReadSource): string[] {
  if (entry.signature !== undefined) return [unsignedFeed];
  const gap = findSignatureWarning(snapshot, false);
  if (gap !== null) return [`Warning: ${gap}`];
  return snapshot.kind === 'appcast' ? ['Its signature is valid.'] : [];
}

const unsignedFeed =
  'It has no feed signature, which needs Sparkle 2.9; the key signs the archives. product.yaml therefore has `signature: optional`: once the feed is signed, its signature is checked with the key.';
