/** Tests that links of the sandbox stay in the sandbox or the portal, and that lists of the site have no link to the sandbox. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isNone } from '../../../src/base/none.ts';
import { fillPath } from '../../../src/pages/developers/worked-example.ts';
import { operations, resources, searchables } from '../../../src/resources/resources.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createJsonPost, startTestServer, type TestResponse, type TestServer } from '../../support/server.ts';
import { readPage } from '../../support/site-page.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const asHtml = { headers: { accept: 'text/html' } };
const asMarkdown = { headers: { accept: 'text/markdown' } };
const sandbox = '/api/v1/sandbox';

/** Paths that production and sandbox share, because they have no content of the product. */
const sharedPaths = /^\/(?:developers|openapi(?:\.sdk)?\.json|mcp|oauth|auth\.md|\.well-known|llms\.txt)(?:[/#]|$)/;
const sandboxPageUrl = /(?<!v1)\/sandbox(?![-\w])/;
const postPaths = /^\/(?:oauth\/(?:register|token|revoke)|mcp)/;

/** Returns every absolute URL in a text of any format, except URI templates. */
const listUrls = (text: string): string[] =>
  [...text.matchAll(/https?:\/\/[^\s"'<>()\\`]+/g)].map(([url]) => url).filter((url) => !/[{$]/.test(url));

/**
 * Sends to the sandbox every GET with each of its examples, as JSON and as Markdown, searches of every kind, a batch and exports.
 * Returns each response after its path or, such as `batch`, a name.
 */
async function fetchResponses(): Promise<[string, TestResponse][]> {
  const paths = [
    ...operations.flatMap(({ method, path, examples }) =>
      method === 'GET' && path !== '/exports/{job_id}' ? examples.map(({ input }) => fillPath(path, input)) : [],
    ),
    ...['quickstart', 'dictation', 'troubleshooting'].map((slug) => `/docs/${slug}`),
    ...[
      '/faq?limit=100',
      '/faq/does-it-count',
      '/docs',
      '/releases',
      '/releases?limit=1',
      '/docs/quikstart',
      '/nothing',
    ],
    ...searchables.flatMap(({ kind }) =>
      ['sandbox', 'fixture', 'microphone', 'free'].map((q) => `/search?q=${q}&type=${kind}`),
    ),
  ];
  const responses: [string, TestResponse][] = [];
  for (const path of new Set(paths)) {
    for (const init of [{}, asMarkdown]) responses.push([path, await server.request(sandbox + path, init)]);
  }
  const gets = paths
    .slice(0, 20)
    .map((path, index) => ({ id: String(index), method: 'GET', path: path === '' ? '/' : path }));
  responses.push(['batch', await server.request(`${sandbox}/batch`, createJsonPost({ operations: gets }))]);
  for (const [resource, format] of [
    ['docs', 'markdown'],
    ['docs', 'json'],
    ['faq', 'markdown'],
    ['faq', 'json'],
    ['releases', 'json'],
  ]) {
    const startResponse = await server.request(`${sandbox}/exports`, createJsonPost({ resource, format }));
    const poll = startResponse.json.poll_url.slice(server.baseUrl.length);
    responses.push(['export', startResponse], ['job', await server.request(poll)], ['job', await server.request(poll)]);
    const finishedJob = await server.request(poll);
    assert.equal(finishedJob.json.status, 'completed');
    responses.push(
      ['job', finishedJob],
      ['file', await server.request(finishedJob.json.result.url.slice(server.baseUrl.length))],
    );
  }
  return responses;
}

describe('Links of /api/v1/sandbox and /sandbox', () => {
  it('the links of the API responses stay in the sandbox or the portal, and their anchors exist', async () => {
    const sources = new Map<string, string>();
    for (const [from, { text, headers }] of await fetchResponses()) {
      for (const url of [...listUrls(text), ...listUrls(headers.get('link') ?? '')]) sources.set(url, from);
    }
    // These endpoints need a body or parameters; another test of this file requests every endpoint of the index.
    const { json: index } = await server.request(sandbox);
    for (const { url, method } of index.endpoints)
      if (method === 'POST' || /compatibility|search/.test(url)) sources.delete(url);
    const problems: string[] = [];
    const kinds = new Set<string>();
    for (const [link, from] of sources) {
      const url = new URL(link);
      if (url.origin !== server.baseUrl) {
        if (!['sandbox.example', 'json-schema.org'].includes(url.hostname))
          problems.push(`${from}: ${link} is elsewhere`);
        continue;
      }
      if (postPaths.test(url.pathname)) continue;
      const isInSandbox = /^\/(?:api\/v1\/)?sandbox(?:\/|$)|^\/exports\//.test(url.pathname);
      if (!isInSandbox && !sharedPaths.test(url.pathname) && link !== server.baseUrl)
        problems.push(`${from}: ${link} leaves the sandbox`);
      const isPage = /^\/(?:sandbox|developers)(?:\/|$)/.test(url.pathname) && !url.pathname.endsWith('.md');
      if (isPage && isInSandbox) kinds.add(url.pathname.split('/')[2] ?? '');
      const { status, text, headers } = await server.request(url.pathname + url.search, isPage ? asHtml : {});
      if (status !== 200) problems.push(`${from}: ${link} is ${status}`);
      if (isInSandbox) assert.equal(headers.get('x-service-environment'), 'sandbox', link);
      if (isPage && url.hash !== '' && !readPage(text).ids.includes(decodeURIComponent(url.hash.slice(1)))) {
        problems.push(`${from}: ${link} has no such anchor`);
      }
    }
    assert.deepEqual(problems, []);
    assert.deepEqual([...kinds].sort(), ['', 'docs', 'faq', 'pricing', 'releases']);
  });

  it('the links of the pages stay in the sandbox or the portal, except one to the front page', async () => {
    const queue = ['/sandbox'];
    const idsByPath = new Map<string, ReadonlySet<string>>();
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (idsByPath.has(path)) continue;
      const { status, headers, text } = await server.request(path, asHtml);
      assert.equal(status, 200, path);
      if (path.startsWith('/sandbox')) {
        assert.equal(headers.get('x-service-environment'), 'sandbox', path);
        assert.equal(headers.get('x-robots-tag'), 'noindex', path);
      }
      if (!path.startsWith('/sandbox') || path.endsWith('.md')) {
        idsByPath.set(path, new Set());
        continue;
      }
      const page = readPage(text);
      idsByPath.set(path, new Set(page.ids));
      assert.equal(page.getAttribute('meta', { name: 'robots' }, 'content'), 'noindex', path);
      assert.doesNotMatch(text, /rel="canonical"|ld\+json|action="\/search"|llms\.txt|releases\.atom/, path);
      const [, start = ''] = /<main[^>]*>\s*([\s\S]{0,80})/.exec(text) ?? [];
      assert.match(start, /^<p class="fixtures"><strong>Sandbox:<\/strong> fixture data for testing API clien/, path);
      const homeLinks: string[] = [];
      for (const { url } of page.addresses) {
        if (url.startsWith('#')) continue;
        const { origin, pathname, hash, hostname } = new URL(url, server.baseUrl + path);
        if (origin !== server.baseUrl) {
          assert.equal(hostname, 'sandbox.example', `${path} links to ${url}`);
          continue;
        }
        if (pathname === '/') homeLinks.push(url);
        else if (/^\/(?:site\.(?:css|js|webmanifest)|favicon\.svg|apple-touch-icon\.png|assets\/)/.test(pathname))
          continue;
        else assert.match(pathname, /^\/(?:sandbox|developers)(?:\/|$)/, `${path} links to ${url}`);
        if (hash !== '' && pathname.startsWith('/sandbox')) {
          const target =
            idsByPath.get(pathname) ?? new Set(readPage((await server.request(pathname, asHtml)).text).ids);
          assert.ok(target.has(hash.slice(1)), `${path} links to ${url}`);
        }
        queue.push(pathname);
      }
      assert.deepEqual(homeLinks, ['/'], path);
    }
    const pages = [...idsByPath.keys()].filter((path) => /^\/sandbox/.test(path) && !path.endsWith('.md')).sort();
    assert.deepEqual(pages, [
      '/sandbox',
      '/sandbox/',
      '/sandbox/docs',
      '/sandbox/docs/dictation',
      '/sandbox/docs/quickstart',
      '/sandbox/docs/troubleshooting',
      '/sandbox/faq',
      '/sandbox/faq/does-it-count',
      '/sandbox/faq/is-this-real-data',
      '/sandbox/pricing',
      '/sandbox/releases',
      '/sandbox/releases/0.0.0-sandbox',
    ]);
  });

  it('the Markdown of each page is marked as sandbox, at its .md path and for Accept: text/markdown', async () => {
    for (const path of ['/docs', '/docs/quickstart', '/faq', '/faq/does-it-count', '/pricing', '/releases']) {
      const byPath = await server.request(`/sandbox${path}.md`);
      const byAccept = await server.request(`/sandbox${path}`, asMarkdown);
      assert.equal(byPath.text, byAccept.text, path);
      assert.match(byPath.text, /^> Sandbox: fixed fixture data, not the product’s\. /, path);
      for (const { status, headers } of [byPath, byAccept]) {
        assert.equal(status, 200);
        assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8');
        assert.equal(headers.get('x-robots-tag'), 'noindex');
        assert.equal(headers.get('x-service-environment'), 'sandbox');
        assert.equal(headers.get('link'), `<${server.baseUrl}/sandbox${path}>; rel="canonical"`);
        assert.match(headers.get('ratelimit-policy') ?? '', /^"sandbox";/);
      }
      assert.equal(byAccept.headers.get('content-location'), `/sandbox${path}.md`);
      for (const url of listUrls(byPath.text)) {
        const { origin, pathname } = new URL(url);
        assert.ok(
          origin !== server.baseUrl || /^\/(?:sandbox|api\/v1\/sandbox|developers)(?:[/.]|$)/.test(pathname),
          url,
        );
      }
    }
    assert.equal((await server.request('/sandbox/index.md')).status, 200);
  });
});

describe('GET /sandbox and the pages below it: RATE_LIMIT_SANDBOX', () => {
  it('the sitemap, llms.txt, the Atom feed, search and suggestions do not list the pages', async () => {
    const paths = [
      '/sitemap.xml',
      '/llms.txt',
      '/llms-full.txt',
      '/releases.atom',
      '/robots.txt',
      '/docs',
      '/faq',
      '/404x',
    ];
    for (const path of [...paths, '/', '/search?q=sandbox', '/search?q=fixture', '/docs/quikstart']) {
      const { text } = await server.request(path, asHtml);
      assert.doesNotMatch(text, sandboxPageUrl, path);
    }
    for (const { kind } of searchables) {
      const { text } = await server.request(`/api/v1/search?q=fixture&type=${kind}`);
      assert.doesNotMatch(text, sandboxPageUrl, kind);
    }
  });

  it('a resource has a page in the sandbox only if it declares one', async () => {
    for (const { name, page, sandbox: sandboxFacet } of resources) {
      if (isNone(page)) continue;
      const [{ path } = { path: '' }] = page.routes;
      const { status } = await server.request(`/sandbox${path}`, asHtml);
      assert.equal(status, isNone(sandboxFacet) ? 404 : 200, name);
    }
  });

  it('an invalid token is ignored, and the pages share the rate limit of the sandbox API', async (t) => {
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const limitedServer = await startTestServer({
      clock,
      env: { RATE_LIMIT_SANDBOX: '3', RATE_LIMIT_PAGES: '100', RATE_LIMIT_ANONYMOUS: '100', RATE_LIMIT_REFUSED: '1' },
    });
    t.after(() => limitedServer.close());
    const invalidToken = { headers: { authorization: 'Bearer nothing' } };
    const remaining: (string | null)[] = [];
    for (const [path, init] of [
      ['/sandbox/docs', invalidToken],
      [`${sandbox}/docs`, {}],
      ['/sandbox/docs/quickstart.md', invalidToken],
    ] as const) {
      const { status, headers } = await limitedServer.request(path, init);
      assert.equal(status, 200, path);
      remaining.push(headers.get('ratelimit-remaining'));
    }
    assert.deepEqual(remaining, ['2', '1', '0']);
    const { status, json, headers } = await limitedServer.request('/sandbox/docs');
    assert.equal(status, 429);
    assert.equal(json.sandbox, true);
    assert.equal(headers.get('x-service-environment'), 'sandbox');
    const page = await limitedServer.request('/sandbox/docs', asHtml);
    assert.equal(page.status, 429);
    assert.match(page.headers.get('content-type') ?? '', /^(text\/html|application\/problem\+json)/);
    const production = await limitedServer.request('/docs', asHtml);
    assert.equal(production.headers.get('ratelimit-remaining'), '99');
  });

  it('an unknown page gets 404 with a suggestion from the sandbox, and a trailing slash redirects', async () => {
    const missingPage = await server.request('/sandbox/docs/quikstart', asHtml);
    assert.equal(missingPage.status, 404);
    assert.equal(missingPage.headers.get('x-service-environment'), 'sandbox');
    assert.match(missingPage.text, /<a href="\/sandbox\/docs\/quickstart">/);
    assert.doesNotMatch(missingPage.text, /href="\/docs/);
    const problem = await server.request('/sandbox/docs/quikstart');
    assert.equal(problem.json.sandbox, true);
    assert.equal(problem.json.code, 'not_found');
    assert.match(problem.json.detail, /\/api\/v1\/sandbox\/docs lists every page/);
    const redirect = await server.request('/sandbox/faq/', asHtml);
    assert.equal(redirect.status, 308);
    assert.equal(redirect.headers.get('location'), `${server.baseUrl}/sandbox/faq`);
  });
});

describe('/api/v1/sandbox as a base URL', () => {
  it('the URL with a trailing slash returns the same index', async () => {
    for (const init of [{}, asMarkdown]) {
      const [plain, slash] = [await server.request(sandbox, init), await server.request(`${sandbox}/`, init)];
      assert.equal(slash.status, 200);
      assert.equal(slash.text, plain.text);
      assert.equal(slash.headers.get('etag'), plain.headers.get('etag'));
    }
    const options = await server.request(`${sandbox}/`, { method: 'OPTIONS' });
    assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS');
    const postResponse = await server.request(`${sandbox}/`, createJsonPost({}));
    assert.equal(postResponse.status, 405);
  });

  it('the index has the operations of the OpenAPI document', async () => {
    const { json: index } = await server.request(sandbox);
    const { json: contract } = await server.request('/openapi.json');
    for (const { path, method, operation_id } of index.endpoints) {
      assert.equal(contract.paths[path][method.toLowerCase()].operationId, operation_id);
      const { status } = await server.request(
        path.replace(/\{\w+\}/, 'x'),
        method === 'POST' ? createJsonPost({}) : {},
      );
      assert.notEqual(status, 405, path);
    }
    assert.equal(index.endpoints.length, operations.length);
  });

  it('every item of a list has `sandbox: true`, in listings, batches and export files', async () => {
    const lists = ['/releases', '/docs', '/faq', '/pricing', '/features', '/search?q=fixture'];
    for (const path of lists) {
      const { json: list } = await server.request(sandbox + path);
      assert.ok(list.data.length > 0, path);
      for (const item of list.data) assert.equal(item.sandbox, true, path);
      const { json: productionList } = await server.request(`/api/v1${path}`);
      for (const item of productionList.data) assert.equal(item.sandbox, undefined, path);
    }
    const { json: batch } = await server.request(
      `${sandbox}/batch`,
      createJsonPost({ operations: lists.map((path, index) => ({ id: String(index), method: 'GET', path })) }),
    );
    for (const { body } of batch.results) for (const item of body.data) assert.equal(item.sandbox, true);
    const { json: job } = await server.request(
      `${sandbox}/exports`,
      createJsonPost({ resource: 'faq', format: 'json' }),
    );
    const poll = job.poll_url.slice(server.baseUrl.length);
    for (let polls = 0; polls < 2; polls += 1) await server.request(poll);
    const { json: finishedJob } = await server.request(poll);
    const { json: file } = await server.request(finishedJob.result.url.slice(server.baseUrl.length));
    assert.equal(file.count, 2);
    for (const item of file.data) assert.equal(item.sandbox, true);
  });
});
