/** Agents set up as in docs/mcp.md, with a script instead of a model: each connects without an account, lists the tools and calls one. */
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
  latest = (await server.request('/api/v1/releases/latest')).json.version;
});
after(() => server?.close());

/** Returns the configuration in docs/mcp.md for an agent, with the address of this server. Asserts that there is one. */
function readConfiguration(agent: string): string {
  const [, block = ''] = new RegExp(`^${agent}[^\n]*:\n\n\`\`\`\\w+\n([^]*?)\n\`\`\``, 'm').exec(manual) ?? [];
  assert.notEqual(block, '', `docs/mcp.md has nothing for ${agent}`);
  return block.replaceAll('https://docs.example.com', server.baseUrl);
}

const listArguments = (command: string): string[] => command.split(' ').slice(1);

/**
 * Creates an empty home folder with an empty project in it, `cwd`, and the environment variables for it, HOME and PATH. The folder
 * is removed after the test.
 */
async function createHome(t: TestContext): Promise<{ home: string; cwd: string; env: NodeJS.ProcessEnv }> {
  const home = await mkdtemp(join(tmpdir(), 'colophon-agent-'));
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const cwd = join(home, 'project');
  await mkdir(cwd);
  return { home, cwd, env: { PATH: process.env.PATH, HOME: home } };
}

/** Returns whether there is a program at the path `program`, and skips the test with the reason if there is none. */
function isInstalled(t: TestContext, program: string): boolean {
  if (existsSync(program)) return true;
  t.skip(`not run: npm has no such program for ${process.platform}-${process.arch}`);
  return false;
}

const startModel = async (t: TestContext) => {
  const model = await startScriptedModel('get_release', {});
  t.after(() => model.close());
  return model;
};

/**
 * Asserts that the model was offered every tool, with the prefix that the program adds to their names, and that the result of its
 * call has the latest version. `output` is the message of a failure.
 */
function assertUsed(model: { offered: readonly string[]; result: string }, prefix: string, output: string): void {
  const offered = model.offered.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  assert.deepEqual(offered.sort(), tools, output);
  assert.ok(model.result.replaceAll('\\', '').includes(`"version":"${latest}"`), output);
}

