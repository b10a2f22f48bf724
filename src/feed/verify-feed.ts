/** Decides whether a feed's bytes become the feed: signature, content, usefulness, and no rollback. */
import { isAbsolute } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../base/hash.ts';
import { compareSparkleVersions } from '../base/sparkle-version.ts';
import { type AppcastOptions, readAppcast } from './appcast.ts';
import { FeedFault } from './fault.ts';
import type { FeedSnapshot } from './release.ts';
import { latestRelease } from './selection.ts';
import { openSignedFeed, type SignaturePolicy } from './signature.ts';

/** The facts about earlier feeds that bind later ones. */
export interface FeedHistory {
  readonly signed: boolean;
  readonly highestBuild: string | null;
  readonly superseded: readonly string[];
}

export const noHistory: FeedHistory = { signed: false, highestBuild: null, superseded: [] };

/** The operator's settings that a feed is verified by. */
export interface VerificationRules {
  /** An https URL, an http URL of this machine, or an absolute path. */
  readonly source: string;
  /** Ed25519 public keys in base64, as in SUPublicEDKey. Any of them may have signed the feed. */
  readonly publicKeys: readonly string[];
  readonly policy: SignaturePolicy;
  /** SHA-256 (hex) of a content that the operator accepts although it looks like a rollback. */
  readonly accept?: string;
}

export interface VerifiedFeed {
  readonly snapshot: FeedSnapshot;
  readonly history: FeedHistory & { readonly highestBuild: string };
}

/** Number of earlier contents whose hashes are stored; the highest build catches what is older. */
const maxSuperseded = 200;

/** Size from which verifying and hashing take some milliseconds each. */
const largeBytes = 500_000;

/** How the verified content is read. */
export type Reading = Omit<AppcastOptions, 'isVerified'>;

/** Verifies and reads a feed. Returns null if it is `current`, which is served now. Throws a FeedFault (`refused`). */
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
  const appcast = await readAppcast(content, { ...reading, isVerified: verifiedBy !== null });
  const best = latestRelease(appcast.releases);
  if (best === null) {
    const why = appcast.warnings[0] === undefined ? '' : ` ${appcast.warnings[0].message}`;
    throw new FeedFault('refused', `The feed has no release on its default channel.${why}`);
  }
  const problem = findRollback(best.build, sha256, history);
  const warnings = [...appcast.warnings];
  if (problem !== null && rules.accept?.toLowerCase().replace(/^sha256:/, '') !== sha256) {
    // Someone who edits their own unsigned file may take a release back; nobody replays it from elsewhere.
    if (rules.policy !== 'off' || !isAbsolute(rules.source))
      throw new FeedFault('refused', `${problem} To accept it, set feed.accept to ${sha256} in product.yaml.`);
    warnings.push({ line: null, message: problem });
  }
  const linked = reading.linkedNotes?.(appcast.notesLinks) ?? new Map();
  const superseded = history.superseded.filter((earlier) => earlier !== sha256);
  if (current !== null && current.sha256 !== sha256) superseded.push(current.sha256);
  return {
    snapshot: {
      sha256,
      revision: sha256Hex(JSON.stringify([sha256Hex(bytes), [...linked.keys()]])),
      bytes,
      address: reading.address,
      verifiedBy,
      isSigned,
      ...appcast,
      warnings,
    },
    history: {
      signed: history.signed || verifiedBy !== null,
      highestBuild: best.build,
      superseded: superseded.slice(-maxSuperseded),
    },
  };
}

/** Returns why a feed is older than one accepted before, or null. A signature has no date, so a replayed feed verifies. */
function findRollback(build: string, sha256: string, history: FeedHistory): string | null {
  if (history.highestBuild !== null && compareSparkleVersions(build, history.highestBuild) < 0) {
    return `The feed’s highest build is ${build}, below ${history.highestBuild}, which was accepted before: an old feed replayed, or a release withdrawn.`;
  }
  if (history.superseded.includes(sha256)) return 'The feed is an earlier one that has been superseded.';
  return null;
}
