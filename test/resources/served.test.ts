/** Tests on a started server that each resource is served and listed as it is declared. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { getOrElse, isNone } from '../../src/base/none.ts';
import { isSitePath } from '../../src/content/site-paths.ts';
import { fillPath } from '../../src/pages/developers/worked-example.ts';
import { resources } from '../../src/resources/resources.ts';
import { callTool, readResult, sendRpcRequest } from '../support/mcp.ts';
import { createJsonPost, startTestServer, type TestServer } from '../support/server.ts';

type Item = Readonly<Record<string, string>>;

let server: TestServer;
let [sitemap, llms] = ['', ''];
/** The HTML of the header of each kind of page, by the path of the page. */
const headers = new Map<string, string>();
before(async () => {
  server = await startTestServer();
  [sitemap, llms] = [await fetchText('/sitemap.xml'), await fetchText('/llms.txt')];
  const routes = resources.flatMap(({ page }) => (isNone(page) ? [] : page.routes.map(({ path }) => path)));
  for (const path of listPages(routes)) {
    const [, header = ''] = /<header [^>]*>([\s\S]*?)<\/header>/.exec(await fetchText(path, html)) ?? [];
    headers.set(path, header);
  }
});
after(() => server.close());
const html = { headers: { accept: 'text/html' } };

const fetchText = async (path: string, init?: RequestInit): Promise<string> => {
  const { status, text } = await server.request(path, init);
  assert.equal(status, 200, path);
  return text;
};

/**
 * Returns a path for each of the routes `paths`: for one with a parameter, such as `/docs/:slug`, the first in `sitemap`, or none
 * if the sitemap has none.
 */
function listPages(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const [before = '', parameter] = path.split(':');
    if (parameter === undefined) return [path];
    const first = sitemap.split('<loc>').find((part) => part.startsWith(server.baseUrl + before));
    return first === undefined ? [] : [first.slice(server.baseUrl.length).replace(/<[\s\S]*/, '')];
  });
}

