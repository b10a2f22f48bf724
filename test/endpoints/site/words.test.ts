/** Tests that every word of the layout can be translated: with a Greek folder and marked words, pages have no other Latin words. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { yamlFiles } from '../../../src/content/schemas.ts';
import { type FileChange, writeContentFolder } from '../../support/content-folder.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const english = yamlFiles.words.schema.parse({});

/** The lines of words.yaml, such as `key: "⟦key {name} {version}⟧"`: text outside of the brackets is not from words.yaml. */
const markedWords = Object.entries(english).flatMap(([key, word]) =>
  typeof word === 'string' ? [`${key}: "⟦${key} ${(word.match(/\{\w+\}/g) ?? []).join(' ')}⟧"`] : [],
);

/** English-looking texts that a German reader sees as well: names, units, months, conjunctions, identifiers. */
const names = new Set(
  [
    'macOS Linux ZIP zip Intel MB GB kB USD EUR OpenAPI llms txt auth md und oder Mai Januar',
    'gr help token arm64 x86',
  ].flatMap((line) => line.split(' ')),
);

const createItem = (build: number, version: string, inner: string): string =>
  `<item><title>${version}</title><sparkle:version>${build}</sparkle:version><sparkle:shortVersionString>${version}</sparkle:shortVersionString>${inner.includes('minimum') ? '' : '<sparkle:minimumSystemVersion>14.0</sparkle:minimumSystemVersion>'}${inner}</item>`;
const createArchive = (more = '') =>
  `<enclosure url="https://λάμπα.example/${Math.abs(more.length)}.zip" length="1400000" type="application/octet-stream" ${more}/>`;
const publicationDate = '<pubDate>Mon, 04 May 2026 10:00:00 +0000</pubDate>';
const appcast = `<rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel>
${createItem(30, '3.0', `${publicationDate}<description>Νέο</description><sparkle:criticalUpdate/><sparkle:phasedRolloutInterval>86400</sparkle:phasedRolloutInterval>${createArchive(`sparkle:edSignature="${'A'.repeat(86)}=="`)}`)}
${createItem(30, '3.0', `${publicationDate}<sparkle:hardwareRequirements>arm64</sparkle:hardwareRequirements>${createArchive()}`)}
${createItem(29, '2.9', `${publicationDate}<sparkle:releaseNotesLink>https://λάμπα.example/n</sparkle:releaseNotesLink><sparkle:criticalUpdate sparkle:version="20"/><sparkle:maximumSystemVersion>15.0</sparkle:maximumSystemVersion>${createArchive()}`)}
${createItem(28, '2.8', `<sparkle:fullReleaseNotesLink>https://λάμπα.example/f</sparkle:fullReleaseNotesLink>${createArchive()}`)}
${createItem(27, '2.7', `<link>https://λάμπα.example/i</link><sparkle:informationalUpdate/>`)}
${Array.from({ length: 20 }, (_, index) => createItem(20 - index, `1.${20 - index}`, `${publicationDate}${createArchive()}`)).join('\n')}
${createItem(0.5, '0.5', `${publicationDate}<sparkle:minimumSystemVersion>13.0</sparkle:minimumSystemVersion>${createArchive()}`)}
</channel></rss>`;

const files: Record<string, FileChange> = {
  'product.yaml': `language: de
name: Λάμπα
tagline: Φως
description: Η λάμπα φωτίζει το δωμάτιο όταν το θέλετε εσείς.
vendor: { name: Φωτιστικά, email: φ@λ.gr }
links: { help: "https://λ.gr/h", buy: "https://λ.gr/b" }
platform: { os: [macOS, Linux], tested_up_to: "26.0" }
minimums: { macOS: { os_version: "14.0", arch: [arm64, x86_64] }, Linux: { arch: [x86_64] } }
feed: { source: appcast.xml }
edit_url: https://λ.gr/edit/{path}
`,
  'words.yaml': `${markedWords.join('\n')}\nlinks: { help: "⟦link⟧", buy: "⟦link⟧" }\n`,
  'faq.yaml': `entries:
  - { id: a1, category: Χρήση, question: Λάμπει;, answer: Ναι. }
  - { id: a2, category: Χρήση, question: Πόσο;, answer: Πολύ. }
`,
  'pricing.yaml': `plans:
  - { id: free, name: Δωρεάν, price: { amount: 0, currency: USD, interval: null }, description: Όλα., includes: [Φως] }
  - { id: once, name: Μία, price: { amount: 1290, currency: EUR, interval: once }, description: Όλα., includes: [Φως] }
  - { id: month, name: Μήνας, price: { amount: 4.5, currency: EUR, interval: month }, description: Όλα., includes: [Φως] }
  - { id: year, name: Έτος, price: { amount: 9, currency: EUR, interval: year, unit: θέση }, description: Όλα., includes: [Φως] }
