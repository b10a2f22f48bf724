/** The client of the API: one method for each operation, with the waiting, repeating and renewing done for the caller. */
import { createBatching, type ReadInBatch } from './batching.ts';
import { createResponseCache } from './cache.ts';
import { type Call, createCall, type Reply } from './call.ts';
import { ApiError, ColophonError } from './errors.ts';
import { type DownloadOptions, downloadExport, type WaitOptions, waitForExport } from './exports.ts';
import { createListing, type Listing, type Page } from './pages.ts';
import { detectRuntime, type Runtime } from './runtime.ts';
import { type Auth, createTokens } from './tokens.ts';
import { createTransport, type RequestEvent, type ResponseEvent } from './transport.ts';
import type * as types from './types.ts';
import { version } from './version.ts';

export interface ClientOptions {
  /** The service's origin, such as `https://sotto.example`; the client adds `/api/v1`. */
  readonly baseUrl: string;
  /** Talk to the sandbox: fixed data, its own rate limit, no credential required. */
  readonly sandbox?: boolean | undefined;
  /** A registered client, or a token from elsewhere. Reads need neither; exports do. */
  readonly auth?: Auth | undefined;
  /** Further attempts for what may be repeated; 2 unless given. */
  readonly retries?: number | undefined;
  /** Milliseconds for each attempt; 30,000 unless given. */
  readonly timeout?: number | undefined;
  /** Milliseconds; when Retry-After is longer, the call fails at once. 60,000 unless given. */
  readonly maxRetryAfter?: number | undefined;
  /** How many bodies to keep for conditional requests: 100, in browsers 0, because they have a cache. */
  readonly cache?: number | undefined;
  /** Send reads that are made in the same tick as one batch. */
  readonly batch?: boolean | undefined;
  /** Put in front of the client's own User-Agent, such as `my-app/1.0`. Not sent by browsers. */
  readonly userAgent?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Called before each attempt. */
  readonly onRequest?: ((request: RequestEvent) => void) | undefined;
  /** Called after each attempt, also after one without a response. */
  readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | null | undefined;
  /** Milliseconds for each attempt. */
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Repeats of one key have one effect; the client makes a new one for each call unless given. */
  readonly idempotencyKey?: string | undefined;
}

export interface RequestOptions extends WriteOptions {
  readonly query?: object | undefined;
  readonly body?: unknown;
}

export interface Client {
  /** Any path below the API root, for an endpoint that is newer than this client. */
  request<T>(method: string, path: string, options?: RequestOptions): Call<T>;
  index(options?: CallOptions): Call<types.ServiceIndex>;
  readonly releases: {
    list(params?: types.ListReleasesParams, options?: CallOptions): Listing<types.Release, types.ReleaseList>;
    /** Returns the release that the updater would offer to any Mac, or to one with this OS version, processor and channel. */
    latest(params?: types.GetLatestReleaseParams, options?: CallOptions): Call<types.Release>;
    get(version: string, options?: CallOptions): Call<types.Release>;
  };
  readonly docs: {
    list(params?: types.ListDocsParams, options?: CallOptions): Listing<types.DocEntry, types.DocList>;
    get(slug: string, options?: CallOptions): Call<types.Doc>;
  };
  readonly faq: {
    list(params?: types.ListFaqParams, options?: CallOptions): Listing<types.Faq, types.FaqList>;
    get(id: string, options?: CallOptions): Call<types.Faq>;
  };
  readonly pricing: { get(options?: CallOptions): Call<types.Pricing> };
  readonly features: { list(options?: CallOptions): Listing<types.Feature, types.FeatureList> };
  readonly requirements: { get(options?: CallOptions): Call<types.Requirements> };
  readonly compatibility: {
    check(params: types.CheckCompatibilityParams, options?: CallOptions): Call<types.Compatibility>;
  };
  search(params: types.SearchParams, options?: CallOptions): Listing<types.SearchResult, types.SearchResultList>;
  /** Up to 20 reads in one request; judge each result by its own status. */
  batch(operations: types.BatchRequest['operations'], options?: WriteOptions): Call<types.BatchResults>;
  readonly exports: {
    start(request: types.StartExportRequest, options?: WriteOptions): Call<types.Job>;
    get(id: string, options?: CallOptions): Call<types.Job>;
    /** Polls until the job is completed. Rejects with ExportError when it failed. */
    wait(job: types.Job | string, options?: WaitOptions): Promise<types.Job>;
    /** Returns the completed job's file as a stream. */
    download(job: types.Job, options?: DownloadOptions): Promise<ReadableStream<Uint8Array>>;
  };
  /** Registers a client (RFC 7591). Keep the secret: it is shown only in this response. */
  register(metadata: types.ClientMetadata, options?: WriteOptions): Call<types.ClientInformation>;
}

