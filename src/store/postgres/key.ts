/** Whether the servers on one database were given one SECRET_KEY: what each signs, the others have to recognize. */
import { createHmac } from 'node:crypto';
import { bytes } from '../row.ts';
import { type Queries, statement } from './queries.ts';

/** `first`: no server has started on the database yet. */
type KeyComparison = 'first' | 'same' | 'other';

/** Compares the key with that of the server that started last. */
export async function compareKey(queries: Queries, key: Uint8Array): Promise<KeyComparison> {
  const row = await queries.get(readFingerprint);
  if (row === undefined) return 'first';
  return Buffer.compare(bytes(row, 'fingerprint'), fingerprintOf(key)) === 0 ? 'same' : 'other';
}

/** The same, and remembers this one. */
export async function rememberKey(queries: Queries, key: Uint8Array): Promise<KeyComparison> {
  const comparison = await compareKey(queries, key);
  if (comparison !== 'same') await queries.run(writeFingerprint, fingerprintOf(key));
  return comparison;
}

/** One way: whoever reads it cannot sign with it. */
const fingerprintOf = (key: Uint8Array): Buffer => createHmac('sha256', key).update('fingerprint').digest();

const readFingerprint = statement('read_key_fingerprint', 'SELECT fingerprint FROM secret_key');

const writeFingerprint = statement(
  'write_key_fingerprint',
  `INSERT INTO secret_key (fingerprint) VALUES ($1)
   ON CONFLICT (only_row) DO UPDATE SET fingerprint = excluded.fingerprint`,
);
