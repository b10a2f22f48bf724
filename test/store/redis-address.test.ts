/** REDIS_URL: what is read from it, what is refused, and what is never repeated. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeRedis, type RedisAddress, redisAddress, redisTls } from '../../src/store/redis/address.ts';

const plain: RedisAddress = {
  kind: 'server',
  path: null,
  nodes: [{ host: 'cache.example', port: 6379 }],
  master: null,
  user: null,
  password: null,
  sentinelPassword: null,
  db: 0,
  tls: null,
};

describe('a Redis server’s URL', () => {
  it('says where, who and how', () => {
    const cases: Record<string, Partial<RedisAddress>> = {
      'redis://cache.example': {},
      'redis://cache.example/': {},
      'redis://cache.example:6380/12': { nodes: [{ host: 'cache.example', port: 6380 }], db: 12 },
      'rediss://cache.example': { tls: { ca: null, cert: null, key: null } },
      'redis://:secret@cache.example/9999': { password: 'secret', db: 9999 },
      'redis://m%40e:p%25%40%2F%3A@cache.example': { user: 'm@e', password: 'p%@/:' },
      'redis://[::1]:6380/1': { nodes: [{ host: '::1', port: 6380 }], db: 1 },
      'unix:///run/redis.sock': { path: '/run/redis.sock', nodes: [] },
      'unix:///run/redis.sock?db=3': { path: '/run/redis.sock', nodes: [], db: 3 },
      'rediss://cache.example?ca=/etc/ca.pem&cert=c.pem&key=k.pem': {
        tls: { ca: '/etc/ca.pem', cert: 'c.pem', key: 'k.pem' },
      },
      'redis+sentinel://me:secret@one,[::1]:7000/2?master=limits&sentinel_password=other': {
        kind: 'sentinel',
        nodes: [
          { host: 'one', port: 26_379 },
          { host: '::1', port: 7000 },
        ],
        master: 'limits',
        user: 'me',
        password: 'secret',
        sentinelPassword: 'other',
        db: 2,
      },
      'rediss+cluster://:secret@one:7000,two': {
        kind: 'cluster',
        nodes: [
          { host: 'one', port: 7000 },
          { host: 'two', port: 6379 },
        ],
        password: 'secret',
        tls: { ca: null, cert: null, key: null },
      },
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
      'redis://secret,other': form,
      'redis+cluster://one,,secret:x': form,
      'unix+cluster:///secret': form,
      'redis+sentinel://secret:26379': /^must name the server that the sentinels watch/,
      'redis+cluster://:secret@one/1': /^must have no database but 0/,
    };
    for (const [url, message] of Object.entries(cases)) {
      assert.throws(
        () => redisAddress(url),
        (error: Error) => message.test(error.message) && !error.message.includes('secret'),
        url,
      );
    }
  });

  it('names certificates that can be read', () => {
    const address = redisAddress(`rediss://cache.example?ca=${encodeURIComponent(import.meta.filename)}`);
    assert.match(String(redisTls(address)?.ca), /names certificates that can be read/);
    assert.equal(redisTls(redisAddress('redis://cache.example')), undefined);
    assert.throws(
      () => redisTls(redisAddress('rediss://cache.example?key=/none.pem')),
      /^Error: must name a file in PEM that can be read as key: \/none\.pem cannot$/,
    );
  });

  it('is told without the password', () => {
    const told = Object.fromEntries(
      [
        'redis://me:secret@cache.example/2',
        'redis://[::1]:6380',
        'unix:///run/redis.sock?db=3',
        'redis+sentinel://:secret@one,two/1?master=limits&sentinel_password=secret',
        'rediss+cluster://me:secret@one:7000,[::1]:7001',
      ].map((url) => [url, describeRedis(redisAddress(url))]),
    );
    assert.deepEqual(told, {
      'redis://me:secret@cache.example/2': 'Redis at cache.example:6379, database 2',
      'redis://[::1]:6380': 'Redis at [::1]:6380, database 0',
      'unix:///run/redis.sock?db=3': 'Redis at /run/redis.sock, database 3',
      'redis+sentinel://:secret@one,two/1?master=limits&sentinel_password=secret':
        'Redis limits, watched by the sentinels at one:26379, two:26379, database 1',
      'rediss+cluster://me:secret@one:7000,[::1]:7001': 'Redis Cluster at one:7000, [::1]:7001',
    });
  });
});
