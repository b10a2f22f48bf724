/** Tests a GitHub repository as a feed: tags, channels and assets of its releases, and the requests to the API. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { silentLog } from '../../src/base/log.ts';
import { feedSchema, listSources } from '../../src/content/source-schema.ts';
import { FeedFault } from '../../src/feed/fault.ts';
import { createFeed } from '../../src/feed/feed.ts';
import { noStorage } from '../../src/feed/feed-storage.ts';
import { fetchGithub } from '../../src/feed/github-fetch.ts';
import type { SourceHints } from '../../src/feed/parse-item.ts';
import { readSourceSettings } from '../../src/feed/source-settings.ts';
import { createContent } from '../support/catalog-samples.ts';
import { startUpstream, type Upstream } from '../support/feed-upstream.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { readSource } from '../support/release-fixtures.ts';
import { createSharedWorkers } from '../support/shared-workers.ts';

const createAsset = (name: string, more: object = {}) => ({
  name,
  state: 'uploaded',
  size: 7,
  digest: `sha256:${'ab'.repeat(32)}`,
  browser_download_url: `https://github.com/acme/larder/releases/download/x/${name}`,
  ...more,
});

const createRelease = (tag: string, assets: readonly object[] = [createAsset('Larder.dmg')], more: object = {}) => ({
  tag_name: tag,
  name: `Larder ${tag}`,
  body: '- Jars',
  draft: false,
  prerelease: false,
  published_at: '2026-11-02T09:00:00Z',
  html_url: `https://github.com/acme/larder/releases/tag/${tag}`,
  assets,
  ...more,
});

const readReleases = (releases: unknown, hints: SourceHints = {}) =>
  readSource(JSON.stringify(releases), 'releases', { hints });
const getRefusal = (releases: unknown): Promise<string> =>
  readReleases(releases).then(
    () => assert.fail('they were read'),
    (error: unknown) => String(error),
  );

describe('feed.source as a GitHub repository: releases, channels and assets', () => {
  it('a release has its version, date, notes, page and files', async () => {
    const { releases, kind } = await readReleases([createRelease('v1.2.3')]);
    const [release] = releases;
    assert.equal(kind, 'github');
    assert.equal(release?.version, '1.2.3');
    assert.equal(release?.publishedAtTime, '2026-11-02T09:00:00Z');
    assert.equal(release?.notes, '- Jars');
    assert.equal(release?.notesUrl, 'https://github.com/acme/larder/releases/tag/v1.2.3');
    assert.equal(release?.sha256, 'ab'.repeat(32));
    assert.equal(release?.sizeBytes, 7);
    assert.deepEqual([release?.os, release?.format, release?.channel], ['macOS', 'dmg', null]);
  });

  it('drafts and incomplete assets are omitted, and the highest version is first', async () => {
    const { releases } = await readReleases([
      createRelease('v1.2.0'),
      createRelease('v1.10.0', [createAsset('Larder.dmg'), createAsset('Larder.exe', { state: 'starter' })]),
      createRelease('v2.0.0', [createAsset('Larder.dmg')], { draft: true, published_at: null }),
    ]);
    assert.deepEqual(
      releases.map(({ version, format }) => [version, format]),
      [
        ['1.10.0', 'dmg'],
        ['1.2.0', 'dmg'],
      ],
    );
  });

  it('a prerelease is on the channel of its version, and otherwise on beta', async () => {
    const { releases } = await readReleases([
      createRelease('v3.0.0-rc.1', undefined, { prerelease: true }),
      createRelease('v2.0.0', undefined, { prerelease: true }),
      createRelease('v1.0.0'),
    ]);
    assert.deepEqual(
      releases.map(({ channel }) => channel),
      ['rc', 'beta', null],
    );
  });

  it('tags with several prefixes need tag_prefix, and tags without a version are omitted', async () => {
    const list = [createRelease('vscode-v1.6.0'), createRelease('intellij-v1.0.0'), createRelease('nightly')];
    assert.match(await getRefusal(list), /"vscode-", "intellij-".*`tag_prefix`/);
    const { releases, warnings } = await readReleases(list, { tagPrefix: 'intellij-' });
    assert.deepEqual(
      releases.map(({ version }) => version),
      ['1.0.0'],
    );
    assert.match(warnings[0]?.message ?? '', /Tags without a version are left out: nightly/);
  });

  it('an asset whose name has no system is omitted with a warning, unless a rule of `assets` matches it', async () => {
    const list = [
      createRelease('v1.0.0', [
        createAsset('Larder.zip'),
        createAsset('Larder-mac.zip'),
        createAsset('Larder.dmg.sig'),
      ]),
    ];
    const { releases, warnings } = await readReleases(list);
    assert.equal(releases.length, 1);
    assert.match(warnings[0]?.message ?? '', /no system is named, or two are, by Larder\.zip; write `assets`/);
    const sourceWithRule = await readReleases(list, {
      assets: [{ match: '*arder.zip', os: 'Windows', arch: 'x86_64' }],
    });
    assert.deepEqual(
      sourceWithRule.releases.map(({ os, arch }) => [os, arch]),
      [
        ['Windows', 'x86_64'],
        ['macOS', null],
      ],
    );
  });

  it('several files of one format are sorted: the plain one, the installer, the portable one', async () => {
    const names = ['Larder-portable.exe', 'Larder-Setup-1.0.0.exe', 'Larder.exe'];
    const { releases } = await readReleases([
      createRelease(
        'v1.0.0',
        names.map((name) => createAsset(name)),
      ),
    ]);
    assert.deepEqual(
      releases.map(({ downloadUrl }) => downloadUrl.split('/').at(-1)),
      ['Larder.exe', 'Larder-Setup-1.0.0.exe', 'Larder-portable.exe'],
    );
  });

  it('hostile lists are refused or read without their hostile parts', async () => {
    assert.match(
      await getRefusal({ message: 'Not Found', documentation_url: 'https://docs.github.com' }),
      /an error.*Not Found/,
    );
    assert.match(await getRefusal([]), /no release that can be read/);
    assert.match(await getRefusal([1, 2]), /no list of releases that is known/);
    const odd = [
      createRelease('v1.0.0', [
        createAsset('Larder.dmg', { browser_download_url: 'javascript:alert(1)', size: -1 }),
        7 as never,
      ]),
      createRelease('v1.1.0', [createAsset('Larder.dmg', { digest: 'sha256:zz', size: 1e30 })], {
        body: '<script>alert(1)</script><p>Hi</p>',
        published_at: 'soon',
        html_url: 'javascript:alert(1)',
      }),
      { tag_name: 7 },
    ];
    const { releases } = await readReleases(odd);
    assert.equal(releases.length, 1);
    assert.equal(releases[0]?.notes, 'Hi');
    assert.deepEqual(
      [releases[0]?.sha256, releases[0]?.sizeBytes, releases[0]?.publishedAtTime, releases[0]?.notesUrl],
      [null, null, null, null],
    );
  });
});

describe('GITHUB_TOKEN and the API of GitHub', () => {
  let upstream: Upstream;
  const workers = createSharedWorkers();
  before(async () => {
    upstream = await startUpstream();
  });
  after(() => upstream.close());

  const api = () => `${upstream.origin}/repos/acme/larder/releases`;
  const fetchList = (token: string | null = null, validators: Parameters<typeof fetchGithub>[2]['validators'] = null) =>
    fetchGithub(api(), token, { validators, deadlineMs: 5000, signal: new AbortController().signal, now: 1000_000 });
  const getFault = async (): Promise<FeedFault> => {
    const error: unknown = await fetchList().then(
      () => assert.fail('it was read'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof FeedFault);
    return error;
  };
  /** Serves a list of two pages; `second` sends the second page or fails. */
  const servePages = (second: (response: ServerResponse) => void) =>
    upstream.setListener((request: IncomingMessage, response: ServerResponse) => {
      if (request.url?.includes('page=2')) second(response);
      else
        response
          .writeHead(200, { etag: '"one"', link: `<${api()}?per_page=100&page=2>; rel="next", <${api()}>; rel="last"` })
          .end(JSON.stringify([createRelease('v2.0.0')]));
    });

  it('every page is read, download counts are omitted, and a token is sent as Bearer', async () => {
    const page = (count: number) => (response: ServerResponse) =>
      void response.end(
        JSON.stringify([createRelease('v1.0.0', [createAsset('Larder.dmg', { download_count: count })])]),
      );
    servePages(page(1));
    const first = await fetchList();
    assert.deepEqual(
      JSON.parse(String(first.bytes)).map(({ tag_name }: { tag_name: string }) => tag_name),
      ['v2.0.0', 'v1.0.0'],
    );
    assert.match(upstream.requests.at(0)?.path ?? '', /per_page=100$/);
    assert.equal(upstream.requests.at(0)?.headers.authorization, undefined);
    servePages(page(2));
    assert.deepEqual((await fetchList('token')).bytes, first.bytes);
    assert.equal(upstream.requests.at(-1)?.headers.authorization, 'Bearer token');
  });

  it('the default interval of a GitHub source is at least 15 minutes, and interval_seconds may lengthen it', async () => {
    const { product, directory } = createContent();
    const readSettings = (source: string, more: object = {}) => {
      const [entry] = listSources(feedSchema.parse({ source, ...more }));
      assert.ok(entry !== undefined);
      return readSourceSettings(entry, { product, directory });
    };
    // The jitter shortens the interval between two checks by up to 20 %; 900 s are 15 minutes.
    assert.ok(readSettings('acme/larder').intervalSeconds * 0.8 >= 900);
    assert.equal(readSettings('acme/larder', { interval_seconds: 7200 }).intervalSeconds, 7200);
    assert.equal(readSettings('https://larder.example/latest.yml').intervalSeconds, 300);
    for (const source of ['acme/larder', 'https://github.com/acme/larder', 'https://github.com/acme/larder/releases/'])
      assert.equal(readSettings(source).source, 'https://api.github.com/repos/acme/larder/releases', source);
    for (const source of ['feeds/appcast.xml', './acme/larder', 'https://github.com/acme/larder/releases.atom'])
      assert.equal(readSettings(source).isGithub, false, source);
  });

  it('a failed second page rejects the whole list', async () => {
    servePages((response) => void response.writeHead(500).end());
    assert.match((await getFault()).message, /returned 500/);
    servePages((response) => void response.end('{"message":"API","documentation_url":"x"}'));
    assert.match((await getFault()).message, /GitHub returned an error instead of releases: API/);
    servePages((response) => void response.end('<html>login</html>'));
    assert.equal((await getFault()).kind, 'refused');
  });

  it('a next page on another host is not followed', async () => {
    upstream.setListener((_, response) =>
      response.writeHead(200, { link: '<https://evil.example/?page=2>; rel="next"' }).end('[]'),
    );
    assert.match((await getFault()).message, /on another host/);
  });

  it('an unchanged first page needs one conditional request', async () => {
    upstream.setListener((request, response) =>
      request.headers['if-none-match'] === '"one"'
        ? response.writeHead(304).end()
        : response.writeHead(200, { etag: '"one"' }).end(JSON.stringify([createRelease('v2.0.0')])),
    );
    const first = await fetchList();
    const before = upstream.requests.length;
    assert.equal((await fetchList(null, first)).bytes, null);
    assert.equal(upstream.requests.length, before + 1);
  });

  it('an exhausted rate limit sets the retry delay, and the message names GITHUB_TOKEN', async () => {
    upstream.setListener((_, response) =>
      response.writeHead(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1600' }).end(),
    );
    assert.match((await getFault()).message, /60 requests an hour: set GITHUB_TOKEN/);
    assert.equal((await getFault()).retryAfterSeconds, 600);
    upstream.setListener((_, response) => response.writeHead(429, { 'retry-after': '90' }).end());
    assert.equal((await getFault()).retryAfterSeconds, 90);
    upstream.setListener((_, response) => response.writeHead(404).end());
    assert.match((await getFault()).message, /does not exist, or it is private/);
  });

  it('a feed keeps its last releases while the API fails, and refuses a list with a lower version', async () => {
    const feed = createFeed({
      source: api(),
      isGithub: true,
      publicKeys: [],
      policy: 'off',
      intervalSeconds: 1200,
      storage: noStorage,
      clock: createManualClock(Date.parse('2026-11-21T12:00:00Z')),
      log: silentLog,
      workers,
    });
    after(() => feed.stop());
    upstream.serveBytes(JSON.stringify([createRelease('v2.0.0')]));
    await feed.start();
    assert.equal(feed.snapshot()?.releases[0]?.version, '2.0.0');
    upstream.setListener((_, response) => response.writeHead(503).end());
    assert.equal(await feed.check(), 'failed');
    upstream.serveBytes(JSON.stringify([createRelease('v1.9.0')]));
    assert.equal(await feed.check(), 'refused');
    assert.match(feed.status().problem ?? '', /highest build is 1\.9\.0, below 2\.0\.0/);
    assert.equal(feed.snapshot()?.releases[0]?.version, '2.0.0');
  });
});
