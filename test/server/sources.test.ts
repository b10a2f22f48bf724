/** Tests a server whose releases have several sources: their order, failures of one source, and releases of the content folder. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { type FileChange, writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { createAppcast, wrapInAppcast } from '../support/feed-samples.ts';
import { startUpstream } from '../support/feed-upstream.ts';
import { startOneServer } from '../support/server.ts';

const setFeed =
  (sources: string, platform = 'platform: { os: [macOS, Windows, Linux] }\n') =>
  (text: string): string =>
    text
      .replace('feed:\n  source: appcast.xml\n', `${sources}${platform}`)
      .replace(
        'minimums:\n  os_version: "14.0"\n  arch: [arm64, x86_64]\n',
        'minimums:\n  macOS: { os_version: "13", arch: [arm64, x86_64] }\n  Windows: { os_version: "10", arch: [x86_64] }\n  Linux: { arch: [x86_64] }\n',
      );

const createYml = (version: string, ...files: string[]): string =>
  `version: ${version}\nfiles:\n${files.map((file) => `  - url: ${file}\n    size: 7\n`).join('')}releaseDate: '2026-11-0${version.at(0)}T10:00:00Z'\n`;

const createGithubRelease = (version: string, ...names: string[]): object => ({
  tag_name: `v${version}`,
  body: `Notes of ${version}`,
  published_at: '2026-11-01T10:00:00Z',
  html_url: `https://github.com/acme/larder/releases/tag/v${version}`,
  assets: names.map((name) => ({
    name,
    state: 'uploaded',
    size: 7,
    digest: `sha256:${'cd'.repeat(32)}`,
    browser_download_url: `https://github.com/acme/larder/releases/download/v${version}/${name}`,
  })),
});

/**
 * Starts a host that responds with the text that `files` has for a path, or with 503 without one. `files` is empty; the test fills
 * it. The host is closed after the test.
 */
async function startHost(t: TestContext) {
  const upstream = await startUpstream();
  t.after(() => upstream.close());
  const files = new Map<string, string>();
  const listener: RequestListener = (request, response) => {
    const text = files.get(request.url?.split('?')[0] ?? '');
    if (text === undefined) response.writeHead(503).end();
    else response.end(text);
  };
  upstream.setListener(listener);
  return { origin: upstream.origin, files };
}

async function startServer(t: TestContext, changes: Record<string, FileChange>, dataDir?: string) {
  const directory = writeContentFolder(t, { 'appcast.xml': null, ...changes });
  const server = await startOneServer({ env: { CONTENT_DIR: directory }, ...(dataDir !== undefined && { dataDir }) });
  t.after(() => server.close());
  return { server, directory };
}

