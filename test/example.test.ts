/** Tests examples/larder, an application for three systems whose releases are files of electron-builder. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runColophon } from './support/command.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const folder = resolve(import.meta.dirname, '../examples/larder');
const html = { headers: { accept: 'text/html' } };

describe('examples/larder', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: { CONTENT_DIR: folder } });
  });
  after(() => server.close());

  it('colophon check --strict finds no error and no warning', async () => {
    const { code, stdout } = await runColophon(['check', folder, '--strict']);
    assert.deepEqual([code, stdout], [0, '0 errors, 0 warnings.\n']);
  });

  it('the front page has a download for each system, and GET /releases lists both releases', async () => {
    const { text } = await server.request('/', html);
    for (const [os, file] of [
      ['macOS', 'Larder-1.4.0-arm64.dmg'],
      ['Windows', 'Larder-Setup-1.4.0-x64.exe'],
      ['Linux', 'larder_1.4.0_amd64.deb'],
    ])
      assert.match(text, new RegExp(`data-os="${os}"[^>]*><a[^>]*href="https://downloads\\.larder\\.example/${file}"`));
    const { json } = await server.request('/api/v1/releases');
    assert.deepEqual(
      json.data.map(({ version, builds }: { version: string; builds: unknown[] }) => [version, builds.length]),
      [
        ['1.4.0', 7],
        ['1.3.0', 3],
      ],
    );
  });

  it('GET /requirements lists each system, and GET /compatibility checks each system', async () => {
    const { json } = await server.request('/api/v1/requirements');
    assert.deepEqual(
      json.systems.map(({ os, min_version, arch }: Record<string, unknown>) => [os, min_version, arch]),
      [
        ['macOS', '13.0', ['arm64', 'x86_64']],
        ['Windows', '10', ['x86_64']],
        ['Linux', '0', ['x86_64']],
      ],
    );
    for (const [query, isCompatible] of [
      ['os=macOS&os_version=14&arch=x86_64', true],
      ['os=macOS&os_version=12&arch=arm64', false],
      ['os=Windows&os_version=11&arch=arm64', true],
      ['os=Linux&arch=arm64', false],
    ] as const)
      assert.equal((await server.request(`/api/v1/compatibility?${query}`)).json.compatible, isCompatible, query);
  });
});
