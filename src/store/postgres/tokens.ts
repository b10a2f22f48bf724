/** Access tokens and the redemption of codes and assertions in PostgreSQL. */
import { codeColumns, familyColumns, familyValues, tokenColumns, tokenValues } from '../new-rows.ts';
import { rotation } from '../refresh-sql.ts';
import { bytes, integer, text } from '../row.ts';
import { toCode, toLiveToken, toRefreshFamily } from '../rows.ts';
import {
  type AssertionUse,
  type NewToken,
  type Redemption,
  type Rotation,
  type TokenStore,
  tokensPerClient,
} from '../store.ts';
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

    async redeemCode(hash, token, family) {
      const { clientId, epoch, issuedAt } = token;
      return redeem(token, hash, async (queries) => {
        if ((await queries.run(useCode, hash, clientId, epoch, issuedAt)) !== 1) return false;
        if (family !== undefined) await queries.run(insertFamily, ...familyValues(family, hash, token));
        return true;
      });
    },

    async findRefreshFamily(id, now) {
      const row = await connection.get(findFamily, id, now);
      return row === undefined ? undefined : toRefreshFamily(row);
    },

    async redeemRefresh({ family, generation, graceMs, idleMs }, token) {
      return connection.transaction(
        async (queries): Promise<Rotation> => {
          if (!(await holdClient(queries, token))) return { outcome: 'client_gone' };
          const { issuedAt, clientId, epoch } = token;
          const row = await queries.get(rotateFamily, generation, issuedAt, graceMs, idleMs, family, clientId, epoch);
          if (row === undefined) return { outcome: 'unknown' };
          const codeHash = bytes(row, 'code_hash');
          if (row.revoked_at !== null) {
            await queries.run(endTokensOfCode, codeHash);
            return { outcome: 'reused' };
          }
          await insertToken(queries, token, codeHash);
          return { outcome: 'rotated', generation: integer(row, 'generation') };
        },
        ({ outcome }) => outcome === 'rotated' || outcome === 'reused',
      );
    },

    async revokeRefreshFamily(id, now, clientId) {
      return connection.transaction(async (queries) => {
        const row = await queries.get(revokeFamily, id, now, clientId ?? null);
        if (row === undefined) return undefined;
        await queries.run(endTokensOfCode, bytes(row, 'code_hash'));
        return text(row, 'client_id');
      });
    },

    async revokeTokensOfCode(hash, now) {
      return connection.transaction(async (queries) => {
        await queries.run(revokeFamilyOfCode, hash, now);
        return queries.run(endTokensOfCode, hash);
      });
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

const insertFamily = statement(
  'insert_refresh_family',
  `INSERT INTO refresh_families (${familyColumns})
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

const findFamily = statement(
  'find_refresh_family',
  `SELECT refresh_families.client_id, refresh_families.scopes, refresh_families.identity_type
   FROM refresh_families JOIN clients ON clients.id = refresh_families.client_id
   WHERE refresh_families.id = $1 AND refresh_families.expires_at > $2 AND refresh_families.revoked_at IS NULL
     AND clients.epoch = refresh_families.epoch AND clients.revoked_at IS NULL`,
);

const rotateFamily = statement(
  'rotate_refresh_family',
  rotation({
    generation: '$1::integer',
    now: '$2::bigint',
    graceMs: '$3::bigint',
    idleMs: '$4::bigint',
    family: '$5::bytea',
    client: '$6::text',
    epoch: '$7::integer',
  }),
);

const revokeFamily = statement(
  'revoke_refresh_family',
  `UPDATE refresh_families SET revoked_at = $2
   WHERE id = $1 AND revoked_at IS NULL AND ($3::text IS NULL OR client_id = $3) RETURNING client_id, code_hash`,
);

const revokeFamilyOfCode = statement(
  'revoke_refresh_family_of_code',
  'UPDATE refresh_families SET revoked_at = $2 WHERE code_hash = $1 AND revoked_at IS NULL',
);

/** Those of its refresh tokens carry the code's hash as well. */
const endTokensOfCode = statement('revoke_tokens_of_code', 'DELETE FROM tokens WHERE code_hash = $1');

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
