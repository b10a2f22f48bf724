/** Creates the client of the API: one method for each operation, with polling, retries and renewal of tokens. */
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

/** Options of `createClient`; only `baseUrl` is required. */
export interface ClientOptions {
  /** The service's origin, such as `https://sotto.example`; the client adds `/api/v1`. */
  readonly baseUrl: string;
  /** Whether requests go to the sandbox, which has fixed data, its own rate limit, and needs no credential; false by default. */
  readonly sandbox?: boolean | undefined;
  /** The credentials of a registered client, or an access token; none by default. Exports need one of them; reads do not. */
  readonly auth?: Auth | undefined;
  /** Maximum number of retries of a request, after 429, 500, 502, 503, 504 or a ConnectionError; 2 by default. */
  readonly retries?: number | undefined;
  /** Timeout of each attempt in milliseconds; 30,000 by default. */
  readonly timeout?: number | undefined;
  /** The longest Retry-After that the client waits for, in milliseconds; a longer one fails the call at once. 60,000 by default. */
  readonly maxRetryAfter?: number | undefined;
  /** Number of bodies that are cached for conditional requests: 100 by default, and 0 in browsers, which have a cache. */
  readonly cache?: number | undefined;
  /**
   * Whether the reads of one tick are sent as one batch, except `index`, `request` and calls with CallOptions other than `signal`;
   * false by default.
   */
  readonly batch?: boolean | undefined;
  /** A product such as `my-app/1.0` that precedes the client's own User-Agent. Browsers do not send it. */
  readonly userAgent?: string | undefined;
  /** The function that sends requests; `globalThis.fetch` by default. */
  readonly fetch?: typeof fetch | undefined;
  /** Is called before each attempt. */
  readonly onRequest?: ((request: RequestEvent) => void) | undefined;
  /** Is called after each attempt, also after one without a response. */
  readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
}

/** Options of a single call, which override those of the client. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined;
  /** Timeout of each attempt in milliseconds. */
  readonly timeout?: number | undefined;
  /** Maximum number of retries. */
  readonly retries?: number | undefined;
  /** Headers that are added to the request, or replace its own with the same name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of a POST. */
