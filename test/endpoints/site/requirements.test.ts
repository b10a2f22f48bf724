/** Tests that every surface states the stricter of the minimums of product.yaml and of the feed. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { writeContentFolder } from '../../support/content-folder.ts';
import { createItem, wrapInAppcast } from '../../support/feed-samples.ts';
import { callTool, sendRpcRequest } from '../../support/mcp.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const html = { headers: { accept: 'text/html' } };

const prompt = `---
title: Will it run
description: Checks whether Lamp runs on a computer.
arguments:
  - { name: os_version, description: The version of macOS., required: true }
---
Does Lamp run on macOS {os_version}?
`;

/**
 * Writes a content folder whose product.yaml has the lines `minimums`, and whose latest release, 2.0, has the XML elements `latest`
 * in the feed. Returns its path; it is removed after the test.
 */
const writeProduct = (t: { after(cleanup: () => void): void }, minimums: string, latest: string): string =>
  writeContentFolder(t as TestContext, {
    'product.yaml': (text) =>
      `${text.replace('os_version: "14.0"\n  arch: [arm64, x86_64]', minimums)}  signature: "off"\n`,
    'prompts/will-it-run.md': prompt,
    'appcast.xml': wrapInAppcast(
      createItem('2.0', `<pubDate>Mon, 04 May 2026 10:00:00 +0000</pubDate>${latest}`),
      createItem(
        '1.0',
        '<pubDate>Mon, 05 May 2025 10:00:00 +0000</pubDate><sparkle:minimumSystemVersion>12.0</sparkle:minimumSystemVersion>',
      ),
    ),
  });

/**
 * Returns what each surface states about the current release, by its name: the minimum version of macOS and the processors as the
 * surface writes them, such as `13.0 arm64`. Fails if a surface does not state them.
 */
async function readSurfaces(server: TestServer): Promise<Record<string, string>> {
  const fetchApi = async (path: string) => (await server.request(`/api/v1${path}`)).json;
  const fetchText = async (path: string, init = {}) => (await server.request(path, init)).text;
  const stripTags = (markup: string) =>
    markup
      .replace(/<script.*?<\/script>/gs, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/&nbsp;|\s+/g, ' ');
  const matchPattern = (pattern: RegExp, text: string): string => {
    const [, version = '', arch = ''] = pattern.exec(text) ?? assert.fail(`${pattern} in ${text.slice(0, 2000)}`);
    return `${version} ${arch}`.trim();
  };
  const front = await fetchText('/', html);
  const frontText = stripTags(front);
  const markdown = await fetchText('/index.md');
  const [jsonLd] = JSON.parse(`[${/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(front)?.[1]}]`).flat();
  const requirements = await fetchApi('/requirements');
  const results = await fetchApi('/search?q=system+requirements&type=requirements');
  const tool = (await callTool(server, '/mcp', 'get_requirements', {})).structuredContent;
  const document = (await callTool(server, '/mcp', 'fetch', { id: 'requirements:requirements' })).structuredContent;
  const completion = await sendRpcRequest(server, '/mcp', 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'will-it-run' },
    argument: { name: 'os_version', value: '' },
  });
  const { minimum } = await fetchApi('/compatibility?os_version=9&arch=arm64');
  return {
    'GET /api/v1/requirements': `${requirements.minimum_os_version} ${requirements.arch}`,
    'requirements as markdown': matchPattern(
      /macOS (\S+) or later\n- Processor: (.+)\n/,
      await fetchText('/api/v1/requirements', { headers: { accept: 'text/markdown' } }),
    ),
    'GET /api/v1/compatibility': `${minimum.os_version} ${minimum.arch}`,
    'GET /api/v1/search': matchPattern(
      /macOS (\S+) or later\W+Processor: (.+?)\./,
      results.data[0].excerpt.replaceAll('**', ''),
    ),
    'MCP get_requirements': `${tool.minimum_os_version} ${tool.arch}`,
    'MCP fetch': matchPattern(/macOS (\S+) or later\.\s+Processor: (.+?)\./, document.text),
    'MCP completion': completion.json.result.completion.values.join(),
    'front page, below the download': matchPattern(
      /macOS (\S+) or later\W+(Apple silicon or Intel|Apple silicon)/,
      frontText,
    ),
    'front page, form': matchPattern(
      /Needs: macOS ([\d.]+) or later, (Apple silicon or Intel|Apple silicon)/,
      frontText,
    ),
    'front page, what it needs': matchPattern(
      /System macOS (\S+) or later.*?Processor (Apple silicon or Intel|Apple silicon)/,
      frontText,
    ),
    'front page, example': matchPattern(/os_version=([\d.]+)&amp;arch=(\w+)/, front.replace(/<\/?span[^>]*>/g, '')),
    'front page, JSON-LD': `${jsonLd.operatingSystem} ${jsonLd.processorRequirements}`,
    'front page as markdown, below the download': matchPattern(
      /macOS (\S+) or later\W+(Apple silicon or Intel|Apple silicon)/,
      markdown,
    ),
    'front page as markdown, what it needs': matchPattern(/- macOS (\S+) or later\n- (.+)\n/, markdown),
    'release page': matchPattern(
      /macOS (\S+) or later\W+(Apple silicon or Intel|Apple silicon)/,
      stripTags(await fetchText('/releases/2.0', html)),
    ),
    'portal, sample call': matchPattern(/os_version=([\d.]+)&arch=(\w+)/, await fetchText('/developers.md')),
    'portal, response of the call': String(/"compatible": true/.test(await fetchText('/developers.md'))),
    'portal, sample program': matchPattern(/os_version: '([\d.]+)', arch: '(\w+)'/, await fetchText('/developers.md')),
  };
}

