/** Registered clients in PostgreSQL. */
import { clientColumns, clientValues } from '../new-rows.ts';
import { toClient } from '../rows.ts';
import type { ClientStore, NewClient } from '../store.ts';
import type { PostgresConnection } from './connection.ts';
import { type Queries, statement } from './queries.ts';
import { recordAssertionUse } from './tokens.ts';
import { createGathering, createTurns } from './turns.ts';

export function createPostgresClients(connection: PostgresConnection): ClientStore {
  /** A burst of one client's requests takes one connection, and each sees what was committed before it came. */
  const find = createGathering({
    inTurn: createTurns(),
    async ask(id, asked: readonly null[]) {
      const row = await connection.get(findClient, id);
      const client = row === undefined ? undefined : toClient(row);
      return asked.map(() => client);
    },
  });

  return {
    async createClient(client, assertion) {
      if (assertion === undefined) return (await insert(connection, client)) ? 'created' : 'exists';
      return connection.transaction(
        async (queries) => {
          if (!(await insert(queries, client))) return 'exists';
          return (await recordAssertionUse(queries, assertion)) ? 'created' : 'replayed';
        },
        (outcome) => outcome === 'created',
      );
    },

    findClient: (id) => find(id, null),

    async findClientBySecret(secretHash) {
      const row = await connection.get(findClientBySecret, secretHash);
      return row === undefined ? undefined : toClient(row);
    },

    async revokeClient(id, now, erase) {
      if (!erase) return (await connection.run(revokeClient, id, now)) === 1;
      return connection.transaction(async (queries) => {
        const revoked = await queries.run(revokeClient, id, now);
        await queries.run(eraseClient, id);
        return revoked === 1;
      });
    },
  };
}

/**
 * Waits for whoever is inserting the same id, so that one of them finds it taken. No index is named: a registration that is
 * repeated at the same moment has the same secret too, and would fail on that one's index.
 */
const insertClient = statement(
  'insert_client',
  `INSERT INTO clients (${clientColumns})
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
   ON CONFLICT DO NOTHING`,
);

const findClient = statement('find_client', `SELECT ${clientColumns}, epoch, revoked_at FROM clients WHERE id = $1`);

const findClientBySecret = statement(
  'find_client_by_secret',
  `SELECT ${clientColumns}, epoch, revoked_at FROM clients WHERE secret_hash = $1`,
);

/** Waits for a token that is being issued, which then has the epoch that this ends. */
const revokeClient = statement(
  'revoke_client',
  'UPDATE clients SET epoch = epoch + 1, revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL',
);

const eraseClient = statement(
  'erase_client',
  `UPDATE clients
   SET name = NULL, redirect_uris = '[]', software_id = NULL, software_version = NULL, contacts = '[]',
     assertion_issuer = NULL, assertion_subject = NULL
   WHERE id = $1`,
);

async function insert(queries: Queries, client: NewClient): Promise<boolean> {
  return (await queries.run(insertClient, ...clientValues(client))) === 1;
}
