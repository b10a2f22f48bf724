/** Compares tools/call of the server with the official SDK's stateless example, which has the same results prepared; one core each. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningProcess, startColophon, startContestant, stopProcess } from './process.ts';
import { formatNumber, formatTable } from './table.ts';
import { computeRatio, figureHeads, formatFigures, takeTurns } from './turns.ts';

const serverName = 'Colophon, the whole server';
const exampleName = 'the SDK’s stateless example';

/** Typical tool calls of agents. Prices are left out because they contain the limits that the benchmark raises. */
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

/**
 * Measures the tool calls of `calls` and returns a Markdown table with a row for the server and one for the SDK's example. Its
 * reader checks what is required: the SDK uses at least ten times the CPU of the server. Rejects if their results differ.
 */
export async function measureMcp(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const script = join(directory, 'post.lua');
  await writeFile(script, createLuaScript(bodies));
  const servers = new Map<string, RunningProcess>();
  try {
    const server = await startColophon({ DATA_DIR: join(directory, 'data') });
    servers.set(serverName, server);
    const results = await callTools(server.readyText);
    const file = join(directory, 'results.json');
    await writeFile(file, JSON.stringify(results));
    const example = await startContestant('mcp-sdk.ts', file);
    servers.set(exampleName, example);
    assert.deepEqual(await callTools(example.readyText), results);
    const contestants = [...servers].map(([name, { readyText: url, pid, clearOutput }]) => ({
      name,
      target: { url: `${url}/mcp`, headers, script, pid },
      clearOutput,
    }));
    const rounds = await takeTurns(contestants);
    const rows = [serverName, exampleName].map((name) => [
      name,
      ...formatFigures(rounds, name),
      formatNumber(computeRatio(rounds, 'cpu', exampleName, name), 1),
    ]);
    return formatTable(['tools/call', ...figureHeads, 'times the SDK, by CPU'], rows);
  } finally {
    await Promise.all([...servers.values()].map(stopProcess));
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Calls each tool of `calls` at `/mcp` of this origin, and returns the `structuredContent` of each result by the name of the tool.
 * Throws if a result has none.
 */
async function callTools(url: string): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const [index, [tool]] of calls.entries()) {
    const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: bodies[index] ?? '' });
    const text = await response.text();
    const { result } = JSON.parse(/^(?:event: message\ndata: )?(\{.*\})\n*$/.exec(text)?.[1] ?? 'null') ?? {};
    if (result?.structuredContent === undefined) throw new Error(`${url} fails at ${tool}: ${text.slice(0, 300)}`);
    results[tool] = result.structuredContent;
  }
  return results;
}

/** Returns the text of a Lua script for wrk that posts these bodies, one or more, in turn, over and over. */
const createLuaScript = (texts: readonly string[]): string => `
wrk.method = "POST"
local bodies = { ${texts.map((text) => JSON.stringify(text)).join(', ')} }
local index = 0
request = function()
  index = index % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[index])
end
`;
