/** Provides the clock, the random numbers and the timers of the client, which a test can replace. */

/** The environment that the client runs in. */
export interface Runtime {
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /** Returns a random number from 0 up to, but not including, 1. */
  random(): number;
  /** Returns a random key, such as a UUID, that no other call has. */
  createUniqueKey(): string;
  /** Runs `run` after `ms` milliseconds; the returned function cancels that. */
  after(ms: number, run: () => void): () => void;
  /**
   * Whether this runs in a page, a worker in a browser or a mobile application, which may hold no secret, has its own HTTP cache,
   * and sends a User-Agent of its own.
   */
  readonly browser: boolean;
  /** The runtime's name in the User-Agent, such as `node/26`, or `unknown`. */
  readonly name: string;
}

/** Returns the runtime of this program; only `browser` and `name` are derived from `scope`. */
export function detectRuntime(scope: Scope): Runtime {
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    createUniqueKey,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    browser: isBrowser(scope),
    name: nameRuntime(scope),
  };
}

/** The globals that tell runtimes apart. */
export interface Scope {
  readonly Deno?: { readonly version?: { readonly deno?: unknown } };
  readonly Bun?: { readonly version?: unknown };
  readonly process?: { readonly version?: unknown };
  readonly document?: unknown;
  readonly WorkerGlobalScope?: unknown;
  readonly EdgeRuntime?: unknown;
  readonly navigator?: { readonly userAgent?: unknown; readonly product?: unknown };
}

/**
 * Returns whether the globals are those of a page, of a worker in a browser or of a mobile application. What only servers should
 * have is no evidence: bundlers add `process` to pages, and servers at the edge have `navigator`.
 */
function isBrowser({ document, WorkerGlobalScope: worker, navigator }: Scope): boolean {
  const isInBrowser = String(navigator?.userAgent).startsWith('Mozilla/');
  return document !== undefined || (worker !== undefined && isInBrowser) || navigator?.product === 'ReactNative';
}

function nameRuntime({ Deno: deno, Bun: bun, process: node, EdgeRuntime: edge, navigator }: Scope): string {
  if (typeof deno?.version?.deno === 'string') return `deno/${getMajor(deno.version.deno)}`;
  if (typeof bun?.version === 'string') return `bun/${getMajor(bun.version)}`;
  if (navigator?.userAgent === 'Cloudflare-Workers') return 'workerd';
  if (typeof edge === 'string') return edge;
  return typeof node?.version === 'string' ? `node/${getMajor(node.version)}` : 'unknown';
}

const getMajor = (version: string): string => version.replace(/^v/, '').split('.')[0] ?? '';

/**
 * Returns a random UUID, or 128 random bits where there is no UUID, as four groups of eight hex digits with hyphens between them:
 * Node 18 has no global `crypto`, and a page that was loaded over http has no `randomUUID`.
 */
function createUniqueKey(): string {
  const platform = globalThis as { readonly crypto?: Partial<Crypto> };
  if (platform.crypto?.randomUUID !== undefined) return platform.crypto.randomUUID();
  const part = (): string =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `${part()}-${part()}-${part()}-${part()}`;
}

/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as that aborts. */
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
