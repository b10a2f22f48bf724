/** Where Redis or Valkey is, read from its URL: one server, what Sentinel watches, or a cluster. What is said of it never holds a password. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

export interface RedisAddress {
  readonly kind: 'server' | 'sentinel' | 'cluster';
  /** A Unix socket; null: nodes. */
  readonly path: string | null;
  /** The server, the sentinels, or some nodes of the cluster, which name the others. */
  readonly nodes: readonly RedisNode[];
  /** What the sentinels call the server that they watch; null without them. */
  readonly master: string | null;
  readonly user: string | null;
  readonly password: string | null;
  readonly sentinelPassword: string | null;
  readonly db: number;
  /** null: no TLS. Files in PEM; the machine's own authorities unless `ca` names one. */
  readonly tls: { readonly ca: string | null; readonly cert: string | null; readonly key: string | null } | null;
}

const example =
  'must be a URL such as redis://user:password@host:6379/0, rediss://… for TLS, unix:///run/redis.sock, ' +
  'redis+sentinel://host:26379,host:26379/0?master=name or redis+cluster://host:6379,host:6379';

const form = /^(redis|rediss|unix)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?]*)@)?([^/?@]*)(\/[^?]*)?(?:\?(.*))?$/;

/** Throws an Error whose message says what to write instead and repeats nothing of the URL. */
export function redisAddress(url: string): RedisAddress {
  const [, scheme, topology, credentials = '', hosts = '', path = '', query = ''] = form.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const parameter = (name: string): string | null => parameters.get(name) || null;
  const isSocket = scheme === 'unix';
  if (scheme === undefined || (isSocket && (topology !== undefined || path.length < 2))) throw new Error(example);
  const kind = topology === 'sentinel' || topology === 'cluster' ? topology : 'server';
  const nodes = isSocket ? [] : hosts.split(',').map((host) => nodeOf(host, kind === 'sentinel' ? 26_379 : 6379));
  if (kind === 'server' && nodes.length > 1) throw new Error(example);
  const master = parameter('master');
  if (kind === 'sentinel' && master === null) {
    throw new Error('must name the server that the sentinels watch: redis+sentinel://host:26379/0?master=name');
  }
  const db = (isSocket ? parameter('db') : path.slice(1)) || '0';
  if (!/^\d{1,4}$/.test(db)) throw new Error('must have a whole number as its database: redis://host:6379/0');
  if (kind === 'cluster' && db !== '0') throw new Error('must have no database but 0: a cluster has no other');
  const separator = credentials.indexOf(':');
  const user = separator < 0 ? credentials : credentials.slice(0, separator);
  return {
    kind,
    path: isSocket ? decode(path) : null,
    nodes,
    master: kind === 'sentinel' ? master : null,
    user: decode(user) || null,
    password: separator < 0 ? null : decode(credentials.slice(separator + 1)) || null,
    sentinelPassword: parameter('sentinel_password'),
    db: Number(db),
    tls: scheme === 'rediss' ? { ca: parameter('ca'), cert: parameter('cert'), key: parameter('key') } : null,
  };
}

function nodeOf(text: string, usualPort: number): RedisNode {
  const parsed = URL.parse(`redis://${text}`);
  const host = decode(parsed?.hostname ?? '').replace(/^\[(.*)\]$/, '$1');
  if (parsed === null || host === '') throw new Error(example);
  return { host, port: Number(parsed.port || usualPort) };
}

/** For messages: where it is, and the database. */
export function describeRedis({ kind, path, nodes, master, db }: RedisAddress): string {
  const at = path ?? nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(', ');
  switch (kind) {
    case 'server':
      return `Redis at ${at}, database ${db}`;
    case 'sentinel':
      return `Redis ${master}, watched by the sentinels at ${at}, database ${db}`;
    case 'cluster':
      return `Redis Cluster at ${at}`;
  }
}

/** What node:tls is told; undefined: no TLS. Throws when a file cannot be read, in words for the URL's setting. */
export function redisTls({ tls }: RedisAddress): ConnectionOptions | undefined {
  if (tls === null) return undefined;
  const { ca, cert, key } = tls;
  return {
    ...(ca !== null && { ca: readPem('ca', ca) }),
    ...(cert !== null && { cert: readPem('cert', cert) }),
    ...(key !== null && { key: readPem('key', key) }),
  };
}

function readPem(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Error(`must name a file in PEM that can be read as ${parameter}: ${file} cannot`);
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('must have % in its user, password and path written as %25');
  }
}
