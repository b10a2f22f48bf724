/** Serves MCP like the SDK's stateless example, with Colophon's number of tools, resources and prompts, and results from a file. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { mcpServers } from '../../src/resources/resources.ts';

const sdk = resolve(import.meta.dirname, '../node_modules/@modelcontextprotocol/sdk/dist/esm');
const { McpServer } = await import(`${sdk}/server/mcp.js`);
const { StreamableHTTPServerTransport } = await import(`${sdk}/server/streamableHttp.js`);
const { createMcpExpressApp } = await import(`${sdk}/server/express.js`);

const results: Record<string, Record<string, unknown>> = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const tools = mcpServers.find(({ key }) => key === 'product')?.tools ?? [];
const pages = Array.from({ length: 12 }, (_, index) => `https://example.com/docs/page-${index}.md`);

function createServer() {
  const mcp = new McpServer({ name: 'sdk', version: '1.0.0' });
  for (const { name, title, description, input, output } of tools) {
    const structuredContent = results[name] ?? {};
    mcp.registerTool(name, { title, description, inputSchema: input.shape, outputSchema: output.shape }, () => ({
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent,
    }));
  }
  for (const page of pages) mcp.registerResource(page, page, { mimeType: 'text/markdown' }, () => ({ contents: [] }));
  for (const prompt of ['one', 'two', 'three'])
    mcp.registerPrompt(prompt, { description: 'A prompt.' }, () => ({ messages: [] }));
  return mcp;
}

const app = createMcpExpressApp();
app.post('/mcp', async (request: IncomingMessage & { body: unknown }, response: ServerResponse) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  const mcp = createServer();
  response.on('close', () => {
    void transport.close();
    void mcp.close();
  });
  await mcp.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
