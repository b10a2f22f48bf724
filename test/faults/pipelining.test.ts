/**
 * Bursts of pipelined requests: each gets the same response as when it is sent by itself, whole and in order, whatever
 * comes before and after it.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { it, type TestContext } from 'node:test';
import { type ReceivedResponse, sendParts } from '../support/conversation.ts';
import { createBearerHeaders, createToken } from '../support/oauth.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { isShort } from './service.ts';

interface Shape {
  readonly what: string;
  readonly method: string;
  readonly bytes: string;
  /** Whether the server closes the connection after the response. */
  readonly isLast: boolean;
}

const request = (what: string, line: string, headers: readonly string[] = [], body = '', isLast = false): Shape => ({
  what,
  method: line.split(' ')[0] ?? '',
  bytes: `${line} HTTP/1.1\r\n${['Host: localhost', ...headers].join('\r\n')}\r\n\r\n${body}`,
  isLast,
});

const json = 'Content-Type: application/json';
const post = (what: string, path: string, body: string, headers: readonly string[] = [json], isLast = false): Shape =>
  request(what, `POST ${path}`, [...headers, `Content-Length: ${Buffer.byteLength(body)}`], body, isLast);

const batch = JSON.stringify({ operations: [{ id: 'a', method: 'GET', path: '/faq' }] });
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const tools = JSON.stringify({ jsonrpc: '2.0', id: 'two', method: 'tools/list' });
const chunks = (body: string): string => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/**
 * Returns every kind of request that a burst may have; `token` is a valid access token, and `etag` the entity tag of /api/v1/docs.
 */
const listShapes = (token: string, etag: string): Shape[] => [
  request('a cached GET', 'GET /api/v1/docs?limit=1'),
  request('a cached page', 'GET /docs/quickstart', ['Accept: text/html']),
  request('the whole contract', 'GET /openapi.json', ['Accept-Encoding: identity']),
  request('a compressed answer', 'GET /openapi.json', ['Accept-Encoding: gzip']),
  request('markdown', 'GET /api/v1/docs/quickstart', ['Accept: text/markdown']),
  request('a computed search', 'GET /api/v1/search?q=light+microphone'),
  request('the sandbox', 'GET /api/v1/sandbox/faq'),
  request('a simulated failure', 'GET /api/v1/sandbox/faq?simulate=internal_error'),
  request('a 304', 'GET /api/v1/docs', [`If-None-Match: ${etag}`]),
  request('HEAD', 'HEAD /api/v1/docs'),
  request('HEAD of a 404', 'HEAD /api/v1/nothing'),
  request('a preflight', 'OPTIONS /api/v1/docs', ['Origin: https://a.example', 'Access-Control-Request-Method: GET']),
  request('OPTIONS *', 'OPTIONS *'),
  request('a 404', 'GET /api/v1/docs/none'),
  request('a 405', 'DELETE /api/v1/docs'),
  request('a 406', 'GET /api/v1/docs', ['Accept: image/png']),
  request('a 400', 'GET /api/v1/docs?limit=x'),
  request('a token', 'GET /api/v1/docs?limit=2', [`Authorization: Bearer ${token}`]),
  request('a refused token', 'GET /api/v1/docs', ['Authorization: Bearer junk']),
  request('whose token', 'GET /agent/auth', [`Authorization: Bearer ${token}`]),
  request('a body of a GET', 'GET /api/v1/faq', ['Content-Length: 5'], 'hello'),
  post('a batch', '/api/v1/batch', batch),
  request('a batch in chunks', 'POST /api/v1/batch', [json, 'Transfer-Encoding: chunked'], chunks(batch)),
  post('a body that is no JSON', '/api/v1/batch', '{'),
  post('a body of another type', '/api/v1/batch', batch, ['Content-Type: text/plain']),
  post('MCP', '/mcp', ping, [json, 'Accept: application/json, text/event-stream']),
  post('MCP as a stream', '/mcp', tools, [json, 'Accept: text/event-stream']),
  post('a wrong client', '/oauth/token', 'grant_type=client_credentials', [
    'Content-Type: application/x-www-form-urlencoded',
  ]),
  post('a body that is too large', '/api/v1/batch', 'x'.repeat(70_000), [json], true),
  request('a large length', 'POST /api/v1/batch', [json, 'Content-Length: 1000000000'], '', true),
  request('a fragment', 'GET /mcp#', [], '', true),
  request('two hosts', 'GET /api/v1', ['Host: other'], '', true),
  request('Upgrade', 'GET /api/v1/faq', ['Connection: Upgrade', 'Upgrade: websocket'], '', true),
  request('close', 'GET /api/v1/faq', ['Connection: close'], '', true),
  request('CONNECT', 'CONNECT a.example:443', [], '', true),
  { what: 'no request', method: 'GET', bytes: 'HELLO\r\n\r\n', isLast: true },
  request('a broken chunk', 'POST /api/v1/batch', [json, 'Transfer-Encoding: chunked'], 'zz\r\n', true),
  request('a head that is too large', 'GET /api/v1', [`X: ${'a'.repeat(20_000)}`], '', true),
];

