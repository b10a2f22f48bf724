/** Statements on registered clients: rows in, clients out. */
import type { Database, Queries } from './database.ts';
import { bytes, integer, list, nullable, oneOf, type Row, text } from './row.ts';
import type { AssertionUse, Client, ClientStore, IdentityType, ListedClient, NewClient } from './store.ts';

/** Creates the part of the store that registers and revokes clients. */
export function createClientStore(database: Database): ClientStore {
  return {
    async createClient(client, assertion) {
      if (assertion === undefined) return (await insertClient(database, client)) ? 'created' : 'exists';
      return database.transaction(
        async (queries) => {
          if (!(await insertClient(queries, client))) return 'exists';
          return (await useAssertion(queries, assertion)) ? 'created' : 'replayed';
        },
        (outcome) => outcome === 'created',
      );
    },

    async findClient(id) {
      const row = await database.get(`SELECT ${columns}, epoch, revoked_at FROM clients WHERE id = ?1`, id);
      return row && toClient(row);
    },

    async findClientBySecret(secretHash) {
      const sql = `SELECT ${columns}, epoch, revoked_at FROM clients WHERE secret_hash = ?1`;
      const row = await database.get(sql, secretHash);
      return row && toClient(row);
    },

    async revokeClient(id, now, erase) {
      if (!erase) return (await database.run(revoke, id, now)) === 1;
      return database.transaction(async (queries) => {
        const revoked = await queries.run(revoke, id, now);
        await queries.run(eraseDescription, id);
        return revoked === 1;
      });
    },
  };
}

/** Returns all clients, newest first, revoked ones included. */
export async function listClients(queries: Queries): Promise<ListedClient[]> {
  const sql = `SELECT id, name, identity_type, scopes, issued_at, last_token_at, revoked_at FROM clients
    ORDER BY issued_at DESC, id`;
  return (await queries.all(sql)).map((row) => ({
    id: text(row, 'id'),
    name: nullable(text, row, 'name'),
    identityType: readIdentityType(row),
    scopes: list(row, 'scopes'),
    issuedAt: integer(row, 'issued_at'),
    lastTokenAt: nullable(integer, row, 'last_token_at'),
    revokedAt: nullable(integer, row, 'revoked_at'),
  }));
}

/** Locks a client's row against a revocation. Returns false if the client is not alive at this epoch. */
export async function lockClient(queries: Queries, id: string, epoch: number): Promise<boolean> {
  const sql = 'SELECT id FROM clients WHERE id = ?1 AND epoch = ?2 AND revoked_at IS NULL FOR SHARE';
  return (await queries.get(sql, id, epoch)) !== undefined;
}

/** Marks an assertion as used. Returns false if it was used before; concurrent callers wait for the first to commit. */
export async function useAssertion(queries: Queries, { hash, expiresAt }: AssertionUse): Promise<boolean> {
  const sql = 'INSERT INTO assertion_uses (hash, expires_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING';
  return (await queries.run(sql, hash, expiresAt)) === 1;
}

const columns = `id, secret_hash, registration_token_hash, request_hash, issued_at, name, redirect_uris,
  grant_types, auth_method, scopes, software_id, software_version, contacts, identity_type, assertion_issuer,
  assertion_subject`;

/**
 * Inserts a client, or returns false if its id is taken. The conflict names no index, because a registration that is
 * repeated at the same moment has the same secret too, and would fail on the index of secrets.
 */
async function insertClient(queries: Queries, client: NewClient): Promise<boolean> {
  const inserted = await queries.run(
    `INSERT INTO clients (${columns})
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) ON CONFLICT DO NOTHING`,
    client.id,
    client.secretHash,
    client.registrationTokenHash,
    client.requestHash,
    client.issuedAt,
    client.name,
    JSON.stringify(client.redirectUris),
    JSON.stringify(client.grantTypes),
    client.authMethod,
    JSON.stringify(client.scopes),
    client.softwareId,
    client.softwareVersion,
    JSON.stringify(client.contacts),
    client.identityType,
    client.assertionIssuer,
    client.assertionSubject,
  );
  return inserted === 1;
}

/** Waits for a token that is being issued. That token has the epoch that this statement ends. */
const revoke = 'UPDATE clients SET epoch = epoch + 1, revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL';

const eraseDescription = `
  UPDATE clients
  SET name = NULL, redirect_uris = '[]', software_id = NULL, software_version = NULL, contacts = '[]',
    assertion_issuer = NULL, assertion_subject = NULL
  WHERE id = ?1`;

function toClient(row: Row): Client {
  return {
    id: text(row, 'id'),
    secretHash: nullable(bytes, row, 'secret_hash'),
    registrationTokenHash: bytes(row, 'registration_token_hash'),
    requestHash: nullable(bytes, row, 'request_hash'),
    epoch: integer(row, 'epoch'),
    issuedAt: integer(row, 'issued_at'),
    revokedAt: nullable(integer, row, 'revoked_at'),
    name: nullable(text, row, 'name'),
    redirectUris: list(row, 'redirect_uris'),
    grantTypes: list(row, 'grant_types'),
    authMethod: text(row, 'auth_method'),
    scopes: list(row, 'scopes'),
    softwareId: nullable(text, row, 'software_id'),
    softwareVersion: nullable(text, row, 'software_version'),
    contacts: list(row, 'contacts'),
    identityType: readIdentityType(row),
    assertionIssuer: nullable(text, row, 'assertion_issuer'),
    assertionSubject: nullable(text, row, 'assertion_subject'),
  };
}

/** Reads the column `identity_type` of a client or of what was issued to it. */
export const readIdentityType = (row: Row): IdentityType =>
  oneOf(row, 'identity_type', ['anonymous', 'identity_assertion']);
