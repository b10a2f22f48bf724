/** What `colophon check URL` requests through a proxy, and the lines of configuration that correct each failure. */
import { isLoopback } from '../base/loopback.ts';
import type { Problem } from './finding.ts';

/** A response with its whole body; `json` is empty unless the body is a JSON object. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Sends a request to a path of the instance, or to a whole URL. */
export type Send = (target: string, init?: RequestInit) => Promise<Reply>;

/** One expectation; `run` returns null if it holds. */
export interface ProxyCheck {
  readonly name: string;
  /** Whether a host that serves only MCP can pass the check. */
  readonly isForMcpHost?: boolean;
  run(send: Send, origin: string): Promise<Problem | null>;
}

const listing = '/api/v1/features';
/** A page that does not exist. No cache stores the response, and `%2F` shows whether the proxy decodes paths. */
const missing = '/api/v1/docs/no-such%2Fpage';

const expected: readonly (readonly [header: string, form: RegExp])[] = [
  ['ETag', /^"[^"]+"$/],
  ['X-Request-Id', /./],
  ['API-Version', /^\d{4}-\d{2}-\d{2}$/],
  ['RateLimit-Limit', /^\d+$/],
  ['RateLimit-Remaining', /^\d+$/],
  ['RateLimit-Reset', /^\d+$/],
  ['Cache-Control', /^no-store$/],
  ['Access-Control-Allow-Origin', /^\*$/],
];

const uncompressed = ['nginx: gzip off;', 'Caddy: remove `encode`'];

const linesFor = (header: string): string[] => [
  `nginx: remove proxy_hide_header, add_header and expires for ${header}`,
  `Caddy: remove header_down and header for ${header}`,
];

const post = (body: unknown, accept = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept },
  body: JSON.stringify(body),
});

