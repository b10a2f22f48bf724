/** MCP clients in common use: each connects to both servers, and uses their tools, resources and prompts. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type AnyClient, mcpClients } from './fixtures/mcp-sessions.ts';

type Json = Record<string, unknown>;

const calls: Readonly<Record<string, readonly (readonly [tool: string, input: Json])[]>> = {
  '/mcp': [
    ['search', { query: 'microphone' }],
    ['fetch', { id: 'doc:quickstart' }],
    ['get_release', {}],
    ['get_release', { version: '2.2.0' }],
    ['list_releases', { limit: 2 }],
    ['check_compatibility', { os_version: '16.0', arch: 'arm64' }],
    ['get_requirements', {}],
    ['list_features', {}],
    ['get_pricing', {}],
  ],
  '/mcp/docs': [
    ['search', { query: 'agent mode', type: 'doc' }],
    ['fetch', { id: 'doc:troubleshooting', max_chars: 500 }],
    ['list_docs', {}],
  ],
};

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

for (const mcpClient of mcpClients) {
  for (const [path, expected] of Object.entries(calls)) {
    describe(`MCP ${mcpClient.name} at ${path}`, () => {
      let client: AnyClient;
      before(async () => {
        client = await mcpClient.connect(server.listenUrl + path);
      });
      after(() => client.close());

      it(`the client and the server agree on version ${mcpClient.version}`, async () => {
        const { version: serverVersion } = client.getServerVersion();
        assert.match(serverVersion, /^\d{4}-\d{2}-\d{2}$/);
        const version =
          client.getNegotiatedProtocolVersion?.() ??
          client.transport.protocolVersion ??
          (await mcpClient.fetchRequestedVersion());
        assert.equal(version, mcpClient.version);
      });

      it('every tool can be called, and its text equals its structured content', async () => {
        const { tools } = await client.listTools();
        assert.deepEqual(
          new Set(tools.map(({ name }: { name: string }) => name)),
          new Set(expected.map(([name]) => name)),
        );
        for (const [name, input] of expected) {
          const result = await client.callTool({ name, arguments: input });
          assert.ok(!result.isError, JSON.stringify(result));
          assert.equal(result.content.length, 1);
          assert.equal(result.content[0].text, JSON.stringify(result.structuredContent));
        }
      });

      it('fetch of an unknown ID returns isError with a suggestion', async () => {
        const result = await client.callTool({ name: 'fetch', arguments: { id: 'doc:quikstart' } });
        assert.equal(result.isError, true);
        assert.match(result.content[0].text, /Did you mean `quickstart`/);
      });

      it('resources, completions of templates and prompts can be read', async () => {
        const { resources } = await client.listResources();
        for (const { uri } of resources.slice(0, 6)) {
          const { contents } = await client.readResource({ uri });
          assert.equal(contents[0].uri, uri);
          assert.ok(contents[0].text.length > 100);
        }
        const { resourceTemplates } = await client.listResourceTemplates();
        const [{ uriTemplate }] = resourceTemplates;
        const { completion } = await client.complete({
          ref: { type: 'ref/resource', uri: uriTemplate },
          argument: { name: 'slug', value: 'quick' },
        });
        assert.deepEqual(completion.values, ['quickstart']);
        const { prompts } = await client.listPrompts();
        for (const { name, arguments: parameters } of prompts) {
          const values = Object.fromEntries(parameters.map((parameter: { name: string }) => [parameter.name, '15.1']));
          const { messages } = await client.getPrompt({ name, arguments: values });
          assert.match(messages[0].content.text, /15\.1/);
        }
      });

      it('an unknown resource, tool, prompt or cursor is rejected with -32602', async () => {
        for (const sendInvalid of [
          () => client.readResource({ uri: 'test://nothing' }),
          () => client.callTool({ name: 'nothing', arguments: {} }),
          () => client.getPrompt({ name: 'nothing' }),
          () => client.listTools({ cursor: 'zzz' }),
        ]) {
          await assert.rejects(sendInvalid(), (error: { code?: unknown }) => error.code === -32602);
        }
      });
    });
  }
}

const run = promisify(execFile);
const bin = (path: string): string => resolve(import.meta.dirname, 'node_modules', path);

describe('The command line of the MCP Inspector', () => {
  const inspect = async (path: string, ...words: string[]) => {
    const url = server.listenUrl + path;
    const command = bin('@modelcontextprotocol/inspector/cli/build/cli.js');
    const { stdout } = await run(process.execPath, [command, '--cli', url, '--transport', 'http', ...words], {
      timeout: 60_000,
    });
    return JSON.parse(stdout);
  };

  for (const path of Object.keys(calls)) {
    it(`the tools of ${path} can be listed and called`, async () => {
      const { tools } = await inspect(path, '--method', 'tools/list');
      assert.ok(tools.length >= 3);
      const words = ['--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=microphone'];
      const { structuredContent } = await inspect(path, ...words);
      assert.ok(structuredContent.results.length > 0);
    });
  }
});

describe('mcp-remote', () => {
  it('a client over standard input and output can list and call the tools of /mcp', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'mcp-remote-'));
    const words = [
      bin('mcp-remote/dist/proxy.js'),
      `${server.listenUrl}/mcp`,
      '--allow-http',
      '--transport',
      'http-only',
    ];
    const proxy = spawn(process.execPath, words, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, MCP_REMOTE_CONFIG_DIR: directory },
    });
    try {
      const listeners = new Map<unknown, (message: AnyClient) => void>();
      let output = '';
      proxy.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const lines = output.split('\n');
        output = lines.pop() ?? '';
        for (const line of lines) {
          if (line.trim() === '') continue;
          const message = JSON.parse(line);
          listeners.get(message.id)?.(message);
        }
      });
      let count = 0;
      const sendRequest = (method: string, params: Json): Promise<AnyClient> => {
        count += 1;
        const id = count;
        const response = new Promise((resolve) => listeners.set(id, resolve));
        proxy.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
        return response;
      };
      const { result } = await sendRequest('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'interop', version: '1.0.0' },
      });
      assert.equal(result.protocolVersion, '2025-06-18');
      proxy.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
      const list = await sendRequest('tools/list', {});
      assert.ok(list.result.tools.some(({ name }: { name: string }) => name === 'get_release'));
      const call = await sendRequest('tools/call', { name: 'get_release', arguments: {} });
      assert.equal(call.result.structuredContent.object, 'release');
    } finally {
      const exit = new Promise((resolve) => proxy.once('exit', resolve));
      proxy.kill();
      await exit;
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