backends:
  - { id: bulb, name: Λυχνία, runs_on_device: true, cost: δωρεάν, description: Η οθόνη. }
  - { id: sun, name: Ήλιος, runs_on_device: false, cost: δωρεάν, description: Ο ουρανός. }
`,
  'features.yaml': `features:
  - { id: glow, name: Λάμψη, description: Λάμπει., on_device: false, permission: screen }
  - { id: dim, name: Σκιά, description: Σβήνει., on_device: true, permission: null }
`,
  'requirements.yaml': `disk_mb: 1200
memory_mb: 8192
permissions:
  - { id: screen, name: Οθόνη, required: true, unlocks: Φως. }
  - { id: sound, name: Ήχος, required: false, unlocks: Ήχο. }
`,
  'docs/start.md': `---
title: Αρχή
description: Το πρώτο φως.
updated: 2026-01-31
---
${['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION'].map((type) => `> [!${type}]\n> Φως\n`).join('\n')}
## Πρώτο

- [x] Φως
- [ ] Σκιά

Φως[^1].

[^1]: Λάμπα.

## Δεύτερο

| Φως | Σκιά |
| --- | --- |
| 1 | 2 |
`,
  'docs/guides/colours.md': '---\ntitle: Χρώματα\ndescription: Κόκκινο και μπλε.\n---\n## Κόκκινο\n\nΤο κόκκινο φως.\n',
  'navigation.yaml': 'pages:\n  - page: start\n  - title: Οδηγοί\n    pages:\n      - page: guides/colours\n',
  'releases/1.2.0.md': null,
  'prompts/brighten.md': null,
  'appcast.xml': appcast,
};

const paths = [
  '/',
  '/?os_version=13.0&arch=arm64',
  '/?os_version=27.0&arch=x86_64',
  '/?os_version=Linux&arch=x86_64',
  '/releases/for/macos-13',
  '/?os_version=26.3&arch=arm64',
  '/?os_version=19&arch=arm64',
  '/?os_version=Windows+11&arch=arm64',
  '/?os_version=%CE%B1&arch=arm64',
  '/docs',
  '/docs/start',
  '/docs/guides/colours',
  '/faq',
  '/faq/a1',
  '/pricing',
  '/releases',
  ...['3.0', '2.9', '2.8', '2.7', '1.20'].map((version) => `/releases/${version}`),
  '/search',
  ...[
    'Φως',
    'Κοκκίνο',
    'Α',
    'ΞΞΞΞΞ',
    'Μήνας',
    'Οθόνη',
    'Λάμψη',
    'Ναι',
    'Νέο',
    '1200',
    'Δωρεάν',
    'Κόκκινοω',
    'Λάμπα',
  ].map((q) => `/search?q=${encodeURIComponent(q)}`),
  `/search?q=${encodeURIComponent('Φως')}&cursor=1`,
  `/search?q=${encodeURIComponent('Φως')}&part=list`,
  `/search?q=${encodeURIComponent('ΞΞΞΞΞ')}&part=list`,
  '/search?q=token',
  '/docs/begin',
  '/docs/star',
];

const noWords = Object.fromEntries(paths.map((path) => [path, []]));

/** Words that are on none of the pages of this test, such as those of an overloaded server. */
const wordsOfOtherPages = [
  // The links to assistants have this word percent-encoded, so the pattern for the brackets does not match.
  'assistant_prompt',
  'try_again_later',
  'signature_example',
  'the_latest_version',
  'more_about_this',
  'website',
  'os_too_new',
];

const readable = /(?:\b(?:alt|title|placeholder|aria-label|content)|data-(?!arch|os)[a-z-]+)="([^"]*)"/g;

/** Returns the text of a page that a person reads or hears, without code and without the portal's samples of the API. */
function readText(html: string): string {
  const body = html
    .replace(/<li lang="en"[\s\S]*?<\/li>|<div lang="en"[\s\S]*?<\/div>/g, '')
    .replace(/<meta [^>]*(?:viewport|theme-color|og:type|og:url|twitter:card|robots)[^>]*>/g, '');
  const attributes = [...body.replace(/<link [^>]*type="text\/css"[^>]*>/g, '').matchAll(readable)].map(
    ([, text]) => text,
  );
  const texts = body
    .replace(/<(script|code|pre|option)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<\/?(?:span|time|strong|a|mark|small)\b[^>]*>/g, '');
  return [...attributes, texts.replace(/<[^>]*>/g, '\n')].join('\n').replace(/&[a-z#0-9]+;/g, ' ');
}

function removeMarks(text: string): string {
  const rest = text.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  return rest === text ? text : removeMarks(rest);
}

const findUnmarkedWords = (text: string): string[] =>
  (
    removeMarks(text)
      .replace(/https?:\/\/\S+|[\w.-]+\.example\S*|macOS [\d.]+ \(?[A-Z]\w+\)?/g, ' ')
      .match(/[A-Za-z][A-Za-z0-9]*/g) ?? []
  ).filter((word) => !names.has(word));

describe('words.yaml of a folder in another language', () => {
  let server: TestServer;
  const cleanups: (() => void)[] = [];
  const usedWords = new Set<string>();
  const fetchText = async (path: string, accept: string): Promise<string> => {
    const { text } = await server.request(path, { headers: { accept } });
    for (const [, key = ''] of text.matchAll(/⟦(\w+)/g)) usedWords.add(key);
    return text;
  };

  before(async () => {
    const directory = writeContentFolder({ after: (remove) => cleanups.push(remove as () => void) }, files);
    server = await startTestServer({ env: { CONTENT_DIR: directory } });
  });
  after(async () => {
    await server.close();
    for (const remove of cleanups) remove();
  });

  it('no kind of page contains an untranslated English word', async () => {
    const wordsByPath: Record<string, string[]> = {};
    for (const path of paths) wordsByPath[path] = findUnmarkedWords(readText(await fetchText(path, 'text/html')));
    assert.deepEqual(wordsByPath, noWords);
  });

  it('no Markdown version contains an untranslated English word', async () => {
    const wordsByPath: Record<string, string[]> = {};
    for (const path of paths) {
      const text = await fetchText(path, 'text/markdown');
      const isForPrograms = text.startsWith('{');
      const prose = isForPrograms ? '' : path === '/search?q=token' ? (text.split('\n## ')[0] ?? '') : text;
      wordsByPath[path] = findUnmarkedWords(prose.replace(/```[\s\S]*?```|`[^`]*`|\]\([^)\s]*\)|\[!\w+\]|\[x\]/g, ' '));
    }
    assert.deepEqual(wordsByPath, noWords);
  });

  it('the Atom feed contains no untranslated English word', async () => {
    const feed = await fetchText('/releases.atom', 'application/atom+xml');
    const texts = [...feed.matchAll(/<(?:title|subtitle|content|name)\b[^>]*>([^<]*)</g)].map(([, text = '']) => text);
    assert.deepEqual(findUnmarkedWords(texts.join('\n').replace(/&lt;.*?&gt;|&amp;\w+;/g, ' ')), []);
  });

  it('pages with 503 or 429, and pages without a feed, contain no untranslated English word', async () => {
    const directory = writeContentFolder(
      { after: (remove) => cleanups.push(remove as () => void) },
      {
        ...files,
        'product.yaml': String(files['product.yaml']).replace('appcast.xml', 'http://127.0.0.1:9/appcast.xml'),
        'features.yaml':
          'features:\n  - { id: glow, name: Λάμψη, description: Λάμπει., on_device: true, permission: null }\n',
        'appcast.xml': null,
      },
    );
    const otherServer = await startTestServer({ env: { CONTENT_DIR: directory, RATE_LIMIT_PAGES: '3' } });
    try {
      const wordsByPath: Record<string, string[]> = {};
      for (const path of ['/', '/releases', '/docs', '/faq']) {
        // `request` would fail, because the contract describes the problem document of an error and not its page.
        const response = await fetch(otherServer.baseUrl + path, { headers: { accept: 'text/html' } });
        const [status, text] = [response.status, await response.text()];
        for (const [, key = ''] of text.matchAll(/⟦(\w+)/g)) usedWords.add(key);
        wordsByPath[`${status} ${path}`] = findUnmarkedWords(readText(text));
      }
      assert.deepEqual(wordsByPath, { '200 /': [], '503 /releases': [], '200 /docs': [], '429 /faq': [] });
    } finally {
      await otherServer.close();
    }
  });

  it('every word is on one of the pages, except a fixed list', () => {
    const unused = Object.keys(english).filter((key) => key !== 'links' && !usedWords.has(key));
    assert.deepEqual(unused.sort(), wordsOfOtherPages.sort());
  });
});
