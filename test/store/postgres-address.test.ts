/** DATABASE_URL: what is read from it, what is refused, and what is never repeated. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maskSecrets } from '../../src/config/settings.ts';
import {
  describePostgres,
  type PostgresAddress,
  parsePostgresUrl,
  readTlsOptions,
  removePassword,
} from '../../src/store/postgres/address.ts';

const plain: PostgresAddress = {
  host: 'db.example.com',
  port: 5432,
  database: 'colophon',
  user: 'me',
  password: 'secret',
  tls: 'disable',
  rootCertificate: null,
  certificate: null,
  key: null,
};

describe('a database’s URL', () => {
  it('says where, who and how', () => {
    const cases: Record<string, Partial<PostgresAddress>> = {
      'postgres://me:secret@db.example.com/colophon': {},
      'postgresql://me:secret@db.example.com:6000/colophon': { port: 6000 },
      'postgres://me@db.example.com/colophon': { password: undefined },
      'postgres://m%40e:p%25%40%2F%3A@db.example.com/a%20b': { user: 'm@e', password: 'p%@/:', database: 'a b' },
      'postgres://me:secret@[::1]:6000/colophon': { host: '::1', port: 6000 },
      'postgres://me:secret@/colophon?host=/run/postgresql': { host: '/run/postgresql' },
      'postgres:///colophon?host=/run/postgresql&user=me&password=secret': { host: '/run/postgresql' },
      'postgres://me:secret@%2Frun%2Fpostgresql/colophon': { host: '/run/postgresql' },
      'postgres://me:secret@db.example.com/colophon?sslmode=verify-full&channel_binding=require': {
        tls: 'verify-full',
      },
    };
    for (const [url, changes] of Object.entries(cases)) {
      assert.deepEqual(parsePostgresUrl(url), { ...plain, ...changes }, url);
    }
  });

  it('is refused in words that do not repeat it', () => {
    const cases: Record<string, RegExp> = {
      'mysql://me:secret@host/name': /^must be a URL such as postgres:/,
      secret: /^must be a URL such as/,
      'postgres://me:secret@host': /^must name a database/,
      'postgres://:secret@host/name': /^must name a user/,
      'postgres://me:secret%@host/name': /written as %25$/,
      'postgres://me:secret@host/name?sslmode=allow':
        /one of disable, require, verify-ca, verify-full as sslmode; it has "allow"$/,
      'postgres://me:secret@host/name?sslmode=verify-ca': /sslrootcert/,
      'postgres://me:secret@host/name?port=x': /^must have a number from 1 to 65535 as its port$/,
    };
    for (const [url, message] of Object.entries(cases)) {
      assert.throws(
        () => parsePostgresUrl(url),
        (error: Error) => message.test(error.message) && !error.message.includes('secret'),
        url,
      );
    }
  });

  it('is shown and handed on without its password', () => {
    const url = 'postgres://me:secret@host/name?password=secret&sslmode=require';
    assert.equal(removePassword(url), 'postgres://me@host/name?sslmode=require');
    assert.equal(removePassword('postgres://me:secret@/name?host=/run'), 'postgres://me@localhost/name?host=%2Frun');
    assert.equal(
      maskSecrets('DATABASE_URL', url),
      'postgres://me:********@host/name?password=********&sslmode=require',
    );
    assert.equal(maskSecrets('DATABASE_URL', 'secret'), '********');
    assert.equal(describePostgres({ ...plain, host: '::1' }), 'PostgreSQL at [::1]:5432, database colophon');
  });

  it('asks for TLS as libpq does', () => {
    const checks = (tls: PostgresAddress['tls'], rootCertificate: string | null = null) => {
      const options = readTlsOptions({ ...plain, tls, rootCertificate });
      return options && [options.rejectUnauthorized, options.checkServerIdentity === undefined];
    };
    const authority = import.meta.filename;
    assert.equal(checks('disable'), false);
    assert.deepEqual(checks('require'), [false, false]);
    assert.deepEqual(checks('require', authority), [true, false]);
    assert.deepEqual(checks('verify-ca', authority), [true, false]);
    assert.deepEqual(checks('verify-full'), [true, true]);
  });
});
