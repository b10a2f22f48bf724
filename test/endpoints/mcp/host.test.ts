/** Tests MCP_BASE_URL: its host name serves only the MCP servers, and settings with which it could not work are refused. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../../src/config/environment.ts';
import { sendRaw } from '../../support/raw.ts';
import { startTestServer } from '../../support/server.ts';

const env = { BASE_URL: 'https://api.example', MCP_BASE_URL: 'https://mcp.example' };

describe('MCP_BASE_URL: the host name that serves only MCP', () => {
  it('the host serves both MCP servers and no OAuth metadata, page or API', async (t) => {
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
      const [response, expected] = [await call('mcp.example', path), await call('api.example', path)];
      assert.equal(response.status, 200, path);
      assert.equal(response.body, expected.body, path);
    }
    assert.equal((await get('mcp.example', '/mcp')).status, 405);
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
      // The host of BASE_URL responds first, so that a cached response exists, which the MCP host must not return.
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

  it('every spelling of the host name serves only MCP: a final dot, capitals, any port', async (t) => {
    const server = await startTestServer({ env });
    t.after(() => server.close());
    const fetchStatus = async (host: string, path: string): Promise<number> => {
      const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close`;
      return (await sendRaw(server.listenUrl, `${head}\r\n\r\n`)).status;
    };
    for (const host of ['mcp.example', 'mcp.example.', 'MCP.Example.:443', 'mcp.example:443', 'mcp.example:8080']) {
      assert.equal(await fetchStatus(host, '/.well-known/oauth-protected-resource'), 404, host);
      assert.equal(await fetchStatus(host, '/mcp'), 405, host);
    }
    for (const host of ['api.example', 'mcp.example.org', 'xmcp.example']) {
      assert.equal(await fetchStatus(host, '/.well-known/oauth-protected-resource'), 200, host);
    }
  });

  const invalidSettings: [string, Record<string, string>, string][] = [
    [
      'the origin of BASE_URL',
      { ...env, MCP_BASE_URL: 'https://api.example/' },
      'MCP_BASE_URL must have another host name than BASE_URL (https://api.example): at the name in MCP_BASE_URL, only the MCP servers are served.',
    ],
    [
      'another port of the host name in BASE_URL',
      { ...env, MCP_BASE_URL: 'https://api.example:8443' },
      'MCP_BASE_URL must have another host name than BASE_URL (https://api.example): at the name in MCP_BASE_URL, only the MCP servers are served.',
    ],
    [
      'the default of BASE_URL',
      { MCP_BASE_URL: 'http://127.0.0.1:8080' },
      'MCP_BASE_URL must have another host name than BASE_URL (http://127.0.0.1:8080): at the name in MCP_BASE_URL, only the MCP servers are served.',
    ],
    [
      'a public name while BASE_URL has its default',
      { MCP_BASE_URL: 'https://mcp.example' },
      'MCP_BASE_URL is https://mcp.example, but BASE_URL is not set, so MCP requests are accepted only for this machine. Set BASE_URL to the public origin, such as https://api.example.com.',
    ],
    [
      'a public name while BASE_URL is a loopback address',
      { MCP_BASE_URL: 'https://mcp.example', BASE_URL: 'http://localhost:8080' },
      'MCP_BASE_URL is https://mcp.example, but BASE_URL is http://localhost:8080, so MCP requests are accepted only for this machine. Set BASE_URL to the public origin, such as https://api.example.com.',
    ],
  ];
  for (const [name, values, message] of invalidSettings) {
    it(`the settings are refused if MCP_BASE_URL is ${name}`, () => {
      assert.throws(() => readConfig(values, '/'), { name: 'ConfigError', faults: [message] });
    });
  }

  it('the settings are accepted if both origins are names of this machine', () => {
    const { mcpBaseUrl } = readConfig({ MCP_BASE_URL: 'http://mcp.localhost:8080' }, '/');
    assert.equal(mcpBaseUrl, 'http://mcp.localhost:8080');
  });
});
