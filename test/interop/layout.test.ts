/** No page scrolls horizontally in a real browser, whatever the width of the window, the font and the size of the text are. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type PageOpener, startBrowser } from './fixtures/browser.ts';
import { pagePaths } from './fixtures/page-paths.ts';

const widths = [320, 360, 390, 430, 600, 768, 799, 800, 820, 834, 1024, 1180, 1280, 1366, 1440, 1920];

/** Styles with a font in which every letter is about as wide as the m of other fonts. */
const wideFace = `:is(body, input, button, select, code, pre) {
  font-family: "DejaVu Sans Mono", "Courier New", monospace !important;
  letter-spacing: 0.02em;
}`;

let server: TestServer;
let browser: PageOpener;
before(async () => {
  server = await startTestServer();
  browser = await startBrowser(server.baseUrl);
});
after(async () => {
  await browser.close();
  await server.close();
});

/** A script that returns the first elements that extend beyond the page's width, except in frames that scroll by themselves. */
const overflowScript = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return null;
  const elements = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 0.5 && !element.closest('.table, pre'),
  );
  return scrollWidth - clientWidth + ' px: ' + elements.slice(0, 3).map((element) => element.outerHTML.slice(0, 80)).join(' ');
})()`;

describe('Every kind of page in a browser: horizontal scrolling', () => {
  const settings = [
    { name: 'in the system font', face: '', size: 16 },
    { name: 'in a wide font', face: wideFace, size: 16 },
    { name: 'with text at 200%', face: '', size: 32 },
  ];
  for (const { name, face, size } of settings) {
    it(`no page is wider than the window ${name}`, async (t) => {
      await browser.open(t, {}, async (page) => {
        const session = await page.context().newCDPSession(page);
        await session.send('Page.setFontSizes', { fontSizes: { standard: size, fixed: size } });
        const problems: string[] = [];
        for (const path of pagePaths) {
          await page.goto(path);
          if (face !== '') {
            await page.evaluate((css) => {
              const sheet = new CSSStyleSheet();
              sheet.replaceSync(css);
              document.adoptedStyleSheets = [sheet];
            }, face);
          }
          await page.evaluate("document.querySelectorAll('details').forEach((element) => { element.open = true; })");
          for (const width of widths) {
            await session.send('Emulation.setDeviceMetricsOverride', {
              width,
              height: 800,
              deviceScaleFactor: 1,
              mobile: false,
            });
            const problem = await page.evaluate(overflowScript);
            if (problem !== null) problems.push(`${path} at ${width} px: ${problem}`);
          }
        }
        assert.deepEqual(problems, []);
      });
    });
  }
});
