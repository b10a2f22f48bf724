/** Opens the store in a PostgreSQL database, for any number of processes, and makes its schema once the database is there. */
import { createHmac } from 'node:crypto';
import { DatabaseError } from 'pg';
import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import { type Log, silentLog } from '../../base/log.ts';
import { getCause, getMessage } from '../../base/thrown.ts';
import { type Database, type Queries, StoreUnusable } from '../database.ts';
import { bytes } from '../record.ts';
import { migrate } from '../schema.ts';
import { createStore, type Store } from '../store.ts';
import { describePostgres, type PostgresAddress, parsePostgresUrl } from './address.ts';
import { openPostgresDatabase } from './driver.ts';
import { createFeedTable, type FeedTable } from './feeds.ts';

/** Options of the store in a PostgreSQL database. */
export interface PostgresStoreOptions {
  /** DATABASE_URL. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum number of connections. @defaultValue 10 */
  readonly size?: number;
  /** SECRET_KEY, which is compared with that of the last server. @defaultValue no comparison */
  readonly secret?: Uint8Array;
}

/** A store with the parts that only PostgreSQL has. */
export interface PostgresStore extends Store {
  /** The store’s database, in which the rate limits count too. It is closed with the store. */
  readonly database: Database;
  readonly feeds: FeedTable;
}

/** Interval of attempts to reach a database that is not there, in milliseconds. */
const pauseMs = 1000;

/**
 * Opens the store and makes its schema. If the database cannot be reached, it resolves all the same and tries again every second;
 * until the database is there, every method rejects with `upstream_unavailable`.
 * @throws StoreUnusable if the first attempt finds what waiting does not fix. The message names host, port, database and the fix,
 * and never the password.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { url, clock, log, size = 10 } = options;
  const address = parseDatabaseUrl(url);
  let problem: StoreUnusable | null = null;
  let isClosed = false;
  let cancelNext = (): void => {};
  const setUp = async (isFirst: boolean): Promise<void> => {
    const previous = problem?.message;
    problem = await useDatabase(url, (database) => prepare(database, options)).then(
      () => null,
      (error: unknown) => createStartError(address, error),
    );
    if (problem === null && !isFirst) log.info({ event: 'store.connected' }, 'the database can be used now');
    if (problem === null || isClosed) return;
    if (isFirst && !(problem instanceof StoreUnreachable)) throw problem;
    if (problem.message !== previous) log.warn({ event: 'store.unavailable' }, problem.message);
    cancelNext = clock.after(pauseMs, () => void setUp(false));
  };
  await setUp(true);
  const database = openPostgresDatabase({ address, log, size, findProblem: () => problem });
  return {
    ...createStore(database, [rateHits]),
    database,
    feeds: createFeedTable(database),
    close() {
      isClosed = true;
      cancelNext();
      return database.close();
    },
  };
}

/**
 * Makes the schema. If there is a key, stores a hash of it, and logs a warning if the server before had another key, because
 * servers with different keys reject what each other signs.
 */
async function prepare(database: Database, options: PostgresStoreOptions): Promise<void> {
  const { clock, log, secret } = options;
  await makeSchema(database, clock.now());
  if (secret === undefined || !(await replaceKey(database, secret))) return;
  log.warn(
    { event: 'store.other_key' },
    'SECRET_KEY differs from the one of the last server that used this database: give all of them the same one, otherwise each rejects the others’ cursors',
  );
}

/** Stores a keyed hash of the key, and returns whether the server that started before had another key; false if none did. */
export async function replaceKey(queries: Queries, key: Uint8Array): Promise<boolean> {
  const row = await queries.get('SELECT fingerprint FROM secret_key');
  const fingerprint = createHmac('sha256', key).update('fingerprint').digest();
  await queries.run(writeFingerprint, fingerprint);
  return row !== undefined && Buffer.compare(bytes.read(row, 'fingerprint'), fingerprint) !== 0;
}

