/** Requests that two parsers may split at different places, sent to the server and through nginx: no hidden request is ever read. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Nginx, nginxSkipReason, startNginx } from './support/nginx.ts';
import { createRequestShapes } from './support/request-shapes.ts';

const { refused, refusedByServer, bodies } = createRequestShapes('0');

interface RawOutput {
  readonly text: string;
  readonly closed: boolean;
}

/**
 * Sends bytes, and returns everything that arrives until the other side closes or is silent, for 20 seconds at first and half a
 * second later; `closed` tells these cases apart, and is true for an error too. Never rejects.
 */
function send(url: string, bytes: string): Promise<RawOutput> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const end = (closed: boolean): void => {
      socket.destroy();
      resolve({ text, closed });
    };
    socket.on('connect', () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      socket.setTimeout(500);
    });
    socket.setTimeout(20_000, () => end(false));
    socket.on('close', () => end(true));
    socket.on('error', () => end(true));
  });
}

const readStatuses = (text: string): number[] =>
  [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status));

async function withServer(run: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1' } });
  try {
    await run(server);
  } finally {
    await server.close();
  }
  // The log is complete only once the server has closed.
  const paths = server.logLines.map(({ path }) => path).filter((path) => typeof path === 'string');
  // One shape has `/evil` behind encoded line ends in its own path, which does not begin with it.
  assert.deepEqual(
    paths.filter((path) => path.startsWith('/evil')),
    [],
  );
}

describe('Request smuggling (RFC 9112 section 11.2)', () => {
  it('an ambiguous request gets one 400 and a closed connection, and no body is read as a request', () =>
    withServer(async (server) => {
      for (const [what, bytes] of [...refused, ...refusedByServer]) {
        const { text, closed } = await send(server.listenUrl, bytes);
        assert.deepEqual([readStatuses(text), closed], [[400], true], `${what}:\n${text}`);
      }
      for (const [what, bytes] of bodies) {
        const { text } = await send(server.listenUrl, bytes);
        assert.equal(readStatuses(text).length, 1, `${what}:\n${text}`);
      }
      assert.equal((await server.request('/api/v1')).status, 200);
    }));

  describe('Request smuggling through nginx', { skip: nginxSkipReason ?? false }, () => {
    it('the server receives no request inside another, and later requests get their own responses', () =>
      withServer(async (server) => {
        const nginx: Nginx = await startNginx(server.listenUrl);
        try {
          for (const [what, bytes] of [...refused, ...bodies]) {
            const { text } = await send(nginx.url, bytes);
            const [status = 0, ...others] = readStatuses(text);
            assert.deepEqual(others, [], `${what}:\n${text}`);
            assert.ok(status < 500, `${what}:\n${text}`);
          }
          // No response to a hidden request may be left on the connections that nginx keeps open to the server.
          for (let times = 0; times < 40; times += 1) {
            const response = await fetch(`${nginx.url}/api/v1/faq?time=${times}`);
            assert.equal(response.status, 200);
            assert.match(await response.text(), /"object":"list"/);
          }
        } finally {
          await nginx.close();
        }
      }));
  });
});
