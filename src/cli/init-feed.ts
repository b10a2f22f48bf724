/** The vendor's own feed, as `colophon init` reads it: what it says of the application, and what the operator should know. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/thrown.ts';
import { FeedFault } from '../feed/fault.ts';
import { fetchFeed } from '../feed/fetch.ts';
import { createNotesReader } from '../feed/notes.ts';
import type { FeedRelease, FeedSnapshot } from '../feed/release.ts';
import { latestRelease, offeredRelease } from '../feed/selection.ts';
import { noHistory, verifyFeed } from '../feed/verify-feed.ts';
import { createWorkers } from '../worker/pool.ts';
import { UsageError } from './command.ts';
import { counted } from './terminal.ts';

export interface FeedReading {
  /** What product.yaml calls the feed: its URL, or the file in the folder. */
  readonly source: string;
  /** The bytes of that file; null for a URL. */
  readonly file: Buffer | null;
  /** Where a feed from a file is published. */
  readonly feedUrl: string | null;
  /** A key is given and the feed carries no signature: product.yaml has to say so. */
  readonly isOptional: boolean;
  readonly latest: FeedRelease | null;
  /** Releases whose notes are behind a link. */
  readonly linkedNotes: number;
  /** For the terminal. */
  readonly said: readonly string[];
}

export interface VendorFeed {
  /** A URL, or a path relative to `directory`. */
  readonly written: string;
  readonly directory: string;
  readonly publicKey: string | null;
  /** `--feed-url`. */
  readonly feedUrl: string | null;
}

/** Throws an Error that names the fix: a folder is not made around a feed that a server would refuse. */
export async function readVendorFeed({ written, directory, publicKey, feedUrl }: VendorFeed): Promise<FeedReading> {
  if (feedUrl !== null && !/^https?:\/\/[^\s/]+(\/\S*)?$/.test(feedUrl))
    throw new UsageError(`--feed-url must be an http or https URL; it is \`${feedUrl}\`.`);
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(written);
  const { bytes, url } = isUrl ? await download(written) : { bytes: await fileOf(directory, written), url: null };
  const snapshot = await accepted(bytes, url ?? feedUrl, publicKey);
  const isOptional = publicKey !== null && !snapshot.isSigned;
  return {
    source: isUrl ? written : 'appcast.xml',
    file: isUrl ? null : bytes,
    feedUrl: isUrl ? null : feedUrl,
    isOptional,
    latest: offeredRelease(snapshot.releases) ?? latestRelease(snapshot.releases),
    linkedNotes: linkedNotesOf(snapshot),
    said: [...feedInWords(snapshot), ...signatureInWords(snapshot, publicKey), ...warningsInWords(snapshot)],
  };
}

async function download(written: string): Promise<{ bytes: Buffer; url: string | null }> {
  const signal = new AbortController().signal;
  const fetched = await fetchFeed(written, { validators: null, deadlineMs: 15_000, signal, now: systemClock.now() });
  return { bytes: fetched.bytes ?? Buffer.alloc(0), url: fetched.url };
}

async function fileOf(directory: string, written: string): Promise<Buffer> {
  try {
    return await readFile(resolve(directory, written));
  } catch (thrown) {
    throw new Error(
      `--appcast must be the URL of a feed or a file; \`${written}\` cannot be read (${messageOf(thrown)}).`,
      {
        cause: thrown,
      },
    );
  }
}

async function accepted(bytes: Buffer, address: string | null, publicKey: string | null): Promise<FeedSnapshot> {
  const publicKeys = publicKey === null ? [] : [publicKey];
  // A key signs archives in any feed, and the feed itself only since Sparkle 2.9.
  const policy = publicKey === null ? 'off' : 'optional';
  const rules = { publicKeys, policy, rollback: 'warn', accept: null } as const;
  try {
    const workers = createWorkers({ clock: systemClock });
    const found = await verifyFeed(bytes, null, noHistory, rules, {
      address,
      languages: [],
      notes: createNotesReader(workers),
      workers,
    });
    if (found === null) throw new FeedFault('refused', 'The feed has no content.');
    return found.snapshot;
  } catch (thrown) {
    const isSignature = publicKey !== null && /signature/.test(messageOf(thrown));
    throw new Error(`${messageOf(thrown)}${isSignature ? ' Check --public-key.' : ''}`, { cause: thrown });
  }
}

const linkedNotesOf = ({ releases }: FeedSnapshot): number =>
  releases.filter(({ notes, notesUrl, fullNotesUrl }) => notes === '' && (notesUrl ?? fullNotesUrl) !== null).length;

function feedInWords({ releases }: FeedSnapshot): string[] {
  const latest = offeredRelease(releases);
  if (latest === null) {
    const has = counted(releases.length, 'release');
    return [`The feed has ${has}, and none for the newest macOS: each has a maximumSystemVersion.`];
  }
  const minimum = latest.minimumOsVersion;
  const macs = `${minimum === null ? 'no minimum macOS version' : `macOS ${minimum} or later`}${latest.requiresArm64 ? ', Apple silicon' : ''}`;
  return [`The feed has ${counted(releases.length, 'release')}; the latest is ${latest.version} (${macs}).`];
}

function signatureInWords({ isSigned, verifiedBy }: FeedSnapshot, publicKey: string | null): string[] {
  if (verifiedBy !== null) return ['Its signature is valid.'];
  if (isSigned) return ['It is signed, but the signature is not checked: add your SUPublicEDKey to feed.public_keys.'];
  if (publicKey === null) {
    return [
      'It is not signed (feed signatures need Sparkle 2.9). Sign it and add your SUPublicEDKey to feed.public_keys, or set `signature: optional` under feed to serve it unsigned.',
    ];
  }
  return [
    'It has no feed signature, which needs Sparkle 2.9; the key signs the archives. product.yaml therefore has `signature: optional`: once the feed is signed, its signature is checked with the key.',
  ];
}

const warningsInWords = ({ warnings }: FeedSnapshot): string[] =>
  warnings.map(({ line, message }) => `Warning: ${line === null ? '' : `line ${line}: `}${message}`);
