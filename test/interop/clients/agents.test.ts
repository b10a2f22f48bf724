/** Agents as docs/mcp.md sets them up, without an account: each connects, lists the tools and calls one. A script stands for the model. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it, type TestContext } from 'node:test';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { startScriptedModel } from './fixtures/scripted-model.ts';
import { here, installed, run } from './fixtures/workshop.ts';

const tools = [
  'check_compatibility',
  'fetch',
  'get_pricing',
  'get_release',
  'get_requirements',
  'list_features',
  'list_releases',
  'search',
];

const manual = readFileSync(resolve(here, '../../../docs/mcp.md'), 'utf8');
const question = 'Which release is the latest?';

let server: TestServer;
let latest: string;
before(async () => {
  server = await startTestServer();
  latest = (await server.ask('/api/v1/releases/latest')).json.version;
});
after(() => server?.close());

/** Returns the configuration that the documentation gives for an agent, with the address of this server. */
function documented(agent: string): string {
  const [, block = ''] = new RegExp(`^${agent}[^\n]*:\n\n\`\`\`\\w+\n([^]*?)\n\`\`\``, 'm').exec(manual) ?? [];
  assert.notEqual(block, '', `docs/mcp.md has nothing for ${agent}`);
  return block.replaceAll('https://docs.example.com', server.baseUrl);
}

const listArguments = (command: string): string[] => command.split(' ').slice(1);

/** A home and a project that nobody has used, and the environment that leads there. */
async function fresh(t: TestContext): Promise<{ home: string; cwd: string; env: NodeJS.ProcessEnv }> {
  const home = await mkdtemp(join(tmpdir(), 'colophon-agent-'));
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const cwd = join(home, 'project');
  await mkdir(cwd);
  return { home, cwd, env: { PATH: process.env.PATH, HOME: home } };
}

/** Skips, and says why, where npm has no program for this machine. */
function isThere(t: TestContext, program: string): boolean {
  if (existsSync(program)) return true;
  t.skip(`not run: npm has no such program for ${process.platform}-${process.arch}`);
  return false;
}

const startModel = async (t: TestContext) => {
  const model = await startScriptedModel('get_release', {});
  t.after(() => model.close());
  return model;
};

/** `prefix`: what the program puts in front of the name of a tool. */
function assertUsed(model: { offered: readonly string[]; result: string }, prefix: string, told: string): void {
  const offered = model.offered.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  assert.deepEqual(offered.sort(), tools, told);
  assert.ok(model.result.replaceAll('\\', '').includes(`"version":"${latest}"`), told);
}

