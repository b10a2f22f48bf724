/**
 * tools/call of this server beside the official SDK's own stateless server, in one run on one machine.
 *
 *     npm run test:interop           # once: installs the SDK under test/interop
 *     node bench/mcp.ts [seconds]    # a round; three rounds for each server, in turns
 *
 * Ours is the whole server: limiter, entity tags, access log. The SDK's answer with a constant, from a server made for each
 * request, as its stateless mode asks for: once as its own example sets it up (Express, McpServer, an event stream) with the
 * same tools, resources and prompts; once the same on bare node:http with JSON; once with nothing but the one handler that
 * is called, on its low-level Server.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import { readConfig } from '../src/config.ts';
import { servers } from '../src/mcp/servers.ts';
import { startServer } from '../src/server.ts';

const connections = 32;
const sdk = resolve(import.meta.dirname, '../test/interop/node_modules/@modelcontextprotocol/sdk/dist/esm');
const call = { name: 'get_release', arguments: {} };

const contenders = {
  ours: 'colophon',
  example: 'SDK 1.32.2, as its stateless example',
  same: 'SDK 1.32.2, McpServer on node:http, JSON',
  bare: 'SDK 1.32.2, Server, one handler',
} as const;
type Contender = keyof typeof contenders;

const role = process.argv[2];
if (role === 'ours') await serveOurs();
else if (role === 'example' || role === 'same' || role === 'bare') await serveSdk(role);
else if (!existsSync(sdk)) {
  process.stderr.write('The SDK is not installed. Run first: npm run test:interop\n');
  process.exitCode = 1;
} else await compare(Number(role ?? 5));

async function compare(seconds: number): Promise<void> {
  const found = new Map<Contender, Round[]>();
  for (let round = 0; round < 3; round += 1) {
    for (const name of ['ours', 'example', 'same', 'bare'] as const) {
      const { child, url } = await start(name);
      await load(url, 1);
      const made = await load(url, seconds);
      found.set(name, [...(found.get(name) ?? []), made]);
      child.kill();
      await once(child, 'exit');
    }
  }
  const best = (name: Contender): Round =>
    (found.get(name) ?? []).reduce((a, b) => (b.rate > a.rate ? b : a), { rate: 0, p50: 0, p99: 0, failed: 0 });
  const ours = best('ours');
  console.log(`tools/call get_release, ${connections} connections, best of 3 rounds of ${seconds} s`);
  console.log('| server | requests/s | p50 ms | p99 ms | failed | ours is faster by |');
  console.log('|---|---|---|---|---|---|');
  for (const name of ['ours', 'example', 'same', 'bare'] as const) {
    const { rate, p50, p99, failed } = best(name);
    const ratio = name === 'ours' ? '' : `${(ours.rate / rate).toFixed(1)}x`;
    const cells = [contenders[name], rate.toFixed(0), p50.toFixed(1), p99.toFixed(1), failed, ratio];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

async function start(name: Contender): Promise<{ child: ChildProcess; url: URL }> {
  const child = fork(import.meta.filename, [name]);
  const [url] = await once(child, 'message');
  return { child, url: new URL(String(url)) };
}

interface Round {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

/** Every connection asks again as soon as it has its answer. */
async function load(url: URL, seconds: number): Promise<Round> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
  const request = `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const took: number[] = [];
  let failed = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const ask = (): Promise<void> =>
    new Promise((done, fail) => {
      const socket = connect(Number(url.port), url.hostname);
      let held = '';
      let sent = 0;
      const next = (): void => {
        sent = performance.now();
        if (sent < end) socket.write(request);
        else {
          socket.destroy();
          done();
        }
      };
      socket.setEncoding('latin1').on('connect', next).on('error', fail);
      socket.on('data', (chunk) => {
        held += chunk;
        if (!isWhole(held)) return;
        if (!held.startsWith('HTTP/1.1 200') || !held.includes('"structuredContent":{"object":"release"')) failed += 1;
        took.push(performance.now() - sent);
        held = '';
        next();
      });
    });
  await Promise.all(Array.from({ length: connections }, ask));
  const elapsed = performance.now() - started;
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? 0;
  return { rate: (took.length * 1000) / elapsed, p50: at(0.5), p99: at(0.99), failed };
}

function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= head + 4 + Number(length);
}

async function serveOurs(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const env = { PORT: '0', DATA_DIR: dataDir, ADMIN_PORT: 'off', RATE_LIMIT_ANONYMOUS: '1000000' };
  const config = readConfig({ ...env, RATE_LIMIT_ADDRESS: '1000000' }, process.cwd());
  const server = await startServer({ config, clock: systemClock, log: silentLog, accessSink: () => {} });
  process.once('SIGTERM', async () => {
    await rm(dataDir, { recursive: true, force: true });
    process.exit(0);
  });
  process.send?.(`${server.listenUrl}/mcp`);
}

async function serveSdk(set: 'example' | 'same' | 'bare'): Promise<void> {
  const { StreamableHTTPServerTransport } = await import(`${sdk}/server/streamableHttp.js`);
  const make = set === 'bare' ? await bareServer() : await sameServer();
  const answer = async (request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      ...(set !== 'example' && { enableJsonResponse: true }),
    });
    const mcp = make();
    response.on('close', () => {
      void transport.close();
      void mcp.close();
    });
    await mcp.connect(transport);
    await transport.handleRequest(request, response, body);
  };
  const server = createServer(set === 'example' ? await exampleApp(answer) : answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

async function exampleApp(
  answer: (request: IncomingMessage, response: ServerResponse, body: unknown) => Promise<void>,
) {
  const { createMcpExpressApp } = await import(`${sdk}/server/express.js`);
  const app = createMcpExpressApp();
  app.post('/mcp', (request: IncomingMessage & { body: unknown }, response: ServerResponse) =>
    answer(request, response, request.body),
  );
  return app;
}

const info = { name: 'sdk', version: '1.0.0' };
const release = {
  object: 'release',
  version: '1.0.0',
  published_at: '2026-01-01',
  notes: 'A line of notes. '.repeat(20),
  download_url: 'https://example.com/a.dmg',
  platform: { os: 'macOS', min_version: '14.0', arch: 'arm64' },
  build: '100',
  channel: 'stable',
  critical: false,
  size_bytes: 1000,
  signature: null,
  published_at_time: '2026-01-01T00:00:00Z',
  notes_format: 'markdown',
  notes_url: null,
};
const result = { content: [{ type: 'text', text: JSON.stringify(release) }], structuredContent: release };

async function bareServer() {
  const { Server } = await import(`${sdk}/server/index.js`);
  const { CallToolRequestSchema } = await import(`${sdk}/types.js`);
  return () => {
    const server = new Server(info, { capabilities: { tools: {} } });
    server.setRequestHandler(CallToolRequestSchema, () => result);
    return server;
  };
}

async function sameServer() {
  const { McpServer } = await import(`${sdk}/server/mcp.js`);
  const [product] = servers;
  const tools = product?.tools ?? [];
  const pages = Array.from({ length: 12 }, (_, index) => `https://example.com/docs/page-${index}.md`);
  return () => {
    const server = new McpServer(info);
    for (const { name, title, description, input, output } of tools) {
      const facts = { title, description, inputSchema: input.shape, outputSchema: output.shape };
      server.registerTool(name, facts, () => result);
    }
    for (const page of pages) {
      server.registerResource(page, page, { mimeType: 'text/markdown' }, () => ({ contents: [] }));
    }
    for (const prompt of ['one', 'two', 'three']) {
      server.registerPrompt(prompt, { description: 'A prompt.' }, () => ({ messages: [] }));
    }
    return server;
  };
}
