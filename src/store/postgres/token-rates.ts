/** Access tokens and the rate limits of the requests that carry them, in one statement for all requests that wait. */

import { readIdentityType } from '../clients.ts';
import { leaseMs, type TokenAsk, type TokenCount } from '../rate-store.ts';
import { integer, list, type Row, text } from '../row.ts';
import { countOf, takenOf } from './counts.ts';
import { type Queries, statement } from './queries.ts';

/** Requests with one token from one address are asked for together. */
export const nameOfToken = ({ hash, refused, bucket, holder }: TokenAsk): string =>
  `${Buffer.from(hash).toString('latin1')} ${refused.key}\n${bucket.key}\n${holder?.address.key ?? ''}`;

export async function admitTokens(
  queries: Queries,
  groups: readonly (readonly TokenAsk[])[],
  moment: number | null,
): Promise<readonly (readonly TokenCount[])[]> {
  const asked = groups.flatMap(([first]) => (first === undefined ? [] : [first]));
  const holder = asked.find((ask) => ask.holder !== null)?.holder;
  const rows = await queries.all(
    admit,
    asked.map(({ hash }) => hash),
    groups.map(({ length }) => length),
    asked.map(({ now }) => now),
    asked.map(({ refused }) => refused.key),
    asked.map(({ bucket }) => bucket.key),
    asked.map(({ bucket }) => bucket.limit),
    asked.map((ask) => ask.holder?.address.key ?? null),
    holder?.clientPrefix ?? '',
    asked[0]?.refused.limit ?? 0,
    holder?.address.limit ?? 0,
    holder?.clientLimit ?? 0,
    asked[0]?.refused.windowMs ?? 0,
    leaseMs,
    moment,
  );
  const byPlace = Map.groupBy(rows, (row) => integer(row, 'place'));
  return groups.map((group, at) => tokenCounts(group, byPlace.get(at + 1) ?? []));
}

/** `rows` are of the counters that were looked at: refused tokens, then the bucket, or address and client. */
function tokenCounts(group: readonly TokenAsk[], rows: readonly Row[]): TokenCount[] {
  const [first, second, third] = rows;
  const isValid = first !== undefined && first.client_id !== null;
  const token = isValid ? readToken(first) : undefined;
  const [refusals, next, last] = [first, second, third].map((row) => row && takenOf(row));
  return group.map(({ refused, bucket, holder }, index) => {
    const refusal = countOf(refusals, { limit: refused.limit, count: !isValid }, index);
    const counted = (taken: typeof next, limit: number) =>
      taken === undefined ? null : countOf(taken, { limit, count: true }, index);
    if (token === undefined || holder === null) {
      return { token, refused: refusal, bucket: refusal.allowed ? counted(next, bucket.limit) : null, holder: null };
    }
    const [address, client] = [counted(next, holder.address.limit), counted(last, holder.clientLimit)];
    if (address === null || client === null) throw new Error('The database left a counter out.');
    return { token, refused: refusal, bucket: null, holder: { address, client } };
  });
}

const admit = statement(
  'admit_tokens',
  `SELECT place, client_id, scopes, identity_type, expires_at, used, reserved, granted, 0 AS leased, wait_ms
   FROM admit_tokens($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
);

const readToken = (row: Row) => ({
  clientId: text(row, 'client_id'),
  scopes: list(row, 'scopes'),
  identityType: readIdentityType(row),
  expiresAt: integer(row, 'expires_at'),
});
