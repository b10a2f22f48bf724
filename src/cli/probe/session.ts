/** The requests of a probe: counted, bounded in time, and each response checked for what all responses promise. */
import { messageOf } from '../../base/thrown.ts';

export interface Answer {
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body of a JSON answer; an empty object for any other. */
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Session {
  readonly baseUrl: string;
  ask(path: string, ask?: Ask): Promise<Answer>;
  /** Promises of every response that some response broke, each once. */
  readonly breaches: ReadonlySet<string>;
  readonly requests: number;
}

/** A promise that is not held; the message says what came instead. */
export class Broken extends Error {}

/** The instance cannot be asked any further. */
export class ProbeEnded extends Error {}

/** Throws Broken unless it holds. */
export function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Broken(otherwise);
}

const deadlineMs = 10_000;
/** The contract allows 120 a minute; a probe leaves room for other clients at the same address. */
export const mostRequests = 100;

/** `baseUrl` is an origin. */
export function createSession(baseUrl: string): Session {
  const breaches = new Set<string>();
  let requests = 0;
  return {
    baseUrl,
    breaches,
    get requests() {
      return requests;
    },
    async ask(path, { method = 'GET', headers = {}, body } = {}) {
      if (requests >= mostRequests) throw new ProbeEnded(`More than ${mostRequests} requests would be needed.`);
      requests += 1;
      let answer: Answer;
      try {
        const response = await fetch(baseUrl + path, {
          method,
          headers: { 'user-agent': 'colophon-probe', ...headers },
          redirect: 'manual',
          signal: AbortSignal.timeout(deadlineMs),
          ...(body !== undefined && { body }),
        });
        const text = await response.text();
        answer = { path, status: response.status, headers: response.headers, text, json: parsed(response, text) };
      } catch (error) {
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
        const why = messageOf(cause);
        if (requests === 1) throw new ProbeEnded(`${baseUrl} cannot be reached (${why}).`);
        throw new Broken(`${method} ${path}: no answer (${why})`);
      }
      if (answer.status === 429 && !path.includes('simulate=')) {
        const wait = answer.headers.get('retry-after') ?? 'some';
        throw new ProbeEnded(`The rate limit of this address is used up. Wait ${wait} seconds and probe again.`);
      }
      for (const breach of commonBreaches(baseUrl, method, answer)) breaches.add(breach);
      return answer;
    },
  };
}

function parsed(response: Response, text: string): Record<string, unknown> {
  if (!(response.headers.get('content-type') ?? '').includes('json') || text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const common: Readonly<Record<string, RegExp>> = {
  etag: /^"[^"]+"$/,
  'x-request-id': /^[\x21-\x7e]+$/,
  'api-version': /^\d{4}-\d{2}-\d{2}$/,
  'ratelimit-limit': /^\d+$/,
  'ratelimit-remaining': /^\d+$/,
  'ratelimit-reset': /^\d+$/,
};

/**
 * A shared cache in front of Colophon served it (RFC 9111, RFC 9211): the rate limit fields are those of whoever asked
 * first, and may repeat.
 */
function isKept(headers: Headers): boolean {
  const caches = (headers.get('cache-status') ?? '').split(',').filter((cache) => !cache.trim().startsWith('"feed"'));
  return headers.has('age') || caches.some((cache) => /;\s*(hit\b|fwd-status=304)/.test(cache));
}

const problemMembers = ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id', 'docs_url'];

function commonBreaches(baseUrl: string, method: string, { path, status, headers, json }: Answer): string[] {
  const at = `${method} ${path.split('?')[0]} (${status})`;
  const kept = isKept(headers);
  const breaches = Object.entries(common)
    .filter(([name, form]) => !form.test(headers.get(name) ?? ''))
    .filter(([name]) => !(kept && name.startsWith('ratelimit-') && !headers.has(name)))
    .map(([name]) => `${at}: ${name} is ${headers.has(name) ? `\`${headers.get(name)}\`` : 'missing'}`);
  if (status < 400 || method === 'HEAD') return breaches;
  if (!(headers.get('content-type') ?? '').startsWith('application/problem+json')) {
    return [...breaches, `${at}: the error is not application/problem+json`];
  }
  const missing = problemMembers.filter((member) => json[member] === undefined);
  if (missing.length > 0) breaches.push(`${at}: the problem lacks ${missing.join(', ')}`);
  if (json.status !== status) breaches.push(`${at}: the problem’s status is ${json.status}`);
  if (json.request_id !== headers.get('x-request-id')) breaches.push(`${at}: request_id is not X-Request-Id`);
  if (json.type !== `${baseUrl}/developers/errors#${json.code}`) breaches.push(`${at}: type is \`${json.type}\``);
  return breaches;
}
