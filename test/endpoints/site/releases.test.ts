/** Tests releases of feeds as vendors write them: several builds of a version, missing dates, announcements, critical updates. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { writeContentFolder } from '../../support/content-folder.ts';
import { createItem, createTag, createVersionTag, wrapInAppcast } from '../../support/feed-samples.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { readPage } from '../../support/site-page.ts';

const html = { headers: { accept: 'text/html' } };

async function startServer(t: TestContext, ...items: string[]): Promise<TestServer> {
  const directory = writeContentFolder(t, { 'appcast.xml': wrapInAppcast(...items) });
  const server = await startTestServer({ env: { CONTENT_DIR: directory } });
  t.after(() => server.close());
  return server;
}

const createDate = (day: string): string => `<pubDate>${day} 2026 10:00:00 +0000</pubDate>`;

describe('GET /releases/{version}', () => {
  it('the page and its Markdown show a size of less than a megabyte in kilobytes', async (t) => {
    const smallRelease = createItem('2', createVersionTag('2.0') + createDate('02 Mar')).replace(
      '.zip"/>',
      '.zip" length="123456"/>',
    );
    const server = await startServer(t, smallRelease);
    for (const path of ['/releases/2.0', '/releases/2.0.md']) {
      const { status, text } = await server.request(path, path.endsWith('.md') ? {} : html);
      assert.deepEqual([status, /123 kB/.test(text), /0\.1 MB/.test(text)], [200, true, false], path);
    }
  });
});

describe('GET /releases of a feed with several builds of one version', () => {
  const items = [
    createItem('102', createVersionTag('1.4') + createDate('03 Mar')),
    createItem('104', createVersionTag('1.4') + createDate('02 Mar')),
    createItem('101', createVersionTag('1.4') + createDate('01 Mar')),
    createItem('104', createVersionTag('1.4') + createDate('02 Mar')),
    createItem('7', createVersionTag('1.4-102') + createDate('01 Feb')),
  ];

  it('each build has a path, and the path of the version alone returns the highest build', async (t) => {
    const server = await startServer(t, ...items);
    const fetchBuild = async (path: string) => (await server.request(`/api/v1/releases/${path}`)).json.build;
    assert.equal(await fetchBuild('1.4'), '104');
    for (const [path, expected] of [
      ['1.4+102', '102'],
      ['1.4%2B102', '102'],
      ['1.4+101', '101'],
      ['1.4+104', '104'],
      ['1.4+104+2', '104'],
      ['1.4-102', '7'],
      ['1.4-102+7', '7'],
    ] as const) {
      assert.equal(await fetchBuild(path), expected, path);
    }
    const missing = await server.request('/api/v1/releases/1.4+103');
    assert.deepEqual([missing.status, missing.json.code], [404, 'not_found']);
  });

  it('each build has a separate page, anchor and Atom entry', async (t) => {
    const server = await startServer(t, ...items);
    const list = readPage((await server.request('/releases', html)).text);
    assert.equal(new Set(list.ids).size, list.ids.length);
    assert.deepEqual(
      list.addresses.map(({ url }) => url).filter((url) => /^\/releases\/1/.test(url)),
      ['/releases/1.4+102', '/releases/1.4', '/releases/1.4+104+2', '/releases/1.4+101', '/releases/1.4-102'],
    );
    for (const path of ['/releases/1.4+102', '/releases/1.4%2B102', '/releases/1.4+102.md']) {
      const { status, text } = await server.request(path, html);
      assert.equal(status, 200, path);
      assert.match(text, /Lamp 1\.4 \(102\)/);
      assert.match(text, /build 102/);
    }
    const canonical = readPage((await server.request('/releases/1.4+104', html)).text);
    assert.match(canonical.getAttribute('link', { rel: 'canonical' }, 'href') ?? '', /\/releases\/1\.4$/);
    const atom = (await server.request('/releases.atom')).text;
    const ids = [...atom.matchAll(/<entry>\s*<id>([^<]+)/g)].map(([, id]) => id);
    assert.equal(ids.length, 5);
    assert.equal(new Set(ids).size, 5);
    const sitemap = (await server.request('/sitemap.xml')).text;
    assert.equal([...sitemap.matchAll(/<loc>[^<]*\/releases\/1\.4[^<]*/g)].length, 5);
  });

  it('the log warns of several releases with one version, and names the line of the feed', async (t) => {
    const server = await startServer(t, ...items);
    const warnings = server.logLines.filter(({ msg }) => msg === 'catalog');
    const [severalBuilds, ...rest] = new Map(warnings.map((line) => [line.warning, line])).values();
    assert.deepEqual(
      [severalBuilds?.line, String(severalBuilds?.warning).slice(0, 31), rest.length],
      [4, '4 releases have the version 1.4', 1],
    );
  });
});