const writeFingerprint = `
  INSERT INTO secret_key (fingerprint) VALUES (?1)
  ON CONFLICT (only_row) DO UPDATE SET fingerprint = excluded.fingerprint`;

/** Counters expire by the database's own time; the hour is for servers whose clocks differ from it. */
const rateHits = { table: 'rate_hits', key: 'ctid', afterlife: 3_600_000 };

/** Advisory locks are numbers that the whole database shares; this one is the first 48 bits of "colophon". */
const schemaLock = 0x636f6c6f7068;

/**
 * Reads DATABASE_URL.
 * @throws StoreUnusable if it is invalid; the message says what to write instead
 */
function parseDatabaseUrl(url: string): PostgresAddress {
  try {
    return parsePostgresUrl(url);
  } catch (error) {
    throw new StoreUnusable(`DATABASE_URL ${getMessage(error)}.`);
  }
}

/**
 * Makes the schema, or updates it, while other processes wait; `now` is in milliseconds since 1970. Rejects with SchemaUnusable if
 * an unreleased version or a newer release made the database.
 */
export const makeSchema = (database: Database, now: number): Promise<void> =>
  database.transaction(async (queries) => {
    await queries.get('SELECT pg_advisory_xact_lock(?1)', schemaLock);
    await migrate(queries, 'postgres', now);
  });

/** The error for a database that may be there later, so that waiting can help. */
class StoreUnreachable extends StoreUnusable {
  override name = 'StoreUnreachable';
}

/**
 * Runs `work` on a connection of its own to `url`, the value of DATABASE_URL, and returns its result. Statements have no time
 * limit.
 * @throws StoreUnusable for every error, also of `work`
 */
export async function useDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const address = parseDatabaseUrl(url);
  const database = openPostgresDatabase({ address, log: silentLog, size: 1, isLimited: false });
  try {
    return await work(database);
  } catch (error) {
    throw createStartError(address, error);
  } finally {
    await database.close();
  }
}

/**
 * Returns the error that ends a start or a command, with the fix; it is a `StoreUnreachable` if waiting can help. A StoreUnusable
 * is returned as it is.
 */
function createStartError(address: PostgresAddress, error: unknown): StoreUnusable {
  if (error instanceof StoreUnusable) return error;
  const cause = getCause(error);
  const advice = findAdvice(cause, address);
  const problem = `${describePostgres(address)}, cannot be used (${getMessage(cause)}).`;
  // Waiting helps only in an outage, which is an ApiError without advice; a table of another program, for instance, remains.
  if (advice !== null || !(error instanceof ApiError)) {
    return new StoreUnusable(`${problem} ${advice ?? 'Name an empty database, or report it.'}`, { cause });
  }
  return new StoreUnreachable(`${problem} Start the database, or correct DATABASE_URL.`, { cause });
}

/**
 * Returns the fix for an error that stays until somebody acts: by its SQLSTATE if it comes from the database, or for TLS. Returns
 * null for every other error.
 */
function findAdvice(error: unknown, { user, database }: PostgresAddress): string | null {
  if (!(error instanceof DatabaseError)) {
    const isTls = error instanceof Error && /SSL|certificate|self.signed/i.test(error.message);
    return isTls ? 'Correct sslmode and sslrootcert in DATABASE_URL.' : null;
  }
  const credentialsFix = `Correct user ${user} or its password in DATABASE_URL, or what pg_hba.conf allows.`;
  const advice: Readonly<Record<string, string>> = {
    '28P01': credentialsFix,
    '28000': credentialsFix,
    '3D000': `Create it: createdb --owner=${user} ${database}`,
    '42501': `Give user ${user} the right to connect and to create tables in it.`,
    '25006': 'It can only be read, as a replica can: name the primary in DATABASE_URL.',
    '42P01': 'A server makes the tables at its first start.',
  };
  return advice[error.code ?? ''] ?? null;
}
