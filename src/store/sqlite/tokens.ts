/** Access tokens and the redemption of codes and assertions in SQLite. */
import { tokenColumns, tokenValues } from '../new-rows.ts';
import { text } from '../row.ts';
import { toCode, toLiveToken } from '../rows.ts';
import { type AssertionUse, type NewToken, type TokenStore, tokensPerClient } from '../store.ts';
import type { Connection } from './connection.ts';

export function createSqliteTokens(connection: Connection): TokenStore {
  return {
    async issueToken(token) {
      return connection.transaction(() => {
        if (!clientIsAlive(connection, token)) return false;
        insertToken(connection, token, null);
        return true;
      });
    },

    async redeemAssertion(use, token) {
      return connection.transaction(() => {
        if (!clientIsAlive(connection, token)) return 'client_gone';
        if (!recordAssertionUse(connection, use)) return 'used';
        insertToken(connection, token, null);
        return 'issued';
      });
    },

    async findToken(hash, now) {
      const row = connection.read(findToken, hash, now);
      return row === undefined ? undefined : toLiveToken(row);
    },

    async revokeToken(hash, clientId) {
      const row = connection.get(
        'DELETE FROM tokens WHERE hash = ?1 AND (?2 IS NULL OR client_id = ?2) RETURNING client_id',
        hash,
        clientId ?? null,
      );
      return row === undefined ? undefined : text(row, 'client_id');
    },

    async findCode(hash) {
      const row = connection.get('SELECT * FROM codes WHERE hash = ?', hash);
      return row === undefined ? undefined : toCode(row);
    },

    async redeemCode(hash, token) {
      return connection.transaction(() => {
        if (!clientIsAlive(connection, token)) return 'client_gone';
        if (connection.run(useCode, token.issuedAt, hash, token.clientId, token.epoch, token.issuedAt) === 0)
          return 'used';
        insertToken(connection, token, hash);
        return 'issued';
      });
    },

    async revokeTokensOfCode(hash) {
      return connection.run('DELETE FROM tokens WHERE code_hash = ?', hash);
    },
  };
}

const findToken = `
  SELECT tokens.client_id, tokens.scopes, tokens.identity_type, tokens.expires_at
  FROM tokens JOIN clients ON clients.id = tokens.client_id
  WHERE tokens.hash = ? AND tokens.expires_at > ? AND clients.epoch = tokens.epoch AND clients.revoked_at IS NULL`;

const useCode = `
  UPDATE codes SET used_at = ?
  WHERE hash = ? AND client_id = ? AND epoch = ? AND used_at IS NULL AND expires_at > ?`;

/** The single use of an assertion: true for whoever comes first. */
export function recordAssertionUse(connection: Connection, use: AssertionUse): boolean {
  const sql = 'INSERT INTO assertion_uses (hash, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING';
  return connection.run(sql, use.hash, use.expiresAt) === 1;
}

/** Revoking raises the epoch, so a token that was being issued meanwhile finds its client gone. */
export function clientIsAlive(connection: Connection, holder: { clientId: string; epoch: number }): boolean {
  const sql = 'SELECT 1 FROM clients WHERE id = ? AND epoch = ? AND revoked_at IS NULL';
  return connection.get(sql, holder.clientId, holder.epoch) !== undefined;
}

const endOldestTokens = `
  DELETE FROM tokens WHERE hash IN (
    SELECT hash FROM tokens WHERE client_id = ? ORDER BY issued_at DESC, hash LIMIT -1 OFFSET ?)`;

const insertTokenRow = `INSERT INTO tokens (${tokenColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

function insertToken(connection: Connection, token: NewToken, codeHash: Uint8Array | null): void {
  connection.run(endOldestTokens, token.clientId, tokensPerClient - 1);
  connection.run(insertTokenRow, ...tokenValues(token, codeHash));
  connection.run('UPDATE clients SET last_token_at = ? WHERE id = ?', token.issuedAt, token.clientId);
}