describe('The agents of docs/mcp.md without an account', () => {
  it('Claude Code lists the tools of /mcp and calls get_release', { timeout: 90_000 }, async (t) => {
    const program = installed('@anthropic-ai/claude-code-linux-x64/claude');
    if (!isInstalled(t, program)) return;
    const { cwd, env } = await createHome(t);
    const model = await startModel(t);
    const settings = {
      ...env,
      ANTHROPIC_BASE_URL: model.origin,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // The scripted model chooses from the tools in the first request, so all tools must be in it.
      ENABLE_TOOL_SEARCH: 'false',
      MCP_CONNECTION_NONBLOCKING: 'false',
    };
    const options = { cwd, env: settings, timeout: 40_000 };
    const addition = await run(program, listArguments(readConfiguration('Claude Code')), options);
    assert.equal(addition.code, 0, addition.text);
    const list = await run(program, ['mcp', 'list'], options);
    assert.match(list.text, /^sotto: .*Connected/m);
    const answer = await run(program, ['-p', question, '--allowedTools', 'mcp__sotto__get_release'], options);
    assert.equal(answer.code, 0, answer.text);
    assertUsed(model, 'mcp__sotto__', answer.text);
  });

  it('Codex lists the tools of /mcp and calls get_release', { timeout: 90_000 }, async (t) => {
    const program = installed('@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex');
    if (!isInstalled(t, program)) return;
    const { home, cwd, env } = await createHome(t);
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, '.codex/config.toml'), readConfiguration('Codex'));
    const child = spawn(program, ['app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    t.after(() => child.kill('SIGKILL'));
    const codex = createConversation(child);
    await codex.request('initialize', { clientInfo: { name: 'colophon', title: 'Colophon', version: '1' } });
    codex.notify('initialized');
    const { thread } = await codex.request('thread/start', {});
    const { data } = await codex.request('mcpServerStatus/list', {});
    assert.deepEqual(
      data.map((status: { name: string; authStatus?: string; tools: object }) => [
        status.name,
        Object.keys(status.tools).sort(),
      ]),
      [['sotto', tools]],
    );
    const call = { threadId: thread.id, server: 'sotto', tool: 'get_release', arguments: {} };
    const { structuredContent, isError } = await codex.request('mcpServer/tool/call', call);
    assert.deepEqual([structuredContent?.version, isError ?? false], [latest, false]);
  });

  it('Gemini CLI lists the tools of /mcp and calls get_release', { timeout: 120_000 }, async (t) => {
    const program = installed('@google/gemini-cli/bundle/gemini.js');
    if (!isInstalled(t, program)) return;
    const { home, cwd, env } = await createHome(t);
    const model = await startModel(t);
    await mkdir(join(home, '.gemini'));
    const geminiSettings = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
    };
    await writeFile(join(home, '.gemini/settings.json'), JSON.stringify(geminiSettings));
    const settings = { ...env, GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: model.origin };
    const gemini = (words: readonly string[]) =>
      run(process.execPath, [program, ...words], { cwd, env: settings, timeout: 50_000 });
    const addition = await gemini(listArguments(readConfiguration('Gemini CLI')));
    assert.equal(addition.code, 0, addition.text);
    assert.match((await gemini(['mcp', 'list'])).text, /sotto: .*Connected/);
    const answer = await gemini(['--yolo', '--model', 'gemini-2.5-flash', '--prompt', question]);
    assert.equal(answer.code, 0, answer.text);
    assertUsed(model, 'mcp_sotto_', answer.text);
  });

  it('opencode lists the tools of /mcp and calls get_release', { timeout: 120_000 }, async (t) => {
    const program = installed('opencode-linux-x64/bin/opencode');
    if (!isInstalled(t, program)) return;
    const { cwd, env: homeEnv } = await createHome(t);
    const env = { ...homeEnv, OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };
    const model = await startModel(t);
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'scripted',
      options: { baseURL: `${model.origin}/v1`, apiKey: 'scripted' },
      models: { scripted: { name: 'scripted', tool_call: true } },
    };
    const settings = { model: 'scripted/scripted', provider: { scripted: provider }, autoupdate: false };
    const text = JSON.stringify({ ...JSON.parse(readConfiguration('opencode')), ...settings });
    await writeFile(join(cwd, 'opencode.json'), text);
    const list = await run(program, ['mcp', 'list'], { cwd, env, timeout: 50_000 });
    assert.match(list.text, /sotto .*connected/);
    const answer = await run(program, ['run', question], { cwd, env, timeout: 80_000 });
    assert.equal(answer.code, 0, answer.text);
    assertUsed(model, 'sotto_', answer.text);
  });
});

/**
 * Creates a JSON-RPC client that exchanges one message per line with a process. `request` resolves to the result, and rejects if
 * the response is an error or the process ends; `notify` sends a message without an answer.
 */
function createConversation(child: ChildProcess) {
  const waiting = new Map<number, { resolve(value: never): void; reject(reason: Error): void }>();
  let last = 0;
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  lines.on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    const pending = waiting.get(id);
    if (pending === undefined) return;
    waiting.delete(id);
    if (error === undefined) pending.resolve(result as never);
    else pending.reject(new Error(JSON.stringify(error)));
  });
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the process ended with ${code}`));
  });
  const write = (message: object): void => void child.stdin?.write(`${JSON.stringify(message)}\n`);
  return {
    notify: (method: string) => write({ method }),
    // biome-ignore lint/suspicious/noExplicitAny: each method has another type of result.
    request: (method: string, params: object): Promise<any> =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        write({ id: last, method, params });
      }),
  };
}
