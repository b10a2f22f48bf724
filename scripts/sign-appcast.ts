/** Signs an appcast in place, as Sparkle's sign_update does: `node scripts/sign-appcast.ts --key KEY.pem FILE`. */

import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { getMessage } from '../src/base/thrown.ts';
import { createNotesReader } from '../src/feed/notes.ts';
import { readSource } from '../src/feed/read-source.ts';
import { findLatestRelease } from '../src/feed/selection.ts';
import { createWorkers } from '../src/worker/pool.ts';

const usage = 'Usage: node scripts/sign-appcast.ts --key KEY.pem FILE (KEY.pem: an Ed25519 private key in PKCS #8)';

/**
 * Returns the appcast with a new signature block at its end, instead of one that is there already. `key` has to be an Ed25519
 * private key, which is not checked.
 */
export function signAppcast(bytes: Buffer, key: KeyObject): Buffer {
  const content = removeSignature(bytes);
  const signature = sign(null, content, key).toString('base64');
  const block = `<!-- sparkle-signatures:\nedSignature: ${signature}\nlength: ${content.length}\n-->\n`;
  return Buffer.concat([content, Buffer.from(block)]);
}

/**
 * Returns the public key of an Ed25519 private key as SUPublicEDKey and `feed.public_keys` have it: the base64 of 32 bytes. Nothing
 * checks the kind of the key.
 */
export function getPublicKey(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
}

/**
 * Returns the bytes before the signature block at their end, or all of them if none is there. Latin-1 has one character for each
 * byte, so that none is changed.
 */
function removeSignature(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return bytes.subarray(0, text.length - (/<!-- sparkle-signatures:\r?\n[^>]*-->\s*$/.exec(text)?.[0].length ?? 0));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true });
  const [file, ...rest] = positionals;
  if (values.key === undefined || file === undefined || rest.length > 0) throw new Error(usage);
  const key = createPrivateKey(await readFile(values.key));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${values.key} is not an Ed25519 key. ${usage}`);
  const bytes = await readFile(file);
  const workers = createWorkers({ clock: systemClock });
  // An appcast that cannot be read throws here, so that it is not signed.
  const { releases, warnings } = await readSource(removeSignature(bytes), {
    address: null,
    languages: [],
    isVerified: true,
    notes: createNotesReader(workers),
    workers,
  });
  await writeFile(`${file}.signing`, signAppcast(bytes, key));
  await rename(`${file}.signing`, file);
  for (const { line, message } of warnings) console.warn(`${file}:${line ?? 1}: warning: ${message}`);
  const latest = findLatestRelease(releases);
  console.log(`Signed ${file}: ${releases.length} releases, the latest is ${latest?.version ?? 'none'}.`);
  console.log(`The public key is ${getPublicKey(key)}`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(getMessage(error));
    process.exitCode = 1;
  }
}
