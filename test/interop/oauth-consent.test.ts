/** The consent page in a real browser: accessibility and layout, and the way back to the client by either button. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type HttpListener, startHttpListener } from '../support/http-listener.ts';
import { authorizationPath, everyScope, isValid, newProof, redeem, registerApp } from '../support/oauth.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { violations } from './fixtures/accessibility.ts';
import { type PageOpener, startBrowser } from './fixtures/browser.ts';

let server: TestServer;
let browser: PageOpener;
/** The application that the browser comes back to. */
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

/** A client that comes back to the application above, and the path of its request. */
async function request(metadata: Record<string, unknown> = {}, changes: Record<string, string> = {}) {
  const client = await registerApp(server, { redirect_uris: [callback], ...metadata });
  const proof = newProof();
  const path = authorizationPath(client, proof, { redirect_uri: callback, scope: everyScope, ...changes });
  return { client, proof, path };
}

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1440].map((width) => ({ colorScheme, width })),
);

for (const { colorScheme, width } of looks) {
  describe(`GET /oauth/authorize: the consent page at ${width} px in the ${colorScheme} theme`, () => {
    const look = { colorScheme, viewport: { width, height: 900 } };

    it('axe finds no violation, whatever the name of the client is', async (t) => {
      await browser.open(t, look, async (page) => {
        const troubles = watch(page);
        for (const name of ['Reader', '<script>document.title = "run"</script>', 'W'.repeat(100), undefined]) {
          const { path } = await request({ client_name: name });
          await page.goto(path);
          assert.match(await page.title(), /^Allow access\?/);
          troubles.push(...(await violations(page)).map((found) => `${name}: ${found}`));
          const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          if (Number(beyond) > 0) troubles.push(`${name}: ${beyond} px wider than the window`);
        }
        assert.deepEqual(troubles, []);
      });
    });

    it('the Allow button redirects to the client with a code that gets a token', async (t) => {
      await browser.open(t, look, async (page) => {
        const troubles = watch(page);
        const { client, proof, path } = await request();
        await page.goto(path);
        assert.equal(await page.getByRole('listitem').count(), everyScope.split(' ').length);
        await page.getByRole('button', { name: 'Allow' }).click();
        const back = await arrival(page);
        assert.equal(back.get('state'), 'af0ifjsldkj');
        assert.equal(back.get('iss'), server.baseUrl);
        const { status, json } = await redeem(server, client, back.get('code') ?? '', proof);
        assert.equal(status, 200);
        assert.equal(await isValid(server, json.access_token), true);
        assert.deepEqual(troubles, []);
      });
    });

    it('the Deny button redirects to the client with access_denied', async (t) => {
      await browser.open(t, look, async (page) => {
        const troubles = watch(page);
        const { path } = await request();
        await page.goto(path);
        await page.getByRole('button', { name: 'Deny' }).click();
        const back = await arrival(page);
        assert.equal(back.get('error'), 'access_denied');
        assert.equal(back.get('state'), 'af0ifjsldkj');
        assert.equal(back.get('code'), null);
        assert.deepEqual(troubles, []);
      });
    });
  });
}

describe('GET /oauth/authorize: the consent page', () => {
  it('the form can be submitted by keyboard and without JavaScript', async (t) => {
    await browser.open(t, { javaScriptEnabled: false }, async (page) => {
      const { path } = await request();
      await page.goto(path);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.notEqual((await arrival(page)).get('code'), null);
    });
  });

  it('the form is accepted once, and no cookie is set', async (t) => {
    await browser.open(t, {}, async (page) => {
      const { path } = await request();
      await page.goto(path);
      const ticket = await page.locator('input[name=ticket]').getAttribute('value');
      await page.getByRole('button', { name: 'Allow' }).click();
      await arrival(page);
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
      const { path } = await request();
      // A page without its own policy.
      await page.goto(callback);
      const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
      await page.evaluate(`(() => {
        const frame = document.createElement('iframe');
        frame.src = ${JSON.stringify(server.baseUrl + path)};
        document.body.append(frame);
      })()`);
      await refused;
      for (const frame of page.frames().slice(1)) assert.equal(await frame.locator('button').count(), 0);
    });
  });
});

/** Collects what goes wrong in a page, and every request that goes neither to the server nor to the application. */
function watch(page: Page): string[] {
  const troubles: string[] = [];
  const known = [server.baseUrl, new URL(callback).origin];
  page.on('request', (sent) => {
    if (!known.includes(new URL(sent.url()).origin)) troubles.push(`asked ${sent.url()}`);
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  return troubles;
}

/** Returns the parameters of the redirect with which the browser comes back to the client. */
async function arrival(page: Page): Promise<URLSearchParams> {
  await page.waitForURL((url) => url.href.startsWith(callback));
  return new URL(page.url()).searchParams;
}
