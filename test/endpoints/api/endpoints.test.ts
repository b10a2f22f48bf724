/** Tests what the GET endpoints have in common, in production and in the sandbox: caching, negotiation, methods and pagination. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inputJsonSchema } from '../../../src/base/json-schema.ts';
import { operations } from '../../../src/resources/resources.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

interface Row {
  readonly template: string;
  readonly path: string;
  readonly limits?: { max: number; default: number };
}

/** Values of required query parameters; the other parameters have those of the first example of their operation. */
const queryValues: Readonly<Record<string, string>> = { q: 'dictation' };

/** The GET endpoints that need no token; `{name}` in a template is a parameter of the path. */
const rows: readonly Row[] = operations
  .filter(({ prepared }) => prepared)
  .map(({ path, input, examples: [example] }) => {
    const { properties = {}, required = [] } = inputJsonSchema(input);
    const query = new URLSearchParams(
      // The schema does not require os_version, because Linux has no versions; the example is a Mac, for which it is required.
      [...required, ...(path === '/compatibility' ? ['os_version'] : [])]
        .filter((name) => !path.includes(`{${name}}`))
        .map((name) => [name, queryValues[name] ?? String(example.input[name])]),
    );
    const limit = properties.limit;
    const limits =
      limit?.maximum === undefined ? {} : { limits: { max: limit.maximum, default: Number(limit.default) } };
    return { template: path, path: query.size === 0 ? path : `${path}?${query}`, ...limits };
  });

const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

