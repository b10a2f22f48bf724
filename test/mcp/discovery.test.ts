/** Tests that the service index and the contract name the MCP servers. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('MCP discovery: mcp_servers of GET /api/v1 and x-mcp-servers of GET /openapi.json', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: { BASE_URL: 'https://docs.sotto.example' } });
  });
  after(() => server.close());

  const base = 'https://docs.sotto.example';
  it('the index and the contract list the URLs of both MCP servers', async () => {
    const urls = [`${base}/mcp`, `${base}/mcp/docs`];
    const { json } = await server.request('/api/v1');
    assert.deepEqual(
      json.mcp_servers.map(({ url }: { url: string }) => url),
      urls,
    );
    const contract = (await server.request('/openapi.json')).json;
    assert.deepEqual(
      contract['x-mcp-servers'].map(({ url }: { url: string }) => url),
      urls,
    );
    for (const url of urls) assert.ok(contract.info.description.includes(url));
  });
});
