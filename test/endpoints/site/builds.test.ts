/** Tests feeds with builds for several systems, processors and versions: every surface offers each computer the same build. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type BuildFeed, buildFeeds, macOnlySystems } from '../../support/build-feeds.ts';
import { writeContentFolder } from '../../support/content-folder.ts';
import { callTool, sendRpcRequest } from '../../support/mcp.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { readPage } from '../../support/site-page.ts';

const html = { headers: { accept: 'text/html' } };

/**
 * Returns the parameters of the API for a computer: `Windows 10 1803 x86_64` has the version `10 1803`, and `Linux  arm64`, with
 * two spaces, has none. Fails if the text is not of this form.
 */
function readComputer(text: string): { os: string; os_version?: string; arch: string } {
  const [, os = '', version = '', arch = ''] = /^(\w+) (.*) (\w+)$/.exec(text) ?? assert.fail(text);
  return { os, ...(version !== '' && { os_version: version }), arch };
}

/**
 * Returns the computers that are compared for every feed, such as `macOS 13 arm64`, in addition to the computers of the feed’s
 * table: some versions of each of `systems`, such as `macOS`, with both processors.
 */
const listComputers = (systems: readonly string[]): string[] =>
  Object.entries({ macOS: ['10.13', '12', '13', '14', '26', '27'], Windows: ['10 1809', '11'], Linux: [''] }).flatMap(
    ([os, versions]) =>
      systems.includes(os) ? versions.flatMap((version) => [`${os} ${version} arm64`, `${os} ${version} x86_64`]) : [],
  );

async function startServer(t: TestContext, { systems = macOnlySystems, files }: BuildFeed): Promise<TestServer> {
  const sources = Object.keys(files)
    .map((name) => `  - { source: ${name}, base_url: "https://lamp.example/${name}" }`)
    .join('\n');
  const directory = writeContentFolder(t, {
    'appcast.xml': null,
    'product.yaml': (text) => text.replace(/minimums:[\s\S]*/, `${systems}\nfeed:\n${sources}\n`),
    ...files,
  });
  const server = await startTestServer({
    env: { CONTENT_DIR: directory, RATE_LIMIT_ANONYMOUS: '10000', RATE_LIMIT_PAGES: '10000' },
  });
  t.after(() => server.close());
  return server;
}

type Json = Record<string, unknown>;

/**
 * Asserts that every surface states the same about a computer, which has the form that `readComputer` reads; `needs` is the
 * response of /api/v1/requirements. Returns the name of the file that it is offered, or null, and whether the application runs
 * there.
 */