describe('`feed` of product.yaml with several sources: upstream_unavailable', () => {
  const listSources = (origin: string, order: readonly string[]): string =>
    `feed:\n${order.map((path) => `  - source: ${origin}${path}\n`).join('')}`;
  const order = ['/latest-mac.yml', '/latest.yml', '/repos/acme/larder/releases'];

  it('each version is one release with the files of all sources', async (t) => {
    const { origin, files } = await startHost(t);
    files.set('/latest-mac.yml', createYml('2.0.0', 'Larder-2.0.0-arm64.dmg', 'Larder-2.0.0.dmg'));
    files.set('/latest.yml', createYml('2.0.0', 'Larder-Setup-2.0.0.exe'));
    const githubReleases = [
      createGithubRelease('3.0.0', 'Larder-3.0.0-arm64.dmg'),
      createGithubRelease('2.0.0', 'Larder-Setup-2.0.0.exe', 'larder_2.0.0_amd64.deb'),
      createGithubRelease('1.0.0', 'Larder-1.0.0.dmg'),
    ];
    files.set('/repos/acme/larder/releases', JSON.stringify(githubReleases));
    const { server } = await startServer(t, { 'product.yaml': setFeed(listSources(origin, order)) });
    const { json: list } = await server.request('/api/v1/releases');
    assert.deepEqual(
      list.data.map(({ version }: { version: string }) => version),
      ['3.0.0', '2.0.0', '1.0.0'],
    );
    const { json: latest } = await server.request('/api/v1/releases/latest');
    assert.equal(latest.version, '2.0.0', 'a version that is only on GitHub is not what the updater offers');
    assert.equal(latest.notes, 'Notes of 2.0.0');
    assert.deepEqual(
      latest.builds.map(({ os, arch, format }: Record<string, string>) => [os, arch, format]),
      [
        ['macOS', 'arm64', 'dmg'],
        ['macOS', 'x86_64', 'dmg'],
        ['Windows', 'x86_64', 'exe'],
        ['Linux', 'x86_64', 'deb'],
      ],
    );
    assert.equal(latest.builds[2].sha256, 'cd'.repeat(32), 'GitHub’s hash fills the gap of the same file');
    assert.match(latest.builds[2].download_url, /^http:\/\/127\.0\.0\.1/);
    const linux = await server.request('/api/v1/releases/latest?os=Linux');
    assert.equal(linux.json.version, '2.0.0', 'a list is offered where no updater has a feed');
    assert.equal((await server.request('/appcast.xml')).status, 404);
  });

  it('notes_format and the URLs of the notes are from the second source if only that one has notes', async (t) => {
    const { origin, files } = await startHost(t);
    const githubReleases = ['2.0.0', '1.0.0'].map((version) => ({
      ...createGithubRelease(version, 'Larder.dmg'),
      body: null,
    }));
    const description = '<description sparkle:format="plain-text">A *star*</description>';
    const links =
      '<sparkle:releaseNotesLink>/1.html</sparkle:releaseNotesLink><sparkle:fullReleaseNotesLink>/all.html</sparkle:fullReleaseNotesLink>';
    const createItem = (version: string, notes: string): string =>
      `<item><sparkle:version>${version}</sparkle:version>${notes}<enclosure url="https://github.com/acme/larder/releases/download/v${version}/Larder.dmg"/></item>`;
    files.set('/releases', JSON.stringify(githubReleases));
    files.set('/appcast.xml', wrapInAppcast(createItem('2.0.0', description), createItem('1.0.0', links)));
    const { server } = await startServer(t, {
      'product.yaml': setFeed(listSources(origin, ['/releases', '/appcast.xml'])),
    });
    const { json: second } = await server.request('/api/v1/releases/2.0.0');
    assert.equal(second.notes_format, 'plain-text');
    const { json: first } = await server.request('/api/v1/releases/1.0.0');
    assert.deepEqual([first.notes_url, first.full_notes_url], [`${origin}/1.html`, `${origin}/all.html`]);
  });

  it('an unread source is missing, a failed source keeps its files, and the order of the reads does not matter', async (t) => {
    const { origin, files } = await startHost(t);
    const [mac = '', windows = '', github = ''] = order;
    const texts = new Map([
      [mac, createYml('2.0.0', 'Larder-2.0.0-universal.dmg')],
      [windows, createYml('2.0.0', 'Larder-Setup-2.0.0.exe')],
      [github, JSON.stringify([createGithubRelease('2.0.0', 'larder_2.0.0_amd64.deb')])],
    ]);
    const restore = (path: string): void => void files.set(path, texts.get(path) ?? '');
    restore(mac);
    const { server } = await startServer(t, { 'product.yaml': setFeed(listSources(origin, order)) });
    const partial = await server.request('/api/v1/releases/2.0.0');
    assert.equal(partial.json.builds.length, 1);
    assert.equal(partial.headers.get('cache-status'), '"feed"; hit; detail=stale');
    assert.ok(
      server.logLines.some(({ warning }) => /latest\.yml has not been read yet|is missing/.test(String(warning))) ||
        server.logLines.some(({ msg }) => /returned 503/.test(String(msg))),
    );
    restore(github);
    restore(windows);
    await server.checkFeed();
    const complete = await server.request('/api/v1/releases/2.0.0');
    assert.equal(complete.json.builds.length, 3);
    assert.equal(complete.headers.get('cache-status'), null);
    const revision = server.revision();
    files.clear();
    await server.checkFeed();
    const lastKnown = await server.request('/api/v1/releases/2.0.0');
    assert.equal(lastKnown.text, complete.text);
    assert.equal(server.revision(), revision);
    for (const path of order) restore(path);
    const otherSite = await startServer(t, { 'product.yaml': setFeed(listSources(origin, order)) });
    const { text } = await otherSite.server.request('/api/v1/releases/2.0.0');
    assert.equal(text.replaceAll(otherSite.server.baseUrl, server.baseUrl), complete.text);
    assert.equal(otherSite.server.revision(), revision);
  });

  it('GET /api/v1/releases gets 503 while no source was ever read', async (t) => {
    const { origin } = await startHost(t);
    const { server } = await startServer(t, { 'product.yaml': setFeed(listSources(origin, order)) });
    const { status, json } = await server.request('/api/v1/releases');
    assert.deepEqual([status, json.code], [503, 'upstream_unavailable']);
  });

  it('the first appcast is served at /appcast.xml', async (t) => {
    const { origin, files } = await startHost(t);
    files.set('/latest.yml', createYml('2.0.0', 'Larder-Setup-2.0.0.exe'));
    files.set('/appcast.xml', createAppcast('2.0.0'));
    const { server } = await startServer(t, {
      'product.yaml': setFeed(listSources(origin, ['/latest.yml', '/appcast.xml'])),
    });
    assert.equal((await server.request('/appcast.xml')).text, createAppcast('2.0.0'));
  });

  it('the feeds of the stable and of the beta releases are one list, and a release in both is stable', async (t) => {
    const { origin, files } = await startHost(t);
    files.set('/beta.xml', createAppcast('3.0.0', '2.0.0'));
    files.set('/appcast.xml', createAppcast('2.0.0'));
    const list = `feed:\n  - source: ${origin}/beta.xml\n    channel: beta\n  - source: ${origin}/appcast.xml\n`;
    const { server } = await startServer(t, { 'product.yaml': setFeed(list) });
    const fetchVersion = async (query: string): Promise<string> =>
      (await server.request(`/api/v1/releases/latest${query}`)).json.version;
    assert.equal(await fetchVersion(''), '2.0.0');
    assert.equal(await fetchVersion('?channel=beta'), '3.0.0');
    assert.equal((await server.request('/api/v1/releases?channel=beta')).json.data.length, 2);
  });
});

