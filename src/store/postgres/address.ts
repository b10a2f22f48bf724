/** Where a PostgreSQL database is, read from its URL; what is said of it never holds the password. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

export interface PostgresAddress {
  /** A host name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** undefined: PGPASSWORD, if the server requires one. */
  readonly password: string | undefined;
  readonly tls: TlsMode;
  /** Files in PEM. */
  readonly rootCertificate: string | null;
  readonly certificate: string | null;
  readonly key: string | null;
}

/** libpq's words. `require` encrypts and takes any certificate, unless sslrootcert says who may have signed it. */
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export type TlsMode = (typeof tlsModes)[number];

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…`; a Unix socket's folder comes as `?host=/run/postgresql`.
 * Throws an Error whose message says what to write instead and repeats nothing of the URL but the invalid word.
 */
export function postgresAddress(url: string): PostgresAddress {
  const parsed = parse(url);
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    throw new Error('must be a URL such as postgres://user:password@host:5432/database');
  }
  const parameter = (name: string): string | null => parsed.searchParams.get(name) || null;
  const database = decode(parsed.pathname.slice(1));
  const user = parameter('user') ?? decode(parsed.username);
  if (database === '') throw new Error('must name a database: postgres://user:password@host:5432/database');
  if (user === '') throw new Error('must name a user: postgres://user:password@host:5432/database');
  const written = parameter('sslmode') ?? 'disable';
  const tls = tlsModes.find((mode) => mode === written);
  if (tls === undefined) throw new Error(`must have one of ${tlsModes.join(', ')} as sslmode; it has "${written}"`);
  const rootCertificate = parameter('sslrootcert');
  if (tls === 'verify-ca' && rootCertificate === null) {
    throw new Error('must name the authority’s certificate in sslrootcert, since sslmode is verify-ca');
  }
  const port = Number(parameter('port') ?? (parsed.port || 5432));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error('must have a number from 1 to 65535 as its port');
  }
  return {
    host: parameter('host') ?? (decode(parsed.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost'),
    port,
    database,
    user,
    password: parameter('password') ?? (decode(parsed.password) || undefined),
    tls,
    rootCertificate,
    certificate: parameter('sslcert'),
    key: parameter('sslkey'),
  };
}

/** The same URL for a program that asks for the password itself. `url` is one that can be read. */
export function withoutPassword(url: string): string {
  const parsed = parse(url);
  if (parsed === null) return '';
  parsed.password = '';
  parsed.searchParams.delete('password');
  return parsed.href;
}

/** Whoever names a socket's folder in `host` leaves the host itself out, which URLs do not allow behind a user. */
const parse = (url: string): URL | null => URL.parse(url) ?? URL.parse(url.replace('@/', '@localhost/'));

/** For messages: host, port and database. */
export const describePostgres = ({ host, port, database }: PostgresAddress): string =>
  `PostgreSQL at ${host.includes(':') ? `[${host}]` : host}:${port}, database ${database}`;

/** What node:tls is told; false: no TLS. Throws when a certificate's file cannot be read. */
export function tlsOptions({ tls, rootCertificate, certificate, key }: PostgresAddress): ConnectionOptions | false {
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
