/** Gets a feed's bytes from its URL or its file: conditional, within a deadline and a size, following few redirects. */
import { constants, open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { getMessage } from '../base/thrown.ts';
import { describeAddress, type Resolve, readFeedAddress, resolveRedirect } from './address.ts';
import { FeedFault } from './fault.ts';

/** The headers of the last response with content, by which the next request is conditional; null for those that it lacked. */
export interface Validators {
  /** The address after redirects: validators apply only to it. It is null for a file. */
  readonly url: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A response to a request for a source or for notes, or the content of a file. */
export interface Fetched extends Validators {
  /** The content, or null if it is unchanged since the validators (304). */
  readonly bytes: Buffer | null;
  /** `max-age` of Cache-Control in seconds, or null if there is none, or `no-store` or `no-cache` next to it. */
  readonly maxAgeSeconds: number | null;
  /** The Content-Type header, or '' if there is none or no content. */
  readonly contentType: string;
  /** The URL that relative ones start at, or null if it is `url`: GitHub redirects downloads of a release to a storage of its own. */
  readonly address: string | null;
  /** The Link header (RFC 8288), with which GitHub refers to the next page, or null. */
  readonly link: string | null;
}

/** The limits of a request, and the headers that make it conditional. */
export interface FetchOptions {
  /** The headers that make the request conditional, or null to get the content in any case. */
  readonly validators: Validators | null;
  /** Maximum time for the whole exchange, redirects and body included, in milliseconds. */
  readonly deadlineMs: number;
  /** Aborted when nobody wants the response any more. */
  readonly signal: AbortSignal;
  /** The time of the request in milliseconds since 1970, from which a Retry-After or rate limit with a date is counted. */
  readonly now: number;
  /** Maximum size of the content after decompression, in bytes; more is a fault. @defaultValue 8 MiB */
  readonly maxBytes?: number;
  /** Looks up the hosts of redirects. @defaultValue the system's resolver */
  readonly resolve?: Resolve;
  /** Returns further headers to send to a URL, which replace usual ones of the same name; none if left out. */
  readonly headers?: (url: URL) => Readonly<Record<string, string>>;
}

const maxFeedBytes = 8 * 1024 * 1024;
const maxRedirects = 5;

/**
 * Fetches a file that the feed links to, under the rules of the feed: neither the link, which may be relative to the feed's own
 * URL, `source`, nor a redirect of it leads to this machine or a private network unless `source` is on this machine. `source` is
 * null for a feed from a file, whose links must be absolute. Throws a FeedFault (`failed`) for everything that goes wrong.
 */
export async function fetchLinked(
  link: string,
  source: string | null,
  options: Omit<FetchOptions, 'validators'>,
): Promise<Fetched & { readonly bytes: Buffer; readonly url: string }> {
  const from = URL.parse(source ?? '') ?? new URL('https://feed.invalid/');
  const file = await fetchWithin(options, link, 'The file', async (signal) => {
    const address = await resolveRedirect(link, from, from, options.resolve, 'link');
    return followRedirects(address, from, { ...options, validators: null }, signal);
  });
  const { bytes, url } = file;
  if (bytes === null || url === null) throw new FeedFault('failed', `${link} has no content.`);
  return { ...file, bytes, url };
}

/**
 * Fetches a feed; `source` is a URL or an absolute path, for which only `maxBytes` of the options counts: a file is always read.
 * Throws a FeedFault (`failed`) for everything that goes wrong.
 */
export async function fetchFeed(source: string, options: FetchOptions): Promise<Fetched> {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(source)) return await readFeedFile(source, options.maxBytes ?? maxFeedBytes);
  return fetchWithin(options, source, 'The feed', (signal) => {
    const url = readFeedAddress(source);
    return followRedirects(url, url, options, signal);
  });
}

async function fetchWithin<T>(
  options: Pick<FetchOptions, 'signal' | 'deadlineMs'>,
  source: string,
  what: string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.deadlineMs)]);
  try {
    return await run(signal);
  } catch (thrown) {
    if (thrown instanceof FeedFault) throw thrown;
    if (thrown instanceof DOMException && thrown.name === 'TimeoutError') {
      throw new FeedFault('failed', `${what} did not arrive within ${options.deadlineMs / 1000} seconds.`);
    }
    throw new FeedFault('failed', `${what} cannot be fetched from ${readHost(source)}: ${describeReason(thrown)}.`, {
      cause: thrown,
    });
  }
}

