/** Access tokens and the redemption of codes and assertions in SQLite. */
import { familyColumns, familyValues, tokenColumns, tokenValues } from '../new-rows.ts';
import { bytes, integer, text } from '../row.ts';
import { toCode, toLiveToken, toRefreshFamily } from '../rows.ts';
import type { AssertionUse, LiveToken, NewToken, Redemption, Rotation, TokenStore } from '../store.ts';
import type { Connection } from './connection.ts';

export function createSqliteTokens(connection: Connection): TokenStore {
  /** Uses up what the token is issued for, and stores it; or changes nothing. */
  const redeem = (token: NewToken, codeHash: Uint8Array | null, use: () => boolean): Redemption =>
    connection.transaction(
      () => {
        if (!clientIsAlive(connection, token)) return 'client_gone';
        if (!use()) return 'used';
        return insertToken(connection, token, codeHash) ? 'issued' : 'too_many';
      },
      (outcome) => outcome === 'issued',
    );

  /** By hash, as they were found since the database last changed. */
  const found = new Map<string, LiveToken>();
  let foundAt = -1;

  return {
    async issueToken(token) {
      return connection.transaction(() => {
        if (!clientIsAlive(connection, token)) return 'client_gone';
        return insertToken(connection, token, null) ? 'issued' : 'too_many';
      });
    },

    redeemAssertion: async (use, token) => redeem(token, null, () => recordAssertionUse(connection, use)),

    async firstExpiry(clientId, now) {
      const row = connection.get(findFirstExpiry, clientId, now);
      return row === undefined ? undefined : integer(row, 'expires_at');
    },

    findToken: (hash, now) => {
      const key = (hash instanceof Buffer ? hash : Buffer.from(hash)).toString('latin1');
      if (connection.changes() !== foundAt) found.clear();
      foundAt = connection.changes();
      const known = found.get(key);
      if (known !== undefined && known.expiresAt > now) return known;
      const row = connection.read(findToken, hash, now);
      if (row === undefined) return undefined;
      const token = toLiveToken(row);
      if (found.size >= mostFound) found.clear();
      found.set(key, token);
      return token;
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
      const { clientId, epoch, issuedAt } = token;
      return redeem(token, hash, () => {
        if (connection.run(useCode, issuedAt, hash, clientId, epoch, issuedAt) === 0) return false;
        if (family !== undefined) connection.run(insertFamily, ...familyValues(family, hash, token));
        return true;
      });
    },

    async findRefreshFamily(id, now) {
      const row = connection.get(findFamily, id, now);
      return row === undefined ? undefined : toRefreshFamily(row);
    },

    async redeemRefresh({ family, generation, graceMs, idleMs }, token) {
      return connection.transaction(
        (): Rotation => {
          if (!clientIsAlive(connection, token)) return { outcome: 'client_gone' };
          const { issuedAt, clientId, epoch } = token;
          const row = connection.get(rotateFamily, generation, issuedAt, graceMs, idleMs, family, clientId, epoch);
          if (row === undefined) return { outcome: 'unknown' };
          const codeHash = bytes(row, 'code_hash');
          if (row.revoked_at !== null) {
            connection.run(endTokensOfCode, codeHash);
            return { outcome: 'reused' };
          }
          if (!insertToken(connection, token, codeHash)) return { outcome: 'too_many' };
          return { outcome: 'rotated', generation: integer(row, 'generation') };
        },
        ({ outcome }) => outcome === 'rotated' || outcome === 'reused',
      );
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

const mostFound = 10_000;

const findToken = `
  SELECT tokens.client_id, tokens.scopes, tokens.identity_type, tokens.expires_at
  FROM tokens JOIN clients ON clients.id = tokens.client_id
  WHERE tokens.hash = ? AND tokens.expires_at > ? AND clients.epoch = tokens.epoch AND clients.revoked_at IS NULL`;

const findFirstExpiry = `
  SELECT tokens.expires_at FROM tokens JOIN clients ON clients.id = tokens.client_id AND clients.epoch = tokens.epoch
  WHERE tokens.client_id = ? AND tokens.expires_at > ? ORDER BY tokens.expires_at LIMIT 1`;

const countLive = 'SELECT count(*) AS live FROM tokens WHERE client_id = ? AND epoch = ? AND expires_at > ?';

const useCode = `
  UPDATE codes SET used_at = ?
  WHERE hash = ? AND client_id = ? AND epoch = ? AND used_at IS NULL AND expires_at > ?`;

const insertFamily = `INSERT INTO refresh_families (${familyColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

const findFamily = `
  SELECT refresh_families.client_id, refresh_families.scopes, refresh_families.identity_type
  FROM refresh_families JOIN clients ON clients.id = refresh_families.client_id
  WHERE refresh_families.id = ? AND refresh_families.expires_at > ? AND refresh_families.revoked_at IS NULL
    AND clients.epoch = refresh_families.epoch AND clients.revoked_at IS NULL`;

/**
 * The newest generation moves the family on by one. The one before it counts as a repeat for as long as the grace lasts,
 * and changes nothing. Any other ends the family. No row: unknown, ended, expired, or another client's. `?1` is the generation, `?2` now,
 * `?3` the grace; the right-hand sides read the old row.
 */
const rotateFamily = `
  UPDATE refresh_families SET
    revoked_at = CASE WHEN generation = ?1 OR (generation = ?1 + 1 AND rotated_at > ?2 - ?3) THEN NULL ELSE ?2 END,
    rotated_at = CASE WHEN generation = ?1 THEN ?2 ELSE rotated_at END,
    expires_at = CASE WHEN generation = ?1 THEN ?2 + ?4 ELSE expires_at END,
    generation = CASE WHEN generation = ?1 THEN generation + 1 ELSE generation END
  WHERE id = ?5 AND client_id = ?6 AND epoch = ?7 AND revoked_at IS NULL AND expires_at > ?2
  RETURNING generation, revoked_at, code_hash`;

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

const insertTokenRow = `INSERT INTO tokens (${tokenColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** False when the client has as many live tokens as it may have; then nothing is stored. */
function insertToken(connection: Connection, token: NewToken, codeHash: Uint8Array | null): boolean {
  const { clientId, epoch, issuedAt, most } = token;
  const counted = connection.get(countLive, clientId, epoch, issuedAt);
  if (counted !== undefined && integer(counted, 'live') >= most) return false;
  connection.run(insertTokenRow, ...tokenValues(token, codeHash));
  connection.run('UPDATE clients SET last_token_at = ? WHERE id = ?', issuedAt, clientId);
  return true;
}
