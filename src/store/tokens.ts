/** Access tokens, what they are exchanged for, and the chains of refresh tokens that they come from. */
import { type AssertionUse, assertionUse, identityType, list, lockClient } from './clients.ts';
import type { Database, Queries } from './database.ts';
import { bytes, defineRecord, integer, nullable, type RecordType, text } from './record.ts';

/**
 * The outcome of an exchange. `issued`: the token is stored; `client_gone`: the client is unknown, revoked or of another epoch than
 * the token; `used`: what is exchanged was used before. The last two change nothing.
 */
export type Redemption = 'issued' | 'client_gone' | 'used';

/** Creates the part of the store that issues, finds and revokes access tokens. */
export function createTokenStore(database: Database) {
  /**
   * Uses up what the token is issued for and stores the token, or changes nothing. `use` returns false if that was used before, and
   * `codeHash` is null without an authorization code.
   */
  const redeem = (token: NewToken, codeHash: Uint8Array | null, use: (queries: Queries) => Promise<boolean>) =>
    database.transaction<Redemption>(
      async (queries) => {
        if (!(await recordIssue(queries, token))) return 'client_gone';
        if (!(await use(queries))) return 'used';
        await storedToken.insert(queries, { ...token, codeHash });
        return 'issued';
      },
      (outcome) => outcome === 'issued',
    );

  return {
    issueToken: (token: NewToken) => redeem(token, null, async () => true),
    /** Uses the assertion up and stores its token in one step. */
    redeemAssertion: (assertion: AssertionUse, token: NewToken) =>
      redeem(token, null, (queries) => assertionUse.insert(queries, assertion)),
    /** Uses the code up and stores its token and, if given, `family` in one step; `used` also if the code is expired or unknown. */
    redeemCode: (hash: Uint8Array, token: NewToken, family?: NewRefreshFamily) =>
      redeem(token, hash, async (queries) => {
        const { clientId, epoch, issuedAt } = token;
        if ((await queries.run(useCode, issuedAt, hash, clientId, epoch)) === 0) return false;
        // The scopes of a family are those of its first token; a refresh can only narrow them.
        const start = { ...token, codeHash: hash, rotatedAt: issuedAt };
        return family === undefined || storedFamily.insert(queries, { ...start, ...family });
      }),
    /** Finds a token that has not expired and whose client is neither revoked nor of another epoch, or returns undefined. */
    findToken: (hash: Uint8Array, now: number) =>
      liveToken.find(database, `hash = ?1 AND expires_at > ?2 AND ${hasLiveClient('tokens')}`, hash, now),
    /** Revokes a token, of any client or of `clientId`. Returns the id of its client, or undefined if there is no such token. */
    async revokeToken(hash: Uint8Array, clientId?: string): Promise<string | undefined> {
      const row = await database.get(revokeToken, hash, clientId ?? null);
      return row && text.read(row, 'client_id');
    },
  };
}

/** One use of a refresh token. */
export interface RefreshUse {
  /** The id of the family. */
  readonly family: Uint8Array;
  /** The number of the used token in its family, from 1. */
  readonly generation: number;
  /** How long the family lasts after this use, in milliseconds. */
  readonly idleMs: number;
  /** How long the generation before the newest counts as a repetition, in milliseconds. */
  readonly graceMs: number;
}

/**
 * The outcome of a refresh. `rotated`: the token is stored, and `generation` is the newest; `reused`: the family and its tokens are
 * revoked; `unknown`: the family is unknown, revoked, expired or another client's; `client_gone`: as in `Redemption`.
 */
type Rotation =
  | { readonly outcome: 'rotated'; readonly generation: number }
  | { readonly outcome: 'reused' | 'unknown' | 'client_gone' };

/**
 * Creates the part of the store that rotates and revokes refresh tokens. A family is a chain of them that began with one
 * authorization code. The newest generation can be used, which raises it, and for a moment the one before it, which does not; any
 * other one revokes the family (RFC 9700 section 4.14.2).
 */
export const createRefreshStore = (database: Database) => ({
  /**
   * Finds the client, scopes and identity type of a family that is neither expired nor revoked and whose client is neither revoked
   * nor of another epoch, or returns undefined.
   */
  findRefreshFamily(id: Uint8Array, now: number) {
    const condition = `id = ?1 AND expires_at > ?2 AND revoked_at IS NULL AND ${hasLiveClient('refresh_families')}`;
    return refreshFamily.find(database, condition, id, now);
  },
  /** Rotates the family and stores the token in one step; the token's `issuedAt` is the moment of use. */
  redeemRefresh: ({ family, generation, graceMs, idleMs }: RefreshUse, token: NewToken) =>
    database.transaction<Rotation>(
      async (queries) => {
        if (!(await recordIssue(queries, token))) return { outcome: 'client_gone' };
        const { issuedAt, clientId, epoch } = token;
        const row = await queries.get(rotate, generation, issuedAt, graceMs, idleMs, family, clientId, epoch);
        if (row === undefined) return { outcome: 'unknown' };
        const codeHash = bytes.read(row, 'code_hash');
        if (row.revoked_at !== null) {
          await queries.run(deleteTokensOfCode, codeHash);
          return { outcome: 'reused' };
        }
        await storedToken.insert(queries, { ...token, codeHash });
        return { outcome: 'rotated', generation: integer.read(row, 'generation') };
      },
      ({ outcome }) => outcome === 'rotated' || outcome === 'reused',
    ),
  /**
   * Revokes a family and its access tokens, of any client or of `clientId`. Returns its client's id, or undefined if there is no
   * such family or it was revoked before.
   */
  revokeRefreshFamily: (id: Uint8Array, now: number, clientId?: string) =>
    database.transaction(async (queries) => {
      const row = await queries.get(revokeFamily, now, id, clientId ?? null);
      if (row === undefined) return undefined;
      await queries.run(deleteTokensOfCode, bytes.read(row, 'code_hash'));
      return text.read(row, 'client_id');
    }),
  /** Revokes every token that the code or its refresh tokens were exchanged for. Returns how many access tokens. */
  revokeTokensOfCode: (hash: Uint8Array, now: number) =>
    database.transaction(async (queries) => {
      const sql = 'UPDATE refresh_families SET revoked_at = ?1 WHERE code_hash = ?2 AND revoked_at IS NULL';
      await queries.run(sql, now, hash);
      return queries.run(deleteTokensOfCode, hash);
    }),
});