describe('The agents of docs/mcp.md without an account', () => {
  it('Claude Code lists the tools of /mcp and calls get_release', { timeout: 90_000 }, async (t) => {
    const program = installed('@anthropic-ai/claude-code-linux-x64/claude');
    if (!isThere(t, program)) return;
    const { cwd, env } = await fresh(t);
    const model = await startModel(t);
    const settings = {
      ...env,
      ANTHROPIC_BASE_URL: model.origin,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // The script chooses from the tools that it is offered with the first question.
      ENABLE_TOOL_SEARCH: 'false',
      MCP_CONNECTION_NONBLOCKING: 'false',
    };
    const options = { cwd, env: settings, timeout: 40_000 };
    const added = await run(program, listArguments(documented('Claude Code')), options);
    assert.equal(added.code, 0, added.text);
    const listed = await run(program, ['mcp', 'list'], options);
    assert.match(listed.text, /^sotto: .*Connected/m);
    const done = await run(program, ['-p', question, '--allowedTools', 'mcp__sotto__get_release'], options);
    assert.equal(done.code, 0, done.text);
    assertUsed(model, 'mcp__sotto__', done.text);
  });

  it('Codex lists the tools of /mcp and calls get_release', { timeout: 90_000 }, async (t) => {
    const program = installed('@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex');
    if (!isThere(t, program)) return;
    const { home, cwd, env } = await fresh(t);
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, '.codex/config.toml'), documented('Codex'));
    const child = spawn(program, ['app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    t.after(() => child.kill('SIGKILL'));
    const codex = conversation(child);
    await codex.ask('initialize', { clientInfo: { name: 'colophon', title: 'Colophon', version: '1' } });
    codex.tell('initialized');
    const { thread } = await codex.ask('thread/start', {});
    const { data } = await codex.ask('mcpServerStatus/list', {});
    assert.deepEqual(
      data.map((one: { name: string; authStatus?: string; tools: object }) => [
        one.name,
        Object.keys(one.tools).sort(),
      ]),
      [['sotto', tools]],
    );
    const given = { threadId: thread.id, server: 'sotto', tool: 'get_release', arguments: {} };
    const { structuredContent, isError } = await codex.ask('mcpServer/tool/call', given);
    assert.deepEqual([structuredContent?.version, isError ?? false], [latest, false]);
  });

  it('Gemini CLI lists the tools of /mcp and calls get_release', { timeout: 120_000 }, async (t) => {
    const program = installed('@google/gemini-cli/bundle/gemini.js');
    if (!isThere(t, program)) return;
    const { home, cwd, env } = await fresh(t);
    const model = await startModel(t);
    await mkdir(join(home, '.gemini'));
    const own = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
    };
    await writeFile(join(home, '.gemini/settings.json'), JSON.stringify(own));
    const settings = { ...env, GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: model.origin };
    const gemini = (words: readonly string[]) =>
      run(process.execPath, [program, ...words], { cwd, env: settings, timeout: 50_000 });
    const added = await gemini(listArguments(documented('Gemini CLI')));
    assert.equal(added.code, 0, added.text);
    assert.match((await gemini(['mcp', 'list'])).text, /sotto: .*Connected/);
    const done = await gemini(['--yolo', '--model', 'gemini-2.5-flash', '--prompt', question]);
    assert.equal(done.code, 0, done.text);
    assertUsed(model, 'mcp_sotto_', done.text);
  });

  it('opencode lists the tools of /mcp and calls get_release', { timeout: 120_000 }, async (t) => {
    const program = installed('opencode-linux-x64/bin/opencode');
    if (!isThere(t, program)) return;
    const { cwd, env: own } = await fresh(t);
    const env = { ...own, OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };
    const model = await startModel(t);
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'scripted',
      options: { baseURL: `${model.origin}/v1`, apiKey: 'scripted' },
      models: { scripted: { name: 'scripted', tool_call: true } },
    };
    const settings = { model: 'scripted/scripted', provider: { scripted: provider }, autoupdate: false };
    const text = JSON.stringify({ ...JSON.parse(documented('opencode')), ...settings });
    await writeFile(join(cwd, 'opencode.json'), text);
    const listed = await run(program, ['mcp', 'list'], { cwd, env, timeout: 50_000 });
    assert.match(listed.text, /sotto .*connected/);
    const done = await run(program, ['run', question], { cwd, env, timeout: 80_000 });
    assert.equal(done.code, 0, done.text);
    assertUsed(model, 'sotto_', done.text);
  });
});

/** JSON-RPC in lines. */
function conversation(child: ChildProcess) {
  const waiting = new Map<number, { resolve(value: never): void; reject(reason: Error): void }>();
  let last = 0;
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  lines.on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    const found = waiting.get(id);
    if (found === undefined) return;
    waiting.delete(id);
    if (error === undefined) found.resolve(result as never);
    else found.reject(new Error(JSON.stringify(error)));
  });
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`it ended with ${code}`));
  });
  const tell = (message: object): void => void child.stdin?.write(`${JSON.stringify(message)}\n`);
  return {
    tell: (method: string) => tell({ method }),
    // biome-ignore lint/suspicious/noExplicitAny: each method has an answer of its own
    ask: (method: string, params: object): Promise<any> =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        tell({ id: last, method, params });
      }),
  };
}
