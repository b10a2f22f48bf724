/** Rate counters in Redis or Valkey: one script counts in every counter or in none, by the server's own time. */
import { Redis } from 'ioredis';
import type { CounterRequest, CounterState, RateStore } from '../rate-store.ts';

interface RedisRatesOptions {
  /** A redis:, rediss: or unix: URL as ioredis reads it. */
  readonly url: string;
  /** Returns milliseconds since 1970, for tests that move time. @defaultValue the server's time */
  readonly now?: () => number;
}

/** Longest time, in milliseconds, for a connection and for a reply; a connection that is silent for longer is replaced. */
const silenceMs = 1000;

/** Resolves once the server is connected, or once the first attempt has failed. It keeps trying until it is closed. */
export async function openRedisRates({ url, now }: RedisRatesOptions): Promise<RateStore> {
  const client = new Redis(url, {
    connectionName: 'colophon',
    protocol: 2,
    connectTimeout: silenceMs,
    socketTimeout: silenceMs,
    // A request that cannot be sent now is refused at once, and none is sent twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    retryStrategy: (attempts) => Math.min(100 * 2 ** attempts, 5000),
  });
  let failure = new Error('there is no connection');
  await new Promise<void>((resolve) => {
    client.on('ready', resolve).on('close', resolve);
    client.on('error', (error) => {
      failure = error;
    });
  });
  return {
    name: 'redis',
    async take(requests) {
      if (client.status !== 'ready') throw failure;
      const keys = requests.map(({ key }) => keyName(key));
      const args = requests.flatMap(({ limit, windowMs, count }) => [limit, windowMs, count ? 1 : 0]);
      return readStates(requests, await client.eval(script, keys.length, ...keys, now?.() ?? '', ...args));
    },
    async close() {
      client.disconnect();
    },
  };
}

/** Returns a name with a hash tag, so that a cluster's proxy finds the counters of one address or client on one node. */
const keyName = (key: string): string => key.replace(/^(?:(.*?) )?(.*)$/s, 'colophon:rate:{$2}:$1');

/** Reads the script's reply: allowed, used and wait of each counter in turn. */
function readStates(requests: readonly CounterRequest[], reply: unknown): CounterState[] {
  const numbers = Array.isArray(reply) ? reply.map(Number) : [];
  if (numbers.length !== requests.length * 3) throw new Error('Redis returned an unexpected response');
  return requests.map((_, index) => {
    const [allowed, used = 0, waitMs = 0] = numbers.slice(index * 3, index * 3 + 3);
    return { allowed: allowed === 1, used, waitMs };
  });
}

/**
 * The rule of src/limits/sliding-window.ts. ARGV is the time ('' for the server's own), then limit, window and whether it
 * counts for each key. A counter is a packed list of groups {first, last, count}. Groups from the future were counted before
 * the clock was set back; nobody should wait for them.
 */
const script = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local counters, room = {}, true
for i, key in ipairs(KEYS) do
  local counter = { groups = {}, used = 0, limit = tonumber(ARGV[3 * i - 1]), window = tonumber(ARGV[3 * i]) }
  local packed = redis.call('GET', key)
  for _, group in ipairs(packed and cmsgpack.unpack(packed) or {}) do
    if group[2] <= now and now - group[2] < counter.window then
      table.insert(counter.groups, group)
      counter.used = counter.used + group[3]
    end
  end
  room = room and counter.used < counter.limit
  counters[i] = counter
end
local reply = {}
for i, key in ipairs(KEYS) do
  local counter = counters[i]
  local groups, window, newest = counter.groups, counter.window, counter.groups[#counter.groups]
  table.insert(reply, counter.used < counter.limit and 1 or 0)
  if room and ARGV[3 * i + 1] == '1' then
    if newest and (now - newest[1]) * 60 < window then
      newest[2], newest[3] = now, newest[3] + 1
    else
      table.insert(groups, { now, now, 1 })
    end
    counter.used = counter.used + 1
    redis.call('SET', key, cmsgpack.pack(groups), 'PX', window + 5000)
  end
  table.insert(reply, counter.used)
  table.insert(reply, groups[1] and window - (now - groups[1][2]) or window)
end
return reply
`;
