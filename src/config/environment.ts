/** The environment, read in one place: every fault at once, each with its fix. */
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { messageOf } from '../base/thrown.ts';
import type { ProxyTrust } from '../http/client-address.ts';
import type { IssuerSettings } from '../oauth/trusted-issuers.ts';
import type { RateLimits } from '../operations/context.ts';
import { postgresAddress } from '../store/postgres/address.ts';
import { type RedisAddress, redisAddress } from '../store/redis/address.ts';
import { readAssertionIssuers } from './assertion-issuers.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Where /livez, /readyz and /metrics are; null: nowhere. Port 0 picks a free one. `chosen`: the port was set. */
  readonly admin: {
    readonly host: string;
    readonly port: number;
    readonly chosen: boolean;
    readonly names: readonly string[];
  } | null;
  /** Without a slash at its end; null: made of host and port. */
  readonly baseUrl: string | null;
  /** Absolute; null: the content that ships with the server. */
  readonly contentDir: string | null;
  /** Absolute. */
  readonly dataDir: string;
  /** A PostgreSQL database; null: SQLite in the data directory. Holds a password: never shown as it is. */
  readonly databaseUrl: string | null;
  /** Processes that serve; more than one needs `databaseUrl`. */
  readonly workers: number;
  readonly trust: ProxyTrust;
  /** How long it goes on serving once it is told to end and /readyz says so. */
  readonly drainDelaySeconds: number;
  readonly logLevel: LogLevel;
  /** null: read from or generated into the data directory. */
  readonly secretKey: string | null;
  readonly secretKeyFile: string | null;
  /** The identity providers whose assertions count; usually none. */
  readonly assertionIssuers: readonly IssuerSettings[];
  readonly limits: RateLimits;
  /** Where several processes count the rate limits together; null: in the database that they share, if they share one. */
  readonly redis: RedisAddress | null;
}

