/** Where a Redis or Valkey server is, read from its URL; what is said of it never holds the password. */

export interface RedisAddress {
  /** A Unix socket; null: host and port. */
  readonly path: string | null;
  readonly host: string;
  readonly port: number;
  readonly user: string | null;
  readonly password: string | null;
  readonly db: number;
  readonly isTls: boolean;
}

const example = 'must be a URL such as redis://user:password@host:6379/0, rediss://… for TLS or unix:///run/redis.sock';

/**
 * Reads `redis://`, `rediss://` and `unix:///path?db=N`. Throws an Error whose message says what to write instead and repeats
 * nothing of the URL.
 */
export function redisAddress(url: string): RedisAddress {
  const parsed = URL.parse(url);
  if (parsed === null || !['redis:', 'rediss:', 'unix:'].includes(parsed.protocol)) throw new Error(example);
  const isSocket = parsed.protocol === 'unix:';
  const path = isSocket ? decode(parsed.pathname) : null;
  const host = decode(parsed.hostname).replace(/^\[(.*)\]$/, '$1');
  if (isSocket ? path === '' || path === '/' : host === '') throw new Error(example);
  const db = (isSocket ? parsed.searchParams.get('db') : parsed.pathname.slice(1)) || '0';
  if (!/^\d{1,4}$/.test(db)) throw new Error('must have a whole number as its database: redis://host:6379/0');
  return {
    path,
    host,
    port: Number(parsed.port || 6379),
    user: decode(parsed.username) || null,
    password: decode(parsed.password) || null,
    db: Number(db),
    isTls: parsed.protocol === 'rediss:',
  };
}

/** For messages: host and port, or the socket, and the database. */
export const describeRedis = ({ path, host, port, db }: RedisAddress): string =>
  `Redis at ${path ?? `${host.includes(':') ? `[${host}]` : host}:${port}`}, database ${db}`;

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('must have % in its user, password and path written as %25');
  }
}
