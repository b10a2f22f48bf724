/*! @colophon/client 0.1.0, MIT. */

// src/errors.ts
var ColophonError = class extends Error {
  name = "ColophonError";
  /** Two installed copies of this package have different classes; `kind` is the same in both. */
  kind = "colophon:error";
};
var ApiError = class extends ColophonError {
  name = "ApiError";
  kind = "colophon:api";
  status;
  /** The problem code, or `unknown` if something other than the API sent the response. */
  code;
  /** The class of error in words; empty if the response has none. */
  title;
  /** Names this case and the next step; equals `message`. */
  detail;
  /** The server's ID of the request, or null if the response has none. */
  requestId;
  /** The URL of the reference of this code, or null if the response has none. */
  docsUrl;
  /** The invalid parameters or fields; empty unless the request failed validation. */
  errors;
  /** Values that the caller may have meant, such as slugs; empty if the response has none. */
  suggestions;
  /** Seconds to wait before another attempt, or null if the server named none. */
  retryAfter;
  /** The whole document, with fields that this version does not know. */
  problem;
  headers;
  attempts;
  constructor(problem, { status, headers, attempts }) {
    const detail = problem.detail ?? `The server answered with status ${status}.`;
    super(detail);
    this.status = status;
    this.code = problem.code ?? "unknown";
    this.title = problem.title ?? "";
    this.detail = detail;
    this.requestId = problem.request_id ?? headers.get("x-request-id");
    this.docsUrl = problem.docs_url ?? null;
    this.errors = problem.errors ?? [];
    this.suggestions = problem.suggestions ?? [];
    this.retryAfter = retryAfterSeconds(headers) ?? problem.retry_after ?? null;
    this.problem = problem;
    this.headers = headers;
    this.attempts = attempts;
  }
};
var ConnectionError = class extends ColophonError {
  name = "ConnectionError";
  kind = "colophon:connection";
};
var TimeoutError = class extends ConnectionError {
  name = "TimeoutError";
  kind = "colophon:timeout";
};
var ResponseError = class extends ConnectionError {
  name = "ResponseError";
  kind = "colophon:response";
  status;
  headers;
  /** The server's ID of the request, or null if the response has none. */
  requestId;
  attempts;
  /** The first 500 characters of the body. */
  body;
  constructor(text, { status, headers, attempts }, options) {
    const type = headers.get("content-type") ?? "no media type";
    super(
      `The response with status ${status} is not JSON (${type}). Something between here and the server sent or cut it.`,
      options
    );
    this.status = status;
    this.headers = headers;
    this.requestId = headers.get("x-request-id");
    this.attempts = attempts;
    this.body = text.slice(0, 500);
  }
};
var ExportError = class extends ColophonError {
  name = "ExportError";
  kind = "colophon:export";
  problem;
  constructor(problem) {
    super(problem.detail ?? "The export failed.");
    this.problem = problem;
  }
};
function isApiError(error) {
  return error instanceof Error && Reflect.get(error, "kind") === "colophon:api";
}
function isCode(error, code) {
  return isApiError(error) && error.code === code;
}
function retryAfterSeconds(headers, now = Date.now()) {
  const text = headers.get("retry-after")?.trim() ?? "";
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  if (!isNumber && !/[a-z]/i.test(text)) return null;
  const seconds = Math.ceil(isNumber ? Number(text) : (Date.parse(text) - now) / 1e3);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

// src/batching.ts
var maxOperations = 20;
var maxBytes = 6e4;
function createBatching({ runtime, batch, single }) {
  let queue = [];
  const flush = () => {
    const all = queue;
    queue = [];
    for (const group of splitIntoGroups(all)) void sendGroup(group);
  };
  const sendGroup = async (group) => {
    const paths = [...new Set(group.map(({ path }) => path))];
    const [only] = group;
    if (only !== void 0 && group.length === 1) {
      return single(only.path, only.signal).then(only.resolve, only.reject);
    }
    const sharedSignal = shareSignals(group);
    try {
      const operations = paths.map((path, index) => ({ id: String(index), method: "GET", path }));
      const reply = await batch(operations, sharedSignal.signal);
      const results = new Map(reply.data.results.map((result) => [result.id, result]));
      const { attempts } = reply;
      const headers = new Headers(reply.headers);
      headers.delete("etag");
      for (const waiting of group) {
        const result = results.get(String(paths.indexOf(waiting.path)));
        if (result !== void 0 && result.status < 300) {
          waiting.resolve({
            data: structuredClone(result.body),
            status: result.status,
            headers,
            fromCache: false,
            attempts
          });
        } else {
          const problem = result?.body ?? { detail: "The batch has no result for this read." };
          waiting.reject(new ApiError(problem, { status: result?.status ?? 500, headers, attempts }));
        }
      }
    } catch (error) {
      for (const waiting of group) waiting.reject(error);
    } finally {
      sharedSignal.release();
    }
  };
  return (path, signal) => new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const stop = () => reject(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    const settle = (run) => (value) => {
      signal?.removeEventListener("abort", stop);
      run(value);
    };
    if (queue.length === 0) runtime.after(0, flush);
    queue.push({ path, signal, resolve: settle(resolve), reject: settle(reject) });
  });
}
function splitIntoGroups(all) {
  const groups = [];
  let paths = /* @__PURE__ */ new Set();
  let bytes = 0;
  for (const waiting of all) {
    if (waiting.signal?.aborted === true) continue;
    const size = waiting.path.length * 3 + 60;
    const group = groups.at(-1);
    const fits = paths.has(waiting.path) || paths.size < maxOperations && bytes + size <= maxBytes;
    if (group !== void 0 && fits) group.push(waiting);
    else {
      groups.push([waiting]);
      paths = /* @__PURE__ */ new Set();
      bytes = 0;
    }
    if (!paths.has(waiting.path)) bytes += size;
    paths.add(waiting.path);
  }
  return groups;
}
function shareSignals(group) {
  const controller = new AbortController();
  const check = () => {
    if (group.every(({ signal }) => signal?.aborted === true)) controller.abort();
  };
  for (const { signal } of group) signal?.addEventListener("abort", check, { once: true });
  return {
    signal: controller.signal,
    release: () => {
      for (const { signal } of group) signal?.removeEventListener("abort", check);
    }
  };
}

