/** Every setting as one zod object: its name, its type, its default and what it is for. */
import { z } from 'zod';
import { listInWords } from '../base/list-in-words.ts';
import {
  host,
  hostNames,
  oneOf,
  origin,
  portOrOff,
  postgresUrl,
  proxyTrust,
  redisUrl,
  secret,
  whole,
} from './setting-values.ts';

/** The values of LOG_LEVEL. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const rate = whole(1, 1_000_000);
/** A file or folder. */
const path = z.string();

/** The settings, by their names in the environment. */
export const settingsSchema = z.object({
  PORT: whole(0, 65_535).prefault('8080').describe('The port to listen on; 0 picks a free one.'),
  HOST: host.prefault('127.0.0.1').describe('The address to listen on; 0.0.0.0 for all.'),
  BASE_URL: origin
    .optional()
    .describe('The public origin, such as https://api.example.com; by default http://HOST:PORT.'),
  MCP_BASE_URL: origin
    .optional()
    .describe(
      'A second origin that serves only the MCP servers, without OAuth metadata, such as https://mcp.example.com.',
    ),
  CONTENT_DIR: path.optional().describe('The content folder; by default the example product.'),
  DATA_DIR: path.prefault('./data').describe('The folder for data that is kept between starts.'),
  DATABASE_URL: postgresUrl
    .optional()
    .describe(
      'A PostgreSQL database for several processes, such as postgres://user:password@host:5432/name; by default SQLite in DATA_DIR.',
    ),
  DATABASE_POOL_SIZE: whole(1, 1000).prefault('10').describe('Connections to PostgreSQL per process.'),
  WEB_CONCURRENCY: whole(1, 256)
    .prefault('1')
    .describe('The number of processes on this machine; more than one needs DATABASE_URL.'),
  TRUST_PROXY: proxyTrust
    .prefault('none')
    .describe('Proxies whose forwarded client address is trusted: addresses, ranges, or a number of hops.'),
  ADMIN_HOST: host.prefault('127.0.0.1').describe('The address of /livez, /readyz, /metrics and /searches.'),
  ADMIN_PORT: portOrOff.prefault('9464').describe('Their port; 0 picks a free one, off disables them.'),
  ADMIN_NAMES: hostNames
    .optional()
    .describe('Comma-separated host names that they accept, in addition to localhost and IP addresses.'),
  DRAIN_DELAY: whole(0, 300).prefault('0').describe('Seconds to keep serving after /readyz turns 503 at shutdown.'),
  LOG_LEVEL: oneOf(logLevels)
    .prefault('info')
    .describe(`${listInWords(logLevels, 'or')}; access lines are info.`),
  SECRET_KEY: secret
    .optional()
    .describe(
      'The key that signs cursors, at least 32 characters. By default generated in DATA_DIR; required with DATABASE_URL.',
    ),
  SECRET_KEY_FILE: path.optional().describe('A file that contains the key.'),
  ASSERTION_ISSUERS_FILE: path.optional().describe('Identity providers whose assertions register clients.'),
  REDIS_URL: redisUrl.optional().describe('A Redis or Valkey server in which several processes share the rate limits.'),
  RATE_LIMIT_ANONYMOUS: rate.prefault('120').describe('API requests per minute and address, without a token.'),
  RATE_LIMIT_TOKEN: rate.prefault('600').describe('API requests per minute and client.'),
  RATE_LIMIT_SANDBOX: rate.prefault('60').describe('Sandbox requests per minute and address.'),
  RATE_LIMIT_PAGES: rate.prefault('1200').describe('Pages and files per minute and address.'),
  RATE_LIMIT_ADDRESS: rate.prefault('3000').describe('Requests per minute of all clients at one address together.'),
  RATE_LIMIT_REGISTRATION: rate.prefault('20').describe('Registrations per hour and address.'),
  RATE_LIMIT_ISSUE: rate.prefault('60').describe('Tokens issued per minute and client.'),
  RATE_LIMIT_REFUSED: rate.prefault('60').describe('Rejected tokens per minute and address.'),
});

export type SettingName = keyof typeof settingsSchema.shape;

/** The settings whose values are paths: relative to the working folder in the environment, and to the file's folder in a file. */
export const pathSettings: readonly string[] = [
  'CONTENT_DIR',
  'DATA_DIR',
  'SECRET_KEY_FILE',
  'ASSERTION_ISSUERS_FILE',
] satisfies SettingName[];

/** A setting as `colophon config` and docs/operating.md show it. */
export interface SettingDescription {
  readonly name: string;
  readonly help: string;
  /** The default as it would be written, or null if there is none. */
  readonly defaultText: string | null;
}

/** All settings in the order of the documentation. */
export const settings: readonly SettingDescription[] = Object.entries(settingsSchema.shape).map(([name, schema]) => ({
  name,
  help: schema.description ?? '',
  defaultText: schema.def.type === 'prefault' ? String(schema.def.defaultValue) : null,
}));

/** The names of all settings. */
export const settingNames: readonly string[] = settings.map(({ name }) => name);

/** Returns what a file calls a setting: `base_url` for BASE_URL. */
export const fileKey = (name: string): string => name.toLowerCase();

const mask = '********';

/** Returns a setting's text with the secret, or the password in a URL, replaced by asterisks. */
export function maskSecrets(name: string, text: string): string {
  if (name === 'SECRET_KEY') return mask;
  if (name !== 'DATABASE_URL' && name !== 'REDIS_URL') return text;
  const url = URL.parse(text);
  if (url === null) return mask;
  if (url.password !== '') url.password = mask;
  if (url.searchParams.has('password')) url.searchParams.set('password', mask);
  return url.href;
}