for (const root of ['/api/v1', '/api/v1/sandbox']) {
  describe(`GET endpoints below ${root}`, () => {
    let server: TestServer;
    const paths = new Map<string, string>();

    before(async () => {
      server = await startTestServer();
      for (const { template, path } of rows) {
        const [, listing = '', name = ''] = /^(.*)\/\{(\w+)\}$/.exec(template) ?? [];
        const first = name === '' ? {} : (await server.request(`${root}${listing}?limit=1`)).json.data[0];
        paths.set(template, root + path.replace(`{${name}}`, first[name]));
      }
    });
    after(() => server.close());

    const getPath = ({ template }: Row): string => paths.get(template) ?? '';

    it('the index lists every GET endpoint that needs no token', async () => {
      const { json } = await server.request(root);
      const endpoints = json.endpoints.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`);
      for (const { template } of rows) assert.ok(endpoints.includes(`GET ${root}${template}`), template);
    });

    for (const row of rows) {
      describe(`GET ${root}${row.template}`, () => {
        it('the response is JSON with Cache-Control and Vary, and is marked as sandbox only in the sandbox', async () => {
          const { status, headers, json } = await server.request(getPath(row));
          assert.equal(status, 200);
          assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
          assert.equal(
            headers.get('cache-control'),
            'public, max-age=60, s-maxage=300, stale-while-revalidate=300, stale-if-error=604800',
          );
          assert.equal(headers.get('vary'), 'Accept, Authorization, Accept-Encoding');
          assert.equal(json.sandbox, root.endsWith('sandbox') ? true : undefined);
          assert.equal(headers.get('x-service-environment'), root.endsWith('sandbox') ? 'sandbox' : null);
          assert.equal(typeof json.object, 'string');
        });

        it('the entity tag is stable, and If-None-Match with it (strong, weak, in a list or as `*`) results in 304', async () => {
          const first = await server.request(getPath(row));
          const tag = first.headers.get('etag') ?? '';
          assert.equal((await server.request(getPath(row))).headers.get('etag'), tag);
          for (const value of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
            const unchanged = await server.request(getPath(row), { headers: { 'if-none-match': value } });
            assert.equal(unchanged.status, 304, value);
            assert.equal(unchanged.headers.get('etag'), tag);
            assert.equal(unchanged.headers.get('cache-control'), first.headers.get('cache-control'));
            assert.equal(unchanged.headers.get('vary'), first.headers.get('vary'));
          }
          const changed = await server.request(getPath(row), { headers: { 'if-none-match': '"other"' } });
          assert.equal(changed.status, 200);
        });

        it('HEAD returns the headers of GET', async () => {
          const get = await server.request(getPath(row), { headers: { 'accept-encoding': 'identity' } });
          const head = await server.request(getPath(row), {
            method: 'HEAD',
            headers: { 'accept-encoding': 'identity' },
          });
          assert.equal(head.status, 200);
          const changing = /^(x-request-id|ratelimit.*|date|keep-alive|connection)$/;
          for (const [name, value] of get.headers)
            if (!changing.test(name)) assert.equal(head.headers.get(name), value, name);
        });

        it('the response to Accept: text/markdown is markdown with a separate entity tag', async () => {
          const json = await server.request(getPath(row));
          const { status, headers, text } = await server.request(getPath(row), {
            headers: { accept: 'text/markdown' },
          });
          assert.equal(status, 200);
          assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8');
          assert.notEqual(headers.get('etag'), json.headers.get('etag'));
          assert.match(text, root.endsWith('sandbox') ? /^> Sandbox/ : /^# \S/);
          assert.doesNotMatch(text, /undefined|\[object|NaN/);
        });

        it('the body is the same in br and gzip, each with a separate entity tag', async () => {
          const plain = await server.request(getPath(row), { headers: { 'accept-encoding': 'identity' } });
          const tags = new Set([plain.headers.get('etag')]);
          for (const coding of ['br', 'gzip']) {
            const compressed = await server.request(getPath(row), { headers: { 'accept-encoding': coding } });
            assert.equal(compressed.text, plain.text);
            if (compressed.headers.get('content-encoding') === coding) tags.add(compressed.headers.get('etag'));
            else assert.ok(plain.text.length < 600, `${coding} was not used`);
          }
          assert.ok(tags.size === 3 || plain.text.length < 600);
        });

        it('a request with Accept: text/html is rejected with 406 not_acceptable', async () => {
          const { status, json } = await server.request(getPath(row), { headers: { accept: 'text/html' } });
          assert.equal(status, 406);
          assert.equal(json.code, 'not_acceptable');
          assert.equal(json.errors, undefined);
        });

        it('PUT, DELETE and PATCH get 405 method_not_allowed with the same Allow header as OPTIONS', async () => {
          for (const method of ['PUT', 'DELETE', 'PATCH']) {
            const { status, headers, json } = await server.request(getPath(row), { method });
            assert.equal(status, 405);
            assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS');
            assert.equal(json.code, 'method_not_allowed');
            assert.equal(json.instance, getPath(row).split('?')[0]);
            assert.equal(json.errors, undefined);
          }
          const options = await server.request(getPath(row), { method: 'OPTIONS' });
          assert.equal(options.status, 204);
          assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS');
          assert.match(options.headers.get('access-control-allow-headers') ?? '', /Authorization.*If-None-Match/);
        });

        it('each response has a new X-Request-Id, even if the request has one', async () => {
          const init = { headers: { 'x-request-id': 'mine-123' } };
          const [a, b] = [await server.request(getPath(row), init), await server.request(getPath(row), init)];
          assert.match(a.headers.get('x-request-id') ?? '', /^req_[0-9a-z]{20,}$/);
          assert.notEqual(a.headers.get('x-request-id'), b.headers.get('x-request-id'));
        });

        const { limits } = row;
        if (limits === undefined) return;

        it('limit has a default, a minimum of 1 and a maximum, and any other value is rejected with 400', async () => {
          const response = await server.request(getPath(row));
          assert.equal(response.json.pagination.limit, limits.default);
          for (const limit of [1, limits.max]) {
            const { json } = await server.request(withQuery(getPath(row), `limit=${limit}`));
            assert.equal(json.pagination.limit, limit);
            assert.ok(json.data.length <= limit);
          }
          const outOfRange = [0, limits.max + 1, -1, '1234567890', '-1234567890', '99999999999999999999'];
          const malformed = ['1.5', '1e1', '0x14', '%2020', '', 'abc'];
          for (const limit of [...outOfRange, ...malformed]) {
            const { status, json } = await server.request(withQuery(getPath(row), `limit=${limit}`));
            assert.equal(status, 400, String(limit));
            assert.equal(json.code, 'invalid_request');
            assert.deepEqual(
              json.errors.map(({ field }: { field: string }) => field),
              ['limit'],
            );
            assert.equal(json.errors[0].code, outOfRange.includes(limit) ? 'out_of_range' : 'malformed', String(limit));
            assert.match(json.detail, new RegExp(`^limit must be .*between 1 and ${limits.max}; you sent `));
          }
          const repeated = await server.request(withQuery(getPath(row), 'limit=1&limit=2'));
          assert.equal(repeated.status, 400);
          assert.equal(repeated.json.errors[0].code, 'repeated');
        });

        it('the pages that Link headers connect contain every item once, in order', async () => {
          const all = await server.request(withQuery(getPath(row), `limit=${limits.max}`));
          assert.equal(all.json.pagination.has_more, false);
          assert.equal(all.json.pagination.next_cursor, null);
          assert.equal(all.headers.get('link'), null);
          const items: unknown[] = [];
          let next: string | null = withQuery(getPath(row), 'limit=1');
          while (next !== null) {
            const { json, headers } = await server.request(next);
            items.push(...json.data);
            const link = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '');
            assert.equal(link !== null, json.pagination.has_more);
            assert.equal(json.pagination.next_cursor !== null, json.pagination.has_more);
            if (link?.[1] !== undefined) assert.ok(link[1].startsWith(server.baseUrl));
            next = link?.[1]?.slice(server.baseUrl.length) ?? null;
          }
          assert.deepEqual(items, all.json.data);
        });

        it('a cursor that was not issued for this list is rejected with 400 invalid_cursor', async () => {
          const { json: first } = await server.request(`${root}/docs?limit=1`);
          const foreign = row.template === '/docs' ? 'bm90LWEtY3Vyc29y' : first.pagination.next_cursor;
          for (const cursor of [foreign, 'abc', '', 'a'.repeat(5000), '%00']) {
            const { status, json } = await server.request(withQuery(getPath(row), `cursor=${cursor}`));
            assert.equal(status, 400);
            assert.equal(json.code, 'invalid_cursor');
            assert.equal(json.errors, undefined);
          }
        });
      });
    }

    it('unknown query parameters are ignored', async () => {
      const plain = await server.request(`${root}/docs?limit=2`);
      const more = await server.request(`${root}/docs?limit=2&utm_source=x&limits=9`);
      assert.equal(more.text, plain.text);
    });

    it('a misspelled path returns 404 not_found and suggests the endpoint', async () => {
      const { status, json } = await server.request(`${root}/relases`);
      assert.equal(status, 404);
      assert.equal(json.code, 'not_found');
      assert.deepEqual(json.suggestions, ['/releases']);
      assert.match(json.detail, /Did you mean `\/releases`\?/);
      assert.equal(json.instance, `${root}/relases`);
    });
  });
}
