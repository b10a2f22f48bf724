/** Requests that two readers may cut in different places, sent to the server and through nginx: the second one inside is never read. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Nginx, notRun, startNginx } from './support/nginx.ts';

const inner = 'GET /evil HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const json = 'Content-Type: application/json\r\n';
const post = (headers: string, body: string): string =>
  `POST /api/v1/batch HTTP/1.1\r\nHost: 127.0.0.1\r\n${json}${headers}\r\n${body}`;
const get = (headers: string, body = ''): string => `GET /api/v1 HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n${body}`;

const chunked = 'Transfer-Encoding: chunked\r\n';
const lengthOfBoth = `Content-Length: ${5 + inner.length}\r\n`;
const ended = `0\r\n\r\n${inner}`;

/** Each is malformed or ambiguous under RFC 9112 and has to be answered 400, once, and the connection closed. */
const refused: readonly (readonly [what: string, bytes: string])[] = [
  ['a length, then chunks', post(`Content-Length: 5\r\n${chunked}`, ended)],
  ['chunks, then a length', post(`${chunked}${lengthOfBoth}`, ended)],
  ['chunks and a length of 0', post(`${chunked}Content-Length: 0\r\n`, ended)],
  ['a transfer coding nobody knows', post('Transfer-Encoding: xchunked\r\n', ended)],
  ['a transfer coding nobody knows, and a length', post(`Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n`, ended)],
  ['identity after chunked', post('Transfer-Encoding: chunked, identity\r\n', ended)],
  ['identity before chunked', post('Transfer-Encoding: identity, chunked\r\n', ended)],
  ['identity and a length', post(`Transfer-Encoding: identity\r\nContent-Length: 5\r\n`, ended)],
  ['chunked twice', post('Transfer-Encoding: chunked, chunked\r\n', ended)],
  ['chunked in two fields', post(`${chunked}${chunked}`, ended)],
  ['chunked and another field of it', post(`${chunked}Transfer-Encoding: identity\r\n`, ended)],
  ['chunked in quotes', post('Transfer-Encoding: "chunked"\r\n', ended)],
  ['chunked with a parameter', post('Transfer-Encoding: chunked;q=1\r\n', ended)],
  ['an empty transfer coding', post(`Transfer-Encoding:\r\nContent-Length: 5\r\n`, ended)],
  ['a space before the colon', post('Transfer-Encoding : chunked\r\n', ended)],
  ['a tab before the colon', post('Transfer-Encoding\t: chunked\r\n', ended)],
  ['a vertical tab before the value', post('Transfer-Encoding:\x0bchunked\r\n', ended)],
  ['a NUL after the value', post('Transfer-Encoding: chunked\0\r\n', ended)],
  ['a folded value', post('Transfer-Encoding:\r\n chunked\r\n', ended)],
  ['a folded field before it', post(`X: y\r\n Transfer-Encoding: chunked\r\n${lengthOfBoth}`, ended)],
  ['a bare CR inside a field', post(`X: y\rTransfer-Encoding: chunked\r\n${lengthOfBoth}`, ended)],
  ['a name in brackets', post(`[Transfer-Encoding]: chunked\r\n${lengthOfBoth}`, ended)],
  ['a field without a name', post(`: chunked\r\n${lengthOfBoth}`, ended)],
  ['a field without a colon', post(`Transfer-Encoding chunked\r\n${lengthOfBoth}`, ended)],
  ['a space before the first field', `POST /api/v1/batch HTTP/1.1\r\n ${chunked}Host: 127.0.0.1\r\n\r\n${ended}`],
  ['two lengths that differ', post(`Content-Length: 0\r\n${lengthOfBoth}`, ended)],
  ['two lengths in one field', post('Content-Length: 0, 5\r\n', ended)],
  ['the same length twice in one field', post('Content-Length: 5, 5\r\n', ended)],
  ['a length with a sign', post('Content-Length: +5\r\n', ended)],
  ['a negative length', post('Content-Length: -5\r\n', ended)],
  ['a hexadecimal length', post('Content-Length: 0x5\r\n', ended)],
  ['a length with a fraction', post('Content-Length: 5.0\r\n', ended)],
  ['a length with a space inside', post('Content-Length: 5 5\r\n', ended)],
  ['an empty length', post('Content-Length:\r\n', ended)],
  ['a length past 64 bits', post('Content-Length: 18446744073709551621\r\n', ended)],
  ['a negative chunk', post(chunked, `-5\r\nhello\r\n${ended}`)],
  ['a chunk size in C’s notation', post(chunked, `0x5\r\nhello\r\n${ended}`)],
  ['a chunk size past 64 bits', post(chunked, `10000000000000005\r\nhello\r\n${ended}`)],
  ['a chunk without a size', post(chunked, `\r\nhello\r\n${ended}`)],
  ['a chunk that is longer than it says', post(chunked, `3\r\nhello\r\n${ended}`)],
  ['a chunk extension with a bare CR', post(chunked, `5;a\rb\r\nhello\r\n${ended}`)],
  ['two Host fields', get(`Host: evil.example\r\n`)],
  ['a Host with a path', `GET /api/v1 HTTP/1.1\r\nHost: 127.0.0.1/evil\r\n\r\n${inner}`],
  ['a Host with a user', `GET /api/v1 HTTP/1.1\r\nHost: a@127.0.0.1\r\n\r\n${inner}`],
  ['a target of another host', `GET http://evil.example/api/v1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${inner}`],
  ['two versions', `GET /api/v1 HTTP/1.1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${inner}`],
  ['a version of the future', `GET /api/v1 HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n${inner}`],
  ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${inner}`],
  ['a method with a space', `GE T /api/v1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${inner}`],
];

/** nginx takes a bare LF for the end of a line and frames what it passes on anew; the server takes it from nobody. */
const refusedByServer: typeof refused = [
  ['a chunk size that ends in a bare LF', post(chunked, `5\nhello\r\n${ended}`)],
  ['a chunk extension with a bare LF', post(chunked, `5;a\nhello\r\n${ended}`)],
];

/** Each is one request with a body that looks like another: whatever the status, the body is not a request. */
const bodies: readonly (readonly [what: string, bytes: string])[] = [
  ['a GET with a body', get(`Content-Length: ${inner.length}\r\n`, inner)],
  ['a HEAD with a body', get(`Content-Length: ${inner.length}\r\n`, inner).replace('GET', 'HEAD')],
  ['a body that is refused for its type', post(`Content-Length: ${inner.length}\r\n`, inner).replace(json, '')],
  ['a body that is no JSON', post(`Content-Length: ${inner.length}\r\n`, inner)],
  ['a body in chunks', post(chunked, `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`)],
  ['a trailer that names a length', post(chunked, `2\r\n{}\r\n0\r\nContent-Length: ${inner.length}\r\n\r\n`)],
  [
    'an upgrade',
    get(
      `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: ${inner.length}\r\n`,
      inner,
    ),
  ],
  [
    'a path that has a request in it',
    `GET /api/v1/docs/a%20HTTP/1.1%0d%0aHost:%20b%0d%0a%0d%0aGET%20/evil HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  ],
];

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
  assert.deepEqual(
    paths.filter((path) => path === '/evil' || path.endsWith('/../evil')),
    [],
  );
}

describe('a request inside another', () => {
  it('is refused by the server with 400, once, and the connection is closed', () =>
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

  describe('through nginx', { skip: notRun ?? false }, () => {
    it('never reaches the server', () =>
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