describe('published_at of a release without a date', () => {
  it('the pages show no date, and published_at_source is neighbor or unknown in the API', async (t) => {
    const server = await startServer(t, createItem('2'), createItem('1', createDate('01 Feb')));
    const latest = (await server.request('/api/v1/releases/latest')).json;
    assert.deepEqual(
      [latest.published_at, latest.published_at_source, latest.published_at_time],
      ['2026-02-01', 'neighbor', null],
    );
    const first = (await server.request('/api/v1/releases/1')).json;
    assert.deepEqual([first.published_at, first.published_at_source], ['2026-02-01', 'feed']);
    for (const path of ['/releases/2', '/releases/2.md', '/']) {
      const { text } = await server.request(path, html);
      assert.doesNotMatch(text, /February|2026-02-01/, path);
    }
    const markdown = await server.request('/api/v1/releases/2', { headers: { accept: 'text/markdown' } });
    assert.doesNotMatch(markdown.text, /2026/);
    const home = readPage((await server.request('/', html)).text);
    const [application] = home.jsonLd.filter((object) => object['@type'] === 'SoftwareApplication');
    assert.deepEqual([application?.softwareVersion, application?.datePublished], ['2', undefined]);
    const atom = (await server.request('/releases.atom')).text;
    assert.equal([...atom.matchAll(/<published>/g)].length, 1);
    assert.equal([...atom.matchAll(/<updated>2026-02-01T/g)].length, 3);
    const undatedServer = await startServer(t, createItem('1'));
    const release = (await undatedServer.request('/api/v1/releases/latest')).json;
    assert.deepEqual([release.published_at, release.published_at_source], ['1970-01-01', 'unknown']);
    assert.doesNotMatch((await undatedServer.request('/releases', html)).text, /1970/);
  });
});

describe('Sparkle’s rules for updates: requirements, phased rollout, critical and informational updates', () => {
  const items = [
    createItem(
      '5',
      createDate('05 May') +
        createTag('hardwareRequirements', 'arm64') +
        createTag('minimumUpdateVersion', '2') +
        createTag('minimumAutoupdateVersion', '3') +
        createTag('phasedRolloutInterval', '86400') +
        '<sparkle:criticalUpdate sparkle:version="4"/>' +
        createTag('fullReleaseNotesLink', 'https://larder.example/history'),
    ),
    `<item><title>6</title>${createDate('06 May')}<sparkle:version>6</sparkle:version><link>https://larder.example/6</link></item>`,
    createItem(
      '4',
      createDate('04 May') + createTag('minimumSystemVersion', '10.13') + createTag('maximumSystemVersion', '12.4'),
    ),
  ];

  it('GET /api/v1/releases/{version} has the rules as fields', async (t) => {
    const server = await startServer(t, ...items);
    const five = (await server.request('/api/v1/releases/5')).json;
    assert.deepEqual(
      {
        critical: five.critical,
        critical_below: five.critical_below,
        informational: five.informational,
        minimum_update_version: five.minimum_update_version,
        minimum_autoupdate_version: five.minimum_autoupdate_version,
        phased_rollout: five.phased_rollout,
        platform: five.platform,
        full_notes_url: five.full_notes_url,
      },
      {
        critical: true,
        critical_below: '4',
        informational: false,
        minimum_update_version: '2',
        minimum_autoupdate_version: '3',
        phased_rollout: { interval_seconds: 86_400, groups: 7 },
        platform: {
          os: 'macOS',
          min_version: '14.0',
          arch: 'arm64',
          max_version: null,
          hardware_requirements: ['arm64'],
        },
        full_notes_url: 'https://larder.example/history',
      },
    );
    const six = (await server.request('/api/v1/releases/6')).json;
    assert.deepEqual(
      [six.informational, six.download_url, six.size_bytes, six.signature, six.critical_below],
      [true, 'https://larder.example/6', null, null, null],
    );
    const four = (await server.request('/api/v1/releases/4')).json;
    assert.deepEqual([four.platform.min_version, four.platform.max_version], ['10.13', '12.4']);
  });

  it('the release pages and the Atom feed show the rules, and an announcement has no download', async (t) => {
    const server = await startServer(t, ...items);
    const text = async (path: string) => (await server.request(path, html)).text;
    assert.match(await text('/releases/5'), /critical below build 4/);
    assert.match(await text('/releases/5'), /rolled out in phases/);
    assert.match(await text('/releases/4'), /macOS 10\.13 to 12\.4/);
    assert.match(await text('/releases/6'), /<a class="button" href="https:\/\/larder\.example\/6">About Lamp 6<\/a>/);
    assert.match(await text('/releases/6.md'), /^# Lamp 6 \(announcement\)$/m);
    const atom = await text('/releases.atom');
    assert.match(atom, /<link rel="related" type="text\/html" href="https:\/\/larder\.example\/6"\/>/);
    const home = readPage(await text('/'));
    const [application] = home.jsonLd.filter((object) => object['@type'] === 'SoftwareApplication');
    assert.deepEqual([application?.softwareVersion, application?.downloadUrl], ['6', undefined]);
  });
});
