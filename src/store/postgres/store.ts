/** Opens the store in a PostgreSQL database, for any number of processes, and makes its schema once the database is there. */
import { DatabaseError } from 'pg';
import type { Clock } from '../../base/clock.ts';
import { type Log, silentLog } from '../../base/log.ts';
import { causeOf, messageOf } from '../../base/thrown.ts';
import { type Database, StoreUnusable } from '../database.ts';
import { integer } from '../record.ts';
import { migrate } from '../schema.ts';
import { createStore, type Store } from '../store.ts';
import { describePostgres, type PostgresAddress, parsePostgresUrl } from './address.ts';
import { openPostgresDatabase, type PostgresDriverOptions } from './driver.ts';
import { createFeedTable, type FeedTable } from './feeds.ts';
import { rememberKey } from './key.ts';

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

export interface PostgresStore extends Store {
  /** The same database, for the rate limits. It is closed with the store. */
  readonly database: Database;
  readonly feeds: FeedTable;
}

/** Interval of attempts to reach a database that is not there, in milliseconds. */
const pauseMs = 1000;

/**
 * Opens the store and makes its schema. A database that cannot be reached is tried again every second; until it is there,
 * every method rejects with `upstream_unavailable`.
 * @throws StoreUnusable for what waiting does not fix. The message names host, port, database and the fix, and never the password.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { url, clock, log, size } = options;
  const address = parseDatabaseUrl(url);
  let problem: StoreUnusable | null = null;
  let isClosed = false;
  let cancelNext = (): void => {};
  const setUp = async (isFirst: boolean): Promise<void> => {
    const previous = problem?.message;
    const work = (database: Database) => prepare(database, address, options);
    problem = await useDatabase({ address, isLimited: false }, work).then(
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
  const database = openPostgresDatabase({
    address,
    log,
    findProblem: () => problem,
    ...(size !== undefined && { size }),
  });
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

/** Makes the schema, and warns if servers on one database have different keys: what one signs, another would not recognize. */
async function prepare(
  database: Database,
  address: PostgresAddress,
  { clock, log, secret }: Pick<PostgresStoreOptions, 'clock' | 'log' | 'secret'>,
): Promise<void> {
  await makeSchema(database, address, clock.now());
  if (secret === undefined || (await rememberKey(database, secret)) !== 'other') return;
  log.warn(
    { event: 'store.other_key' },
    'SECRET_KEY differs from the one of the last server that used this database: give all of them the same one, otherwise each rejects the others’ cursors',
  );
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

/** Checks the version of the server, and makes the schema while no other process does. */
export async function makeSchema(database: Database, address: PostgresAddress, now: number): Promise<void> {
  const row = await database.get("SELECT current_setting('server_version_num')::integer AS version");
  const version = Math.floor(integer.read(row ?? {}, 'version') / 10_000);
  if (version < minVersion) {
    throw new StoreUnusable(
      `${describePostgres(address)}, is version ${version}. It must be ${minVersion} or later: upgrade it.`,
    );
  }
  await database.transaction(async (queries) => {
    await queries.get('SELECT pg_advisory_xact_lock(?1)', schemaLock);
    await migrate(queries, 'postgres', now);
  });
}

/** A database that may be there later. */
class StoreUnreachable extends StoreUnusable {
  override name = 'StoreUnreachable';
}

/**
 * Runs `work` on a connection of its own.
 * @throws StoreUnusable
 */
export async function useDatabase<T>(
  options: Pick<PostgresDriverOptions, 'address' | 'isLimited'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openPostgresDatabase({ ...options, log: silentLog, size: 1 });
  try {
    return await work(database);
  } catch (error) {
    throw createStartError(options.address, error);
  } finally {
    await database.close();
  }
}

/** Returns the error that ends a start or a command, with the fix. */
function createStartError(address: PostgresAddress, error: unknown): StoreUnusable {
  if (error instanceof StoreUnusable) return error;
  const cause = causeOf(error);
  const advice = findAdvice(cause, address);
  const problem = `${describePostgres(address)}, cannot be used (${describeReason(cause)}).`;
  if (advice !== null) return new StoreUnusable(`${problem} ${advice}`, { cause });
  return new StoreUnreachable(`${problem} Start the database, or correct DATABASE_URL.`, { cause });
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
