/** Opens the store in a PostgreSQL database, for any number of processes: reaching it, its version, the schema. */
import { DatabaseError } from 'pg';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { causeOf, messageOf } from '../../base/thrown.ts';
import type { Database } from '../database.ts';
import { StoreUnusable } from '../database.ts';
import { integer } from '../record.ts';
import { migrate } from '../schema.ts';
import { createStore, type Store } from '../store.ts';
import { describePostgres, type PostgresAddress, parsePostgresUrl } from './address.ts';
import { openPostgresDatabase } from './driver.ts';
import type { FeedTable } from './feeds.ts';
import { createFeedTable } from './feeds.ts';

export interface PostgresStoreOptions {
  /** DATABASE_URL. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum number of connections. @defaultValue 10 */
  readonly size?: number;
}

export interface PostgresStore extends Store {
  /** The same database, for the secret key's fingerprint and the rate limits. It is closed with the store. */
  readonly database: Database;
  readonly feeds: FeedTable;
}

/**
 * Waits a few seconds for a database that is not there yet, and makes its schema.
 * @throws StoreUnusable, which names host, port, database and the fix, and never the password.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { url, clock, log, size } = options;
  const address = parseDatabaseUrl(url);
  // Making a schema, or waiting for another process that makes it, may take longer than a request should.
  const setup = openPostgresDatabase({ address, log, size: 1, isLimited: false });
  try {
    await waitForServer(setup, address, clock);
    await setup.transaction(async (queries) => {
      await queries.get('SELECT pg_advisory_xact_lock(?1)', schemaLock);
      await migrate(queries, 'postgres', clock.now());
    });
  } catch (error) {
    throw createStartError(address, error);
  } finally {
    await setup.close();
  }
  const database = openPostgresDatabase({ address, log, ...(size !== undefined && { size }) });
  return { database, feeds: createFeedTable(database), ...createStore(database, [rateHits]) };
}

/** Counters expire by the database's own time; the hour is for servers whose clocks differ from it. */
const rateHits = { table: 'rate_hits', key: 'ctid', afterlife: 3_600_000 };

/** Advisory locks are numbers that the whole database shares; this one is the first 48 bits of "colophon". */
const schemaLock = 0x636f6c6f7068;

/**
 * Reads DATABASE_URL.
 * @throws StoreUnusable
 */
export function parseDatabaseUrl(url: string): PostgresAddress {
  try {
    return parsePostgresUrl(url);
  } catch (error) {
    throw new StoreUnusable(`DATABASE_URL ${messageOf(error)}.`);
  }
}

/** PostgreSQL 13 and older are out of support. */
const minVersion = 14;

/** A database often starts at the same time as the server; an error that waiting does not fix is thrown at once. */
async function waitForServer(database: Database, address: PostgresAddress, clock: Clock): Promise<void> {
  const end = clock.monotonic() + patienceMs;
  for (;;) {
    try {
      const row = await database.get("SELECT current_setting('server_version_num')::integer AS version");
      const version = Math.floor(integer.read(row ?? {}, 'version') / 10_000);
      if (version >= minVersion) return;
      throw new StoreUnusable(
        `${describePostgres(address)}, is version ${version}. It must be ${minVersion} or later: upgrade it.`,
      );
    } catch (error) {
      const isFinal = error instanceof StoreUnusable || findAdvice(causeOf(error), address) !== null;
      if (isFinal || clock.monotonic() >= end) throw error;
    }
    await new Promise<void>((resolve) => {
      clock.after(pauseMs, resolve);
    });
  }
}

const patienceMs = 10_000;
const pauseMs = 500;

/** Returns the error that ends a start or a command, with the fix. */
export function createStartError(address: PostgresAddress, error: unknown): StoreUnusable {
  if (error instanceof StoreUnusable) return error;
  const cause = causeOf(error);
  const advice = findAdvice(cause, address) ?? 'Start the database, or correct DATABASE_URL.';
  return new StoreUnusable(`${describePostgres(address)}, cannot be used (${describeReason(cause)}). ${advice}`, {
    cause,
  });
}

/** Returns the fix for an error that stays until somebody acts, by SQLSTATE, or null for what may pass by itself. */
function findAdvice(error: unknown, { user, database }: PostgresAddress): string | null {
  if (!(error instanceof DatabaseError)) {
    const isTls = error instanceof Error && /SSL|certificate|self.signed/i.test(error.message);
    return isTls ? 'Correct sslmode and sslrootcert in DATABASE_URL.' : null;
  }
  const denied = `Correct user ${user} or its password in DATABASE_URL, or what pg_hba.conf allows.`;
  const advice: Readonly<Record<string, string>> = {
    '28P01': denied,
    '28000': denied,
    '3D000': `Create it: createdb --owner=${user} ${database}`,
    '42501': `Give user ${user} the right to connect and to create tables in it.`,
    '25006': 'It can only be read, as a replica can: name the primary in DATABASE_URL.',
    '42P01': 'A server makes the tables at its first start.',
  };
  return advice[error.code ?? ''] ?? null;
}

/** A host with several addresses fails with one error for each, and a message that is empty. */
function describeReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return messageOf(error);
}
