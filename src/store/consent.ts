/** Consent tickets, and the authorization codes that they turn into. */
import { list, lockClient } from './clients.ts';
import type { Database } from './database.ts';
import { bytes, defineRecord, integer, nullable, type RecordOf, text } from './record.ts';

/** Creates the part of the store that keeps tickets and codes. */
export const createConsentStore = (database: Database) => ({
  async createTicket(newTicket: ConsentTicket): Promise<void> {
    await ticket.insert(database, newTicket);
  },
  /** Removes the ticket and returns it, once; undefined if it is unknown, taken or expired. */
  async takeTicket(hash: Uint8Array, now: number): Promise<ConsentTicket | undefined> {
    const sql = `DELETE FROM consent_tickets WHERE hash = ?1 AND expires_at > ?2 RETURNING ${ticket.columns}`;
    const row = await database.get(sql, hash, now);
    return row && ticket.read(row);
  },
  /** Stores a code. Returns false if the client is not alive at the code's epoch. */
  createCode: (record: ConsentRecord) =>
    database.transaction(
      async (queries) => (await lockClient(queries, record.clientId, record.epoch)) && newCode.insert(queries, record),
    ),
  findCode: (hash: Uint8Array) => code.find(database, 'hash = ?1', hash),
});

/** The facts that a consent ticket and the code that it turns into share. */
const consent = {
  hash: bytes,
  clientId: text,
  epoch: integer,
  redirectUri: text,
  /** The S256 code challenge. */
  challenge: text,
  scopes: list,
  expiresAt: integer,
};
const newCode = defineRecord('codes', consent);
const code = defineRecord('codes', { ...consent, usedAt: nullable(integer) });
/** A validated authorization request that waits for a person's decision. */
const ticket = defineRecord('consent_tickets', { ...consent, state: nullable(text) });

export type ConsentRecord = RecordOf<typeof newCode>;
export type AuthorizationCode = RecordOf<typeof code>;
export type ConsentTicket = RecordOf<typeof ticket>;
