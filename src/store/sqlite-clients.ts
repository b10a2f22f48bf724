/** Registered clients in SQLite. */
import type { Connection, Row } from './sqlite-connection.ts';
import { bytes, integer, list, nullable, oneOf, text } from './sqlite-row.ts';
import { recordAssertionUse } from './sqlite-tokens.ts';
import type { Client, ClientStore } from './store.ts';

export function createSqliteClients(connection: Connection): ClientStore {
  return {
    async createClient(client, assertion) {
      return connection.transaction(() => {
        if (connection.get('SELECT 1 FROM clients WHERE id = ?', client.id) !== undefined) return 'exists';
        if (assertion !== undefined && !recordAssertionUse(connection, assertion)) return 'replayed';
        connection.run(
          insertClient,
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
  INSERT INTO clients (id, secret_hash, registration_token_hash, request_hash, issued_at, name, redirect_uris,
    grant_types, auth_method, scopes, software_id, software_version, contacts, identity_type, assertion_issuer,
    assertion_subject)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const eraseClient = `
  UPDATE clients
  SET name = NULL, redirect_uris = '[]', software_id = NULL, software_version = NULL, contacts = '[]',
    assertion_issuer = NULL, assertion_subject = NULL
  WHERE id = ?`;

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
    identityType: oneOf(row, 'identity_type', ['anonymous', 'identity_assertion']),
    assertionIssuer: nullable(text, row, 'assertion_issuer'),
    assertionSubject: nullable(text, row, 'assertion_subject'),
  };
}
