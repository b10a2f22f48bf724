/** Registered OAuth clients (RFC 7591), and the assertions that registrations and tokens use up. */
import type { Database, Queries } from './database.ts';
import { bytes, createChoiceColumn, defineRecord, integer, json, nullable, type RecordType, text } from './record.ts';

/**
 * Creates the part of the store that registers, finds and revokes clients. A revoked client is found, too; for an unknown one, the
 * functions that find return undefined.
 */
export function createClientStore(database: Database) {
  return {
    /**
     * Stores a client and uses `assertion` up (`created`), or changes nothing if its id or secret is taken (`exists`) or the
     * assertion was used before (`replayed`).
     */
    createClient: (client: NewClient, assertion?: AssertionUse) =>
      database.transaction<'created' | 'exists' | 'replayed'>(
        async (queries) => {
          // Two equal registrations at once have the same id and the same secret; a conflict on either of them means `exists`.
          if (!(await newClient.insert(queries, client))) return 'exists';
          if (assertion !== undefined && !(await assertionUse.insert(queries, assertion))) return 'replayed';
          return 'created';
        },
        (outcome) => outcome === 'created',
      ),
    findClient: (id: string) => client.find(database, 'id = ?1', id),
    findClientBySecret: (secretHash: Uint8Array) => client.find(database, 'secret_hash = ?1', secretHash),
    /**
     * Revokes the client and, in the same statement, every token, code and ticket of its epoch. Returns false if it is unknown or
     * was already revoked. The row stays for `revokedClientLifetime`, so that the id is not used again; `erase` empties what
     * describes the client.
     */
    revokeClient: (id: string, now: number, erase: boolean) =>
      database.transaction(async (queries) => {
        const revokedCount = await queries.run(revoke, id, now);
        if (erase) await queries.run(eraseDescription, id);
        return revokedCount === 1;
      }),
  };
}

/** Returns all clients, newest first, revoked ones included. */
export async function listClients(queries: Queries): Promise<Client[]> {
  const sql = `SELECT ${client.columns} FROM clients ORDER BY issued_at DESC, id`;
  return (await queries.all(sql)).map(client.read);
}

/**
 * Locks a client's row against a revocation until the transaction ends. Returns false if the client is unknown, revoked or of
 * another epoch.
 */
export async function lockClient(queries: Queries, id: string, epoch: number): Promise<boolean> {
  const sql = 'SELECT id FROM clients WHERE id = ?1 AND epoch = ?2 AND revoked_at IS NULL FOR SHARE';
  return (await queries.get(sql, id, epoch)) !== undefined;
}

/** The column of the type of an identity, in a client and in what is issued to it: `anonymous` or `identity_assertion`. */
export const identityType = createChoiceColumn('anonymous', 'identity_assertion');

/** The column of a list of strings, stored as a JSON array. */
export const list = json<readonly string[]>();

const registration = {
  id: text,
  /** Hash of the secret, or null for a public client. */
  secretHash: nullable(bytes),
  registrationTokenHash: bytes,
  /** Hash of the registration request's body, or null if it had no Idempotency-Key. */
  requestHash: nullable(bytes),
  issuedAt: integer,
  name: nullable(text),
  redirectUris: list,
  grantTypes: list,
  authMethod: text,
  scopes: list,
  softwareId: nullable(text),
  softwareVersion: nullable(text),
  contacts: list,
  identityType,
  assertionIssuer: nullable(text),
  assertionSubject: nullable(text),
};
const newClient = defineRecord('clients', registration);
const client = defineRecord('clients', {
  ...registration,
  /** Starts at 1. Tokens, codes and tickets are valid only while their epoch is the client's. */
  epoch: integer,
  /** When it last obtained a token, exact to a minute, or null if it never did. */
  lastTokenAt: nullable(integer),
  /** When the secret was revoked or the registration deleted, which is final, or null. */
  revokedAt: nullable(integer),
});
/**
 * One use of an assertion: a hash of its issuer and `jti`, stored until the assertion can no longer be accepted. A second
 * insertion returns false, and waits for the first to commit.
 */
export const assertionUse = defineRecord('assertion_uses', { hash: bytes, expiresAt: integer });

/**
 * A client before it is registered, with the hashes of its secrets. `secretHash` is null for a public client, `requestHash` without
 * an Idempotency-Key, and a member such as `name` if the registration does not state it. `issuedAt` is in milliseconds since 1970.
 */
export type NewClient = RecordType<typeof newClient>;
/**
 * A registered client. `lastTokenAt` is null before its first token, and `revokedAt` unless it is revoked; other members are null
 * as in `NewClient`, or because they were erased. Moments are in milliseconds since 1970.
 */
export type Client = RecordType<typeof client>;
/** A row of `assertion_uses`: the SHA-256 of an assertion's issuer and `jti`, and when it expires, in milliseconds since 1970. */
export type AssertionUse = RecordType<typeof assertionUse>;

/** Waits for a token that is being issued. That token has the epoch that this statement ends. */
const revoke = 'UPDATE clients SET epoch = epoch + 1, revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL';

const eraseDescription = `
  UPDATE clients
  SET name = NULL, redirect_uris = '[]', software_id = NULL, software_version = NULL, contacts = '[]',
    assertion_issuer = NULL, assertion_subject = NULL
  WHERE id = ?1`;
