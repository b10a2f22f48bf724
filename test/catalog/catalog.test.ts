/** Tests createCatalog: which releases it lists and in which order, the latest release, the search index and the warnings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Catalog, createCatalog as createSearchedCatalog } from '../../src/catalog/catalog.ts';
import type { SortKey } from '../../src/catalog/cursor.ts';
import { type ListPage, selectPage } from '../../src/catalog/paging.ts';
import { compareReleases, type Release } from '../../src/catalog/releases.ts';
import type { Content } from '../../src/content/content.ts';
import type { FeedRelease, FeedSnapshot } from '../../src/feed/release.ts';
import { docsSearch } from '../../src/operations/docs.ts';
import { faqSearch } from '../../src/operations/faq.ts';
import { releasesSearch } from '../../src/operations/product-search.ts';
import { listSearchDocuments } from '../../src/operations/searchable.ts';
import type { SearchIndex } from '../../src/search/search.ts';
import { createContent, createFeed, type ProductParts } from '../support/catalog-samples.ts';

const createCatalog = (content: Content, feed: FeedSnapshot | null, previous?: Catalog): Catalog =>
  createSearchedCatalog(
    content,
    feed,
    (source) => listSearchDocuments([docsSearch, faqSearch, releasesSearch], { ...source, limits }),
    previous,
  );
const createIndex = async ({ search }: Catalog): Promise<SearchIndex> => search.open();
const limits = {
  anonymous: 1,
  authenticated: 1,
  sandbox: 1,
  pages: 1,
  address: 1,
  registration: 1,
  issue: 1,
  refused: 1,
};

function readCatalog(items: readonly Partial<FeedRelease>[], content = createContent()) {
  return createCatalog(content, createFeed(items));
}

const listBuilds = (releases: readonly Release[] | null) => releases?.map(({ build }) => build);

describe('createCatalog: releases', () => {
  it('releases are sorted by day and build, newest first, and then in the order of the feed', () => {
    const catalog = readCatalog([
      { build: '1.9', publishedAtTime: '2026-01-05T23:59:59Z' },
      { build: '1.10', publishedAtTime: '2026-01-05T00:00:00Z' },
      { build: '1.1', publishedAtTime: '2026-02-01T00:00:00Z' },
      { build: '1.10.0', publishedAtTime: '2026-01-05T12:00:00Z' },
    ]);
    assert.deepEqual(listBuilds(catalog.releases), ['1.1', '1.10', '1.10.0', '1.9']);
    assert.deepEqual(
      catalog.releases?.map(({ index }) => index),
      [0, 0, 1, 0],
    );
  });

  it('the latest release is the highest build of the default channel, and the first of equal builds', () => {
    const catalog = readCatalog([
      { build: '2.0', channel: 'beta' },
      { build: '1.9', publishedAtTime: '2026-06-01T00:00:00Z' },
      { build: '1.10', version: 'first', publishedAtTime: '2025-01-01T00:00:00Z' },
      { build: '1.10', version: 'second', publishedAtTime: '2026-05-01T00:00:00Z' },
    ]);
    assert.equal(catalog.latest?.version, 'first');
    assert.equal(readCatalog([{ channel: 'beta' }]).latest, null);
    assert.equal(readCatalog([]).latest, null);
  });

  it('listReleases returns the releases of the default channel and those of a named channel', () => {
    const catalog = readCatalog([{ build: '3', channel: 'nightly' }, { build: '2', channel: 'beta' }, { build: '1' }]);
    assert.deepEqual(catalog.channels, ['beta', 'nightly']);
    assert.deepEqual(listBuilds(catalog.listReleases(null)), ['1']);
    assert.deepEqual(listBuilds(catalog.listReleases('beta')), ['2', '1']);
    assert.deepEqual(listBuilds(catalog.listReleases('unheard of')), ['1']);
    assert.deepEqual(listBuilds(catalog.releases), ['3', '2', '1']);
  });

  it('release returns the highest build of an exact version, and each build by its ID', () => {
    const catalog = readCatalog([
      { build: '1', version: '1.0', publishedAtTime: '2026-01-03T00:00:00Z' },
      { build: '2', version: '1.0', publishedAtTime: '2026-01-01T00:00:00Z' },
      { build: '2', version: '1.0', downloadUrl: 'https://example.org/twin.zip' },
      { build: '3', version: '2.0 beta', channel: 'beta' },
      { build: '9', version: '1.0+1', publishedAtTime: '2025-01-01T00:00:00Z' },
    ]);
    assert.equal(catalog.release('1.0')?.downloadUrl, 'https://example.org/1.zip');
    assert.equal(catalog.release('1.0+2'), catalog.release('1.0'));
    assert.equal(catalog.release('2.0 beta')?.build, '3');
    assert.equal(catalog.release('1.0.0'), undefined);
    // A release whose version is `1.0+1` takes precedence over build 1 of version 1.0, whose ID would be the same.
    assert.equal(catalog.release('1.0+1')?.build, '9');
    const ids = catalog.releases?.map(({ id }) => id) ?? [];
    assert.deepEqual(ids, ['2.0 beta', '1.0+2+2', '1.0+1+2', '1.0', '1.0+1']);
    for (const release of catalog.releases ?? []) assert.equal(catalog.release(release.id), release);
    assert.deepEqual(catalog.versions, ['2.0 beta', '1.0', '1.0+1']);
    assert.deepEqual(
      catalog.warnings.map(({ line, message }) => [line, message.slice(0, 62)]),
      [[11, '3 releases have the version 1.0: /releases/1.0 is the highest ']],
    );
  });

  it('a release without a readable date gets the date of a neighbor in the feed, preferably the one below', () => {
    const catalog = readCatalog([
      { build: '5', publishedAtTime: null },
      { build: '4', publishedAtTime: '2026-04-04T00:00:00Z' },
      { build: '3', publishedAtTime: null },
      { build: '2', publishedAtTime: null },
      { build: '1', publishedAtTime: '2026-01-01T00:00:00Z' },
    ]);
    const days = Object.fromEntries(catalog.releases?.map(({ build, publishedAt }) => [build, publishedAt]) ?? []);
    assert.deepEqual(days, { 5: '2026-04-04', 4: '2026-04-04', 3: '2026-01-01', 2: '2026-01-01', 1: '2026-01-01' });
    const sources = Object.fromEntries(
      catalog.releases?.map(({ build, publishedAtSource }) => [build, publishedAtSource]) ?? [],
    );
    assert.deepEqual(sources, { 5: 'neighbor', 4: 'feed', 3: 'neighbor', 2: 'neighbor', 1: 'feed' });
    assert.deepEqual(
      catalog.warnings.map(({ line }) => line),
      [10, 12, 13],
    );
    assert.equal(catalog.release('3')?.publishedAtTime, null);
    assert.equal(
      readCatalog([{ build: '2' }, { build: '1', publishedAtTime: null }]).release('1')?.publishedAt,
      '2026-03-01',
    );
    const undatedRelease = readCatalog([{ publishedAtTime: null }]).latest;
    assert.deepEqual([undatedRelease?.publishedAt, undatedRelease?.publishedAtSource], ['1970-01-01', 'unknown']);
  });

  it('release notes in the content folder override the notes in the feed', () => {
    const content = createContent({ releaseNotes: new Map([['2', '## Better notes\n']]) });
    const catalog = readCatalog(
      [
        { build: '3', notes: 'plain', notesFormat: 'plain-text' },
        { build: '2', notes: 'plain', notesFormat: 'plain-text' },
        { build: '1', notes: '', notesFormat: 'none' },
      ],
      content,
    );
    const notes = catalog.releases?.map(({ notes: text, notesFormat }) => [text, notesFormat]);
    assert.deepEqual(notes, [
      ['plain', 'plain-text'],
      ['## Better notes\n', 'markdown'],
      ['', 'markdown'],
    ]);
  });

  it('the platform of a release combines the minimums of product.yaml and of the feed', () => {
    const rows: [arch: ('arm64' | 'x86_64')[], requiresArm64: boolean, expected: string][] = [
      [['arm64', 'x86_64'], false, 'universal'],
      [['arm64', 'x86_64'], true, 'arm64'],
      [['arm64'], false, 'arm64'],
      [['x86_64'], false, 'x86_64'],
      [['x86_64'], true, 'arm64'],
    ];
    for (const [arch, requiresArm64, expected] of rows) {
      const content = createContent({}, { minimums: { os_version: '14.0', arch } });
      assert.equal(readCatalog([{ arch: requiresArm64 ? 'arm64' : null }], content).latest?.platform.arch, expected);
    }
    assert.deepEqual(readCatalog([{ minimumOsVersion: '13.3' }]).latest?.platform, {
      os: 'macOS',
      minVersion: '13.3',
      maxVersion: null,
      arch: 'universal',
      hardware: [],
    });
    assert.equal(readCatalog([{ maximumOsVersion: '15.9' }]).release('1.0')?.platform.maxVersion, '15.9');
    const oddCatalog = readCatalog([{ minimumOsVersion: '14.x' }]);
    assert.equal(oddCatalog.latest?.platform.minVersion, '14.0');
    assert.deepEqual(
      oddCatalog.warnings.map(({ line, message }) => [line, /"14\.x"/.test(message)]),
      [[10, true]],
    );
  });

  it('the pages are the whole list, even if a newer release is added after the first page', () => {
    const item = fc.record({
      build: fc.constantFrom('1', '1.0', '1.0b1', '2', '2.1', '10', '1.0-rc', '3 (4)'),
      publishedAtTime: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', null),
    });
    const getKey = ({ publishedAt, build, index }: Release) => [publishedAt, build, index];
    fc.assert(
      fc.property(fc.array(item, { maxLength: 25 }), fc.integer({ min: 1, max: 6 }), (randomItems, limit) => {
        const items = [...randomItems, { build: '0', publishedAtTime: '2025-01-01T00:00:00Z' }];
        const list = readCatalog(items).listReleases(null);
        const grownList = readCatalog([
          { build: '99', publishedAtTime: '2027-01-01T00:00:00Z' },
          ...items,
        ]).listReleases(null);
        const pagedReleases: Release[] = [];
        let current = list;
        for (let after: SortKey | null = null; ; current = grownList) {
          const page: ListPage<Release> = selectPage<Release>(current, {
            limit,
            after,
            getKey,
            compare: compareReleases,
          });
          pagedReleases.push(...page.items);
          if (!page.hasMore) break;
          after = page.lastKey;
        }
        assert.deepEqual(pagedReleases.map(getKey), list.map(getKey));
      }),
      { numRuns: 50 },
    );
  });
});

describe('createCatalog: revision, search and compatibility', () => {
  it('the revision changes with the content or the feed, and is the same for the same input', () => {
    const revisions = [
      createCatalog(createContent(), null),
      createCatalog(createContent(), createFeed([])),
      createCatalog(createContent(), createFeed([], 'e'.repeat(64))),
      createCatalog(createContent({ revision: 'b'.repeat(64) }), createFeed([])),
    ].map(({ revision }) => revision);
    assert.equal(new Set(revisions).size, 4);
    for (const revision of revisions) assert.match(revision, /^[0-9a-f]{64}$/);
    assert.equal(readCatalog([]).revision, revisions[1]);
  });

  it('releases and latest are null without a feed, and compatibility is still checked', () => {
    const catalog = createCatalog(createContent(), null);
    assert.equal(catalog.releases, null);
    assert.equal(catalog.latest, null);
    assert.deepEqual(catalog.listReleases(null), []);
    assert.equal(catalog.compatibility({ os: null, osVersion: '14', arch: 'arm64' }).compatible, true);
    assert.deepEqual(catalog.warnings, []);
  });

  it('pages and FAQ entries are found by slug or ID, and by their text', async () => {
    const catalog = createCatalog(createContent(), null);
    assert.equal(catalog.page('guides/start')?.title, 'Start');
    assert.equal(catalog.page('start'), undefined);
    assert.equal(catalog.page('__proto__'), undefined);
    assert.equal(catalog.faqEntry('why')?.question, 'Why?');
    assert.deepEqual([catalog.slugs, catalog.faqIds], [['guides/start'], ['why']]);
    assert.deepEqual(
      (await createIndex(catalog)).search('wind the spring', { limit: 5 }).hits[0]?.excerpt,
      '**Wind** the **spring**.',
    );
    assert.equal((await createIndex(catalog)).search('purpose', { limit: 5 }).hits[0]?.key, 'why');
  });

  it('the search index is reused while content and feed are unchanged', async () => {
    const first = createCatalog(createContent(), null);
    assert.equal(createCatalog(createContent(), null, first).search, first.search);
    const second = createCatalog(createContent(), createFeed([{ notes: 'Zeppelins.' }]), first);
    assert.equal((await createIndex(second)).search('zeppelin', { limit: 1 }).hits[0]?.kind, 'release');
    const third = createCatalog(createContent({ revision: 'b'.repeat(64), pages: [] }), null, second);
    assert.notEqual(third.search, second.search);
    assert.equal((await createIndex(third)).search('spring', { limit: 1 }).hits.length, 0);
  });

  it('compatibility uses the stricter minimum of product.yaml and the latest release; a mismatch is a warning', () => {
    const getMinimum = (item: Partial<FeedRelease>, product: ProductParts = {}) => {
      const catalog = readCatalog(
        [
          { build: '2', ...item },
          { build: '1', minimumOsVersion: '99' },
        ],
        createContent({}, product),
      );
      const { minimum } = catalog.compatibility({ os: null, osVersion: '14', arch: 'arm64' });
      return { ...minimum, warnings: catalog.warnings.length };
    };
    assert.deepEqual(getMinimum({}), { osVersion: '14.0', arch: 'x86_64', warnings: 0 });
    assert.deepEqual(getMinimum({ minimumOsVersion: '14' }), { osVersion: '14.0', arch: 'x86_64', warnings: 0 });
    assert.deepEqual(getMinimum({ minimumOsVersion: '14.2' }), { osVersion: '14.2', arch: 'x86_64', warnings: 1 });
    assert.deepEqual(getMinimum({ minimumOsVersion: '13.0' }), { osVersion: '14.0', arch: 'x86_64', warnings: 1 });
    assert.deepEqual(getMinimum({ arch: 'arm64' }), { osVersion: '14.0', arch: 'arm64', warnings: 1 });
    const armOnly = { minimums: { os_version: '14.0', arch: ['arm64' as const] } };
    assert.deepEqual(getMinimum({ arch: 'arm64' }, armOnly), { osVersion: '14.0', arch: 'arm64', warnings: 0 });
    const result = readCatalog([{ maximumOsVersion: '15.9' }]).compatibility({
      os: null,
      osVersion: '26',
      arch: 'arm64',
    });
    assert.deepEqual(
      result.checks.map(({ code }) => code),
      ['os_too_new'],
    );
    const testedCatalog = readCatalog([], createContent({}, { platform: { tested_up_to: '26' } }));
    assert.equal(testedCatalog.compatibility({ os: null, osVersion: '27', arch: 'arm64' }).untested, true);
  });
});
