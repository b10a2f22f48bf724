/** Tests a server with another content folder: the site has that vendor’s name, color, links and facts, and no others. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { computeContrast } from '../../../src/pages/color.ts';
import { createAccentColors, dark, light } from '../../../src/pages/look.ts';
import { writeContentFile } from '../../support/content-folder.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { readPage } from '../../support/site-page.ts';

const html = { headers: { accept: 'text/html' } };
const createPage = (title: string, order: number, text: string): string =>
  `---\ntitle: ${title}\ndescription: About ${title.toLowerCase()} and everything around it.\norder: ${order}\nupdated: 2026-05-0${order}\n---\n${text}\n`;

/** The files of a product of another kind, with little content. */
const files: Readonly<Record<string, string>> = {
  'product.yaml': `name: Halyard & Co
tagline: Charts "for" sailors
description: Halyard draws nautical charts on your desk. It works on a boat without a connection.
category: MapsApplication
vendor:
  name: Windward <Works>
look:
  accent: "#ffd400"
navigation:
  - { title: Manual, href: /docs }
  - { title: Shop, href: "https://windward.example/shop" }
crawlers: { ai_training: true }
page_menu: false
edit_url: "https://git.example/charts/edit/main/site/{path}?from=site"
minimums: { os_version: "12.1", arch: [x86_64, arm64] }
feed: { source: appcast.xml, signature: "off" }
`,
  'faq.yaml': 'entries: []\n',
  'pricing.yaml': `plans:
  - id: all
    name: Everything
    price: { amount: 4.5, currency: EUR, interval: month }
    description: One price. Cancel at any time.
    includes: []
`,
  'features.yaml': 'features: []\n',
  'requirements.yaml': 'disk_mb: 20\nmemory_mb: 512\npermissions: []\n',
  'docs/start.md': createPage(
    'Cast off',
    1,
    '# Cast off\n\nRead [the rig](rig/sails.md#main-sail) and see ![a chart](../assets/chart.png).\n\n## Knots\n\n```js\nconst knots = 1;\n```',
  ),
  'docs/rig.md': createPage('The rig', 2, 'Two parts.'),
  'docs/rig/sails.md': createPage(
    'Sails',
    3,
    '## Main sail\n\nBack to [the start](../start.md).\n\n```nosuchlanguage\nx < y && z\n```',
  ),
  'appcast.xml': `<rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel><item><title>1.0+rc/1</title><pubDate>Mon, 04 May 2026 10:00:00 +0000</pubDate><sparkle:version>7</sparkle:version><sparkle:shortVersionString>1.0+rc/1</sparkle:shortVersionString><description><![CDATA[<h1>New</h1><p>Tides &amp; <b>currents</b></p>]]></description><enclosure url="https://windward.example/h.tar.gz" length="1234" type="application/octet-stream"/></item></channel></rss>
`,
};

function createFolder(changes: Readonly<Record<string, string>> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'site-vendor-'));
  for (const [path, text] of Object.entries({ ...files, ...changes })) writeContentFile(directory, path, text);
  const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000300000002', 'hex');
  writeContentFile(directory, 'assets/chart.png', png);
  writeContentFile(directory, 'assets/drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  return directory;
}

