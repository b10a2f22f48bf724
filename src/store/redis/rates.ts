/** Rate counters in Redis or Valkey: one script counts, by the server's own time, so that the clocks of processes do not matter. */
import { sha1Hex } from '../../base/hash.ts';
import type { Log } from '../../base/log.ts';
import { type Ask, type Count, leaseMs, mostLeased, type RateStore, slackMs } from '../rate-store.ts';
import type { RedisAddress } from './address.ts';
import { connectRedis } from './connection.ts';

export interface RedisRatesOptions {
  readonly address: RedisAddress;
  readonly log: Log;
  /** Milliseconds since 1970, for tests that move time; the server's time unless given. */
  readonly now?: () => number;
}

/**
 * Resolves once it is connected, or once the first try has failed: it keeps trying for as long as it is open, and meanwhile
 * every question is refused at once.
 */
export async function openRedisRates({ address, log, now }: RedisRatesOptions): Promise<RateStore> {
  const { client, requireReady } = await connectRedis(address, log);

  async function count(asks: readonly Ask[]): Promise<Count[]> {
    const words = [
      now?.() ?? '',
      ...asks.flatMap(({ limit, windowMs, count, lease }) => [
        limit,
        windowMs,
        count ? 1 : 0,
        lease?.wanted ?? 0,
        lease?.id ?? 0,
        lease?.settled?.id ?? '',
        lease?.settled?.spent ?? 0,
      ]),
    ];
    const keys = asks.map(({ key }) => keyOf(key));
    try {
      return countsOf(asks, await client.evalsha(scriptHash, keys.length, ...keys, ...words));
    } catch (error) {
      // The server was restarted, or somebody emptied its scripts. This sends the script and leaves it there.
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return countsOf(asks, await client.eval(script, keys.length, ...keys, ...words));
    }
  }

  /**
   * A cluster's script has its counters in one slot: those of one address or client. Others are counted by another script, and when one of
   * them refuses, what the others have counted is taken back: for that moment they hold too much, never too little.
   */
  async function countInSlots(asks: readonly Ask[]): Promise<Count[]> {
    const slots = [...Map.groupBy(asks, ({ key }) => whose(key)).values()];
    if (slots.length === 1) return count(asks);
    const counts = new Map<Ask, Count>();
    await Promise.all(
      slots.map(async (slot) => {
        for (const [index, counted] of (await count(slot)).entries()) {
          const ask = slot[index];
          if (ask !== undefined) counts.set(ask, counted);
        }
      }),
    );
    const isAllowed = (ask: Ask): boolean => counts.get(ask)?.allowed === true;
    if (!asks.every(isAllowed)) {
      const undone = slots
        .filter((slot) => slot.every(isAllowed))
        .flat()
        .filter((ask) => ask.count);
      await Promise.all(undone.map((ask) => takeBack(ask)));
      for (const ask of undone) {
        const made = counts.get(ask);
        if (made !== undefined) counts.set(ask, { ...made, used: made.used - 1 });
      }
    }
    return asks.flatMap((ask) => counts.get(ask) ?? []);
  }

  const takeBack = async ({ key, limit, windowMs }: Ask): Promise<void> => {
    await client.eval(script, 1, keyOf(key), now?.() ?? '', limit, windowMs, -1, 0, 0, '', 0);
  };

  return {
    name: 'redis',
    async take(asks) {
      requireReady();
      return client.isCluster ? countInSlots(asks) : count(asks);
    },
    abandon() {
      if (client.status === 'ready') client.disconnect(true);
    },
    async close() {
      client.disconnect();
    },
  };
}

/** Whom a counter is of: what follows the name of its limit. */
const whose = (key: string): string => key.slice(key.indexOf(' ') + 1);

/** With a hash tag, so that a cluster keeps the counters of one address or client in one slot. */
const keyOf = (key: string): string =>
  `colophon:rate:{${whose(key)}}:${key.slice(0, key.length - whose(key).length).trimEnd()}`;

