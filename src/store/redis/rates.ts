/** Rate counters in Redis or Valkey: one script counts, by the server's own time, so that the clocks of processes do not matter. */
import { Redis } from 'ioredis';
import { sha1Hex } from '../../base/hash.ts';
import { type Ask, type Count, type RateStore, slackMs } from '../rate-store.ts';
import type { RedisAddress } from './address.ts';

export interface RedisRatesOptions {
  readonly address: RedisAddress;
  /** Milliseconds since 1970, for tests that move time; the server's time unless given. */
  readonly now?: () => number;
}

/**
 * Resolves once it is connected, or once the first try has failed: it keeps trying for as long as it is open, and meanwhile
 * every question is refused at once. Nothing waits in a queue for a connection.
 */
export async function openRedisRates({ address, now }: RedisRatesOptions): Promise<RateStore> {
  const { path, host, port, user, password, db, isTls } = address;
  const redis = new Redis({
    ...(path === null ? { host, port } : { path }),
    ...(user !== null && { username: user }),
    ...(password !== null && { password }),
    ...(isTls && { tls: {} }),
    db,
    protocol: 2,
    connectionName: 'colophon',
    connectTimeout: 1000,
    // For the handshake; whoever asks for a count waits less.
    commandTimeout: 1000,
    disconnectTimeout: 200,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    retryStrategy: (times) => Math.min(100 * 2 ** Math.min(times, 10), 5000) + Math.floor(Math.random() * 100),
  });
  let fault: Error | null = null;
  await new Promise<void>((resolve) => {
    redis.on('ready', () => {
      fault = null;
      resolve();
    });
    redis.on('error', (error: Error) => {
      fault = error;
      resolve();
    });
    redis.on('close', resolve);
  });

  return {
    name: 'redis',
    async take(asks) {
      if (redis.status !== 'ready') throw fault ?? new Error('there is no connection');
      const numbers = [
        now?.() ?? '',
        ...asks.flatMap(({ limit, windowMs, count }) => [limit, windowMs, count ? 1 : 0]),
      ];
      const keys = asks.map(({ key }) => `colophon:rate:${key}`);
      try {
        return countsOf(asks, await redis.evalsha(scriptHash, keys.length, ...keys, ...numbers));
      } catch (error) {
        // The server was restarted, or somebody emptied its scripts. This sends the script and leaves it there.
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return countsOf(asks, await redis.eval(script, keys.length, ...keys, ...numbers));
      }
    },
    abandon() {
      if (redis.status === 'ready') redis.disconnect(true);
    },
    async close() {
      redis.disconnect();
    },
  };
}

/** Three numbers an ask: allowed, used, wait. */
function countsOf(asks: readonly Ask[], reply: unknown): Count[] {
  const numbers = Array.isArray(reply) ? reply.map(Number) : [];
  if (numbers.length !== asks.length * 3) throw new Error('Redis returned an unexpected response');
  return asks.map((_, index) => {
    const [allowed = 0, used = 0, waitMs = 0] = numbers.slice(index * 3, index * 3 + 3);
    return { allowed: allowed === 1, used, waitMs };
  });
}

/**
 * The rule of src/limits/sliding-window.ts. KEYS are the counters; ARGV are the moment ('' for the server's own) and, for each
 * key, limit, window and whether it counts. A counter is a list of first, last and count of each group, packed. A group
 * later than now is one from before the clock was set back: it is taken to be of now, so that nobody waits more than a window.
 */
const script = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local held, used, all = {}, {}, true
for i, key in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local packed = redis.call('GET', key)
  local groups, live = packed and cmsgpack.unpack(packed) or {}, {}
  used[i] = 0
  for at = 1, #groups, 3 do
    local first, last = math.min(groups[at], now), math.min(groups[at + 1], now)
    if now - last < window then
      local size = #live
      live[size + 1], live[size + 2], live[size + 3] = first, last, groups[at + 2]
      used[i] = used[i] + groups[at + 2]
    end
  end
  held[i] = live
  if used[i] >= limit then all = false end
end
local reply = {}
for i, key in ipairs(KEYS) do
  local limit, window, live = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), held[i]
  local allowed = used[i] < limit
  if all and ARGV[3 * i + 1] == '1' then
    local size = #live
    if size > 0 and now - live[size - 2] < window / 60 then
      live[size - 1], live[size] = now, live[size] + 1
    else
      live[size + 1], live[size + 2], live[size + 3] = now, now, 1
    end
    used[i] = used[i] + 1
    redis.call('SET', key, cmsgpack.pack(live), 'PX', window + ${slackMs})
  end
  local wait = window
  if #live > 0 then wait = window - (now - live[2]) end
  reply[3 * i - 2], reply[3 * i - 1], reply[3 * i] = allowed and 1 or 0, used[i], wait
end
return reply
`;

const scriptHash = sha1Hex(script);
