/** What traced requests wait for: calls of stores and searches, each kept for the request that made it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../base/clock.ts';
import type { Rates } from '../http/rate.ts';
import type { SearchIndex } from '../search/search.ts';
import type { Store } from '../store/store.ts';

/** Where a call went: out of the process, or nowhere. */
export interface CallKind {
  readonly name: string;
  readonly database: 'sqlite' | 'postgresql' | 'redis' | null;
}

export interface Call extends CallKind {
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** What it threw; null: it succeeded. */
  readonly error: unknown;
}

export interface TracedCalls {
  /** Handles a request; calls are kept for it, whenever they are made. */
  during(request: object, handle: () => void): void;
  store(store: Store, database: CallKind['database']): Store;
  /** Only what another process counts is waited for. */
  rates(rates: Rates, database: CallKind['database']): Rates;
  searches(index: SearchIndex): SearchIndex;
  /** Those of a request that have ended, in the order of their ends. */
  of(request: object): readonly Call[];
}

/** Of one request: a batch of searches has 20. */
const mostCalls = 100;

export function createTracedCalls(clock: Clock): TracedCalls {
  const current = new AsyncLocalStorage<Call[]>();
  const byRequest = new WeakMap<object, Call[]>();

  /** Keeps a call of the current request, if there is one. What returns at once is kept only where that is `work`. */
  function keep<T>(kind: CallKind, isWork: boolean, call: () => T): T {
    const calls = current.getStore();
    if (calls === undefined || calls.length >= mostCalls) return call();
    const startedAt = clock.monotonic();
    const end = (error: unknown): void => {
      calls.push({ ...kind, startedAt, endedAt: clock.monotonic(), error });
    };
    const result = call();
    if (result instanceof Promise) result.then(() => end(null), end);
    else if (isWork) end(null);
    return result;
  }

  return {
    during(request, handle) {
      const calls: Call[] = [];
      byRequest.set(request, calls);
      current.run(calls, handle);
    },
    store(store, database) {
      const made = new Map<string | symbol, unknown>();
      return new Proxy(store, {
        get(target, name) {
          const method: unknown = Reflect.get(target, name);
          if (typeof method !== 'function') return method;
          const kind = { name: String(name), database };
          const kept = made.get(name) ?? ((...values: unknown[]) => keep(kind, false, () => method(...values)));
          made.set(name, kept);
          return kept;
        },
      });
    },
    rates(rates, database) {
      const [take, admit] = [
        { name: 'take', database },
        { name: 'admit', database },
      ];
      return {
        ...rates,
        take: (policy, key) => keep(take, false, () => rates.take(policy, key)),
        takeAll: (buckets) => keep(take, false, () => rates.takeAll(buckets)),
        admit: (token) => keep(admit, false, () => rates.admit(token)),
      };
    },
    searches(index) {
      const kind = { name: 'search', database: null };
      return {
        search: (query, options) => keep(kind, true, () => index.search(query, options)),
        resume: (query, rest, options) => keep(kind, true, () => index.resume(query, rest, options)),
      };
    },
    of: (request) => byRequest.get(request) ?? [],
  };
}
