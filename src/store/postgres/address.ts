/** Reads the URL of a PostgreSQL database. Messages about it never contain the password. */
import type { ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import { getMessage } from '../../base/thrown.ts';

/** Values of `sslmode`, as libpq reads them. `require` accepts any certificate, unless sslrootcert names the authority. */
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'];

/**
 * The connection options that `parsePostgresUrl` reads. `password` is undefined if the URL has none, so that PGPASSWORD is used.
 * `ssl` has the options of node:tls, is true for their defaults (`?ssl=true`), or is false without TLS.
 */
export type PostgresAddress = ReturnType<typeof parsePostgresUrl>;

/**
 * Reads the connection options of `postgres://user:password@host:port/database?sslmode=…`; a Unix socket's folder comes as
 * `?host=/run/postgresql`. Where the URL does not say, the host is localhost and the port 5432, without TLS.
 * @throws Error whose message, such as "must name a user: …", says what to write instead and repeats nothing of the URL but the
 * invalid word.
 */
export function parsePostgresUrl(url: string) {
  const { mode, host, port = 5432, database, user, password, ssl = false } = parseOptions(url);
  if (!database) throw new Error(`must name a database: ${example}`);
  if (!user) throw new Error(`must name a user: ${example}`);
  if (!tlsModes.some((tlsMode) => tlsMode === mode)) {
    throw new Error(`must have one of ${tlsModes.join(', ')} as sslmode; it has "${mode}"`);
  }
  return {
    /** A host name, an address, or the folder of a Unix socket. */
    host: host || 'localhost',
    port,
    database,
    user,
    /** The password, or undefined to use PGPASSWORD. */
    password: password || undefined,
    /** Options of node:tls, true for their defaults (`?ssl=true`), or false for no TLS. */
    ssl,
  };
}

function parseOptions(url: string): ClientConfig & { readonly mode: unknown } {
  if (!/^postgres(?:ql)?:/.test(url)) throw new Error(`must be a URL such as ${example}`);
  try {
    const options = parse(url, { useLibpqCompat: true });
    return { ...toClientConfig(options), mode: options.sslmode ?? 'disable' };
  } catch (error) {
    throw new Error(`must be a URL such as ${example} (${getMessage(error)})`);
  }
}

const example = 'postgres://user:password@host:5432/database';

/**
 * Returns the URL of a database, which has to be valid, without its password, for a program that prompts for it. An empty host, as
 * with a Unix socket, becomes localhost.
 */
export function removePassword(url: string): string {
  // A URL with a socket's folder in `host` has an empty host, which `URL` does not accept after a user.
  const parsedUrl = new URL(URL.canParse(url) ? url : url.replace('@/', '@localhost/'));
  parsedUrl.password = '';
  parsedUrl.searchParams.delete('password');
  return parsedUrl.href;
}

/** Returns "PostgreSQL at host:port, database name", for messages. */
export const describePostgres = ({ host, port, database }: PostgresAddress): string =>
  `PostgreSQL at ${host.includes(':') ? `[${host}]` : host}:${port}, database ${database}`;
