/** Decides whether a feed's bytes become the feed: signature, content, usefulness, and never a step back. */
import { isAbsolute } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../base/hash.ts';
import { compareSparkleVersions } from '../base/sparkle-version.ts';
import { type AppcastOptions, readAppcast } from './appcast.ts';
import { FeedFault } from './fault.ts';
import type { FeedSnapshot } from './release.ts';
import { latestRelease } from './selection.ts';
import { openSignedFeed, type SignaturePolicy } from './signature.ts';

/** What was accepted before, as far as it binds what may come. */
export interface FeedHistory {
  readonly signed: boolean;
  readonly highWater: string | null;
  readonly superseded: readonly string[];
}

export const noHistory: FeedHistory = { signed: false, highWater: null, superseded: [] };

export interface AcceptanceRules {
  readonly publicKeys: readonly string[];
  readonly policy: SignaturePolicy;
  /** `warn` lets a vendor edit an unsigned file at will. */
  readonly stepBack: 'refuse' | 'warn';
  /** SHA-256 (hex) of a content that is accepted although it looks like a step back. */
  readonly accept: string | null;
}

export interface Accepted {
  readonly snapshot: FeedSnapshot;
  readonly history: FeedHistory & { readonly highWater: string };
}

/** A long line of earlier contents; the high water mark catches what is older. */
const mostSuperseded = 200;

const large = 500_000;

/** How the content is read once it is accepted. */
export type Reading = Omit<AppcastOptions, 'isVerified'>;

/** `current` is what is served now; the same content again gives null. Throws a FeedFault (`refused`). */
export async function acceptFeed(
  bytes: Buffer,
  current: FeedSnapshot | null,
  history: FeedHistory,
  rules: AcceptanceRules,
  reading: Reading,
): Promise<Accepted | null> {
  const { content, verifiedBy, isSigned } = openSignedFeed(bytes, rules.publicKeys, rules.policy);
  if (history.signed && verifiedBy === null && rules.policy !== 'off') {
    throw new FeedFault('refused', 'The feed is no longer signed, but a signed one was accepted before. Sign it.');
  }
  // Of a large feed, verifying and hashing take some milliseconds each.
  if (bytes.length > large) await setImmediate();
  const sha256 = sha256Hex(content);
  if (current?.verifiedBy === verifiedBy && current.bytes.equals(bytes)) return null;
  const appcast = await readAppcast(content, { ...reading, isVerified: verifiedBy !== null });
  const best = latestRelease(appcast.releases);
  if (best === null) {
    const why = appcast.warnings[0] === undefined ? '' : ` ${appcast.warnings[0].message}`;
    throw new FeedFault('refused', `The feed has no release on its default channel.${why}`);
  }
  const step = stepBack(best.build, sha256, history);
  const warnings = [...appcast.warnings];
  if (step !== null && rules.accept !== sha256) {
    if (rules.stepBack === 'refuse')
      throw new FeedFault('refused', `${step} To accept it, set feed.accept to ${sha256} in product.yaml.`);
    warnings.push({ line: null, message: step });
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
      hasRelativeUrls: appcast.hasRelativeUrls,
      releases: appcast.releases,
      notesLinks: appcast.notesLinks,
      verifiedBy,
      isSigned,
      warnings,
    },
    history: {
      signed: history.signed || verifiedBy !== null,
      highWater: best.build,
      superseded: superseded.slice(-mostSuperseded),
    },
  };
}

/** A signature has no date: an old feed, replayed, verifies. The server remembers what it has seen instead. */
function stepBack(build: string, sha256: string, history: FeedHistory): string | null {
  if (history.highWater !== null && compareSparkleVersions(build, history.highWater) < 0) {
    return `The feed’s highest build is ${build}, below ${history.highWater}, which was accepted before: an old feed replayed, or a release withdrawn.`;
  }
  if (history.superseded.includes(sha256)) return 'The feed is an earlier one that has been superseded.';
  return null;
}

/** What a feed with these options is held to. */
export function rulesOf({
  source,
  publicKeys,
  policy,
  accept,
}: {
  readonly source: string;
  readonly publicKeys: readonly string[];
  readonly policy: SignaturePolicy;
  /** SHA-256 (hex) of a content that the operator accepts although it looks like a rollback. */
  readonly accept?: string;
}): AcceptanceRules {
  return {
    publicKeys,
    policy,
    // Someone who edits their own unsigned file may take a release back; nobody replays it from elsewhere.
    stepBack: policy === 'off' && isAbsolute(source) ? 'warn' : 'refuse',
    accept: accept?.toLowerCase().replace(/^sha256:/, '') ?? null,
  };
}
