/** The environment's settings → the configuration of a server, or all of their errors at once. */
import { resolve } from 'node:path';
import type { z } from 'zod';
import { hostName, httpOrigin } from '../base/host-name.ts';
import { isLoopback } from '../base/loopback.ts';
import type { IssuerSettings } from '../oauth/trusted-issuers.ts';
import { readAssertionIssuers } from './assertion-issuers.ts';
import { type logLevels, type SettingName, settingsSchema } from './settings.ts';

export type LogLevel = (typeof logLevels)[number];

/** Variables by name. An empty one is not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Values = z.output<typeof settingsSchema>;

/** What a server is configured with; paths are absolute. */
export type Config = Readonly<ReturnType<typeof toConfig>> & {
  /** The identity providers whose assertions register clients. */
  readonly assertionIssuers: readonly IssuerSettings[];
};

/** Thrown with all errors of the settings, one sentence each. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Reads the settings; paths are relative to `directory`. Throws ConfigError. */
export function readConfig(env: Environment, directory: string): Config {
  const { config, faults } = checkSettings(env, directory);
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** Returns all errors of the settings, and the configuration, which is usable if there are none. */
export function checkSettings(env: Environment, directory: string): { config: Config; faults: string[] } {
  const texts = new Map<string, string>();
  for (const [name, text] of Object.entries(env)) if (isSet(text)) texts.set(name, text.trim());
  const result = settingsSchema.safeParse(Object.fromEntries(texts));
  const issues = result.error?.issues ?? [];
  // Where a value is invalid, the default stands in for it, so that the conflicts of the others are found too.
  const invalid = new Set(issues.map(({ path }) => path[0]));
  const valid = [...texts].filter(([name]) => !invalid.has(name));
  const values = result.data ?? settingsSchema.parse(Object.fromEntries(valid));
  const faults = [
    ...issues.map(({ path, message }) => `${String(path[0])} ${message}`),
    ...findConflicts(values, (name) => texts.has(name)),
  ];
  const { ASSERTION_ISSUERS_FILE: file } = values;
  const issuers = file === undefined ? [] : readAssertionIssuers(resolve(directory, file), faults);
  return { config: { ...toConfig(values, directory, texts.has('ADMIN_PORT')), assertionIssuers: issuers }, faults };
}

/** Whether a variable has a value. */
const isSet = (text: string | undefined): text is string => (text ?? '').trim() !== '';

function toConfig(values: Values, directory: string, isAdminPortSet: boolean) {
  const inDirectory = (path: string | undefined): string | null =>
    path === undefined ? null : resolve(directory, path);
  return {
    /** 0 picks a free one. */
    port: values.PORT,
    host: values.HOST,
    /** The admin listener, or null if it is off. `chosen`: ADMIN_PORT is set. */
    admin:
      values.ADMIN_PORT === null
        ? null
        : { host: values.ADMIN_HOST, port: values.ADMIN_PORT, chosen: isAdminPortSet, names: values.ADMIN_NAMES ?? [] },
    /** The public origin without the final slash, or null if it follows from host and port. */
    baseUrl: values.BASE_URL ?? null,
    /** The origin that serves only the MCP servers, or null if there is none. */
    mcpBaseUrl: values.MCP_BASE_URL ?? null,
    /** The content folder, or null for the example product. */
    contentDir: inDirectory(values.CONTENT_DIR),
    dataDir: resolve(directory, values.DATA_DIR),
    /** A PostgreSQL URL with its password, or null for SQLite in the data folder. */
    databaseUrl: values.DATABASE_URL ?? null,
    database: { size: values.DATABASE_POOL_SIZE },
    /** Server processes; more than one needs `databaseUrl`. */
    workers: values.WEB_CONCURRENCY,
    trust: values.TRUST_PROXY,
    /** Seconds to keep serving after /readyz turns 503. */
    drainDelaySeconds: values.DRAIN_DELAY,
    logLevel: values.LOG_LEVEL,
    /** The key itself, or null if it is in a file. */
    secretKey: values.SECRET_KEY ?? null,
    /** The file with the key, or null for the one in the data folder. */
    secretKeyFile: inDirectory(values.SECRET_KEY_FILE),
    limits: {
      anonymous: values.RATE_LIMIT_ANONYMOUS,
      authenticated: values.RATE_LIMIT_TOKEN,
      sandbox: values.RATE_LIMIT_SANDBOX,
      pages: values.RATE_LIMIT_PAGES,
      address: values.RATE_LIMIT_ADDRESS,
      registration: values.RATE_LIMIT_REGISTRATION,
      issue: values.RATE_LIMIT_ISSUE,
      refused: values.RATE_LIMIT_REFUSED,
    },
    /** Where several processes count the rate limits, or null for the database that they share. */
    redis: values.REDIS_URL ?? null,
  };
}

/** Returns why settings that are valid by themselves cannot work together. */
function findConflicts(values: Values, isGiven: (name: SettingName) => boolean): string[] {
  const faults = isGiven('BASE_URL') && values.BASE_URL === undefined ? [] : findMcpConflicts(values);
  const { WEB_CONCURRENCY: workers } = values;
  if (isGiven('SECRET_KEY') && isGiven('SECRET_KEY_FILE')) {
    faults.push('SECRET_KEY and SECRET_KEY_FILE are both set; keep one of them.');
  }
  if (workers > 1 && !isGiven('DATABASE_URL')) {
    faults.push(
      `WEB_CONCURRENCY is ${workers}, but SQLite allows only one writing process: set DATABASE_URL to a PostgreSQL database that the workers share, or WEB_CONCURRENCY to 1.`,
    );
  }
  if (isGiven('DATABASE_URL') && !isGiven('SECRET_KEY') && !isGiven('SECRET_KEY_FILE')) {
    faults.push(
      'SECRET_KEY or SECRET_KEY_FILE must be set with DATABASE_URL, the same for every process on the database; generate one with: openssl rand -hex 32',
    );
  }
  return faults;
}

/** The MCP host serves nothing else, and a service on a loopback address accepts only local MCP requests. */
function findMcpConflicts({ MCP_BASE_URL: mcp, BASE_URL: base, HOST: host, PORT: port }: Values): string[] {
  if (mcp === undefined) return [];
  const mcpUrl = new URL(mcp);
  const baseUrl = new URL(base ?? httpOrigin(host, port));
  if (hostName(mcpUrl.host) === hostName(baseUrl.host)) {
    return [
      `MCP_BASE_URL must have another host name than BASE_URL (${baseUrl.origin}): at the name in MCP_BASE_URL, only the MCP servers are served.`,
    ];
  }
  if (!isLoopback(baseUrl.hostname) || isLoopback(mcpUrl.hostname)) return [];
  return [
    `MCP_BASE_URL is ${mcp}, but BASE_URL is ${base ?? 'not set'}, so MCP requests are accepted only for this machine. Set BASE_URL to the public origin, such as https://api.example.com.`,
  ];
}
