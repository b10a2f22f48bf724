/** Responses are sent together at the end of an event loop turn: their order, their number, and clients that have disconnected. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createResponseBatch } from '../../src/http/response-batch.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('Pipelined requests on one connection (RFC 9112 section 9.3.2)', () => {
  let testServer: TestServer;
  let server: TestServer;
  before(async () => {
    testServer = await startTestServer();
    server = testServer.firstServer;
  });
  after(() => testServer.close());

  const open = async () => {
    const { hostname, port } = new URL(server.listenUrl);
    const socket = connect(Number(port), hostname).on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const request = (method: string, path: string, body = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n` +
    (body === '' ? '\r\n' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);

  /** Sends bytes, and returns the statuses of all responses and the `instance` of errors until the server closes. */
  async function readResponses(bytes: string): Promise<string[]> {
    const socket = await open();
    const received: Buffer[] = [];
    socket.on('data', (chunk) => received.push(Buffer.from(chunk)));
    socket.write(bytes);
    await once(socket, 'close');
    const text = Buffer.concat(received).toString('latin1');
    return [...text.matchAll(/HTTP\/1\.1 (\d+)|"instance": ?"([^"]*)"/g)].map(
      ([, status, path]) => status ?? path ?? '',
    );
  }

  it('responses arrive in the order of their requests, cached or not', async () => {
    const batch = JSON.stringify({ operations: [{ id: 'a', method: 'GET', path: '/faq' }] });
    const createRound = (index: number) => [
      request('GET', '/api/v1/releases/latest'),
      request('GET', `/api/v1/docs/none-${index}`),
      request('POST', '/api/v1/batch', batch),
      request('HEAD', '/api/v1/faq'),
      request('DELETE', '/api/v1/faq'),
      request('GET', '/api/v1/sandbox/faq'),
      request('GET', '/api/v1/releases/latest'),
    ];
    const rounds = Array.from({ length: 30 }, (_, index) => index);
    const last = 'GET /api/v1/faq HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    assert.deepEqual(await readResponses(rounds.flatMap(createRound).join('') + last), [
      ...rounds.flatMap((index) => [
        '200',
        '404',
        `/api/v1/docs/none-${index}`,
        '200',
        '200',
        '405',
        '/api/v1/faq',
        '200',
        '200',
      ]),
      '200',
    ]);
  });

  it('the responses to valid requests arrive before the 400 for a malformed request behind them', async () => {
    const validRequests = request('GET', '/api/v1/releases/latest').repeat(3);
    assert.deepEqual((await readResponses(`${validRequests}BROKEN\r\n\r\n`)).slice(0, 4), ['200', '200', '200', '400']);
  });

  it('clients that disconnect before their responses cause no warning in the log, and another request gets 200', async () => {
    await server.request('/api/v1/releases/latest');
    const sockets = await Promise.all(Array.from({ length: 40 }, open));
    for (const [index, socket] of sockets.entries()) {
      socket.write(request('GET', '/api/v1/releases/latest').repeat(5));
      if (index % 2 === 0) socket.resetAndDestroy();
      else socket.destroy();
    }
    const { status } = await server.request('/api/v1/faq');
    assert.equal(status, 200);
    assert.deepEqual(
      server.logLines.filter(({ level }) => level !== 'info'),
      [],
    );
  });
});

describe('createResponseBatch', () => {
  it('responses are sent in order at the end of the event loop turn, or when flush is called', async () => {
    const responses = createResponseBatch();
    const numbers: number[] = [];
    const copyNumbers = (): readonly number[] => [...numbers];
    for (const number of [1, 2, 3]) responses.add(() => void numbers.push(number));
    assert.deepEqual(copyNumbers(), []);
    await new Promise(setImmediate);
    assert.deepEqual(copyNumbers(), [1, 2, 3]);
    responses.add(() => void numbers.push(4));
    responses.flush();
    assert.deepEqual(copyNumbers(), [1, 2, 3, 4]);
    responses.add(() => void numbers.push(5));
    await new Promise(setImmediate);
    assert.deepEqual(copyNumbers(), [1, 2, 3, 4, 5]);
  });

  it('the 32nd response sends the whole batch at once', () => {
    const responses = createResponseBatch();
    let sentCount = 0;
    const send = (): void => {
      sentCount += 1;
    };
    for (let index = 0; index < 31; index += 1) responses.add(send);
    assert.equal(sentCount, 0);
    responses.add(send);
    assert.equal(sentCount, 32);
  });
});
