/** Every kind of response of the MCP servers, checked against the message schemas of both official SDKs. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as secondSdk from '@modelcontextprotocol/core';
import * as firstSdk from '@modelcontextprotocol/sdk/types.js';
import { sendHttpRequest, sendRpcRequest, sendSessionlessRequest } from '../support/mcp.ts';
import { startTestServer, type TestResponse, type TestServer } from '../support/server.ts';

interface Schema {
  safeParse(value: unknown): { success: boolean; error?: unknown };
}

type Row = readonly [method: string, params: Record<string, unknown>, firstSchema: Schema, secondSchema: Schema | null];

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const listRows = (path: string): Row[] => {
  const callSchemas = [firstSdk.CallToolResultSchema, secondSdk.CallToolResultSchema] as const;
  const template = `${server.baseUrl}/docs/{slug}.md`;
  const sharedRows: Row[] = [
    ['tools/list', {}, firstSdk.ListToolsResultSchema, secondSdk.ListToolsResultSchema],
    ['resources/list', {}, firstSdk.ListResourcesResultSchema, secondSdk.ListResourcesResultSchema],
    [
      'resources/templates/list',
      {},
      firstSdk.ListResourceTemplatesResultSchema,
      secondSdk.ListResourceTemplatesResultSchema,
    ],
    ['prompts/list', {}, firstSdk.ListPromptsResultSchema, secondSdk.ListPromptsResultSchema],
    [
      'resources/read',
      { uri: `${server.baseUrl}/docs/quickstart.md` },
      firstSdk.ReadResourceResultSchema,
      secondSdk.ReadResourceResultSchema,
    ],
    [
      'completion/complete',
      { ref: { type: 'ref/resource', uri: template }, argument: { name: 'slug', value: '' } },
      firstSdk.CompleteResultSchema,
      secondSdk.CompleteResultSchema,
    ],
    ['tools/call', { name: 'search', arguments: { query: 'key' } }, ...callSchemas],
    ['tools/call', { name: 'fetch', arguments: { id: 'quickstart' } }, ...callSchemas],
    ['tools/call', { name: 'fetch', arguments: { id: 'doc:nothing' } }, ...callSchemas],
    ['initialize', { protocolVersion: '2025-06-18' }, firstSdk.InitializeResultSchema, null],
    ['ping', {}, firstSdk.EmptyResultSchema, null],
  ];
  if (path === '/mcp/docs') return [...sharedRows, ['tools/call', { name: 'list_docs' }, ...callSchemas]];
  return [
    ...sharedRows,
    ['tools/call', { name: 'get_release' }, ...callSchemas],
    ['tools/call', { name: 'list_releases' }, ...callSchemas],
    ['tools/call', { name: 'get_requirements' }, ...callSchemas],
    ['tools/call', { name: 'list_features' }, ...callSchemas],
    ['tools/call', { name: 'get_pricing' }, ...callSchemas],
    ['tools/call', { name: 'check_compatibility', arguments: { os_version: '15', arch: 'arm64' } }, ...callSchemas],
    [
      'prompts/get',
      { name: 'troubleshoot', arguments: { symptom: 'no sound' } },
      firstSdk.GetPromptResultSchema,
      secondSdk.GetPromptResultSchema,
    ],
  ];
};

function assertFits(schema: Schema, value: unknown, where: string): void {
  const { success, error } = schema.safeParse(value);
  assert.ok(success, `${where}: ${String(error)}`);
}

for (const path of ['/mcp', '/mcp/docs']) {
  describe(`POST ${path}: responses in the schemas of the MCP SDKs`, () => {
    it('every result matches the schemas of @modelcontextprotocol/sdk', async () => {
      for (const [method, params, schema] of listRows(path)) {
        const { json } = await sendRpcRequest(server, path, method, params);
        assertFits(firstSdk.JSONRPCMessageSchema, json, method);
        assert.ok(json.result, `${method}: ${JSON.stringify(json)}`);
        assertFits(schema, json.result, method);
      }
    });

    it('every result matches the schemas of @modelcontextprotocol/core, in version 2026-07-28 too', async () => {
      for (const [method, params, , schema] of listRows(path)) {
        if (schema === null) continue;
        for (const { json } of [
          await sendRpcRequest(server, path, method, params),
          await sendSessionlessRequest(server, path, method, params),
        ]) {
          assertFits(secondSdk.JSONRPCMessageSchema, json, method);
          assert.ok(json.result, `${method}: ${JSON.stringify(json)}`);
          assertFits(schema, json.result, method);
        }
      }
      const { json } = await sendSessionlessRequest(server, path, 'server/discover');
      assertFits(secondSdk.DiscoverResultSchema, json.result, 'server/discover');
    });

    it('every error matches the schemas of both SDKs', async () => {
      const errors: TestResponse[] = [
        await sendRpcRequest(server, path, 'nothing'),
        await sendRpcRequest(server, path, 'tools/call', { name: 'nothing' }),
        await sendRpcRequest(server, path, 'tools/call', { name: 'search', arguments: { query: 'a' } }),
        await sendRpcRequest(server, path, 'resources/read', { uri: 'test://nothing' }),
        await sendSessionlessRequest(server, path, 'nothing'),
        await sendSessionlessRequest(server, path, 'tools/list', {}, { 'mcp-method': 'prompts/list' }),
        await sendHttpRequest(server, path, '{"jsonrpc":"1.0","id":7,"method":"ping"}'),
      ];
      for (const { json } of errors) {
        assertFits(firstSdk.JSONRPCMessageSchema, json, JSON.stringify(json));
        assertFits(secondSdk.JSONRPCErrorResponseSchema, json, JSON.stringify(json));
      }
    });
  });
}
