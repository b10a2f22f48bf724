/** What settings can be: each type reads the text of one setting, or says what it must be. The messages continue the setting's name. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { messageOf } from '../base/thrown.ts';
import type { ProxyTrust } from '../http/client-address.ts';
import { parsePostgresUrl } from '../store/postgres/address.ts';

/** A text that `isValid` accepts; `rule` says what it must be. */
const text = (isValid: (text: string) => boolean, rule: string) =>
  z.string().refine(isValid, { error: ({ input }) => `must be ${rule}; it is "${input}".` });

const isWhole = (digits: string, min: number, max: number): boolean =>
  /^\d{1,9}$/.test(digits) && Number(digits) >= min && Number(digits) <= max;

/** A whole number in decimal digits. */
export const whole = (min: number, max: number) =>
  text((digits) => isWhole(digits, min, max), `a whole number from ${min} to ${max}`).transform(Number);

/** A port, or null for `off`. */
export const portOrOff = text(
  (port) => port === 'off' || isWhole(port, 0, 65_535),
  'a whole number from 0 to 65535 or off',
).transform((port) => (port === 'off' ? null : Number(port)));

/** One of a few words. */
export const oneOf = <const T extends readonly string[]>(words: T) =>
  z.enum(words, { error: ({ input }) => `must be one of ${words.join(', ')}; it is "${input}".` });

const removeBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** A host name or an address; the brackets of an IPv6 address are left out. */
export const host = text(
  (name) => /^[\w.-]+$/.test(name) || ipaddr.isValid(removeBrackets(name)),
  'a host name or an address without a port, such as 0.0.0.0 or ::1',
).transform(removeBrackets);

const splitList = (list: string): string[] => list.split(',').map((entry) => entry.trim());

/** Host names, separated by commas. */
export const hostNames = text(
  (list) => splitList(list).every((name) => /^[\w.-]*$/.test(name)),
  'host names without ports, separated by commas',
).transform((list) => splitList(list).filter((name) => name !== ''));

/** An http or https origin, without the final slash. */
export const origin = text((value) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
}, 'an http or https origin such as https://api.example.com, without a path or a user name').transform(
  (value) => new URL(value).origin,
);

/** A key of at least 32 characters. The message does not contain it. */
export const secret = z
  .string()
  .min(32, { error: 'must have at least 32 characters; generate one with: openssl rand -hex 32' });

/** A PostgreSQL URL. The message does not contain it, because it may have a password. */
export const postgresUrl = z.string().superRefine((url, context) => {
  try {
    parsePostgresUrl(url);
  } catch (error) {
    context.addIssue(`${messageOf(error)}; leave it unset for SQLite in DATA_DIR.`);
  }
});

/** The URL of one Redis or Valkey server. The message does not contain it, because it may have a password. */
export const redisUrl = z
  .string()
  .refine((url) => /^(?:rediss?:\/\/[^/]|unix:\/\/\/.)/.test(url) && URL.canParse(url), {
    error: 'must be a URL such as redis://user:password@host:6379/0, rediss://… for TLS, or unix:///run/redis.sock.',
  });

/** Splits a list of addresses and ranges; an address is a range of one. */
const splitRanges = (list: string): string[] =>
  splitList(list).map((entry) => (entry.includes('/') ? entry : `${entry}/${entry.includes(':') ? 128 : 32}`));

/** `none`, a number of hops, or addresses and ranges separated by commas. */
export const proxyTrust = text(
  (value) => /^(?:none|\d{1,2})$/.test(value) || splitRanges(value).every((range) => ipaddr.isValidCIDR(range)),
  'none, a number of hops, or addresses or ranges such as 10.0.0.0/8, separated by commas',
).transform((value): ProxyTrust => {
  if (value === 'none') return { kind: 'none' };
  if (/^\d{1,2}$/.test(value)) return { kind: 'hops', hops: Number(value) };
  return { kind: 'ranges', ranges: splitRanges(value).map((range) => ipaddr.parseCIDR(range)) };
});