for (const resource of resources) {
  const { name } = resource;
  describe(`The resource ${name} on a running server`, () => {
    const gets = getOrElse(resource.operations, []).filter(({ method }) => method === 'GET');

    for (const operation of gets) {
      it(`${operation.id} is in the index, in OpenAPI, in the sandbox, in batches and in Markdown`, async () => {
        const { json: index } = await server.request('/api/v1');
        const ids = index.endpoints.map(({ operation_id }: Item) => operation_id);
        assert.ok(ids.includes(operation.id), 'index');
        const { json: contract } = await server.request('/openapi.json');
        assert.equal(contract.paths[`/api/v1${operation.path}`].get.operationId, operation.id);
        // The sandbox has the object of the first example.
        const path = fillPath(operation.path, operation.examples[0].input);
        const single = await server.request(`/api/v1/sandbox${path}`);
        assert.equal(single.status, 200);
        const { json: batch } = await server.request(
          '/api/v1/sandbox/batch',
          createJsonPost({ operations: [{ id: 'one', method: 'GET', path: path === '' ? '/' : path }] }),
        );
        assert.deepEqual(batch.results, [{ id: 'one', status: 200, body: single.json }]);
        const markdown = await fetchText(`/api/v1/sandbox${path}`, { headers: { accept: 'text/markdown' } });
        assert.match(markdown, /^> Sandbox: /);
      });
    }

    const { page } = resource;
    if (!isNone(page)) {
      const paths = (): string[] => listPages(page.routes.map(({ path }) => path));

      it('each kind of page is served as HTML and as Markdown', async () => {
        for (const path of paths()) {
          assert.match(await fetchText(path, html), /<h1/, path);
          assert.match(await fetchText(path === '/' ? '/index.md' : `${path}.md`), /^> For the complete/, path);
        }
      });

      it('each path of a page is valid in the links of a content folder', () => {
        const routes = page.routes.map(({ path }) => path.replace(/:.*/, 'x'));
        const unknown = routes.filter((path) => !path.startsWith('/docs/') && !isSitePath(path, new Set(['x'])));
        assert.deepEqual(unknown, []);
      });

      it(isNone(resource.sitemap) ? 'the sitemap does not list the pages' : 'the sitemap lists the pages', () => {
        const pathsInSitemap = paths().filter((path) => sitemap.includes(`<loc>${server.baseUrl}${path}</loc>`));
        assert.deepEqual(pathsInSitemap, isNone(resource.sitemap) ? [] : paths());
      });

      it(isNone(resource.suggestions) ? 'a 404 does not suggest the page' : 'a 404 suggests the page', async () => {
        const [path = ''] = paths();
        const { status, text } = await server.request(`${path}x`, html);
        assert.equal(status, 404);
        const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(text) ?? [];
        assert.equal(main.includes(`<li><a href="${path}">`), !isNone(resource.suggestions), path);
      });
    }

    const { llms: inLlms, navigation } = resource;
    if (!isNone(inLlms)) {
      it('llms.txt links to the Markdown of the pages, and each link resolves', async () => {
        const pagePaths = listPages(isNone(page) ? [] : page.routes.map(({ path }) => path));
        for (const path of pagePaths) {
          const markdownPath = path === '/' ? '/index.md' : `${path}.md`;
          assert.ok(llms.includes(`(${server.baseUrl}${markdownPath})`), path);
          await fetchText(markdownPath);
        }
        assert.ok(pagePaths.length > 0);
      });
    }
    if (!isNone(navigation)) {
      it('the header of every kind of page has the navigation link, which resolves', async () => {
        assert.ok(headers.has('/'));
        const link = new RegExp(`<a ([^>]* )?href="${navigation.href}"[ >]`);
        for (const [path, header] of headers) assert.match(header, link, path);
        await fetchText(navigation.href, html);
      });
    }

    const { search } = resource;
    if (!isNone(search)) {
      it('GET /api/v1/search finds each item by its title and returns the URL of its page', async () => {
        const { json: contract } = await server.request('/openapi.json');
        const { enum: kinds } = contract.components.schemas.SearchResultObject;
        assert.ok(kinds.includes(search.kind), search.kind);
        const { json: all } = await server.request(`/api/v1/search?limit=50&type=${search.kind}&q=the+to+with+of+a+is`);
        assert.ok(all.data.length > 0);
        for (const item of all.data.slice(0, 20)) {
          const path = `/api/v1/search?limit=50&type=${search.kind}&q=${encodeURIComponent(item.title)}`;
          const { json: results } = await server.request(path);
          const key: string = item[search.parameter];
          const hit = results.data.find((result: Item) => result[search.parameter] === key);
          assert.equal(hit?.url, server.baseUrl + search.path(key), item.title);
          assert.ok(hit.section_url.startsWith(hit.url));
          assert.equal((await server.request(new URL(hit.url).pathname, html)).status, 200);
          assert.equal((await server.request(new URL(hit.markdown_url).pathname)).status, 200);
        }
      });
    }

    const source = resource.export;
    if (!isNone(source)) {
      for (const format of ['json', 'markdown']) {
        it(`a sandbox export as ${format} completes with a file`, async () => {
          const startResponse = await server.request(
            '/api/v1/sandbox/exports',
            createJsonPost({ resource: name, format }),
          );
          assert.equal(startResponse.status, 202, startResponse.text);
          const poll = startResponse.json.poll_url.slice(server.baseUrl.length);
          let job = startResponse.json;
          for (let count = 0; count < 3 && job.status !== 'completed'; count += 1)
            job = (await server.request(poll)).json;
          const file = await fetchText(job.result.url.slice(server.baseUrl.length));
          if (format === 'json') assert.ok(JSON.parse(file).count > 0);
          else assert.match(file, /^> Sandbox: .*\n\n---\n/);
        });
      }
    }

    const { tools, mcpResources } = resource;
    for (const { name: tool, servers } of getOrElse(tools, [])) {
      it(`tools/list has the tool ${tool} (MCP: ${servers.join(' and ')})`, async () => {
        for (const key of servers) {
          const { tools: serverTools } = await readResult(
            sendRpcRequest(server, key === 'docs' ? '/mcp/docs' : '/mcp', 'tools/list'),
          );
          const names = serverTools.map((item: Item) => item.name);
          assert.ok(names.includes(tool), key);
        }
      });
    }
    for (const definition of getOrElse(mcpResources, [])) {
      it('resources/list of MCP has the resource, and resources/read returns its text', async () => {
        const path = definition.servers[0] === 'docs' ? '/mcp/docs' : '/mcp';
        const { resources: serverResources } = await readResult(sendRpcRequest(server, path, 'resources/list'));
        const uriPath = 'fact' in definition ? `/api/v1${definition.fact.path}` : definition.texts.path('');
        const entry = serverResources.find(({ uri }: Item) => uri?.startsWith(server.baseUrl + uriPath));
        assert.ok(entry, uriPath);
        const { contents } = await readResult(sendRpcRequest(server, path, 'resources/read', { uri: entry.uri }));
        assert.ok(contents[0].text.length > 10);
      });
    }
    if (!isNone(search)) {
      it('the MCP tool fetch accepts the id that the MCP tool search returns', async () => {
        const path = search.isDocumentation ? '/mcp/docs' : '/mcp';
        const input = { query: 'the to with of a is', type: search.kind, limit: 1 };
        const { id } = (await callTool(server, path, 'search', input)).structuredContent.results[0];
        assert.equal(id.split(':')[0], search.kind);
        assert.equal((await callTool(server, path, 'fetch', { id })).structuredContent.id, id);
      });
    }
  });
}
