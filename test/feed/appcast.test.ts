/** Tests which items of an appcast become releases, which are skipped with a warning, and which appcasts are refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FeedFault } from '../../src/feed/fault.ts';
import { createNotesReader } from '../../src/feed/notes.ts';
import { parseItems, parseItemsApart } from '../../src/feed/parse-items.ts';
import { readSource, type SourceContent, type SourceOptions } from '../../src/feed/read-source.ts';
import { findHighestBuild, findLatestRelease } from '../../src/feed/selection.ts';
import { createWorkers } from '../../src/worker/pool.ts';
import { scaleCaseCount } from '../support/cases.ts';
import { createAppcast, createItem, readFixture, wrapInAppcast } from '../support/feed-samples.ts';
import { assertLinear } from '../support/growth.ts';
import { createManualClock } from '../support/manual-clock.ts';

const workers = createWorkers({ clock: createManualClock(0) });

const read = (content: string | Uint8Array, options: Partial<SourceOptions> = {}): Promise<SourceContent> =>
  readSource(Buffer.from(content), {
    address: null,
    languages: [],
    isVerified: false,
    notes: createNotesReader(workers),
    workers,
    ...options,
  });

const listMessages = ({ warnings }: Pick<SourceContent, 'warnings'>): string[] =>
  warnings.map(({ message }) => message);

const listTitles = ({ releases }: SourceContent): (string | null)[] => releases.map(({ title }) => title);

async function getRefusal(content: string | Uint8Array): Promise<string> {
  const error = await read(content).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof FeedFault && error.kind === 'refused', `not refused: ${error}`);
  return error.message;
}

test('the latest release of an appcast is the highest build, whatever the order, the dates and the version scheme', async () => {
  const { releases, warnings } = await read(readFixture('oldest-first'));
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    releases.map(({ version, build, sizeBytes, signature, feedIndex: index }) => ({
      version,
      build,
      sizeBytes,
      signature,
      index,
    })),
    [
      { version: '0.9.8', build: '0.9.8', sizeBytes: 4100000, signature: null, index: 0 },
      { version: '0.9.39', build: '0.9.39', sizeBytes: 4200000, signature: null, index: 1 },
      { version: '1.1.0', build: '6933', sizeBytes: null, signature: null, index: 2 },
      { version: '1.0.0', build: '6864', sizeBytes: null, signature: 'c2lnbmF0dXJl', index: 3 },
    ],
  );
  assert.equal(findLatestRelease(releases)?.version, '1.1.0');
});

test('parseItemsApart returns or refuses a large appcast like parseItems', async () => {
  const options = { address: 'https://larder.example/appcast.xml', languages: ['de'], isVerified: true };
  const notes = `<description>${'Jars &amp; lids. '.repeat(30)}</description>`;
  const large = Buffer.from(
    wrapInAppcast(...Array.from({ length: 700 }, (_, index) => createItem(String(index + 1), notes))),
  );
  assert.ok(large.length > 300_000);
  assert.deepEqual(await parseItemsApart(large, options, workers), parseItems(large, options));
  assert.equal(parseItems(large, options).items.length, 700);
  const broken = Buffer.concat([large, Buffer.from('<rss>')]);
  await assert.rejects(parseItemsApart(broken, options, workers), (error: unknown) => {
    assert.ok(error instanceof FeedFault && error.kind === 'refused');
    assert.throws(() => parseItems(broken, options), { message: error.message });
    return true;
  });
});

test('the latest release among equal builds of an appcast is the first one', async () => {
  const { releases } = await read(readFixture('equal-builds'));
  assert.equal(findLatestRelease(releases)?.downloadUrl, 'https://larder.example/2-arm64.zip');
});

test('a pubDate is read despite a wrong weekday, and an invalid one is ignored with a warning', async () => {
  const { releases, warnings } = await read(readFixture('dates'));
  for (const { title, publishedAtTime } of releases) assert.equal(publishedAtTime ?? 'none', title);
  assert.equal(warnings.length, 6);
  assert.match(listMessages({ warnings })[0] ?? '', /^Item 9 \(none\): its pubDate cannot be read/);
});

test('an appcast item with an invalid sparkle:channel or a delta is skipped, and one for Windows is a release', async () => {
  const { releases, warnings } = await read(readFixture('channels'));
  assert.deepEqual(
    releases.map(({ build, channel, os }) => [build, channel, os]),
    [
      ['2.0', null, 'macOS'],
      ['3.0', null, 'macOS'],
      ['4.0', 'beta', 'macOS'],
      ['6.0', null, 'Windows'],
      ['4.1', 'früh.2', 'macOS'],
    ],
  );
  const findOffered = (name: string) =>
    findHighestBuild(releases.filter(({ os, channel }) => os === 'macOS' && [null, name].includes(channel)))?.build;
  assert.deepEqual([findOffered('beta'), findOffered('nightly'), findOffered('früh.2')], ['4.0', '3.0', '4.1']);
  assert.equal(warnings.length, 2);
  assert.match(listMessages({ warnings })[0] ?? '', /^Item 4 \(5\.0\) is skipped: its sparkle:channel/);
  assert.match(listMessages({ warnings })[1] ?? '', /^Item 6 \(7\.0\) is skipped: it is a delta update/);
});

test('sparkle:version is read under any prefix of its namespace and under the literal prefix `sparkle`', async () => {
  const source = await read(readFixture('namespaces'));
  assert.deepEqual(listTitles(source), ['other prefix', 'default namespace', 'bound elsewhere', 'bound on the item']);
  assert.deepEqual(
    source.releases.map(({ build }) => build),
    ['1', '2', '3', '4'],
  );
  assert.match(listMessages(source)[0] ?? '', /Item 5 \(nearly the namespace\) is skipped: it has no sparkle:version/);
  assert.equal((await read(readFixture('unbound'))).releases[0]?.build, '1');
});

test('relative URLs of an appcast are resolved, and an item without an http or https URL is skipped', async () => {
  const source = await read(readFixture('addresses'), {
    address: 'https://larder.example/updates/appcast.xml?token=1',
  });
  assert.deepEqual(
    source.releases.map(({ build, downloadUrl, notesUrl }) => [build, downloadUrl, notesUrl]),
    [
      ['1', 'https://larder.example/updates/files/Larder%201.zip', 'https://larder.example/updates/notes/1.html'],
      ['2', 'https://larder.example/The%20Larder%202.zip', null],
      ['3', 'http://larder.example/3.zip', null],
      ['4', 'https://larder.example/4', null],
      ['5', 'https://larder.example/5.zip', null],
      ['0.9.1', 'https://larder.example/The_Larder_0.9.1.zip', null],
      ['12', 'https://larder.example/updates/news/12', null],
      ['13', 'https://larder.example/13.zip', null],
      ['14', 'https://larder.example/14', null],
      ['16', 'https://larder.example/16.zip', 'https://larder.example/16.html'],
    ],
  );
  const { warnings } = source;
  for (const [index, [line, pattern]] of (
    [
      [12, /6 \(ftp\).*no http or https URL; the application itself refuses/],
      [13, /7 \(no address\).*neither an enclosure nor a link/],
      [14, /8 \(a bad link alone\).*neither/],
      [15, /9 \(no version\).*no sparkle:version/],
      [16, /10 \(an endless version\).*longer than 128/],
      [17, /11 \(a version in the file name\): .*takes "0\.9\.1" from the name of the file/],
      [21, /15 \(no address at all\) is skipped: its enclosure has no URL/],
      [9, /^1 item is downloaded over plain http/],
    ] as const
  ).entries()) {
    assert.equal(warnings[index]?.line, line);
    assert.match(warnings[index]?.message ?? '', pattern);
  }
  assert.equal(warnings.length, 8);
  assert.equal(source.hasRelativeUrls, true);
  assert.equal(source.releases[8]?.fullNotesUrl, 'https://larder.example/history.html');
});

test('an item is informational if it has only a link or an informationalUpdate for all versions', async () => {
  const { releases } = await read(readFixture('addresses'), { address: 'https://larder.example/updates/appcast.xml' });
  assert.deepEqual(
    releases
      .filter(({ build }) => ['4', '12', '13', '14'].includes(build))
      .map(({ build, isInformational, sizeBytes, signature }) => [build, isInformational, sizeBytes, signature]),
    [
      ['4', true, null, null],
      ['12', true, null, null],
      ['13', false, 5, 'c2lnbmF0dXJl'],
      ['14', true, null, null],
    ],
  );
});

test('an item of a verified appcast gets no version from the name of its file', async () => {
  const { releases } = await read(readFixture('addresses'), { isVerified: true });
  assert.ok(!releases.some(({ build }) => build === '0.9.1'));
});

test('a relative enclosure of an appcast without a URL is skipped, and the warning names feed.base_url', async () => {
  const { releases, warnings } = await read(readFixture('addresses'));
  assert.equal(releases[0]?.downloadUrl, 'https://larder.example/The%20Larder%202.zip');
  assert.match(warnings[0]?.message ?? '', /^Item 1 \(relative\) is skipped: .*feed\.base_url in product\.yaml\.$/);
  assert.equal(warnings[0]?.line, 5);
});

test('an enclosure URL with a colon after a slash is relative', async () => {
  const text = wrapInAppcast(
    createItem('1.0'),
    createItem('2.0').replace('https://larder.example/2.0.zip', 'files/2:0.zip'),
  );
  const { warnings } = await read(Buffer.from(text));
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [
      'Item 2 (Larder 2.0) is skipped: its enclosure’s URL is relative, and nothing says to what: write the feed’s own URL as feed.base_url in product.yaml.',
    ],
  );
});

test('hasRelativeUrls is true if a delta or a link of an appcast has a relative URL', async () => {
  const hasRelativeUrls = async (extra: string) => (await read(wrapInAppcast(createItem('1', extra)))).hasRelativeUrls;
  assert.equal(await hasRelativeUrls('<link>https://larder.example/</link>'), false);
  assert.equal(await hasRelativeUrls('<link>mailto:us@larder.example</link>'), false);
  assert.equal(await hasRelativeUrls('<sparkle:deltas><enclosure url="1-2.delta"/></sparkle:deltas>'), true);
  assert.equal(await hasRelativeUrls('<sparkle:fullReleaseNotesLink>/history</sparkle:fullReleaseNotesLink>'), true);
  assert.equal(await hasRelativeUrls('<link>//larder.example/x</link>'), true);
});

test('minimumUpdateVersion, phasedRolloutInterval and hardwareRequirements are read, or ignored if invalid', async () => {
  const extra = (...elements: string[]): string => elements.map((element) => `<sparkle:${element}`).join('');
  const { releases } = await read(
    wrapInAppcast(
      createItem(
        '1',
        extra(
          'minimumUpdateVersion>0.5</sparkle:minimumUpdateVersion>',
          'minimumAutoupdateVersion>0.8</sparkle:minimumAutoupdateVersion>',
          'phasedRolloutInterval>86400</sparkle:phasedRolloutInterval>',
          'hardwareRequirements>ARM64, x86_64 arm64</sparkle:hardwareRequirements>',
        ),
      ),
      createItem('2', extra('phasedRolloutInterval>never</sparkle:phasedRolloutInterval>')),
      createItem('3', extra(`minimumUpdateVersion>${'9'.repeat(200)}</sparkle:minimumUpdateVersion>`)),
    ),
  );
  assert.deepEqual(
    releases.map(({ minimumUpdateBuild, minimumAutoupdateBuild, phasedRolloutSeconds, hardware }) => [
      minimumUpdateBuild,
      minimumAutoupdateBuild,
      phasedRolloutSeconds,
      hardware,
    ]),
    [
      ['0.5', '0.8', 86_400, ['arm64', 'x86_64']],
      [null, null, null, []],
      [null, null, null, []],
    ],
  );
});

test('the notes of an item are in the requested language, otherwise in English, otherwise in the first one', async () => {
  const notes = (...languages: string[]): string =>
    languages.map((tag) => `<description xml:lang="${tag}">${tag}</description>`).join('');
  const content = wrapInAppcast(
    createItem('1', notes('fr', 'pt-BR', 'en-GB', 'de')),
    createItem('2', notes('fr', 'de')),
    createItem('3', notes('fr', '')),
  );
  const readIn = async (...languages: string[]) =>
    (await read(content, { languages })).releases.map(({ notes: text }) => text);
  assert.deepEqual(await readIn(), ['en-GB', 'fr', '']);
  assert.deepEqual(await readIn('de-AT'), ['de', 'de', '']);
  assert.deepEqual(await readIn('pt'), ['pt-BR', 'fr', '']);
  assert.deepEqual(await readIn('PT-br'), ['pt-BR', 'fr', '']);
  assert.deepEqual(await readIn('ja', 'fr'), ['fr', 'fr', 'fr']);
});

test('the minimum and maximum system version, the processor and criticalUpdate of an item are read', async () => {
  const { releases } = await read(readFixture('requirements'));
  assert.deepEqual(
    releases.map(({ minimumOsVersion, maximumOsVersion, arch, critical }) => [
      minimumOsVersion,
      maximumOsVersion,
      arch,
      critical,
    ]),
    [
      ['10.13.0', '12.4', null, null],
      [null, null, null, null],
      [null, null, 'arm64', { belowBuild: null }],
      ['27', null, 'arm64', { belowBuild: '3' }],
      ['26.9', null, null, { belowBuild: null }],
      [null, null, null, null],
    ],
  );
});

test('the notes of an appcast in HTML, Markdown and plain text become Markdown', async () => {
  const { releases, warnings } = await read(readFixture('notes'));
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    releases.map(({ notes, notesFormat }) => [notesFormat, notes]),
    [
      ['html', '## Shelves\n\nFor jars & tins\n\n- one\n- two\n  - deep'],
      ['markdown', '## Новое\n\n- Полки — для банок'],
      ['plain-text', 'Fixed:  \n– jars &lt;b>  \n– tins'],
      ['none', ''],
      ['none', ''],
      ['html', 'still _HTML_'],
      ['html', 'hello'],
      ['html', 'bonjour'],
    ],
  );
  assert.equal(releases[6]?.notesUrl, 'https://larder.example/7.html');
});

test('the encoding of an appcast is that of its byte order mark or its XML declaration', async () => {
  const text = createAppcast('1.0').replace('Larder', 'Größe');
  const declareEncoding = (encoding: string): string => text.replace('utf-8', encoding);
  const utf16 = Buffer.from(`\uFEFF${declareEncoding('utf-16')}`, 'utf16le');
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(`\uFEFF${text}`),
    Buffer.from(declareEncoding('ISO-8859-1'), 'latin1'),
    Buffer.from(declareEncoding('windows-1252'), 'latin1'),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(declareEncoding('utf-16'), 'utf16le'),
    Buffer.from(text.replaceAll('\n', '\r\n')),
  ]) {
    assert.equal((await read(bytes)).releases[0]?.title, 'Größe 1.0');
  }
  assert.match(await getRefusal(Buffer.from(text, 'latin1')), /not valid utf-8; save it as UTF-8/);
  assert.match(await getRefusal(declareEncoding('KOI8-R')), /encoding KOI8-R; save it as UTF-8/);
});

const refusedAppcasts: Record<string, [string, RegExp]> = {
  'an empty file': ['', /not valid XML/],
  'an HTML error page': ['<html><body>503</body></html>', /a web page, not an appcast/],
  'an HTML page with a document type': ['<!DOCTYPE html><html></html>', /a web page, not an appcast/],
  'an appcast with a document type': [
    createAppcast('1').replace('<rss', '<!DOCTYPE rss SYSTEM "file:///etc/passwd"><rss'),
    /DOCTYPE/,
  ],
  'entities that contain other entities': [
    createAppcast('1')
      .replace('<rss', '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><rss')
      .replace('Larder', '&b;'),
    /not valid XML/,
  ],
  'an unknown entity': [createAppcast('1').replace('Larder', '&nbsp;'), /not valid XML/],
  'an unescaped ampersand': [createAppcast('1').replace('Larder', 'Jars & tins'), /not valid XML/],
  'a truncated appcast': [createAppcast('1', '2').slice(0, 300), /not valid XML/],
  'a second root element': [`${createAppcast('1')}<rss/>`, /not valid XML/],
  'a control character': [createAppcast('1').replace('Larder', '\u0000'), /not valid XML/],
  'deeply nested elements': [`<rss>${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}</rss>`, /nested too deep/],
  'too many items': [wrapInAppcast(...Array.from({ length: 5001 }, () => '<item/>')), /5001 items/],
};

for (const [defect, [content, message]] of Object.entries(refusedAppcasts)) {
  test(`readSource refuses ${defect}`, async () => {
    assert.match(await getRefusal(content), message);
  });
}

test('an appcast with elements that are nested 2000 deep is read', async () => {
  const deep = `<rss><channel>${createItem('1').replace('Larder 1', `${'<a>'.repeat(2000)}x${'</a>'.repeat(2000)}`)}</channel></rss>`;
  assert.equal((await read(deep)).releases[0]?.title, 'x');
});

test('the time to read an appcast grows linearly with line ends and tags; over 500,000 tags are refused', async () => {
  const lineEnds = (count: number): string => createAppcast('1').replace('Larder', '\r\n'.repeat(count));
  await assertLinear('line ends', 125_000, lineEnds, async (text) =>
    assert.equal((await read(text)).releases[0]?.title, '1'),
  );
  const tags = (count: number): string => `<rss>${'<a/>'.repeat(count)}</rss>`;
  await assertLinear('tags', 100_000, tags, async (text) => assert.deepEqual((await read(text)).releases, []));
  assert.match(await getRefusal(tags(500_000)), /more than 500000 tags/);
});

test('an appcast without items is read and has no latest release', async () => {
  for (const text of [wrapInAppcast(), '<rss/>'])
    assert.deepEqual(await read(text), {
      kind: 'appcast',
      releases: [],
      warnings: [],
      hasRelativeUrls: false,
      notesLinks: [],
    });
  assert.equal(findLatestRelease([]), null);
});

test('an appcast has at most 51 warnings, the last with the number of omitted ones', async () => {
  const { warnings } = await read(wrapInAppcast(...Array.from({ length: 300 }, () => '<item/>')));
  assert.equal(warnings.length, 51);
  assert.match(listMessages({ warnings }).at(-1) ?? '', /250 more/);
});

test('an appcast with 2000 items of equal notes is read completely', async () => {
  const notes = '<description>&lt;p&gt;the same&lt;/p&gt;</description>';
  const builds = Array.from({ length: 2000 }, (_, index) => `${index}`);
  const { releases } = await read(wrapInAppcast(...builds.map((build) => createItem(build, notes))));
  assert.equal(releases.length, 2000);
  assert.equal(findLatestRelease(releases)?.build, '1999');
  assert.equal(releases[7]?.notes, 'the same');
});

test('readSource reads or refuses an appcast with random changes and does not crash', async () => {
  const seeds = ['addresses', 'channels', 'dates', 'namespaces', 'oldest-first', 'requirements'].map(readFixture);
  const change = fc.tuple(fc.nat(5), fc.nat(3000), fc.nat(40), fc.oneof(fc.uint8Array({ maxLength: 6 }), mark));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      let bytes = seeds[changes[0]?.[0] ?? 0] ?? Buffer.alloc(0);
      for (const [, offset, length, insertion] of changes) {
        bytes = Buffer.concat([bytes.subarray(0, offset), insertion, bytes.subarray(offset + length)]);
      }
      try {
        const source = await read(bytes, { address: 'https://larder.example/appcast.xml' });
        for (const release of source.releases) assert.ok(release.build !== '' && /^https?:/.test(release.downloadUrl));
        findLatestRelease(source.releases);
      } catch (error) {
        assert.ok(error instanceof FeedFault && error.kind === 'refused', `${error}`);
      }
    }),
    { numRuns: scaleCaseCount(400) },
  );
});

/** Pieces of markup, which random bytes seldom contain. */
const mark = fc
  .constantFrom(
    '<',
    '>',
    '"',
    '&',
    '&#0;',
    '&#x10FFFF;',
    '<![CDATA[',
    ']]>',
    '<!--',
    'xmlns=""',
    '</item>',
    '<item>',
    '<?x?>',
    '\u0000',
  )
  .map((text) => Buffer.from(text));
