/** How settings are read: each from the text that the environment or a file has, or refused with what is right. */
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { messageOf } from '../base/thrown.ts';
import type { ProxyTrust } from '../http/client-address.ts';
import { postgresAddress } from '../store/postgres/address.ts';
import { type RedisAddress, redisAddress, redisTls } from '../store/redis/address.ts';

/** What is wrong with a value, as sentences that the setting's name begins. */
export class SettingFault extends Error {
  readonly sentences: readonly string[];

  constructor(...sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.name = 'SettingFault';
    this.sentences = sentences;
  }
}

/** `value` is trimmed and not empty; `directory` is what relative paths are relative to. Throws SettingFault. */
export type Read<T> = (value: string, directory: string) => T;

export const text: Read<string> = (value) => value;

export const path: Read<string> = (value, directory) => resolve(directory, value);

/** `or`: what is allowed besides. */
export const whole =
  (least: number, most: number, or = ''): Read<number> =>
  (value) => {
    if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    throw new SettingFault(`must be a whole number from ${least} to ${most}${or}; it is "${value}".`);
  };

/** null for `off`. */
export const wholeOrOff = (least: number, most: number): Read<number | null> => {
  const number = whole(least, most, ' or off');
  return (value, directory) => (value === 'off' ? null : number(value, directory));
};

export const oneOf =
  <T extends string>(values: readonly T[]): Read<T> =>
  (value) => {
    const found = values.find((known) => known === value);
    if (found === undefined) throw new SettingFault(`must be one of ${values.join(', ')}; it is "${value}".`);
    return found;
  };

export const secret: Read<string> = (value) => {
  if (value.length >= 32) return value;
  throw new SettingFault('must have at least 32 characters; generate one with: openssl rand -hex 32');
};

/** Without a slash at its end. */
export const origin: Read<string> = (value) => {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new SettingFault(`must be an http or https origin such as https://api.example.com; it is "${value}".`);
  }
  if (url.pathname !== '/' || url.username !== '') {
    throw new SettingFault(`must be an origin without a path or a user name; it is "${value}".`);
  }
  return url.origin;
};

/** The fault says nothing of the value, which may hold a password. */
export const postgresUrl: Read<string> = (value) => {
  try {
    postgresAddress(value);
    return value;
  } catch (error) {
    throw new SettingFault(`${messageOf(error)}; leave it unset for SQLite in DATA_DIR.`);
  }
};

export const redisUrl: Read<RedisAddress> = (value) => {
  try {
    const address = redisAddress(value);
    // The files of its certificates can be read.
    redisTls(address);
    return address;
  } catch (error) {
    throw new SettingFault(`${messageOf(error)}.`);
  }
};

/** `none`, a number of hops, or addresses and ranges. */
export const proxyTrust: Read<ProxyTrust> = (value) => {
  if (value === 'none') return { kind: 'none' };
  if (/^\d{1,2}$/.test(value)) return { kind: 'hops', hops: Number(value) };
  const cidrs = value.split(',').map((part) => {
    const member = part.trim();
    return { member, cidr: member.includes('/') ? member : `${member}/${member.includes(':') ? 128 : 32}` };
  });
  const wrong = cidrs.filter(({ cidr }) => !ipaddr.isValidCIDR(cidr));
  if (wrong.length === 0) return { kind: 'ranges', ranges: cidrs.map(({ cidr }) => ipaddr.parseCIDR(cidr)) };
  throw new SettingFault(
    ...wrong.map(
      ({ member }) =>
        `must list addresses or ranges such as 10.0.0.0/8, or be a number of hops; "${member}" is neither.`,
    ),
  );
};

/** Host names, separated by commas. */
export const hostNames: Read<readonly string[]> = (value) => {
  const names = value.split(',').map((name) => name.trim());
  const wrong = names.find((name) => name !== '' && !/^[\w.-]+$/.test(name));
  if (wrong === undefined) return names.filter((name) => name !== '');
  throw new SettingFault(`must be host names without ports, separated by commas; "${wrong}" is none.`);
};
