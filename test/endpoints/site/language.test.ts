/** Tests a folder in another language: the language in pages, headers, feeds and JSON-LD, and the words of words.yaml. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type FileChange, writeContentFolder } from '../../support/content-folder.ts';
import { startTestServer } from '../../support/server.ts';

const html = { headers: { accept: 'text/html' } };
const appcast = `<rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel><item><title>1.0</title><pubDate>Mon, 04 May 2026 10:00:00 +0000</pubDate><sparkle:version>7</sparkle:version><sparkle:shortVersionString>1.0</sparkle:shortVersionString><description>x</description><enclosure url="https://lamp.example/l.zip" length="1" type="application/octet-stream"/></item></channel></rss>`;

async function startSite(t: TestContext, language: string, changes: Record<string, FileChange> = {}) {
  const directory = writeContentFolder(t, {
    'product.yaml': (text) => `language: ${language}\n${text}`,
    'appcast.xml': appcast,
    ...changes,
  });
  const server = await startTestServer({ env: { CONTENT_DIR: directory } });
  t.after(() => server.close());
  return server;
}

describe('`language` of product.yaml, and words.yaml', () => {
  test('pages, dates, JSON-LD and the Atom feed have the language of the folder', async (t) => {
    const server = await startSite(t, 'de');
    const page = await server.request('/docs/start', html);
    assert.equal(page.headers.get('content-language'), 'de');
    assert.match(page.text, /^<!DOCTYPE html>\n<html lang="de">/);
    assert.match(page.text, /<time datetime="2026-01-31">31\. Januar 2026<\/time>/);
    assert.match(page.text, /"inLanguage":"de"/);
    const twin = await server.request('/docs/start.md');
    assert.equal(twin.headers.get('content-language'), 'de');
    assert.match(twin.text, /Aktualisiert am 31\. Januar 2026\./);
    assert.match((await server.request('/releases.atom')).text, /<feed [^>]*xml:lang="de"/);
    assert.match((await server.request('/releases', html)).text, /4\. Mai 2026/);
  });

  test('a language with a right-to-left script sets dir="rtl"', async (t) => {
    for (const [language, expected] of [
      ['ar', '<html lang="ar" dir="rtl">'],
      ['he-IL', '<html lang="he-IL" dir="rtl">'],
      ['az-Arab', '<html lang="az-Arab" dir="rtl">'],
      ['az', '<html lang="az">'],
      ['en', '<html lang="en">'],
    ] as const) {
      const { text } = await (await startSite(t, language)).request('/docs/start', html);
      assert.ok(text.includes(`\n${expected}\n`), `${language}: ${text.slice(0, 60)}`);
    }
  });

  test('the developer portal is marked as English', async (t) => {
    const server = await startSite(t, 'ar');
    assert.match((await server.request('/developers', html)).text, /<main id="main" lang="en" dir="ltr">/);
    assert.match((await server.request('/docs/start', html)).text, /<main id="main">/);
  });

  test('words.yaml overrides the words of the layout, and the shipped translation has the other ones', async (t) => {
    const server = await startSite(t, 'de', {
      'words.yaml':
        'on_this_page: Auf dieser Seite\nupdated: "Stand: {day}"\nskip_to_content: Zum Inhalt\nlink_to: Verweis auf „{heading}“\nno_such_page: "Diese Seite gibt es <nicht>"\ncopied: Kopiert\n',
      'docs/start.md': (text) => `${text}\n## Second\n\n## Third\n`,
    });
    const { text } = await server.request('/docs/start', html);
    assert.match(text, /<a class="hidden" href="#main">Zum Inhalt<\/a>/);
    assert.match(text, /<nav aria-label="Auf dieser Seite"><p>Auf dieser Seite<\/p>/);
    assert.match(text, /<p class="edited">Stand: <time datetime="2026-01-31">31\. Januar 2026<\/time><\/p>/);
    assert.match(text, /<a class="anchor" href="#second" aria-label="Verweis auf „Second“"><\/a>/);
    assert.match(text, /<body [^>]*data-copied="Kopiert"/);
    assert.match(text, />Als Markdown anzeigen<\/a>/);
    const missing = await server.request('/docs/none', html);
    assert.equal(missing.status, 404);
    assert.match(missing.text, /<h1>Diese Seite gibt es &lt;nicht&gt;<\/h1>/);
  });

  test('the server does not start with a language that is no BCP 47 tag', async (t) => {
    for (const language of ['english', 'de_DE', '"en-"', 'x']) {
      await assert.rejects(startSite(t, language), /`language` .*BCP 47 language tag/s, language);
    }
  });
});
