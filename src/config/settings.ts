/** Every setting by its name in the environment: what it is for, its default, and how it is shown. */

export interface Setting {
  /** Its value when it is not set, as it would be written; null: none. */
  readonly preset: string | null;
  readonly help: string;
  /** Masked wherever it is shown: all of it, or a URL's password. */
  readonly secret?: 'all' | 'password';
  /** Relative to the working folder in the environment, and to the file's folder in a file. */
  readonly path?: true;
}

export const settings: Readonly<Record<string, Setting>> = {
  PORT: { preset: '8080', help: 'Where it listens; 0 picks a free port.' },
  HOST: { preset: '127.0.0.1', help: 'The address it listens at; 0.0.0.0 for all.' },
  BASE_URL: {
    preset: null,
    help: 'The origin that people see, such as https://api.example.com; else http://HOST:PORT.',
  },
  CONTENT_DIR: { preset: null, help: 'The content folder; else the product that ships with Colophon.', path: true },
  DATA_DIR: { preset: './data', help: 'What is kept between starts.', path: true },
  DATABASE_URL: {
    preset: null,
    help: 'A PostgreSQL database, as postgres://user:password@host:5432/name, for several processes; else SQLite in DATA_DIR.',
    secret: 'password',
  },
  WEB_CONCURRENCY: { preset: '1', help: 'Processes that serve on this machine; more than one needs DATABASE_URL.' },
  TRUST_PROXY: {
    preset: 'none',
    help: 'Proxies that may say whose request it is: addresses, ranges, or a number of hops.',
  },
  ADMIN_HOST: { preset: '127.0.0.1', help: 'The address of /livez, /readyz and /metrics.' },
  ADMIN_PORT: { preset: '9464', help: 'Their port; 0 picks a free one, off has none.' },
  ADMIN_NAMES: {
    preset: null,
    help: 'Host names that they respond to, with commas between; localhost and addresses are always among them.',
  },
  DRAIN_DELAY: { preset: '0', help: 'Seconds that it goes on serving after /readyz turned 503 at its end.' },
  LOG_LEVEL: { preset: 'info', help: 'trace, debug, info, warn, error or silent; access lines are info.' },
  SECRET_KEY: {
    preset: null,
    help: 'Signs cursors; at least 32 characters. Else made in DATA_DIR; with DATABASE_URL it has to be set.',
    secret: 'all',
  },
  SECRET_KEY_FILE: { preset: null, help: 'A file that holds it.', path: true },
  ASSERTION_ISSUERS_FILE: { preset: null, help: 'Identity providers whose assertions register clients.', path: true },
  REDIS_URL: {
    preset: null,
    help: 'Redis or Valkey, in which several processes count the rate limits together.',
    secret: 'password',
  },
  RATE_LIMIT_ANONYMOUS: { preset: '120', help: 'API requests a minute of an address without a token.' },
  RATE_LIMIT_TOKEN: { preset: '600', help: 'API requests a minute of a client.' },
  RATE_LIMIT_SANDBOX: { preset: '60', help: 'Sandbox requests a minute of an address.' },
  RATE_LIMIT_PAGES: { preset: '1200', help: 'Pages and files a minute of an address.' },
  RATE_LIMIT_ADDRESS: { preset: '3000', help: 'Requests a minute of all clients of an address together.' },
  RATE_LIMIT_REGISTRATION: { preset: '20', help: 'Registrations an hour of an address.' },
  RATE_LIMIT_ISSUE: { preset: '60', help: 'Tokens issued a minute to a client.' },
  RATE_LIMIT_REFUSED: { preset: '60', help: 'Refused tokens a minute of an address.' },
};

/** What a file calls a setting: `base_url` for BASE_URL. */
export const fileKey = (name: string): string => name.toLowerCase();

const mask = '********';

/** A setting's value as it may be shown. */
export function shownValue({ secret }: Setting, value: string): string {
  if (secret === undefined) return value;
  const url = secret === 'password' ? URL.parse(value) : null;
  if (url === null) return mask;
  if (url.password !== '') url.password = mask;
  if (url.searchParams.has('password')) url.searchParams.set('password', mask);
  return url.href;
}
