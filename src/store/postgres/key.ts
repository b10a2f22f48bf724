/** Compares the SECRET_KEY of the servers on one database: what one server signs, the others have to recognize. */
import { createHmac } from 'node:crypto';
import type { Queries } from '../database.ts';
import { bytes } from '../record.ts';

/** `first`: no server has started on the database yet. */
type KeyComparison = 'first' | 'same' | 'other';

/** Compares the key with that of the server that started last, and stores its fingerprint for the next server. */
export async function rememberKey(queries: Queries, key: Uint8Array): Promise<KeyComparison> {
  const row = await queries.get('SELECT fingerprint FROM secret_key');
  const isSame = row !== undefined && Buffer.compare(bytes.read(row, 'fingerprint'), fingerprint(key)) === 0;
  if (isSame) return 'same';
  await queries.run(writeFingerprint, fingerprint(key));
  return row === undefined ? 'first' : 'other';
}

/** Returns a keyed hash, which does not allow to sign. */
const fingerprint = (key: Uint8Array): Buffer => createHmac('sha256', key).update('fingerprint').digest();

const writeFingerprint = `
  INSERT INTO secret_key (fingerprint) VALUES (?1)
  ON CONFLICT (only_row) DO UPDATE SET fingerprint = excluded.fingerprint`;