const createExpected = (version: string, arch: string, words: string) => ({
  'GET /api/v1/requirements': `${version} ${arch}`,
  'requirements as markdown': `${version} ${arch.replace(',', ' or ')}`,
  'GET /api/v1/compatibility': `${version} ${arch === 'arm64' ? 'arm64' : 'x86_64'}`,
  'GET /api/v1/search': `${version} ${arch.replace(',', ' or ')}`,
  'MCP get_requirements': `${version} ${arch}`,
  'MCP fetch': `${version} ${arch.replace(',', ' or ')}`,
  'MCP completion': version,
  'front page, below the download': `${version} ${words}`,
  'front page, form': `${version} ${words}`,
  'front page, what it needs': `${version} ${words}`,
  'front page, example': `${version} arm64`,
  'front page, JSON-LD': `macOS ${version} or later ${arch.replace(',', ', ')}`,
  'front page as markdown, below the download': `${version} ${words}`,
  'front page as markdown, what it needs': `${version} ${words}`,
  'release page': `${version} ${words}`,
  'portal, sample call': `${version} arm64`,
  'portal, response of the call': 'true',
  'portal, sample program': `${version} arm64`,
});

describe('`minimums` of product.yaml below the minimum of the feed', () => {
  let server: TestServer;
  const cleanups: (() => void)[] = [];
  before(async () => {
    const directory = writeProduct(
      { after: (cleanup) => cleanups.push(cleanup) },
      'os_version: "13.0"\n  arch: [arm64, x86_64]',
      '<sparkle:minimumSystemVersion>14.2</sparkle:minimumSystemVersion><sparkle:hardwareRequirements>arm64</sparkle:hardwareRequirements>',
    );
    server = await startTestServer({ env: { CONTENT_DIR: directory } });
  });
  after(async () => {
    await server.close();
    for (const cleanup of cleanups) cleanup();
  });

  it('the API, MCP and the pages name the minimum version and the processor of the feed', async () => {
    assert.deepEqual(await readSurfaces(server), createExpected('14.2', 'arm64', 'Apple silicon'));
  });

  it('an older release keeps its own minimum', async () => {
    const { json } = await server.request('/api/v1/releases/1.0');
    assert.equal(json.platform.min_version, '12.0');
  });
});

describe('`minimums` of product.yaml above the minimum of the feed', () => {
  let server: TestServer;
  const cleanups: (() => void)[] = [];
  before(async () => {
    const directory = writeProduct(
      { after: (cleanup) => cleanups.push(cleanup) },
      'os_version: "15.0"\n  arch: [arm64, x86_64]',
      '<sparkle:minimumSystemVersion>14.2</sparkle:minimumSystemVersion>',
    );
    server = await startTestServer({ env: { CONTENT_DIR: directory } });
  });
  after(async () => {
    await server.close();
    for (const cleanup of cleanups) cleanup();
  });

  it('the API, MCP and the pages name the minimum of product.yaml', async () => {
    assert.deepEqual(await readSurfaces(server), createExpected('15.0', 'arm64,x86_64', 'Apple silicon or Intel'));
  });

  it('GET /api/v1/releases/latest still offers the release for the minimum version of its build', async () => {
    const { json } = await server.request('/api/v1/releases/latest?os_version=14.2&arch=arm64');
    assert.deepEqual([json.version, json.platform.min_version], ['2.0', '14.2']);
  });
});