export interface WriteOptions extends CallOptions {
  /** The Idempotency-Key: requests with one key have one effect. The client creates one for each call by default. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of `request`; only a POST sends the Idempotency-Key. */
export interface RequestOptions extends WriteOptions {
  /** Parameters of the query, each as `String` writes it, so an array with commas; those that are undefined or null are left out. */
  readonly query?: object | undefined;
  /** The value of the JSON body; undefined sends no body. */
  readonly body?: unknown;
}

/**
 * The API: one method for each operation. A call rejects with ApiError if the server refuses it, such as `not_found` for an unknown
 * `version`, `slug` or `id`, and with ColophonError for one that cannot be part of a path, such as ''.
 */
export interface Client {
  /**
   * Requests any path below the API root, such as `/faq`, for an endpoint that is newer than this client. The data is the value of
   * the JSON body, undefined if the body is empty, or a text if `headers` ask for another media type and get it.
   */
  request<T>(method: string, path: string, options?: RequestOptions): Call<T>;
  /** Returns the index of the API: its resources, versions and limits. */
  index(options?: CallOptions): Call<types.ServiceIndex>;
  readonly releases: {
    list(params?: types.ListReleasesParams, options?: CallOptions): Listing<types.Release, types.ReleaseList>;
    /**
     * Returns the release that the updater would offer to any Mac, or to one with this OS version, processor and channel. Rejects
     * with ApiError `unprocessable` if no release runs there.
     */
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
  /**
   * Sends 1 to 20 reads in one request; the call rejects with ApiError for none and for more. The results are in the order of
   * `operations`, each with a status of its own: a read that fails does not reject the call.
   */
  batch(operations: types.BatchRequest['operations'], options?: WriteOptions): Call<types.BatchResults>;
  readonly exports: {
    start(request: types.StartExportRequest, options?: WriteOptions): Call<types.Job>;
    get(id: string, options?: CallOptions): Call<types.Job>;
    /** Polls a job, or the job with this ID, until it is completed, and returns it. Rejects with ExportError if it failed. */
    wait(job: types.Job | string, options?: WaitOptions): Promise<types.Job>;
    /**
     * Returns the completed job's file as a stream of its bytes, which fails if the file is cut off; its hash is not checked.
     * Rejects with ColophonError if the job is not completed.
     */
    download(job: types.Job, options?: DownloadOptions): Promise<ReadableStream<Uint8Array>>;
  };
  /** Registers a client (RFC 7591). Keep the secret: it is shown only in this response. */
  register(metadata: types.ClientMetadata, options?: WriteOptions): Call<types.ClientInformation>;
}

/** Creates a client, which requests nothing yet. Throws ColophonError for a `baseUrl` that is no origin, and in browsers for a secret. */
export const createClient = (options: ClientOptions): Client => composeClient(options, detectRuntime(globalThis));

/** Creates a client as `createClient` does, for this runtime; tests replace its clock and random numbers. */
export function composeClient(options: ClientOptions, runtime: Runtime): Client {
  const origin = parseOrigin(options?.baseUrl);
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
  // The server answers a poll with `wait=10` after up to 10 seconds, so a timeout of 15 seconds or less could abort the poll.
  const longPolling: Readonly<Record<string, string>> = timeout > 15_000 ? { prefer: 'wait=10' } : {};
  const product = [options.userAgent, `colophon-client/${version} (${runtime.name})`].filter(Boolean).join(' ');

  async function sendWithToken<T>(
    method: string,
    url: string,
    callOptions: RequestOptions,
    acceptsEmpty = false,
  ): Promise<Reply<T>> {
    const json = callOptions.body === undefined ? undefined : JSON.stringify(callOptions.body);
    const key = method === 'POST' ? (callOptions.idempotencyKey ?? runtime.createUniqueKey()) : null;
    const accept = new Headers(callOptions.headers).get('accept') ?? 'application/json';
    const isCacheable = method === 'GET' && accept === 'application/json';
    for (let hasRenewed = false; ; hasRenewed = true) {
      const token = await rejectOnAbort(tokens.current(), callOptions.signal);
      const cacheKey = `${token ?? ''} ${url}`;
      const cachedResponse = isCacheable ? cache.get(cacheKey) : null;
      const headers: Record<string, string> = {
        accept,
        ...(!runtime.browser && { 'user-agent': product }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(key !== null && { 'idempotency-key': key }),
        ...(cachedResponse !== null && { 'if-none-match': cachedResponse.etag }),
        ...Object.fromEntries(new Headers(callOptions.headers)),
      };
      try {
        const response = await send({
          ...{ method, url, headers, body: json, acceptsEmpty },
          ...{ signal: callOptions.signal, timeout: callOptions.timeout, retries: callOptions.retries },
        });
        const { status, attempts } = response;
        if (status === 304 && cachedResponse !== null) {
          const data: T = JSON.parse(cachedResponse.text);
          return { data, status: 200, headers: response.headers, fromCache: true, attempts };
        }
        const data = response.body as T;
        const etag = response.headers.get('etag');
        if (
          isCacheable &&
          status === 200 &&
          etag !== null &&
          !/no-store/.test(response.headers.get('cache-control') ?? '')
        ) {
          cache.set(cacheKey, { etag, text: response.text, headers: response.headers });
        }
        return { data, status, headers: response.headers, fromCache: false, attempts };
      } catch (error) {
        const isRefused = error instanceof ApiError && error.status === 401 && error.code === 'invalid_token';
        if (!isRefused || token === null || hasRenewed || !tokens.refused(token)) throw error;
      }
    }
  }

  const batching: ReadInBatch | null =
    options.batch === true
      ? createBatching({
          runtime,
          batch: (operations, signal) => sendWithToken('POST', `${root}/batch`, { body: { operations }, signal }),
          single: (path, signal) => sendWithToken('GET', `${root}${path}`, { signal }),
        })
      : null;

  function read<T>(path: string, params: object | undefined, callOptions: CallOptions = {}): Promise<Reply<T>> {
    const target = path + formatQuery(params);
    const plain =
      callOptions.headers === undefined && callOptions.timeout === undefined && callOptions.retries === undefined;
    // The result of a read in a batch equals the response to the read alone; a read with options of its own is sent alone.
    if (batching !== null && plain) return batching(target, callOptions.signal ?? null) as Promise<Reply<T>>;
    return sendWithToken<T>('GET', root + target, callOptions);
  }
  const get = <T>(path: string, params?: object, callOptions?: CallOptions): Call<T> =>
    createCall(read<T>(path, params, callOptions));
  /**
   * Requests an item of a collection such as `/docs` by the segments of its name, not yet percent-encoded. The call rejects with
   * ColophonError if one is empty, `.` or `..`.
   */
  const item = <T>(collection: string, segments: () => readonly string[], callOptions?: CallOptions): Call<T> =>
    createCall(
      (async () => read<T>(`${collection}/${segments().map(encodeSegment).join('/')}`, undefined, callOptions))(),
    );
  const post = <T>(path: string, body: unknown, callOptions: WriteOptions = {}): Call<T> =>
    createCall(sendWithToken<T>('POST', root + path, { ...callOptions, body }));
  const list = <T, P extends Page<T>>(path: string, params?: object, callOptions?: CallOptions): Listing<T, P> =>
    createListing<T, P>((cursor) => read<P>(path, cursor === undefined ? params : { ...params, cursor }, callOptions));
  const job = (id: string, callOptions?: CallOptions): Call<types.Job> => item('/exports', () => [id], callOptions);

  return {
    request: <T>(method: string, path: string, callOptions: RequestOptions = {}) => {
      const url = root + (path.startsWith('/') ? path : `/${path}`) + formatQuery(callOptions.query);
      return createCall(sendWithToken<T>(method.toUpperCase(), url, callOptions, true));
    },
    index: (callOptions = {}) => createCall(sendWithToken<types.ServiceIndex>('GET', root, callOptions)),
    releases: {
      list: (params, callOptions) => list('/releases', params, callOptions),
      latest: (params, callOptions) => get('/releases/latest', params, callOptions),
      get: (name, callOptions) => item('/releases', () => [name], callOptions),
    },
    docs: {
      list: (params, callOptions) => list('/docs', params, callOptions),
      get: (slug, callOptions) => item('/docs', () => slug?.split('/') ?? [slug], callOptions),
    },
    faq: {
      list: (params, callOptions) => list('/faq', params, callOptions),
      get: (id, callOptions) => item('/faq', () => [id], callOptions),
    },
    pricing: { get: (callOptions) => get('/pricing', undefined, callOptions) },
    features: { list: (callOptions) => list('/features', undefined, callOptions) },
    requirements: { get: (callOptions) => get('/requirements', undefined, callOptions) },
    compatibility: { check: (params, callOptions) => get('/compatibility', params, callOptions) },
    search: (params, callOptions) => list('/search', params, callOptions),
    batch: (operations, callOptions) => post('/batch', { operations }, callOptions),
    exports: {
      start: (request, callOptions) => post('/exports', request, callOptions),
      get: job,
      wait: (started, callOptions = {}) =>
        waitForExport(
          typeof started === 'string' ? started : started.id,
          (id) => job(id, { signal: callOptions.signal, headers: longPolling }),
          callOptions,
          runtime,
        ),
      download: (done, callOptions) =>
        downloadExport(done, { ...callOptions, timeout: callOptions?.timeout ?? timeout }, open, runtime),
    },
    register: (metadata, callOptions = {}) =>
      createCall(sendWithToken('POST', `${origin}/oauth/register`, { ...callOptions, body: metadata })),
  };
}

/**
 * Percent-encodes one segment of a path.
 *
 * @throws ColophonError for '', `.` and `..`, with which the URL would lead to another endpoint
 */
function encodeSegment(text: string): string {
  if (typeof text === 'string' && !/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
  throw new ColophonError(`${JSON.stringify(text)} cannot be a part of a path.`);
}

/**
 * Returns a promise that rejects with the signal's reason as soon as the caller aborts, and otherwise settles as `promise`, which
 * continues for other callers.
 */
function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (signal === null || signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Returns the origin of an address, without a final slash. Throws ColophonError, whose message has no password, unless it is an
 * http or https URL without user, path, query and fragment.
 */
function parseOrigin(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    const shown = `${text}`.replace(/\/\/.*@/s, '//');
    throw new ColophonError(`baseUrl must be an origin such as https://example.com; it is ${shown}.`);
  }
  if (url.href !== `${url.origin}/` || !/^https?:$/.test(url.protocol)) {
    const advice = `without user, path, query and fragment; try ${url.origin}.`;
    throw new ColophonError(`baseUrl must be an http or https origin ${advice}`);
  }
  return url.origin;
}

/** Returns a query such as `?a=1&b=2` with the parameters that are neither undefined nor null, or an empty string if there are none. */
function formatQuery(params: object | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
