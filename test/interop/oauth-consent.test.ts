/** The consent page in a real browser: accessibility, layout, and the redirect to the client by either button. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type HttpListener, startHttpListener } from '../support/http-listener.ts';
import {
  allScopes,
  createAuthorizationPath,
  createProofKey,
  isTokenValid,
  redeemCode,
  registerApp,
} from '../support/oauth.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { findViolations } from './fixtures/accessibility.ts';
import { type PageOpener, startBrowser } from './fixtures/browser.ts';

let server: TestServer;
let browser: PageOpener;
/** The application to which the consent page redirects. */
let application: HttpListener;
let callback: string;
before(async () => {
  server = await startTestServer();
  browser = await startBrowser(server.baseUrl);
  application = await startHttpListener((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Back in the application.');
  });
  callback = `${application.origin}/cb`;
});
after(async () => {
  await browser.close();
  await application.close();
  await server.close();
});

/**
 * Registers a client that redirects to `application`, with these changes to its metadata, and returns it with its proof key and the path
 * of its authorization request, with these changes to its parameters.
 */
async function createRequest(metadata: Record<string, unknown> = {}, changes: Record<string, string> = {}) {
  const client = await registerApp(server, { redirect_uris: [callback], ...metadata });
  const proof = createProofKey();
  const path = createAuthorizationPath(client, proof, { redirect_uri: callback, scope: allScopes, ...changes });
  return { client, proof, path };
}

const pageSettings = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1440].map((width) => ({ colorScheme, width })),
);

for (const { colorScheme, width } of pageSettings) {
  describe(`GET /oauth/authorize: the consent page at ${width} px in the ${colorScheme} theme`, () => {
    const options = { colorScheme, viewport: { width, height: 900 } };

    it('axe finds no violation, whatever the name of the client is', async (t) => {
      await browser.open(t, options, async (page) => {
        const problems = watchProblems(page);
        for (const name of ['Reader', '<script>document.title = "run"</script>', 'W'.repeat(100), undefined]) {
          const { path } = await createRequest({ client_name: name });
          await page.goto(path);
          assert.match(await page.title(), /^Allow access\?/);
          problems.push(...(await findViolations(page)).map((violation) => `${name}: ${violation}`));
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          if (Number(overflow) > 0) problems.push(`${name}: ${overflow} px wider than the window`);
        }
        assert.deepEqual(problems, []);
      });
    });

    it('the Allow button redirects to the client with a code that gets a token', async (t) => {
      await browser.open(t, options, async (page) => {
        const problems = watchProblems(page);
        const { client, proof, path } = await createRequest();
        await page.goto(path);
        assert.equal(await page.getByRole('listitem').count(), allScopes.split(' ').length);
        await page.getByRole('button', { name: 'Allow' }).click();
        const parameters = await waitForRedirect(page);
        assert.equal(parameters.get('state'), 'af0ifjsldkj');
        assert.equal(parameters.get('iss'), server.baseUrl);
        const { status, json } = await redeemCode(server, client, parameters.get('code') ?? '', proof);
        assert.equal(status, 200);
        assert.equal(await isTokenValid(server, json.access_token), true);
        assert.deepEqual(problems, []);
      });
    });

    it('the Deny button redirects to the client with access_denied', async (t) => {
      await browser.open(t, options, async (page) => {
        const problems = watchProblems(page);
        const { path } = await createRequest();
        await page.goto(path);
        await page.getByRole('button', { name: 'Deny' }).click();
        const parameters = await waitForRedirect(page);
        assert.equal(parameters.get('error'), 'access_denied');
        assert.equal(parameters.get('state'), 'af0ifjsldkj');
        assert.equal(parameters.get('code'), null);
        assert.deepEqual(problems, []);
      });
    });
  });
}

describe('GET /oauth/authorize: the consent page', () => {
  it('the form can be submitted by keyboard and without JavaScript', async (t) => {
    await browser.open(t, { javaScriptEnabled: false }, async (page) => {
      const { path } = await createRequest();
      await page.goto(path);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.notEqual((await waitForRedirect(page)).get('code'), null);
    });
  });

  it('the form is accepted once, and no cookie is set', async (t) => {
    await browser.open(t, {}, async (page) => {
      const { path } = await createRequest();
      await page.goto(path);
      const ticket = await page.locator('input[name=ticket]').getAttribute('value');
      await page.getByRole('button', { name: 'Allow' }).click();
      await waitForRedirect(page);
      const again = await page.request.post('/oauth/authorize', {
        form: { ticket: String(ticket), decision: 'allow' },
        maxRedirects: 0,
      });
      assert.equal(again.status(), 400);
      assert.deepEqual(await page.context().cookies(), []);
    });
  });

  it('the page is not shown in a frame', async (t) => {
    await browser.open(t, {}, async (page) => {
      const { path } = await createRequest();
      // This page has no Content-Security-Policy of its own, which would forbid frames.
      await page.goto(callback);
      const refusal = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
      await page.evaluate(`(() => {
        const frame = document.createElement('iframe');
        frame.src = ${JSON.stringify(server.baseUrl + path)};
        document.body.append(frame);
      })()`);
      await refusal;
      for (const frame of page.frames().slice(1)) assert.equal(await frame.locator('button').count(), 0);
    });
  });
});

/**
 * Returns an array to which the errors of a page, and its requests to other hosts than the server and the application, are added
 * from now on.
 */
function watchProblems(page: Page): string[] {
  const problems: string[] = [];
  const origins = [server.baseUrl, new URL(callback).origin];
  page.on('request', (request) => {
    if (!origins.includes(new URL(request.url()).origin)) problems.push(`requested ${request.url()}`);
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return problems;
}

/** Waits until the browser is redirected to the client, and returns the parameters of the redirect. */
async function waitForRedirect(page: Page): Promise<URLSearchParams> {
  await page.waitForURL((url) => url.href.startsWith(callback));
  return new URL(page.url()).searchParams;
}
