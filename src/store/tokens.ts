/** Statements on access tokens, and on the codes and assertions that are exchanged for them. */
import { lockClient, readIdentityType, useAssertion } from './clients.ts';
import type { Database, Queries } from './database.ts';
import { integer, list, text } from './row.ts';
import type { NewRefreshFamily, NewToken, Redemption, TokenStore } from './store.ts';

/** Creates the part of the store that issues, finds and revokes access tokens. */
export function createTokenStore(database: Database): TokenStore {
  /** Uses up what the token is issued for and stores the token, or changes nothing. */
  const redeem = (token: NewToken, codeHash: Uint8Array | null, use: (queries: Queries) => Promise<boolean>) =>
    database.transaction<Redemption>(
      async (queries) => {
        if (!(await recordIssue(queries, token))) return 'client_gone';
        if (!(await use(queries))) return 'used';
        await insertToken(queries, token, codeHash);
        return 'issued';
      },
      (outcome) => outcome === 'issued',
    );

  return {
    issueToken: (token) =>
      database.transaction(async (queries) => {
        if (!(await recordIssue(queries, token))) return 'client_gone';
        await insertToken(queries, token, null);
        return 'issued';
      }),

    redeemAssertion: (use, token) => redeem(token, null, (queries) => useAssertion(queries, use)),

    redeemCode: (hash, token, family) =>
      redeem(token, hash, async (queries) => {
        const { clientId, epoch, issuedAt } = token;
        if ((await queries.run(useCode, issuedAt, hash, clientId, epoch)) === 0) return false;
        if (family !== undefined) await insertFamily(queries, family, hash, token);
        return true;
      }),

    async findToken(hash, now) {
      const row = await database.get(findToken, hash, now);
      return (
        row && {
          clientId: text(row, 'client_id'),
          scopes: list(row, 'scopes'),
          identityType: readIdentityType(row),
          expiresAt: integer(row, 'expires_at'),
        }
      );
    },

    async revokeToken(hash, clientId) {
      const row = await database.get(revokeToken, hash, clientId ?? null);
      return row && text(row, 'client_id');
    },
  };
}

/**
 * Records that a client obtains a token, and returns false if the client is not alive at the token's epoch. The row stays
 * locked until the end of the transaction: a revocation that was first is seen, and a later one ends the new token. The
 * time of the last token is exact to a minute, so that a burst of one client's requests shares the lock.
 */
export async function recordIssue(queries: Queries, { clientId, epoch, issuedAt }: NewToken): Promise<boolean> {
  if ((await queries.run(recordLastToken, issuedAt, clientId, epoch, issuedAt - 60_000)) === 1) return true;
  return lockClient(queries, clientId, epoch);
}

const recordLastToken = `
  UPDATE clients SET last_token_at = ?1
  WHERE id = ?2 AND epoch = ?3 AND revoked_at IS NULL AND (last_token_at IS NULL OR last_token_at < ?4)`;

/** Stores a token. `codeHash` is the hash of the authorization code that its grant began with, or null. */
export async function insertToken(queries: Queries, token: NewToken, codeHash: Uint8Array | null): Promise<void> {
  await queries.run(
    `INSERT INTO tokens (hash, client_id, epoch, scopes, identity_type, code_hash, issued_at, expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
    token.hash,
    token.clientId,
    token.epoch,
    JSON.stringify(token.scopes),
    token.identityType,
    codeHash,
    token.issuedAt,
    token.expiresAt,
  );
}

/** Stores the family that begins with a code. Its scopes are those of the first token; a refresh can only narrow them. */
async function insertFamily(
  queries: Queries,
  { id, expiresAt }: NewRefreshFamily,
  codeHash: Uint8Array,
  { clientId, epoch, scopes, identityType, issuedAt }: NewToken,
): Promise<void> {
  await queries.run(
    `INSERT INTO refresh_families (id, client_id, epoch, code_hash, scopes, identity_type, rotated_at, expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
    id,
    clientId,
    epoch,
    codeHash,
    JSON.stringify(scopes),
    identityType,
    issuedAt,
    expiresAt,
  );
}

const findToken = `
  SELECT tokens.client_id, tokens.scopes, tokens.identity_type, tokens.expires_at
  FROM tokens JOIN clients ON clients.id = tokens.client_id
  WHERE tokens.hash = ?1 AND tokens.expires_at > ?2 AND clients.epoch = tokens.epoch AND clients.revoked_at IS NULL`;

const revokeToken = `
  DELETE FROM tokens WHERE hash = ?1 AND client_id = coalesce(CAST(?2 AS TEXT), client_id) RETURNING client_id`;

const useCode = `
  UPDATE codes SET used_at = ?1
  WHERE hash = ?2 AND client_id = ?3 AND epoch = ?4 AND used_at IS NULL AND expires_at > ?1`;
