/** Tests the contract: the server serves the committed file, examples match their schemas, and mutated responses do not. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertSchema, committedSettings, contract, createValidator } from '../support/contract.ts';
import { createJsonPost, startTestServer, type TestServer } from '../support/server.ts';

type Json = Record<string, unknown>;

const samples: Record<string, string> = {
  ServiceIndex: '/api/v1',
  Release: '/api/v1/releases/latest',
  ReleaseList: '/api/v1/releases?limit=2',
  DocList: '/api/v1/docs?limit=2',
  Doc: '/api/v1/docs/quickstart',
  FaqList: '/api/v1/faq?limit=2',
  Pricing: '/api/v1/pricing',
  FeatureList: '/api/v1/features',
  Requirements: '/api/v1/requirements',
  Compatibility: '/api/v1/compatibility?os_version=13.2&arch=x86_64',
  SearchResultList: '/api/v1/search?q=microphone&limit=2',
  Problem: '/api/v1/docs?limit=0',
  SandboxRelease: '/api/v1/sandbox/releases/latest',
  SandboxProblem: '/api/v1/sandbox/docs/nothing',
};

describe('GET /openapi.json', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: committedSettings });
  });
  after(() => server.close());

  it('the response equals the committed contract/openapi.json', async () => {
    const { text } = await server.request('/openapi.json');
    assert.deepEqual(JSON.parse(text), contract);
  });

  it('the response is minified and has at most 380,000 characters', async () => {
    const { text } = await server.request('/openapi.json');
    assert.equal(text, `${JSON.stringify(contract)}\n`);
    assert.ok(text.length <= 380_000, `${text.length} characters`);
  });

  it('the response is compressed, and If-None-Match gets 304', async () => {
    const { headers } = await server.request('/openapi.json', { headers: { 'accept-encoding': 'br' } });
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('content-encoding'), 'br');
    const revalidation = await server.request('/openapi.json', {
      headers: { 'accept-encoding': 'br', 'if-none-match': headers.get('etag') ?? '' },
    });
    assert.equal(revalidation.status, 304);
  });

  it('the document has the deprecation policy, unique operation ids and a sandbox path for each API path', async () => {
    const { json } = await server.request('/openapi.json');
    assert.equal(json.openapi, '3.1.1');
    assert.equal(json['x-deprecation-policy'].minimum_notice_days, 180);
    assert.deepEqual(
      json.servers.map(({ url }: { url: string }) => url),
      [server.baseUrl],
    );
    const paths = Object.keys(json.paths).filter(
      (path) => path.startsWith('/api/v1') && !path.startsWith('/api/v1/sandbox'),
    );
    for (const path of paths) assert.ok(json.paths[path.replace('/api/v1', '/api/v1/sandbox')], path);
    const ids = Object.values<Record<string, Json>>(json.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((id) => typeof id === 'string'));
  });

  it('each example matches its schema', () => {
    let exampleCount = 0;
    const check = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { schema, examples } = node as { schema?: Json; examples?: Record<string, { value?: unknown }> };
      if (schema !== undefined && examples !== undefined && !Array.isArray(examples)) {
        for (const [name, { value }] of Object.entries(examples)) {
          assertSchema(schema, value, `${place} ${name}`);
          exampleCount += 1;
        }
      }
      for (const [name, child] of Object.entries(node)) if (name !== 'value') check(child, `${place}/${name}`);
    };
    check(contract, '');
    assert.ok(exampleCount > 50);
  });

  for (const [name, path] of Object.entries(samples)) {
    it(`the schema ${name} rejects every mutation of a response`, async () => {
      const schema = { $ref: `#/components/schemas/${name}` };
      const { json } = await server.request(path);
      assertSchema(schema, json, name);
      const validate = createValidator(schema);
      let mutationCount = 0;
      for (const [change, mutation] of listMutations(json)) {
        mutationCount += 1;
        assert.equal(validate(mutation), false, `${name} is still valid with ${change}`);
      }
      assert.ok(mutationCount >= 5, `${name}: only ${mutationCount} mutations`);
    });
  }

  it('the schema RunBatchResult rejects mutated results', async () => {
    const operations = [{ id: 'a', method: 'GET', path: '/docs?limit=1' }];
    const { json } = (await server.request('/api/v1/batch', createJsonPost({ operations }))) as { json: Json };
    const validate = createValidator({ $ref: '#/components/schemas/RunBatchResult' });
    assert.ok(validate(json));
    for (const result of [
      { ...json, results: {} },
      { ...json, object: 'list' },
      { ...json, results: [{ id: 'a', status: 99, body: {} }] },
    ]) {
      assert.equal(validate(result), false);
    }
  });
});

/** Fields that may be absent, so that a response without them is valid. */
const optional = new Set([
  'slug',
  'id',
  'interpreted_as',
  'untested',
  'searched_for',
  'suggestions',
  'errors',
  'retry_after',
]);

/**
 * Yields copies of a body, each after its description, with one change at any depth: a field or an item nested in an array, a field
 * renamed, or a field that is not in `optional` removed.
 */
function* listMutations(body: Json): Generator<[string, Json]> {
  for (const path of listNodePaths(body)) {
    const name = String(path.at(-1));
    const change = (edit: (parent: Json, key: string) => void): Json => {
      const copy = structuredClone(body);
      let parent: Json = copy;
      for (const key of path.slice(0, -1)) parent = parent[key] as Json;
      edit(parent, name);
      return copy;
    };
    const place = path.join('.');
    yield [`${place} as a nested array`, change((parent, key) => (parent[key] = [[parent[key]]]))];
    if (Number.isInteger(Number(name))) continue;
    if (!optional.has(name)) yield [`no ${place}`, change((parent, key) => delete parent[key])];
    yield [
      `${place} under another name`,
      change((parent, key) => {
        parent[`${key}_x`] = parent[key];
      }),
    ];
  }
}

function* listNodePaths(node: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node)) yield* listNodePaths(child, [...path, key]);
}
