/** A connection to Redis or Valkey, whichever way it is set up, that keeps trying and never makes anybody wait in a queue. */
import { Cluster, Redis } from 'ioredis';
import type { Log } from '../../base/log.ts';
import { describeRedis, type RedisAddress, redisTls } from './address.ts';

export interface RedisConnection {
  readonly client: Redis | Cluster;
  /** Throws why it cannot be used now. */
  requireReady(): void;
}

const retryDelay = (times: number): number =>
  Math.min(100 * 2 ** Math.min(times, 10), 5000) + Math.floor(Math.random() * 100);

/** Resolves once it is connected, or once the first try has failed. Throws when a certificate's file cannot be read. */
export async function connectRedis(address: RedisAddress, log: Log): Promise<RedisConnection> {
  const client = clientOf(address);
  let fault: Error | null = null;
  await new Promise<void>((resolve) => {
    client.on('ready', () => {
      fault = null;
      // Whether it may be asked depends on the user's rights; without them there is nothing to warn of.
      void warnOfEviction(client, address, log)
        .catch(() => {})
        .finally(resolve);
    });
    client.on('error', (error: Error) => {
      fault = error;
      resolve();
    });
    client.on('close', resolve);
  });
  return {
    client,
    requireReady() {
      if (client.status !== 'ready') throw fault ?? new Error('there is no connection');
    },
  };
}

function clientOf(address: RedisAddress): Redis | Cluster {
  const { kind, path, nodes, master, user, password, sentinelPassword, db } = address;
  const tls = redisTls(address);
  const common = {
    ...(user !== null && { username: user }),
    ...(password !== null && { password }),
    ...(tls !== undefined && { tls }),
    protocol: 2 as const,
    connectionName: 'colophon',
    connectTimeout: 1000,
    // For the handshake; whoever asks for a count waits less.
    commandTimeout: 1000,
    disconnectTimeout: 200,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  };
  if (kind === 'cluster') {
    return new Cluster([...nodes], {
      redisOptions: common,
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      clusterRetryStrategy: retryDelay,
      slotsRefreshTimeout: 1000,
      // Certificates are for names; an address that a node gives is used as it is.
      dnsLookup: (host, done) => done(null, host),
    });
  }
  const single = {
    ...common,
    db,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    retryStrategy: retryDelay,
  };
  if (kind === 'sentinel') {
    return new Redis({
      ...single,
      sentinels: [...nodes],
      name: master ?? '',
      sentinelRetryStrategy: retryDelay,
      // After a failover, a server that has become a replica refuses to write: ask the sentinels again.
      reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
      ...(sentinelPassword !== null && { sentinelPassword }),
      ...(tls !== undefined && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
    });
  }
  return new Redis({ ...single, ...(path === null ? nodes[0] : { path }) });
}

/** Counters expire, so what is full should drop those that end soonest; anything else refuses to count, or forgets busy ones. */
const advised = 'volatile-ttl';

async function warnOfEviction(client: Redis | Cluster, address: RedisAddress, log: Log): Promise<void> {
  const servers = client instanceof Cluster ? client.nodes('master') : [client];
  const told = await Promise.all(servers.map((server) => server.info('memory')));
  for (const text of told) {
    const [, most] = /^maxmemory:(\d+)/m.exec(text) ?? [];
    const [, policy] = /^maxmemory_policy:(\S+)/m.exec(text) ?? [];
    if (most === undefined || most === '0' || policy === undefined || policy === advised) continue;
    log.warn(
      { event: 'limits.eviction', policy },
      `${describeRedis(address)}, has maxmemory-policy ${policy}: set it to ${advised}, otherwise rate limits are lost or not counted when its memory is full`,
    );
    return;
  }
}
