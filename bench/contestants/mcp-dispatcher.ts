/** Only Colophon's dispatcher, on bare node:http, with the same ready responses as the SDK contestant: like for like. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/base/clock.ts';
import { createCursors } from '../../src/catalog/cursor.ts';
import type { Catalogue } from '../../src/mcp/catalogue.ts';
import { createDispatcher } from '../../src/mcp/dispatcher.ts';
import { inputSchemaOf, outputSchemaOf } from '../../src/mcp/tool-schema.ts';
import { mcpServers } from '../../src/resources/resources.ts';

const answers: Record<string, unknown> = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const recipes = mcpServers.find(({ key }) => key === 'product')?.tools ?? [];

const catalogue: Catalogue = {
  key: 'product',
  serverInfo: { name: 'dispatcher', title: 'Dispatcher', version: '1.0.0' },
  instructions: '',
  tools: recipes.map(({ name, title, description, input, output }) => {
    const json = JSON.stringify(answers[name] ?? {});
    const members = `"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}`;
    const result = { members };
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    const [inputSchema, outputSchema] = [inputSchemaOf(input), outputSchemaOf(output)];
    return {
      definition: { name, title, description, inputSchema, outputSchema, annotations },
      advice: {},
      // One object for all calls, as the server keeps a result.
      accept: () => () => result,
    };
  }),
  resources: [],
  templates: [],
  prompts: [],
  read: () => Promise.reject(new Error('there are no resources')),
  valuesOf: () => [],
  cursors: createCursors(Buffer.alloc(32)),
};

const dispatch = createDispatcher(catalogue, systemClock);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const headers = (name: string): string => String(request.headers[name] ?? '');
    const { status, body } = await dispatch({ headers, body: Buffer.concat(chunks), requestId: '' });
    response.writeHead(status, { 'content-type': 'application/json' }).end(body.bytes, 'latin1');
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
