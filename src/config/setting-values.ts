/** What settings can be: each type reads the text of one setting or says what is right, as the end of a sentence that starts with its name. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { messageOf } from '../base/thrown.ts';
import type { ProxyTrust } from '../http/client-address.ts';
import { parsePostgresUrl } from '../store/postgres/address.ts';

/** A setting that `parse` reads. What `parse` throws is the message. */
const setting = <T>(parse: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) });
      return z.NEVER;
    }
  });

const isWhole = (text: string, min: number, max: number): boolean =>
  /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;

/** A whole number in decimal digits. */
export const whole = (min: number, max: number) =>
  setting((text) => {
    if (isWhole(text, min, max)) return Number(text);
    throw new Error(`must be a whole number from ${min} to ${max}; it is "${text}".`);
  });

/** A port, or null for `off`. */
export const portOrOff = setting((text) => {
  if (text === 'off') return null;
  if (isWhole(text, 0, 65_535)) return Number(text);
  throw new Error(`must be a whole number from 0 to 65535 or off; it is "${text}".`);
});

/** One of a few words. */
export const oneOf = <T extends string>(values: readonly T[]) =>
  setting((text) => {
    const match = values.find((value) => value === text);
    if (match === undefined) throw new Error(`must be one of ${values.join(', ')}; it is "${text}".`);
    return match;
  });

/** A host name or an address; the brackets of an IPv6 address are left out. */
export const host = setting((text) => {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (/^[\w.-]+$/.test(bare) || ipaddr.isValid(bare)) return bare;
  throw new Error(`must be a host name or an address without a port, such as 0.0.0.0 or ::1; it is "${text}".`);
});

/** Host names, separated by commas. */
export const hostNames = setting((text) => {
  const names = text.split(',').map((name) => name.trim());
  const invalid = names.find((name) => !/^[\w.-]*$/.test(name));
  if (invalid === undefined) return names.filter((name) => name !== '');
  throw new Error(`must be host names without ports, separated by commas; "${invalid}" is none.`);
});

/** An http or https origin, without the final slash. */
export const origin = setting((text) => {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Error(`must be an http or https origin such as https://api.example.com; it is "${text}".`);
  }
  if (url.pathname === '/' && url.username === '') return url.origin;
  throw new Error(`must be an origin without a path or a user name; it is "${text}".`);
});

/** A key of at least 32 characters. The message does not contain it. */
export const secret = z
  .string()
  .min(32, { error: 'must have at least 32 characters; generate one with: openssl rand -hex 32' });

/** A PostgreSQL URL. The message does not contain it, because it may have a password. */
export const postgresUrl = setting((text) => {
  try {
    parsePostgresUrl(text);
    return text;
  } catch (error) {
    throw new Error(`${messageOf(error)}; leave it unset for SQLite in DATA_DIR.`);
  }
});

/** The URL of one Redis or Valkey server. The message does not contain it, because it may have a password. */
export const redisUrl = setting((text) => {
  if (/^(?:rediss?:\/\/[^/]|unix:\/\/\/.)/.test(text) && URL.canParse(text)) return text;
  throw new Error(
    'must be a URL such as redis://user:password@host:6379/0, rediss://… for TLS, or unix:///run/redis.sock.',
  );
});

/** `none`, a number of hops, or addresses and ranges separated by commas. */
export const proxyTrust = setting((text): ProxyTrust => {
  if (text === 'none') return { kind: 'none' };
  if (/^\d{1,2}$/.test(text)) return { kind: 'hops', hops: Number(text) };
  const entries = text.split(',').map((entry) => entry.trim());
  const ranges = entries.map((entry) => (entry.includes('/') ? entry : `${entry}/${entry.includes(':') ? 128 : 32}`));
  const invalid = entries.filter((_, index) => !ipaddr.isValidCIDR(ranges[index] ?? ''));
  if (invalid.length === 0) return { kind: 'ranges', ranges: ranges.map((range) => ipaddr.parseCIDR(range)) };
  const list = invalid.map((entry) => `"${entry}"`).join(', ');
  throw new Error(
    `must list addresses or ranges such as 10.0.0.0/8, or be a number of hops; this is neither: ${list}.`,
  );
});