/** Five numbers an ask: allowed, used, reserved, leased, wait. */
function countsOf(asks: readonly Ask[], reply: unknown): Count[] {
  const numbers = Array.isArray(reply) ? reply.map(Number) : [];
  if (numbers.length !== asks.length * 5) throw new Error('Redis returned an unexpected response');
  return asks.map((_, index) => {
    const [allowed = 0, used = 0, reserved = 0, leased = 0, waitMs = 0] = numbers.slice(index * 5, index * 5 + 5);
    return { allowed: allowed === 1, used, reserved, leased, waitMs };
  });
}

/**
 * The rule of src/limits/sliding-window.ts, and leases as in PostgreSQL. KEYS are the counters; ARGV are the moment ('' for the
 * server's own) and, for each key, limit, window, whether it counts, how many to lease, the lease's id, the id of one that is settled, and
 * how many were spent of that. A counter is a list of first, last and count of each group, and one of id, count and end of
 * each lease, packed. A moment later than there can be is from before the clock was set back: nobody waits more than a window.
 */
const script = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function add(groups, count, window)
  local size = #groups
  if size > 0 and now - groups[size - 2] < window / 60 then
    groups[size - 1], groups[size] = now, groups[size] + count
  else
    groups[size + 1], groups[size + 2], groups[size + 3] = now, now, count
  end
end
local states, all = {}, true
for i, key in ipairs(KEYS) do
  local at = 7 * i - 5
  local limit, window = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local settled, spent = ARGV[at + 5], tonumber(ARGV[at + 6])
  local packed = redis.call('GET', key)
  local held = packed and cmsgpack.unpack(packed) or {{}, {}}
  local groups, leases, used, reserved, changed = {}, {}, 0, 0, false
  for at = 1, #held[1], 3 do
    local first, last = math.min(held[1][at], now), math.min(held[1][at + 1], now)
    if now - last < window then
      local size = #groups
      groups[size + 1], groups[size + 2], groups[size + 3] = first, last, held[1][at + 2]
      used = used + held[1][at + 2]
    end
  end
  for at = 1, #held[2], 3 do
    local ends = math.min(held[2][at + 2], now + ${leaseMs})
    if held[2][at] == settled then
      changed = true
    elseif now - ends < window then
      local size = #leases
      leases[size + 1], leases[size + 2], leases[size + 3] = held[2][at], held[2][at + 1], ends
      reserved = reserved + held[2][at + 1]
    end
  end
  if changed and spent > 0 then
    add(groups, spent, window)
    used = used + spent
  end
  used = used + reserved
  if used >= limit then all = false end
  states[i] = { limit = limit, window = window, groups = groups, leases = leases, used = used, reserved = reserved, changed = changed }
end
local reply = {}
for i, key in ipairs(KEYS) do
  local at, state = 7 * i - 5, states[i]
  local limit, window, wanted, leased = state.limit, state.window, tonumber(ARGV[at + 3]), 0
  local allowed = state.used < limit
  if all and ARGV[at + 2] == '1' then
    add(state.groups, 1, window)
    state.used, state.changed = state.used + 1, true
    local room = math.floor((limit - state.used + state.reserved) / 2) - state.reserved
    leased = math.max(0, math.min(wanted, math.floor(limit * ${mostLeased}), room))
    if leased > 0 then
      local size = #state.leases
      state.leases[size + 1], state.leases[size + 2], state.leases[size + 3] = ARGV[at + 4], leased, now + ${leaseMs}
    end
  elseif ARGV[at + 2] == '-1' and #state.groups > 0 then
    state.groups[#state.groups] = state.groups[#state.groups] - 1
    state.used, state.changed = state.used - 1, true
  end
  if state.changed then
    redis.call('SET', key, cmsgpack.pack({state.groups, state.leases}), 'PX', window + ${leaseMs + slackMs})
  end
  local wait = window
  if #state.groups > 0 then wait = window - (now - state.groups[2]) end
  local to = 5 * i
  reply[to - 4], reply[to - 3], reply[to - 2], reply[to - 1], reply[to] =
    allowed and 1 or 0, state.used, state.reserved, leased, wait
end
return reply
`;

const scriptHash = sha1Hex(script);
