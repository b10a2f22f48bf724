/** Statements on chains of refresh tokens and on the access tokens that came from them. */
import type { Database } from './database.ts';
import { bytes, defineRecord, integer, text } from './row.ts';
import type { RefreshFamily, RefreshStore, Rotation } from './store.ts';
import { holder, insertToken, recordIssue } from './tokens.ts';

/** Creates the part of the store that rotates and revokes refresh tokens. */
export function createRefreshStore(database: Database): RefreshStore {
  return {
    async findRefreshFamily(id, now) {
      const row = await database.get(findFamily, id, now);
      return row && family.read(row);
    },

    redeemRefresh: ({ family: id, generation, graceMs, idleMs }, token) =>
      database.transaction<Rotation>(
        async (queries) => {
          if (!(await recordIssue(queries, token))) return { outcome: 'client_gone' };
          const { issuedAt, clientId, epoch } = token;
          const row = await queries.get(rotate, generation, issuedAt, graceMs, idleMs, id, clientId, epoch);
          if (row === undefined) return { outcome: 'unknown' };
          const codeHash = bytes.read(row, 'code_hash');
          if (row.revoked_at !== null) {
            await queries.run(deleteTokensOfCode, codeHash);
            return { outcome: 'reused' };
          }
          await insertToken(queries, token, codeHash);
          return { outcome: 'rotated', generation: integer.read(row, 'generation') };
        },
        ({ outcome }) => outcome === 'rotated' || outcome === 'reused',
      ),

    revokeRefreshFamily: (id, now, clientId) =>
      database.transaction(async (queries) => {
        const row = await queries.get(revokeFamily, now, id, clientId ?? null);
        if (row === undefined) return undefined;
        await queries.run(deleteTokensOfCode, bytes.read(row, 'code_hash'));
        return text.read(row, 'client_id');
      }),

    revokeTokensOfCode: (hash, now) =>
      database.transaction(async (queries) => {
        await queries.run(
          'UPDATE refresh_families SET revoked_at = ?1 WHERE code_hash = ?2 AND revoked_at IS NULL',
          now,
          hash,
        );
        return queries.run(deleteTokensOfCode, hash);
      }),
  };
}

const family = defineRecord<RefreshFamily>(holder);

const findFamily = `
  SELECT refresh_families.client_id, refresh_families.scopes, refresh_families.identity_type
  FROM refresh_families JOIN clients ON clients.id = refresh_families.client_id
  WHERE refresh_families.id = ?1 AND refresh_families.expires_at > ?2 AND refresh_families.revoked_at IS NULL
    AND clients.epoch = refresh_families.epoch AND clients.revoked_at IS NULL`;

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
