/** Rate counters in PostgreSQL: one statement counts for all requests that wait, by the database's own time. */
import type { Clock } from '../../base/clock.ts';
import { causeOf, messageOf } from '../../base/thrown.ts';
import type { Ask, Count, RateStore } from '../rate-store.ts';
import { integer, type Row } from '../row.ts';
import type { PostgresConnection } from './connection.ts';
import { statement } from './queries.ts';
import type { Session } from './session.ts';

export interface PostgresRatesOptions {
  readonly connection: Pick<PostgresConnection, 'openSession' | 'run'>;
  readonly clock: Clock;
  /** Milliseconds since 1970, for tests that move time; the database's time unless given. */
  readonly now?: () => number;
}

interface Question {
  readonly asks: readonly Ask[];
  resolve(counts: Count[]): void;
  reject(error: unknown): void;
}

/** Different ones, of one statement. More would make each of them wait for the work of all. */
const mostQuestions = 100;
const sweepEveryMs = 60_000;
const sweepBatch = 1000;

/**
 * Has a separate connection, so that limits do not wait for what else the database does. While a statement is under way,
 * further questions gather for the next one: the more there are, the less each of them costs.
 */
export async function openPostgresRates({ connection, clock, now }: PostgresRatesOptions): Promise<RateStore> {
  let session: Session | null = null;
  let connecting: Promise<void> | null = null;
  let fault = 'there is no connection';
  let closed = false;
  let gathered: Question[] = [];
  let underWay: readonly Question[] = [];

  const connect = async (): Promise<void> => {
    try {
      const opened = await connection.openSession({
        limited: true,
        onEnd: () => drop(opened, 'the connection was lost'),
      });
      if (closed) opened.close();
      else session = opened;
    } catch (error) {
      fault = messageOf(causeOf(error));
    }
    connecting = null;
  };

  /** Whatever waits on it is refused; the next question connects again. */
  const drop = (lost: Session | null, why: string): void => {
    if (lost !== session) return;
    session = null;
    fault = why;
    const refused = [...underWay, ...gathered];
    underWay = [];
    gathered = [];
    for (const { reject } of refused) reject(new Error(why));
    lost?.close();
  };

  const askAll = async (): Promise<void> => {
    while (session !== null && underWay.length === 0 && gathered.length > 0) {
      const { alike, asked } = firstOf(gathered);
      gathered = gathered.slice(asked.length);
      underWay = asked;
      try {
        const rows = await session.all(count, JSON.stringify(alike.map(toParameter)), now?.() ?? null);
        let at = 0;
        for (const questions of alike) {
          const { length } = questions[0]?.asks ?? [];
          answer(questions, rows.slice(at, at + length));
          at += length;
        }
      } catch (error) {
        for (const { reject } of asked) reject(causeOf(error));
      }
      if (underWay === asked) underWay = [];
    }
  };

  let cancelSweep = () => {};
  const sweepLater = (): void => {
    cancelSweep = clock.after(sweepEveryMs, async () => {
      if (!closed) sweepLater();
      // What cannot be deleted now is deleted later; a store that is gone is noticed by those that ask it.
      const some = (): Promise<number> => connection.run(sweep, now?.() ?? null, sweepBatch).catch(() => 0);
      while ((await some()) === sweepBatch);
    });
  };

  connecting = connect();
  await connecting;
  sweepLater();
  return {
    name: 'postgresql',
    async take(asks) {
      if (session === null && !closed) {
        connecting ??= connect();
        await connecting;
      }
      if (session === null) throw new Error(fault);
      return new Promise((resolve, reject) => {
        gathered.push({ asks, resolve, reject });
        // Questions of one turn of the event loop go together.
        if (gathered.length === 1) queueMicrotask(() => void askAll());
      });
    },
    abandon: () => drop(session, 'it did not answer in time'),
    async close() {
      closed = true;
      cancelSweep();
      drop(session, 'the server is ending');
      await connecting;
    },
  };
}

const count = statement('count_rates', 'SELECT used, granted, wait_ms FROM count_rates($1::JSONB, $2::BIGINT)');

/** Those that go first, the same ones together: a client that sends many requests at a time costs no more than one. */
function firstOf(gathered: readonly Question[]): { alike: readonly Question[][]; asked: readonly Question[] } {
  const byAsks = new Map<string, Question[]>();
  let size = 0;
  for (const question of gathered) {
    const name = question.asks
      .map(({ key, limit, windowMs, count }) => `${key} ${limit} ${windowMs} ${count}`)
      .join('\n');
    const alike = byAsks.get(name);
    if (alike !== undefined) alike.push(question);
    else if (byAsks.size === mostQuestions) break;
    else byAsks.set(name, [question]);
    size += 1;
  }
  return { alike: [...byAsks.values()], asked: gathered.slice(0, size) };
}

const toParameter = (questions: readonly Question[]) => ({
  times: questions.length,
  asks: questions[0]?.asks.map(({ windowMs, ...ask }) => ({ ...ask, window: windowMs })),
});

/** As if each had been counted after the one before it. `rows` are of the asks that they share. */
function answer(questions: readonly Question[], rows: readonly Row[]): void {
  const counted = rows.map((row) => ({
    used: integer(row, 'used'),
    granted: integer(row, 'granted'),
    waitMs: integer(row, 'wait_ms'),
  }));
  for (const [index, { asks, resolve }] of questions.entries()) {
    resolve(
      counted.map(({ used, granted, waitMs }, at) => {
        const { limit = 0, count = false } = asks[at] ?? {};
        if (index < granted) return { allowed: true, used: count ? used + index + 1 : used, waitMs };
        const all = count ? used + granted : used;
        return { allowed: all < limit, used: all, waitMs };
      }),
    );
  }
}

/** Rows that are being counted in are passed over. */
const sweep = statement(
  'sweep_rate_counters',
  `DELETE FROM rate_counters WHERE key = ANY (ARRAY (
     SELECT key FROM rate_counters
     WHERE expires_at <= coalesce($1::BIGINT, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT)
     LIMIT $2 FOR UPDATE SKIP LOCKED))`,
);
