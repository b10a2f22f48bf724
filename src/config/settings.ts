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
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const rate = whole(1, 1_000_000);
/** A file or folder. */
const path = z.string();

/** Makes a setting without a default: it is null unless it is set. */
const optional = <T extends z.ZodType>(type: T) => type.nullable().default(null);

/** The settings. In the environment, `baseUrl` is called BASE_URL, and in a file base_url. */
export const settingsSchema = z.object({
  port: whole(0, 65_535).prefault('8080').describe('The port to listen on; 0 picks a free one.'),
  host: host.prefault('127.0.0.1').describe('The address to listen on; 0.0.0.0 for all.'),
  baseUrl: optional(origin).describe(
    'The public origin, such as https://api.example.com; by default http://HOST:PORT.',
  ),
  mcpBaseUrl: optional(origin).describe(
    'A second origin that serves only the MCP servers, without OAuth metadata, such as https://mcp.example.com.',
  ),
  contentDir: optional(path).describe('The content folder; by default the example product.'),
  dataDir: path.prefault('./data').describe('The folder for data that is kept between starts.'),
  databaseUrl: optional(postgresUrl).describe(
    'A PostgreSQL database for several processes, such as postgres://user:password@host:5432/name; by default SQLite in DATA_DIR.',
  ),
  databasePoolSize: whole(1, 1000).prefault('10').describe('Connections to PostgreSQL per process.'),
  webConcurrency: whole(1, 256)
    .prefault('1')
    .describe('The number of processes on this machine; more than one needs DATABASE_URL.'),
  trustProxy: proxyTrust
    .prefault('none')
    .describe('Proxies whose forwarded client address is trusted: addresses, ranges, or a number of hops.'),
  adminHost: host.prefault('127.0.0.1').describe('The address of /livez, /readyz, /metrics and /searches.'),
  adminPort: portOrOff.prefault('9464').describe('Their port; 0 picks a free one, off disables them.'),
  adminNames: optional(hostNames).describe(
    'Comma-separated host names that they accept, in addition to localhost and IP addresses.',
  ),
  drainDelay: whole(0, 300).prefault('0').describe('Seconds to keep serving after /readyz turns 503 at shutdown.'),
  logLevel: oneOf(logLevels)
    .prefault('info')
    .describe(`${listInWords(logLevels, 'or')}; access lines are info.`),
  secretKey: optional(secret).describe(
    'The key that signs cursors, at least 32 characters. By default generated in DATA_DIR; required with DATABASE_URL.',
  ),
  secretKeyFile: optional(path).describe('A file that contains the key.'),
  assertionIssuersFile: optional(path).describe('Identity providers whose assertions register clients.'),
  redisUrl: optional(redisUrl).describe('A Redis or Valkey server in which several processes share the rate limits.'),
  rateLimitAnonymous: rate.prefault('120').describe('API requests per minute and address, without a token.'),
  rateLimitToken: rate.prefault('600').describe('API requests per minute and client.'),
  rateLimitSandbox: rate.prefault('60').describe('Sandbox requests per minute and address.'),
  rateLimitPages: rate.prefault('1200').describe('Pages and files per minute and address.'),
  rateLimitAddress: rate.prefault('3000').describe('Requests per minute of all clients at one address together.'),
  rateLimitRegistration: rate.prefault('20').describe('Registrations per hour and address.'),
  rateLimitIssue: rate.prefault('60').describe('Tokens issued per minute and client.'),
  rateLimitRefused: rate.prefault('60').describe('Rejected tokens per minute and address.'),
});

/** A setting as `colophon config` and docs/operating.md show it. */
export interface SettingDescription {
  readonly key: string;
  /** The name in the environment. */
  readonly name: string;
  readonly help: string;
  /** The default as it would be written, or null if there is none. */
  readonly defaultText: string | null;
}

/** Returns the name of a setting in the environment. */
export const settingName = (key: string): string => key.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase();

/** All settings in the order of the documentation. */
export const settings: readonly SettingDescription[] = Object.entries(settingsSchema.shape).map(([key, schema]) => ({
  key,
  name: settingName(key),
  help: schema.description ?? '',
  defaultText: schema.def.type === 'prefault' ? String(schema.def.defaultValue) : null,
}));

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
