/** Tests the contract for code generators: what it omits, which enums it leaves open, and that responses match its schemas. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { committedSettings, contract } from '../support/contract.ts';
import { createLaterValue } from '../support/later-service.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

type Json = Record<string, unknown>;

interface Response {
  $ref?: string;
  content: Json;
}

interface Sdk {
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Response> }>>;
  components: { schemas: Record<string, Json>; responses: Record<string, { content: Json }> };
}

const committed: Sdk = JSON.parse(readFileSync(new URL('../../contract/openapi.sdk.json', import.meta.url), 'utf8'));
const { schemas } = committed.components;

/** Returns the description of a response, or of the component that it refers to, or undefined if there is none. */
const resolveResponse = (response: Response | undefined): Response | undefined =>
  response?.$ref === undefined ? response : committed.components.responses[response.$ref.split('/').at(-1) ?? ''];

/**
 * Yields every object and array of a document, itself included, after its key: an index for an item, and `name` for the document.
 */
function* listNodes(node: unknown, name = ''): Generator<[string, Json]> {
  if (typeof node !== 'object' || node === null) return;
  yield [name, node as Json];
  for (const [key, child] of Object.entries(node)) yield* listNodes(child, key);
}

interface Parameter {
  name: string;
  in: string;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/**
 * Returns the path and query with the example of each parameter: that of `environment`, which is `production` or `sandbox`, if it
 * has several. A `?` is at the end if there is no query.
 */
function createExampleTarget(path: string, parameters: readonly Parameter[], environment: string): string {
  const query = new URLSearchParams();
  let target = path;
  for (const { name, in: place, example, examples } of parameters) {
    const value = examples === undefined ? example : examples[environment]?.value;
    if (place === 'path') target = target.replace(`{${name}}`, String(value));
    else if (place === 'query' && value !== undefined) query.set(name, String(value));
  }
  return `${target}?${query}`;
}

const isEnum = (schema: Json | undefined): boolean => schema?.type === 'string' && Array.isArray(schema.enum);

const reads: readonly (readonly [path: string, template: string])[] = [
  ['/', '/'],
  ['/releases?limit=2', '/releases'],
  ['/releases/latest', '/releases/latest'],
  ['/docs?limit=2', '/docs'],
  ['/docs/quickstart', '/docs/{slug}'],
  ['/faq', '/faq'],
  ['/pricing', '/pricing'],
  ['/features', '/features'],
  ['/requirements', '/requirements'],
  ['/compatibility?os_version=13.2&arch=x86_64', '/compatibility'],
  ['/search?q=microphone', '/search'],
  ['/docs/quikstart', '/docs/{slug}'],
];

describe('GET /openapi.sdk.json', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: committedSettings });
  });
  after(() => server.close());

  it('the response equals the committed contract/openapi.sdk.json, and GET /api/v1 links to it', async () => {
    const { json, headers } = await server.request('/openapi.sdk.json');
    assert.deepEqual(json, committed);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('ratelimit-policy')?.split(';')[0], '"anonymous"');
    assert.equal((await server.request('/api/v1')).json.sdk_openapi_url, 'http://127.0.0.1:8080/openapi.sdk.json');
  });

  it('the document has every operation of the API once, for the production and sandbox servers', () => {
    const expected = Object.entries(contract.paths).flatMap(([path, item]) =>
      /^\/api\/v1(?!\/sandbox)/.test(path)
        ? Object.keys(item).map((method) => `${method} ${path.slice(7) || '/'}`)
        : [],
    );
    const actual = Object.entries(committed.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    assert.deepEqual(actual, expected);
    assert.deepEqual(
      committed.servers.map(({ url }) => url),
      ['http://127.0.0.1:8080/api/v1', 'http://127.0.0.1:8080/api/v1/sandbox'],
    );
  });

  it('the document has only JSON responses, no 304 or 410, and no unused schema', () => {
    const text = JSON.stringify([committed.paths, committed.components]);
    for (const name of Object.keys(schemas)) assert.ok(text.includes(`"#/components/schemas/${name}"`), name);
    for (const item of Object.values(committed.paths)) {
      for (const { operationId, responses } of Object.values(item)) {
        for (const status of ['304', '410']) assert.equal(responses[status], undefined, operationId);
        for (const response of Object.values(responses)) {
          const { content } = resolveResponse(response) as Response;
          for (const type of Object.keys(content)) assert.match(type, /^application\/(problem\+)?json$/, operationId);
        }
      }
    }
  });

  it('each response has one example, and the examples of the parameters exist on their server', async () => {
    for (const item of Object.values(committed.paths)) {
      for (const { operationId, responses } of Object.values(item)) {
        for (const [status, response] of Object.entries(responses)) {
          for (const media of Object.values(resolveResponse(response)?.content ?? {})) {
            assert.equal(Object.keys((media as { examples: object }).examples).length, 1, `${operationId} ${status}`);
          }
        }
      }
    }
    const documents = [
      ['', contract.paths],
      ['/api/v1', committed.paths],
    ] as const;
    for (const [prefix, paths] of documents) {
      for (const [path, { get }] of Object.entries<Record<string, Json>>(paths)) {
        // Only the client that started a job can read the job and its file, so the examples of both do not exist.
        if (get === undefined || /^\/(oauth|exports)|\{job_id\}/.test(path)) continue;
        const parameters = (get.parameters ?? []) as Parameter[];
        for (const environment of prefix === '' ? [''] : ['production', 'sandbox']) {
          const target = createExampleTarget(
            prefix + (environment === 'sandbox' ? '/sandbox' : '') + path,
            parameters,
            environment,
          );
          const { status, json } = await server.request(target);
          assert.ok(status === 200 || status === 401, `${target}: ${status}`);
          if (path.endsWith('/search')) assert.ok(json.data.length > 0, target);
        }
      }
    }
  });

  it('every enum in a response also accepts other strings, and no enum contains null', () => {
    for (const document of [committed, contract]) {
      const allSchemas = document.components.schemas as Record<string, Json>;
      let openCount = 0;
      for (const [name, node] of listNodes(allSchemas)) {
        if (Array.isArray(node.enum)) assert.ok(!node.enum.includes(null), name);
        const { anyOf } = node as { anyOf?: Json[] };
        if (!anyOf?.some(({ $ref }) => typeof $ref === 'string' && isEnum(allSchemas[$ref.split('/').at(-1) ?? ''])))
          continue;
        assert.ok(
          anyOf.some(({ type, enum: values }) => type === 'string' && values === undefined),
          name,
        );
        openCount += 1;
      }
      assert.ok(openCount > 10);
      const requests = /^(ClientMetadata|ConsentDecision|\w+Request)$/;
      for (const [name, schema] of Object.entries(allSchemas)) {
        if (isEnum(schema) || requests.test(name)) continue;
        for (const [member, node] of listNodes(schema)) assert.equal(node.enum, undefined, `${name} ${member}`);
      }
    }
  });

  it('the responses of production and sandbox match their schemas, also with additional fields and values', async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'sdk', components: { schemas } });
    for (const root of ['/api/v1', '/api/v1/sandbox']) {
      for (const [path, template] of reads) {
        const response = await server.request(root + path);
        const media = Object.values(
          resolveResponse(committed.paths[template]?.get?.responses[response.status])?.content ?? {},
        );
        const [{ schema }] = media as [{ schema: Json }];
        const validate = ajv.compile(
          JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"sdk#/components')),
        );
        assert.ok(validate(response.json), `${root}${path}: ${ajv.errorsText(validate.errors)}`);
        assert.ok(
          validate(createLaterValue(response.json, schema, schemas)),
          `${root}${path} with additions: ${ajv.errorsText(validate.errors)}`,
        );
      }
    }
  });
});

describe('GET /api/v1/ and /api/v1/sandbox/ with a trailing slash', () => {
  it('the response is the index with the same entity tag, and docs/ below it gets 404', async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    for (const root of ['/api/v1', '/api/v1/sandbox']) {
      const [plain, slashed] = [await server.request(root), await server.request(`${root}/`)];
      assert.deepEqual([slashed.status, slashed.json], [200, plain.json]);
      assert.equal(slashed.headers.get('etag'), plain.headers.get('etag'));
      assert.equal((await server.request(`${root}/docs/`)).status, 404);
    }
  });
});
