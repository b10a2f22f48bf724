/** Tests loadContent with a valid content folder: the content that it returns, and what the revision depends on. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { Content } from '../../src/content/content.ts';
import { formatFault } from '../../src/content/fault.ts';
import { loadContent } from '../../src/content/load.ts';
import { createAbsoluteLink } from '../../src/markdown/links.ts';
import { contentFiles, type FileChange, writeContentFile, writeContentFolder } from '../support/content-folder.ts';

async function loadFolder(directory: string): Promise<Content> {
  const result = await loadContent(directory);
  assert.ok('content' in result, 'faults' in result ? result.faults.map(formatFault).join('\n') : '');
  return result.content;
}

const load = (t: TestContext, changes: Record<string, FileChange> = {}): Promise<Content> =>
  loadFolder(writeContentFolder(t, changes));

describe('loadContent of a valid content folder', () => {
  test('the product has a default for each key that product.yaml omits', async (t) => {
    const directory = writeContentFolder(t);
    const content = await loadFolder(directory);
    assert.equal(content.directory, directory);
    assert.deepEqual(content.product, {
      name: 'Lamp',
      tagline: 'Light on demand',
      description: 'Lamp turns the screen into a lamp.',
      language: 'en',
      category: 'UtilitiesApplication',
      vendor: { name: 'Lamp Works', url: 'https://lamp.example' },
      links: { website: 'https://lamp.example' },
      look: { accent: '#aa5500', logo: 'assets/logo.svg' },
      home: { features: [] },
      page_menu: true,
      platform: { os: 'macOS' },
      minimums: { os_version: '14.0', arch: ['arm64', 'x86_64'] },
      systems: [{ os: 'macOS', minVersion: '14.0', archs: ['arm64', 'x86_64'], testedUpTo: null }],
      sources: [
        {
          source: 'appcast.xml',
          public_keys: [],
          interval_seconds: 300,
          notes: 'feed',
          assets: [],
          path: ['feed'],
        },
      ],
    });
    assert.equal(content.pricing.plans[0]?.price.interval, null);
    assert.deepEqual(
      content.features.map(({ id, permission }) => [id, permission]),
      [
        ['glow', 'screen'],
        ['dim', null],
      ],
    );
    assert.equal(content.requirements.permissions[0]?.id, 'screen');
  });

  test('pages are sorted by order and slug, and their text begins after the front matter', async (t) => {
    const { pages } = await load(t, {
      'docs/b.md': '---\ntitle: B\ndescription: b\norder: 1\nupdated: 2026-01-01\n---\n\n\nText of b.\n',
    });
    assert.deepEqual(
      pages.map(({ slug }) => slug),
      ['b', 'start', 'guides/colours'],
    );
    const { markdown, source, hash, ...start } = pages[1] ?? assert.fail();
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.ok(markdown.startsWith('# Start\n\n## First light\n'));
    assert.equal(source, markdown);
    assert.deepEqual(start, {
      file: 'docs/start.md',
      isDescribed: true,
      isSearchable: true,
      titleAnchor: 'start',
      slug: 'start',
      title: 'Start',
      description: 'The first light.',
      order: 2,
      updated: '2026-01-31',
      headings: [
        { level: 1, text: 'Start', anchor: 'start', isTab: false },
        { level: 2, text: 'First light', anchor: 'first-light', isTab: false },
      ],
      links: [
        { start: 39, end: 69, href: 'guides/colours.md#red-and-blue', kind: 'inline' },
        { start: 87, end: 105, href: '../assets/logo.svg', kind: 'inline' },
      ],
      sections: [
        { heading: 'Start', anchor: 'start', level: 1, text: '', code: '', linkShare: 0 },
        {
          heading: 'First light',
          anchor: 'first-light',
          level: 2,
          text: 'See \u2060colours\u2060 and the logo.',
          code: '',
          linkShare: 7 / 25,
        },
      ],
      wordCount: 8,
      placeholders: null,
    });
    assert.equal(pages[0]?.markdown, 'Text of b.\n');
  });

  test('the description of a page without one is its first text, or else its title', async (t) => {
    const { pages } = await load(t, {
      'docs/code.md': '---\ntitle: Code\n---\n```\ncode\n```\n',
      'docs/text.md': '---\ntitle: Text\n---\nFirst.\n\nSecond.\n',
    });
    const undescribedPages = pages.filter(({ isDescribed }) => !isDescribed);
    assert.deepEqual(
      undescribedPages.map(({ slug, description }) => [slug, description]),
      [
        ['code', 'Code'],
        ['text', 'First.'],
      ],
    );
  });

  test('the navigation has a group for each folder, with the title of the folder’s page', async (t) => {
    const { navigation } = await load(t, {
      'docs/guides.md': '---\ntitle: All guides\n---\nText.\n',
      'docs/more/a.md': '---\ntitle: A\n---\nText.\n',
    });
    const page = (slug: string) => ({ kind: 'page', slug, title: null });
    assert.deepEqual(navigation, [
      page('start'),
      { kind: 'group', title: null, slug: 'guides', entries: [page('guides/colours')] },
      { kind: 'group', title: 'More', slug: null, entries: [page('more/a')] },
    ]);
  });

  test('the content has the FAQ, release notes, prompts and assets', async (t) => {
    const { faq, releaseNotes, prompts, assets } = await load(t);
    assert.equal(faq[0]?.id, 'is-it-bright');
    assert.equal(faq[0]?.text, 'Yes. Read \u2060how to start\u2060 and \u2060more\u2060.');
    assert.deepEqual([...releaseNotes.keys()], ['1.2.0']);
    assert.ok(releaseNotes.get('1.2.0')?.startsWith('- Brighter.'));
    assert.deepEqual(prompts, [
      {
        name: 'brighten',
        title: 'Brighten',
        description: 'Makes it brighter.',
        arguments: [{ name: 'how_much', description: 'In per cent.', required: true }],
        servers: ['product'],
        template: 'Make it {how_much} brighter, and answer as { "done": true }.',
      },
    ]);
    assert.deepEqual(
      [...assets.values()].map(({ path, mediaType, bytes }) => [path, mediaType, bytes.toString()]),
      [['assets/logo.svg', 'image/svg+xml', contentFiles['assets/logo.svg']]],
    );
  });

  test('each kind of asset has its media type', async (t) => {
    const types = {
      svg: 'image/svg+xml',
      png: 'image/png',
      jpg: 'image/jpeg',
      jpeg: 'image/jpeg',
      webp: 'image/webp',
      gif: 'image/gif',
      ico: 'image/x-icon',
      pdf: 'application/pdf',
      txt: 'text/plain; charset=utf-8',
      json: 'application/json; charset=utf-8',
    };
    const files = Object.keys(types).map((extension) => [`assets/file.${extension}`, 'x'] as const);
    const { assets } = await load(t, { ...Object.fromEntries(files), 'assets/LOUD.PNG': 'x' });
    assert.deepEqual(Object.fromEntries([...assets.values()].map(({ path, mediaType }) => [path, mediaType])), {
      ...Object.fromEntries(Object.entries(types).map(([extension, type]) => [`assets/file.${extension}`, type])),
      'assets/LOUD.PNG': 'image/png',
      'assets/logo.svg': 'image/svg+xml',
    });
  });

  test('releases, prompts, assets and a local feed are optional', async (t) => {
    const content = await load(t, {
      'releases/1.2.0.md': null,
      'prompts/brighten.md': null,
      'assets/logo.svg': null,
      'appcast.xml': null,
      'product.yaml': (text) =>
        text.replace(/ {2}logo.*\n/, '').replace('appcast.xml', 'https://lamp.example/appcast.xml'),
      'faq.yaml': 'entries: []\n',
      'docs/start.md': (text) => text.replace(' and ![the logo](../assets/logo.svg)', ''),
    });
    assert.deepEqual([content.releaseNotes.size, content.prompts.length, content.assets.size], [0, 0, 0]);
  });

  test('CRLF and byte order marks are accepted, and temporary files of editors are ignored', async (t) => {
    const plain = await load(t);
    const content = await load(t, {
      'docs/start.md': (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`,
      'product.yaml': (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`,
      'docs/.hidden.md': 'x',
      'docs/start.md~': 'x',
      'docs/.start.md.swp': 'x',
      'docs/start.swp': 'x',
      '.git/config': 'x',
      'README.md': 'not content',
      'notes/anything.bin': Buffer.from([0xff]),
    });
    assert.deepEqual(content.pages, plain.pages);
    assert.deepEqual(content.product, plain.product);
  });

  test('symbolic links within the folder are followed, as in a mounted Kubernetes volume', async (t) => {
    const directory = writeContentFolder(t);
    mkdirSync(join(directory, '..data'));
    for (const name of ['docs', 'faq.yaml']) {
      renameSync(join(directory, name), join(directory, '..data', name));
      symlinkSync(join('..data', name), join(directory, name));
    }
    assert.equal((await loadFolder(directory)).revision, (await load(t)).revision);
  });
});

describe('loadContent: the revision of a content folder', () => {
  test('the revision depends on paths and bytes, not on the time, the location or the file of the feed', async (t) => {
    const directory = writeContentFolder(t);
    const { revision } = await loadFolder(directory);
    assert.match(revision, /^[0-9a-f]{64}$/);
    utimesSync(join(directory, 'faq.yaml'), 1, 1);
    writeContentFile(directory, 'appcast.xml', '<rss version="2.0"/>\n');
    writeContentFile(directory, 'README.md', 'x');
    assert.equal((await loadFolder(directory)).revision, revision);
    assert.equal((await load(t)).revision, revision);
  });

  test('the revision changes with every file that is read', async (t) => {
    const { revision } = await load(t);
    const changes: Record<string, FileChange>[] = [
      ...Object.keys(contentFiles)
        .filter((path) => path !== 'appcast.xml')
        .map((path) => ({ [path]: (text: string) => (path.endsWith('.yaml') ? `${text}# more\n` : `${text}\n`) })),
      { 'assets/more.txt': '' },
      { 'releases/1.2.0.md': null },
      { 'releases/1.2.0.md': null, 'releases/1.2.1.md': contentFiles['releases/1.2.0.md'] ?? '' },
    ];
    const revisions = await Promise.all(changes.map(async (change) => (await load(t, change)).revision));
    assert.equal(new Set([revision, ...revisions]).size, changes.length + 1);
  });

  test('a feed in assets/ is not an asset and does not change the revision', async (t) => {
    const loadWithFeedInAssets = (feed: string) =>
      load(t, {
        'appcast.xml': null,
        'assets/appcast.xml': feed,
        'product.yaml': (text: string) => text.replace('appcast.xml', './assets/appcast.xml'),
      });
    const [first, second] = [await loadWithFeedInAssets('<rss/>'), await loadWithFeedInAssets('<rss></rss>')];
    assert.equal(first.revision, second.revision);
    assert.deepEqual([...first.assets.keys()], ['assets/logo.svg']);
  });
});

describe('createAbsoluteLink', () => {
  test('a link to a page becomes the path of the page', () => {
    const cases: [string | null, string, string][] = [
      ['docs/start.md', 'other.md', '/docs/other'],
      ['docs/start.md', './other.md#a-b', '/docs/other#a-b'],
      ['docs/start.md', 'guides/x.md?plain=1#%C3%BCber', '/docs/guides/x#über'],
      ['docs/guides/x.md', '../start.md#', '/docs/start'],
      ['docs/guides/x.md', '../../docs/start.md', '/docs/start'],
      ['docs/start.md', '#top', '/docs/start#top'],
      ['docs/start.md', 'guides/x', '/docs/guides/x'],
      ['docs/start.md', 'guides/', '/docs/guides'],
      ['docs/start.md', 'guides/index.md', '/docs/guides'],
      ['docs/start.md', 'guides/README.md#a', '/docs/guides#a'],
      ['docs/guides/index.md', 'x.md', '/docs/guides/x'],
      ['docs/guides/index.md', '#here', '/docs/guides#here'],
      ['docs/guides/x.md', './', '/docs/guides'],
      ['docs/guides/x.md', '../', '/docs'],
      ['docs/start.md', '/docs/x', '/docs/x'],
      ['docs/start.md', '/docs/x/#y', '/docs/x#y'],
      ['docs/start.md', '/docs/x.md', '/docs/x'],
      ['docs/start.md', '/docs', '/docs'],
      ['docs/start.md', '/pricing', '/pricing'],
      [null, 'docs/guides/x.md#y', '/docs/guides/x#y'],
      [null, '../docs/x.md', '/docs/x'],
      [null, '/docs/x', '/docs/x'],
      [null, '#top', '#top'],
      [null, 'x.md', 'x.md'],
      ['docs/start.md', 'data.json', '/docs/data.json'],
      ['docs/start.md', '../faq.yaml', '../faq.yaml'],
      ['docs/start.md', '../../x.md', '../../x.md'],
      ['docs/start.md', '../assets/x.png', '/assets/x.png'],
      ['docs/start.md', '//e.com/x.md', '//e.com/x.md'],
      ['docs/start.md', 'https://e.com/x.md', 'https://e.com/x.md'],
      ['docs/start.md', 'mailto:x.md', 'mailto:x.md'],
      ['docs/start.md', '', ''],
      ['docs/start.md', '%zz.md', '/docs/%zz'],
    ];
    for (const [from, href, target] of cases)
      assert.equal(createAbsoluteLink('', from)(href), target, `${from} ${href}`);
  });

  test('a link to an asset becomes the path of the asset', () => {
    assert.equal(createAbsoluteLink('', 'docs/start.md')('../assets/a%20b.png'), '/assets/a b.png');
    assert.equal(createAbsoluteLink('', 'docs/guides/x.md')('../../assets/a.png#x'), '/assets/a.png');
    assert.equal(createAbsoluteLink('https://lamp.example', null)('assets/a.png'), 'https://lamp.example/assets/a.png');
    assert.equal(createAbsoluteLink('', 'docs/start.md')('/assets/a.png'), '/assets/a.png');
    assert.equal(createAbsoluteLink('', 'docs/guides/x.md')('a.png'), '/docs/guides/a.png');
    assert.equal(createAbsoluteLink('', 'docs/start.md')('https://e.com/assets/a.png'), 'https://e.com/assets/a.png');
  });
});
