/** Tests `colophon check URL` through a proxy that makes one mistake at a time, and the finding for each mistake. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { runColophon } from '../support/command.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** A request with its response, while the proxy passes them on. A mistake under test changes the fields in place. */
interface Exchange {
  url: string;
  readonly method: string;
  /** X-Forwarded-For as the client sent it. */
  readonly claimedAddress: string | undefined;
  requestHeaders: IncomingHttpHeaders;
  body: Buffer;
  status: number;
  headers: IncomingHttpHeaders;
}

interface Mistake {
  readonly onRequest?: (exchange: Exchange) => unknown;
  /** Returns true to respond without the server. */
  readonly isAnswered?: (exchange: Exchange) => boolean;
  readonly onResponse?: (exchange: Exchange) => unknown;
}

const html = { 'content-type': 'text/html' };

describe('colophon check URL', () => {
  let mistake: Mistake = {};
  let server: TestServer;
  let origin = '';
  const proxy = createServer(async (incoming, outgoing) => {
    const { url = '/', method = 'GET' } = incoming;
    const body = Buffer.concat(await incoming.toArray());
    const { 'x-forwarded-for': claimedAddress, forwarded: _, ...rest } = incoming.headers;
    const exchange: Exchange = {
      url,
      method,
      claimedAddress: claimedAddress?.toString(),
      requestHeaders: { ...rest, 'x-forwarded-for': '127.0.0.1' },
      body,
      status: 0,
      headers: {},
    };
    mistake.onRequest?.(exchange);
    exchange.body =
      mistake.isAnswered?.(exchange) === true ? Buffer.from('<p>') : await forward(exchange, server.listenUrl);
    mistake.onResponse?.(exchange);
    const { 'transfer-encoding': __, 'content-length': ___, ...headers } = exchange.headers;
    outgoing.writeHead(exchange.status, headers).end(exchange.body);
  });

  before(async () => {
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const env = { BASE_URL: origin, TRUST_PROXY: '127.0.0.1', ADMIN_PORT: '0', RATE_LIMIT_ANONYMOUS: '100000' };
    // The suite may start two processes for a server; the proxy forwards to the first one only.
    server = (await startTestServer({ env })).firstServer;
  });
  after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await server.close();
  });

  const runCheck = async (...args: string[]) => runColophon(['check', origin, ...args]);

  it('every check passes through a proxy that changes nothing', async () => {
    mistake = {};
    const { code, stdout, stderr } = await runCheck();
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^11 of 11 checks passed\.$/m);
  });

  const respond = (exchange: Exchange, status: number, headers: IncomingHttpHeaders = html): boolean => {
    Object.assign(exchange, { status, headers });
    return true;
  };
  const rows: [string, Mistake, RegExp, string][] = [
    [
      'drops RateLimit-Remaining',
      { onResponse: ({ headers }) => void delete headers['ratelimit-remaining'] },
      /^error {3}headers: RateLimit-Remaining is missing$/m,
      'nginx: gzip off; and no proxy_hide_header, add_header or expires for them',
    ],
    [
      'drops ETag',
      { onResponse: ({ headers }) => void delete headers.etag },
      /^error {3}headers: ETag is missing$/m,
      'Caddy: no `encode`, and no `header` or `header_down` for them',
    ],
    [
      'adds a second Access-Control-Allow-Origin',
      { onResponse: ({ headers }) => Object.assign(headers, { 'access-control-allow-origin': '*, *' }) },
      /headers: Access-Control-Allow-Origin is \*, \*$/m,
      'Caddy: no `encode`, and no `header` or `header_down` for them',
    ],
    [
      'drops Vary',
      { onResponse: ({ headers }) => void delete headers.vary },
      /formats: Vary is missing, without Accept$/m,
      'Caddy: no `header_up` for Accept and no `header_down` for Vary',
    ],
    [
      'replaces error pages',
      { onResponse: (exchange) => void (exchange.status === 404 && respond(exchange, 404)) },
      /errors: a 404 is 404 with text\/html, not Colophon’s problem document$/m,
      'nginx: proxy_intercept_errors off; proxy_pass http://colophon; (no path, not even /)',
    ],
    [
      'decodes paths',
      { onRequest: (exchange) => Object.assign(exchange, { url: exchange.url.replace('%2F', '/') }) },
      /errors: the path \/api\/v1\/docs\/no-such%2Fpage arrives as \/api\/v1\/docs\/no-such\/page$/m,
      'nginx: proxy_intercept_errors off; proxy_pass http://colophon; (no path, not even /)',
    ],
    [
      'weakens the ETag of a compressed response',
      {
        onResponse: ({ headers }) =>
          Object.assign(headers, headers['content-encoding'] && { etag: `W/${headers.etag}` }),
      },
      /compression: the proxy compresses: the ETag of a compressed response is W\//m,
      'nginx: gzip off; proxy_set_header Accept-Encoding $http_accept_encoding;',
    ],
    [
      'drops Accept-Encoding',
      { onRequest: ({ requestHeaders }) => void delete requestHeaders['accept-encoding'] },
      /compression: responses are not compressed$/m,
      'nginx: gzip off; proxy_set_header Accept-Encoding $http_accept_encoding;',
    ],
    [
      'truncates large responses',
      {
        onResponse: (exchange) => {
          if (exchange.url === '/openapi.json' && exchange.body.length > 65_536)
            exchange.body = exchange.body.subarray(0, 65_536);
        },
      },
      /compression: a response does not arrive whole \(.+\): see the error log of the proxy$/m,
      'nginx: gzip off; proxy_set_header Accept-Encoding $http_accept_encoding;',
    ],
    [
      'drops Accept',
      { onRequest: ({ requestHeaders }) => void delete requestHeaders.accept },
      /formats: a request for text\/markdown gets application\/json/m,
      'nginx: proxy_cache_key "$request_uri|$http_accept|$http_accept_encoding"; no proxy_hide_header Vary',
    ],
    [
      'drops Authorization',
      { onRequest: ({ requestHeaders }) => void delete requestHeaders.authorization },
      /token: an invalid token gets 200, not 401 with WWW-Authenticate$/m,
      'nginx: proxy_set_header Authorization $http_authorization; and the same in proxy_cache_bypass and proxy_no_cache',
    ],
    [
      'refuses bodies of more than 32 KB',
      { isAnswered: (exchange) => exchange.body.length > 32_768 && respond(exchange, 413) },
      /body size: a body of 63 KB gets 413, not 200$/m,
      'nginx: client_max_body_size 128k;',
    ],
    [
      'refuses large bodies with an HTML page',
      { isAnswered: (exchange) => exchange.body.length > 65_536 && respond(exchange, 413) },
      /body size: a body of 65 KB gets 413 with text\/html, not Colophon’s 413$/m,
      'nginx: client_max_body_size 128k;',
    ],
    [
      'forwards a client’s X-Forwarded-For',
      {
        onRequest: ({ requestHeaders, claimedAddress }) => {
          if (claimedAddress !== undefined) requestHeaders['x-forwarded-for'] = claimedAddress;
        },
      },
      /address: a client can choose its address, and with it a new rate limit$/m,
      'nginx: proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header Forwarded "";',
    ],
    [
      'blocks POST',
      { isAnswered: (exchange) => exchange.method === 'POST' && respond(exchange, 405) },
      /mcp: tools\/list gets 405: no JSON-RPC response$/m,
      'nginx: proxy_set_header Host $host; and no limit_except',
    ],
  ];
  for (const [name, change, finding, fix] of rows) {
    it(`the check names the line to change for a proxy that ${name}`, async () => {
      mistake = change;
      const { code, stdout } = await runCheck();
      assert.equal(code, 1, stdout);
      assert.match(stdout, finding);
      assert.ok(stdout.includes(`\n        ${fix}\n`), stdout);
    });
  }

  it('the check names BASE_URL for an instance that is set up for another origin', async () => {
    mistake = {};
    const { code, stdout } = await runColophon(['check', server.listenUrl]);
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`^error {3}base url: links and tokens are for ${origin}, not for`, 'm'));
    assert.ok(stdout.includes(`\n        Colophon: BASE_URL=${server.listenUrl}\n`), stdout);
  });

  it('the check finds plain HTTP at an address that is not this machine', async (t) => {
    const openServer = await startTestServer({ env: { HOST: '0.0.0.0' } });
    t.after(() => openServer.close());
    const { stdout } = await runColophon(['check', `http://0.0.0.0:${new URL(openServer.listenUrl).port}`]);
    assert.match(
      stdout,
      /^error {3}tls: tokens are sent unencrypted\n {8}nginx: certbot --nginx --redirect -d 0\.0\.0\.0$/m,
    );
  });

  it('--admin lists the warnings of /readyz, which fail only with --strict', async () => {
    mistake = {};
    const admin = server.adminUrl ?? '';
    const plain = await runCheck('--admin', admin);
    const strict = await runCheck('--admin', admin, '--strict', '--format', 'json');
    const { warnings } = Object(await (await fetch(`${admin}/readyz`)).json());
    const { findings }: { findings: { check: string; message: string }[] } = JSON.parse(strict.stdout);
    const messages = findings.filter(({ check: name }) => name === 'admin').map(({ message }) => message);
    assert.deepEqual(messages, warnings);
    assert.deepEqual([plain.code, strict.code], [0, warnings.length === 0 ? 0 : 1]);
  });

  it('a host that serves only MCP is checked for MCP', async (t) => {
    const mcp = await startTestServer({ env: { BASE_URL: 'https://api.example', MCP_BASE_URL: 'http://127.0.0.1' } });
    t.after(() => mcp.close());
    const { code, stdout } = await runColophon(['check', mcp.listenUrl]);
    assert.deepEqual([code, stdout], [0, 'ok      reach\nok      tls\nok      mcp\n3 of 3 checks passed.\n']);
  });

  const failures: [string, Mistake, RegExp][] = [
    [
      'another program',
      { isAnswered: (exchange) => respond(exchange, 404) },
      /is not Colophon: GET \/api\/v1 returns 404 with text\/html, not its index\.$/m,
    ],
    [
      'a proxy without a server',
      { isAnswered: (exchange) => respond(exchange, 502) },
      /returns 502 .* The proxy does not reach Colophon: is it running at that address\?$/m,
    ],
    [
      'a redirect to another host',
      { isAnswered: (exchange) => respond(exchange, 301, { location: 'https://www.example/' }) },
      /redirects to https:\/\/www\.example\/: check that origin\.$/m,
    ],
    [
      'an exhausted rate limit',
      { isAnswered: (exchange) => exchange.url === '/openapi.json' && respond(exchange, 429, { 'retry-after': '7' }) },
      /The rate limit of this address is used up\. Wait 7 seconds and check again\.$/m,
    ],
  ];
  for (const [name, change, message] of failures) {
    it(`the check exits with 1 and reports ${name}`, async () => {
      mistake = change;
      const { code, stdout } = await runCheck();
      assert.equal(code, 1);
      assert.match(stdout, message);
    });
  }

  it('an unreachable address is reported, and a URL with a path is refused with exit code 64', async () => {
    const unreachable = await runColophon(['check', 'http://127.0.0.1:1']);
    assert.equal(unreachable.code, 1);
    assert.match(unreachable.stdout, /^error {3}reach: http:\/\/127\.0\.0\.1:1 cannot be reached \(/m);
    const withPath = await runColophon(['check', `${origin}/docs`]);
    assert.deepEqual([withPath.code, withPath.stdout], [64, '']);
    assert.match(withPath.stderr, /must be an origin such as https:\/\/api\.example\.com/);
    assert.equal((await runColophon(['check', 'content', '--admin', origin])).code, 64);
  });
});

/**
 * Sends the request to the origin `upstream`, sets `status` and `headers` of the exchange to those of the response in place, and
 * returns the body of the response.
 */
async function forward(exchange: Exchange, upstream: string): Promise<Buffer> {
  const { url, method, requestHeaders, body } = exchange;
  const outgoing = sendRequest(upstream + url, { method, headers: requestHeaders });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  if (incoming === undefined) return Buffer.alloc(0);
  Object.assign(exchange, { status: incoming.statusCode, headers: incoming.headers });
  return Buffer.concat(await incoming.toArray());
}