// src/cache.ts
function createResponseCache(size) {
  const entries = /* @__PURE__ */ new Map();
  return {
    get(key) {
      const body = entries.get(key);
      if (body === void 0) return null;
      entries.delete(key);
      entries.set(key, body);
      return body;
    },
    set(key, body) {
      if (size <= 0) return;
      entries.delete(key);
      entries.set(key, body);
      const oldest = entries.keys().next();
      if (entries.size > size && oldest.done !== true) entries.delete(oldest.value);
    }
  };
}

// src/call.ts
function createCall(reply) {
  const data = reply.then((result) => result.data);
  return Object.assign(data, {
    withResponse() {
      data.catch(() => {
      });
      return reply.then((result) => result);
    }
  });
}

// src/runtime.ts
function detectRuntime(scope) {
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    createUniqueKey,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    browser: isBrowser(scope),
    name: nameRuntime(scope)
  };
}
function isBrowser({ document, WorkerGlobalScope: worker, navigator }) {
  const isInBrowser = String(navigator?.userAgent).startsWith("Mozilla/");
  return document !== void 0 || worker !== void 0 && isInBrowser || navigator?.product === "ReactNative";
}
function nameRuntime({ Deno: deno, Bun: bun, process: node, EdgeRuntime: edge, navigator }) {
  if (typeof deno?.version?.deno === "string") return `deno/${getMajor(deno.version.deno)}`;
  if (typeof bun?.version === "string") return `bun/${getMajor(bun.version)}`;
  if (navigator?.userAgent === "Cloudflare-Workers") return "workerd";
  if (typeof edge === "string") return edge;
  return typeof node?.version === "string" ? `node/${getMajor(node.version)}` : "unknown";
}
var getMajor = (version2) => version2.replace(/^v/, "").split(".")[0] ?? "";
function createUniqueKey() {
  const platform = globalThis;
  if (platform.crypto?.randomUUID !== void 0) return platform.crypto.randomUUID();
  const part = () => Math.floor(Math.random() * 2 ** 32).toString(16).padStart(8, "0");
  return `${part()}-${part()}-${part()}-${part()}`;
}
function wait(runtime, ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const stop = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = runtime.after(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}

// src/transport.ts
var repeatable = /* @__PURE__ */ new Set([429, 500, 502, 503, 504]);
function createTransport(options) {
  const { runtime, maxRetryAfter } = options;
  async function repeat(request, read) {
    const maxAttempts = (request.retries ?? options.retries) + 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptOnce(request, attempt, options, read);
      } catch (error) {
        const isRepeatable = error instanceof ConnectionError || error instanceof ApiError && repeatable.has(error.status);
        if (!isRepeatable || attempt >= maxAttempts) throw error;
        let pause = computeBackoff(attempt - 1, runtime.random());
        const seconds = error instanceof ApiError ? retryAfterSeconds(error.headers, runtime.now()) : null;
        if (seconds !== null) {
          if (seconds * 1e3 > maxRetryAfter) throw error;
          pause = seconds * 1e3 + 250 * runtime.random();
        }
        await wait(runtime, pause, request.signal);
      }
    }
  }
  return {
    send: (request) => repeat(request, (response, attempt) => readResponse(request, response, attempt)),
    open: (request) => repeat(request, async (response) => response)
  };
}
var computeBackoff = (attempt, random) => Math.min(8e3, 500 * 2 ** attempt) * (0.5 + 0.5 * random);
async function attemptOnce(request, attempt, options, read) {
  const { method, url, headers, body, signal } = request;
  const { runtime } = options;
  const event = { method, url, attempt };
  options.onRequest?.(event);
  const start = runtime.now();
  let response = null;
  try {
    return await runWithin(signal, request.timeout ?? options.timeout, runtime, async (attemptSignal) => {
      response = await options.fetch(url, {
        method,
        headers: { ...headers },
        redirect: "follow",
        signal: attemptSignal,
        ...body !== void 0 && { body }
      });
      const { status } = response;
      if (status < 300 || status === 304) return read(response, attempt);
      const problem = parseProblem(await response.text(), status);
      throw new ApiError(problem, { status, headers: response.headers, attempts: attempt });
    });
  } finally {
    const { status = null, headers: received } = response ?? {};
    const requestId = received?.get("x-request-id") ?? null;
    options.onResponse?.({ ...event, status, requestId, duration: runtime.now() - start });
  }
}
async function readResponse(request, response, attempts) {
  const { status, headers } = response;
  const text = await response.text();
  const requestHeaders = new Headers(request.headers);
  const isUnchanged = status === 304 && requestHeaders.has("if-none-match");
  const isText = requestHeaders.get("accept") !== "application/json" && !/\bjson\b/.test(headers.get("content-type") ?? "");
  const result = { status, headers, text, attempts };
  if (isUnchanged || text === "" && request.acceptsEmpty === true) return { ...result, body: void 0 };
  if (isText) return { ...result, body: text };
  try {
    return { ...result, body: JSON.parse(text) };
  } catch (cause) {
    throw new ResponseError(text, result, { cause });
  }
}
async function runWithin(signal, timeout, runtime, run) {
  if (isAborted(signal)) throw signal?.reason;
  const controller = new AbortController();
  let timedOut = false;
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const cancel = runtime.after(timeout, () => {
    timedOut = true;
    controller.abort();
  });
  try {
    return await run(controller.signal);
  } catch (error) {
    if (isAborted(signal)) throw signal?.reason;
    if (timedOut) throw new TimeoutError(`No complete response within ${timeout} ms.`, { cause: error });
    if (error instanceof ColophonError) throw error;
    throw new ConnectionError(`The request failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error
    });
  } finally {
    cancel();
    signal?.removeEventListener("abort", stop);
  }
}
var isAborted = (signal) => signal?.aborted === true;
function parseProblem(text, status) {
  try {
    const value = JSON.parse(text);
    if (typeof value === "object" && value !== null && "code" in value) return value;
  } catch {
  }
  return { status, code: "unknown", detail: text.slice(0, 500) || `The server answered with status ${status}.` };
}

// src/exports.ts
async function waitForExport(id, poll, { signal, onProgress }, runtime) {
  for (; ; ) {
    const { data: job, headers } = await poll(id).withResponse();
    onProgress?.(job);
    if (job.status === "completed") return job;
    if (job.status === "failed") throw new ExportError(job.error ?? {});
    await wait(runtime, (retryAfterSeconds(headers, runtime.now()) ?? 1) * 1e3, signal);
  }
}
async function downloadExport({ status, result }, { signal, timeout, retries }, open, runtime) {
  if (result === void 0) throw new ColophonError(`The export is ${status}: wait for it before you download it.`);
  const { body } = await open({ method: "GET", url: result.url, headers: {}, signal, timeout, retries });
  if (body === null) throw new ConnectionError("The export file has no body.");
  const reader = body.getReader();
  const release = () => void reader.cancel().catch(() => {
  });
  signal?.addEventListener("abort", release, { once: true });
  let receivedBytes = 0;
  return new ReadableStream({
    async pull(stream) {
      const { done, value } = await runWithin(signal, timeout, runtime, async (limit) => {
        limit.addEventListener("abort", release, { once: true });
        const part = await reader.read();
        if (limit.aborted) throw limit.reason;
        return part;
      });
      receivedBytes += value?.byteLength ?? 0;
      if (value !== void 0) stream.enqueue(value);
      if (!done) return;
      signal?.removeEventListener("abort", release);
      if (receivedBytes === result.size_bytes) stream.close();
      else throw new ConnectionError(`The export file ended after ${receivedBytes} of ${result.size_bytes} bytes.`);
    },
    cancel: release
  });
}

// src/pages.ts
function createListing(read) {
  const first = createCall(read());
  async function* pages() {
    const earlierCursors = /* @__PURE__ */ new Set();
    let page = await first;
    for (; ; ) {
      yield page;
      const cursor = page.pagination.has_more ? page.pagination.next_cursor : null;
      if (cursor === null) return;
      if (earlierCursors.has(cursor)) throw new ColophonError("The listing repeats a cursor and would never end.");
      earlierCursors.add(cursor);
      page = (await read(cursor)).data;
    }
  }
  async function* items() {
    for await (const page of pages()) yield* page.data;
  }
  return Object.assign(first, {
    pages,
    async toArray({ limit }) {
      const all = [];
      for await (const page of pages()) {
        all.push(...page.data.slice(0, Math.max(0, limit - all.length)));
        if (all.length >= limit) break;
      }
      return all;
    },
    [Symbol.asyncIterator]: items
  });
}

// src/tokens.ts
var renewBeforeMs = 6e4;
function createTokens(auth, origin, send, runtime) {
  if (auth === void 0) return { current: async () => null, refused: () => false };
  if ("accessToken" in auth) {
    const { accessToken } = auth;
    if (typeof accessToken === "string") return { current: async () => accessToken, refused: () => false };
    return { current: async () => accessToken(), refused: () => true };
  }
  if (runtime.browser) {
    throw new ColophonError(
      "A client secret in a web page is readable by everyone who opens it. Obtain the token on your server and pass it as auth.accessToken."
    );
  }
  let cachedToken = null;
  let renewal = null;
  const renew = async () => {
    const { body } = await send({
      method: "POST",
      url: `${origin}/oauth/token`,
      headers: {
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        authorization: `Basic ${encodeBasic(auth.clientId, auth.clientSecret)}`
      },
      body: new URLSearchParams({
        grant_type: "client_credentials",
        ...auth.scope !== void 0 && { scope: auth.scope }
      }).toString()
    });
    const { access_token: token, expires_in: seconds } = body;
    cachedToken = { token, until: runtime.now() + seconds * 1e3 };
    return token;
  };
  return {
    async current() {
      if (cachedToken !== null && cachedToken.until - runtime.now() > renewBeforeMs) return cachedToken.token;
      renewal ??= renew().finally(() => {
        renewal = null;
      });
      return renewal;
    },
    refused(token) {
      if (cachedToken?.token === token) cachedToken = null;
      return true;
    }
  };
}
function encodeBasic(id, secret) {
  const encode = (text) => new URLSearchParams([["", text]]).toString().slice(1);
  return btoa(`${encode(id)}:${encode(secret)}`);
}

// src/version.ts
var version = "0.1.0";

// src/client.ts
var createClient = (options) => composeClient(options, detectRuntime(globalThis));
function composeClient(options, runtime) {
  const origin = parseOrigin(options?.baseUrl);
  const root = `${origin}/api/v1${options.sandbox === true ? "/sandbox" : ""}`;
  const timeout = options.timeout ?? 3e4;
  const { send, open } = createTransport({
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    retries: options.retries ?? 2,
    timeout,
    maxRetryAfter: options.maxRetryAfter ?? 6e4,
    runtime,
    onRequest: options.onRequest,
    onResponse: options.onResponse
  });
  const tokens = createTokens(options.auth, origin, send, runtime);
  const cache = createResponseCache(options.cache ?? (runtime.browser ? 0 : 100));
  const longPolling = timeout > 15e3 ? { prefer: "wait=10" } : {};
  const product = [options.userAgent, `colophon-client/${version} (${runtime.name})`].filter(Boolean).join(" ");
  async function sendWithToken(method, url, callOptions, acceptsEmpty = false) {
    const json = callOptions.body === void 0 ? void 0 : JSON.stringify(callOptions.body);
    const key = method === "POST" ? callOptions.idempotencyKey ?? runtime.createUniqueKey() : null;
    const accept = new Headers(callOptions.headers).get("accept") ?? "application/json";
    const isCacheable = method === "GET" && accept === "application/json";
    for (let hasRenewed = false; ; hasRenewed = true) {
      const token = await rejectOnAbort(tokens.current(), callOptions.signal);
      const cacheKey = `${token ?? ""} ${url}`;
      const cachedResponse = isCacheable ? cache.get(cacheKey) : null;
      const headers = {
        accept,
        ...!runtime.browser && { "user-agent": product },
        ...token !== null && { authorization: `Bearer ${token}` },
        ...json !== void 0 && { "content-type": "application/json" },
        ...key !== null && { "idempotency-key": key },
        ...cachedResponse !== null && { "if-none-match": cachedResponse.etag },
        ...Object.fromEntries(new Headers(callOptions.headers))
      };
      try {
        const response = await send({
          ...{ method, url, headers, body: json, acceptsEmpty },
          ...{ signal: callOptions.signal, timeout: callOptions.timeout, retries: callOptions.retries }
        });
        const { status, attempts } = response;
        if (status === 304 && cachedResponse !== null) {
          const data2 = JSON.parse(cachedResponse.text);
          return { data: data2, status: 200, headers: response.headers, fromCache: true, attempts };
        }
        const data = response.body;
        const etag = response.headers.get("etag");
        if (isCacheable && status === 200 && etag !== null && !/no-store/.test(response.headers.get("cache-control") ?? "")) {
          cache.set(cacheKey, { etag, text: response.text, headers: response.headers });
        }
        return { data, status, headers: response.headers, fromCache: false, attempts };
      } catch (error) {
        const isRefused = error instanceof ApiError && error.status === 401 && error.code === "invalid_token";
        if (!isRefused || token === null || hasRenewed || !tokens.refused(token)) throw error;
      }
    }
  }
  const batching = options.batch === true ? createBatching({
    runtime,
    batch: (operations, signal) => sendWithToken("POST", `${root}/batch`, { body: { operations }, signal }),
    single: (path, signal) => sendWithToken("GET", `${root}${path}`, { signal })
  }) : null;
  function read(path, params, callOptions = {}) {
    const target = path + formatQuery(params);
    const plain = callOptions.headers === void 0 && callOptions.timeout === void 0 && callOptions.retries === void 0;
    if (batching !== null && plain) return batching(target, callOptions.signal ?? null);
    return sendWithToken("GET", root + target, callOptions);
  }
  const get = (path, params, callOptions) => createCall(read(path, params, callOptions));
  const item = (collection, segments, callOptions) => createCall(
    (async () => read(`${collection}/${segments().map(encodeSegment).join("/")}`, void 0, callOptions))()
  );
  const post = (path, body, callOptions = {}) => createCall(sendWithToken("POST", root + path, { ...callOptions, body }));
  const list = (path, params, callOptions) => createListing((cursor) => read(path, cursor === void 0 ? params : { ...params, cursor }, callOptions));
  const job = (id, callOptions) => item("/exports", () => [id], callOptions);
  return {
    request: (method, path, callOptions = {}) => {
      const url = root + (path.startsWith("/") ? path : `/${path}`) + formatQuery(callOptions.query);
      return createCall(sendWithToken(method.toUpperCase(), url, callOptions, true));
    },
    index: (callOptions = {}) => createCall(sendWithToken("GET", root, callOptions)),
    releases: {
      list: (params, callOptions) => list("/releases", params, callOptions),
      latest: (params, callOptions) => get("/releases/latest", params, callOptions),
      get: (name, callOptions) => item("/releases", () => [name], callOptions)
    },
    docs: {
      list: (params, callOptions) => list("/docs", params, callOptions),
      get: (slug, callOptions) => item("/docs", () => slug?.split("/") ?? [slug], callOptions)
    },
    faq: {
      list: (params, callOptions) => list("/faq", params, callOptions),
      get: (id, callOptions) => item("/faq", () => [id], callOptions)
    },
    pricing: { get: (callOptions) => get("/pricing", void 0, callOptions) },
    features: { list: (callOptions) => list("/features", void 0, callOptions) },
    requirements: { get: (callOptions) => get("/requirements", void 0, callOptions) },
    compatibility: { check: (params, callOptions) => get("/compatibility", params, callOptions) },
    search: (params, callOptions) => list("/search", params, callOptions),
    batch: (operations, callOptions) => post("/batch", { operations }, callOptions),
    exports: {
      start: (request, callOptions) => post("/exports", request, callOptions),
      get: job,
      wait: (started, callOptions = {}) => waitForExport(
        typeof started === "string" ? started : started.id,
        (id) => job(id, { signal: callOptions.signal, headers: longPolling }),
        callOptions,
        runtime
      ),
      download: (done, callOptions) => downloadExport(done, { ...callOptions, timeout: callOptions?.timeout ?? timeout }, open, runtime)
    },
    register: (metadata, callOptions = {}) => createCall(sendWithToken("POST", `${origin}/oauth/register`, { ...callOptions, body: metadata }))
  };
}
function encodeSegment(text) {
  if (typeof text === "string" && !/^\.{0,2}$/.test(text)) return encodeURIComponent(text);
  throw new ColophonError(`${JSON.stringify(text)} cannot be a part of a path.`);
}
function rejectOnAbort(promise, signal) {
  if (signal === null || signal === void 0) return promise;
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
function parseOrigin(text) {
  let url;
  try {
    url = new URL(text);
  } catch {
    const shown = `${text}`.replace(/\/\/.*@/s, "//");
    throw new ColophonError(`baseUrl must be an origin such as https://example.com; it is ${shown}.`);
  }
  if (url.href !== `${url.origin}/` || !/^https?:$/.test(url.protocol)) {
    const advice = `without user, path, query and fragment; try ${url.origin}.`;
    throw new ColophonError(`baseUrl must be an http or https origin ${advice}`);
  }
  return url.origin;
}
function formatQuery(params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value !== void 0 && value !== null) query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
export {
  ApiError,
  ColophonError,
  ConnectionError,
  ExportError,
  ResponseError,
  TimeoutError,
  createClient,
  isApiError,
  isCode
};
