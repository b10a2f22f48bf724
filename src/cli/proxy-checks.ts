/** Lists the checks of `colophon check URL`: what each requests through a proxy, and the lines of configuration that correct a failure. */
import { isLoopback } from '../base/loopback.ts';

/** A response whose body was read to its end: `json` is the parsed body, or an empty object if that is no JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Sends a request to a path of the instance, or to a whole URL, and follows no redirect. Rejects as `fetch` does if no whole
 * response comes within 15 seconds, and with an error that ends the checks if the rate limit is used up.
 */
export type Send = (target: string, init?: RequestInit) => Promise<Reply>;

/** One expectation of an instance behind a proxy. */
export interface ProxyCheck {
  /** The name in the output, such as `tls`. */
  readonly name: string;
  /** Whether a host that serves only MCP can pass the check; otherwise it is left out there. False if absent. */
  readonly isForMcpHost?: boolean;
  /** The lines to write into Colophon's settings, nginx or Caddy; ORIGIN and HOST stand for those of the instance. */
  readonly fix: readonly string[];
  /**
   * Returns the unexpected part of the response in words, or null if the expectation is met. `origin` is the origin of the checked
   * instance. Rejects with the error of `send`, or with an Error if a body is cut.
   */
  find(send: Send, origin: string): Promise<string | null>;
}

const listing = '/api/v1/features';
/** A page that does not exist. No cache stores the response, and `%2F` shows whether the proxy decodes paths. */
const missing = '/api/v1/docs/no-such%2Fpage';

const headersOfErrors = {
  ETag: /^"[^"]+"$/,
  'X-Request-Id': /./,
  'API-Version': /^\d{4}-\d{2}-\d{2}$/,
  'RateLimit-Limit': /^\d+$/,
  'RateLimit-Remaining': /^\d+$/,
  'RateLimit-Reset': /^\d+$/,
  'Cache-Control': /^no-store$/,
  'Access-Control-Allow-Origin': /^\*$/,
};

const readHeader = ({ headers }: Reply, name: string): string => headers.get(name) ?? 'missing';
const isProblem = (reply: Reply): boolean => readHeader(reply, 'content-type').startsWith('application/problem+json');
const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify(body),
});

