/** Tests MCP over HTTP: negotiation, entity tags, methods, CORS, body size, Idempotency-Key, Host and Origin, and rate limits. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sendHttpRequest, sendRpcRequest } from '../../support/mcp.ts';
import { sendRaw } from '../../support/raw.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe('POST /mcp, the transport: forbidden_origin', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  for (const [accept, type] of [
    ['application/json, text/event-stream', 'application/json; charset=utf-8'],
    ['text/event-stream, application/json', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/*', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['', 'application/json; charset=utf-8'],
    ['text/html, */*;q=0.1', 'application/json; charset=utf-8'],
    ['text/event-stream', 'text/event-stream'],
    ['application/json;q=0.2, text/event-stream', 'text/event-stream'],
  ] as const) {
    it(`the response is ${type} if Accept is ${accept === '' ? 'empty' : accept}`, async () => {
      const answer = await sendHttpRequest(server, '/mcp', ping, { accept });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), type);
      const expected = '{"jsonrpc":"2.0","id":1,"result":{}}';
      assert.equal(answer.text, type === 'text/event-stream' ? `event: message\ndata: ${expected}\n\n` : expected);
    });
  }

  it('equal responses have the same entity tag, and different responses have different ones', async () => {
    const call = (query: string) => ({ method: 'tools/call', params: { name: 'search', arguments: { query } } });
    const messages = [
      { id: 1, method: 'ping' },
      { id: '1', method: 'ping' },
      { id: 'é\n“”', method: 'ping' },
      { id: 1, ...call('microphone') },
      { id: 2, ...call('microphone') },
      { id: 1, ...call('“microphone”, é') },
      { id: 1, method: 'nothing' },
    ].map((message) => ({ jsonrpc: '2.0', ...message }));
    const batches = [messages.slice(0, 2), messages.slice(1, 3), messages.slice(0, 1)];
    const tags = new Map<string, string>();
    for (const body of [...messages, ...batches, ...messages]) {
      for (const accept of ['application/json', 'text/event-stream']) {
        const version = { 'mcp-protocol-version': '2025-03-26' };
        const answer = await sendHttpRequest(server, '/mcp', JSON.stringify(body), { accept, ...version });
        const { text, headers } = answer;
        assert.equal(headers.get('content-length'), String(Buffer.byteLength(text)));
        const [, json = text] = /^event: message\ndata: (.*)\n\n$/.exec(text) ?? [];
        const response = JSON.parse(json);
        const getId = ({ id }: { id: unknown }) => id;
        assert.deepEqual([response].flat().map(getId), [body].flat().map(getId));
        const tag = headers.get('etag') ?? '';
        assert.match(tag, /^"[\w-]{32}"$/);
        assert.equal(tags.get(text) ?? tag, tag);
        tags.set(text, tag);
      }
    }
    assert.equal(tags.size, 2 * (messages.length + batches.length));
    assert.equal(new Set(tags.values()).size, tags.size);
  });

  it('a request with Accept: text/html is rejected with 406 not_acceptable', async () => {
    const { status, json } = await sendHttpRequest(server, '/mcp', ping, { accept: 'text/html' });
    assert.equal(status, 406);
    assert.equal(json.code, 'not_acceptable');
    assert.equal(json.error.code, -32600);
  });

  it('GET, DELETE and PUT get 405, and the detail has the command that connects a client', async () => {
    for (const path of ['/mcp', '/mcp/docs']) {
      for (const [method, accept] of [
        ['GET', 'text/event-stream'],
        ['GET', 'text/html'],
        ['DELETE', '*/*'],
        ['PUT', '*/*'],
      ] as const) {
        const { status, headers, json } = await sendHttpRequest(server, path, undefined, { accept }, method);
        assert.equal(status, 405);
        assert.equal(headers.get('allow'), 'POST, OPTIONS');
        assert.equal(headers.get('content-type'), 'application/problem+json');
        assert.match(json.detail, /claude mcp add --transport http sotto/);
        assert.ok(json.detail.includes(`${server.baseUrl}${path} `));
        assert.equal(json.error.code, -32600);
      }
      assert.equal((await sendHttpRequest(server, path, undefined, {}, 'HEAD')).status, 405);
    }
  });

  it('the response to a CORS preflight allows any origin and the headers that MCP clients in a browser send', async () => {
    const { status, headers } = await sendHttpRequest(
      server,
      '/mcp',
      undefined,
      { origin: 'http://localhost:6274' },
      'OPTIONS',
    );
    assert.equal(status, 204);
    assert.equal(headers.get('allow'), 'POST, OPTIONS');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    for (const name of [
      'content-type',
      'mcp-protocol-version',
      'mcp-method',
      'mcp-name',
      'mcp-session-id',
      'authorization',
    ]) {
      assert.ok(headers.get('access-control-allow-headers')?.toLowerCase().includes(name), name);
    }
  });

  it('a Content-Type other than application/json is rejected with 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json-rpc']) {
      const { status, json } = await sendHttpRequest(server, '/mcp', ping, { 'content-type': type });
      assert.equal(status, 415);
      assert.equal(json.code, 'unsupported_media_type');
      assert.equal(json.error.code, -32600);
    }
    assert.equal(
      (await sendHttpRequest(server, '/mcp', ping, { 'content-type': 'Application/JSON; charset=utf-8' })).status,
      200,
    );
    const untyped = await sendRaw(
      server.listenUrl,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${ping.length}\r\n\r\n${ping}`,
    );
    assert.equal(untyped.status, 415);
  });

  it('a body of 65,536 bytes is accepted, and one of 65,537 bytes is rejected with 413 payload_too_large', async () => {
    const padPing = (bytes: number) => `${ping}${' '.repeat(bytes - ping.length)}`;
    assert.equal((await sendHttpRequest(server, '/mcp', padPing(65_536))).status, 200);
    const { status, json } = await sendHttpRequest(server, '/mcp', padPing(65_537));
    assert.equal(status, 413);
    assert.equal(json.code, 'payload_too_large');
    assert.equal(json.error.code, -32600);
  });

  it('Mcp-Session-Id and Last-Event-ID of a request are ignored, and the response has no Mcp-Session-Id', async () => {
    const answer = await sendHttpRequest(server, '/mcp', ping, { 'mcp-session-id': 'abc', 'last-event-id': '1' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('mcp-session-id'), null);
  });

  it('the response has no WWW-Authenticate header', async () => {
    const { headers } = await sendHttpRequest(server, '/mcp', ping);
    assert.equal(headers.get('www-authenticate'), null);
  });

  it('a repeated Idempotency-Key replays the response, or results in 409 for another body', async () => {
    // Each process has the keys of callers without a token in its own memory, so one process gets all requests.
    const { firstServer } = server;
    const key = { 'idempotency-key': 'mcp-1' };
    const first = await sendHttpRequest(firstServer, '/mcp', ping, key);
    assert.equal(first.headers.get('idempotency-key'), 'mcp-1');
    assert.equal(first.headers.get('idempotent-replayed'), null);
    const replay = await sendHttpRequest(firstServer, '/mcp', `${ping} `, key);
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
    assert.equal(replay.text, first.text);
    const conflict = await sendHttpRequest(firstServer, '/mcp', ping.replace('1,', '2,'), key);
    assert.equal(conflict.status, 409);
    assert.equal(conflict.json.error.code, -32600);
    assert.equal((await sendHttpRequest(firstServer, '/mcp', '{', { 'idempotency-key': 'mcp-2' })).status, 400);
    assert.equal((await sendHttpRequest(firstServer, '/mcp', ping, { 'idempotency-key': 'with space' })).status, 400);
  });

  it('a server with a loopback BASE_URL rejects a Host or Origin of another machine with 403 forbidden_origin', async () => {
    const port = new URL(server.listenUrl).port;
    const sendTo = (host: string, origin: string) =>
      sendRaw(
        server.listenUrl,
        `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${origin === '' ? '' : `Origin: ${origin}\r\n`}Content-Type: application/json\r\nContent-Length: ${ping.length}\r\n\r\n${ping}`,
      );
    for (const [host, origin, status] of [
      [`localhost:${port}`, '', 200],
      [`127.0.0.1:${port}`, 'http://localhost:6274', 200],
      [`[::1]:${port}`, 'https://127.0.0.1', 200],
      [`app.localhost:${port}`, 'http://[::1]:3000', 200],
      ['evil.example', '', 403],
      [`127.0.0.1.evil.example:${port}`, '', 403],
      [`localhost:${port}`, 'https://evil.example', 403],
      [`localhost:${port}`, 'http://localhost.evil.example', 403],
      [`localhost:${port}`, 'null', 403],
    ] as const) {
      const answer = await sendTo(host, origin);
      assert.equal(answer.status, status, `${host} ${origin}`);
      if (status === 403) {
        const problem = JSON.parse(answer.body);
        assert.equal(problem.code, 'forbidden_origin');
        assert.equal(problem.error.code, -32600);
      }
    }
  });
});

describe('POST /mcp and POST /mcp/docs with BASE_URL and RATE_LIMIT_ANONYMOUS: rate_limited', () => {
  it('a server with a public BASE_URL accepts any Origin, and the response to GET names its URL', async () => {
    const server = await startTestServer({ env: { BASE_URL: 'https://docs.lamp.example' } });
    try {
      const answer = await sendHttpRequest(server, '/mcp', ping, { origin: 'https://evil.example' });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      const { json } = await sendHttpRequest(server, '/mcp', undefined, {}, 'GET');
      assert.ok(json.detail.includes('https://docs.lamp.example/mcp '));
    } finally {
      await server.close();
    }
  });

  it('requests count against RATE_LIMIT_ANONYMOUS, and the 429 is both a problem document and a JSON-RPC error', async () => {
    const server = await startTestServer({ env: { RATE_LIMIT_ANONYMOUS: '3' } });
    try {
      for (const path of ['/mcp', '/mcp/docs']) {
        const { headers } = await sendRpcRequest(server, path, 'ping');
        assert.match(headers.get('ratelimit-policy') ?? '', /^"anonymous";q=3;w=60$/);
      }
      const batch = `[${ping},${ping},${ping}]`;
      assert.equal((await sendHttpRequest(server, '/mcp', batch)).status, 200);
      const { status, headers, json } = await sendRpcRequest(server, '/mcp', 'ping');
      assert.equal(status, 429);
      assert.equal(json.code, 'rate_limited');
      assert.equal(json.error.code, -32600);
      assert.ok(Number(headers.get('retry-after')) >= 1);
      const api = await fetch(`${server.listenUrl}/api/v1`);
      assert.equal(api.status, 429);
    } finally {
      await server.close();
    }
  });
});
