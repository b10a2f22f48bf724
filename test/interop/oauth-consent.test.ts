/** The consent page in a real browser: accessibility and layout, and the way back to the client by either button. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, describe, it, type TestContext } from 'node:test';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { authorizationPath, everyScope, isValid, newProof, redeem, registerApp } from '../support/oauth.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { launchBrowser } from './fixtures/browser.ts';

let server: TestServer;
let browser: Browser | string;
/** The application that the browser comes back to. */
let application: Server;
let callback: string;
before(async () => {
  server = await startTestServer();
  browser = await launchBrowser();
  application = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Back in the application.');
  });
  application.listen(0, '127.0.0.1');
  await once(application, 'listening');
  const address = application.address();
  assert.ok(address !== null && typeof address === 'object');
  callback = `http://127.0.0.1:${address.port}/cb`;
});
after(async () => {
  if (typeof browser !== 'string') await browser.close();
  application.closeAllConnections();
  application.close();
  await server.close();
});

/** Opens a page and calls `use` with it; says "not run" where there is no browser. */
async function inBrowser(t: TestContext, options: BrowserContextOptions, use: (page: Page) => Promise<void>) {
  if (typeof browser === 'string') {
    t.skip(`not run: ${browser}`);
    return;
  }
  const context = await browser.newContext({ baseURL: server.baseUrl, ...options });
  try {
    await use(await context.newPage());
  } finally {
    await context.close();
  }
}

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
  describe(`the consent page at ${width} px in the ${colorScheme}`, () => {
    const look = { colorScheme, viewport: { width, height: 900 } };

    it('has nothing that axe finds, whatever the client calls itself', async (t) => {
      await inBrowser(t, look, async (page) => {
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

    it('goes back to the client with a code that gets a token', async (t) => {
      await inBrowser(t, look, async (page) => {
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

    it('goes back to the client with access_denied', async (t) => {
      await inBrowser(t, look, async (page) => {
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

describe('the consent page', () => {
  it('is answered by keyboard and without JavaScript', async (t) => {
    await inBrowser(t, { javaScriptEnabled: false }, async (page) => {
      const { path } = await request();
      await page.goto(path);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.notEqual((await arrival(page)).get('code'), null);
    });
  });

  it('works once, and keeps no cookie', async (t) => {
    await inBrowser(t, {}, async (page) => {
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

  it('is shown in no frame', async (t) => {
    await inBrowser(t, {}, async (page) => {
      const { path } = await request();
      // A page without a policy of its own.
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

/** What the client is told when the browser is back. */
async function arrival(page: Page): Promise<URLSearchParams> {
  await page.waitForURL((url) => url.href.startsWith(callback));
  return new URL(page.url()).searchParams;
}

/** What axe-core finds with all of its rules, each with the first place. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<AxeResults['violations']>('axe.run().then(({ violations }) => violations)');
  return found.map(({ id, nodes }) => {
    const [first] = nodes;
    return `${id}: ${nodes.length} × ${first?.html.slice(0, 160)} ${first?.failureSummary}`;
  });
}