/** Returns a function that returns whole numbers from 0 to below `max`, the same sequence for the same seed (mulberry32). */
function createRandom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  };
}

/**
 * Returns the part of a response that must not depend on how often, and after which requests, it is requested: its status, stable
 * headers, entity tag (empty for an error) and text, with `ID` for the request ID.
 */
function getStablePart({ status, headers, body }: ReceivedResponse): object {
  const { date: _, 'x-request-id': id = '', ...others } = headers;
  const stableHeaders = Object.entries(others).filter(
    ([name]) => !/^ratelimit|^connection$|^keep-alive$|^content-length$|^etag$/.test(name),
  );
  const text = id === '' ? body.toString('latin1') : body.toString('latin1').replaceAll(id, 'ID');
  // The entity tag of an error depends on its request ID, so it is left out.
  const tag = status < 400 ? headers.etag : '';
  return { status, headers: Object.fromEntries(stableHeaders), text, tag };
}

async function setUp(t: TestContext) {
  const { firstServer: server } = await startTestServer();
  t.after(() => server.close());
  const token = await createToken(server);
  const { headers } = await server.request('/api/v1/docs', { headers: { 'accept-encoding': 'identity' } });
  const shapes = listShapes(token, headers.get('etag') ?? '');
  assert.equal((await server.request('/agent/auth', { headers: createBearerHeaders(token) })).status, 200);
  const singleResponses = new Map<Shape, object>();
  for (const shape of shapes) {
    const parts = shape.isLast ? [shape.bytes] : [shape.bytes, ending];
    const methods = [shape.method];
    const { responses, rest, isClosed } = await sendParts(server.listenUrl, parts, { methods, silenceMs: 20_000 });
    assert.deepEqual([responses.length, rest, isClosed], [parts.length, '', true], shape.what);
    const [response] = responses;
    if (response !== undefined) singleResponses.set(shape, getStablePart(response));
  }
  return { server, shapes, singleResponses };
}

const ending = 'GET /robots.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/**
 * Sends bytes, such as a burst that was cut at a random place, as one segment, and disconnects before any response. Never rejects.
 */
async function sendAndLeave({ listenUrl }: TestServer, bytes: string): Promise<void> {
  const { hostname, port } = new URL(listenUrl);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.on('connect', () => socket.write(bytes, 'latin1', () => socket.destroy()));
  });
}

it('pipelined requests get the same responses as requests that are sent one by one, in order', async (t) => {
  const { server, shapes, singleResponses } = await setUp(t);
  const pick = createRandom(20_261_122);
  const bursts = isShort ? 150 : 1500;
  let responseCount = 0;
  let abortedCount = 0;
  for (let burst = 0; burst < bursts; burst += 1) {
    const burstShapes: Shape[] = [];
    for (let length = 1 + pick(12); burstShapes.length < length; ) {
      const shape = shapes[pick(shapes.length)] ?? assert.fail();
      // A request that ends its connection is used only in one of four cases, because nothing behind it gets a response.
      if (!shape.isLast || pick(4) === 0) burstShapes.push(shape);
    }
    const cut = burstShapes.findIndex(({ isLast }) => isLast);
    const expectedShapes = cut === -1 ? burstShapes : burstShapes.slice(0, cut + 1);
    const bytes = burstShapes.map((shape) => shape.bytes).join('') + (cut === -1 ? ending : '');
    if (pick(8) === 0) {
      await sendAndLeave(server, bytes.slice(0, 1 + pick(bytes.length)));
      abortedCount += 1;
      continue;
    }
    const methods = [...expectedShapes.map(({ method }) => method), 'GET'];
    const { responses, rest, isClosed } = await sendParts(server.listenUrl, [bytes], { methods, silenceMs: 20_000 });
    const what = `burst ${burst}: ${burstShapes.map((shape) => shape.what).join(', ')}`;
    assert.deepEqual([rest, isClosed], ['', true], what);
    assert.equal(responses.length, expectedShapes.length + (cut === -1 ? 1 : 0), what);
    for (const [index, shape] of expectedShapes.entries()) {
      const response = responses[index] ?? assert.fail(what);
      assert.deepEqual(
        getStablePart(response),
        singleResponses.get(shape),
        `${what}: number ${index + 1}, ${shape.what}`,
      );
    }
    responseCount += expectedShapes.length;
  }
  assert.equal((await server.request('/api/v1/docs')).status, 200);
  const failures = server.logLines.filter(({ level, path }) => level === 'error' && path !== '/api/v1/sandbox/faq');
  assert.deepEqual(failures, []);
  t.diagnostic(
    `${bursts - abortedCount} bursts of ${shapes.length} kinds, ${responseCount} responses, each the one that its request gets by itself; ${abortedCount} clients disconnected in the middle`,
  );
});
