/** Access tokens and the redemption of codes and assertions in PostgreSQL. */
import { codeColumns } from '../new-rows.ts';
import { rotation } from '../refresh-sql.ts';
import { bytes, integer, nullable, oneOf, type Row, text } from '../row.ts';
import { toCode, toLiveToken, toRefreshFamily } from '../rows.ts';
import type { AssertionUse, NewToken, Redemption, Rotation, TokenStore } from '../store.ts';
import type { PostgresConnection } from './connection.ts';
import { type Queries, statement } from './queries.ts';
import { createGathering, createTurns } from './turns.ts';

/** Tokens of one client are issued one statement after the other, since each locks the client's row. */
export function createPostgresTokens(connection: PostgresConnection): TokenStore {
  const inTurn = createTurns();
  const issue = createGathering({
    inTurn,
    turnOf: (key) => key.slice(key.indexOf(' ') + 1),
    ask: (_, tokens: readonly NewToken[]) => issueAll(connection, tokens),
  });

  return {
    issueToken: (token) => issue(`${token.epoch}/${token.most} ${token.clientId}`, token),

    async firstExpiry(clientId, now) {
      const row = await connection.get(findFirstExpiry, clientId, now);
      return row === undefined ? undefined : integer(row, 'expires_at');
    },

    redeemAssertion: (use, token) =>
      inTurn(token.clientId, async () =>
        outcomeOf(
          await connection.get(redeemAssertion, use.hash, use.expiresAt, ...holderValues(token), ...rowValues(token)),
        ),
      ),

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

    redeemCode: (hash, token, family) =>
      inTurn(token.clientId, async () => {
        const begins = [family?.id ?? null, family?.expiresAt ?? null];
        return outcomeOf(
          await connection.get(redeemCode, hash, ...holderValues(token), ...rowValues(token), ...begins),
        );
      }),

    async findRefreshFamily(id, now) {
      const row = await connection.get(findFamily, id, now);
      return row === undefined ? undefined : toRefreshFamily(row);
    },

    redeemRefresh: ({ family, generation, graceMs, idleMs }, token) =>
      inTurn(token.clientId, () =>
        connection.transaction(
          async (queries): Promise<Rotation> => {
            const held = await queries.get(tokenRoom, token.clientId, token.epoch, token.issuedAt, token.most);
            const room = held === undefined ? null : nullable(integer, held, 'room');
            if (room === null) return { outcome: 'client_gone' };
            const { issuedAt, clientId, epoch } = token;
            const row = await queries.get(rotateFamily, generation, issuedAt, graceMs, idleMs, family, clientId, epoch);
            if (row === undefined) return { outcome: 'unknown' };
            const codeHash = bytes(row, 'code_hash');
            if (row.revoked_at !== null) {
              await queries.run(endTokensOfCode, codeHash);
              return { outcome: 'reused' };
            }
            if (room === 0) return { outcome: 'too_many' };
            const [hash, scopes, kind, at, until] = rowValues(token);
            await queries.get(storeToken, clientId, epoch, hash, scopes, kind, codeHash, at, until);
            return { outcome: 'rotated', generation: integer(row, 'generation') };
          },
          ({ outcome }) => outcome === 'rotated' || outcome === 'reused',
        ),
      ),

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

/** Of one client and epoch. */
async function issueAll(queries: Queries, tokens: readonly NewToken[]): Promise<readonly Issued[]> {
  const [first] = tokens;
  if (first === undefined) return [];
  const rows = await queries.all(
    issueTokens,
    ...holderValues(first),
    tokens.map(({ hash }) => hash),
    tokens.map(({ scopes }) => JSON.stringify(scopes)),
    tokens.map(({ identityType }) => identityType),
    tokens.map(({ issuedAt }) => issuedAt),
    tokens.map(({ expiresAt }) => expiresAt),
  );
  return rows.map((row) => oneOf(row, 'outcome', issued));
}

const issued = ['issued', 'client_gone', 'too_many'] as const;
type Issued = (typeof issued)[number];

const redemptions: readonly Redemption[] = [...issued, 'used'];
const outcomeOf = (row: Row = {}): Redemption => oneOf(row, 'outcome', redemptions);

const holderValues = ({ clientId, epoch, most }: NewToken): [string, number, number] => [clientId, epoch, most];

const rowValues = (token: NewToken): [Uint8Array, string, string, number, number] => [
  token.hash,
  JSON.stringify(token.scopes),
  token.identityType,
  token.issuedAt,
  token.expiresAt,
];

const issueTokens = statement('issue_tokens', 'SELECT unnest(issue_tokens($1, $2, $3, $4, $5, $6, $7, $8)) AS outcome');

const redeemAssertion = statement(
  'redeem_assertion',
  'SELECT redeem_assertion($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS outcome',
);

const redeemCode = statement(
  'redeem_code',
  'SELECT redeem_code($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS outcome',
);

const tokenRoom = statement('token_room', 'SELECT token_room($1, $2, $3, $4) AS room');
const storeToken = statement('store_token', 'SELECT store_token($1, $2, $3, $4, $5, $6, $7, $8)');

const findFirstExpiry = statement(
  'find_first_expiry',
  `SELECT tokens.expires_at FROM tokens JOIN clients ON clients.id = tokens.client_id AND clients.epoch = tokens.epoch
   WHERE tokens.client_id = $1 AND tokens.expires_at > $2 ORDER BY tokens.expires_at LIMIT 1`,
);

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
