/** REDIS_URL: what is read from it, what is refused, and what is never repeated. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeRedis, type RedisAddress, redisAddress } from '../../src/store/redis/address.ts';

const plain: RedisAddress = {
  path: null,
  host: 'cache.example',
  port: 6379,
  user: null,
  password: null,
  db: 0,
  isTls: false,
};

describe('a Redis server’s URL', () => {
  it('says where, who and how', () => {
    const cases: Record<string, Partial<RedisAddress>> = {
      'redis://cache.example': {},
      'redis://cache.example/': {},
      'redis://cache.example:6380/12': { port: 6380, db: 12 },
      'rediss://cache.example': { isTls: true },
      'redis://:secret@cache.example/9999': { password: 'secret', db: 9999 },
      'redis://m%40e:p%25%40%2F%3A@cache.example': { user: 'm@e', password: 'p%@/:' },
      'redis://[::1]:6380/1': { host: '::1', port: 6380, db: 1 },
      'unix:///run/redis.sock': { path: '/run/redis.sock', host: '' },
      'unix:///run/redis.sock?db=3': { path: '/run/redis.sock', host: '', db: 3 },
    };
    for (const [url, changes] of Object.entries(cases)) {
      assert.deepEqual(redisAddress(url), { ...plain, ...changes }, url);
    }
  });

  it('is refused in words that do not repeat it', () => {
    const form = /^must be a URL such as redis:/;
    const database = /^must have a whole number as its database/;
    const cases: Record<string, RegExp> = {
      secret: form,
      'http://me:secret@cache.example': form,
      'redis:///secret': form,
      'unix:///?db=secret': form,
      'redis://cache.example/secret': database,
      'redis://me:secret@cache.example/10000': database,
      'redis://me:secret@cache.example/-1': database,
      'unix:///run/redis.sock?db=secret': database,
      'redis://me:secret%@cache.example': /written as %25$/,
    };
    for (const [url, message] of Object.entries(cases)) {
      assert.throws(
        () => redisAddress(url),
        (error: Error) => message.test(error.message) && !error.message.includes('secret'),
        url,
      );
    }
  });

  it('is told without the password', () => {
    const told = Object.fromEntries(
      ['redis://me:secret@cache.example/2', 'redis://[::1]:6380', 'unix:///run/redis.sock?db=3'].map((url) => [
        url,
        describeRedis(redisAddress(url)),
      ]),
    );
    assert.deepEqual(told, {
      'redis://me:secret@cache.example/2': 'Redis at cache.example:6379, database 2',
      'redis://[::1]:6380': 'Redis at [::1]:6380, database 0',
      'unix:///run/redis.sock?db=3': 'Redis at /run/redis.sock, database 3',
    });
  });
});