/** The checks, in the order in which they run. */
export const proxyChecks: readonly ProxyCheck[] = [
  {
    name: 'base url',
    async run(send, origin) {
      const { base_url: base } = (await send('/api/v1')).json;
      if (base === origin) return null;
      const fix = [`Colophon: BASE_URL=${origin}`, 'nginx: proxy_set_header Host $host; (if this is MCP_BASE_URL)'];
      return { message: `links and tokens are for ${base}, not for ${origin}`, fix };
    },
  },
  {
    name: 'tls',
    isForMcpHost: true,
    async run(send, origin) {
      const { protocol, hostname, port } = new URL(origin);
      if (isLoopback(hostname)) return null;
      const fix = [`nginx: certbot --nginx --redirect -d ${hostname}`, `Caddy: ${hostname} { … } without http://`];
      if (protocol === 'http:') return { message: 'tokens are sent unencrypted', fix };
      if (port !== '') return null;
      // Nothing at port 80 is as good as a redirect.
      const plain = await send(`http://${hostname}/`).catch(() => null);
      const target = plain?.headers.get('location') ?? '';
      if (plain === null || (plain.status < 400 && target.startsWith('https://'))) return null;
      return { message: `http://${hostname}/ returns ${plain.status}, not a redirect to https`, fix };
    },
  },
  {
    name: 'headers',
    async run(send) {
      const { headers } = await send(missing);
      const lost = expected.filter(([name, form]) => !form.test(headers.get(name) ?? ''));
      if (lost.length === 0) return null;
      const message = lost.map(([name]) => `${name} is ${headers.get(name) ?? 'missing'}`).join('; ');
      return { message, fix: lost.flatMap(([name]) => (name === 'ETag' ? uncompressed : linesFor(name))) };
    },
  },
  {
    name: 'errors',
    async run(send) {
      const { status, headers, json } = await send(missing);
      const type = headers.get('content-type') ?? 'no content type';
      if (status !== 404 || !type.startsWith('application/problem+json')) {
        const fix = ['nginx: proxy_intercept_errors off;', 'Caddy: remove `handle_errors` and `handle_response`'];
        return { message: `a 404 arrives as ${status} with ${type}, not as Colophon’s problem document`, fix };
      }
      if (json.instance === missing) return null;
      const fix = ['nginx: proxy_pass http://colophon; (no path, not even /)', 'Caddy: remove `uri` and `rewrite`'];
      return { message: `the path ${missing} arrives as ${json.instance}`, fix };
    },
  },
  {
    name: 'compression',
    async run(send) {
      // This document has hundreds of kilobytes, so it also finds a proxy that cuts responses.
      const tagOf = ({ headers }: Reply): string => headers.get('etag') ?? 'missing';
      const [zipped, plain] = [
        await send('/openapi.json', coded('gzip')),
        await send('/openapi.json', coded('identity')),
      ];
      if (zipped.json.openapi === undefined || plain.json.openapi === undefined)
        throw new Error('/openapi.json is cut');
      if (zipped.headers.get('content-encoding') !== 'gzip') {
        const fix = [
          'nginx: proxy_set_header Accept-Encoding $http_accept_encoding;',
          'Caddy: remove `header_up -Accept-Encoding`',
        ];
        return { message: 'responses are not compressed', fix };
      }
      if (tagOf(zipped).startsWith('"') && tagOf(zipped) !== tagOf(plain)) return null;
      return {
        message: `the proxy compresses: the ETag of a compressed response is ${tagOf(zipped)}`,
        fix: uncompressed,
      };
    },
  },
  {
    name: 'revalidation',
    async run(send) {
      const { headers } = await send(listing);
      const { status } = await send(listing, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
      const fix = ['nginx: proxy_cache_revalidate on;', 'Caddy: remove `header_up -If-None-Match`'];
      return status === 304 ? null : { message: `a request with a current ETag gets ${status}, not 304`, fix };
    },
  },
  {
    name: 'formats',
    async run(send) {
      const { headers } = await send(listing, { headers: { accept: 'text/markdown' } });
      const type = headers.get('content-type') ?? 'no content type';
      const vary = headers.get('vary') ?? 'missing';
      if (!/\bAccept\b(?!-)/i.test(vary)) {
        return { message: `Vary is ${vary}, without Accept`, fix: linesFor('Vary') };
      }
      if (type.startsWith('text/markdown')) return null;
      const fix = [
        'nginx: proxy_cache_key "$request_uri|$http_accept|$http_accept_encoding";',
        'Caddy: remove `header_up Accept`',
      ];
      return { message: `a request for text/markdown gets ${type}`, fix };
    },
  },
  {
    name: 'token',
    async run(send) {
      const { status, headers } = await send(listing, { headers: { authorization: 'Bearer invalid' } });
      if (status === 401 && headers.has('www-authenticate')) return null;
      const fix = [
        'nginx: proxy_cache_bypass $http_authorization; proxy_no_cache $http_authorization;',
        'nginx: proxy_set_header Authorization $http_authorization;',
        'Caddy: remove `header_up -Authorization` and `basic_auth`',
      ];
      return { message: `an invalid token gets ${status}, not 401 with WWW-Authenticate`, fix };
    },
  },
  {
    name: 'body size',
    async run(send) {
      const operations = [{ id: 'a', method: 'GET', path: '/features' }];
      for (const [kilobytes, status] of [
        [63, 200],
        [65, 413],
      ] as const) {
        const reply = await send('/api/v1/batch', post({ operations, filler: 'a'.repeat(kilobytes * 1024 - 100) }));
        const isProblem = (reply.headers.get('content-type') ?? '').startsWith('application/problem+json');
        if (reply.status === status && (status === 200 || isProblem)) continue;
        const fix = ['nginx: client_max_body_size 128k;', 'Caddy: remove `request_body`'];
        const message = `a body of ${kilobytes} KB gets ${reply.status}${isProblem ? '' : ' from the proxy'}, not Colophon’s ${status}`;
        return { message, fix };
      }
      return null;
    },
  },
  {
    name: 'request id',
    async run(send) {
      const ids = [await send(listing), await send(listing)].map(({ headers }) => headers.get('x-request-id'));
      const fix = [
        'nginx: proxy_hide_header X-Request-Id; add_header X-Request-Id $request_id always;',
        'Caddy: remove X-Request-Id from stored responses',
      ];
      return ids[0] === ids[1] ? { message: `two responses have the X-Request-Id ${ids[0]}`, fix } : null;
    },
  },
  {
    name: 'address',
    async run(send) {
      const remaining = ({ headers }: Reply): number => Number(headers.get('ratelimit-remaining'));
      const own = remaining(await send(missing));
      const host = Math.ceil(Math.random() * 254);
      const forged = { 'x-forwarded-for': `198.51.100.${host}`, forwarded: `for=198.51.100.${host}` };
      const reply = await send(missing, { headers: forged });
      // Only an address that sent nothing before has all of its limit.
      if (remaining(reply) <= own || remaining(reply) !== Number(reply.headers.get('ratelimit-limit')) - 1) return null;
      const fix = [
        'nginx: proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header Forwarded "";',
        'Caddy: remove `trusted_proxies`; header_up -Forwarded',
      ];
      return { message: 'a client can choose its address, and with it a new rate limit', fix };
    },
  },
  {
    name: 'mcp',
    isForMcpHost: true,
    async run(send) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const { status, json } = await send('/mcp', post(message, 'application/json, text/event-stream'));
      if (status === 200 && json.result !== undefined) return null;
      const fix = ['nginx: proxy_set_header Host $host; no limit_except', 'Caddy: remove `method` matchers for /mcp'];
      return { message: `tools/list gets ${status}: ${json.detail ?? 'no JSON-RPC response'}`, fix };
    },
  },
];

const coded = (coding: string): RequestInit => ({ headers: { 'accept-encoding': coding } });
