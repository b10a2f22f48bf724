/** Real proxies with their files in packaging/, in front of a real server: what a proxy reads as one request, the server reads as one. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { findFreePort } from '../support/free-port.ts';
import { createProblem } from '../support/problem.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { proxies, type RunningProxy } from './support/proxies.ts';
import { createRequestShapes } from './support/request-shapes.ts';

interface TaggedShape {
  readonly what: string;
  readonly tag: string;
  readonly bytes: string;
  readonly maxResponses: number;
}

/** Returns every shape with a unique tag, which identifies its requests in the log of the server. */
function listShapes(): TaggedShape[] {
  const count = Object.values(createRequestShapes('000')).flat().length;
  return Array.from({ length: count }, (_, index) => {
    const tag = String(index).padStart(3, '0');
    const shape = Object.values(createRequestShapes(tag)).flat()[index] ?? assert.fail();
    const [what, bytes, maxResponses = 1] = shape;
    return { what, tag, bytes, maxResponses };
  });
}

/**
 * Sends bytes, and returns all text that arrives until the proxy closes the connection or is silent, for 3 seconds at first and
 * half a second later. Never rejects: without a connection, the text is empty.
 */
function send(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const end = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.on('connect', () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      socket.setTimeout(500);
    });
    socket.setTimeout(3000, end);
    socket.on('close', end);
    socket.on('error', end);
  });
}

/** Returns the statuses in the text of responses, in order, without interim ones (1xx). A status line in a body counts, too. */
const readStatuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n/g)]
    .map(([, status]) => Number(status))
    .filter((status) => status >= 200);

/** Asserts that a request on a new connection gets its own response, and not one that the shape left on a connection of the proxy. */
async function assertNextResponse(proxy: RunningProxy, tag: string, what: string): Promise<void> {
  const path = `/api/v1/docs/after-${tag}`;
  const response = await fetch(proxy.url + path, {
    headers: { 'x-request-id': `after-${tag}` },
    signal: AbortSignal.timeout(30_000),
  });
  const { instance } = JSON.parse(await response.text());
  assert.deepEqual([response.status, instance], [404, path], `after ${what}`);
}

async function sendAllShapes(
  server: TestServer,
  proxy: RunningProxy,
): Promise<{ shapes: TaggedShape[]; statuses: Map<string, number[]> }> {
  const shapes = listShapes();
  const statuses = new Map<string, number[]>();
  const queue = shapes.slice();
  const worker = async (): Promise<void> => {
    for (let shape = queue.shift(); shape !== undefined; shape = queue.shift()) {
      statuses.set(shape.tag, readStatuses(await send(proxy.url, shape.bytes)));
      await assertNextResponse(proxy, shape.tag, shape.what);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  await server.close();
  return { shapes, statuses };
}

for (const kind of proxies) {
  describe(`Request smuggling through ${kind.name} (RFC 9112 section 11.2)`, { skip: kind.skipReason ?? false }, () => {
    it('the server reads no request twice, and none that the proxy read as a part of another', async (t) => {
      const { firstServer: server } = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1' } });
      t.after(() => server.close());
      const proxy = await kind.start(server.listenUrl);
      t.after(() => proxy.close());
      const { shapes, statuses } = await sendAllShapes(server, proxy);
      assert.ok(shapes.length >= 80, `${shapes.length} shapes`);
      const lines = server.logLines.filter(({ msg }) => msg === 'request');
      let passedCount = 0;
      let refusedCount = 0;
      let splitCount = 0;
      for (const { what, tag, maxResponses } of shapes) {
        const ownLines = lines.filter(({ client_request_id }) => client_request_id === `shape-${tag}`);
        const hiddenLines = lines.filter(({ path }) => String(path).includes(`/evil-${tag}`));
        const shapeStatuses = statuses.get(tag) ?? [];
        const summary = `${what}: the server logged ${ownLines.length} and ${hiddenLines.length} hidden, the client got ${shapeStatuses.join(' ')}`;
        assert.ok(ownLines.length <= maxResponses, summary);
        // Bytes that the proxy read as two requests got two responses. Without a response, one request may still have been in progress.
        assert.ok(ownLines.length + hiddenLines.length <= Math.max(1, shapeStatuses.length), summary);
        if (hiddenLines.length > 0) splitCount += 1;
        if (ownLines.length > 0) passedCount += 1;
        if (ownLines.some(({ status }) => status === 400)) refusedCount += 1;
      }
      const failures = lines.filter(({ status }) => Number(status) >= 500);
      assert.deepEqual(failures, []);
      t.diagnostic(
        `${kind.name}: ${shapes.length} shapes, ${passedCount} passed on, ${refusedCount} of them refused with 400 by the server, ${splitCount} read as two requests by the proxy and the server alike; every next request got its own response`,
      );
    });
  });
}

const caddy = proxies.find(({ name }) => name === 'Caddy') ?? assert.fail();

describe('Caddy in front of a server that is restarting', { skip: caddy.skipReason ?? false }, () => {
  it('a request waits until the server listens again', async (t) => {
    const port = await findFreePort();
    const proxy = await caddy.start(`http://127.0.0.1:${port}`);
    t.after(() => proxy.close());
    const response = fetch(`${proxy.url}/api/v1/faq`);
    const { firstServer: server } = await startTestServer({ env: { PORT: String(port), TRUST_PROXY: '127.0.0.1' } });
    t.after(() => server.close());
    assert.equal((await response).status, 200);
  });

  it('a request that waits too long gets 503 upstream_unavailable with Retry-After', async (t) => {
    const proxy = await caddy.start(`http://127.0.0.1:${await findFreePort()}`);
    t.after(() => proxy.close());
    const response = await fetch(`${proxy.url}/api/v1/faq?a=1`);
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), response.headers.get('retry-after')],
      [503, 'application/problem+json', '5'],
    );
    assert.deepEqual(
      JSON.parse(await response.text()),
      createProblem('https://127.0.0.1', {
        title: 'Upstream unavailable',
        status: 503,
        detail: 'The service does not answer. Try again in 5 seconds.',
        instance: '/api/v1/faq',
        code: 'upstream_unavailable',
        request_id: response.headers.get('x-request-id'),
        docs_url: 'https://127.0.0.1/developers/errors',
      }),
    );
  });
});
