/** Decides whether fetched bytes become the feed: checks the signature, reads the releases and refuses a rollback. */
import { isAbsolute } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../base/hash.ts';
import { FeedFault } from './fault.ts';
import { readSource, type SourceOptions } from './read-source.ts';
import type { FeedSnapshot, SourceKind } from './release.ts';
import { compareUpdates, findHighestBuild, findLatestRelease, type Ordered } from './selection.ts';
import { openSignedFeed, type SignaturePolicy } from './signature.ts';

/** The facts about earlier feeds that bind later ones. */
export interface FeedHistory {
  /** Whether a signed feed was ever accepted. */
  readonly signed: boolean;
  /** The kind of the last copy, or null if there was none: builds of an appcast and versions of other sources are not compared. */
  readonly kind: SourceKind | null;
  /** The highest build of the default channel in the last copy, or of all channels if that one is empty; null without a copy. */
  readonly highestBuild: string | null;
  /** SHA-256 (hex) of earlier contents, newest last. */
  readonly superseded: readonly string[];
}

/** The history of a source that was never read. */
export const noHistory: FeedHistory = { signed: false, kind: null, highestBuild: null, superseded: [] };

/** The operator's settings that a feed is verified by. */
export interface VerificationRules {
  /** An https URL, an http URL of this machine, or an absolute path. */
  readonly source: string;
  /** The source's place in product.yaml for messages, such as `feed[1]`; `feed` if left out. */
  readonly path?: string;
  /** Ed25519 public keys, as in SUPublicEDKey or tauri.conf.json. Any of them may have signed the feed. */
  readonly publicKeys: readonly string[];
  readonly policy: SignaturePolicy;
  /** SHA-256 (hex, with or without `sha256:` before it) of a content that the operator accepts although it looks like a rollback. */
  readonly accept?: string;
}

/** A copy that may be served, and the facts that later copies are compared with. */
export interface VerifiedFeed {
  readonly snapshot: FeedSnapshot;
  readonly history: FeedHistory & { readonly kind: SourceKind; readonly highestBuild: string };
}

/** Number of earlier contents whose hashes are stored; the highest build catches what is older. */
const maxSuperseded = 200;

/** Size from which verifying and hashing take some milliseconds each. */
const largeBytes = 500_000;

/** The options by which the content of a verified feed is parsed, without those that `verifyFeed` adds from its rules. */
export type Reading = Omit<SourceOptions, 'isVerified' | 'source' | 'publicKeys' | 'policy'>;

/**
 * Verifies and reads a feed. Returns null if its bytes are those of `current`, which is served now (null if none is), verified by
 * the same key. Rejects with a FeedFault (`refused`) if it is not acceptable, or older than `history` allows; an older one is
 * accepted with a warning if it is a local file with the policy `off`, and without one if `rules.accept` is its SHA-256.
 */
export async function verifyFeed(
  bytes: Buffer,
  current: FeedSnapshot | null,
  history: FeedHistory,
  rules: VerificationRules,
  reading: Reading,
): Promise<VerifiedFeed | null> {
  const { content, verifiedBy, isSigned } = openSignedFeed(bytes, rules.publicKeys, rules.policy);
  if (history.signed && verifiedBy === null && rules.policy !== 'off') {
    throw new FeedFault('refused', 'The feed is no longer signed, but a signed one was accepted before. Sign it.');
  }
  if (bytes.length > largeBytes) await setImmediate();
  const sha256 = sha256Hex(content);
  if (current?.verifiedBy === verifiedBy && current.bytes.equals(bytes)) return null;
  const { source, publicKeys, policy } = rules;
  const feed = await readSource(content, { ...reading, source, publicKeys, policy, isVerified: verifiedBy !== null });
  // Parsing has checked the signature of each of Tauri's files. Any other unsigned source is refused, so none replaces a signed one.
  if (policy === 'required' && verifiedBy === null && feed.kind !== 'tauri')
    throw new FeedFault(
      'refused',
      'The feed is not signed, because only appcasts are signed as a whole: remove public_keys of this source, or name the appcast.',
    );
  // A feed of a public beta has no release on the default channel, so the highest build of any channel counts.
  const best = findLatestRelease(feed.releases) ?? findHighestBuild(feed.releases);
  if (best === null) {
    const why = feed.warnings[0] === undefined ? '' : ` ${feed.warnings[0].message}`;
    throw new FeedFault('refused', `The feed has no release that can be read.${why}`);
  }
  const problem = findRollback(best, sha256, history);
  const warnings = [...feed.warnings];
  if (problem !== null && rules.accept?.toLowerCase().replace(/^sha256:/, '') !== sha256) {
    // The owner of an unsigned local file may remove a release from it; nobody can replay an old file over the network.
    if (rules.policy !== 'off' || !isAbsolute(rules.source))
      throw new FeedFault(
        'refused',
        `${problem} To accept it, set ${rules.path ?? 'feed'}.accept to ${sha256} in product.yaml.`,
      );
    warnings.push({ line: null, message: problem });
  }
  const linkedNotes = reading.linkedNotes?.(feed.notesLinks) ?? new Map();
  const supersededDigests = history.superseded.filter((earlier) => earlier !== sha256);
  if (current !== null && current.sha256 !== sha256) supersededDigests.push(current.sha256);
  return {
    snapshot: {
      sha256,
      revision: sha256Hex(JSON.stringify([sha256Hex(bytes), [...linkedNotes.keys()]])),
      bytes,
      address: reading.address,
      verifiedBy,
      isSigned,
      source,
      ...feed,
      warnings,
    },
    history: {
      signed: history.signed || verifiedBy !== null,
      kind: feed.kind,
      highestBuild: best.build,
      superseded: supersededDigests.slice(-maxSuperseded),
    },
  };
}

/**
 * Returns a sentence about why a feed is older than one accepted before, or null if it is not: its highest build, `best`, is below
 * that of `history` for the same kind of source, or its hash is among the superseded ones. A signature has no date, so a replayed
 * feed verifies.
 */
function findRollback(best: Ordered, sha256: string, history: FeedHistory): string | null {
  const { source, build } = best;
  const earlier = history.kind === source ? history.highestBuild : null;
  if (earlier !== null && compareUpdates(best, { source, version: earlier, build: earlier }) < 0) {
    return `The feed’s highest build is ${build}, below ${earlier}, which was accepted before: an old feed replayed, or a release withdrawn.`;
  }
  if (history.superseded.includes(sha256)) return 'The feed is an earlier one that has been superseded.';
  return null;
}
