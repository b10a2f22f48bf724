/** The site in a real browser: accessibility, requests, layout and the effects of the script, on every kind of page. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HtmlValidate } from 'html-validate';
import { startTestServer, type TestServer } from '../support/server.ts';
import { findViolations } from './fixtures/accessibility.ts';
import { type PageOpener, startBrowser } from './fixtures/browser.ts';
import { pagePaths } from './fixtures/page-paths.ts';

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

describe('Pages of the site in a browser', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1440]) {
      it(`axe finds no violation at ${width} px in the ${colorScheme} theme, and no request is sent elsewhere`, async (t) => {
        await browser.open(t, { colorScheme, viewport: { width, height: 900 } }, async (page) => {
          const problems: string[] = [];
          page.on('request', (request) => {
            if (new URL(request.url()).origin !== server.baseUrl) problems.push(`requested ${request.url()}`);
          });
          page.on('pageerror', (error) => problems.push(error.message));
          page.on('console', (message) => {
            const isMissingPage = message.text().includes('404');
            if (message.type() === 'error' && !isMissingPage) problems.push(message.text());
          });
          for (const path of pagePaths) {
            await page.goto(path);
            await page.evaluate("document.querySelectorAll('details').forEach((element) => { element.open = true; })");
            problems.push(...(await findViolations(page)).map((violation) => `${path}: ${violation}`));
          }
          assert.deepEqual(problems, []);
        });
      });
    }
  }

  it('the menu, search, code samples and Try it form work without JavaScript', async (t) => {
    await browser.open(t, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } }, async (page) => {
      await page.goto('/docs/dictation');
      assert.equal(await page.locator('.menu-section').isVisible(), false);
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.locator('.menu-section').getByRole('link', { name: 'Backends' }).click();
      await page.waitForURL('**/docs/backends');
      await page.goto('/search');
      await page.locator('main input[name=q]').fill('microphone');
      await page.getByRole('button', { name: 'Search' }).click();
      assert.ok((await page.locator('.results li').count()) > 2);
      await page.goto('/developers/reference/search');
      await page.getByText('Python').click();
      assert.equal(await page.locator('.sample.python').isVisible(), true);
      assert.equal(await page.locator('.sample.sh').isVisible(), false);
      await page.getByText('Try it').click();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.waitForURL('**/api/v1/search?**');
      assert.match(await page.content(), /"object":"list"/);
    });
  });

  it('the menu on a phone opens by its button and closes with Escape', async (t) => {
    await browser.open(t, { viewport: { width: 390, height: 800 } }, async (page) => {
      await page.goto('/developers/reference/product');
      await page.getByRole('button', { name: 'Menu' }).click();
      assert.equal(await page.locator('.menu-section').isVisible(), true);
      assert.deepEqual(await findViolations(page), []);
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.menu-section').isVisible(), false);
    });
  });

  it('the Dark theme button changes the theme of every page, and a second click restores the system’s', async (t) => {
    await browser.open(t, { colorScheme: 'light' }, async (page) => {
      const readBackground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      await page.goto('/');
      const light = await readBackground();
      await page.getByRole('button', { name: 'Dark theme' }).click();
      const dark = await readBackground();
      assert.notEqual(dark, light);
      await page.goto('/docs');
      assert.equal(await readBackground(), dark);
      assert.equal(await page.getByRole('button', { name: 'Dark theme' }).getAttribute('aria-pressed'), 'true');
      await page.getByRole('button', { name: 'Dark theme' }).click();
      assert.equal(await readBackground(), light);
      assert.equal(await page.evaluate("localStorage.getItem('theme')"), '');
    });
  });

  it('the search field and its suggestions can be used by keyboard', async (t) => {
    await browser.open(t, { viewport: { width: 1440, height: 900 } }, async (page) => {
      await page.goto('/docs/quickstart');
      await page.keyboard.press('/');
      assert.equal(await page.evaluate('document.activeElement.name'), 'q');
      await page.keyboard.press('Escape');
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY');
      await page.keyboard.press('/');
      await page.keyboard.type('ollama');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/search?q=ollama');
      const requests: string[] = [];
      page.on('request', (request: { url(): string }) => requests.push(request.url()));
      await page.goto('/docs/quickstart');
      assert.deepEqual(
        requests.filter((url) => url.includes('/search')),
        [],
        'the page sends no search before a key is pressed',
      );
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Search' }).first();
      await page.keyboard.type('histroy');
      await page.getByRole('listbox').first().waitFor();
      assert.equal(await field.getAttribute('aria-expanded'), 'true');
      assert.match((await page.locator('.find .suggestions .note').textContent()) ?? '', /history/);
      assert.match((await page.locator('.find [role=status]').textContent()) ?? '', /^\d+ results?$/);
      await page.keyboard.press('ArrowDown');
      const active = await field.getAttribute('aria-activedescendant');
      assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
      await page.keyboard.press('Escape');
      assert.equal(await field.getAttribute('aria-expanded'), 'false');
      await page.keyboard.press('ArrowUp');
      await page.getByRole('listbox').first().waitFor();
      await page.keyboard.press('ArrowUp');
      const last = page.getByRole('option').last();
      assert.equal(await last.getAttribute('aria-selected'), 'true');
      assert.match((await last.textContent()) ?? '', /^All results for/);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => !/^\/(search|docs\/quickstart)/.test(url.pathname));
    });
  });

  it('the copy buttons copy code and the Markdown of the page', async (t) => {
    await browser.open(t, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.goto('/docs/backends');
      const readClipboard = () => page.evaluate('navigator.clipboard.readText()');
      await page.locator('.code').first().hover();
      await page.locator('.code').first().getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      assert.equal(String(await readClipboard()).trim(), 'ollama pull llama3.2:3b');
      await page.getByRole('button', { name: 'Copy as Markdown' }).click();
      await page.getByRole('button', { name: 'Copied' }).last().waitFor();
      const { text } = await server.request('/docs/backends.md');
      assert.equal(await readClipboard(), text);
    });
  });

  it('the Open in menu opens by keyboard, and closes with Escape or a click elsewhere', async (t) => {
    await browser.open(t, { viewport: { width: 320, height: 800 } }, async (page) => {
      await page.goto('/docs/backends');
      const button = page.getByRole('button', { name: 'Open in …' });
      const first = page.getByRole('link', { name: 'View as Markdown' });
      const readFocusedText = () => page.evaluate('document.activeElement.textContent');
      await button.focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      assert.equal(await readFocusedText(), 'View as Markdown');
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
      assert.deepEqual(await findViolations(page), []);
      await page.keyboard.press('Escape');
      assert.equal(await readFocusedText(), 'Open in …');
      assert.equal(await first.isVisible(), false);
      await button.click();
      await page.locator('h1').click();
      assert.equal(await first.isVisible(), false);
    });
  });

  it('the Try it form sends a request and shows the status, headers and body of the response', async (t) => {
    await browser.open(t, { viewport: { width: 1440, height: 900 } }, async (page) => {
      await page.goto('/developers/reference/documentation');
      const form = page.locator('section.operation', { has: page.locator('#getDoc') }).locator('.try');
      await form.getByText('Try it').click();
      await form.getByLabel('slug').fill('quikstart');
      await form.getByRole('button', { name: 'Send' }).click();
      await form.getByText('404 Not Found').waitFor();
      const texts = await form.locator('.outcome pre').allTextContents();
      assert.match(texts[0] ?? '', /^content-type: application\/problem\+json$/m);
      assert.equal(JSON.parse(texts[1] ?? '').suggestions[0], 'quickstart');
      assert.match(await form.locator('.outcome').innerText(), /in \d+ ms/);
      await form.getByLabel('Server').selectOption('Sandbox');
      await form.getByLabel('slug').fill('quickstart');
      await form.getByLabel('Simulate').selectOption('rate_limited');
      await form.getByRole('button', { name: 'Send' }).click();
      await form.getByText('429 Too Many Requests').first().waitFor();
    });
  });

  it('the Try it form of POST /batch sends a batch', async (t) => {
    await browser.open(t, {}, async (page) => {
      await page.goto('/developers/reference/batch');
      await page.getByText('Try it').click();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('200 OK').waitFor();
      const [, body] = await page.locator('.outcome pre').allTextContents();
      assert.equal(JSON.parse(body ?? '').object, 'batch');
    });
  });

  it('a printed page has no header, menu or footer, and shows the folded answers of /faq', async (t) => {
    await browser.open(t, { colorScheme: 'dark' }, async (page) => {
      await page.goto('/docs/quickstart');
      await page.emulateMedia({ media: 'print' });
      for (const part of ['.header', '.menu', '.footer', '.actions', '.page-navigation']) {
        assert.equal(await page.locator(part).first().isVisible(), false, part);
      }
      assert.equal(await page.locator('h1').isVisible(), true);
      await page.goto('/faq');
      assert.equal(await page.locator('.question > div').first().isVisible(), true);
    });
  });

  it('the video is that of the selected theme, and is not loaded before it is played', async (t) => {
    for (const javaScriptEnabled of [true, false]) {
      await browser.open(t, { colorScheme: 'light', javaScriptEnabled }, async (page) => {
        const requests: string[] = [];
        page.on('request', (request) => requests.push(new URL(request.url()).pathname));
        await page.goto('/docs/dictation');
        const getVisibleVideo = () => page.locator('video').filter({ visible: true });
        assert.equal(await getVisibleVideo().count(), 1);
        assert.equal(await getVisibleVideo().getAttribute('src'), '/assets/hold-to-talk-light.mp4');
        assert.notEqual(await getVisibleVideo().getAttribute('controls'), null);
        if (javaScriptEnabled) await page.getByRole('button', { name: 'Dark theme' }).click();
        else await page.emulateMedia({ colorScheme: 'dark' });
        assert.equal(await getVisibleVideo().count(), 1);
        assert.equal(await getVisibleVideo().getAttribute('src'), '/assets/hold-to-talk-dark.mp4');
        assert.deepEqual(
          requests.filter((path) => path.endsWith('.mp4')),
          [],
        );
      });
    }
  });

  it('the selected tab and menu entry are marked in forced colors', async (t) => {
    const options = { forcedColors: 'active', viewport: { width: 1440, height: 900 } } as const;
    await browser.open(t, options, async (page) => {
      await page.goto('/developers/reference/releases');
      const tabs = await page
        .locator('.tabs')
        .first()
        .locator('label')
        .evaluateAll((labels) =>
          labels.map((label) => {
            const background = getComputedStyle(document.body).backgroundColor;
            return [label.textContent, getComputedStyle(label).borderBottomColor !== background];
          }),
        );
      assert.deepEqual(
        tabs.filter(([, isUnderlined]) => isUnderlined),
        [['curl', true]],
      );
      assert.ok(tabs.length > 3);
      const outlinedEntries = await page
        .locator('.menu a')
        .evaluateAll((links) =>
          links.filter((link) => getComputedStyle(link).outlineStyle === 'solid').map((link) => link.textContent),
        );
      assert.deepEqual(outlinedEntries, ['Releases']);
      assert.deepEqual(await findViolations(page), []);
      await page.goto('/');
      assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.button')).borderTopStyle"), 'solid');
    });
  });

  it('the contents list marks the last section of a page after a click on it', async (t) => {
    await browser.open(t, { viewport: { width: 1440, height: 900 } }, async (page) => {
      for (const path of ['/docs/privacy-model', '/docs/quickstart', '/developers']) {
        await page.goto(path);
        const last = page.locator('.contents a').last();
        await last.click();
        await page.locator('.contents a').last().and(page.locator('[aria-current]')).waitFor({ timeout: 5000 });
        assert.equal(await page.locator('.contents [aria-current]').count(), 1, path);
      }
    });
  });

  it('copy buttons are visible on a touch screen, and no control is less than 32 px high', async (t) => {
    await browser.open(t, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } }, async (page) => {
      await page.goto('/docs/backends');
      assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.code button')).opacity"), '1');
      const smallControls = await page.evaluate(
        "[...document.querySelectorAll('button, input, select, .footer a')].filter((element) => element.offsetHeight > 1 && element.offsetHeight < 32).map((element) => element.outerHTML)",
      );
      assert.deepEqual(smallControls, []);
    });
  });
});

describe('HTML of every kind of page: html-validate', () => {
  // The rules about formatting are off; the rules about meaning are on.
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended', 'html-validate:a11y'],
    rules: { 'long-title': 'off', 'no-trailing-whitespace': 'off', 'valid-id': ['error', { relaxed: true }] },
  });

  for (const path of pagePaths) {
    it(`html-validate finds no error on ${path}`, async () => {
      const response = await fetch(server.baseUrl + path, { headers: { accept: 'text/html' } });
      const report = await validator.validateString(await response.text());
      const errors = report.results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line, selector }) => `${line}: ${ruleId}: ${message} (${selector})`),
      );
      assert.deepEqual(errors, []);
    });
  }
});
