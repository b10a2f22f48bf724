/** The environment, read in one place: every fault at once, each with its fix. */
import { hostName, httpOrigin } from '../base/host-name.ts';
import { isLoopback } from '../base/loopback.ts';
import type { ProxyTrust } from '../http/client-address.ts';
import type { IssuerSettings } from '../oauth/trusted-issuers.ts';
import type { RateLimits } from '../operations/context.ts';
import type { RedisAddress } from '../store/redis/address.ts';
import { readAssertionIssuers } from './assertion-issuers.ts';
import { SettingFault } from './setting-values.ts';
import {
  type logLevels,
  type poolerModes,
  type Setting,
  type SettingName,
  type SettingValue,
  settings,
} from './settings.ts';

export type LogLevel = (typeof logLevels)[number];

export interface Config {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Where /livez, /readyz, /metrics and /searches are; null: nowhere. Port 0 picks a free one. `chosen`: the port was set. */
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
  /** How that database is connected to. */
  readonly database: {
    readonly pooler: (typeof poolerModes)[number];
    readonly size: number;
    readonly connectSeconds: number;
    readonly statementSeconds: number;
  };
  /** Processes that serve; more than one needs `databaseUrl`. */
  readonly workers: number;
  /** An origin where nothing but the MCP servers is served; null where there is none. */
  readonly mcpBaseUrl: string | null;
  readonly trust: ProxyTrust;
  /** How long it keeps serving after it starts to shut down and /readyz says so. */
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
  const isSet = (name: SettingName): boolean => (env[name] ?? '').trim() !== '';
  const value = <N extends SettingName>(name: N): SettingValue<N> => {
    const { read, preset } = settings[name] as Setting;
    const written = isSet(name) ? env[name]?.trim() : preset;
    try {
      // The table's type says what each setting's own function gives.
      return (typeof written === 'string' ? read(written, directory) : null) as SettingValue<N>;
    } catch (error) {
      if (!(error instanceof SettingFault)) throw error;
      faults.push(...error.sentences.map((sentence) => `${name} ${sentence}`));
      return (preset === null ? null : read(preset, directory)) as SettingValue<N>;
    }
  };
  const issuersFile = value('ASSERTION_ISSUERS_FILE');
  const adminPort = value('ADMIN_PORT');
  const admin = { host: value('ADMIN_HOST'), names: value('ADMIN_NAMES') ?? [], chosen: isSet('ADMIN_PORT') };
  const config: Config = {
    port: value('PORT'),
    host: value('HOST'),
    admin: adminPort === null ? null : { ...admin, port: adminPort },
    baseUrl: value('BASE_URL'),
    mcpBaseUrl: value('MCP_BASE_URL'),
    contentDir: value('CONTENT_DIR'),
    dataDir: value('DATA_DIR'),
    databaseUrl: value('DATABASE_URL'),
    database: {
      pooler: value('DATABASE_POOLER'),
      size: value('DATABASE_POOL_SIZE'),
      connectSeconds: value('DATABASE_CONNECT_TIMEOUT'),
      statementSeconds: value('DATABASE_STATEMENT_TIMEOUT'),
    },
    workers: value('WEB_CONCURRENCY'),
    trust: value('TRUST_PROXY'),
    drainDelaySeconds: value('DRAIN_DELAY'),
    logLevel: value('LOG_LEVEL'),
    secretKey: value('SECRET_KEY'),
    secretKeyFile: value('SECRET_KEY_FILE'),
    assertionIssuers: issuersFile === null ? [] : readAssertionIssuers(issuersFile, faults),
    limits: {
      anonymous: value('RATE_LIMIT_ANONYMOUS'),
      authenticated: value('RATE_LIMIT_TOKEN'),
      sandbox: value('RATE_LIMIT_SANDBOX'),
      pages: value('RATE_LIMIT_PAGES'),
      address: value('RATE_LIMIT_ADDRESS'),
      registration: value('RATE_LIMIT_REGISTRATION'),
      issue: value('RATE_LIMIT_ISSUE'),
      refused: value('RATE_LIMIT_REFUSED'),
    },
    redis: value('REDIS_URL'),
  };
  faults.push(...mcpFaults(config));
  if (isSet('SECRET_KEY') && isSet('SECRET_KEY_FILE')) {
    faults.push('SECRET_KEY and SECRET_KEY_FILE are both set; keep one of them.');
  }
  if (config.workers > 1 && !isSet('DATABASE_URL')) {
    faults.push(
      `WEB_CONCURRENCY is ${config.workers}, but SQLite allows only one writing process: set DATABASE_URL to a PostgreSQL database that the workers share, or WEB_CONCURRENCY to 1.`,
    );
  }
  if (isSet('DATABASE_URL') && !isSet('SECRET_KEY') && !isSet('SECRET_KEY_FILE')) {
    faults.push(
      'SECRET_KEY or SECRET_KEY_FILE must be set with DATABASE_URL, the same for every process on the database; generate one with: openssl rand -hex 32',
    );
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** Returns why MCP_BASE_URL cannot work: the MCP host serves nothing else, and a local service accepts only local requests. */
function mcpFaults({ mcpBaseUrl, baseUrl, host, port }: Config): string[] {
  if (mcpBaseUrl === null) return [];
  const mcp = new URL(mcpBaseUrl);
  const publicUrl = baseUrl ?? httpOrigin(host, port);
  const base = URL.parse(publicUrl);
  if (base === null) return [];
  if (hostName(mcp.host) === hostName(base.host)) {
    return [
      `MCP_BASE_URL must have another host name than BASE_URL (${publicUrl}): at the name in MCP_BASE_URL, only the MCP servers are served.`,
    ];
  }
  if (!isLoopback(base.hostname) || isLoopback(mcp.hostname)) return [];
  const current = baseUrl === null ? 'not set' : baseUrl;
  return [
    `MCP_BASE_URL is ${mcpBaseUrl}, but BASE_URL is ${current}, so MCP requests are accepted only for this machine. Set BASE_URL to the public origin, such as https://api.example.com.`,
  ];
}