/** Creates a client, which requests nothing yet. Throws ColophonError for options that cannot work. */
export const createClient = (options: ClientOptions): Client => composeClient(options, detectRuntime(globalThis));

/** `createClient` with its surroundings as an argument, for tests. */
export function composeClient(options: ClientOptions, runtime: Runtime): Client {
  const origin = originOf(options?.baseUrl);
  const root = `${origin}/api/v1${options.sandbox === true ? '/sandbox' : ''}`;
  const timeout = options.timeout ?? 30_000;
  const { send, open } = createTransport({
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    retries: options.retries ?? 2,
    timeout,
    maxRetryAfter: options.maxRetryAfter ?? 60_000,
    runtime,
    onRequest: options.onRequest,
    onResponse: options.onResponse,
  });
  const tokens = createTokens(options.auth, origin, send, runtime);
  const cache = createResponseCache(options.cache ?? (runtime.browser ? 0 : 100));
  // The server answers such a poll when the job has ended, or after ten seconds; a short time limit would cut it off.
  const patience: Readonly<Record<string, string>> = timeout > 15_000 ? { prefer: 'wait=10' } : {};
  const product = [options.userAgent, `colophon-client/${version} (${runtime.name})`].filter(Boolean).join(' ');

  async function exchange<T>(
    method: string,
    url: string,
    given: RequestOptions,
    acceptsEmpty = false,
  ): Promise<Reply<T>> {
    const asBody = given.body === undefined ? undefined : JSON.stringify(given.body);
    const key = method === 'POST' ? (given.idempotencyKey ?? runtime.uniqueKey()) : null;
    for (let renewed = false; ; renewed = true) {
      const token = await abortable(tokens.current(), given.signal);
      const cacheKey = `${token ?? ''} ${url}`;
      const cached = method === 'GET' ? cache.get(cacheKey) : null;
      const headers: Record<string, string> = {
        accept: 'application/json',
        ...(!runtime.browser && { 'user-agent': product }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(asBody !== undefined && { 'content-type': 'application/json' }),
        ...(key !== null && { 'idempotency-key': key }),
        ...(cached !== null && { 'if-none-match': cached.etag }),
        ...Object.fromEntries(new Headers(given.headers)),
      };
      try {
        const response = await send({
          ...{ method, url, headers, body: asBody, acceptsEmpty },
          ...{ signal: given.signal, timeout: given.timeout, retries: given.retries },
        });
        const { status, attempts } = response;
        if (status === 304 && cached !== null) {
          const data: T = JSON.parse(cached.text);
          return { data, status: 200, headers: response.headers, fromCache: true, attempts };
        }
        const data = response.body as T;
        const etag = response.headers.get('etag');
        if (
          method === 'GET' &&
          status === 200 &&
          etag !== null &&
          !/no-store/.test(response.headers.get('cache-control') ?? '')
        ) {
          cache.set(cacheKey, { etag, text: response.text, headers: response.headers });
        }
        return { data, status, headers: response.headers, fromCache: false, attempts };
      } catch (error) {
        const refused = error instanceof ApiError && error.status === 401 && error.code === 'invalid_token';
        if (!refused || token === null || renewed || !tokens.refused(token)) throw error;
      }
    }
  }

  const batching: ReadInBatch | null =
    options.batch === true
      ? createBatching({
          runtime,
          batch: (operations, signal) => exchange('POST', `${root}/batch`, { body: { operations }, signal }),
          single: (path, signal) => exchange('GET', `${root}${path}`, { signal }),
        })
      : null;

  function read<T>(path: string, params: object | undefined, given: CallOptions = {}): Promise<Reply<T>> {
    const target = path + queryOf(params);
    const plain = given.headers === undefined && given.timeout === undefined && given.retries === undefined;
    // The batch's results are what the single reads would have given.
    if (batching !== null && plain) return batching(target, given.signal ?? null) as Promise<Reply<T>>;
    return exchange<T>('GET', root + target, given);
  }
  const get = <T>(path: string, params?: object, given?: CallOptions): Call<T> =>
    createCall(read<T>(path, params, given));
  /** Requests an item of a collection. A name that cannot be one rejects the call, like every other failure. */
  const item = <T>(collection: string, segments: () => readonly string[], given?: CallOptions): Call<T> =>
    createCall((async () => read<T>(`${collection}/${segments().map(encodeSegment).join('/')}`, undefined, given))());
  const post = <T>(path: string, body: unknown, given: WriteOptions = {}): Call<T> =>
    createCall(exchange<T>('POST', root + path, { ...given, body }));
  const list = <T, P extends Page<T>>(path: string, params?: object, given?: CallOptions): Listing<T, P> =>
    createListing<T, P>((cursor) => read<P>(path, cursor === undefined ? params : { ...params, cursor }, given));
  const job = (id: string, given?: CallOptions): Call<types.Job> => item('/exports', () => [id], given);

  return {
    request: <T>(method: string, path: string, given: RequestOptions = {}) => {
      const url = root + (path.startsWith('/') ? path : `/${path}`) + queryOf(given.query);
      return createCall(exchange<T>(method.toUpperCase(), url, given, true));
    },
    index: (given = {}) => createCall(exchange<types.ServiceIndex>('GET', root, given)),
    releases: {
      list: (params, given) => list('/releases', params, given),
      latest: (params, given) => get('/releases/latest', params, given),
      get: (name, given) => item('/releases', () => [name], given),
    },
    docs: {
      list: (params, given) => list('/docs', params, given),
      get: (slug, given) => item('/docs', () => slug?.split('/') ?? [slug], given),
    },
    faq: {
      list: (params, given) => list('/faq', params, given),
      get: (id, given) => item('/faq', () => [id], given),
    },
    pricing: { get: (given) => get('/pricing', undefined, given) },
    features: { list: (given) => list('/features', undefined, given) },
    requirements: { get: (given) => get('/requirements', undefined, given) },
    compatibility: { check: (params, given) => get('/compatibility', params, given) },
    search: (params, given) => list('/search', params, given),
    batch: (operations, given) => post('/batch', { operations }, given),
    exports: {
      start: (request, given) => post('/exports', request, given),
      get: job,
      wait: (started, given = {}) =>
        waitForExport(
          typeof started === 'string' ? started : started.id,
          (id) => job(id, { signal: given.signal, headers: patience }),
          given,
          runtime,
        ),
      download: (done, given) => downloadExport(done, { ...given, timeout: given?.timeout ?? timeout }, open, runtime),
    },
    register: (metadata, given = {}) =>
      createCall(exchange('POST', `${origin}/oauth/register`, { ...given, body: metadata })),
  };
}

/** Encodes one segment of a path. A URL would be resolved at `.` and `..`, and lead to another endpoint. */
function encodeSegment(text: string): string {
  if (typeof text === 'string' && !/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
  throw new ColophonError(`${JSON.stringify(text)} cannot be a part of a path.`);
}

/** Rejects as soon as the caller aborts, and leaves what others wait for as well to them. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (signal === null || signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function originOf(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ColophonError(`baseUrl must be an origin such as https://example.com; it is ${text}.`);
  }
  if (url.pathname !== '/' || url.search !== '' || !/^https?:$/.test(url.protocol)) {
    throw new ColophonError(`baseUrl must be an http or https origin without a path; try ${url.origin}.`);
  }
  return url.origin;
}

/** `?a=1&b=2` of the parameters that have a value; an empty string for none. */
function queryOf(params: object | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
