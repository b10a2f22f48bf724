/** The store in a PostgreSQL database, for any number of processes: reaching it, migrating it, and its parts together. */
import { DatabaseError } from 'pg';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { causeOf, messageOf } from '../../base/thrown.ts';
import type { FeedTable } from '../feed-table.ts';
import { integer } from '../row.ts';
import { type Store, StoreUnusable } from '../store.ts';
import { describePostgres, type PostgresAddress, postgresAddress } from './address.ts';
import { createPostgresClients } from './clients.ts';
import { clientSettings, createPostgresConnection, type PostgresConnection } from './connection.ts';
import { createPostgresConsent } from './consent.ts';
import { createPostgresFeeds } from './feeds.ts';
import { createPostgresIdempotency } from './idempotency.ts';
import { createPostgresJobs } from './jobs.ts';
import { migratePostgres } from './migrate.ts';
import { detectPooling, type Pooling } from './pooling.ts';
import { statement } from './queries.ts';
import { openSession, type Session } from './session.ts';
import { createPostgresStats } from './stats.ts';
import { createPostgresSweep } from './sweep.ts';
import { createPostgresTokens } from './tokens.ts';

export interface PostgresStoreOptions {
  /** DATABASE_URL. */
  url: string;
  clock: Clock;
  log: Log;
  /** What connections pass through; found out unless told. */
  pooler?: Pooling | 'auto';
  /** Connections of the pool at most; 10 unless told. */
  size?: number;
  /** Milliseconds, as the connection has them. */
  connectMs?: number;
  statementMs?: number;
}

export interface PostgresStore extends Store {
  /** For what else is kept in the same database. Ends with the store. */
  readonly connection: PostgresConnection;
  readonly feeds: FeedTable;
}

/**
 * Waits a few seconds for a database that is not there yet, and brings its schema up to date. Throws StoreUnusable, which
 * names host, port, database and the fix, and never the password.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { url, clock, log, pooler = 'auto', size, connectMs, statementMs } = options;
  const address = addressOf(url);
  const client = clientSettings(address, connectMs);
  const open = () => openSession({ client, named: false, setUp: null });
  let connection: PostgresConnection | null = null;
  try {
    const session = await reach(open, address, clock);
    try {
      await requireVersion(session, address);
      const pooling = pooler === 'auto' ? await detectPooling(open) : pooler;
      if (pooling !== 'none') await notePooler(session, pooling, log);
      await migratePostgres(session, clock.now(), log);
      const sizes = { ...(size !== undefined && { size }), ...(connectMs !== undefined && { connectMs }) };
      const bounds = { ...sizes, ...(statementMs !== undefined && { statementMs }) };
      connection = createPostgresConnection({ address, log, pooling, ...bounds });
      // A pooler may refuse what the pool's connections begin with, and no request should find that out.
      await connection.get(readVersion);
    } finally {
      session.close();
    }
  } catch (error) {
    await connection?.close();
    throw error instanceof StoreUnusable ? error : unusable(address, error);
  }
  return {
    connection,
    feeds: createPostgresFeeds(connection),
    ...createPostgresClients(connection),
    ...createPostgresTokens(connection),
    ...createPostgresConsent(connection),
    ...createPostgresJobs(connection),
    ...createPostgresIdempotency(connection),
    ...createPostgresSweep(connection),
    ...createPostgresStats(connection),
    close: connection.close,
  };
}

/** Throws StoreUnusable. */
export function addressOf(url: string): PostgresAddress {
  try {
    return postgresAddress(url);
  } catch (error) {
    throw new StoreUnusable(`DATABASE_URL ${messageOf(error)}.`);
  }
}

/** A database often starts at the same time as the server; an error that waiting does not fix is reported at once. */
async function reach(open: () => Promise<Session>, address: PostgresAddress, clock: Clock): Promise<Session> {
  const end = clock.monotonic() + patience;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (adviceFor(error, address) !== null || clock.monotonic() >= end) throw unusable(address, error);
    }
    await new Promise<void>((resolve) => {
      clock.after(pause, resolve);
    });
  }
}

async function notePooler(session: Session, pooling: Pooling, log: Log): Promise<void> {
  log.info({ event: 'store.pooler', pooling }, `PostgreSQL is reached through a pooler in ${pooling} mode`);
  if (pooling !== 'transaction' || (await session.get(readStatementTimeout))?.value !== '0') return;
  log.warn(
    { event: 'store.no_statement_timeout' },
    'through this pooler, statements have no time limit in the database: set one for its role with ALTER ROLE … SET statement_timeout',
  );
}

const readStatementTimeout = statement(
  'read_statement_timeout',
  "SELECT current_setting('statement_timeout') AS value",
);

/** What is older has no idle_session_timeout, on which the election of the feed's leader rests. */
const leastVersion = 14;

async function requireVersion(session: Session, address: PostgresAddress): Promise<void> {
  const version = Math.floor(integer((await session.get(readVersion)) ?? {}, 'version') / 10_000);
  if (version >= leastVersion) return;
  throw new StoreUnusable(
    `${describePostgres(address)}, is version ${version}. It must be ${leastVersion} or later: upgrade it.`,
  );
}

const readVersion = statement(
  'read_server_version',
  "SELECT current_setting('server_version_num')::integer AS version",
);

/** Milliseconds. */
const patience = 10_000;
const pause = 500;

/** What to tell an operator of a database that failed in this way. */
export function unusable(address: PostgresAddress, error: unknown): StoreUnusable {
  const cause = causeOf(error);
  const advice = adviceFor(cause, address) ?? 'Start the database, or correct DATABASE_URL.';
  return new StoreUnusable(`${describePostgres(address)}, cannot be used (${reasonOf(cause)}). ${advice}`, { cause });
}

/** By SQLSTATE, or null for what may pass by itself. */
function adviceFor(error: unknown, { user, database }: PostgresAddress): string | null {
  if (!(error instanceof DatabaseError)) {
    const isTls = error instanceof Error && /SSL|certificate|self.signed/i.test(error.message);
    return isTls ? 'Correct sslmode and sslrootcert in DATABASE_URL.' : null;
  }
  const [, parameter] = /unsupported startup parameter[^:]*: (\w+)/.exec(error.message) ?? [];
  if (parameter !== undefined) {
    return `A pooler in front of it refuses the startup parameter ${parameter}: leave DATABASE_POOLER at auto, or add ${parameter} to ignore_startup_parameters of PgBouncer.`;
  }
  switch (error.code) {
    case '28P01':
    case '28000':
      return `Correct user ${user} or its password in DATABASE_URL, or what pg_hba.conf allows.`;
    case '3D000':
      return `Create it: createdb --owner=${user} ${database}`;
    case '42501':
      return `Give user ${user} the right to connect and to create tables in it.`;
    case '25006':
      return 'It can only be read, as a replica can: name the primary in DATABASE_URL.';
    case '42P01':
      return 'A server makes the tables at its first start.';
    default:
      return null;
  }
}

/** A host with several addresses fails with one error for each, and a message that is empty. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return messageOf(error);
}
