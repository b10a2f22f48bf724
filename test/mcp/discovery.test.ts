/** What points to the MCP servers: cards, the catalog, server.json, the index and the contract. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask, resultOf } from '../support/mcp.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('MCP discovery', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: { BASE_URL: 'https://docs.sotto.example' } });
  });
  after(() => server.close());

  const base = 'https://docs.sotto.example';
  const document = async (path: string, type: string) => {
    const answer = await server.ask(path);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), type);
    assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=60/);
    assert.equal((await server.ask(path, { method: 'HEAD' })).status, 200);
    const etag = answer.headers.get('etag') ?? '';
    assert.equal((await server.ask(path, { headers: { 'if-none-match': etag } })).status, 304);
    return JSON.parse(answer.text);
  };

  for (const [path, name, title, description] of [
    ['/mcp', 'sotto', 'Sotto', 'Releases, compatibility, prices and documentation of Sotto.'],
    ['/mcp/docs', 'sotto-docs', 'Sotto documentation', 'Documentation and FAQ of Sotto: search, fetch, list.'],
  ] as const) {
    it(`gives a card of ${path} that says what the server says`, async () => {
      const card = await document(`${path}/server-card`, 'application/mcp-server-card+json');
      assert.deepEqual(card, {
        $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
        name: `example.sotto.docs/${name}`,
        title,
        description,
        version: '2026-11-21',
        websiteUrl: base,
        remotes: [
          {
            type: 'streamable-http',
            url: base + path,
            supportedProtocolVersions: ['2024-11-05', '2025-03-26', '2025-06-18', '2026-07-28'],
          },
        ],
      });
      const { serverInfo } = await resultOf(ask(server, path, 'initialize', { protocolVersion: '2025-06-18' }));
      assert.deepEqual(serverInfo, { name, title, version: card.version });
      assert.ok(card.description.length <= 100);
    });

    it(`gives a server.json of ${path} for the registry`, async () => {
      assert.deepEqual(await document(`${path}/server.json`, 'application/json; charset=utf-8'), {
        $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
        name: `example.sotto.docs/${name}`,
        title,
        description,
        version: '2026-11-21',
        websiteUrl: base,
        remotes: [{ type: 'streamable-http', url: base + path }],
      });
    });
  }

  it('lists both in the domain’s catalog', async () => {
    const { specVersion, entries } = await document('/.well-known/ai-catalog.json', 'application/ai-catalog+json');
    assert.equal(specVersion, '1.0');
    assert.deepEqual(entries, [
      {
        identifier: 'urn:air:docs.sotto.example:mcp:sotto',
        displayName: 'Sotto',
        type: 'application/mcp-server-card+json',
        url: `${base}/mcp/server-card`,
        description: 'Releases, compatibility, prices and documentation of Sotto.',
        representativeQueries: [
          'Which version of Sotto is current, and what is new in it?',
          'Does Sotto run on this computer?',
          'What does Sotto cost?',
        ],
      },
      {
        identifier: 'urn:air:docs.sotto.example:mcp:sotto-docs',
        displayName: 'Sotto documentation',
        type: 'application/mcp-server-card+json',
        url: `${base}/mcp/docs/server-card`,
        description: 'Documentation and FAQ of Sotto: search, fetch, list.',
        representativeQueries: ['How do I set Sotto up?', 'What does the documentation of Sotto say about a setting?'],
      },
    ]);
  });

  it('gives the product’s card where clients without a catalog look', async () => {
    const card = JSON.parse((await server.ask('/mcp/server-card')).text);
    for (const path of ['/.well-known/mcp.json', '/.well-known/mcp/server-card.json']) {
      assert.deepEqual(await document(path, 'application/json; charset=utf-8'), card);
    }
  });

  it('is named in the index and in the contract', async () => {
    const urls = [`${base}/mcp`, `${base}/mcp/docs`];
    const { json } = await server.ask('/api/v1');
    assert.deepEqual(
      json.mcp_servers.map(({ url }: { url: string }) => url),
      urls,
    );
    const contract = (await server.ask('/openapi.json')).json;
    assert.deepEqual(
      contract['x-mcp-servers'].map(({ url }: { url: string }) => url),
      urls,
    );
    for (const url of urls) assert.ok(contract.info.description.includes(url));
  });
});