describe('CONTENT_DIR: the site of another vendor', () => {
  const directory = createFolder();
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: { CONTENT_DIR: directory } });
  });
  after(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  it('no page, Markdown version or document mentions the shipped product', async () => {
    const { text: sitemap } = await server.request('/sitemap.xml');
    const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);
    assert.ok(paths.length > 15);
    const documents = [
      '/site.css',
      '/site.js',
      '/developers/client.js',
      '/favicon.svg',
      '/llms.txt',
      '/llms-full.txt',
      '/robots.txt',
      '/sitemap.xml',
      '/releases.atom',
      '/openapi.json',
      '/.well-known/api-catalog',
      '/.well-known/agent-skills/index.json',
      '/api/v1',
    ];
    for (const path of [...paths, ...paths.map((path) => (path === '/' ? '/index.md' : `${path}.md`)), ...documents]) {
      const { status, text } = await server.request(path, html);
      if (status === 406) continue;
      assert.equal(status, 200, path);
      // The examples of the contract and of the pages of objects are from the sandbox, which also mentions dictation.
      const hasFixtures = path === '/openapi.json' || path.includes('/reference/objects/');
      assert.doesNotMatch(text, hasFixtures ? /sotto/i : /sotto|dictat|microphone/i, path);
    }
  });

  it('the front page has the name, the navigation and the texts of the vendor, escaped', async () => {
    const { text } = await server.request('/', html);
    const front = readPage(text);
    assert.deepEqual(front.getTexts('title'), ['Halyard & Co: Charts “for” sailors']);
    assert.match(front.getTexts('h1')[0] ?? '', /^Halyard & Co Charts “for” sailors$/);
    const links = front.addresses.map(({ url }) => url);
    assert.ok(links.includes('https://windward.example/shop'));
    assert.ok(!links.includes('/faq'));
    assert.match(text, /Windward &lt;Works&gt;/);
    assert.match(text, /macOS 12\.1 or later/);
    assert.match(text, /Intel or Apple silicon/);
    assert.match(text, /4\.50 EUR/);
    const [application] = front.jsonLd;
    assert.equal(application?.softwareVersion, '1.0+rc/1');
  });

  it('`page_menu: false` replaces the page menu by a link to the Markdown', async () => {
    const { text } = await server.request('/docs/start', html);
    assert.match(text, /<p class="actions"><a href="\/docs\/start\.md"/);
    assert.doesNotMatch(text, /page-menu|chatgpt|cursor:/);
  });

  it('the default favicon shows the first letter of the name in the accent color', async () => {
    const { headers, text } = await server.request('/favicon.svg');
    assert.equal(headers.get('content-type'), 'image/svg+xml');
    assert.match(text, /fill="#ffd400"/);
    assert.match(text, />H<\/text>/);
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/);
    assert.equal((await server.request('/favicon.ico')).text, text);
  });

  it('edit_url adds a link from each docs page to its source file', async () => {
    for (const [path, file] of [
      ['/docs/start', 'docs/start.md'],
      ['/docs/rig/sails', 'docs/rig/sails.md'],
    ] as const) {
      const { text } = await server.request(path, html);
      assert.match(text, /<p class="edited">Updated <time datetime="2026-05-0\d">.*<\/time> · <a /);
      assert.ok(
        text.includes(`<a href="https://git.example/charts/edit/main/site/${file}?from=site">Edit this page</a>`),
      );
    }
    assert.doesNotMatch((await server.request('/sandbox/docs/quickstart', html)).text, /Edit this page/);
  });

  it('the files in assets/ are served with a Content-Security-Policy with sandbox', async () => {
    for (const [path, type] of [
      ['/assets/chart.png', 'image/png'],
      ['/assets/drawing.svg', 'image/svg+xml'],
    ] as const) {
      const { status, headers } = await server.request(path);
      assert.equal(status, 200);
      assert.deepEqual(
        ['content-type', 'content-security-policy', 'x-content-type-options', 'cache-control'].map((name) =>
          headers.get(name),
        ),
        [
          type,
          "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'nosniff',
          'public, max-age=60, s-maxage=300, stale-while-revalidate=300, stale-if-error=604800',
        ],
      );
    }
  });

  it('crawlers.ai_training sets ai-train in robots.txt, and security.txt gets 404 without an address', async () => {
    assert.match((await server.request('/robots.txt')).text, /ai-train=yes/);
    assert.equal((await server.request('/.well-known/security.txt')).status, 404);
  });

  it('nested docs pages have a menu, breadcrumbs, resolved links and images, and highlighted code', async () => {
    const { text } = await server.request('/docs/start', html);
    const start = readPage(text);
    assert.equal(start.getTexts('h1').length, 1);
    assert.equal(start.getAttribute('h1', {}, 'id'), 'cast-off');
    const links = start.addresses.map(({ url }) => url);
    for (const url of ['/docs/rig/sails#main-sail', '/assets/chart.png', '/docs/rig'])
      assert.ok(links.includes(url), url);
    assert.equal(start.getAttribute('img', { src: '/assets/chart.png' }, 'width'), '3');
    assert.match(text, /<span class="k">const<\/span>/);
    const sails = await server.request('/docs/rig/sails', html);
    const menu = readPage(sails.text).addresses.map(({ url }) => url);
    assert.equal(menu.filter((url) => url === '/docs/rig').length, 3, 'heading of the menu, breadcrumb, previous page');
    assert.match(sails.text, /x &lt; y &amp;&amp; z/);
    const trail = readPage(sails.text).jsonLd.find((object) => object['@type'] === 'BreadcrumbList');
    assert.match(JSON.stringify(trail), /"position":4,"name":"Sails"/);
    const { text: markdown } = await server.request('/docs/start.md');
    assert.equal(markdown.match(/^# /gm)?.length, 1);
    assert.ok(markdown.includes(`](${server.baseUrl}/assets/chart.png)`));
  });

  it('a release whose version has a slash has a page', async () => {
    const { status, text } = await server.request('/releases/1.0%2Brc%2F1', html);
    assert.equal(status, 200);
    assert.deepEqual(readPage(text).getTexts('h1'), ['Halyard & Co 1.0+rc/1']);
    assert.match(text, /Tides &amp; <strong>currents<\/strong>/);
    assert.equal((await server.request('/releases/1.0%2Brc%2F1.md')).status, 200);
  });
});

