/** Rate limits in Redis as it is run in production: with TLS and a private authority, behind Sentinel, in a cluster, with a limit on its memory. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import { type Log, silentLog } from '../../src/base/log.ts';
import type { Ask, RateStore } from '../../src/store/rate-store.ts';
import { redisAddress } from '../../src/store/redis/address.ts';
import { openRedisRates } from '../../src/store/redis/rates.ts';
import { countersOf, rateContract } from '../limits/rate-contract.ts';

const program = 'redis-server';
if (spawnSync(program, ['--version']).status !== 0) it(`not run: ${program} is not installed`, () => {});
else await suite();

async function suite(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-redis-'));
  const running: (() => Promise<void>)[] = [];
  after(async () => {
    for (const end of running) await end();
    await rm(directory, { recursive: true, force: true });
  });

  /** A server at a free port; `end` kills it. */
  async function start(words: readonly string[], options: RedisOptions = {}) {
    const port = await freePort();
    const folder = await mkdtemp(join(directory, 'server-'));
    const listening =
      options.tls === undefined ? ['--port', String(port)] : ['--port', '0', '--tls-port', String(port)];
    const all = ['--bind', '127.0.0.1', '--dir', folder, '--save', '', ...listening, ...words];
    const child = spawn(program, all, { stdio: 'ignore' });
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    const end = async (): Promise<void> => {
      process.off('exit', kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      kill();
      await once(child, 'exit');
    };
    running.push(end);
    const command = commandAt(port, options);
    await until(async () => (await command('PING').catch(() => null)) === 'PONG');
    return { port, command, end };
  }

  const open = async (t: TestContext, url: string, log = silentLog): Promise<RateStore> => {
    const store = await openRedisRates({ address: redisAddress(url), log });
    t.after(() => store.close());
    return store;
  };

  describe('Redis with TLS', () => {
    it('is trusted by the authority that REDIS_URL names, with a client certificate', async (t) => {
      const pem = makeCertificates(directory);
      const words = ['--tls-cert-file', pem.cert, '--tls-key-file', pem.key, '--tls-ca-cert-file', pem.ca];
      const tls = { rejectUnauthorized: false, cert: pem.certText, key: pem.keyText };
      const { port } = await start(words, { tls });
      const named = `rediss://127.0.0.1:${port}?ca=${pem.ca}&cert=${pem.cert}&key=${pem.key}`;
      assert.equal((await (await open(t, named)).take([ask('anonymous a')]))[0]?.used, 1);
      for (const [url, reason] of [
        [`rediss://127.0.0.1:${port}`, /self-signed certificate|unable to verify/],
        [`rediss://127.0.0.1:${port}?ca=${pem.ca}`, /.+/],
      ] as const) {
        const store = await open(t, url);
        await assert.rejects(store.take([ask('anonymous a')]), (error: Error) => reason.test(error.message), url);
      }
    });
  });

  describe('Redis behind Sentinel', () => {
    it('is the server that the sentinel names, before a failover and after it', async (t) => {
      const first = await start([]);
      const second = await start(['--replicaof', '127.0.0.1', String(first.port)]);
      await until(async () => /master_link_status:up/.test(String(await second.command('INFO', 'replication'))));
      const config = join(directory, 'sentinel.conf');
      await writeFile(
        config,
        `sentinel monitor limits 127.0.0.1 ${first.port} 1
sentinel down-after-milliseconds limits 500
sentinel failover-timeout limits 3000
`,
      );
      const port = await freePort();
      const words = [config, '--sentinel', '--port', String(port), '--bind', '127.0.0.1', '--dir', directory];
      const sentinel = spawn(program, words, { stdio: 'ignore' });
      running.push(async () => void sentinel.kill('SIGKILL'));
      const askSentinel = commandAt(port, {});
      const replicas = async () => ((await askSentinel('SENTINEL', 'REPLICAS', 'limits')) as unknown[]).length;
      await until(async () => (await replicas().catch(() => 0)) === 1);

      const store = await open(t, `redis+sentinel://127.0.0.1:${port}/0?master=limits`);
      assert.equal((await store.take([ask('anonymous a')]))[0]?.used, 1);
      await until(async () => Number(await second.command('DBSIZE')) === 1);
      await first.end();
      let used = 0;
      await until(async () => {
        used = (await store.take([ask('anonymous a')]).catch(() => []))[0]?.used ?? 0;
        return used > 0;
      });
      assert.equal(used, 2, 'the replica has what was counted before');
      assert.match(String(await second.command('INFO', 'replication')), /role:master/);
    });
  });

  describe('Redis Cluster', async () => {
    const nodes = await Promise.all([0, 1, 2].map(() => start(['--cluster-enabled', 'yes'])));
    const [first] = nodes;
    const bounds = [0, 5461, 10_923, 16_384];
    for (const [at, { port, command }] of nodes.entries()) {
      await command('CLUSTER', 'SET-CONFIG-EPOCH', at + 1);
      await command('CLUSTER', 'ADDSLOTSRANGE', bounds[at] ?? 0, (bounds[at + 1] ?? 0) - 1);
      if (at > 0) await first?.command('CLUSTER', 'MEET', '127.0.0.1', port);
    }
    for (const { command } of nodes) {
      await until(async () =>
        /cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(String(await command('CLUSTER', 'INFO'))),
      );
    }
    const url = `redis+cluster://127.0.0.1:${first?.port}`;
    const empty = () => Promise.all(nodes.map(({ command }) => command('FLUSHALL')));

    rateContract(
      'a cluster of three nodes',
      async (clock) => {
        await empty();
        return countersOf(await openRedisRates({ address: redisAddress(url), log: silentLog, now: clock.now }));
      },
      { runs: 5 },
    );

    it('keeps the counters of one address in one slot, and those of many on every node', async (t) => {
      await empty();
      const store = await open(t, url);
      for (let at = 0; at < 60; at += 1) {
        const counts = await store.take([ask(`anonymous 10.0.0.${at}`), ask(`refused 10.0.0.${at}`)]);
        assert.deepEqual(
          counts.map(({ used }) => used),
          [1, 1],
        );
      }
      const sizes = await Promise.all(nodes.map(({ command }) => command('DBSIZE').then(Number)));
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        120,
      );
      assert.ok(
        sizes.every((size) => size > 0 && size % 2 === 0),
        String(sizes),
      );
    });

    it('counts for an address and a client on different nodes, or for neither', async (t) => {
      await empty();
      const store = await open(t, url);
      const pairs = Array.from({ length: 20 }, (_, at) => [ask(`address a${at}`), ask(`authenticated c${at}`, 1)]);
      for (const pair of pairs) {
        assert.deepEqual(
          (await store.take(pair)).map(({ allowed }) => allowed),
          [true, true],
        );
        const refused = await store.take(pair);
        assert.deepEqual(
          refused.map(({ allowed, used }) => [allowed, used]),
          [
            [true, 1],
            [false, 1],
          ],
        );
        const seen = await store.take(pair.map((one) => ({ ...one, count: false })));
        assert.deepEqual(
          seen.map(({ used }) => used),
          [1, 1],
        );
      }
    });
  });

  describe('Redis with a limit on its memory', () => {
    const warnings = async (t: TestContext, policy: string): Promise<unknown[]> => {
      const { port } = await start(['--maxmemory', '50mb', '--maxmemory-policy', policy]);
      const told: unknown[] = [];
      const log: Log = { ...silentLog, warn: (fields, message) => void told.push({ ...fields, message }) };
      await open(t, `redis://127.0.0.1:${port}`, log);
      return told.map((line) => JSON.parse(JSON.stringify(line).replaceAll(String(port), 'PORT')));
    };

    it('is warned of when it would drop counters that are in use, or refuse to count', async (t) => {
      for (const policy of ['allkeys-lru', 'noeviction']) {
        assert.deepEqual(await warnings(t, policy), [
          {
            event: 'limits.eviction',
            policy,
            message: `Redis at 127.0.0.1:PORT, database 0, has maxmemory-policy ${policy}: set it to volatile-ttl, otherwise rate limits are lost or not counted when its memory is full`,
          },
        ]);
      }
      assert.deepEqual(await warnings(t, 'volatile-ttl'), []);
    });
  });
}

