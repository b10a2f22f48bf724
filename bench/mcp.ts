/**
 * tools/call of the server beside the official SDK's own stateless server: in turns, one core each. The whole server counts
 * requests, makes entity tags and keeps its log; its dispatcher alone is what the SDK is to be compared with.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { load, median, type Round } from './load.ts';
import { type Started, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';

const rounds = 4;
const sdk = resolve(import.meta.dirname, '../test/interop/node_modules/@modelcontextprotocol/sdk');

const names = {
  colophon: 'Colophon, the whole server',
  dispatcher: 'Colophon’s dispatcher on node:http',
  example: 'SDK 1.32.2, as its stateless example',
  json: 'SDK 1.32.2, the same as JSON on node:http',
  bare: 'SDK 1.32.2, low-level, one handler',
} as const;
type Name = keyof typeof names;

/** What agents ask: the product's tools in turns, but for prices, whose answer names the limits that are lifted here. */
const calls: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ['search', { query: 'microphone' }],
  ['fetch', { id: 'doc:quickstart' }],
  ['get_release', {}],
  ['list_releases', {}],
  ['check_compatibility', { os_version: '15.1', arch: 'arm64' }],
  ['get_requirements', {}],
  ['list_features', {}],
];

const bodies = calls.map(([name, input]) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
);
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-06-18',
};

/** A table in Markdown. The SDK comes with the interoperability tests. */
export async function measureMcp(): Promise<string> {
  if (!existsSync(sdk)) throw new Error('The SDK is not installed. Run first: npm run test:interop');
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const script = join(directory, 'post.lua');
  await writeFile(script, luaOf(bodies));
  const running = new Map<Name, Started>();
  try {
    const found = new Map<Name, Round[]>();
    const ours = await start('colophon', directory);
    running.set('colophon', ours);
    const answers = await answersOf('colophon', ours.said);
    const file = join(directory, 'answers.json');
    await writeFile(file, JSON.stringify(answers));
    for (const name of ['dispatcher', 'example', 'json', 'bare'] as const) {
      const started = await start(name, directory, file);
      running.set(name, started);
      assert.deepEqual(await answersOf(name, started.said), answers, names[name]);
    }
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, { said, pid, forget }] of running) {
        const made = await load({ url: `${said}/mcp`, headers, script, pid }, { seconds: 2 });
        forget();
        if (made.failed > 0) throw new Error(`${names[name]}: ${made.failed} failures`);
        // The first round warms up.
        if (round > 0) found.set(name, [...(found.get(name) ?? []), made]);
      }
    }
    return report(found);
  } finally {
    await Promise.all([...running.values()].map(stop));
    await rm(directory, { recursive: true, force: true });
  }
}

function start(name: Name, directory: string, answers = ''): Promise<Started> {
  const listening = /listening on (\S+)/;
  const at = (file: string): string => join(import.meta.dirname, file);
  const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(directory, 'data'), ADMIN_PORT: '0' };
  if (name === 'colophon') return startPinned([process.execPath, at('colophon.ts')], listening, env);
  const [file, ...words] = name === 'dispatcher' ? ['mcp-dispatcher.ts', answers] : ['mcp-sdk.ts', name, answers];
  return startPinned([process.execPath, at(`contestants/${file}`), ...words], listening, env);
}

/** What a contestant answers to each call, by tool. */
async function answersOf(name: Name, url: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [index, [tool]] of calls.entries()) {
    const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: bodies[index] ?? '' });
    const text = await response.text();
    const { result } = JSON.parse(/^(?:event: message\ndata: )?(\{.*\})\n*$/.exec(text)?.[1] ?? 'null') ?? {};
    if (result?.structuredContent === undefined)
      throw new Error(`${names[name]} fails at ${tool}: ${text.slice(0, 300)}`);
    answers[tool] = result.structuredContent;
  }
  return answers;
}

/** A script for wrk that sends one body after the other. */
const luaOf = (texts: readonly string[]): string => `
wrk.method = "POST"
local bodies = { ${texts.map((text) => JSON.stringify(text)).join(', ')} }
local at = 0
request = function()
  at = at % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[at])
end
`;

function report(found: ReadonlyMap<Name, readonly Round[]>): string {
  const of = (name: Name, pick: keyof Round): number => median((found.get(name) ?? []).map((round) => round[pick]));
  const rows = (Object.keys(names) as Name[]).map((name) => [
    names[name],
    fixed(of(name, 'rate'), 0),
    fixed(of(name, 'p50'), 1),
    fixed(of(name, 'p99'), 1),
    fixed(of(name, 'cpu'), 0),
    `${fixed(of(name, 'rate') / of('example', 'rate'), 1)}x`,
    `${fixed(of('example', 'cpu') / of(name, 'cpu'), 1)}x`,
  ]);
  const heads = ['tools/call', 'requests/s', 'p50 ms', 'p99 ms', 'µs of processor', 'by requests', 'by processor'];
  return table(heads, rows);
}

if (import.meta.main) console.log(await measureMcp());
