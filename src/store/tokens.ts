/** Statements on access tokens, and on the codes and assertions that are exchanged for them. */
import { identityType, list, lockClient, useAssertion } from './clients.ts';
import type { Database, Queries } from './database.ts';
import { bytes, type Columns, defineRecord, integer, nullable, text } from './row.ts';
import type { LiveToken, NewRefreshFamily, NewToken, Redemption, RefreshFamily, TokenStore } from './store.ts';

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
      return row && liveToken.read(row);
    },

    async revokeToken(hash, clientId) {
      const row = await database.get(revokeToken, hash, clientId ?? null);
      return row && text.read(row, 'client_id');
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
  const sql = `INSERT INTO tokens (${newToken.columns}) VALUES (${newToken.parameters})`;
  await queries.run(sql, ...newToken.write({ ...token, codeHash }));
}

/** Stores the family that begins with a code. Its scopes are those of the first token; a refresh can only narrow them. */
async function insertFamily(
  queries: Queries,
  family: NewRefreshFamily,
  codeHash: Uint8Array,
  token: NewToken,
): Promise<void> {
  const sql = `INSERT INTO refresh_families (${newFamily.columns}) VALUES (${newFamily.parameters})`;
  await queries.run(sql, ...newFamily.write({ ...token, codeHash, rotatedAt: token.issuedAt, ...family }));
}

/** The client and the rights of a token. */
export const holder: Columns<RefreshFamily> = { clientId: text, scopes: list, identityType };

const liveToken = defineRecord<LiveToken>({ ...holder, expiresAt: integer });

const newToken = defineRecord<NewToken & { readonly codeHash: Uint8Array | null }>({
  ...holder,
  hash: bytes,
  epoch: integer,
  codeHash: nullable(bytes),
  issuedAt: integer,
  expiresAt: integer,
});

interface FamilyRow extends RefreshFamily, NewRefreshFamily {
  readonly epoch: number;
  readonly codeHash: Uint8Array;
  readonly rotatedAt: number;
}

const newFamily = defineRecord<FamilyRow>({
  ...holder,
  id: bytes,
  epoch: integer,
  codeHash: bytes,
  rotatedAt: integer,
  expiresAt: integer,
});

const findToken = `
  SELECT tokens.client_id, tokens.scopes, tokens.identity_type, tokens.expires_at
  FROM tokens JOIN clients ON clients.id = tokens.client_id
  WHERE tokens.hash = ?1 AND tokens.expires_at > ?2 AND clients.epoch = tokens.epoch AND clients.revoked_at IS NULL`;

const revokeToken = `
  DELETE FROM tokens WHERE hash = ?1 AND client_id = coalesce(CAST(?2 AS TEXT), client_id) RETURNING client_id`;

const useCode = `
  UPDATE codes SET used_at = ?1
  WHERE hash = ?2 AND client_id = ?3 AND epoch = ?4 AND used_at IS NULL AND expires_at > ?1`;
