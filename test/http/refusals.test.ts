/** Requests that are refused before they are read in full: their responses, and what the server does with the rest. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { maxBodyBytes } from '../../src/base/request-limits.ts';
import { sendRaw } from '../support/raw.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('Rejected requests: unsupported_media_type, payload_too_large, headers_too_large, method_not_allowed', () => {
  let server: TestServer;
  before(async () => {
    // Each process has its own metrics, so the tests use one server even with TEST_POSTGRES.
    server = (await startTestServer({ env: { ADMIN_PORT: '0' } })).firstServer;
  });
  after(() => server.close());

  it('the 415 has Accept-Post, and its detail contains the first 80 characters of Content-Type', async () => {
    const { status, headers, json } = await server.request('/api/v1/batch', {
      method: 'POST',
      headers: { 'content-type': 'x'.repeat(100) },
      body: '{}',
    });
    assert.equal(status, 415);
    assert.equal(headers.get('accept-post'), 'application/json');
    assert.equal(json.detail, `Content-Type must be application/json; you sent "${'x'.repeat(80)}".`);
  });

  it('a body slightly over the maximum is read to its end before the 413 is sent', async () => {
    const { hostname, port } = new URL(server.listenUrl);
    const body = Buffer.alloc(maxBodyBytes + 100, 'x');
    const head = `POST /api/v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(Number(port), hostname);
    let received = '';
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.write(head);
    socket.write(body.subarray(0, 1000));
    // Once the server has responded to three other requests, it has also read this head.
    for (let count = 0; count < 3; count += 1) await server.request('/api/v1/docs');
    assert.equal(received, '');
    socket.write(body.subarray(1000));
    await closed;
    assert.match(received, /^HTTP\/1\.1 413 Payload Too Large\r\n/);
    assert.match(received, /\r\nconnection: close\r\n/i);
    assert.equal(
      JSON.parse(received.slice(received.indexOf('\r\n\r\n'))).detail,
      `The body is over ${maxBodyBytes} bytes. Send less.`,
    );
  });

  it('the error for an oversized or malformed head has its path as instance, and the bucket of that path', async () => {
    for (const [path, policy] of [
      ['/api/v1/docs', 'anonymous'],
      ['/api/v1/sandbox/docs', 'sandbox'],
      ['/pricing', 'pages'],
    ] as const) {
      const head = `GET ${path}?x=1 HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`;
      const { status, headers, body, isClosed } = await sendRaw(server.listenUrl, head);
      assert.equal(status, 431);
      assert.equal(headers['ratelimit-policy'], `"${policy}";q=1000000;w=60`);
      assert.equal(JSON.parse(body).instance, path);
      assert.equal(isClosed, true);
    }
    const { status, headers, body } = await sendRaw(server.listenUrl, 'HELLO\r\n\r\n');
    assert.equal(status, 400);
    assert.equal(headers['ratelimit-policy'], '"pages";q=1000000;w=60');
    assert.equal(JSON.parse(body).instance, '/');
  });

  it('colophon_http_requests_total counts PUT as PUT, and PROPFIND as other', async () => {
    await server.request('/api/v1/docs', { method: 'PUT', body: '{}' });
    await server.request('/api/v1/docs', { method: 'PROPFIND' });
    const { headers, text } = await metrics();
    assert.deepEqual(headers, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    for (const method of ['PUT', 'other']) {
      assert.match(text, new RegExp(`^colophon_http_requests_total\\{.*method="${method}",status="40[45]"\\} 1$`, 'm'));
    }
  });

  async function metrics() {
    const response = await fetch(`${server.adminUrl}/metrics`);
    const { date: _, etag, connection: __, 'keep-alive': ___, ...headers } = Object.fromEntries(response.headers);
    assert.match(etag ?? '', /^"[\w-]{32}"$/);
    return { headers, text: await response.text() };
  }
});
