/** A host for only the MCP servers: what a client finds there, and that nothing points it to a login. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sendRaw } from '../../support/raw.ts';
import { startTestServer } from '../../support/server.ts';

const env = { BASE_URL: 'https://api.example', MCP_BASE_URL: 'https://mcp.example' };

describe('a host only for MCP', () => {
  it('serves both servers and no OAuth metadata, page or API', async (t) => {
    const server = await startTestServer({ env });
    t.after(() => server.close());
    const get = (host: string, path: string) =>
      sendRaw(server.listenUrl, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const call = (host: string, path: string) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
      return sendRaw(server.listenUrl, `${head}\r\nConnection: close\r\n\r\n${body}`);
    };
    for (const path of ['/mcp', '/mcp/', '/mcp/docs']) {
      const [here, there] = [await call('mcp.example', path), await call('api.example', path)];
      assert.equal(here.status, 200, path);
      assert.equal(here.body, there.body, path);
    }
    assert.equal((await get('mcp.example', '/mcp/server-card')).status, 200);
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/oauth/register',
      '/api/v1',
      '/api/v1/faq',
      '/docs/quickstart',
      '/',
    ]) {
      // First at the other host, so that the response is ready.
      await get('api.example', path);
      const { status, headers, body } = await get('MCP.example', path);
      assert.deepEqual([status, headers['content-type']], [404, 'application/problem+json'], path);
      assert.equal(
        JSON.parse(body).detail,
        'Only MCP is served here, at /mcp and /mcp/docs. Everything else is at https://api.example.',
      );
    }
    assert.equal((await get('api.example', '/docs/quickstart')).status, 200);
  });

  it('has to be another one than the public one', async () => {
    await assert.rejects(
      startTestServer({ env: { ...env, MCP_BASE_URL: 'https://api.example/' } }),
      /MCP_BASE_URL must be another origin than BASE_URL/,
    );
  });
});