describe('The site with `unit` in pricing.yaml, `permission` in features.yaml and a signed appcast.xml', () => {
  const directory = createFolder({
    'pricing.yaml': `plans:
  - id: crew
    name: Crew
    price: { amount: 1200, currency: EUR, interval: year, unit: berth }
    description: For a boat with a crew.
    includes: []
  - id: skipper
    name: Skipper
    price: { amount: 40, currency: EUR, interval: once }
    description: For one.
    includes: []
`,
    'features.yaml': `features:
  - { id: tides, name: Tides, description: Tells the tide., on_device: true, permission: location }
`,
    'requirements.yaml':
      'disk_mb: 20\nmemory_mb: 512\npermissions:\n  - { id: location, name: Location, required: false, unlocks: Tides. }\n',
    'appcast.xml': (files['appcast.xml'] ?? '').replace(
      'length="1234"',
      `length="1234" sparkle:edSignature="${Buffer.alloc(64, 7).toString('base64')}"`,
    ),
    'docs/start.md': createPage('Cast off', 1, 'See [what it costs](/pricing) and ![a chart](../assets/chart.png).'),
  });
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: { CONTENT_DIR: directory } });
  });
  after(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  it('the price has its unit in the API, in Markdown, on the page and in JSON-LD', async () => {
    const { json } = await server.request('/api/v1/pricing');
    assert.deepEqual(
      json.data.map(({ price }: { price: unknown }) => price),
      [
        { amount: 1200, currency: 'EUR', interval: 'year', unit: 'berth' },
        { amount: 40, currency: 'EUR', interval: 'once', unit: null },
      ],
    );
    const markdown = await server.request('/api/v1/pricing', { headers: { accept: 'text/markdown' } });
    assert.match(markdown.text, /^## Crew: 1200 EUR per berth per year$/m);
    assert.match(markdown.text, /^## Skipper: 40 EUR once$/m);
    const { text } = await server.request('/pricing', html);
    const pricing = readPage(text);
    const summary = 'Crew for 1,200 EUR per berth per year and Skipper for 40 EUR once.';
    assert.ok(text.includes(`<p class="lead">${summary}</p>`));
    assert.ok(pricing.getAttribute('meta', { name: 'description' }, 'content')?.endsWith(summary));
    assert.ok((await server.request('/pricing.md')).text.includes(summary));
    const offers = pricing.jsonLd.find((object) => object['@type'] === 'OfferCatalog')?.itemListElement;
    assert.deepEqual(
      (offers as { priceSpecification?: unknown }[]).map(({ priceSpecification }) => priceSpecification),
      [
        {
          '@type': 'UnitPriceSpecification',
          price: '1200',
          priceCurrency: 'EUR',
          unitText: 'berth',
          billingDuration: 'P1Y',
        },
        undefined,
      ],
    );
  });

  it('the front page names the optional permission that a feature needs', async () => {
    const { text } = await server.request('/', html);
    assert.match(text, /<p class="note">Needs Location<\/p>/);
  });

  it('the release page describes what its signature covers, and names the example key of the shipped folder', async (t) => {
    const usualText = 'The Ed25519 signature of the downloaded file, from the update feed.';
    const { text } = await server.request('/releases/1.0%2Brc%2F1', html);
    assert.ok(text.includes(`<p>${usualText}</p>`));
    const example = await startTestServer();
    t.after(() => example.close());
    for (const path of ['/releases/2.3.0', '/releases/2.3.0.md']) {
      const page = await example.request(path, html);
      assert.match(page.text, /made with a published example key, over the file name of the download\./);
      assert.ok(!page.text.includes(usualText), path);
    }
  });

  it('links to pages and assets are absolute in Markdown', async () => {
    const expected = `See [what it costs](${server.baseUrl}/pricing) and ![a chart](${server.baseUrl}/assets/chart.png).`;
    assert.ok((await server.request('/api/v1/docs/start')).json.markdown.includes(expected));
    assert.ok((await server.request('/docs/start.md')).text.includes(expected));
    assert.match((await server.request('/docs/start', html)).text, /<a href="\/pricing">what it costs<\/a>/);
  });
});

describe('A site whose feed cannot be read: upstream_unavailable', () => {
  const directory = createFolder({
    'product.yaml': (files['product.yaml'] ?? '').replace('source: appcast.xml', 'source: broken.xml'),
    'broken.xml': 'no feed',
  });
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: { CONTENT_DIR: directory } });
  });
  after(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  it('the pages of releases get 503 with Retry-After, and the other pages get 200', async () => {
    const front = await server.request('/', html);
    assert.equal(front.status, 200);
    assert.match(front.text, /isn’t available right now/);
    for (const path of ['/releases', '/releases/1.0.0']) {
      const response = await fetch(server.baseUrl + path, html);
      assert.equal(response.status, 503, path);
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.deepEqual(readPage(await response.text()).getTexts('h1'), ['This page can’t be shown']);
    }
    const atom = await server.request('/releases.atom');
    assert.equal(atom.status, 503);
    assert.equal(atom.json.code, 'upstream_unavailable');
    for (const path of ['/developers', '/developers/reference/releases', '/pricing', '/sitemap.xml', '/llms.txt']) {
      assert.equal((await server.request(path, html)).status, 200, path);
    }
  });
});

