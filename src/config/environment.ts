/** Reads the settings from the environment and from a file, and returns the configuration, or throws all of their errors at once. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { createHttpOrigin, normalizeHostName } from '../base/host-name.ts';
import { isLoopback } from '../base/loopback.ts';
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { getDatabaseFile } from '../store/sqlite/store.ts';
import { readAssertionIssuers } from './assertion-issuers.ts';
import { type GivenSetting, readSettingsFile } from './file.ts';
import { keyCommand, settings, settingsSchema, toVariableName } from './settings.ts';

/** The environment variables by name. A blank one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Values = z.output<typeof settingsSchema>;

/**
 * The settings by their keys in `settingsSchema`, and those of the admin listener as `admin` and the rate limits as `limits`; the
 * paths of folders and of the key's file are absolute. A setting without a default is null unless it is set, `admin` is null if the
 * listener is off, and `assertionIssuers` is empty without their file.
 */
export type Config = Readonly<ReturnType<typeof toConfig>>;

/** Thrown with all errors of the settings in `faults`; an error in a file begins with file, line and column. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/**
 * Reads all settings, from `env` and from the file that COLOPHON_CONFIG names; relative paths in the environment are relative to
 * `directory`, those in the file to its folder. Throws ConfigError with every error.
 */
export function readConfig(env: Environment, directory: string): Config {
  const faults: string[] = [];
  const settingTexts = readSettings(env, directory, faults);
  const texts = settings.flatMap(({ key, name }) =>
    settingTexts.has(name) ? [[key, settingTexts.get(name)?.text] as const] : [],
  );
  const issues = settingsSchema.safeParse(Object.fromEntries(texts)).error?.issues ?? [];
  // An invalid value is replaced by its default, so that conflicts between the other settings are found too.
  const valid = texts.filter(([key]) => !issues.some(({ path }) => path[0] === key));
  const values = settingsSchema.parse(Object.fromEntries(valid));
  const sentences = [
    ...issues.map(({ path, message }) => `${toVariableName(String(path[0]))} ${message}`),
    ...findConflicts(values, settingTexts),
  ];
  for (const sentence of sentences) {
    const origin = settingTexts.get(sentence.split(' ', 1)[0] ?? '')?.origin ?? 'environment';
    faults.push(origin === 'environment' ? sentence : `${origin}: ${sentence}`);
  }
  const config = toConfig(values, directory, settingTexts.has('ADMIN_PORT'), faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/**
 * Returns the trimmed texts of all settings that are set, by their names in the environment, without checking them; the environment
 * replaces what the file has. `directory` is the base of a relative COLOPHON_CONFIG. Adds the errors of names and of the file to
 * `faults`.
 */
export function readSettings(env: Environment, directory: string, faults: string[]): Map<string, GivenSetting> {
  const file = env.COLOPHON_CONFIG?.trim();
  const settingTexts = file ? readSettingsFile(file, directory, faults) : new Map<string, GivenSetting>();
  const names = [...settings.map(({ name }) => name), 'COLOPHON_CONFIG'];
  for (const [name, text = ''] of Object.entries(env)) {
    if (!names.includes(name)) {
      // Other programs use the environment too, so only names that can mean nothing else are checked.
      if (/^(?:COLOPHON|RATE_LIMIT)_/.test(name))
        faults.push(`${name} is not a setting.${writeDidYouMean(findNearMisses(name, names))}`);
    } else if (text.trim() !== '') settingTexts.set(name, { text: text.trim(), origin: 'environment' });
  }
  return settingTexts;
}

function toConfig(values: Values, directory: string, isAdminPortSet: boolean, faults: string[]) {
  const { adminHost: host, adminPort: port, contentDir, secretKeyFile, assertionIssuersFile: issuers } = values;
  return {
    ...values,
    /** The admin listener, or null if it is off. `chosen`: ADMIN_PORT is set. */
    admin: port === null ? null : { host, port, chosen: isAdminPortSet, names: values.adminNames ?? [] },
    contentDir: contentDir && resolve(directory, contentDir),
    dataDir: resolve(directory, values.dataDir),
    secretKeyFile: secretKeyFile && resolve(directory, secretKeyFile),
    /** The identity providers whose assertions register clients. */
    assertionIssuers: issuers === null ? [] : readAssertionIssuers(resolve(directory, issuers), faults),
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

/** Returns why settings that are valid by themselves cannot work together: sentences that begin with the name of a setting. */
function findConflicts(values: Values, settingTexts: ReadonlyMap<string, unknown>): string[] {
  const { webConcurrency: processes } = values;
  const hasKey = settingTexts.has('SECRET_KEY') || settingTexts.has('SECRET_KEY_FILE');
  return keepTexts([
    (!settingTexts.has('BASE_URL') || values.baseUrl !== null) && findMcpConflict(values),
    settingTexts.has('SECRET_KEY') &&
      settingTexts.has('SECRET_KEY_FILE') &&
      'SECRET_KEY and SECRET_KEY_FILE are both set; keep one of them.',
    processes > 1 &&
      !settingTexts.has('DATABASE_URL') &&
      `WEB_CONCURRENCY is ${processes}, but SQLite allows only one writing process: set DATABASE_URL to a PostgreSQL database that the processes share, or WEB_CONCURRENCY to 1.`,
    settingTexts.has('DATABASE_URL') &&
      !hasKey &&
      `SECRET_KEY or SECRET_KEY_FILE must be set with DATABASE_URL, the same for every process on the database; generate one with: ${keyCommand}`,
  ]);
}

/**
 * Returns why MCP_BASE_URL cannot be used, in one or two sentences, or false if it can or is not set: its host serves nothing else,
 * and a service on a loopback address accepts only local MCP requests.
 */
function findMcpConflict({ mcpBaseUrl: mcp, baseUrl: base, host, port }: Values): string | false {
  if (mcp === null) return false;
  const mcpUrl = new URL(mcp);
  const baseUrl = new URL(base ?? createHttpOrigin(host, port));
  if (normalizeHostName(mcpUrl.host) === normalizeHostName(baseUrl.host))
    return `MCP_BASE_URL must have another host name than BASE_URL (${baseUrl.origin}): at the name in MCP_BASE_URL, only the MCP servers are served.`;
  if (!isLoopback(baseUrl.hostname) || isLoopback(mcpUrl.hostname)) return false;
  return `MCP_BASE_URL is ${mcp}, but BASE_URL is ${base ?? 'not set'}, so MCP requests are accepted only for this machine. Set BASE_URL to the public origin, such as https://api.example.com.`;
}

/** Returns a warning of one or two sentences for each setting that is valid and probably wrong, with what to do about it. */
export function listSettingWarnings(config: Config): string[] {
  const { baseUrl, host, trustProxy, webConcurrency, databaseUrl, dataDir } = config;
  const url = baseUrl === null ? null : new URL(baseUrl);
  return keepTexts([
    url === null &&
      !isLoopback(host) &&
      `BASE_URL is not set and HOST is ${host}, so links and tokens are for an address that others may not reach. Set BASE_URL to the public origin, such as https://api.example.com.`,
    url?.protocol === 'http:' &&
      !isLoopback(url.hostname) &&
      'BASE_URL is plain http: secrets and tokens cross the network unencrypted. Put TLS in front of it.',
    url?.protocol === 'https:' &&
      trustProxy.kind === 'none' &&
      'BASE_URL is https, so a proxy is in front of this server, but TRUST_PROXY is none: all clients share the proxy’s address and its rate limits. Set TRUST_PROXY to the address of the proxy, such as 127.0.0.1.',
    databaseUrl !== null &&
      existsSync(getDatabaseFile(dataDir)) &&
      `DATABASE_URL is set, so the SQLite database in ${dataDir} is not used. To keep its clients, stop the servers and run colophon move; otherwise move the file away.`,
    webConcurrency > availableParallelism() &&
      `WEB_CONCURRENCY is ${webConcurrency}, but this machine has ${availableParallelism()} processors. Set at most as many.`,
  ]);
}

const keepTexts = (sentences: readonly (string | false)[]): string[] =>
  sentences.filter((sentence) => sentence !== false);
