/** Describes the clock, the random numbers and the timers of the client, which a test can replace. */

export interface Runtime {
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /** Returns a random number from 0 up to, but not including, 1. */
  random(): number;
  /** Returns a key that no other call has. */
  uniqueKey(): string;
  /** Runs `run` after `ms` milliseconds; the result cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Whether this runs as a page's script, which may hold no secret, has its own HTTP cache, and sends the browser's User-Agent. */
  readonly browser: boolean;
  /** Such as `node/26`, for the User-Agent. */
  readonly name: string;
}

/** The runtime that this module was loaded by. */
export function detectRuntime(): Runtime {
  const scope = globalThis as Readonly<Record<string, unknown>>;
  const versionOf = (name: string): string | null => {
    const version = (scope[name] as { version?: unknown } | undefined)?.version;
    return typeof version === 'string' ? version : null;
  };
  const deno = (scope.Deno as { version?: { deno?: unknown } } | undefined)?.version?.deno;
  const bun = versionOf('Bun');
  const node = versionOf('process');
  const browser = deno === undefined && bun === null && node === null && 'navigator' in scope;
  const major = (text: string): string => text.replace(/^v/, '').split('.')[0] ?? '';
  const name =
    typeof deno === 'string'
      ? `deno/${major(deno)}`
      : bun !== null
        ? `bun/${major(bun)}`
        : node !== null
          ? `node/${major(node)}`
          : 'unknown';
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    uniqueKey,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    browser,
    name,
  };
}

/** Node 18 has no global `crypto`, and a page that came over plain http has no `randomUUID`. */
function uniqueKey(): string {
  const known = globalThis as { readonly crypto?: Partial<Crypto> };
  if (known.crypto?.randomUUID !== undefined) return known.crypto.randomUUID();
  const part = (): string =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `${part()}-${part()}-${part()}-${part()}`;
}

/** Resolves after `ms`; rejects with the signal's reason as soon as that aborts. */
export function wait(runtime: Runtime, ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const stop = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = runtime.after(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
}
