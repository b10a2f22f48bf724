/** RFC 9112 section 9.6: a client that closes its side of the connection behind its requests still gets every response. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { type ReceivedResponse, readResponses } from '../support/conversation.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createBasicHeaders, createToken, registerClient } from '../support/oauth.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';

async function start(t: TestContext, options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  t.after(() => server.close());
  return server;
}

/** Sends `bytes` and FIN, and returns every response that arrives until the server closes the connection. Rejects if it breaks. */
function sendAndHalfClose(url: string, bytes: string): Promise<ReceivedResponse[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(readResponses(Buffer.concat(chunks)).responses));
    socket.end(bytes);
  });
}

const request = (line: string, headers: Record<string, string> = {}, body = ''): string =>
  [
    `${line} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n');

describe('A client that half-closes its connection (RFC 9112 section 9.6)', () => {
  it('pipelined requests, with and without a token, get their responses in order', async (t) => {
    const server = await start(t);
    const token = { Authorization: `Bearer ${await createToken(server)}` };
    const requests = [
      request('GET /api/v1/faq'),
      request('GET /api/v1/releases/latest', token),
      request(
        'POST /api/v1/exports',
        { ...token, 'Content-Type': 'application/json' },
        '{"resource":"faq","format":"json"}',
      ),
      request('GET /docs'),
    ];
    const responses = await sendAndHalfClose(server.listenUrl, requests.join(''));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 202, 200],
    );
  });

  it('POST /oauth/token returns the access token', async (t) => {
    const server = await start(t);
    const { authorization = '' } = createBasicHeaders(await registerClient(server));
    const headers = { Authorization: authorization, 'Content-Type': 'application/x-www-form-urlencoded' };
    const tokenRequest = request('POST /oauth/token', headers, 'grant_type=client_credentials');
    const [response] = await sendAndHalfClose(server.listenUrl, tokenRequest);
    assert.equal(response?.status, 200);
    assert.match(JSON.parse(response.body.toString()).access_token, /\S/);
  });

  it('GET /metrics, /readyz and /livez of the admin listener return 200', async (t) => {
    const server = (await startTestServer({ env: { ADMIN_PORT: '0' } })).firstServer;
    t.after(() => server.close());
    for (const path of ['/metrics', '/readyz', '/livez']) {
      const responses = await sendAndHalfClose(server.adminUrl ?? '', request(`GET ${path}`));
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200],
        path,
      );
    }
  });

  it('a response that takes two seconds (simulate=slow) is sent before the server closes the connection', async (t) => {
    const clock = createManualClock(Date.UTC(2026, 6, 1));
    const server = await start(t, { clock });
    let isOver = false;
    const responses = sendAndHalfClose(server.listenUrl, request('GET /api/v1/sandbox/faq?simulate=slow')).finally(
      () => {
        isOver = true;
      },
    );
    while (!isOver) await clock.advance(1);
    assert.deepEqual(
      (await responses).map(({ status }) => status),
      [200],
    );
  });
});
