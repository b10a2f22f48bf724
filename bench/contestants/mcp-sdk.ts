/**
 * The official SDK's stateless server, with our responses ready (its second argument is a file of them by tool), created
 * for each request: as `example`, the way the SDK's own example sets it up (Express, McpServer, an event stream), with as
 * many tools, resources and prompts as ours; as `json`, the same on bare node:http without the stream; as `bare`, on the
 * low-level Server with nothing but the one handler that is called.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { mcpServers } from '../../src/resources/resources.ts';

const sdk = resolve(import.meta.dirname, '../node_modules/@modelcontextprotocol/sdk/dist/esm');
const kind = process.argv[2];

const info = { name: 'sdk', version: '1.0.0' };
const answers: Record<string, Record<string, unknown>> = JSON.parse(readFileSync(process.argv[3] ?? '', 'utf8'));
const resultOf = (tool: string) => {
  const structuredContent = answers[tool] ?? {};
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
};

const { StreamableHTTPServerTransport } = await import(`${sdk}/server/streamableHttp.js`);
const make = kind === 'bare' ? await bareServer() : await fullServer();
const server = createServer(kind === 'example' ? await exampleApp() : answer);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

async function answer(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void> {
  const enableJsonResponse = kind !== 'example';
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse });
  const mcp = make();
  response.on('close', () => {
    void transport.close();
    void mcp.close();
  });
  await mcp.connect(transport);
  await transport.handleRequest(request, response, body);
}

async function exampleApp() {
  const { createMcpExpressApp } = await import(`${sdk}/server/express.js`);
  const app = createMcpExpressApp();
  app.post('/mcp', (request: IncomingMessage & { body: unknown }, response: ServerResponse) =>
    answer(request, response, request.body),
  );
  return app;
}

async function bareServer() {
  const { Server } = await import(`${sdk}/server/index.js`);
  const { CallToolRequestSchema } = await import(`${sdk}/types.js`);
  return () => {
    const mcp = new Server(info, { capabilities: { tools: {} } });
    mcp.setRequestHandler(CallToolRequestSchema, (request: { params: { name: string } }) =>
      resultOf(request.params.name),
    );
    return mcp;
  };
}

async function fullServer() {
  const { McpServer } = await import(`${sdk}/server/mcp.js`);
  const tools = mcpServers.find(({ key }) => key === 'product')?.tools ?? [];
  const pages = Array.from({ length: 12 }, (_, index) => `https://example.com/docs/page-${index}.md`);
  return () => {
    const mcp = new McpServer(info);
    for (const { name, title, description, input, output } of tools) {
      mcp.registerTool(name, { title, description, inputSchema: input.shape, outputSchema: output.shape }, () =>
        resultOf(name),
      );
    }
    for (const page of pages) mcp.registerResource(page, page, { mimeType: 'text/markdown' }, () => ({ contents: [] }));
    for (const prompt of ['one', 'two', 'three']) {
      mcp.registerPrompt(prompt, { description: 'A prompt.' }, () => ({ messages: [] }));
    }
    return mcp;
  };
}
