/** POST /api/v1/batch and an MCP batch let other requests run between their operations. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { sendRaw } from '../support/raw.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Creates a clock that advances by 20 ms each time it is read, so that each operation seems to take at least 20 ms. */
function createSlowClock(): Clock {
  let elapsed = 0;
  return {
    ...systemClock,
    monotonic: () => {
      elapsed += 20;
      return elapsed;
    },
  };
}

const post = (path: string, body: unknown, headers = ''): string => {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

const searches = Array.from({ length: 20 }, (_, index) => `model ${index}`);

describe('POST /api/v1/batch and POST /mcp with a batch of 20 searches', () => {
  let server: TestServer;
  before(async () => {
    server = (await startTestServer({ clock: createSlowClock() })).firstServer;
  });
  after(() => server.close());

  const requests: readonly (readonly [name: string, bytes: string])[] = [
    [
      'POST /api/v1/batch',
      post('/api/v1/batch', {
        operations: searches.map((query) => ({
          id: query,
          method: 'GET',
          path: `/search?q=${encodeURIComponent(query)}`,
        })),
      }),
    ],
    [
      'POST /mcp',
      post(
        '/mcp',
        searches.map((query, id) => ({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'search', arguments: { query } },
        })),
        'Accept: application/json\r\nMCP-Protocol-Version: 2025-03-26\r\n',
      ),
    ],
  ];
  for (const [name, bytes] of requests) {
    it(`a GET that arrives during ${name} gets its response before the batch does`, async () => {
      const { status, body } = await sendRaw(server.listenUrl, bytes);
      assert.equal(status, 200, body);
      const [batch, get] = await Promise.all([openIdle(server), openIdle(server)]);
      const order: string[] = [];
      const arrivals = [
        once(batch, 'data').then(() => order.push('batch')),
        once(get, 'data').then(() => order.push('GET')),
      ];
      batch.write(bytes);
      get.write('GET /api/v1/faq HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await Promise.all(arrivals);
      for (const socket of [batch, get]) socket.destroy();
      assert.deepEqual(order, ['GET', 'batch']);
    });
  }
});

/** Opens a connection, and returns it idle after one response. The caller closes it. */
async function openIdle(server: TestServer): Promise<Socket> {
  const { hostname, port } = new URL(server.listenUrl);
  const socket = connect(Number(port), hostname);
  socket.write('GET /api/v1/faq HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  return socket;
}
