/** Real proxies with the files that ship, in front of a real server: what each of them takes for one request is one for the server. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';
import { freePort } from './support/nginx.ts';
import { proxies, type RunningProxy } from './support/proxies.ts';
import { requestShapes } from './support/request-shapes.ts';

interface Sent {
  readonly what: string;
  readonly tag: string;
  readonly bytes: string;
  readonly maxAnswers: number;
}

/** Every shape with a unique tag, which tells them apart in the server's log. */
function everyShape(): Sent[] {
  const count = Object.values(requestShapes('000')).flat().length;
  return Array.from({ length: count }, (_, index) => {
    const tag = String(index).padStart(3, '0');
    const shape = Object.values(requestShapes(tag)).flat()[index] ?? assert.fail();
    const [what, bytes, maxAnswers = 1] = shape;
    return { what, tag, bytes, maxAnswers };
  });
}

/** Sends bytes, and returns the response until the proxy closes the connection or is silent for half a second. */
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

/** The final statuses; what looks like a status line in a body does not stand at the start of a line there. */
const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n/g)]
    .map(([, status]) => Number(status))
    .filter((status) => status >= 200);

/** A request on a new connection after each shape: it gets its own response, whatever waits on the proxy's connections. */
async function requireNext(proxy: RunningProxy, tag: string, what: string): Promise<void> {
  const path = `/api/v1/docs/after-${tag}`;
  const response = await fetch(proxy.url + path, {
    headers: { 'x-request-id': `after-${tag}` },
    signal: AbortSignal.timeout(30_000),
  });
  const { instance } = JSON.parse(await response.text());
  assert.deepEqual([response.status, instance], [404, path], `after ${what}`);
}

async function tryAll(
  server: TestServer,
  proxy: RunningProxy,
): Promise<{ shapes: Sent[]; statuses: Map<string, number[]> }> {
  const shapes = everyShape();
  const statuses = new Map<string, number[]>();
  const waiting = shapes.slice();
  const worker = async (): Promise<void> => {
    for (let shape = waiting.shift(); shape !== undefined; shape = waiting.shift()) {
      statuses.set(shape.tag, statusesIn(await send(proxy.url, shape.bytes)));
      await requireNext(proxy, shape.tag, shape.what);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  await server.close();
  return { shapes, statuses };
}

for (const kind of proxies) {
  describe(`Request smuggling through ${kind.name} (RFC 9112 section 11.2)`, { skip: kind.notRun ?? false }, () => {
    it('the server reads no request twice, and none that the proxy read as a part of another', async (t) => {
      const { alone: server } = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1' } });
      t.after(() => server.close());
      const proxy = await kind.start(server.listenUrl);
      t.after(() => proxy.close());
      const { shapes, statuses } = await tryAll(server, proxy);
      assert.ok(shapes.length >= 80, `${shapes.length} shapes`);
      const lines = server.lines.filter(({ msg }) => msg === 'request');
      let passedOn = 0;
      let refusedHere = 0;
      let readAsTwo = 0;
      for (const { what, tag, maxAnswers } of shapes) {
        const own = lines.filter(({ client_request_id }) => client_request_id === `shape-${tag}`);
        const hidden = lines.filter(({ path }) => String(path).includes(`/evil-${tag}`));
        const answers = statuses.get(tag) ?? [];
        const seen = `${what}: the server saw ${own.length} and ${hidden.length} hidden, the caller ${answers.join(' ')}`;
        assert.ok(own.length <= maxAnswers, seen);
        // Bytes that the proxy itself took for two requests got two responses; of those without one, one may have been in progress.
        assert.ok(own.length + hidden.length <= Math.max(1, answers.length), seen);
        if (hidden.length > 0) readAsTwo += 1;
        if (own.length > 0) passedOn += 1;
        if (own.some(({ status }) => status === 400)) refusedHere += 1;
      }
      const failed = lines.filter(({ status }) => Number(status) >= 500);
      assert.deepEqual(failed, []);
      t.diagnostic(
        `${kind.name}: ${shapes.length} shapes, ${passedOn} passed on, ${refusedHere} of them refused with 400 by the server, ${readAsTwo} read as two requests by the proxy and the server alike; every next request got its own response`,
      );
    });
  });
}

const caddy = proxies.find(({ name }) => name === 'Caddy') ?? assert.fail();

describe('Caddy in front of a server that is restarting', { skip: caddy.notRun ?? false }, () => {
  it('a request waits until the server listens again', async (t) => {
    const port = await freePort();
    const proxy = await caddy.start(`http://127.0.0.1:${port}`);
    t.after(() => proxy.close());
    const response = fetch(`${proxy.url}/api/v1/faq`);
    const { alone: server } = await startTestServer({ env: { PORT: String(port), TRUST_PROXY: '127.0.0.1' } });
    t.after(() => server.close());
    assert.equal((await response).status, 200);
  });

  it('a request that waits too long gets 503 upstream_unavailable with Retry-After', async (t) => {
    const proxy = await caddy.start(`http://127.0.0.1:${await freePort()}`);
    t.after(() => proxy.close());
    const response = await fetch(`${proxy.url}/api/v1/faq?a=1`);
    const { request_id, ...problem } = JSON.parse(await response.text());
    assert.equal(request_id, response.headers.get('x-request-id'));
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), response.headers.get('retry-after')],
      [503, 'application/problem+json', '5'],
    );
    assert.deepEqual(problem, {
      object: 'error',
      type: 'https://127.0.0.1/developers/errors#upstream_unavailable',
      title: 'Upstream unavailable',
      status: 503,
      detail: 'The service does not answer. Try again in 5 seconds.',
      instance: '/api/v1/faq',
      code: 'upstream_unavailable',
      docs_url: 'https://127.0.0.1/developers/errors',
    });
  });
});
