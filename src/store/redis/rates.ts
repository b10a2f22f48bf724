/** Rate counters in Redis or Valkey: one script for each request, by the server's own time. */
import { Redis } from 'ioredis';
import type { RateStore } from '../rate-store.ts';

interface RedisRatesOptions {
  /** A redis:, rediss: or unix: URL as ioredis reads it. */
  readonly url: string;
  /** Returns milliseconds since 1970, for tests that move time. @defaultValue the server's time */
  readonly now?: () => number;
}

/** Longest time, in milliseconds, for a connection and for a reply; a connection that is silent for longer is replaced. */
const silenceMs = 1000;

/**
 * Opens the counters of the rate limits, and resolves once the server is connected or the first attempt has failed. It keeps trying
 * until it is closed; without a connection, `take` rejects.
 */
export async function openRedisRates({ url, now }: RedisRatesOptions): Promise<RateStore> {
  const client = new Redis(url, {
    connectionName: 'colophon',
    protocol: 2,
    lazyConnect: true,
    connectTimeout: silenceMs,
    socketTimeout: silenceMs,
    // A command that cannot be sent now is rejected at once, and none is sent twice, so that no hit is counted late or twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    retryStrategy: (attempts) => Math.min(100 * 2 ** attempts, 5000),
  });
  let failure = new Error('there is no connection');
  client.on('error', (error) => {
    failure = error;
  });
  await client.connect().catch(() => {});
  return {
    name: 'redis',
    async take({ key, limit, windowMs, count }) {
      if (client.status !== 'ready') throw failure;
      const args = [now?.() ?? '', limit, windowMs, count ? 1 : 0];
      const reply: unknown = await client.eval(script, 1, `colophon:rate:${key}`, ...args);
      const [allowed, used, waitMs] = Array.isArray(reply) ? reply.map(Number) : [];
      if (used === undefined || waitMs === undefined) throw new Error('Redis returned an unexpected response');
      return { allowed: allowed === 1, used, waitMs };
    },
    async close() {
      client.disconnect();
    },
  };
}

/**
 * The rule of src/limits/sliding-window.ts. ARGV is the time ('' for the server's own), the limit, the window, and 1 if the
 * request counts. A counter is a packed list of groups {first, last, count}. Groups from the future were counted before the
 * clock was set back; nobody should wait for them. The reply has whether the request is allowed, the used hits and the wait.
 */
const script = `
local now, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local groups, used = {}, 0
local packed = redis.call('GET', KEYS[1])
for _, group in ipairs(packed and cmsgpack.unpack(packed) or {}) do
  if group[2] <= now and now - group[2] < window then
    table.insert(groups, group)
    used = used + group[3]
  end
end
local allowed = used < limit
if allowed and ARGV[4] == '1' then
  local newest = groups[#groups]
  if newest and (now - newest[1]) * 60 < window then
    newest[2], newest[3] = now, newest[3] + 1
  else
    table.insert(groups, { now, now, 1 })
  end
  used = used + 1
  redis.call('SET', KEYS[1], cmsgpack.pack(groups), 'PX', window + 5000)
end
return { allowed and 1 or 0, used, groups[1] and window - (now - groups[1][2]) or window }
`;
