/** Statements on registered clients: rows in, clients out. */
import type { Database, Queries } from './database.ts';
import { bytes, defineRecord, integer, json, nullable, oneOf, type Row, text } from './row.ts';
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
      const row = await database.get(`${select} WHERE id = ?1`, id);
      return row && toClient(row);
    },

    async findClientBySecret(secretHash) {
      const row = await database.get(`${select} WHERE secret_hash = ?1`, secretHash);
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
  const sql = `SELECT ${listedClient.columns} FROM clients ORDER BY issued_at DESC, id`;
  return (await queries.all(sql)).map(listedClient.read);
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

/** The type of an identity, in a client and in what is issued to it. */
export const identityType = oneOf<IdentityType>('anonymous', 'identity_assertion');

/** Lists are JSON arrays of strings. */
export const list = json<readonly string[]>();

const newClient = defineRecord<NewClient>({
  id: text,
  secretHash: nullable(bytes),
  registrationTokenHash: bytes,
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
});

const changes = defineRecord<Pick<Client, 'epoch' | 'revokedAt'>>({ epoch: integer, revokedAt: nullable(integer) });

const listedClient = defineRecord<ListedClient>({
  id: text,
  name: nullable(text),
  identityType,
  scopes: list,
  issuedAt: integer,
  lastTokenAt: nullable(integer),
  revokedAt: nullable(integer),
});

/**
 * Inserts a client, or returns false if its id is taken. The conflict names no index, because a registration that is
 * repeated at the same moment has the same secret too, and would fail on the index of secrets.
 */
async function insertClient(queries: Queries, client: NewClient): Promise<boolean> {
  const sql = `INSERT INTO clients (${newClient.columns}) VALUES (${newClient.parameters}) ON CONFLICT DO NOTHING`;
  return (await queries.run(sql, ...newClient.write(client))) === 1;
}

const select = `SELECT ${newClient.columns}, ${changes.columns} FROM clients`;

const toClient = (row: Row): Client => ({ ...newClient.read(row), ...changes.read(row) });

/** Waits for a token that is being issued. That token has the epoch that this statement ends. */
const revoke = 'UPDATE clients SET epoch = epoch + 1, revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL';

const eraseDescription = `
  UPDATE clients
  SET name = NULL, redirect_uris = '[]', software_id = NULL, software_version = NULL, contacts = '[]',
    assertion_issuer = NULL, assertion_subject = NULL
  WHERE id = ?1`;
