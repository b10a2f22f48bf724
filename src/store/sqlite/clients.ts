/** Registered clients in SQLite. */
import { clientColumns, clientValues } from '../new-rows.ts';
import { toClient } from '../rows.ts';
import type { ClientStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { recordAssertionUse } from './tokens.ts';

export function createSqliteClients(connection: Connection): ClientStore {
  return {
    async createClient(client, assertion) {
      return connection.transaction(() => {
        if (connection.get('SELECT 1 FROM clients WHERE id = ?', client.id) !== undefined) return 'exists';
        if (assertion !== undefined && !recordAssertionUse(connection, assertion)) return 'replayed';
        connection.run(insertClient, ...clientValues(client));
        return 'created';
      });
    },

    async findClient(id) {
      const row = connection.get('SELECT * FROM clients WHERE id = ?', id);
      return row === undefined ? undefined : toClient(row);
    },

    async findClientBySecret(secretHash) {
      const row = connection.get('SELECT * FROM clients WHERE secret_hash = ?', secretHash);
      return row === undefined ? undefined : toClient(row);
    },

    async revokeClient(id, now, erase) {
      return connection.transaction(() => {
        const revoked = connection.run(
          'UPDATE clients SET epoch = epoch + 1, revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
          now,
          id,
        );
        if (erase) connection.run(eraseClient, id);
        return revoked === 1;
      });
    },
  };
}

const insertClient = `
  INSERT INTO clients (${clientColumns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const eraseClient = `
  UPDATE clients
  SET name = NULL, redirect_uris = '[]', software_id = NULL, software_version = NULL, contacts = '[]',
    assertion_issuer = NULL, assertion_subject = NULL
  WHERE id = ?`;
