/** Access tokens and the redemption of codes and assertions in SQLite. */
import { familyColumns, familyValues, tokenColumns, tokenValues } from '../new-rows.ts';
import { rotation } from '../refresh-sql.ts';
import { bytes, integer, text } from '../row.ts';
import { toCode, toLiveToken, toRefreshFamily } from '../rows.ts';
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

    async redeemCode(hash, token, family) {
      return connection.transaction(() => {
        if (!clientIsAlive(connection, token)) return 'client_gone';
        if (connection.run(useCode, token.issuedAt, hash, token.clientId, token.epoch, token.issuedAt) === 0)
          return 'used';
        insertToken(connection, token, hash);
        if (family !== undefined) connection.run(insertFamily, ...familyValues(family, hash, token));
        return 'issued';
      });
    },

    async findRefreshFamily(id, now) {
      const row = connection.get(findFamily, id, now);
      return row === undefined ? undefined : toRefreshFamily(row);
    },

    async redeemRefresh({ family, generation, graceMs, idleMs }, token) {
      return connection.transaction(() => {
        if (!clientIsAlive(connection, token)) return { outcome: 'client_gone' };
        const { issuedAt, clientId, epoch } = token;
        const row = connection.get(rotateFamily, generation, issuedAt, graceMs, idleMs, family, clientId, epoch);
        if (row === undefined) return { outcome: 'unknown' };
        const codeHash = bytes(row, 'code_hash');
        if (row.revoked_at !== null) {
          connection.run(endTokensOfCode, codeHash);
          return { outcome: 'reused' };
        }
        insertToken(connection, token, codeHash);
        return { outcome: 'rotated', generation: integer(row, 'generation') };
      });
    },

    async revokeRefreshFamily(id, now, clientId) {
      return connection.transaction(() => {
        const row = connection.get(
          `UPDATE refresh_families SET revoked_at = ?1
           WHERE id = ?2 AND revoked_at IS NULL AND (?3 IS NULL OR client_id = ?3) RETURNING client_id, code_hash`,
          now,
          id,
          clientId ?? null,
        );
        if (row === undefined) return undefined;
        connection.run(endTokensOfCode, bytes(row, 'code_hash'));
        return text(row, 'client_id');
      });
    },

    async revokeTokensOfCode(hash, now) {
      return connection.transaction(() => {
        connection.run(
          'UPDATE refresh_families SET revoked_at = ? WHERE code_hash = ? AND revoked_at IS NULL',
          now,
          hash,
        );
        return connection.run(endTokensOfCode, hash);
      });
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

const insertFamily = `INSERT INTO refresh_families (${familyColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

const findFamily = `
  SELECT refresh_families.client_id, refresh_families.scopes, refresh_families.identity_type
  FROM refresh_families JOIN clients ON clients.id = refresh_families.client_id
  WHERE refresh_families.id = ? AND refresh_families.expires_at > ? AND refresh_families.revoked_at IS NULL
    AND clients.epoch = refresh_families.epoch AND clients.revoked_at IS NULL`;

const rotateFamily = rotation({
  generation: '?1',
  now: '?2',
  graceMs: '?3',
  idleMs: '?4',
  family: '?5',
  client: '?6',
  epoch: '?7',
});

/** Those of its refresh tokens carry the code's hash as well. */
const endTokensOfCode = 'DELETE FROM tokens WHERE code_hash = ?';

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