async function compareComputer(
  server: TestServer,
  computer: string,
  needs: { systems: Json[] },
): Promise<[unknown, boolean]> {
  const input = readComputer(computer);
  const query = new URLSearchParams(input).toString();
  const latest = await server.request(`/api/v1/releases/latest?${query}`);
  const { json: check } = await server.request(`/api/v1/compatibility?${query}`);
  const downloadUrl = latest.status === 200 ? latest.json.download_url : null;

  const paths = ['/download/latest', ...(downloadUrl === null ? [] : [`/download/${latest.json.version}`])];
  for (const path of paths) {
    const { headers } = await server.request(`${path}?${query}`);
    assert.equal(headers.get('location'), downloadUrl, `${computer} ${path}`);
  }
  const call = { name: 'get_release', arguments: input };
  const { result: tool } = (await sendRpcRequest(server, '/mcp', 'tools/call', call)).json;
  assert.equal(tool.isError === true ? null : tool.structuredContent.download_url, downloadUrl, computer);
  const toolResult = await callTool(server, '/mcp', 'check_compatibility', input);
  assert.deepEqual(toolResult.structuredContent, check, computer);

  const { status, json: current } = await server.request(`/api/v1/releases/latest?os=${input.os}`);
  // Without a release on the default channel, the current release is a beta, which is offered only with `channel`.
  if (check.compatible) assert.ok(downloadUrl !== null || status !== 200, computer);
  const lastRelease = check.last_release;
  if (lastRelease !== undefined) {
    assert.equal(check.compatible, false, computer);
    assert.notEqual(latest.json.version, current.version, computer);
    assert.deepEqual([lastRelease.version, lastRelease.download_url], [latest.json.version, downloadUrl], computer);
    assert.equal((await server.request(new URL(lastRelease.url).pathname, html)).status, 200);
  }

  const { os, os_version: version = '' } = input;
  const selection = needs.systems.length > 1 ? `${os} ${version}`.trim() : version || os;
  const form = new URLSearchParams({ os_version: selection, arch: input.arch });
  const front = (await server.request(`/?${form}`, html)).text;
  assert.equal(front.includes('<strong class="good">'), check.compatible, computer);
  // A page that reports that the application runs on a computer links to a file for that computer, from any channel.
  if (check.compatible)
    assert.match(
      front,
      /<(?:p class="get"|ul class="downloads plain")>[\s\S]*?href="https:\/\/[^"]+\/[^"]+"/,
      computer,
    );
  if (check.compatible && needs.systems.length > 1) assert.ok(front.includes(`data-os="${os}"`), computer);
  assert.equal(front.includes('is the last release for it'), lastRelease !== undefined, computer);
  return [downloadUrl?.replace(/^.*\//, '') ?? null, check.compatible];
}

/** Asserts that every surface states the same about the current release; `needs` is the response of /api/v1/requirements. */
async function compareRelease(server: TestServer, needs: { systems: { os: string; arch: string[] }[] } & Json) {
  const text = async (path: string, init: RequestInit = html) => (await server.request(path, init)).text;
  const { json: defaultRelease, status } = await server.request('/api/v1/releases/latest');
  const pages = { front: await text('/'), list: await text('/releases'), atom: await text('/releases.atom') };
  const [application] = readPage(pages.front).jsonLd.filter((object) => object['@type'] === 'SoftwareApplication');
  const processors = new Set(needs.systems.flatMap(({ arch }) => arch));
  assert.equal(application?.processorRequirements, [...processors].join(', '));
  const [main] = needs.systems;
  assert.deepEqual(main, { ...main, min_version: needs.minimum_os_version, arch: needs.arch });
  const search = await server.request('/api/v1/search?q=system+requirements&type=requirements');
  const markdown = await text('/api/v1/requirements', { headers: { accept: 'text/markdown' } });
  for (const { os } of needs.systems)
    for (const surface of [String(application?.operatingSystem), search.json.data[0].excerpt, markdown, pages.front])
      assert.ok(surface.includes(os), os);
  // Without a release on the default channel, the front page shows the release from which compatibility is computed.
  const latest =
    status === 200 ? defaultRelease : (await server.request(`/api/v1/releases/${application?.softwareVersion}`)).json;
  const path = `/releases/${latest.version}`;
  const urls: string[] = latest.builds.map(({ download_url }: { download_url: string }) => download_url);
  assert.ok(urls.includes(latest.download_url));
  const pagesWithLatest = status === 200 ? pages : { front: pages.front };
  const twins = { home: await text('/index.md'), page: await text(path), twin: await text(`${path}.md`) };
  for (const [name, markup] of Object.entries({ ...pagesWithLatest, ...twins }))
    for (const url of urls) assert.ok(markup.includes(url), `${name} ${url}`);
  assert.deepEqual([application?.downloadUrl].flat().sort(), urls.sort());
}

describe('Builds of a feed in GET /api/v1/releases/latest, /api/v1/compatibility, /download, MCP and the pages', () => {
  for (const [name, feed] of Object.entries(buildFeeds))
    it(`every surface offers each computer the same build (${name})`, async (t) => {
      const server = await startServer(t, feed);
      const { json: needs } = await server.request('/api/v1/requirements');
      const systems: string[] = needs.systems.map(({ os }: { os: string }) => os);
      for (const computer of new Set([...Object.keys(feed.expected), ...listComputers(systems)])) {
        const result = await compareComputer(server, computer, needs);
        const [file, runs] = feed.expected[computer] ?? [];
        if (file !== undefined) assert.deepEqual(result, [file, runs], computer);
      }
      await compareRelease(server, needs);

      const sitemap = (await server.request('/sitemap.xml')).text;
      const slugs = [...sitemap.matchAll(/\/releases\/for\/([^<]+)/g)].map(([, slug = '']) => slug);
      for (const slug of feed.olderSystems ?? []) assert.ok(slugs.includes(slug), `${slug} in ${slugs}`);
      if (feed.olderSystems === undefined) assert.deepEqual(slugs, []);
      const list = (await server.request('/releases', html)).text;
      for (const slug of slugs) {
        assert.ok(list.includes(`/releases/for/${slug}"`), slug);
        for (const end of ['', '.md'])
          assert.match((await server.request(`/releases/for/${slug}${end}`, html)).text, /Download Lamp/);
      }
    });
});
