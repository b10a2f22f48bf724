/** The download button in a browser: a script moves the files for the system of the reader to the front. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type PageOpener, startBrowser } from './fixtures/browser.ts';

/** A system, the user agent of a browser on it, the processor if the browser reports it, and the files that must be first. */
type Reader = readonly [system: string, userAgent: string, architecture: string | null, files: readonly string[]];

const readers: readonly Reader[] = [
  [
    'a Mac, whose processor the browser does not tell',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    null,
    ['Larder-1.4.0-arm64.dmg', 'Larder-1.4.0-arm64-mac.zip'],
  ],
  [
    'a Mac with an Intel processor',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
    'x86',
    ['Larder-1.4.0.dmg', 'Larder-1.4.0-mac.zip', 'Larder-1.4.0-arm64.dmg'],
  ],
  [
    'Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    null,
    ['Larder-Setup-1.4.0-x64.exe'],
  ],
  [
    'Linux',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    null,
    ['Larder-1.4.0-x86_64.AppImage'],
  ],
  [
    'an iPhone, which no file is for',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    null,
    [],
  ],
];

/** The names of all files in the order of the page without a script. */
const names: readonly string[] = [
  'Larder-1.4.0-arm64.dmg',
  'Larder-1.4.0-arm64-mac.zip',
  'Larder-1.4.0.dmg',
  'Larder-1.4.0-mac.zip',
  'Larder-Setup-1.4.0-x64.exe',
  'Larder-1.4.0-x86_64.AppImage',
  'larder_1.4.0_amd64.deb',
];

describe('GET / in a browser: the download button', () => {
  let server: TestServer;
  let browser: PageOpener;
  before(async () => {
    server = await startTestServer({ env: { CONTENT_DIR: join(import.meta.dirname, '../../examples/larder') } });
    browser = await startBrowser(server.baseUrl);
  });
  after(async () => {
    await browser.close();
    await server.close();
  });

  /** A script that returns the names of the files in the order of the page, and the class of each link. */
  const linkScript = `(() => {
    const links = [...document.querySelectorAll('.downloads a')];
    return [links.map((link) => link.href.replace(/^.*\\/|\\?.*$/g, '')), links.map((link) => link.className)];
  })()`;

  it('a script moves the files for the reader’s system to the front, and all seven files remain', async (t) => {
    await browser.open(t, { javaScriptEnabled: false }, async (page) => {
      await page.goto('/');
      const urls = await page.locator('.downloads a').evaluateAll((links) => links.map((link) => String(link)));
      assert.deepEqual(
        urls.map((url) => url.replace(/^.*\//, '')),
        names,
      );
    });
    for (const [system, userAgent, architecture, files] of readers)
      await browser.open(t, { userAgent }, async (page) => {
        const data = architecture && `{ getHighEntropyValues: async () => ({ architecture: '${architecture}' }) }`;
        await page.addInitScript(
          `Object.defineProperty(navigator, 'userAgentData', { value: ${data ?? 'undefined'} })`,
        );
        await page.goto('/');
        const [order, classes]: [string[], string[]] = await page.evaluate(linkScript);
        assert.deepEqual(order.toSorted(), names.toSorted(), system);
        assert.deepEqual(
          order.slice(0, Math.max(1, files.length)),
          files.length > 0 ? files : names.slice(0, 1),
          system,
        );
        assert.deepEqual([classes[0], classes.lastIndexOf('button')], ['button', 0], system);
      });
  });
});
