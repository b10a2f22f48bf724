/** Checks the Ed25519 signature at the end of a Sparkle 2.9 feed, over the raw bytes and against a list of keys. */
import { createPublicKey, verify } from 'node:crypto';
import { FeedFault } from './fault.ts';
import { isXml } from './recognition.ts';

/** The rule for signatures: a feed must be signed, may be, or is not checked. */
export type SignaturePolicy = 'required' | 'optional' | 'off';

/** A feed whose signature was checked by the policy. */
export interface OpenedFeed {
  /**
   * The bytes that the signature covers, and the only ones that may be parsed: never the block or anything after it. A file without
   * a block that can be read is whole.
   */
  readonly content: Buffer;
  /** The public key (base64) that verified it, or null when nothing did. */
  readonly verifiedBy: string | null;
  /** Whether the file carries a feed signature, verified or not. */
  readonly isSigned: boolean;
}

/**
 * Separates the content from its signature, and throws a FeedFault (`refused`) if the policy does not allow it. `required`: a good
 * signature by one of the keys; `optional`: none, a good one, or any if there are no keys; `off`: anything, even a malformed block.
 * A source that is not XML is returned whole and unchecked, because only appcasts are signed as a whole.
 */
export function openSignedFeed(bytes: Buffer, publicKeys: readonly string[], policy: SignaturePolicy): OpenedFeed {
  // `verifyFeed` refuses a source that is no appcast where a signature is required.
  if (!isXml(bytes)) return { content: bytes, verifiedBy: null, isSigned: false };
  const signature = findSignature(bytes);
  if (policy === 'off') {
    const content = signature.kind === 'signed' ? signature.content : bytes;
    return { content, verifiedBy: null, isSigned: signature.kind !== 'absent' };
  }
  if (signature.kind === 'malformed') throw new FeedFault('refused', signature.problem);
  if (signature.kind === 'absent') {
    if (policy === 'optional') return { content: bytes, verifiedBy: null, isSigned: false };
    throw new FeedFault(
      'refused',
      'The feed is not signed. Sign it with sign_update of Sparkle 2.9 or later; or set feed.signature to `optional`, since SUPublicEDKey signs archives in any feed.',
    );
  }
  if (publicKeys.length === 0) {
    if (policy === 'optional') return { content: signature.content, verifiedBy: null, isSigned: true };
    throw new FeedFault('refused', 'No public key is configured to check the feed with. Add one to feed.public_keys.');
  }
  for (const key of publicKeys) {
    if (isSignedBy(signature.content, signature.signature, key))
      return { content: signature.content, verifiedBy: key, isSigned: true };
  }
  throw new FeedFault(
    'refused',
    'The feed’s signature does not match: it was changed after signing, or signed with a key that is not in feed.public_keys.',
  );
}

type FoundSignature =
  | { kind: 'signed'; content: Buffer; signature: Buffer }
  | { kind: 'absent' }
  | { kind: 'malformed'; problem: string };

const opening = Buffer.from('<!-- sparkle-signatures:\n');
const block = /^<!-- sparkle-signatures:\nedSignature: ([A-Za-z0-9+/]{86}==)\nlength: (\d{1,15})\n-->[ \t\r\n]*$/;
/** A block is under 160 bytes; white space after it may be a little more. */
const maxTailBytes = 4096;

/**
 * Finds the signature block of a feed: `signed` with the content before it, `absent`, or `malformed` with a sentence about the
 * problem. The last one counts, as in Sparkle; unlike there, it must be whole, state the right length and end the file.
 */
function findSignature(bytes: Buffer): FoundSignature {
  const start = bytes.lastIndexOf(opening);
  if (start === -1) {
    if (!bytes.includes('<!-- sparkle-signatures:')) return { kind: 'absent' };
    return toMalformed(
      'its line breaks were changed, perhaps by an upload in text mode; publish the file byte for byte',
    );
  }
  const tail = bytes.subarray(start);
  const match = tail.length > maxTailBytes ? null : block.exec(tail.toString('latin1'));
  if (match === null) return toMalformed('something follows it, or its lines are not as the signing tool writes them');
  const signature = Buffer.from(match[1] ?? '', 'base64');
  if (signature.length !== 64) return toMalformed('a signature is 64 bytes');
  if (Number(match[2]) !== start) return toMalformed(`it says ${match[2]} bytes and the content has ${start}`);
  return { kind: 'signed', content: bytes.subarray(0, start), signature };
}

const toMalformed = (why: string): FoundSignature => ({
  kind: 'malformed',
  problem: `The feed’s signature block cannot be used: ${why}. Sign the feed again.`,
});

/** An Ed25519 SubjectPublicKeyInfo (RFC 8410 section 4) up to the 32 bytes of the key. */
const keyHeader = Buffer.from('302a300506032b6570032100', 'hex');

/** Returns whether `publicKey` (base64 of 32 bytes, as in SUPublicEDKey) signed exactly these bytes. A malformed key never did. */
export function isSignedBy(content: Uint8Array, signature: Uint8Array, publicKey: string): boolean {
  const raw = Buffer.from(publicKey, 'base64');
  if (raw.length !== 32 || signature.length !== 64) return false;
  try {
    const key = createPublicKey({ key: Buffer.concat([keyHeader, raw]), format: 'der', type: 'spki' });
    return verify(null, content, key, signature);
  } catch {
    return false;
  }
}