/** Thrown with every fault of the environment, one sentence each. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** `directory` is what relative paths are relative to. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, directory: string): Config {
  const faults: string[] = [];
  const text = (name: string): string | null => env[name]?.trim() || null;
  const whole = (name: string, preset: number, least: number, most: number, or = ''): number => {
    const value = text(name);
    if (value === null) return preset;
    if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    faults.push(`${name} must be a whole number from ${least} to ${most}${or}; it is "${value}".`);
    return preset;
  };
  const path = (name: string): string | null => {
    const value = text(name);
    return value === null ? null : resolve(directory, value);
  };
  const rate = (name: string, preset: number): number => whole(name, preset, 1, 1_000_000);
  const level = text('LOG_LEVEL') ?? 'info';
  const logLevel = logLevels.find((known) => known === level);
  if (logLevel === undefined) faults.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}; it is "${level}".`);
  const issuersFile = path('ASSERTION_ISSUERS_FILE');
  const config: Config = {
    port: whole('PORT', 8080, 0, 65_535),
    host: text('HOST') ?? '127.0.0.1',
    admin:
      text('ADMIN_PORT') === 'off'
        ? null
        : {
            host: text('ADMIN_HOST') ?? '127.0.0.1',
            port: whole('ADMIN_PORT', 9464, 0, 65_535, ' or off'),
            chosen: text('ADMIN_PORT') !== null,
            names: readNames('ADMIN_NAMES', text('ADMIN_NAMES'), faults),
          },
    baseUrl: readBaseUrl(text('BASE_URL'), faults),
    contentDir: path('CONTENT_DIR'),
    dataDir: path('DATA_DIR') ?? resolve(directory, 'data'),
    databaseUrl: readDatabaseUrl(text('DATABASE_URL'), faults),
    workers: whole('WEB_CONCURRENCY', 1, 1, 256),
    trust: readTrust(text('TRUST_PROXY'), faults),
    drainDelaySeconds: whole('DRAIN_DELAY', 0, 0, 300),
    logLevel: logLevel ?? 'info',
    secretKey: text('SECRET_KEY'),
    secretKeyFile: path('SECRET_KEY_FILE'),
    assertionIssuers: issuersFile === null ? [] : readAssertionIssuers(issuersFile, faults),
    limits: {
      anonymous: rate('RATE_LIMIT_ANONYMOUS', 120),
      authenticated: rate('RATE_LIMIT_TOKEN', 600),
      sandbox: rate('RATE_LIMIT_SANDBOX', 60),
      pages: rate('RATE_LIMIT_PAGES', 1200),
      address: rate('RATE_LIMIT_ADDRESS', 3000),
      registration: rate('RATE_LIMIT_REGISTRATION', 20),
      issue: rate('RATE_LIMIT_ISSUE', 60),
      refused: rate('RATE_LIMIT_REFUSED', 60),
    },
    redis: readRedis(text('REDIS_URL'), faults),
  };
  if (config.secretKey !== null && config.secretKeyFile !== null) {
    faults.push('SECRET_KEY and SECRET_KEY_FILE are both set; keep one of them.');
  }
  if (config.secretKey !== null && config.secretKey.length < 32) {
    faults.push('SECRET_KEY must have at least 32 characters; make one with: openssl rand -hex 32');
  }
  if (config.workers > 1 && text('DATABASE_URL') === null) {
    faults.push(
      `WEB_CONCURRENCY is ${config.workers}, and SQLite has one writing process: set DATABASE_URL to a PostgreSQL database that the workers share, or WEB_CONCURRENCY to 1.`,
    );
  }
  if (text('DATABASE_URL') !== null && config.secretKey === null && config.secretKeyFile === null) {
    faults.push(
      'SECRET_KEY or SECRET_KEY_FILE must be set with DATABASE_URL, the same for every process on the database; make one with: openssl rand -hex 32',
    );
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** The fault says nothing of the value, which may hold a password. */
function readDatabaseUrl(value: string | null, faults: string[]): string | null {
  if (value === null) return null;
  try {
    postgresAddress(value);
    return value;
  } catch (error) {
    faults.push(`DATABASE_URL ${messageOf(error)}; leave it unset for SQLite in DATA_DIR.`);
    return null;
  }
}

function readBaseUrl(value: string | null, faults: string[]): string | null {
  if (value === null) return null;
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    faults.push(`BASE_URL must be an http or https origin such as https://api.example.com; it is "${value}".`);
    return null;
  }
  if (url.pathname !== '/' || url.username !== '') {
    faults.push(`BASE_URL must be an origin without a path or a user name; it is "${value}".`);
    return null;
  }
  return url.origin;
}

function readRedis(value: string | null, faults: string[]): RedisAddress | null {
  try {
    return value === null ? null : redisAddress(value);
  } catch (error) {
    faults.push(`REDIS_URL ${messageOf(error)}.`);
    return null;
  }
}

function readTrust(value: string | null, faults: string[]): ProxyTrust {
  if (value === null || value === 'none') return { kind: 'none' };
  if (/^\d{1,2}$/.test(value)) return { kind: 'hops', hops: Number(value) };
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const member of value.split(',').map((part) => part.trim())) {
    const cidr = member.includes('/') ? member : `${member}/${member.includes(':') ? 128 : 32}`;
    if (ipaddr.isValidCIDR(cidr)) ranges.push(ipaddr.parseCIDR(cidr));
    else
      faults.push(
        `TRUST_PROXY must list addresses or ranges such as 10.0.0.0/8, or be a number of hops; "${member}" is neither.`,
      );
  }
  return { kind: 'ranges', ranges };
}

/** Host names, separated by commas. */
function readNames(setting: string, value: string | null, faults: string[]): string[] {
  const names = (value ?? '').split(',').map((name) => name.trim());
  const wrong = names.find((name) => name !== '' && !/^[\w.-]+$/.test(name));
  if (wrong !== undefined)
    faults.push(`${setting} must be host names without ports, separated by commas; "${wrong}" is none.`);
  return names.filter((name) => name !== '');
}
