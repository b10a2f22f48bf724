/** How often each counter was asked for and how often it grants it, for groups of equal questions in one statement. */
import { type Ask, type Count, leaseMs } from '../rate-store.ts';
import { integer, type Row } from '../row.ts';
import { type Queries, statement } from './queries.ts';

const take = statement(
  'take_rates',
  `SELECT used, reserved, granted, leased, wait_ms
   FROM take_rates($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/** A client that sends many requests at a time costs no more than one; what is leased or settled is not asked twice. */
export const nameOfAsks = (asks: readonly Ask[]): string =>
  asks
    .map(
      ({ key, limit, windowMs, count, lease }) =>
        `${key} ${limit} ${windowMs} ${count} ${lease?.id ?? ''} ${lease?.settled?.id ?? ''}`,
    )
    .join('\n');

export async function takeAll(
  queries: Queries,
  groups: readonly (readonly (readonly Ask[])[])[],
  moment: number | null,
): Promise<readonly (readonly Count[][])[]> {
  const asked = groups.flatMap((group, at) => (group[0] ?? []).map((ask) => ({ ask, at, times: group.length })));
  const rows = await queries.all(
    take,
    asked.map(({ at }) => at),
    asked.map(({ times }) => times),
    asked.map(({ ask }) => ask.key),
    asked.map(({ ask }) => ask.limit),
    asked.map(({ ask }) => ask.windowMs),
    asked.map(({ ask }) => ask.count),
    asked.map(({ ask }) => ask.lease?.wanted ?? 0),
    asked.map(({ ask }) => ask.lease?.id ?? 0),
    asked.map(({ ask }) => ask.lease?.settled?.id ?? 0),
    asked.map(({ ask }) => ask.lease?.settled?.spent ?? 0),
    leaseMs,
    moment,
  );
  let at = 0;
  return groups.map((group) => {
    const own = rows.slice(at, at + (group[0]?.length ?? 0)).map(takenOf);
    at += own.length;
    return group.map((asks, index) => asks.map((ask, place) => countOf(own[place], ask, index)));
  });
}

/** What a counter had used before, and how many of the times that it was asked for are granted. */
export interface Taken {
  readonly used: number;
  readonly granted: number;
  readonly waitMs: number;
}

interface Leased extends Taken {
  readonly reserved: number;
  readonly leased: number;
}

export const takenOf = (row: Row): Leased => ({
  used: integer(row, 'used'),
  granted: integer(row, 'granted'),
  waitMs: integer(row, 'wait_ms'),
  reserved: integer(row, 'reserved'),
  leased: integer(row, 'leased'),
});

/** As if each of a group had been counted after the one before it; `index` is its place. */
export function countOf(
  taken: Leased | undefined,
  { limit, count }: Pick<Ask, 'limit' | 'count'>,
  index: number,
): Count {
  const { used, granted, waitMs, reserved, leased } = taken ?? {
    used: 0,
    granted: 0,
    waitMs: 0,
    reserved: 0,
    leased: 0,
  };
  if (index < granted) return { allowed: true, used: count ? used + index + 1 : used, reserved, leased, waitMs };
  const all = count ? used + granted : used;
  return { allowed: all < limit, used: all, reserved, leased: 0, waitMs };
}
