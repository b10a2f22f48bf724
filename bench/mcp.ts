/**
 * tools/call of the server compared with the official SDK's own stateless server: in turns, one core each. The whole server counts
 * requests, makes entity tags and keeps its log; only its dispatcher is comparable to the SDK.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figureHeads, figuresOf, rateRatioOf, ratioOf } from './figures.ts';
import { atLeast, type Measured } from './goals.ts';
import { type Started, startColophon, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Pace, type Results, takeTurns } from './turns.ts';

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

/** A table, and how many times the SDK's example the server is. */
export async function measureMcp(pace: Pace): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const script = join(directory, 'post.lua');
  await writeFile(script, luaOf(bodies));
  const running = new Map<Name, Started>();
  try {
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
    const contestants = [...running].map(([name, { said, pid, forget }]) => ({
      name: names[name],
      target: { url: `${said}/mcp`, headers, script, pid },
      forget,
    }));
    return report(await takeTurns(contestants, pace));
  } finally {
    await Promise.all([...running.values()].map(stop));
    await rm(directory, { recursive: true, force: true });
  }
}

function start(name: Name, directory: string, answers = ''): Promise<Started> {
  if (name === 'colophon') return startColophon({ DATA_DIR: join(directory, 'data') });
  const [file, ...words] = name === 'dispatcher' ? ['mcp-dispatcher.ts', answers] : ['mcp-sdk.ts', name, answers];
  const program = join(import.meta.dirname, 'contestants', file);
  return startPinned([process.execPath, program, ...words], /listening on (\S+)/);
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

function report(results: Results): Measured {
  const rows = Object.values(names).map((name) => {
    const byCpu = fixed(ratioOf(results, 'cpu', names.example, name), 1);
    return [name, ...figuresOf(results, name), rateRatioOf(results, name, names.example, 1), byCpu];
  });
  const heads = ['tools/call', ...figureHeads];
  const text = table([...heads, 'times the example’s rate', 'by CPU'], rows);
  const times = ratioOf(results, 'cpu', names.example, names.colophon);
  return { text, goals: [atLeast('tools/call: times the SDK’s stateless example, by CPU', times, 15, 1)] };
}
