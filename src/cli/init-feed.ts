/** The vendor's own feed as `colophon init` reads it: the facts for the folder, and what the operator should know. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../base/thrown.ts';
import type { FeedRelease, FeedSnapshot } from '../feed/release.ts';
import { latestRelease, offeredRelease } from '../feed/selection.ts';
import { UsageError } from './command.ts';
import { fetchOnce, readOnce } from './feed-inspection.ts';
import { counted } from './terminal.ts';

/** What the feed contributes to the folder. */
export interface FeedReading {
  /** The feed in product.yaml: its URL, or the file in the folder. */
  readonly source: string;
  /** The bytes of that file, or null for a URL. */
  readonly file: Buffer | null;
  /** The URL where a feed from a file is published, or null. */
  readonly feedUrl: string | null;
  /** Whether product.yaml has to allow an unsigned feed: there is a key, and the feed has no signature. */
  readonly isOptional: boolean;
  readonly latest: FeedRelease | null;
  /** Number of releases whose notes are behind a link. */
  readonly linkedNotes: number;
  /** Lines for the terminal. */
  readonly summary: readonly string[];
}

/** The options of `init` about the feed. */
export interface VendorFeed {
  /** A URL, or a path relative to `directory`. */
  readonly source: string;
  readonly directory: string;
  readonly publicKey: string | null;
  readonly feedUrl: string | null;
}

/** Reads the feed. Throws an Error that names the fix if a server would refuse the feed. */
export async function readVendorFeed({ source, directory, publicKey, feedUrl }: VendorFeed): Promise<FeedReading> {
  if (feedUrl !== null && !/^https?:\/\/[^\s/]+(\/\S*)?$/.test(feedUrl))
    throw new UsageError(`--feed-url must be an http or https URL; it is \`${feedUrl}\`.`);
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
  const { bytes, url } = isUrl ? await fetchOnce(source) : { bytes: await readLocal(directory, source), url: null };
  const snapshot = await verify(bytes, url ?? feedUrl, publicKey);
  const { releases, warnings } = snapshot;
  return {
    source: isUrl ? source : 'appcast.xml',
    file: isUrl ? null : bytes,
    feedUrl: isUrl ? null : feedUrl,
    isOptional: publicKey !== null && !snapshot.isSigned,
    latest: offeredRelease(releases) ?? latestRelease(releases),
    linkedNotes: releases.filter(({ notes, notesUrl, fullNotesUrl }) => notes === '' && (notesUrl ?? fullNotesUrl))
      .length,
    summary: [
      describeReleases(releases),
      describeSignature(snapshot, publicKey),
      ...warnings.map(({ line, message }) => `Warning: ${line === null ? '' : `line ${line}: `}${message}`),
    ],
  };
}

const readLocal = (directory: string, path: string): Promise<Buffer> =>
  readFile(resolve(directory, path)).catch((error: unknown) => {
    throw new Error(`--appcast must be the URL of a feed or a file; \`${path}\` cannot be read (${messageOf(error)}).`);
  });

async function verify(bytes: Buffer, address: string | null, publicKey: string | null): Promise<FeedSnapshot> {
  // A key signs archives in any feed, and the feed itself only since Sparkle 2.9.
  const policy = publicKey === null ? 'off' : 'optional';
  const publicKeys = publicKey === null ? [] : [publicKey];
  try {
    return await readOnce({ bytes, address, languages: [] }, { publicKeys, policy, rollback: 'warn', accept: null });
  } catch (error) {
    const hint = publicKey !== null && /signature/.test(messageOf(error)) ? ' Check --public-key.' : '';
    throw new Error(`${messageOf(error)}${hint}`, { cause: error });
  }
}

function describeReleases(releases: readonly FeedRelease[]): string {
  const count = counted(releases.length, 'release');
  const latest = offeredRelease(releases);
  if (latest === null) return `The feed has ${count}, and none for the newest macOS: each has a maximumSystemVersion.`;
  const { version, minimumOsVersion: minimum, requiresArm64 } = latest;
  const system = minimum === null ? 'no minimum macOS version' : `macOS ${minimum} or later`;
  return `The feed has ${count}; the latest is ${version} (${system}${requiresArm64 ? ', Apple silicon' : ''}).`;
}

function describeSignature({ isSigned, verifiedBy }: FeedSnapshot, publicKey: string | null): string {
  if (verifiedBy !== null) return 'Its signature is valid.';
  if (isSigned) return 'It is signed, but the signature is not checked: add your SUPublicEDKey to feed.public_keys.';
  return publicKey === null
    ? 'It is not signed (feed signatures need Sparkle 2.9). Sign it and add your SUPublicEDKey to feed.public_keys, or set `signature: optional` under feed to serve it unsigned.'
    : 'It has no feed signature, which needs Sparkle 2.9; the key signs the archives. product.yaml therefore has `signature: optional`: once the feed is signed, its signature is checked with the key.';
}
