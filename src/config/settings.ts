/** Defines every setting in one zod object: name, type, default and purpose. The messages of a type continue the name of a setting. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { getMessage } from '../base/thrown.ts';
import type { ProxyTrust } from '../http/client-address.ts';
import { parsePostgresUrl } from '../store/postgres/address.ts';

/** Creates the schema of a text that `isValid` accepts; `rule` follows "must be" in the message about any other. */
const text = (isValid: (text: string) => boolean, rule: string): z.ZodString =>
  z.string().refine(isValid, { error: ({ input }) => `must be ${rule}; it is "${input}".` });

/** Creates the schema of a text that is a whole number from `min` to `max` in decimal digits; its value is the number. */
const whole = (min: number, max: number) =>
  text(
    (digits) => /^\d{1,9}$/.test(digits) && Number(digits) >= min && Number(digits) <= max,
    `a whole number from ${min} to ${max}`,
  ).transform(Number);

/** A port, or null for `off`. */
const portOrOff = z.union([z.literal('off').transform(() => null), whole(0, 65_535)], {
  error: ({ input }) => `must be a whole number from 0 to 65535 or off; it is "${input}".`,
});

const removeBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** A host name or an address; the brackets of an IPv6 address are left out. */
const host = text(
  (name) => /^[\w.-]+$/.test(name) || ipaddr.isValid(removeBrackets(name)),
  'a host name or an address without a port, such as 0.0.0.0 or ::1',
).transform(removeBrackets);

const splitList = (list: string): string[] => list.split(',').map((entry) => entry.trim());

/** Host names, separated by commas; the value is a list, without empty entries. */
const hostNames = text(
  (list) => splitList(list).every((name) => /^[\w.-]*$/.test(name)),
  'host names without ports, separated by commas',
).transform((list) => splitList(list).filter((name) => name !== ''));

/** An http or https origin, without the final slash. */
const origin = text((value) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
}, 'an http or https origin such as https://api.example.com, without a path or a user name').transform(
  (value) => new URL(value).origin,
);

/** The command that generates a key. */
export const keyCommand = 'openssl rand -hex 32';

/** A key of at least 32 characters. The message does not contain it. */
const secret = z.string().min(32, { error: `must have at least 32 characters; generate one with: ${keyCommand}` });

/** A PostgreSQL URL. The message does not contain it, because it may have a password. */
const postgresUrl = z.string().superRefine((url, context) => {
  try {
    parsePostgresUrl(url);
  } catch (error) {
    context.addIssue(`${getMessage(error)}; leave it unset for SQLite in DATA_DIR.`);
  }
});

/** The URL of one Redis or Valkey server. The message does not contain it, because it may have a password. */
const redisUrl = z.string().refine((url) => /^(?:rediss?:\/\/[^/]|unix:\/\/\/.)/.test(url) && URL.canParse(url), {
  error: 'must be a URL such as redis://user:password@host:6379/0, rediss://… for TLS, or unix:///run/redis.sock.',
});

/**
 * Returns the ranges in a list that is separated by commas, each with its prefix length: an address becomes a range of one, such as
 * `10.0.0.1/32`. Text that is no address gets a prefix length too, and an empty entry becomes `/32`.
 */
const splitRanges = (list: string): string[] =>
  splitList(list).map((entry) => (entry.includes('/') ? entry : `${entry}/${entry.includes(':') ? 128 : 32}`));

/** `none`, a number of hops, or addresses and ranges separated by commas. */
const proxyTrust = text(
  (value) => /^(?:none|\d{1,2})$/.test(value) || splitRanges(value).every((range) => ipaddr.isValidCIDR(range)),
  'none, a number of hops, or addresses or ranges such as 10.0.0.0/8, separated by commas',
).transform((value): ProxyTrust => {
  if (value === 'none') return { kind: 'none' };
  if (/^\d{1,2}$/.test(value)) return { kind: 'hops', hops: Number(value) };
  return { kind: 'ranges', ranges: splitRanges(value).map((range) => ipaddr.parseCIDR(range)) };
});

/** The values of LOG_LEVEL. */
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const rate = whole(1, 1_000_000);

/** Makes a setting null unless it is set. One with a default has `prefault` instead, with the text that the documentation shows. */
const nullable = <T extends z.ZodType>(type: T) => type.nullable().default(null);