/** The checks, in the order in which they run. */
export const proxyChecks: readonly ProxyCheck[] = [
  {
    name: 'base url',
    fix: ['Colophon: BASE_URL=ORIGIN', 'nginx: proxy_set_header Host $host; (if this is MCP_BASE_URL)'],
    async find(send, origin) {
      const { base_url: base } = (await send('/api/v1')).json;
      return base === origin ? null : `links and tokens are for ${base}, not for ${origin}`;
    },
  },
  {
    name: 'tls',
    isForMcpHost: true,
    fix: ['nginx: certbot --nginx --redirect -d HOST', 'Caddy: HOST { … } without http://'],
    async find(send, origin) {
      const { protocol, hostname, port } = new URL(origin);
      if (isLoopback(hostname)) return null;
      if (protocol === 'http:') return 'tokens are sent unencrypted';
      // A host without a server at port 80 receives no token unencrypted, which is as good as a redirect.
      const plain = port === '' ? await send(`http://${hostname}/`).catch(() => null) : null;
      if (plain === null || readHeader(plain, 'location').startsWith('https://')) return null;
      return `http://${hostname}/ returns ${plain.status}, not a redirect to https`;
    },
  },
  {
    name: 'headers',
    fix: [
      'nginx: gzip off; and no proxy_hide_header, add_header or expires for them',
      'Caddy: no `encode`, and no `header` or `header_down` for them',
    ],
    async find(send) {
      const reply = await send(missing);
      const changedHeaders = Object.entries(headersOfErrors).filter(
        ([name, form]) => !form.test(readHeader(reply, name)),
      );
      return changedHeaders.map(([name]) => `${name} is ${readHeader(reply, name)}`).join('; ') || null;
    },
  },
  {
    name: 'errors',
    fix: [
      'nginx: proxy_intercept_errors off; proxy_pass http://colophon; (no path, not even /)',
      'Caddy: no `handle_errors`, `handle_response`, `uri` or `rewrite`',
    ],
    async find(send) {
      const reply = await send(missing);
      const type = readHeader(reply, 'content-type');
      if (reply.status !== 404 || !isProblem(reply))
        return `a 404 is ${reply.status} with ${type}, not Colophon’s problem document`;
      const { instance } = reply.json;
      return instance === missing ? null : `the path ${missing} arrives as ${instance}`;
    },
  },
  {
    name: 'compression',
    fix: [
      'nginx: gzip off; proxy_set_header Accept-Encoding $http_accept_encoding;',
      'Caddy: no `encode` and no `header_up` for Accept-Encoding',
    ],
    async find(send) {
      // /openapi.json has hundreds of kilobytes, so this also finds a proxy that cuts long responses.
      const get = (coding: string) => send('/openapi.json', { headers: { 'accept-encoding': coding } });
      const [zipped, plain] = [await get('gzip'), await get('identity')];
      if (zipped.json.openapi === undefined || plain.json.openapi === undefined) throw new Error('a body is cut');
      if (readHeader(zipped, 'content-encoding') !== 'gzip') return 'responses are not compressed';
      const tag = readHeader(zipped, 'etag');
      const isOwn = tag.startsWith('"') && tag !== readHeader(plain, 'etag');
      return isOwn ? null : `the proxy compresses: the ETag of a compressed response is ${tag}`;
    },
  },
  {
    name: 'formats',
    fix: [
      'nginx: proxy_cache_key "$request_uri|$http_accept|$http_accept_encoding"; no proxy_hide_header Vary',
      'Caddy: no `header_up` for Accept and no `header_down` for Vary',
    ],
    async find(send) {
      const reply = await send(listing, { headers: { accept: 'text/markdown' } });
      const [type, vary] = [readHeader(reply, 'content-type'), readHeader(reply, 'vary')];
      if (!type.startsWith('text/markdown')) return `a request for text/markdown gets ${type}`;
      return /\bAccept\b(?!-)/i.test(vary) ? null : `Vary is ${vary}, without Accept`;
    },
  },
  {
    name: 'token',
    fix: [
      'nginx: proxy_set_header Authorization $http_authorization; and the same in proxy_cache_bypass and proxy_no_cache',
      'Caddy: no `header_up` for Authorization and no `basic_auth`',
    ],
    async find(send) {
      const { status, headers } = await send(listing, { headers: { authorization: 'Bearer invalid' } });
      const isRefused = status === 401 && headers.has('www-authenticate');
      return isRefused ? null : `an invalid token gets ${status}, not 401 with WWW-Authenticate`;
    },
  },
  {
    name: 'body size',
    fix: ['nginx: client_max_body_size 128k;', 'Caddy: no `request_body`'],
    async find(send) {
      const operations = [{ id: 'a', method: 'GET', path: '/features' }];
      const sendKilobytes = (size: number) =>
        send('/api/v1/batch', post({ operations, filler: 'a'.repeat(size * 1024 - 100) }));
      const [small, large] = [await sendKilobytes(63), await sendKilobytes(65)];
      if (small.status !== 200) return `a body of 63 KB gets ${small.status}, not 200`;
      if (large.status === 413 && isProblem(large)) return null;
      return `a body of 65 KB gets ${large.status} with ${readHeader(large, 'content-type')}, not Colophon’s 413`;
    },
  },
  {
    name: 'address',
    fix: [
      'nginx: proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header Forwarded "";',
      'Caddy: no `trusted_proxies`; header_up -Forwarded',
    ],
    async find(send) {
      const usual = await send(missing);
      const address = `198.51.100.${Math.ceil(Math.random() * 254)}`;
      const forgedReply = await send(missing, { headers: { 'x-forwarded-for': address, forwarded: `for=${address}` } });
      const [before, after] = [usual, forgedReply].map((reply) => Number(reply.headers.get('ratelimit-remaining')));
      // Only an address that sent nothing before has its limit minus one left after this request.
      const isNew = after === Number(forgedReply.headers.get('ratelimit-limit')) - 1 && after !== before;
      return isNew ? 'a client can choose its address, and with it a new rate limit' : null;
    },
  },
  {
    name: 'mcp',
    isForMcpHost: true,
    fix: ['nginx: proxy_set_header Host $host; and no limit_except', 'Caddy: no `method` matcher for /mcp'],
    async find(send) {
      const { status, json } = await send('/mcp', post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
      const isList = status === 200 && json.result !== undefined;
      return isList ? null : `tools/list gets ${status}: ${json.detail ?? 'no JSON-RPC response'}`;
    },
  },
];
