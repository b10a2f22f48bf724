/** Tells the caches in front of the service what to purge, in the form that their preset says. */
import type { Clock } from '../base/clock.ts';
import { describeAddress } from '../feed/address.ts';
import type { PurgeSettings } from './presets.ts';
import { type Published, storedAddresses } from './stored-addresses.ts';

export interface CacheClient {
  /** Throws an error whose message is for the operator. Resolves with the number of requests. */
  purge(keys: readonly string[], published: Published): Promise<number>;
  /** Ends what is under way. */
  close(): void;
}

const answerMs = 5000;
/** Requests at the same time, for a cache that takes an address at a time. */
const mostAtOnce = 4;

export function createCacheClient(settings: PurgeSettings, clock: Clock): CacheClient {
  const closing = new AbortController();

  const send = async ({ url, headers, body }: Order): Promise<void> => {
    const { method, authorization, form } = settings;
    const [name, value] = authorization ?? [];
    const late = new AbortController();
    const cancel = clock.after(answerMs, () => late.abort(new Error(`no response within ${answerMs / 1000} seconds`)));
    try {
      const response = await fetch(url, {
        method,
        headers: { ...headers, ...(name !== undefined && value !== undefined && { [name]: value }) },
        redirect: 'error',
        signal: AbortSignal.any([late.signal, closing.signal]),
        ...(body !== undefined && { body }),
      });
      await response.body?.cancel();
      // The nginx module says so of what it has not stored.
      if (response.ok || (form === 'addresses' && response.status === 404)) return;
      throw new Error(`the cache responded with ${response.status}`);
    } finally {
      cancel();
    }
  };

  return {
    async purge(keys, published) {
      const orders = ordersOf(settings, keys, published);
      const waiting = orders[Symbol.iterator]();
      let sent = 0;
      const work = async (): Promise<void> => {
        for (const order of waiting) {
          await send(order);
          sent += 1;
        }
      };
      try {
        await Promise.all(Array.from({ length: mostAtOnce }, work));
      } catch (error) {
        throw new Error(`${describeAddress(new URL(settings.url))}: ${reasonOf(error)}`, { cause: error });
      }
      return sent;
    },
    close: () => closing.abort(new Error('the server is shutting down')),
  };
}

interface Order {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ordersOf({ url, form, header, batch }: PurgeSettings, keys: readonly string[], published: Published): Order[] {
  if (form === 'addresses') {
    return storedAddresses(keys, published).map(({ path, headers }) => ({
      url: url.replace(/\/$/, '') + path,
      headers,
    }));
  }
  const batches = Array.from({ length: Math.ceil(keys.length / batch) }, (_, at) =>
    keys.slice(at * batch, (at + 1) * batch),
  );
  return batches.map((listed) =>
    form === 'tags'
      ? { url, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ tags: listed }) }
      : { url, headers: { [header ?? 'Surrogate-Key']: listed.join(' ') } },
  );
}

/** What fetch throws says nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