/** The settings. In the environment, `baseUrl` is called BASE_URL, and in a file base_url. */
export const settingsSchema = z.object({
  port: whole(0, 65_535).prefault('8080').describe('The port to listen on; 0 picks a free one.'),
  host: host.prefault('127.0.0.1').describe('The address to listen on; 0.0.0.0 is every address of the machine.'),
  baseUrl: nullable(origin).describe(
    'The public origin, such as https://api.example.com, without a path; links and tokens contain it. By default http://HOST:PORT.',
  ),
  mcpBaseUrl: nullable(origin).describe(
    'A second origin, such as https://mcp.example.com, that has only the MCP servers and no OAuth metadata.',
  ),
  contentDir: nullable(z.string()).describe(
    'The content folder; by default the current folder, or the example product if that has no product.yaml.',
  ),
  dataDir: z
    .string()
    .prefault('./data')
    .describe('The folder for the database, the key and copies of the content and feed; not used with DATABASE_URL.'),
  databaseUrl: nullable(postgresUrl).describe(
    'The URL of a PostgreSQL database, which several processes can share, such as postgres://user:password@host:5432/name; by default SQLite in DATA_DIR.',
  ),
  databasePoolSize: whole(1, 1000).prefault('10').describe('The maximum number of PostgreSQL connections per process.'),
  webConcurrency: whole(1, 256)
    .prefault('1')
    .describe('The number of server processes on this machine; more than one needs DATABASE_URL.'),
  trustProxy: proxyTrust
    .prefault('none')
    .describe(
      'The proxies whose X-Forwarded-For or Forwarded is trusted: addresses and ranges, separated by commas; the number of proxies in front of the server; or none.',
    ),
  adminHost: host
    .prefault('127.0.0.1')
    .describe('The address of the admin listener, which serves /livez, /readyz, /metrics and /searches.'),
  adminPort: portOrOff
    .prefault('9464')
    .describe('The port of the admin listener; 0 picks a free one, off disables it.'),
  adminNames: nullable(hostNames).describe(
    'Host names that the admin listener accepts, separated by commas, in addition to localhost, ADMIN_HOST and IP addresses.',
  ),
  drainDelay: whole(0, 300).prefault('0').describe('Seconds to keep serving at shutdown while /readyz returns 503.'),
  logLevel: z
    .enum(logLevels, { error: ({ input }) => `must be one of ${logLevels.join(', ')}; it is "${input}".` })
    .prefault('info')
    .describe('The lowest level in the log: trace, debug, info, warn, error or silent; access lines are info.'),
  secretKey: nullable(secret).describe(
    'The key that signs cursors and refresh tokens, at least 32 characters. By default, the first start generates one in DATA_DIR; with DATABASE_URL, this or SECRET_KEY_FILE is required.',
  ),
  secretKeyFile: nullable(z.string()).describe('A file that contains the key, instead of SECRET_KEY.'),
  secretKeyPrevious: nullable(secret).describe('The previous key, which is still accepted after a change.'),
  assertionIssuersFile: nullable(z.string()).describe(
    'A YAML or JSON file with the identity providers whose assertions may register clients.',
  ),
  githubToken: nullable(z.string()).describe(
    'A token for GitHub’s API, with which GitHub allows more than 60 requests an hour. It needs no permissions, since only public repositories are read.',
  ),
  redisUrl: nullable(redisUrl).describe(
    'The URL of a Redis or Valkey server, such as redis://cache:6379, in which several processes count rate limits together. By default, they count in PostgreSQL if DATABASE_URL is set.',
  ),
  rateLimitAnonymous: rate
    .prefault('120')
    .describe('API, MCP and OAuth requests per minute from one address, without a token.'),
  rateLimitToken: rate.prefault('600').describe('API and MCP requests per minute from one client, with a token.'),
  rateLimitSandbox: rate.prefault('60').describe('Sandbox requests per minute from one address.'),
  rateLimitPages: rate.prefault('1200').describe('Requests for pages and files per minute from one address.'),
  rateLimitAddress: rate
    .prefault('3000')
    .describe('Requests with a token per minute from one address, for all its clients together.'),
  rateLimitRegistration: rate.prefault('20').describe('Registrations of clients per hour from one address.'),
  rateLimitIssue: rate.prefault('60').describe('Tokens per minute for one client.'),
  rateLimitRefused: rate
    .prefault('60')
    .describe('Requests with an invalid token per minute from one address; then its valid ones are rejected too.'),
});

/** Returns the name in the environment of a setting by its key in `settingsSchema`: BASE_URL for `baseUrl`. */
export const toVariableName = (key: string): string => key.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase();

/**
 * All settings in the order of the documentation: the key in `settingsSchema`, the name in the environment, the purpose as `help`,
 * and the default as it would be written, or null if there is none.
 */
export const settings = Object.entries(settingsSchema.shape).map(([key, schema]) => ({
  key,
  name: toVariableName(key),
  help: schema.description ?? '',
  defaultText: schema.def.type === 'prefault' ? String(schema.def.defaultValue) : null,
}));

/** Returns what a file calls a setting, by its name in the environment: `base_url` for BASE_URL. */
export const toFileKey = (name: string): string => name.toLowerCase();

const mask = '********';

/**
 * Returns a setting's text, by its name in the environment, with the secret, or the password in a URL, replaced by eight asterisks.
 * A DATABASE_URL or REDIS_URL that is no URL is replaced as a whole, and any other setting stays as it is.
 */
export function maskSecrets(name: string, text: string): string {
  if (/^(?:SECRET_KEY(?:_PREVIOUS)?|GITHUB_TOKEN)$/.test(name)) return mask;
  if (name !== 'DATABASE_URL' && name !== 'REDIS_URL') return text;
  const url = URL.parse(text);
  if (url === null) return mask;
  if (url.password !== '') url.password = mask;
  if (url.searchParams.has('password')) url.searchParams.set('password', mask);
  return url.href;
}
