/** Tests a plan with several prices in the API, in the pages and as markdown, and a logo for each theme in the page. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { writeContentFolder } from '../support/content-folder.ts';
import { startTestServer } from '../support/server.ts';

it('GET /pricing shows every price that pricing.yaml lists for a plan, and the logo_dark of product.yaml', async (t) => {
  const directory = writeContentFolder(t, {
    'pricing.yaml': `plans:
  - id: pro
    name: Pro
    price: { amount: 29, currency: USD, interval: once }
    prices:
      - { amount: 27, currency: EUR, interval: once }
      - { amount: 3, currency: USD, interval: month }
    description: Everything.
    includes: [Updates]
`,
    'product.yaml': (text) => text.replace('  logo:', '  logo_dark: assets/logo.svg\n  logo:'),
  });
  const server = await startTestServer({ env: { CONTENT_DIR: directory } });
  t.after(() => server.close());
  const { json } = await server.request('/api/v1/pricing');
  assert.equal(json.data[0].price.amount, 29);
  assert.deepEqual(
    json.data[0].prices.map((price: { amount: number; currency: string }) => `${price.amount} ${price.currency}`),
    ['27 EUR', '3 USD'],
  );
  const { text } = await server.request('/pricing');
  assert.match(text, /<strong>29 USD<\/strong>[\s\S]*<p>27 EUR once<\/p>\s*<p>3 USD per month<\/p>/);
  assert.match(text, /<img class="only-light" src="[^"]*logo[^"]*"[^>]*><img class="only-dark"/);
  const { text: home } = await server.request('/');
  assert.match(home, /"priceCurrency":"EUR"/);
  const { text: markdown } = await server.request('/pricing.md');
  assert.match(markdown, /29 USD once \/ 27 EUR once \/ 3 USD per month|29 USD once or 27 EUR once or 3 USD per month/);
});
