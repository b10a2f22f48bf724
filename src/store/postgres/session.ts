/** A connection to PostgreSQL outside the pool, for what lives as long as a session does: locks, and its own settings. */
import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import type { Database } from '../database.ts';
import { answered, type Queries, queriesOn, readNumbers, type Statement } from './queries.ts';

export interface Session extends Queries {
  /** The server's process, as the handshake told it; null where it told none. */
  readonly processId: number | null;
  /** Statements without values, several at once. */
  script(sql: string): Promise<void>;
  close(): void;
}

export interface SessionSettings {
  readonly client: ClientConfig;
  /** Whether statements are prepared under their names. */
  readonly named: boolean;
  /** Run first; null: nothing. */
  readonly setUp: string | null;
  onEnd?: (() => void) | undefined;
}

/** `onEnd` is called once when the connection is lost. Rejects with the driver's own error when it cannot connect. */
async function openSession({ client: settings, named, setUp, onEnd }: SessionSettings): Promise<Session> {
  const socket = new Socket();
  const client = new Client({ ...settings, stream: () => socket });
  let live = true;
  const end = (): void => {
    if (live) onEnd?.();
    live = false;
  };
  client.on('error', end);
  client.on('end', end);
  try {
    await client.connect();
    if (setUp !== null) await client.query(setUp);
  } catch (error) {
    live = false;
    void client.end().catch(() => {});
    throw error;
  }
  readNumbers(client);
  let last: Promise<unknown> = Promise.resolve();
  /** One statement at a time: who shares a session need not know of each other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
  const queries = queriesOn(client, named);
  const processId: unknown = Reflect.get(client, 'processID');
  return {
    processId: typeof processId === 'number' ? processId : null,
    get: (...asked) => inTurn(() => queries.get(...asked)),
    all: (...asked) => inTurn(() => queries.all(...asked)),
    run: (...asked) => inTurn(() => queries.run(...asked)),
    async script(sql) {
      await inTurn(() => answered(client.query(sql)));
    },
    close() {
      live = false;
      // Whether the server hears of it is not waited for.
      void client.end().catch(() => {});
      socket.unref();
    },
  };
}

/** What the rate limits need of the database. */
export interface RateConnection {
  openSession(options: { readonly onEnd?: () => void }): Promise<Session>;
  run(statement: Statement, ...values: (string | number | null)[]): Promise<number>;
}

/** Creates the connections of the rate limits. */
export const createRateConnection = (client: ClientConfig, database: Pick<Database, 'run'>): RateConnection => ({
  openSession: ({ onEnd }) =>
    openSession({ client: { ...client, query_timeout: 3000 }, setUp: null, named: false, onEnd }),
  run: ({ text }, ...values) => database.run(text, ...values),
});
