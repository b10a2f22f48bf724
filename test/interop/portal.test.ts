/** The developer portal in a real browser: code samples change with the form, responses are shown, and requests are stored. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../support/server.ts';
import { findViolations } from './fixtures/accessibility.ts';
import { type PageOpener, startBrowser } from './fixtures/browser.ts';

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

const wide = { viewport: { width: 1440, height: 900 } };

/**
 * Opens the form of the operation with this ID on the page at `path`, and returns the locators of its section, form and outcome;
 * `getSample`, which returns the locator of the sample in a language; and `waitForSamples`.
 */
async function openOperation(page: Page, path: string, id: string) {
  await page.goto(path);
  const section = page.locator('section.operation', { has: page.locator(`h2#${id}`) });
  await section.getByText('Try it').click();
  const getSample = (language: string) => section.locator(`.sample.${language} code`);
  /** Waits until each sample contains its text. */
  const waitForSamples = async (texts: Readonly<Record<string, string>>) => {
    for (const [language, text] of Object.entries(texts)) {
      await getSample(language).filter({ hasText: text }).waitFor({ state: 'attached' });
    }
  };
  return { section, form: section.locator('form'), outcome: section.locator('.outcome'), getSample, waitForSamples };
}

describe('/developers/reference in a browser', () => {
  it('every code sample is updated as the form is filled in', async (t) => {
    await browser.open(t, wide, async (page) => {
      const { form, getSample, waitForSamples } = await openOperation(
        page,
        '/developers/reference/releases',
        'listReleases',
      );
      await form.getByRole('textbox', { name: 'limit' }).fill('7');
      const address = `${server.baseUrl}/api/v1/releases?limit=7`;
      await waitForSamples({ sh: address, js: 'limit', python: address, swift: address, go: address });
      assert.equal(await getSample('sh').textContent(), `curl -sS '${address}'`);
      await form.getByLabel('Response as').selectOption('text/markdown');
      await waitForSamples({ sh: "-H 'Accept: text/markdown'", go: 'request.Header.Set("Accept", "text/markdown")' });
      await form.getByLabel('Response as').selectOption('application/json');
      await form.getByLabel('Simulate').selectOption('rate_limited');
      await waitForSamples({ sh: `${server.baseUrl}/api/v1/sandbox/releases?limit=7&simulate=rate_limited` });
      assert.match((await form.getByLabel('Server').inputValue()) ?? '', /sandbox$/);
      assert.ok((await getSample('sh').locator('span').count()) > 0, 'the sample is still highlighted');
    });
  });

  it('the response is the one that the simulate menu forces', async (t) => {
    await browser.open(t, wide, async (page) => {
      const { section, form, outcome } = await openOperation(page, '/developers/reference/releases', 'listReleases');
      const names = await form
        .getByLabel('Simulate')
        .locator('option')
        .evaluateAll((options) => options.map((option) => option.getAttribute('value')));
      assert.deepEqual(names.slice(0, 3), ['', 'rate_limited', 'invalid_request']);
      await form.getByLabel('Simulate').selectOption('insufficient_scope');
      await section.getByRole('button', { name: 'Send' }).click();
      await outcome.getByText('403 Forbidden').waitFor();
      const [headers = '', body = ''] = await outcome.locator('pre').allTextContents();
      assert.match(headers, /^www-authenticate: Bearer .*insufficient_scope/m);
      assert.equal(JSON.parse(body).code, 'insufficient_scope');
      assert.equal(await outcome.locator('pre').first().isVisible(), false, 'headers are folded');
      await outcome.getByText(/^\d+ headers$/).click();
      assert.equal(await outcome.locator('pre').first().isVisible(), true);
    });
  });

  it('a response is indented, or shown as received if Raw is checked', async (t) => {
    await browser.open(t, { ...wide, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      const { section, outcome } = await openOperation(page, '/developers/reference/product', 'getRequirements');
      await section.getByRole('button', { name: 'Send' }).click();
      const body = outcome.locator('pre').last();
      await body.waitFor();
      const { text } = await server.request('/api/v1/requirements');
      assert.equal(await body.textContent(), JSON.stringify(JSON.parse(text), null, 2));
      await outcome.getByLabel('Raw').check();
      assert.equal(await body.textContent(), text);
      await body.hover();
      await outcome.getByRole('button', { name: 'Copy' }).last().click();
      await outcome.getByRole('button', { name: 'Copied' }).waitFor();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), text);
    });
  });

  it('Enter on Send submits the form, and the status is in view, next to the form in a wide window', async (t) => {
    for (const width of [820, 1440]) {
      await browser.open(t, { viewport: { width, height: 900 } }, async (page) => {
        const { section, outcome } = await openOperation(page, '/developers/reference/search', 'search');
        await section.getByRole('button', { name: 'Send' }).press('Enter');
        await outcome.getByRole('status').getByText('200 OK').waitFor();
        assert.equal(await page.evaluate('document.activeElement.textContent'), 'Send');
        const [form, status] = await Promise.all([
          section.locator('form').boundingBox(),
          outcome.getByRole('status').boundingBox(),
        ]);
        assert.ok(form && status && status.y > 0 && status.y < 900, 'the status is in view');
        assert.equal(status.x > form.x + form.width, width === 1440);
      });
    }
  });

  it('recent requests of the tab are stored without credentials and can be restored', async (t) => {
    await browser.open(t, wide, async (page) => {
      const start = await openOperation(page, '/developers/reference/exports', 'startExport');
      assert.equal(await page.locator('input[type=password]').count(), 0, 'the sandbox needs no token');
      await start.form.getByLabel('Server').selectOption('Live');
      await start.form.getByLabel('an access token').fill('at_secret');
      await start.waitForSamples({ sh: 'Authorization: Bearer $TOKEN' });
      await start.section.getByRole('button', { name: 'Send' }).click();
      await start.outcome.getByText('401 Unauthorized').waitFor();
      await start.form.getByLabel('Server').selectOption('Sandbox');
      assert.equal(await page.locator('input[type=password]').count(), 0);
      const list = await openOperation(page, '/developers/reference/releases', 'listReleases');
      await list.form.getByRole('textbox', { name: 'limit' }).fill('3');
      await list.section.getByRole('button', { name: 'Send' }).click();
      await list.outcome.getByText('200 OK').waitFor();
      const storedRequests = String(await page.evaluate("sessionStorage.getItem('requests')"));
      assert.match(storedRequests, /POST \/api\/v1\/exports/);
      assert.doesNotMatch(storedRequests, /at_secret/);
      await list.form.getByRole('textbox', { name: 'limit' }).fill('9');
      await list.section.getByText('Recent requests in this tab').click();
      await list.section.getByRole('link', { name: 'GET /api/v1/releases?limit=3' }).click();
      assert.equal(await list.form.getByRole('textbox', { name: 'limit' }).inputValue(), '3');
      await list.section.getByRole('link', { name: 'POST /api/v1/exports' }).click();
      await page.waitForURL('**/developers/reference/exports#startExport');
      const form = page.locator('form[data-id=startExport]');
      assert.equal(await form.getByLabel('Server').inputValue(), '/api/v1');
      assert.equal(await form.isVisible(), true);
      assert.equal(await form.getByLabel('an access token').inputValue(), '');
    });
  });
});