describe('Colors of the themes, and createAccentColors', () => {
  const texts = ['text', 'soft', 'faint', 'good', 'bad', 'k', 's', 'c', 'f'] as const;

  for (const [name, theme] of Object.entries({ light, dark })) {
    it(`every text color of the ${name} theme has a contrast of at least 4.5 on both backgrounds`, () => {
      for (const text of texts) {
        for (const ground of [theme.ground, theme.raised]) {
          assert.ok(
            computeContrast(theme[text], ground) >= 4.5,
            `${text} on ${ground}: ${computeContrast(theme[text], ground)}`,
          );
        }
      }
      assert.ok(computeContrast(theme.edge, theme.ground) >= 3);
    });
  }

  it('createAccentColors returns colors with a contrast of at least 4.5 for any accent', () => {
    const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(color, (accent) => {
        const accents = createAccentColors(accent);
        for (const [theme, { accent: themeAccent, ink, wash }] of [
          [light, accents.light],
          [dark, accents.dark],
        ] as const) {
          for (const ground of [theme.ground, theme.raised, wash])
            assert.ok(computeContrast(themeAccent, ground) >= 4.5, `${themeAccent} on ${ground}`);
          assert.ok(computeContrast(ink, themeAccent) >= 4.5, `${ink} on ${themeAccent}`);
          assert.ok(computeContrast(theme.text, wash) >= 4.5);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('createAccentColors changes an accent only if its contrast is too low', () => {
    assert.equal(createAccentColors('#0b57b7').light.accent, '#0b57b7');
    assert.notEqual(createAccentColors('#ffd400').light.accent, '#ffd400');
  });
});
