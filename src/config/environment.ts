/** The environment's settings → the configuration of a server, or all of their errors at once. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { hostName, httpOrigin } from '../base/host-name.ts';
import { isLoopback } from '../base/loopback.ts';
import type { IssuerSettings } from '../oauth/trusted-issuers.ts';
import { readAssertionIssuers } from './assertion-issuers.ts';
import { settingName, settings, settingsSchema } from './settings.ts';

/** Variables by name. An empty one is not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Values = z.output<typeof settingsSchema>;

/** The settings with absolute paths; those of the admin listener and the rate limits are grouped. */
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
  for (const { key, name } of settings) {
    const text = env[name]?.trim() ?? '';
    if (text !== '') texts.set(key, text);
  }
  const issues = settingsSchema.safeParse(Object.fromEntries(texts)).error?.issues ?? [];
  // Where a value is invalid, the default stands in for it, so that the conflicts of the others are found too.
  const valid = [...texts].filter(([key]) => !issues.some(({ path }) => path[0] === key));
  const values = settingsSchema.parse(Object.fromEntries(valid));
  const faults = [
    ...issues.map(({ path, message }) => `${settingName(String(path[0]))} ${message}`),
    ...findConflicts(values, (key) => texts.has(key)),
  ];
  const config = toConfig(values, directory, texts.has('adminPort'));
  const { assertionIssuersFile: file } = values;
  const assertionIssuers = file === null ? [] : readAssertionIssuers(resolve(directory, file), faults);
  return { config: { ...config, assertionIssuers }, faults };
}

function toConfig(values: Values, directory: string, isAdminPortSet: boolean) {
  const { adminHost: host, adminPort: port, adminNames: names, contentDir, secretKeyFile } = values;
  return {
    ...values,
    /** The admin listener, or null if it is off. `chosen`: ADMIN_PORT is set. */
    admin: port === null ? null : { host, port, chosen: isAdminPortSet, names: names ?? [] },
    contentDir: contentDir && resolve(directory, contentDir),
    dataDir: resolve(directory, values.dataDir),
    secretKeyFile: secretKeyFile && resolve(directory, secretKeyFile),
    limits: {
      anonymous: values.rateLimitAnonymous,
      authenticated: values.rateLimitToken,
      sandbox: values.rateLimitSandbox,
      pages: values.rateLimitPages,
      address: values.rateLimitAddress,
      registration: values.rateLimitRegistration,
      issue: values.rateLimitIssue,
      refused: values.rateLimitRefused,
    },
  };
}

/** Returns why settings that are valid by themselves cannot work together. */
function findConflicts(values: Values, isGiven: (key: keyof Values) => boolean): string[] {
  const faults = isGiven('baseUrl') && values.baseUrl === null ? [] : findMcpConflicts(values);
  const { webConcurrency: workers } = values;
  if (isGiven('secretKey') && isGiven('secretKeyFile')) {
    faults.push('SECRET_KEY and SECRET_KEY_FILE are both set; keep one of them.');
  }
  if (workers > 1 && !isGiven('databaseUrl')) {
    faults.push(
      `WEB_CONCURRENCY is ${workers}, but SQLite allows only one writing process: set DATABASE_URL to a PostgreSQL database that the workers share, or WEB_CONCURRENCY to 1.`,
    );
  }
  if (isGiven('databaseUrl') && !isGiven('secretKey') && !isGiven('secretKeyFile')) {
    faults.push(
      'SECRET_KEY or SECRET_KEY_FILE must be set with DATABASE_URL, the same for every process on the database; generate one with: openssl rand -hex 32',
    );
  }
  return faults;
}

/** The MCP host serves nothing else, and a service on a loopback address accepts only local MCP requests. */
function findMcpConflicts({ mcpBaseUrl: mcp, baseUrl: base, host, port }: Values): string[] {
  if (mcp === null) return [];
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

/** Returns one sentence for each setting that is valid and probably wrong, with what to set. */
export function settingWarnings({ baseUrl, host, trustProxy, webConcurrency }: Config): string[] {
  const warnings: string[] = [];
  const url = baseUrl === null ? null : new URL(baseUrl);
  if (url === null && !isLoopback(host)) {
    warnings.push(
      `BASE_URL is not set and HOST is ${host}, so links and tokens are for an address that others may not reach. Set BASE_URL to the public origin, such as https://api.example.com.`,
    );
  }
  if (url?.protocol === 'http:' && !isLoopback(url.hostname)) {
    warnings.push('BASE_URL is plain http: secrets and tokens cross the network unencrypted. Put TLS in front of it.');
  }
  if (url?.protocol === 'https:' && trustProxy.kind === 'none') {
    warnings.push(
      'BASE_URL is https, so a proxy is in front of this server, but TRUST_PROXY is none: all clients share the proxy’s address and its rate limits. Set TRUST_PROXY to the address of the proxy, such as 127.0.0.1.',
    );
  }
  const processors = availableParallelism();
  if (webConcurrency > processors) {
    warnings.push(
      `WEB_CONCURRENCY is ${webConcurrency}, but this machine has ${processors} processors. Set at most as many.`,
    );
  }
  return warnings;
}