/**
 * Records that a client obtains a token. Returns false if the client is unknown, revoked or of another epoch than the token. The
 * row stays locked until the transaction ends, so that a later revocation ends the new token, too; the time of the last token is
 * exact to a minute, so that a burst of one client's requests shares the lock (docs/decisions/033-refresh-tokens.md).
 */
async function recordIssue(queries: Queries, { clientId, epoch, issuedAt }: NewToken): Promise<boolean> {
  if ((await queries.run(recordLastToken, issuedAt, clientId, epoch, issuedAt - 60_000)) === 1) return true;
  return lockClient(queries, clientId, epoch);
}

const recordLastToken = `
  UPDATE clients SET last_token_at = ?1
  WHERE id = ?2 AND epoch = ?3 AND revoked_at IS NULL AND (last_token_at IS NULL OR last_token_at < ?4)`;

/** The client and the rights of a token. */
const holder = { clientId: text, scopes: list, identityType };
const liveToken = defineRecord('tokens', { ...holder, expiresAt: integer });
const storedToken = defineRecord('tokens', {
  ...holder,
  hash: bytes,
  epoch: integer,
  /** Hash of the authorization code that the token's grant began with, or null. */
  codeHash: nullable(bytes),
  issuedAt: integer,
  expiresAt: integer,
});

const refreshFamily = defineRecord('refresh_families', holder);
const storedFamily = defineRecord('refresh_families', {
  ...holder,
  /** 16 random bytes. */
  id: bytes,
  epoch: integer,
  codeHash: bytes,
  rotatedAt: integer,
  expiresAt: integer,
});

/** A token that is neither expired nor revoked: its client, its rights, and when it expires, in milliseconds since 1970. */
export type LiveToken = RecordType<typeof liveToken>;
/** An access token before it is stored, by its hash. `issuedAt` and `expiresAt` are in milliseconds since 1970. */
export type NewToken = Omit<RecordType<typeof storedToken>, 'codeHash'>;
/** The id of a new family of refresh tokens, 16 random bytes, and its expiry in milliseconds since 1970. */
export type NewRefreshFamily = Pick<RecordType<typeof storedFamily>, 'id' | 'expiresAt'>;

const hasLiveClient = (table: string): string => `
  EXISTS (SELECT 1 FROM clients WHERE id = ${table}.client_id AND epoch = ${table}.epoch AND revoked_at IS NULL)`;

const revokeToken = `
  DELETE FROM tokens WHERE hash = ?1 AND client_id = coalesce(CAST(?2 AS TEXT), client_id) RETURNING client_id`;

const useCode = `
  UPDATE authorization_requests SET used_at = ?1
  WHERE hash = ?2 AND kind = 'code' AND client_id = ?3 AND epoch = ?4 AND used_at IS NULL AND expires_at > ?1`;

/**
 * Presents generation ?1 at the moment ?2. The newest generation is raised by one. The generation before it is a
 * repetition for ?3 milliseconds and changes nothing. Any other generation revokes the family. No row means that the
 * family is unknown, revoked, expired or another client's. Right-hand sides read the old row.
 */
const rotate = `
  UPDATE refresh_families SET
    revoked_at = CASE
      WHEN generation = ?1 OR (generation = ?1 + 1 AND rotated_at > CAST(?2 AS BIGINT) - CAST(?3 AS BIGINT)) THEN NULL
      ELSE CAST(?2 AS BIGINT) END,
    rotated_at = CASE WHEN generation = ?1 THEN CAST(?2 AS BIGINT) ELSE rotated_at END,
    expires_at = CASE WHEN generation = ?1 THEN CAST(?2 AS BIGINT) + CAST(?4 AS BIGINT) ELSE expires_at END,
    generation = CASE WHEN generation = ?1 THEN generation + 1 ELSE generation END
  WHERE id = ?5 AND client_id = ?6 AND epoch = ?7 AND revoked_at IS NULL AND expires_at > CAST(?2 AS BIGINT)
  RETURNING generation, revoked_at, code_hash`;

const revokeFamily = `
  UPDATE refresh_families SET revoked_at = ?1
  WHERE id = ?2 AND revoked_at IS NULL AND client_id = coalesce(CAST(?3 AS TEXT), client_id)
  RETURNING client_id, code_hash`;

/** Tokens that came from a refresh carry the hash of the family's code, too. */
const deleteTokensOfCode = 'DELETE FROM tokens WHERE code_hash = ?1';
