/** `colophon clients list` and `clients revoke`: the registered clients in the database. */
import { Argument } from 'commander';
import { systemClock } from '../base/clock.ts';
import { type Config, readConfig } from '../config/environment.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { listSqliteClients } from '../store/sqlite/upkeep.ts';
import { type Command, exitCodes, jsonOption } from './command.ts';
import { formatCount } from './terminal.ts';

/** Loads the module that works on clients in PostgreSQL, which SQLite does not need. */
const importPostgresUpkeep = () => import('../store/postgres/upkeep.ts');

/** The command `clients list`. */
export const clientsList: Command = {
  name: 'clients list',
  summary: 'List the registered clients, newest first.',
  options: [jsonOption],
  details: 'This only reads the database, so servers can keep running. Secrets are stored as hashes and are not shown.',
  async run({ terminal: { out }, flag, env, directory }) {
    const { databaseUrl, dataDir } = readConfig(env, directory);
    const clients =
      databaseUrl === null
        ? await listSqliteClients(dataDir)
        : await (await importPostgresUpkeep()).listPostgresClients(databaseUrl);
    const rows = clients.map(({ id, name, identityType, scopes, issuedAt, lastTokenAt, revokedAt }) => ({
      client_id: id,
      client_name: name,
      identity_type: identityType,
      scope: scopes.join(' '),
      issued_at: formatTime(issuedAt),
      last_token_at: formatTime(lastTokenAt),
      revoked_at: formatTime(revokedAt),
    }));
    if (flag('json')) out(`${JSON.stringify(rows)}\n`);
    else {
      for (const { client_id, client_name, issued_at, last_token_at, revoked_at } of rows) {
        const state = revoked_at === null ? `last token ${last_token_at ?? 'never'}` : `revoked ${revoked_at}`;
        out(`${client_id}  registered ${issued_at}  ${state}  ${removeControls(client_name ?? '')}\n`);
      }
      out(`${formatCount(rows.length, 'client')}.\n`);
    }
    return exitCodes.done;
  },
};

/** The command `clients revoke`. */
export const clientsRevoke: Command = {
  name: 'clients revoke',
  summary: 'Revoke a client and all its tokens, permanently.',
  argument: new Argument('<CLIENT_ID>', 'The client; see colophon clients list.'),
  details: `With PostgreSQL, servers can keep running and notice at their next request. With SQLite, stop the server first, since only
one process can write to the database; while it runs, anyone with the client’s secret can revoke it at /oauth/revoke.`,
  async run({ terminal: { out, error }, argument, env, directory }) {
    const id = argument ?? '';
    const outcome = await revoke(readConfig(env, directory), id, systemClock.now());
    if (outcome === 'unknown') {
      error(`There is no client \`${removeControls(id)}\`. colophon clients list shows all of them.\n`);
      return exitCodes.failed;
    }
    out(outcome === 'ended' ? `${id} and all of its tokens are revoked.\n` : `${id} was already revoked.\n`);
    return exitCodes.done;
  },
};

/**
 * Revokes a client in the database of the settings: `ended` if it was valid until now, `before` if it was revoked already,
 * `unknown` if there is none. `now` is in milliseconds since 1970. Rejects with StoreUnusable without a usable database, or if a
 * server has that of SQLite open.
 */
async function revoke(
  { databaseUrl, dataDir }: Config,
  id: string,
  now: number,
): Promise<'ended' | 'before' | 'unknown'> {
  if (databaseUrl !== null) return (await importPostgresUpkeep()).revokePostgresClient(databaseUrl, id, now);
  // The clients are listed first, because opening the store would create a missing database, and listing reports it.
  if (!(await listSqliteClients(dataDir)).some((client) => client.id === id)) return 'unknown';
  const store = await openSqliteStore({ directory: dataDir, now });
  return store
    .revokeClient(id, now, false)
    .then((isRevoked) => (isRevoked ? 'ended' : 'before'))
    .finally(store.close);
}

const formatTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/**
 * Removes control characters, line breaks among them, and format, private-use and unassigned ones: clients choose their names,
 * which could steer the terminal.
 */
const removeControls = (text: string): string => text.replace(/\p{C}/gu, '');
