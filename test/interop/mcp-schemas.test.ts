/** Every kind of answer, held against the message schemas of the official SDKs, the first and the second. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as second from '@modelcontextprotocol/core';
import * as first from '@modelcontextprotocol/sdk/types.js';
import { ask, askSessionless, send } from '../support/mcp.ts';
import { type Asked, startTestServer, type TestServer } from '../support/server.ts';

interface Schema {
  safeParse(value: unknown): { success: boolean; error?: unknown };
}

type Row = readonly [method: string, params: Record<string, unknown>, result: Schema, later: Schema | null];

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const rows = (path: string): Row[] => {
  const called = [first.CallToolResultSchema, second.CallToolResultSchema] as const;
  const template = `${server.baseUrl}/docs/{slug}.md`;
  const shared: Row[] = [
    ['tools/list', {}, first.ListToolsResultSchema, second.ListToolsResultSchema],
    ['resources/list', {}, first.ListResourcesResultSchema, second.ListResourcesResultSchema],
    ['resources/templates/list', {}, first.ListResourceTemplatesResultSchema, second.ListResourceTemplatesResultSchema],
    ['prompts/list', {}, first.ListPromptsResultSchema, second.ListPromptsResultSchema],
    [
      'resources/read',
      { uri: `${server.baseUrl}/docs/quickstart.md` },
      first.ReadResourceResultSchema,
      second.ReadResourceResultSchema,
    ],
    [
      'completion/complete',
      { ref: { type: 'ref/resource', uri: template }, argument: { name: 'slug', value: '' } },
      first.CompleteResultSchema,
      second.CompleteResultSchema,
    ],
    ['tools/call', { name: 'search', arguments: { query: 'key' } }, ...called],
    ['tools/call', { name: 'fetch', arguments: { id: 'quickstart' } }, ...called],
    ['tools/call', { name: 'fetch', arguments: { id: 'doc:nothing' } }, ...called],
    ['initialize', { protocolVersion: '2025-06-18' }, first.InitializeResultSchema, null],
    ['ping', {}, first.EmptyResultSchema, null],
  ];
  if (path === '/mcp/docs') return [...shared, ['tools/call', { name: 'list_docs' }, ...called]];
  return [
    ...shared,
    ['tools/call', { name: 'get_release' }, ...called],
    ['tools/call', { name: 'list_releases' }, ...called],
    ['tools/call', { name: 'get_requirements' }, ...called],
    ['tools/call', { name: 'list_features' }, ...called],
    ['tools/call', { name: 'get_pricing' }, ...called],
    ['tools/call', { name: 'check_compatibility', arguments: { os_version: '15', arch: 'arm64' } }, ...called],
    [
      'prompts/get',
      { name: 'troubleshoot', arguments: { symptom: 'no sound' } },
      first.GetPromptResultSchema,
      second.GetPromptResultSchema,
    ],
  ];
};

function fits(schema: Schema, value: unknown, where: string): void {
  const { success, error } = schema.safeParse(value);
  assert.ok(success, `${where}: ${String(error)}`);
}

for (const path of ['/mcp', '/mcp/docs']) {
  describe(`POST ${path}: responses in the schemas of the MCP SDKs`, () => {
    it('every result matches the schemas of @modelcontextprotocol/sdk', async () => {
      for (const [method, params, schema] of rows(path)) {
        const { json } = await ask(server, path, method, params);
        fits(first.JSONRPCMessageSchema, json, method);
        assert.ok(json.result, `${method}: ${JSON.stringify(json)}`);
        fits(schema, json.result, method);
      }
    });

    it('every result matches the schemas of @modelcontextprotocol/core, in version 2026-07-28 too', async () => {
      for (const [method, params, , schema] of rows(path)) {
        if (schema === null) continue;
        for (const { json } of [
          await ask(server, path, method, params),
          await askSessionless(server, path, method, params),
        ]) {
          fits(second.JSONRPCMessageSchema, json, method);
          assert.ok(json.result, `${method}: ${JSON.stringify(json)}`);
          fits(schema, json.result, method);
        }
      }
      const { json } = await askSessionless(server, path, 'server/discover');
      fits(second.DiscoverResultSchema, json.result, 'server/discover');
    });

    it('every error matches the schemas of both SDKs', async () => {
      const errors: Asked[] = [
        await ask(server, path, 'nothing'),
        await ask(server, path, 'tools/call', { name: 'nothing' }),
        await ask(server, path, 'tools/call', { name: 'search', arguments: { query: 'a' } }),
        await ask(server, path, 'resources/read', { uri: 'test://nothing' }),
        await askSessionless(server, path, 'nothing'),
        await askSessionless(server, path, 'tools/list', {}, { 'mcp-method': 'prompts/list' }),
        await send(server, path, '{"jsonrpc":"1.0","id":7,"method":"ping"}'),
      ];
      for (const { json } of errors) {
        fits(first.JSONRPCMessageSchema, json, JSON.stringify(json));
        fits(second.JSONRPCErrorResponseSchema, json, JSON.stringify(json));
      }
    });
  });
}
