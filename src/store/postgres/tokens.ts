/** Access tokens and the redemption of codes and assertions in PostgreSQL. */
import { codeColumns } from '../new-rows.ts';
import { integer, nullable, oneOf, type Row, text } from '../row.ts';
import { toCode, toLiveToken, toRefreshFamily } from '../rows.ts';
import type { AssertionUse, LiveToken, NewToken, Redemption, Rotation, TokenStore } from '../store.ts';
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
  const find = createGathering({
    inTurn: createTurns(),
    ask: (_, wanted: readonly Wanted[]) => findAll(connection, wanted),
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

    findToken: (hash, now) => find('', { hash, now }),

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
      inTurn(token.clientId, async () => {
        const use = [family, generation, graceMs, idleMs] as const;
        return rotationOf(await connection.get(redeemRefresh, ...use, ...holderValues(token), ...rowValues(token)));
      }),

    async revokeRefreshFamily(id, now, clientId) {
      const row = (await connection.get(revokeFamily, id, now, clientId ?? null)) ?? {};
      return nullable(text, row, 'client_id') ?? undefined;
    },

    async revokeTokensOfCode(hash, now) {
      return integer((await connection.get(revokeTokensOfCode, hash, now)) ?? {}, 'tokens');
    },
  };
}

/** The single use of an assertion: true for whoever comes first; the others wait until that one is committed. */
export async function recordAssertionUse(queries: Queries, use: AssertionUse): Promise<boolean> {
  return (await queries.run(insertAssertionUse, use.hash, use.expiresAt)) === 1;
}

interface Wanted {
  readonly hash: Uint8Array;
  readonly now: number;
}

/** Every request with a token needs one: whoever waits shares a statement. */
async function findAll(queries: Queries, wanted: readonly Wanted[]): Promise<readonly (LiveToken | undefined)[]> {
  const rows = await queries.all(
    findTokens,
    wanted.map(({ hash }) => hash),
    wanted.map(({ now }) => now),
  );
  const byPlace = new Map(rows.map((row) => [integer(row, 'place'), toLiveToken(row)]));
  return wanted.map((_, index) => byPlace.get(index + 1));
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

function rotationOf(row: Row = {}): Rotation {
  const outcome = oneOf(row, 'outcome', ['rotated', 'reused', 'unknown', 'client_gone', 'too_many']);
  return outcome === 'rotated' ? { outcome, generation: integer(row, 'newest') } : { outcome };
}

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

const redeemRefresh = statement(
  'redeem_refresh',
  'SELECT outcome, newest FROM redeem_refresh($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
);

const findFirstExpiry = statement(
  'find_first_expiry',
  `SELECT tokens.expires_at FROM tokens JOIN clients ON clients.id = tokens.client_id AND clients.epoch = tokens.epoch
   WHERE tokens.client_id = $1 AND tokens.expires_at > $2 ORDER BY tokens.expires_at LIMIT 1`,
);

const findTokens = statement(
  'find_tokens',
  `SELECT wanted.place, tokens.client_id, tokens.scopes, tokens.identity_type, tokens.expires_at
   FROM unnest($1::BYTEA[], $2::BIGINT[]) WITH ORDINALITY AS wanted(hash, now, place)
     JOIN tokens ON tokens.hash = wanted.hash AND tokens.expires_at > wanted.now
     JOIN clients ON clients.id = tokens.client_id AND clients.epoch = tokens.epoch AND clients.revoked_at IS NULL`,
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

const revokeFamily = statement('revoke_refresh_family', 'SELECT revoke_refresh_family($1, $2, $3) AS client_id');

const revokeTokensOfCode = statement('revoke_tokens_of_code', 'SELECT revoke_tokens_of_code($1, $2) AS tokens');

const insertAssertionUse = statement(
  'insert_assertion_use',
  'INSERT INTO assertion_uses (hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);
