/** Rate counters in PostgreSQL: one statement counts for all requests that wait, by the database's own time. */
import type { Clock } from '../../base/clock.ts';
import { causeOf, messageOf } from '../../base/thrown.ts';
import type { RateStore } from '../rate-store.ts';
import { nameOfAsks, takeAll } from './counts.ts';
import { statement } from './queries.ts';
import type { RateConnection, Session } from './session.ts';
import { createStatementBatch } from './statement-batch.ts';
import { admitTokens, nameOfToken } from './token-rates.ts';

export interface PostgresRatesOptions {
  readonly connection: RateConnection;
  readonly clock: Clock;
  /** Milliseconds since 1970, for tests that move time; the database's time unless given. */
  readonly now?: () => number;
}

const sweepEveryMs = 60_000;
const sweepBatch = 1000;

/** Has a separate connection, so that limits do not wait for what else the database does. */
export async function openPostgresRates({ connection, clock, now }: PostgresRatesOptions): Promise<RateStore> {
  let session: Session | null = null;
  let connecting: Promise<void> | null = null;
  let fault = 'there is no connection';
  let closed = false;
  const moment = (): number | null => now?.() ?? null;

  const open = (): Session => {
    if (session === null) throw new Error(fault);
    return session;
  };
  const counts = createStatementBatch({ nameOf: nameOfAsks, send: (groups) => takeAll(open(), groups, moment()) });
  const tokens = createStatementBatch({ nameOf: nameOfToken, send: (groups) => admitTokens(open(), groups, moment()) });

  const connect = async (): Promise<void> => {
    try {
      const opened = await connection.openSession({
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
    for (const batch of [counts, tokens]) batch.refuse(new Error(why));
    lost?.close();
  };

  const connected = async (): Promise<void> => {
    if (session === null && !closed) {
      connecting ??= connect();
      await connecting;
    }
    open();
  };

  /** The driver's own error: whoever counts says why it counts by itself. */
  const withCause = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      throw causeOf(error);
    });

  let cancelSweep = () => {};
  const sweepLater = (): void => {
    cancelSweep = clock.after(sweepEveryMs, async () => {
      if (!closed) sweepLater();
      // What cannot be deleted now is deleted later; a store that is gone is noticed by those that ask it.
      const some = (): Promise<number> => connection.run(sweep, moment(), sweepBatch).catch(() => 0);
      while ((await some()) === sweepBatch);
    });
  };

  connecting = connect();
  await connecting;
  sweepLater();
  return {
    name: 'postgresql',
    async take(asks) {
      if (session === null) await connected();
      return withCause(counts.ask(asks));
    },
    async admit(ask) {
      if (session === null) await connected();
      return withCause(tokens.ask(ask));
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

/** Rows that are being counted in are passed over. */
const sweep = statement(
  'sweep_rate_counters',
  `DELETE FROM rate_counters WHERE key = ANY (ARRAY (
     SELECT key FROM rate_counters
     WHERE expires_at <= coalesce($1::BIGINT, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT)
     LIMIT $2 FOR UPDATE SKIP LOCKED))`,
);