const ask = (key: string, limit = 100): Ask => ({ key, limit, windowMs: 60_000, count: true });

const commandAt =
  (port: number, options: RedisOptions) =>
  async (name: string, ...words: (string | number)[]): Promise<unknown> => {
    const client = new Redis({
      port,
      host: '127.0.0.1',
      protocol: 2,
      retryStrategy: () => null,
      lazyConnect: true,
      ...options,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.call(name, ...words);
    } finally {
      client.disconnect();
    }
  };

/** A private authority, and a certificate that it signed for the server and its client. */
function makeCertificates(directory: string) {
  const at = (name: string): string => join(directory, name);
  const openssl = (...words: string[]): string =>
    execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=Test authority');
  const signed = [
    '-CA',
    at('ca.pem'),
    '-CAkey',
    at('ca.key'),
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-subj',
    '/CN=redis',
  ];
  openssl('req', '-x509', ...key, '-keyout', at('redis.key'), '-out', at('redis.pem'), ...signed);
  const text = (name: string): string => execFileSync('cat', [at(name)]).toString();
  return {
    ca: at('ca.pem'),
    cert: at('redis.pem'),
    key: at('redis.key'),
    certText: text('redis.pem'),
    keyText: text('redis.key'),
  };
}

/** Asks again and again, for a minute at most. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries += 1) {
    assert.ok(tries < 1200, 'it did not come about within a minute');
    await sleep(50);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
