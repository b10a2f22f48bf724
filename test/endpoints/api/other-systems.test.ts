/** Tests that the API, MCP and the front page report an unsupported operating system, and suggest no version for it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callTool } from '../../support/mcp.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('GET /compatibility and GET /releases/latest with an unsupported operating system as os_version', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const writeQuery = (os: string): string => `os_version=${encodeURIComponent(os)}&arch=x86_64`;
  const createVerdict = (name: string, system: string, sandbox?: true) => ({
    object: 'compatibility',
    compatible: false,
    reasons: [`${name} runs on macOS only.`],
    minimum: { os_version: '14.0', arch: sandbox ? 'arm64' : 'x86_64' },
    checks: [{ code: 'os_unsupported', required: 'macOS', given: system }],
    ...(sandbox && { sandbox }),
  });

  for (const [version, system] of Object.entries({
    'Windows 11': 'Windows',
    'Windows 10': 'Windows',
    win11: 'Windows',
    'Ubuntu 24.04': 'Linux',
    Linux: 'Linux',
    'iOS 18': 'iOS',
    Android: 'Android',
  }))
    it(`GET /compatibility returns 200 with compatible: false for ${version}, in the sandbox too`, async () => {
      const production = await server.request(`/api/v1/compatibility?${writeQuery(version)}`);
      assert.equal(production.status, 200);
      assert.deepEqual(production.json, createVerdict('Sotto', system));
      const sandbox = await server.request(`/api/v1/sandbox/compatibility?${writeQuery(version)}`);
      assert.equal(sandbox.status, 200);
      assert.deepEqual(sandbox.json, createVerdict('Sandbox', system, true));
    });

  it('GET /api/v1/compatibility as markdown has the same reason', async () => {
    const headers = { accept: 'text/markdown' };
    const { text } = await server.request(`/api/v1/compatibility?${writeQuery('Linux')}`, { headers });
    assert.match(text, /^\*\*No\*\*, Sotto does not run there\.\n\n- Sotto runs on macOS only\.$/m);
  });

  it('the MCP tool check_compatibility has the same result and no error', async () => {
    const result = await callTool(server, '/mcp', 'check_compatibility', { os_version: 'Windows 11', arch: 'x86_64' });
    assert.deepEqual(result, {
      content: [{ type: 'text', text: JSON.stringify(createVerdict('Sotto', 'Windows')) }],
      structuredContent: createVerdict('Sotto', 'Windows'),
    });
  });

  it('the form of the front page has the same reason, and offers no older release', async () => {
    const { text } = await server.request(`/?${writeQuery('Windows 11')}`, { headers: { accept: 'text/html' } });
    const [, verdict = ''] = /<div class="verdict"[^>]*>(.*?)<\/div>/s.exec(text) ?? [];
    assert.equal(verdict.replace(/<[^>]+>/g, '').trim(), 'No, Sotto doesn’t run on it. Sotto runs on macOS only.');
  });

  it('GET /api/v1/releases/latest returns 422 unprocessable with the same reason', async () => {
    const { status, json } = await server.request(`/api/v1/releases/latest?${writeQuery('Windows 11')}`);
    assert.deepEqual(
      [status, json.code, json.detail, json.suggestions],
      [422, 'unprocessable', 'No release runs on Windows. Sotto runs on macOS only.', undefined],
    );
  });

  it('GET /api/v1/compatibility suggests a version only for a name or a number of macOS', async () => {
    for (const [version, suggestion] of [
      ['Sonoma', '14.0'],
      ['macOS 14', '14'],
      ['PlayStation 5', undefined],
    ]) {
      const { status, json } = await server.request(`/api/v1/compatibility?${writeQuery(version ?? '')}`);
      assert.deepEqual([status, json.code, json.suggestions?.[0]], [400, 'invalid_request', suggestion]);
    }
    const { json } = await server.request(`/api/v1/compatibility?${writeQuery('10.15.7')}`);
    assert.equal(json.checks[0].code, 'os_too_old');
  });
});
