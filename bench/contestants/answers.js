/** Provides the responses that Colophon gave, by the number of the work, so that every contestant sends the same bytes. It is plain JavaScript, since the types of the frameworks are not installed. */
import { readFileSync } from 'node:fs';

/** Headers that node:http writes of itself, and those that are new for each request. */
const own = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

/** `/0` and so on, each with status, headers (an object), body (a Buffer) and etag. */
export const answers = new Map(
  JSON.parse(readFileSync(process.argv[2], 'utf8')).map(({ status, headers, body }, index) => [
    `/${index}`,
    {
      status,
      headers: Object.fromEntries(headers.filter(([name]) => !own.has(name.toLowerCase()))),
      body: Buffer.from(body, 'base64'),
      etag: headers.find(([name]) => name.toLowerCase() === 'etag')?.[1],
    },
  ]),
);

let count = 0;
/** Returns a new request ID. */
export function nextId() {
  count += 1;
  return `req_ffwk9cpkmn70bwna${count.toString(36).padStart(6, '0')}`;
}

/** A fixed window that counts every request of an address. */
const windows = new Map();
/** Counts a request of an address, and returns the state of its rate limit. */
export function take(address) {
  const now = performance.now();
  let window = windows.get(address);
  if (window === undefined || now - window.start >= 60_000) {
    window = { start: now, used: 0 };
    windows.set(address, window);
  }
  window.used += 1;
  const limit = 1_000_000_000;
  return { limit, remaining: limit - window.used, reset: Math.ceil((window.start + 60_000 - now) / 1000) };
}

/** Returns the headers that describe a rate limit. */
export function rateHeaders({ limit, remaining, reset }) {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
    'ratelimit-policy': `"anonymous";q=${limit};w=60`,
    ratelimit: `"anonymous";r=${remaining};t=${reset}`,
  };
}

/** Prints the address, which tells the benchmark that the server accepts requests. */
export const ready = (port) => console.log(`listening on http://127.0.0.1:${port}`);
