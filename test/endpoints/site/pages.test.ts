/** Tests every kind of page: HTML and Markdown, the headers, the metadata, the scripts, pages of errors, and the search. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { parse, type Token } from 'acorn';
import { isNone } from '../../../src/base/none.ts';
import { resources } from '../../../src/resources/resources.ts';
import { createProblem } from '../../support/problem.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { readPage } from '../../support/site-page.ts';

let server: TestServer;
/** Paths of the pages in the sitemap. */
let sitemapPaths: string[];
before(async () => {
  server = await startTestServer();
  const { text: sitemap } = await server.request('/sitemap.xml');
  sitemapPaths = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url.slice(server.baseUrl.length));
});
after(() => server.close());

const routes = resources.flatMap(({ page }) => (isNone(page) ? [] : page.routes.map(({ path }) => path)));

/**
 * Returns the path of a page: for a route with a parameter, such as `/docs/:slug`, the first one in `sitemapPaths`, or else the
 * route.
 */
function getPath(route: string): string {
  const [start = '', parameter] = route.split(':');
  return parameter === undefined ? route : (sitemapPaths.find((url) => url.startsWith(start)) ?? route);
}

const getMarkdownPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);
const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

describe('Pages of the site: RATE_LIMIT_PAGES, not_acceptable, not_found', () => {
  for (const route of routes) {
    describe(`GET ${route}`, () => {
      let path: string;
      before(() => {
        path = getPath(route);
      });

      it('a browser gets HTML with a Content-Security-Policy that forbids inline code', async () => {
        const { status, headers, text } = await server.request(path, html);
        assert.equal(status, 200);
        assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
        assert.equal(headers.get('vary'), 'Accept, Accept-Encoding');
        assert.match(
          headers.get('content-security-policy') ?? '',
          /^default-src 'none'; style-src 'self'; script-src 'self'/,
        );
        assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe/);
        assert.match(
          headers.get('link') ?? '',
          new RegExp(`<${server.baseUrl}${getMarkdownPath(path)}>; rel="alternate"; type="text/markdown"`),
        );
        assert.deepEqual(readPage(text).inlineCode, []);
        assert.doesNotMatch(text, /undefined|\[object|NaN|\{\{/);
      });

      it('the page has one h1, a title, a description, Open Graph properties and a canonical URL', async () => {
        const { text } = await server.request(path, html);
        const page = readPage(text);
        assert.equal(page.getTexts('h1').length, 1);
        const [title = ''] = page.getTexts('title');
        assert.match(title, /Sotto/);
        const description = page.getAttribute('meta', { name: 'description' }, 'content') ?? '';
        assert.ok(description.length >= 40 && description.length <= 400, description);
        assert.equal(page.getAttribute('meta', { property: 'og:description' }, 'content'), description);
        assert.equal(page.getAttribute('meta', { property: 'og:url' }, 'content'), server.baseUrl + path);
        assert.equal(page.getAttribute('link', { rel: 'canonical' }, 'href'), server.baseUrl + path);
        assert.equal(
          page.getAttribute('link', { rel: 'alternate', type: 'text/markdown' }, 'href'),
          getMarkdownPath(path),
        );
        assert.equal(page.getAttribute('html', {}, 'lang'), 'en');
        assert.equal(new Set(page.ids).size, page.ids.length);
      });

      it('the page has a Markdown version, at its .md path and for Accept: text/markdown', async () => {
        const markdown = await server.request(getMarkdownPath(path));
        assert.equal(markdown.status, 200);
        assert.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8');
        assert.match(markdown.headers.get('link') ?? '', new RegExp(`^<${server.baseUrl}${path}>; rel="canonical"`));
        assert.ok(
          markdown.text.startsWith(
            `> For the complete documentation index, see [llms.txt](${server.baseUrl}/llms.txt).\n\n# `,
          ),
        );
        assert.ok(markdown.text.endsWith('\n') && !markdown.text.endsWith('\n\n'));
        const negotiated = await server.request(path, { headers: { accept: 'text/markdown' } });
        assert.equal(negotiated.text, markdown.text);
        assert.equal(negotiated.headers.get('content-location'), getMarkdownPath(path));
        assert.equal(negotiated.headers.get('vary'), 'Accept, Accept-Encoding');
        for (const [, address = ''] of markdown.text.matchAll(/(?<!`)\]\(([^)\s]+)\)/g)) {
          assert.match(address, /^(https?:\/\/|mailto:)/, `${path}: ${address}`);
        }
        assert.doesNotMatch(markdown.text, /undefined|\[object|NaN|\{\{/);
      });

      it('If-None-Match with the entity tag gets 304, and HEAD gets 200', async () => {
        const first = await server.request(path, html);
        const etag = first.headers.get('etag') ?? '';
        const revalidation = await server.request(path, { headers: { ...html.headers, 'if-none-match': etag } });
        assert.equal(revalidation.status, 304);
        assert.equal((await server.request(path, { ...html, method: 'HEAD' })).status, 200);
        assert.match(first.headers.get('cache-control') ?? '', /^public, max-age=60,/);
      });
    });
  }

  it('a page that is requested as image/png gets 406 not_acceptable', async () => {
    const { status, json } = await server.request('/docs', { headers: { accept: 'image/png' } });
    assert.equal(status, 406);
    assert.equal(json.code, 'not_acceptable');
  });

  it('the page menu links to the Markdown, two assistants and two editors with the URL of this server', async () => {
    for (const path of [
      '/docs',
      '/docs/dictation',
      '/faq',
      '/faq/which-macs',
      '/pricing',
      '/releases',
      '/releases/2.3.0',
    ]) {
      const { text } = await server.request(path, { headers: { accept: 'text/html' } });
      const [, menu = ''] = / id="page-menu" popover>(.*?)<\/ul>/s.exec(text) ?? [];
      const links = readPage(menu).addresses.map(({ url }) => new URL(url, server.baseUrl));
      const [markdown, chatGpt, claude, cursor, code] = links;
      assert.equal(links.length, 5, path);
      assert.equal(markdown?.pathname, `${path}.md`);
      for (const assistant of [chatGpt, claude])
        assert.ok(assistant?.searchParams.get('q')?.includes(`${server.baseUrl}${path}.md`), path);
      const mcp = `${server.baseUrl}/mcp`;
      assert.deepEqual(JSON.parse(atob(cursor?.searchParams.get('config') ?? '')), { url: mcp });
      assert.deepEqual(JSON.parse(decodeURIComponent(code?.search.slice(1) ?? '')), {
        name: 'sotto',
        type: 'http',
        url: mcp,
      });
    }
  });

  it('the front page has one stylesheet under 20 kB and one script under 14 kB, at immutable URLs', async () => {
    const { text } = await server.request('/', html);
    const page = readPage(text);
    const sheet = page.getAttribute('link', { rel: 'stylesheet' }, 'href') ?? '';
    const script = page.addresses.filter(({ element }) => element === 'script').map(({ url }) => url);
    assert.match(sheet, /^\/site\.css\?v=[0-9a-f]{8}$/);
    assert.equal(script.length, 1);
    assert.match(script[0] ?? '', /^\/site\.js\?v=[0-9a-f]{8}$/);
    assert.ok(Buffer.byteLength((await server.request(sheet)).text) < 20_000);
    assert.ok(Buffer.byteLength((await server.request(script[0] ?? '')).text) < 14_000);
    for (const address of [sheet, script[0] ?? '']) {
      assert.match((await server.request(address)).headers.get('cache-control') ?? '', /immutable/);
      const mismatch = await server.request(address.replace(/v=.*/, 'v=00000000'));
      assert.doesNotMatch(mismatch.headers.get('cache-control') ?? '', /immutable/);
    }
  });

  it('the scripts of each page have less than 14 kB in total', async () => {
    const pageScripts = new Set<string>();
    for (const path of routes.map(getPath)) {
      const page = readPage((await server.request(path, html)).text);
      const addresses = page.addresses.filter(({ element }) => element === 'script').map(({ url }) => url);
      const scripts = await Promise.all(addresses.map((address) => server.request(address)));
      const bytes = scripts.map(({ text }) => Buffer.byteLength(text)).reduce((sum, size) => sum + size, 0);
      assert.ok(bytes < 14_000, `${path}: ${bytes}`);
      for (const address of addresses.slice(1)) {
        assert.match((await server.request(address)).headers.get('cache-control') ?? '', /immutable/);
        pageScripts.add(address.replace(/\?.*/, ''));
      }
    }
    assert.deepEqual([...pageScripts].sort(), ['/developers/reference.js']);
  });

  it('the served scripts have the tokens of their sources, without comments', async () => {
    const listTokens = (script: string, onComment?: () => void): string[] => {
      const tokens: string[] = [];
      const onToken = ({ start, end }: Token): number => tokens.push(script.slice(start, end));
      parse(script, { ecmaVersion: 'latest', onToken, ...(onComment && { onComment }) });
      return tokens;
    };
    const sources = {
      '/site.js': ['site.js'],
      '/developers/reference.js': ['reference.js'],
    };
    for (const [path, names] of Object.entries(sources)) {
      const texts = names.map((name) =>
        readFileSync(new URL(`../../../src/pages/browser/${name}`, import.meta.url), 'utf8'),
      );
      const source = texts.join('\n').replace(/^import .*\n|^export /gm, '');
      const servedScript = (await server.request(path)).text.replace(/^\{([\s\S]*)\}\n$/, '$1');
      assert.deepEqual(
        listTokens(servedScript, () => assert.fail(`${path} has a comment`)),
        listTokens(source),
        path,
      );
    }
  });

  it('the Link header of GET /api/v1 has api-catalog and service-desc', async () => {
    assert.match((await server.request('/api/v1')).headers.get('link') ?? '', /rel="api-catalog".*rel="service-desc"/);
  });

  describe('Requests that get no page: not_found, method_not_allowed, rate_limited', () => {
    it('a browser gets an HTML page with 404 that links to the page with a similar path', async () => {
      const { status, headers, text } = await server.request('/docs/quikstart', html);
      assert.equal(status, 404);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('cache-control'), 'no-store');
      const page = readPage(text);
      assert.deepEqual(page.getTexts('h1'), ['Page not found']);
      assert.equal(page.getAttribute('meta', { name: 'robots' }, 'content'), 'noindex');
      assert.ok(page.addresses.some(({ url }) => url === '/docs/quickstart'));
    });

    it('a wrong method gets 405 with Allow and a problem document, even if the client accepts HTML', async () => {
      const { status, headers, json } = await server.request('/pricing', { ...html, method: 'DELETE' });
      assert.equal(status, 405);
      assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS');
      assert.equal(headers.get('content-type'), 'application/problem+json');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.deepEqual(
        json,
        createProblem(server.baseUrl, {
          title: 'Method not allowed',
          status: 405,
          detail: 'This path does not support DELETE. Use one of: GET, HEAD, OPTIONS.',
          instance: '/pricing',
          code: 'method_not_allowed',
          request_id: headers.get('x-request-id'),
        }),
      );
    });

    it('a browser beyond the rate limit gets an HTML page with 429, and a program a problem document', async (t) => {
      const { firstServer: strictServer } = await startTestServer({ env: { RATE_LIMIT_PAGES: '1' } });
      t.after(() => strictServer.close());
      await strictServer.request('/', html);
      const limited = await strictServer.request('/', html);
      assert.equal(limited.status, 429);
      assert.equal(limited.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(limited.headers.get('retry-after') ?? '', /^\d+$/);
      assert.match((await strictServer.request('/')).headers.get('content-type') ?? '', /^application\/problem\+json/);
    });

    it('the 404 page links to a page whose last path segment is the same', async () => {
      for (const path of ['/quickstart', '/help/quickstart.html', '/doc/quickstart']) {
        const { status, text } = await server.request(path, html);
        assert.equal(status, 404);
        assert.ok(
          readPage(text).addresses.some(({ url }) => url === '/docs/quickstart'),
          path,
        );
      }
    });

    it('a program gets a problem document with not_found', async () => {
      for (const path of ['/docs/quikstart', '/docs/quikstart.md', '/nowhere', '/releases/9.9.9', '/faq/nothing']) {
        for (const accept of ['*/*', 'text/markdown', 'application/json']) {
          const { status, headers, json } = await server.request(path, { headers: { accept } });
          if (status === 406) continue;
          assert.equal(status, 404, path);
          assert.equal(headers.get('content-type'), 'application/problem+json');
          assert.equal(json.code, 'not_found');
        }
      }
    });

    it('the 404 page escapes the path, and a malformed or very long path gets 404', async () => {
      const { text } = await server.request('/%3Cscript%3Ealert(1)%3C/script%3E', html);
      assert.doesNotMatch(text, /<script>alert/);
      assert.equal((await server.request('/%ff%fe', html)).status, 404);
      assert.equal((await server.request(`/${'a'.repeat(3000)}`, html)).status, 404);
    });

    it('a path with a trailing slash redirects with 308, and never to another host', async () => {
      const { status, headers } = await server.request('/docs/quickstart/', html);
      assert.equal(status, 308);
      assert.equal(headers.get('location'), `${server.baseUrl}/docs/quickstart`);
      const outside = await server.request('//evil.example/', html);
      assert.ok([308, 400, 404].includes(outside.status));
      if (outside.status === 308) assert.ok(outside.headers.get('location')?.startsWith(`${server.baseUrl}/`));
    });
  });

  describe('GET /search, the page with the results', () => {
    it('the page links to the results and marks the words of the query', async () => {
      const { status, text } = await server.request('/search?q=microphone', html);
      assert.equal(status, 200);
      const page = readPage(text);
      assert.equal(page.getAttribute('meta', { name: 'robots' }, 'content'), 'noindex');
      assert.ok(page.getTexts('mark').some((word) => /microphone/i.test(word)));
      const hrefs = new Set(page.addresses.filter(({ element }) => element === 'a').map(({ url }) => url));
      const { json } = await server.request('/api/v1/search?q=microphone&limit=4');
      for (const { section, section_url: place } of json.data) {
        if (section !== null) assert.ok(hrefs.has(place.slice(server.baseUrl.length)), place);
      }
    });

    it('the results include the portal, releases, prices and requirements', async () => {
      for (const [q, path] of [
        ['rate limit', '/developers#limits'],
        ['invalid_cursor', '/developers/errors#invalid_cursor'],
        ['list releases', '/developers/reference/releases#listReleases'],
        ['what does team cost', '/pricing#team'],
        ['2.3.0', '/releases/2.3.0'],
        ['system requirements', '/#requirements'],
      ] as const) {
        const { text } = await server.request(`/search?q=${encodeURIComponent(q)}`, html);
        assert.ok(text.includes(`href="${path}"`), `${q}: ${path}`);
        assert.equal((await server.request(path.replace(/#.*/, ''), html)).status, 200, path);
      }
    });

    it('part=list returns the results as the options of the listbox in the header', async () => {
      const { status, text, headers } = await server.request('/search?part=list&q=microphne', html);
      assert.equal(status, 200);
      assert.equal(headers.get('RateLimit-Policy'), '"pages";q=1000000;w=60');
      assert.doesNotMatch(text, /<html|<header/);
      assert.match(text, /^<p class="note">Results for <strong>microphone<\/strong>\.<\/p>/);
      const page = readPage(text);
      const options = page.addresses.map(({ url }) => url);
      assert.ok(options.includes('/docs/troubleshooting#sotto-listens-but-writes-nothing'));
      assert.equal(options.at(-1), '/search?q=microphne');
      assert.equal(text.split('role="option"').length - 1, options.length);
      const { text: noResults } = await server.request('/search?part=list&q=xyzzyxq', html);
      assert.match(noResults, /^<p class="note">Nothing matches\. The documentation is in English\.<\/p>/);
      const { text: shortQuery } = await server.request('/search?part=list&q=x', html);
      assert.match(shortQuery, /2 to 200 characters/);
    });

    it('the pages linked with rel="next" contain every result of the API', async () => {
      const paths = new Set<string>();
      let next: string | undefined = '/search?q=sotto';
      for (let turn = 0; next !== undefined && turn < 20; turn += 1) {
        const page = readPage((await server.request(next, html)).text);
        for (const { url } of page.addresses) if (/^\/(docs|faq)\/./.test(url)) paths.add(url);
        next = page.getAttribute('a', { rel: 'next' }, 'href');
      }
      assert.equal(next, undefined);
      const { json } = await server.request('/api/v1/search?q=sotto&limit=50');
      for (const { url } of json.data) assert.ok(paths.has(new URL(url).pathname), url);
    });

    it('the page reports a short query, an invalid cursor, a corrected word and an empty result', async () => {
      // The API requires two characters. The page sends a space before a single ideograph, because one ideograph is a word.
      assert.doesNotMatch((await server.request('/search?q=声', html)).text, /2 to 200 characters/);
      assert.equal((await server.request('/api/v1/search?q=声')).status, 400);
      assert.equal((await server.request('/api/v1/search?q=%20声')).status, 200);
      assert.match((await server.request('/search?q=a', html)).text, /2 to 200 characters/);
      assert.match((await server.request('/search?q=xyzzyxq', html)).text, /Nothing matches/);
      assert.match((await server.request('/search?q=microphne', html)).text, /Results for <strong>microphone/);
      assert.match((await server.request('/search?q=key&cursor=abc', html)).text, /no longer available/);
      assert.match((await server.request('/search?q=key&type=nothing', html)).text, /no longer available/);
    });

    it('the page escapes the query, and /search.md has the query in its title', async () => {
      const { text } = await server.request(`/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`, html);
      assert.doesNotMatch(text, /<script>alert/);
      const { text: markdown } = await server.request('/search.md?q=microphone');
      assert.match(markdown, /^# Search: microphone$/m);
    });
  });
});
