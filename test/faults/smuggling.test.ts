/** Requests that two readers may cut in different places, sent to the server and through nginx: the second one inside is never read. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Nginx, notRun, startNginx } from './support/nginx.ts';
import { requestShapes } from './support/request-shapes.ts';

const { refused, refusedByServer, bodies } = requestShapes('0');

interface Heard {
  readonly text: string;
  readonly closed: boolean;
}

/** Everything that comes back until the other side closes, or half a second after it fell silent. */
function send(url: string, bytes: string): Promise<Heard> {
  const { hostname, port } = new URL(url);
  return new Promise((fulfil) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const end = (closed: boolean): void => {
      socket.destroy();
      fulfil({ text, closed });
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

const statuses = (text: string): number[] =>
  [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status));

async function withServer(use: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1' } });
  try {
    await use(server);
  } finally {
    await server.close();
  }
  // The log is whole once the server has ended.
  const paths = server.lines.map(({ path }) => path).filter((path) => typeof path === 'string');
  // A path that has it behind encoded line ends is one request's own.
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
        assert.deepEqual([statuses(text), closed], [[400], true], `${what}:\n${text}`);
      }
      for (const [what, bytes] of bodies) {
        const { text } = await send(server.listenUrl, bytes);
        assert.equal(statuses(text).length, 1, `${what}:\n${text}`);
      }
      assert.equal((await server.ask('/api/v1')).status, 200);
    }));

  describe('Request smuggling through nginx', { skip: notRun ?? false }, () => {
    it('the server receives no request inside another, and later requests get their own responses', () =>
      withServer(async (server) => {
        const nginx: Nginx = await startNginx(server.listenUrl);
        try {
          for (const [what, bytes] of [...refused, ...bodies]) {
            const { text } = await send(nginx.url, bytes);
            const [status = 0, ...others] = statuses(text);
            assert.deepEqual(others, [], `${what}:\n${text}`);
            assert.ok(status < 500, `${what}:\n${text}`);
          }
          // The connections that nginx keeps open to the server carry nothing of it to the next caller.
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
