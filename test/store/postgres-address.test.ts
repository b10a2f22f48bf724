/** Tests how DATABASE_URL is parsed, which URLs are refused, and that no output contains its password. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { ConnectionOptions } from 'node:tls';
import { maskSecrets } from '../../src/config/settings.ts';
import {
  describePostgres,
  type PostgresAddress,
  parsePostgresUrl,
  removePassword,
} from '../../src/store/postgres/address.ts';

const defaultAddress: PostgresAddress = {
  host: 'db.example.com',
  port: 5432,
  database: 'colophon',
  user: 'me',
  password: 'secret',
  ssl: false,
};

describe('DATABASE_URL of a PostgreSQL database: parsePostgresUrl', () => {
  it('the URL is parsed into host, port, database, user, password and TLS options', () => {
    const cases: Record<string, Partial<PostgresAddress>> = {
      'postgres://me:secret@db.example.com/colophon': {},
      'postgresql://me:secret@db.example.com:6000/colophon': { port: 6000 },
      'postgres://me@db.example.com/colophon': { password: undefined },
      'postgres://m%40e:p%25%40%2F%3A@db.example.com/a%20b': { user: 'm@e', password: 'p%@/:', database: 'a b' },
      'postgres://me:secret@[::1]:6000/colophon': { host: '::1', port: 6000 },
      'postgres://me:secret@/colophon?host=/run/postgresql': { host: '/run/postgresql' },
      'postgres:///colophon?host=/run/postgresql&user=me&password=secret': { host: '/run/postgresql' },
      'postgres://me:secret@%2Frun%2Fpostgresql/colophon': { host: '/run/postgresql' },
      'postgres://me:secret%@db.example.com/colophon?sslmode=disable': { password: 'secret%' },
      'postgres://me:secret@db.example.com/colophon?sslmode=verify-full&channel_binding=require': { ssl: {} },
    };
    for (const [url, changes] of Object.entries(cases)) {
      const address = parsePostgresUrl(url);
      assert.deepEqual(
        { ...address, ssl: address.ssl && { ...Object(address.ssl) } },
        { ...defaultAddress, ...changes },
        url,
      );
    }
  });

  it('an invalid URL is refused with a message that does not contain the password', () => {
    const cases: Record<string, RegExp> = {
      'mysql://me:secret@host/name': /^must be a URL such as postgres:/,
      secret: /^must be a URL such as/,
      'postgres://me:secret@host': /^must name a database/,
      'postgres://:secret@host/name': /^must name a user/,
      'postgres://me:secret@host:port/name': /^must be a URL such as postgres:/,
      'postgres://me:secret@host/name?sslrootcert=/nowhere.pem': /no such file .*nowhere\.pem/,
      'postgres://me:secret@host/name?sslmode=allow':
        /one of disable, require, verify-ca, verify-full as sslmode; it has "allow"$/,
      'postgres://me:secret@host/name?sslmode=verify-ca': /sslrootcert/,
      'postgres://me:secret@host/name?port=x': /^must be a URL such as .*Invalid port: x/,
    };
    for (const [url, message] of Object.entries(cases)) {
      assert.throws(
        () => parsePostgresUrl(url),
        (error: Error) => message.test(error.message) && !error.message.includes('secret'),
        url,
      );
    }
  });

  it('removePassword, maskSecrets and describePostgres never return the password', () => {
    const url = 'postgres://me:secret@host/name?password=secret&sslmode=require';
    assert.equal(removePassword(url), 'postgres://me@host/name?sslmode=require');
    assert.equal(removePassword('postgres://me:secret@/name?host=/run'), 'postgres://me@localhost/name?host=%2Frun');
    assert.equal(
      maskSecrets('DATABASE_URL', url),
      'postgres://me:********@host/name?password=********&sslmode=require',
    );
    assert.equal(maskSecrets('DATABASE_URL', 'secret'), '********');
    assert.equal(describePostgres({ ...defaultAddress, host: '::1' }), 'PostgreSQL at [::1]:5432, database colophon');
  });

  it('sslmode and sslrootcert have the same meaning as in libpq', () => {
    const readTls = (parameters: string): false | ConnectionOptions => {
      const { ssl } = parsePostgresUrl(`postgres://me@host/name?${parameters}`);
      return typeof ssl === 'object' && { ...ssl };
    };
    const authority = `sslrootcert=${import.meta.filename}`;
    const ca = readFileSync(import.meta.filename, 'utf8');
    assert.equal(readTls(''), false);
    assert.equal(readTls('sslmode=disable'), false);
    assert.deepEqual(readTls('sslmode=require'), { rejectUnauthorized: false });
    for (const mode of ['require', 'verify-ca']) {
      const tls = readTls(`sslmode=${mode}&${authority}`);
      assert.ok(tls !== false && tls.rejectUnauthorized === undefined && tls.ca === ca);
      // These modes require a certificate of the authority, but for any host name, so the check of the name is replaced.
      assert.equal(typeof tls.checkServerIdentity, 'function');
    }
    assert.deepEqual(readTls(`sslmode=verify-full&${authority}`), { ca });
  });
});