describe('Pages of /developers with a script', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 820, 1440]) {
      it(`axe finds no violation at ${width} px in the ${colorScheme} theme, with a response shown`, async (t) => {
        await browser.open(t, { colorScheme, viewport: { width, height: 900 } }, async (page) => {
          const problems: string[] = [];
          page.on('pageerror', (error) => problems.push(error.message));
          const checkPage = async (path: string) => {
            problems.push(...(await findViolations(page)).map((violation) => `${path}: ${violation}`));
            const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
            if (overflow > 0) problems.push(`${path}: ${overflow} px wider than the window`);
          };
          await page.goto('/developers/authentication');
          await checkPage('/developers/authentication');
          const { section, form, outcome } = await openOperation(page, '/developers/reference/exports', 'startExport');
          await section.getByRole('button', { name: 'Send' }).click();
          await outcome.locator('strong').waitFor();
          await form.getByLabel('Server').selectOption('Live');
          await page.evaluate("document.querySelectorAll('details').forEach((element) => { element.open = true; })");
          await checkPage('/developers/reference/exports');
          await page.goto('/developers/reference/authentication');
          await checkPage('/developers/reference/authentication');
          await page.goto('/developers/reference/objects/release');
          await page.evaluate("document.querySelectorAll('details').forEach((element) => { element.open = true; })");
          await checkPage('/developers/reference/objects/release');
          assert.deepEqual(problems, []);
        });
      });
    }
  }
});
