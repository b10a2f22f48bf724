/** Reads the captured responses of Colophon, which every contestant sends. It is JavaScript: the frameworks' types are not installed. */
import { readFileSync } from 'node:fs';

/** Headers that node:http writes itself, and the request ID, which differs in each response. */
const omittedHeaders = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

/** The responses by path (`/0`, `/1` and so on), each with status, headers (an object), body (a Buffer) and etag. */
export const responses = new Map(
  JSON.parse(readFileSync(process.argv[2], 'utf8')).map(({ status, headers, body }, index) => [
    `/${index}`,
    {
      status,
      headers: Object.fromEntries(headers.filter(([name]) => !omittedHeaders.has(name.toLowerCase()))),
      body: Buffer.from(body, 'base64'),
      etag: headers.find(([name]) => name.toLowerCase() === 'etag')?.[1],
    },
  ]),
);

let count = 0;
/** Returns a new request ID. */
export function createRequestId() {
  count += 1;
  return `req_ffwk9cpkmn70bwna${count.toString(36).padStart(6, '0')}`;
}

/** Fixed windows that count the requests of each address, by address. */
const windows = new Map();
/** Counts a request of an address, and returns the state of its rate limit. */
export function countRequest(address) {
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
export function createRateHeaders({ limit, remaining, reset }) {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
    'ratelimit-policy': `"anonymous";q=${limit};w=60`,
    ratelimit: `"anonymous";r=${remaining};t=${reset}`,
  };
}

/** Prints the server's address. The benchmark waits for this line before it sends requests. */
export const printAddress = (port) => console.log(`listening on http://127.0.0.1:${port}`);