describe('`downloads` in releases/{version}.md of CONTENT_DIR', () => {
  const createRelease = (more = ''): string =>
    `---\ndate: 2026-11-02\ndownloads:\n  - url: https://lamp.example/Lamp-2.0.0.dmg\n    arch: universal\n    size: 42\n  - url: https://lamp.example/lamp.zip\n    os: Windows\n${more}---\n\nBrighter again.\n`;

  it('a product without a feed serves the releases of the folder, and a new file adds one', async (t) => {
    const { server, directory } = await startServer(t, {
      'product.yaml': setFeed(''),
      'releases/2.0.0.md': createRelease(),
    });
    const { json } = await server.request('/api/v1/releases/latest');
    assert.equal(json.version, '2.0.0');
    assert.equal(json.published_at, '2026-11-02');
    assert.equal(json.notes, 'Brighter again.');
    assert.equal(json.size_bytes, 42);
    assert.deepEqual(
      json.builds.map(({ os, arch, format }: Record<string, string>) => [os, arch, format]),
      [
        ['macOS', 'universal', 'dmg'],
        ['Windows', 'x86_64', 'zip'],
      ],
    );
    assert.equal((await server.request('/releases')).status, 200);
    writeContentFile(directory, 'releases/2.1.0.md', createRelease().replaceAll('2.0.0', '2.1.0'));
    while ((await server.request('/api/v1/releases/2.1.0')).status !== 200)
      await new Promise((done) => setTimeout(done, 25));
    rmSync(`${directory}/releases/2.1.0.md`);
  });

  it('a release of the folder is served while the feed fails, and adds its downloads to the release of the feed', async (t) => {
    const { origin, files } = await startHost(t);
    const { server } = await startServer(t, {
      'product.yaml': setFeed(`feed:\n  source: ${origin}/latest-mac.yml\n`),
      'releases/2.0.0.md': createRelease(),
    });
    assert.equal((await server.request('/api/v1/releases/latest')).json.version, '2.0.0');
    files.set('/latest-mac.yml', createYml('2.0.0', 'Lamp-2.0.0-universal.zip'));
    await server.checkFeed();
    const { json } = await server.request('/api/v1/releases/2.0.0');
    assert.equal(json.builds.length, 3);
  });
});
