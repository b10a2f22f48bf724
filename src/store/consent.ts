/** Authorization requests: a person decides about one with a consent ticket, and the client exchanges its code. */
import { list, lockClient } from './clients.ts';
import type { Database } from './database.ts';
import { bytes, createChoiceColumn, defineRecord, integer, nullable, type RecordType, text } from './record.ts';

/** Creates the part of the store that stores and takes consent tickets, and stores and finds authorization codes. */
export const createConsentStore = (database: Database) => ({
  /** Stores a validated authorization request under its ticket. Returns false if the ticket's hash is taken. */
  createTicket: (ticket: AuthorizationRequest) => storedRequest.insert(database, { ...ticket, kind: 'ticket' }),
  /** Removes the ticket and returns its request, once; undefined if it is unknown, taken or expired. */
  async takeTicket(hash: Uint8Array, now: number): Promise<AuthorizationRequest | undefined> {
    const row = await database.get(takeTicket, hash, now);
    return row && request.read(row);
  },
  /** Stores a request under its code. Returns false if its client is unknown, revoked or of another epoch, or the hash is taken. */
  createCode: (code: AuthorizationRequest) =>
    database.transaction(
      async (queries) =>
        (await lockClient(queries, code.clientId, code.epoch)) &&
        storedRequest.insert(queries, { ...code, kind: 'code' }),
    ),
  /** Finds a code, which may be expired or used, or returns undefined if it is unknown. */
  findCode: (hash: Uint8Array) => storedCode.find(database, `hash = ?1 AND kind = 'code'`, hash),
});

const fields = {
  /** Hash of the ticket or of the code. */
  hash: bytes,
  clientId: text,
  epoch: integer,
  redirectUri: text,
  /** The S256 code challenge. */
  challenge: text,
  scopes: list,
  state: nullable(text),
  expiresAt: integer,
};
const request = defineRecord('authorization_requests', fields);
const storedRequest = defineRecord('authorization_requests', { ...fields, kind: createChoiceColumn('ticket', 'code') });
const storedCode = defineRecord('authorization_requests', { ...fields, usedAt: nullable(integer) });

/**
 * A validated authorization request with the hash of its ticket or code. `state` is null if the client sent none; `expiresAt` is in
 * milliseconds since 1970.
 */
export type AuthorizationRequest = RecordType<typeof request>;
/** An authorization code with its request. `usedAt` is when it was exchanged, in milliseconds since 1970, or null if it was not. */
export type AuthorizationCode = RecordType<typeof storedCode>;

const takeTicket = `
  DELETE FROM authorization_requests WHERE hash = ?1 AND kind = 'ticket' AND expires_at > ?2
  RETURNING ${request.columns}`;
