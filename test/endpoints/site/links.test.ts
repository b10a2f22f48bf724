/** Follows every link of the site from its front page, its sitemap and llms.txt, and tests that each page and anchor exists. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { readPage } from '../../support/site-page.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

interface VisitedPage {
  readonly status: number;
  readonly ids: ReadonlySet<string>;
  readonly addresses: readonly string[];
}

/** Requests a path as a browser would, and returns the page with its ids and with the addresses of its links, as written. */
async function visit(path: string): Promise<VisitedPage> {
  const { status, headers, text } = await server.request(path, { headers: { accept: 'text/html,*/*;q=0.8' } });
  const type = headers.get('content-type') ?? '';
  // A download redirects to the vendor’s server, so it counts as a page with one link.
  if (status === 302) return { status: 200, ids: new Set(), addresses: [headers.get('location') ?? ''] };
  if (type.startsWith('text/html')) {
    const page = readPage(text);
    return { status, ids: new Set(page.ids), addresses: page.addresses.map(({ url }) => url) };
  }
  // Texts for programs contain Markdown links, autolinks, and addresses of this site in a sitemap or a linkset.
  const links = [
    ...text.matchAll(/\]\((https?:[^)\s]+)\)/g),
    ...text.matchAll(/<(https?:[^>\s]+)>/g),
    ...text.matchAll(/<loc>([^<]+)<\/loc>/g),
    ...(type.includes('linkset') ? text.matchAll(/"href": "([^"]+)"/g) : []),
  ];
  const isProse = !/^(application|text)\/(json|javascript|css)/.test(type);
  return { status, ids: new Set(), addresses: isProse ? links.map(([, address = '']) => address) : [] };
}

it('every link to a page or an anchor of the site resolves', async () => {
  const starts = ['/', '/sitemap.xml', '/llms.txt', '/robots.txt', '/releases.atom', '/.well-known/api-catalog'];
  const pages = new Map<string, VisitedPage>();
  const queue = [...starts];
  const dead: string[] = [];
  const anchors: { from: string; path: string; id: string }[] = [];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (pages.has(path)) continue;
    const page = await visit(path);
    pages.set(path, page);
    if (page.status !== 200) dead.push(`${path}: ${page.status}`);
    for (const address of page.addresses) {
      const url = new URL(address, server.baseUrl + path);
      if (url.origin !== server.baseUrl) {
        assert.match(url.protocol, /^(https:|mailto:|cursor:|vscode:)$/, `${path} leads to ${address}`);
        continue;
      }
      const target = url.pathname + url.search;
      if (/[{}…]|%7B|%E2%80%A6/.test(target)) continue;
      // Searches are skipped: their pages link only to further searches and to pages to which other pages link.
      if (url.pathname.startsWith('/search') && url.search !== '') continue;
      if (url.hash !== '') anchors.push({ from: path, path: target, id: decodeURIComponent(url.hash.slice(1)) });
      if (!pages.has(target) && !queue.includes(target)) queue.push(target);
    }
  }
  for (const { from, path, id } of anchors) {
    const pagePath = path.endsWith('.md') ? path.slice(0, -'.md'.length) : path;
    const page = pages.get(pagePath) ?? (await visit(pagePath));
    pages.set(pagePath, page);
    if (!page.ids.has(id)) dead.push(`${from}: ${path} has no #${id}`);
  }
  assert.deepEqual(dead, []);
  assert.ok(pages.size > 120, `${pages.size} addresses`);
});

it('every address that the API returns exists', async () => {
  const dead: string[] = [];
  const paths = ['', '/releases', '/docs?limit=100', '/faq?limit=100', '/pricing', '/search?q=key', '/docs/quikstart'];
  const addresses = new Set<string>();
  for (const path of paths) {
    const { json } = await server.request(`/api/v1${path}`);
    // Endpoints that need parameters or a body are templates, not links.
    const text = JSON.stringify({ ...json, endpoints: undefined });
    for (const [, address = ''] of text.matchAll(/"(?:\w+_)?(?:url|type|uri)":"(http[^"]+)"/g)) addresses.add(address);
  }
  for (const address of addresses) {
    const url = new URL(address);
    if (url.origin !== server.baseUrl || address.includes('{') || url.pathname.startsWith('/mcp')) continue;
    const page = await visit(url.pathname);
    if (page.status !== 200) dead.push(`${address}: ${page.status}`);
    if (url.hash !== '' && !page.ids.has(url.hash.slice(1))) dead.push(`${address}: no such anchor`);
  }
  assert.deepEqual(dead, []);
});
