/** Access tokens and the redemption of codes and assertions in PostgreSQL. */
import { codeColumns, tokenColumns, tokenValues } from '../new-rows.ts';
import { text } from '../row.ts';
import { toCode, toLiveToken } from '../rows.ts';
import { type AssertionUse, type NewToken, type Redemption, type TokenStore, tokensPerClient } from '../store.ts';
import type { PostgresConnection } from './connection.ts';
import { type Queries, statement } from './queries.ts';

export function createPostgresTokens(connection: PostgresConnection): TokenStore {
  /** Uses up what the token is issued for, and stores it; or changes nothing. */
  const redeem = (token: NewToken, codeHash: Uint8Array | null, use: (queries: Queries) => Promise<boolean>) =>
    connection.transaction(
      async (queries): Promise<Redemption> => {
        if (!(await holdClient(queries, token))) return 'client_gone';
        if (!(await use(queries))) return 'used';
        await insertToken(queries, token, codeHash);
        return 'issued';
      },
      (outcome) => outcome === 'issued',
    );

  return {
    async issueToken(token) {
      return (await redeem(token, null, async () => true)) === 'issued';
    },

    async redeemAssertion(use, token) {
      return redeem(token, null, (queries) => recordAssertionUse(queries, use));
    },

    async findToken(hash, now) {
      const row = await connection.get(findToken, hash, now);
      return row === undefined ? undefined : toLiveToken(row);
    },

    async revokeToken(hash, clientId) {
      const row = await connection.get(revokeToken, hash, clientId ?? null);
      return row === undefined ? undefined : text(row, 'client_id');
    },

    async findCode(hash) {
      const row = await connection.get(findCode, hash);
      return row === undefined ? undefined : toCode(row);
    },

    async redeemCode(hash, token) {
      const { clientId, epoch, issuedAt } = token;
      return redeem(
        token,
        hash,
        async (queries) => (await queries.run(useCode, hash, clientId, epoch, issuedAt)) === 1,
      );
    },

    async revokeTokensOfCode(hash) {
      return connection.run(revokeTokensOfCode, hash);
    },
  };
}

/** The single use of an assertion: true for whoever comes first; the others wait until that one is committed. */
export async function recordAssertionUse(queries: Queries, use: AssertionUse): Promise<boolean> {
  return (await queries.run(insertAssertionUse, use.hash, use.expiresAt)) === 1;
}

/**
 * Whether the client is alive at the token's epoch; if so its row is locked until the end of the transaction. A revocation
 * that was first is seen; one that comes now waits, and ends the token that is being issued. Issuers of one client come
 * one after the other, so that each counts the tokens of those before it.
 */
async function holdClient(queries: Queries, { clientId, epoch, issuedAt }: NewToken): Promise<boolean> {
  return (await queries.run(holdClientForToken, clientId, epoch, issuedAt)) === 1;
}

async function insertToken(queries: Queries, token: NewToken, codeHash: Uint8Array | null): Promise<void> {
  await queries.run(endOldestTokens, token.clientId, tokensPerClient - 1);
  await queries.run(insertTokenRow, ...tokenValues(token, codeHash));
}

const findToken = statement(
  'find_token',
  `SELECT tokens.client_id, tokens.scopes, tokens.identity_type, tokens.expires_at
   FROM tokens JOIN clients ON clients.id = tokens.client_id
   WHERE tokens.hash = $1 AND tokens.expires_at > $2 AND clients.epoch = tokens.epoch AND clients.revoked_at IS NULL`,
);

const revokeToken = statement(
  'revoke_token',
  'DELETE FROM tokens WHERE hash = $1 AND ($2::text IS NULL OR client_id = $2) RETURNING client_id',
);

const findCode = statement('find_code', `SELECT ${codeColumns}, used_at FROM codes WHERE hash = $1`);

const useCode = statement(
  'use_code',
  `UPDATE codes SET used_at = $4
   WHERE hash = $1 AND client_id = $2 AND epoch = $3 AND used_at IS NULL AND expires_at > $4`,
);

const revokeTokensOfCode = statement('revoke_tokens_of_code', 'DELETE FROM tokens WHERE code_hash = $1');

const insertAssertionUse = statement(
  'insert_assertion_use',
  'INSERT INTO assertion_uses (hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);

const holdClientForToken = statement(
  'hold_client_for_token',
  'UPDATE clients SET last_token_at = $3 WHERE id = $1 AND epoch = $2 AND revoked_at IS NULL',
);

const endOldestTokens = statement(
  'end_oldest_tokens',
  `DELETE FROM tokens WHERE hash = ANY (ARRAY (
     SELECT hash FROM tokens WHERE client_id = $1 ORDER BY issued_at DESC, hash OFFSET $2))`,
);

const insertTokenRow = statement(
  'insert_token',
  `INSERT INTO tokens (${tokenColumns})
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
