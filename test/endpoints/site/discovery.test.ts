/** Tests the documents that search engines, feed readers and agents look for: the rules of each format, and facts that equal the API's. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml';
import { createManualClock } from '../../support/manual-clock.ts';
import { startTestServer, type TestResponse, type TestServer } from '../../support/server.ts';
import { readPage } from '../../support/site-page.ts';

const html = { headers: { accept: 'text/html' } };

const getElements = (parent: XmlElement, name: string): XmlElement[] =>
  parent.children.filter((child) => child instanceof XmlElement && child.name === name) as XmlElement[];
const readText = (parent: XmlElement, name: string): string => getElements(parent, name)[0]?.text ?? '';
const getRoot = (text: string): XmlElement => {
  const { root } = parseXml(text);
  assert.ok(root);
  return root;
};

describe('GET /sitemap.xml, /releases.atom, /robots.txt, /llms.txt and the documents below /.well-known', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const fetchData = async (path: string) => (await server.request(path)).json.data;

  it('sitemap.xml lists every docs page, FAQ entry and release once, with the dates of the API', async () => {
    const { headers, text } = await server.request('/sitemap.xml');
    assert.equal(headers.get('content-type'), 'application/xml; charset=utf-8');
    const root = getRoot(text);
    assert.equal(root.name, 'urlset');
    assert.equal(root.attributes.xmlns, 'http://www.sitemaps.org/schemas/sitemap/0.9');
    for (const child of root.children) {
      assert.ok(
        child instanceof XmlText ? child.text.trim() === '' : child instanceof XmlElement && child.name === 'url',
      );
    }
    const places = getElements(root, 'url').map((url) => ({
      loc: readText(url, 'loc'),
      day: readText(url, 'lastmod'),
    }));
    const locations = places.map(({ loc }) => loc);
    assert.equal(new Set(locations).size, locations.length);
    for (const { loc, day } of places) {
      assert.ok(loc.startsWith(`${server.baseUrl}/`));
      assert.match(day, /^(\d{4}-\d{2}-\d{2})?$/);
    }
    for (const { url, updated_at } of await fetchData('/api/v1/docs?limit=100')) {
      assert.deepEqual(
        places.filter(({ loc }) => loc === url),
        [{ loc: url, day: updated_at }],
      );
    }
    for (const { url } of await fetchData('/api/v1/faq?limit=100')) assert.ok(locations.includes(url), url);
    for (const { version, published_at } of await fetchData('/api/v1/releases?limit=100')) {
      const loc = `${server.baseUrl}/releases/${version}`;
      assert.ok(
        places.some((place) => place.loc === loc && place.day === published_at),
        version,
      );
    }
  });

  it('the Atom feed follows RFC 4287 and has the releases of the API', async () => {
    const { headers, text } = await server.request('/releases.atom');
    assert.equal(headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const feed = getRoot(text);
    assert.equal(feed.name, 'feed');
    assert.equal(feed.attributes.xmlns, 'http://www.w3.org/2005/Atom');
    const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
    const getLinks = (parent: XmlElement, rel: string) =>
      getElements(parent, 'link').filter((link) => (link.attributes.rel ?? 'alternate') === rel);
    for (const name of ['id', 'title', 'updated', 'author']) assert.equal(getElements(feed, name).length, 1, name);
    assert.match(readText(feed, 'updated'), timestamp);
    assert.equal(getLinks(feed, 'self')[0]?.attributes.href, `${server.baseUrl}/releases.atom`);
    const releases = await fetchData('/api/v1/releases?limit=50');
    const entries = getElements(feed, 'entry');
    assert.equal(entries.length, releases.length);
    const ids = entries.map((entry) => readText(entry, 'id'));
    assert.equal(new Set(ids).size, ids.length);
    entries.forEach((entry, index) => {
      const release = releases[index];
      assert.equal(readText(entry, 'id'), `${server.baseUrl}/releases/${release.version}`);
      assert.match(readText(entry, 'updated'), timestamp);
      assert.equal(readText(entry, 'updated'), release.published_at_time);
      assert.equal(getLinks(entry, 'alternate').length, 1);
      const [enclosure] = getLinks(entry, 'enclosure');
      assert.equal(enclosure?.attributes.href, release.download_url);
      assert.equal(enclosure?.attributes.length, String(release.size_bytes));
      const [content] = getElements(entry, 'content');
      assert.equal(content?.attributes.type, 'html');
      assert.doesNotMatch(content?.text ?? '', /<script|class=|href="\//);
      assert.ok((content?.text ?? '').length > 20);
    });
    assert.ok(readText(feed, 'updated') >= readText(entries[0] ?? feed, 'updated'));
  });

  it('robots.txt names the crawlers, the Content-Signal and the sitemap', async () => {
    const { headers, text } = await server.request('/robots.txt');
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    for (const line of lines) assert.match(line, /^(User-agent|Content-Signal|Allow|Sitemap): \S/);
    for (const name of ['*', 'GPTBot', 'ClaudeBot', 'CCBot', 'Google-Extended', 'PerplexityBot', 'Applebot-Extended']) {
      assert.ok(lines.includes(`User-agent: ${name}`), name);
    }
    assert.equal(lines.filter((line) => line === 'Content-Signal: search=yes, ai-input=yes, ai-train=no').length, 2);
    assert.ok(lines.includes(`Sitemap: ${server.baseUrl}/sitemap.xml`));
  });

  it('security.txt has a contact, and expires within a year of the API version', async () => {
    const { headers, text } = await server.request('/.well-known/security.txt');
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    const fields = new Map(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(': ', 2) as [string, string]),
    );
    assert.equal(fields.get('Contact'), 'mailto:security@sotto.example');
    assert.equal(fields.get('Canonical'), `${server.baseUrl}/.well-known/security.txt`);
    const { json } = await server.request('/api/v1');
    const days = (Date.parse(fields.get('Expires') ?? '') - Date.parse(json.api_version)) / 86_400_000;
    assert.ok(days > 300 && days < 366, String(days));
  });

  it('security.txt and its entity tag are the same on different days', async (t) => {
    const responses: TestResponse[] = [];
    for (const day of ['2026-11-21', '2027-03-01']) {
      const env = { BASE_URL: 'https://lamp.example' };
      const datedServer = await startTestServer({ env, clock: createManualClock(Date.parse(day)) });
      t.after(() => datedServer.close());
      responses.push(await datedServer.request('/.well-known/security.txt'));
    }
    const [first, second] = responses.map(({ status, text, headers }) => [status, text, headers.get('etag')]);
    assert.equal(first?.[0], 200);
    assert.deepEqual(second, first);
  });

  it('the API catalog (RFC 9727) lists the API with its contract, portal and metadata, MCP and the sandbox', async () => {
    const { headers, json } = await server.request('/.well-known/api-catalog');
    assert.match(
      headers.get('content-type') ?? '',
      /^application\/linkset\+json; profile="https:\/\/www\.rfc-editor\.org\/info\/rfc9727"/,
    );
    const [api] = json.linkset;
    assert.equal(api.anchor, `${server.baseUrl}/api/v1`);
    const listPaths = (rel: string): string[] =>
      api[rel].map(({ href }: { href: string }) => href.replace(server.baseUrl, ''));
    assert.deepEqual(listPaths('service-desc'), ['/openapi.json']);
    assert.deepEqual(listPaths('service-doc'), ['/developers', '/developers.md']);
    const metadata = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server'];
    assert.deepEqual(listPaths('service-meta'), metadata);
    const { json: index } = await server.request('/api/v1');
    const anchors = json.linkset.map(({ anchor }: { anchor: string }) => anchor);
    for (const { url } of index.mcp_servers) assert.ok(anchors.includes(url), url);
    assert.ok(anchors.includes(index.sandbox_url));
    const head = await server.request('/.well-known/api-catalog', { method: 'HEAD' });
    assert.equal(head.status, 200);
  });

  it('the Link header of GET / has api-catalog, service-desc, service-doc, describedby and alternate', async () => {
    const { headers } = await server.request('/', html);
    for (const rel of ['api-catalog', 'service-desc', 'service-doc', 'describedby', 'alternate']) {
      assert.match(headers.get('link') ?? '', new RegExp(`rel="${rel}"`), rel);
    }
  });

  it('the index of agent skills has the SHA-256 digest of each skill', async () => {
    const { json } = await server.request('/.well-known/agent-skills/index.json');
    assert.equal(json.$schema, 'https://schemas.agentskills.io/discovery/0.2.0/schema.json');
    assert.ok(json.skills.length > 0);
    for (const { name, type, description, url, digest } of json.skills) {
      assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.equal(type, 'skill-md');
      const { headers, text } = await server.request(new URL(url, server.baseUrl).pathname);
      assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8');
      assert.equal(digest, `sha256:${createHash('sha256').update(text).digest('hex')}`);
      const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
      assert.match(front, new RegExp(`^name: ${name}$`, 'm'));
      assert.ok(front.includes(`description: ${JSON.stringify(description)}`));
      assert.ok(description.length <= 1024 && name.length <= 64);
    }
  });

  it('llms.txt links to every docs page and FAQ entry in fewer than 50,000 characters', async () => {
    const { headers, text } = await server.request('/llms.txt');
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.match(text, /^# Sotto\n\n> \S/);
    assert.ok(text.length < 50_000);
    for (const line of text.split('\n').filter((entry) => entry.startsWith('- '))) {
      assert.match(line, /^- \[[^\]]+\]\(http[^)\s]+(\.md|\/openapi(\.sdk)?\.json|\/client\.js)\)(: .+)?$/);
    }
    for (const path of ['/openapi.json', '/openapi.sdk.json', '/developers/client.js']) {
      assert.ok(text.includes(`(${server.baseUrl}${path}): `), path);
    }
    const [, optional = ''] = text.split('\n## Optional\n');
    const sizes = [...optional.matchAll(/\((http\S+)\): .+ about ([\d,]+) characters\./g)];
    assert.deepEqual(
      sizes.map(([, url = '']) => new URL(url).pathname),
      ['/openapi.sdk.json', '/openapi.json'],
    );
    for (const [, url = '', size = ''] of sizes) {
      const { length } = (await server.request(new URL(url).pathname)).text;
      assert.ok(Math.abs(length / Number(size.replaceAll(',', '')) - 1) < 0.1, `${url} has ${length} characters`);
    }
    for (const { markdown_url } of await fetchData('/api/v1/docs?limit=100'))
      assert.ok(text.includes(`(${markdown_url})`));
    for (const { markdown_url } of await fetchData('/api/v1/faq?limit=100'))
      assert.ok(text.includes(`(${markdown_url})`));
    const { text: full } = await server.request('/llms-full.txt');
    for (const { title } of await fetchData('/api/v1/docs?limit=100'))
      assert.ok(full.includes(`\n# ${title}\n`), title);
    assert.doesNotMatch(full, /\]\((?!https?:|mailto:)/);
  });
});

describe('JSON-LD of the pages (schema.org)', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const fetchObject = async (path: string, type: string) => {
    const { jsonLd } = readPage((await server.request(path, html)).text);
    const object = jsonLd.find((object) => object['@type'] === type);
    assert.ok(object, `${path}: ${type}`);
    assert.equal(object['@context'], 'https://schema.org');
    return object;
  };

  it('SoftwareApplication on the front page has the facts of the API', async () => {
    const application = await fetchObject('/', 'SoftwareApplication');
    const { json: latest } = await server.request('/api/v1/releases/latest');
    const { json: pricing } = await server.request('/api/v1/pricing');
    const { json: features } = await server.request('/api/v1/features');
    const { json: needs } = await server.request('/api/v1/requirements');
    assert.equal(application.softwareVersion, latest.version);
    assert.deepEqual(
      application.downloadUrl,
      latest.builds.map(({ download_url }: { download_url: string }) => download_url),
    );
    assert.equal(application.processorRequirements, needs.arch.join(', '));
    assert.equal(application.datePublished, latest.published_at);
    assert.equal(application.releaseNotes, `${server.baseUrl}/releases/${latest.version}`);
    assert.equal(application.operatingSystem, `${latest.platform.os} ${needs.minimum_os_version} or later`);
    assert.deepEqual(
      application.featureList,
      features.data.map(({ name }: { name: string }) => name),
    );
    const offers = application.offers as { name: string; price: string; priceCurrency: string }[];
    assert.deepEqual(
      offers.map(({ name, price, priceCurrency }) => [name, price, priceCurrency]),
      pricing.data.map(({ name, price }: { name: string; price: { amount: number; currency: string } }) => [
        name,
        String(price.amount),
        price.currency,
      ]),
    );
    assert.equal((application.publisher as { '@type': string })['@type'], 'Organization');
    const { text } = await server.request('/', html);
    assert.equal(application.description, readPage(text).getAttribute('meta', { name: 'description' }, 'content'));
  });

  it('FAQPage on /faq has the questions of the API', async () => {
    const page = await fetchObject('/faq', 'FAQPage');
    const { json } = await server.request('/api/v1/faq?limit=100');
    const questions = page.mainEntity as { name: string; acceptedAnswer: { text: string } }[];
    assert.deepEqual(
      questions.map(({ name }) => name),
      json.data.map(({ question }: { question: string }) => question),
    );
    for (const { acceptedAnswer } of questions) assert.match(acceptedAnswer.text, /^<\w+/);
  });

  it('a docs page has a TechArticle with its date, and a BreadcrumbList that includes /docs', async () => {
    const article = await fetchObject('/docs/quickstart', 'TechArticle');
    const { json } = await server.request('/api/v1/docs/quickstart');
    assert.equal(article.headline, json.title);
    assert.equal(article.url, json.url);
    assert.equal(article.dateModified, json.updated_at);
    assert.equal(article.description, json.description);
    const trail = await fetchObject('/docs/quickstart', 'BreadcrumbList');
    const items = trail.itemListElement as { position: number; item: string }[];
    assert.deepEqual(
      items.map(({ position, item }) => [position, item]),
      ['/', '/docs', '/docs/quickstart'].map((path, index) => [index + 1, server.baseUrl + path]),
    );
  });
});
