/** Every setting by its name in the environment: how it is read, its default, what it is for, and how it is shown. */
import { listInWords } from '../base/list-in-words.ts';
import {
  hostNames,
  oneOf,
  origin,
  path,
  postgresUrl,
  proxyTrust,
  type Read,
  redisUrl,
  secret,
  text,
  whole,
  wholeOrOff,
} from './setting-values.ts';

export interface Setting<T = unknown, P extends string | null = string | null> {
  readonly read: Read<T>;
  /** Its value when it is not set, as it would be written; null: none. */
  readonly preset: P;
  readonly help: string;
  /** Masked wherever it is shown: all of it, or a URL's password. */
  readonly masked?: 'all' | 'password';
}

const setting = <T, P extends string | null>(described: Setting<T, P>): Setting<T, P> => described;

export const poolerModes = ['auto', 'none', 'session', 'transaction'] as const;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const rate = whole(1, 1_000_000);

export const settings = {
  PORT: setting({ read: whole(0, 65_535), preset: '8080', help: 'The port to listen on; 0 picks a free one.' }),
  HOST: setting({ read: text, preset: '127.0.0.1', help: 'The address to listen on; 0.0.0.0 for all.' }),
  BASE_URL: setting({
    read: origin,
    preset: null,
    help: 'The public origin, such as https://api.example.com; by default http://HOST:PORT.',
  }),
  MCP_BASE_URL: setting({
    read: origin,
    preset: null,
    help: 'A second origin that serves only the MCP servers, without OAuth metadata, such as https://mcp.example.com.',
  }),
  CONTENT_DIR: setting({
    read: path,
    preset: null,
    help: 'The content folder; by default the example product.',
  }),
  DATA_DIR: setting({ read: path, preset: './data', help: 'The folder for data that is kept between starts.' }),
  DATABASE_URL: setting({
    read: postgresUrl,
    preset: null,
    help: 'A PostgreSQL database for several processes, such as postgres://user:password@host:5432/name; by default SQLite in DATA_DIR.',
    masked: 'password',
  }),
  DATABASE_POOLER: setting({
    read: oneOf(poolerModes),
    preset: 'auto',
    help: 'What connections to PostgreSQL pass through: none, or a pooler in session or transaction mode; auto finds out at startup.',
  }),
  DATABASE_POOL_SIZE: setting({
    read: whole(1, 1000),
    preset: '10',
    help: 'Connections to PostgreSQL per process, besides one for the rate limits and one for the feed.',
  }),
  DATABASE_CONNECT_TIMEOUT: setting({
    read: whole(1, 60),
    preset: '2',
    help: 'Seconds to wait for a connection to PostgreSQL, or for a free one in the pool.',
  }),
  DATABASE_STATEMENT_TIMEOUT: setting({
    read: whole(1, 60),
    preset: '2',
    help: 'Seconds until PostgreSQL cancels a statement.',
  }),
  WEB_CONCURRENCY: setting({
    read: whole(1, 256),
    preset: '1',
    help: 'The number of processes on this machine; more than one needs DATABASE_URL.',
  }),
  TRUST_PROXY: setting({
    read: proxyTrust,
    preset: 'none',
    help: 'Proxies whose forwarded client address is trusted: addresses, ranges, or a number of hops.',
  }),
  ADMIN_HOST: setting({
    read: text,
    preset: '127.0.0.1',
    help: 'The address of /livez, /readyz, /metrics and /searches.',
  }),
  ADMIN_PORT: setting({
    read: wholeOrOff(0, 65_535),
    preset: '9464',
    help: 'Their port; 0 picks a free one, off disables them.',
  }),
  ADMIN_NAMES: setting({
    read: hostNames,
    preset: null,
    help: 'Comma-separated host names that they accept, in addition to localhost and IP addresses.',
  }),
  DRAIN_DELAY: setting({
    read: whole(0, 300),
    preset: '0',
    help: 'Seconds to keep serving after /readyz turns 503 at shutdown.',
  }),
  LOG_LEVEL: setting({
    read: oneOf(logLevels),
    preset: 'info',
    help: `${listInWords(logLevels, 'or')}; access lines are info.`,
  }),
  SECRET_KEY: setting({
    read: secret,
    preset: null,
    help: 'The key that signs cursors, at least 32 characters. By default generated in DATA_DIR; required with DATABASE_URL.',
    masked: 'all',
  }),
  SECRET_KEY_FILE: setting({ read: path, preset: null, help: 'A file that contains the key.' }),
  ASSERTION_ISSUERS_FILE: setting({
    read: path,
    preset: null,
    help: 'Identity providers whose assertions register clients.',
  }),
  REDIS_URL: setting({
    read: redisUrl,
    preset: null,
    help: 'A Redis or Valkey server in which several processes share the rate limits.',
    masked: 'password',
  }),
  RATE_LIMIT_ANONYMOUS: setting({
    read: rate,
    preset: '120',
    help: 'API requests per minute and address, without a token.',
  }),
  RATE_LIMIT_TOKEN: setting({ read: rate, preset: '600', help: 'API requests per minute and client.' }),
  RATE_LIMIT_SANDBOX: setting({ read: rate, preset: '60', help: 'Sandbox requests per minute and address.' }),
  RATE_LIMIT_PAGES: setting({ read: rate, preset: '1200', help: 'Pages and files per minute and address.' }),
  RATE_LIMIT_ADDRESS: setting({
    read: rate,
    preset: '3000',
    help: 'Requests per minute of all clients at one address together.',
  }),
  RATE_LIMIT_REGISTRATION: setting({ read: rate, preset: '20', help: 'Registrations per hour and address.' }),
  RATE_LIMIT_ISSUE: setting({ read: rate, preset: '60', help: 'Tokens issued per minute and client.' }),
  RATE_LIMIT_REFUSED: setting({ read: rate, preset: '60', help: 'Rejected tokens per minute and address.' }),
};

export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings) as readonly SettingName[];

/** What a setting is once it is read; null where it has no default and is not set. */
export type SettingValue<N extends SettingName> =
  (typeof settings)[N] extends Setting<infer T, infer P> ? (P extends null ? T | null : T) : never;

/** Whether a setting names a file or folder: relative to the working folder in the environment, and to the file's own in a file. */
export const isPath = (name: SettingName): boolean => settings[name].read === path;

/** What a file calls a setting: `base_url` for BASE_URL. */
export const fileKey = (name: string): string => name.toLowerCase();

const mask = '********';

/** A setting's value as it may be shown. */
export function shownValue({ masked }: Pick<Setting, 'masked'>, value: string): string {
  if (masked === undefined) return value;
  const url = masked === 'password' ? URL.parse(value) : null;
  if (url === null) return mask;
  if (url.password !== '') url.password = mask;
  if (url.searchParams.has('password')) url.searchParams.set('password', mask);
  return url.href;
}