const readHost = (source: string): string => URL.parse(source)?.host ?? 'its host';

/**
 * Returns the reason of a failure, which fetch() keeps in the cause of its "fetch failed": a code such as `ECONNREFUSED`, or else a
 * message.
 */
function describeReason(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (!(cause instanceof Error)) return getMessage(thrown);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

async function followRedirects(first: URL, source: URL, options: FetchOptions, signal: AbortSignal): Promise<Fetched> {
  let url = first;
  let address: string | null = null;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const headers = { ...createHeaders(url, options.validators), ...options.headers?.(url) };
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    if (url.host === 'github.com' && url.pathname.includes('/releases/')) address = url.href;
    if (response.status === 200) {
      const bytes = await readBody(response, options.maxBytes ?? maxFeedBytes);
      const contentType = response.headers.get('content-type') ?? '';
      const link = response.headers.get('link');
      return {
        bytes,
        ...readValidators(response, url),
        address,
        maxAgeSeconds: readMaxAge(response),
        contentType,
        link,
      };
    }
    await response.body?.cancel();
    if (response.status === 304 && options.validators?.url === url.href) {
      const { validators } = options;
      return { ...validators, bytes: null, address, maxAgeSeconds: readMaxAge(response), contentType: '', link: null };
    }
    if (![301, 302, 303, 307, 308].includes(response.status)) throw createStatusFault(response, url, options.now);
    url = await resolveRedirect(response.headers.get('location'), url, source, options.resolve);
  }
  throw new FeedFault(
    'failed',
    `The feed’s server redirects more than ${maxRedirects} times. Configure the final URL.`,
  );
}

function createHeaders(url: URL, validators: Validators | null): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/rss+xml, application/xml;q=0.9, */*;q=0.1',
    'user-agent': 'Colophon',
  };
  if (validators?.url !== url.href) return headers;
  if (validators.etag !== null) headers['if-none-match'] = validators.etag;
  if (validators.lastModified !== null) headers['if-modified-since'] = validators.lastModified;
  return headers;
}

const readValidators = (response: Response, url: URL): Validators => ({
  url: url.href,
  etag: response.headers.get('etag'),
  lastModified: response.headers.get('last-modified'),
});

/** Returns the bytes of a response. Throws a FeedFault (`failed`) for more than `maxBytes`, which are counted after decompression. */
async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw refuseSize(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const refuseSize = (maxBytes: number): FeedFault =>
  new FeedFault('failed', `The feed is larger than ${maxBytes} bytes.`);

function readMaxAge(response: Response): number | null {
  const control = response.headers.get('cache-control') ?? '';
  if (/\bno-(?:store|cache)\b/i.test(control)) return null;
  const seconds = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(control)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

function createStatusFault(response: Response, url: URL, now: number): FeedFault {
  const message = `${describeAddress(url)} returned ${response.status} instead of 200.`;
  const seconds = readRetryAfter(response.headers.get('retry-after'), now) ?? readRateLimitReset(response, now);
  return new FeedFault('failed', message, { retryAfterSeconds: seconds, status: response.status });
}

/**
 * Returns the seconds that a Retry-After header, in seconds or as a date, is from now (RFC 9110 section 10.2.3): 0 for a date in
 * the past, null if there is none or it cannot be read.
 */
function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * Returns the seconds until GitHub's API resets a limit that is used up, or null if it is not or the response does not say when
 * (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api).
 */
function readRateLimitReset({ headers }: Response, now: number): number | null {
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0';
  return isUsedUp && Number.isFinite(reset) ? Math.max(0, Math.ceil(reset - now / 1000)) : null;
}

async function readFeedFile(path: string, maxBytes: number): Promise<Fetched> {
  try {
    if (!isAbsolute(path)) throw new FeedFault('failed', 'The feed’s source is neither a URL nor an absolute path.');
    // Without O_NONBLOCK, opening a named pipe waits until a program writes to the pipe. Windows lacks the flag.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const status = await file.stat();
      if (!status.isFile()) throw new FeedFault('failed', `${path} is not a file.`);
      if (status.size > maxBytes) throw refuseSize(maxBytes);
      return {
        bytes: await file.readFile(),
        url: null,
        etag: null,
        lastModified: null,
        maxAgeSeconds: null,
        contentType: '',
        address: null,
        link: null,
      };
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (thrown instanceof FeedFault) throw thrown;
    throw new FeedFault('failed', `The feed’s file cannot be read: ${getMessage(thrown)}.`, { cause: thrown });
  }
}
