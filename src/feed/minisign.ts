/** Reads Tauri's minisign texts: signatures of files, and public keys (https://jedisct1.github.io/minisign/, "Signature format"). */
import { isSignedBy } from './signature.ts';

/** A signature whose format is valid. */
export interface MinisignSignature {
  /** The ID of the signing key: its 8 bytes in their order, as lowercase hexadecimal digits. */
  readonly keyId: string;
  /** The signature of the file, 64 bytes. */
  readonly bytes: Buffer;
  /**
   * The trusted comment without its prefix `trusted comment: `: the fields `timestamp`, `file` and, since version 2.11.5 of Tauri's
   * command line, `version`, which the key's owner writes about the file, such as `file:Larder.app`, with tabs between them.
   */
  readonly comment: string;
  /** The signature of `bytes` and `comment`. */
  readonly commentSignature: Buffer;
}

/** A public key. */
export interface MinisignKey {
  /** The ID of the key, in the form of `keyId` in `MinisignSignature`. */
  readonly keyId: string;
  /** The Ed25519 public key: the base64 of 32 bytes. */
  readonly key: string;
}

/** Maximum length of a signature in base64; real ones have 400 characters. */
const maxLength = 4096;

/** Reads a signature of Tauri: the base64 of a minisign text. Returns null if it is none. */
export function readMinisignSignature(text: string): MinisignSignature | null {
  const [, line = '', comment = '', last = ''] = readLines(text);
  const [signature, commentSignature] = [Buffer.from(line, 'base64'), Buffer.from(last, 'base64')];
  const algorithm = signature.subarray(0, 2).toString('latin1');
  if (!comment.startsWith('trusted comment: ') || signature.length !== 74 || commentSignature.length !== 64)
    return null;
  if (algorithm !== 'ED' && algorithm !== 'Ed') return null;
  return {
    keyId: signature.subarray(2, 10).toString('hex'),
    bytes: signature.subarray(10),
    comment: comment.slice('trusted comment: '.length),
    commentSignature,
  };
}

/** Reads `pubkey` of tauri.conf.json: the base64 of a minisign key file. Returns null if it is none. */
export function readMinisignKey(text: string): MinisignKey | null {
  const bytes = Buffer.from(readLines(text)[1] ?? '', 'base64');
  if (bytes.length !== 42 || bytes.subarray(0, 2).toString('latin1') !== 'Ed') return null;
  return { keyId: bytes.subarray(2, 10).toString('hex'), key: bytes.subarray(10).toString('base64') };
}

const readLines = (text: string): string[] =>
  text.length > maxLength || !/^[A-Za-z\d+/\s]+={0,2}$/.test(text.trim())
    ? []
    : Buffer.from(text, 'base64').toString('utf8').split(/\r?\n/);

/**
 * Returns whether the comment of a signature was signed with this key; false for a malformed key. The IDs of the keys are not
 * compared, and whether the signature fits the file is not checked.
 */
export const isCommentAuthentic = (
  { bytes, comment, commentSignature }: MinisignSignature,
  { key }: MinisignKey,
): boolean => isSignedBy(Buffer.concat([bytes, Buffer.from(comment)]), commentSignature, key);

/**
 * Returns the value of the field `name` of the trusted comment, such as `file`, or null if it has none. Fields are separated by
 * tabs, and of several with one name the first counts.
 */
export const readCommentField = ({ comment }: MinisignSignature, name: string): string | null =>
  comment
    .split('\t')
    .find((field) => field.startsWith(`${name}:`))
    ?.slice(name.length + 1) ?? null;
