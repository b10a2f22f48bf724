/** Reads the URL of a PostgreSQL database. Messages about it never contain the password. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** Modes of libpq. `require` encrypts and accepts any certificate, unless sslrootcert names the authority. */
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

export type PostgresAddress = ReturnType<typeof parsePostgresUrl>;

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…`; a Unix socket's folder comes as `?host=/run/postgresql`.
 * @throws Error whose message says what to write instead and repeats nothing of the URL but the invalid word.
 */
export function parsePostgresUrl(url: string) {
  const parsed = parse(url);
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    throw new Error('must be a URL such as postgres://user:password@host:5432/database');
  }
  const parameter = (name: string): string | null => parsed.searchParams.get(name) || null;
  const database = decode(parsed.pathname.slice(1));
  const user = parameter('user') ?? decode(parsed.username);
  if (database === '') throw new Error('must name a database: postgres://user:password@host:5432/database');
  if (user === '') throw new Error('must name a user: postgres://user:password@host:5432/database');
  const sslMode = parameter('sslmode') ?? 'disable';
  const tls = tlsModes.find((mode) => mode === sslMode);
  if (tls === undefined) throw new Error(`must have one of ${tlsModes.join(', ')} as sslmode; it has "${sslMode}"`);
  const rootCertificate = parameter('sslrootcert');
  if (tls === 'verify-ca' && rootCertificate === null) {
    throw new Error('must name the authority’s certificate in sslrootcert, since sslmode is verify-ca');
  }
  const port = Number(parameter('port') ?? (parsed.port || 5432));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error('must have a number from 1 to 65535 as its port');
  }
  return {
    /** A host name, an address, or the folder of a Unix socket. */
    host: parameter('host') ?? (decode(parsed.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost'),
    port,
    database,
    user,
    /** The password, or undefined to use PGPASSWORD. */
    password: parameter('password') ?? (decode(parsed.password) || undefined),
    tls,
    /** Paths of PEM files, or null. */
    rootCertificate,
    certificate: parameter('sslcert'),
    key: parameter('sslkey'),
  };
}

/** Returns a valid URL without its password, for a program that prompts for the password. */
export function removePassword(url: string): string {
  const parsed = parse(url);
  if (parsed === null) return '';
  parsed.password = '';
  parsed.searchParams.delete('password');
  return parsed.href;
}

/** A URL with a socket's folder in `host` has an empty host, which `URL` does not accept after a user. */
const parse = (url: string): URL | null => URL.parse(url) ?? URL.parse(url.replace('@/', '@localhost/'));

/** Describes host, port and database for messages. */
export const describePostgres = ({ host, port, database }: PostgresAddress): string =>
  `PostgreSQL at ${host.includes(':') ? `[${host}]` : host}:${port}, database ${database}`;

/** Returns the options of node:tls, or false for no TLS. Throws if a certificate's file cannot be read. */
export function readTlsOptions({ tls, rootCertificate, certificate, key }: PostgresAddress): ConnectionOptions | false {
  if (tls === 'disable') return false;
  const isChecked = tls !== 'require' || rootCertificate !== null;
  return {
    rejectUnauthorized: isChecked,
    ...(rootCertificate !== null && { ca: readFileSync(rootCertificate, 'utf8') }),
    ...(certificate !== null && { cert: readFileSync(certificate, 'utf8') }),
    ...(key !== null && { key: readFileSync(key, 'utf8') }),
    // verify-ca checks who signed the certificate, not which host it names; so does require with an authority (libpq).
    ...(tls !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('must have % in its user, password and database written as %25');
  }
}
