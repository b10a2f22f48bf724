/** Tests the client against a running server: every operation, the conditional cache, batches, tokens and exports. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type Client, type ClientOptions, composeClient, createClient } from '../../packages/client/src/client.ts';
import { isApiError, isCode } from '../../packages/client/src/errors.ts';
import type { RequestEvent } from '../../packages/client/src/transport.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createTestRuntime } from './support.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const getClient = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: server.baseUrl, ...options });

/** Calls `run` with a client, and returns the requests that it made, such as `GET /api/v1/docs?limit=1`, in order. */
async function recordRequests(
  options: Partial<ClientOptions>,
  run: (client: Client) => Promise<unknown>,
): Promise<string[]> {
  const requests: string[] = [];
  const onRequest = ({ method, url }: RequestEvent): void =>
    void requests.push(`${method} ${url.slice(server.baseUrl.length)}`);
  await run(getClient({ ...options, onRequest }));
  return requests;
}

/** One call for each operation, by its id, with the parameters of its query. */
const calls: Readonly<Record<string, (client: Client, query: never) => Promise<unknown>>> = {
  getIndex: async (client) => client.index(),
  listReleases: async (client, query) => client.releases.list(query),
  getLatestRelease: async (client, query) => client.releases.latest(query),
  getRelease: async (client) => client.releases.get((await client.releases.latest()).version),
  listDocs: async (client, query) => client.docs.list(query),
  getDoc: async (client) => client.docs.get('quickstart'),
  listFaq: async (client, query) => client.faq.list(query),
  getFaqEntry: async (client) => client.faq.get((await client.faq.list()).data[0]?.id ?? ''),
  getPricing: async (client) => client.pricing.get(),
  listFeatures: async (client) => client.features.list(),
  getRequirements: async (client) => client.requirements.get(),
  checkCompatibility: async (client, query) => client.compatibility.check(query),
  search: async (client, query) => client.search(query),
  runBatch: async (client) => client.batch([{ id: 'one', method: 'GET', path: '/pricing' }]),
  startExport: async (client) => client.exports.start({ resource: 'docs', format: 'json' }),
  getExport: async (client) =>
    client.exports.get((await client.exports.start({ resource: 'docs', format: 'json' })).id),
};

interface Parameter {
  readonly $ref?: string;
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: { readonly type?: string; readonly enum?: readonly string[] };
}

const contract = JSON.parse(readFileSync(new URL('../../contract/openapi.sdk.json', import.meta.url), 'utf8'));

const operations: readonly { id: string; method: string; path: string; parameters: readonly Parameter[] }[] =
  Object.entries<object>(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters = [] }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path: path === '/' ? '' : path,
      parameters: parameters.map((parameter: Parameter) =>
        parameter.$ref === undefined
          ? parameter
          : contract.components.parameters[parameter.$ref.split('/').at(-1) ?? ''],
      ),
    })),
  );

const getExample = ({ example, schema, name }: Parameter): unknown =>
  example ?? schema.enum?.[0] ?? (schema.type === 'integer' ? 3 : name === 'os_version' ? '15.1' : 'beta');

describe('createClient of @colophon/client: methods', () => {
  it('the client has a method for each operation of openapi.sdk.json', () => {
    assert.deepEqual(Object.keys(calls).sort(), operations.map(({ id }) => id).sort());
  });

  for (const { id, method, path, parameters } of operations) {
    it(`the method for ${id} requests the path of the contract with each query parameter`, async () => {
      const query = parameters.filter((parameter) => parameter.in === 'query');
      const values = Object.fromEntries(query.map((parameter) => [parameter.name, getExample(parameter)]));
      const requests = await recordRequests({ sandbox: true }, async (client) => {
        // The server may refuse the call, since the cursor was never issued and the sandbox has no beta: only the request is tested.
        await calls[id]?.(client, values as never).catch((error) => assert.ok(isApiError(error), String(error)));
      });
      const pattern = new RegExp(`^${method} /api/v1/sandbox${path.replace(/\{\w+\}/g, '[^/?]+')}$`);
      const [target = '', search] = requests.at(-1)?.split('?') ?? [];
      assert.match(target, pattern);
      const expected = Object.entries(values).map(([name, value]) => [name, String(value)]);
      assert.deepEqual([...new URLSearchParams(search)], expected);
    });
  }

  it('Idempotency-Key and Prefer are the only header parameters of the contract', () => {
    const names = operations.flatMap(({ parameters }) => parameters.filter((parameter) => parameter.in === 'header'));
    // The client sends Idempotency-Key with every write, and Prefer while it waits for an export.
    assert.deepEqual([...new Set(names.map(({ name }) => name))].sort(), ['Idempotency-Key', 'Prefer']);
  });

  it('the methods for public data resolve in production, and startExport without a token rejects with unauthorized', async () => {
    const required: Readonly<Record<string, object>> = {
      checkCompatibility: { os_version: '15.1', arch: 'arm64' },
      search: { q: 'dictation' },
    };
    for (const { id } of operations) {
      if (id === 'getExport') continue;
      const call = calls[id]?.(getClient(), required[id] as never) ?? Promise.reject(new Error(id));
      if (id === 'startExport') await assert.rejects(call, (error) => isCode(error, 'unauthorized'));
      else assert.ok((await call) !== undefined);
    }
  });

  it('request() fetches an endpoint by its method and path', async () => {
    const plans = await getClient().request<{ object: string }>('GET', '/pricing', { query: { since: 'today' } });
    assert.equal(plans.object, 'list');
  });
});

describe('releases.latest of @colophon/client', () => {
  it('the release is the one for os_version and arch, and an unsupported os_version rejects with unprocessable', async () => {
    const client = getClient();
    const release = await client.releases.latest({ os_version: '15.1', arch: 'arm64' });
    assert.deepEqual(release, (await server.request('/api/v1/releases/latest?os_version=15.1&arch=arm64')).json);
    await assert.rejects(
      async () => client.releases.latest({ os_version: '10.9' }),
      (error) => isCode(error, 'unprocessable'),
    );
  });
});

describe('docs.list, features.list and docs.get of @colophon/client', () => {
  it('docs.list iterates over the entries of every page', async () => {
    const slugs: string[] = [];
    for await (const { slug } of getClient().docs.list({ limit: 3 })) slugs.push(slug);
    assert.deepEqual(
      slugs,
      (await getClient().docs.list({ limit: 100 })).data.map(({ slug }) => slug),
    );
    assert.ok(slugs.length > 3);
  });

  it('features.list iterates over all features, which are on one page', async () => {
    const names: string[] = [];
    for await (const { name } of getClient().features.list()) names.push(name);
    assert.deepEqual(
      names,
      (await getClient().features.list().toArray({ limit: 100 })).map(({ name }) => name),
    );
    assert.ok(names.length > 1);
  });

  it('docs.get of a misspelled slug rejects with not_found, and the detail contains the similar slug', async () => {
    await assert.rejects(
      async () => getClient().docs.get('quikstart'),
      (error) => isCode(error, 'not_found') && /quickstart/.test(error.detail) && error.requestId !== null,
    );
  });
});

describe('The cache option of createClient', () => {
  it('a repeated read gets 304 and returns a separate copy of the cached data', async () => {
    const statuses: number[] = [];
    const recordingFetch: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      statuses.push(response.status);
      return response;
    };
    const client = getClient({ fetch: recordingFetch });
    const first = await client.pricing.get().withResponse();
    const secondReply = await client.pricing.get().withResponse();
    assert.deepEqual([first.fromCache, secondReply.fromCache, secondReply.status], [false, true, 200]);
    assert.deepEqual(secondReply.data, first.data);
    assert.notEqual(secondReply.data, first.data);
    assert.deepEqual(statuses, [200, 304]);
  });

  it('the responses of a batch have an X-Request-Id and no ETag', async () => {
    const client = getClient({ batch: true });
    const replies = await Promise.all([client.pricing.get().withResponse(), client.features.list().withResponse()]);
    for (const { headers } of replies) {
      assert.equal(headers.get('etag'), null);
      assert.notEqual(headers.get('x-request-id'), null);
    }
  });

  it('a client with cache: 0 returns nothing from the cache', async () => {
    const client = getClient({ cache: 0 });
    await client.features.list();
    assert.equal((await client.features.list().withResponse()).fromCache, false);
  });
});

describe('The batch option of createClient', () => {
  it('reads of one tick are sent as one POST /batch, and a failure rejects only its own read', async () => {
    const results: unknown[] = [];
    const requests = await recordRequests({ batch: true }, async (client) => {
      const reads = [
        client.pricing.get(),
        client.features.list(),
        client.pricing.get(),
        client.docs.get('nowhere'),
        client.docs.list({ limit: 2 }),
      ];
      results.push(...(await Promise.allSettled(reads)));
    });
    assert.deepEqual(requests, ['POST /api/v1/batch']);
    const [pricing, , secondPricing, missing, docs] = results as PromiseSettledResult<unknown>[];
    assert.deepEqual(
      [pricing?.status, secondPricing?.status, missing?.status, docs?.status],
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
    const single = { pricing: await getClient().pricing.get(), docs: await getClient().docs.list({ limit: 2 }) };
    assert.deepEqual(
      [Reflect.get(pricing ?? {}, 'value'), Reflect.get(docs ?? {}, 'value')],
      [single.pricing, single.docs],
    );
    assert.ok(isCode(Reflect.get(missing ?? {}, 'reason'), 'not_found'));
  });

  it('reads of 41 paths are sent as two batches of at most twenty and one GET', async () => {
    const requests = await recordRequests({ batch: true }, async (client) => {
      await Promise.allSettled(Array.from({ length: 41 }, (_, index) => client.docs.get(`page-${index}`)));
    });
    assert.deepEqual(requests.sort(), ['GET /api/v1/docs/page-40', 'POST /api/v1/batch', 'POST /api/v1/batch']);
  });

  it('an aborted read rejects with its reason, and the other read of the batch resolves', async () => {
    const client = getClient({ batch: true });
    const abort = new AbortController();
    const [abortedRead, otherRead] = [client.pricing.get({ signal: abort.signal }), client.features.list()];
    abort.abort(new Error('gone'));
    await assert.rejects(async () => abortedRead, /gone/);
    assert.equal((await otherRead).object, 'list');
  });
});

describe('exports.start, exports.wait and exports.download of @colophon/client', () => {
  it('a registered client exports the documentation and downloads a file with the size and SHA-256 of the job', async () => {
    const registration = await getClient().register({
      client_name: 'client test',
      grant_types: ['client_credentials'],
      scope: 'export:docs',
    });
    const auth = { clientId: registration.client_id, clientSecret: registration.client_secret ?? '' };
    const client = getClient({ auth });
    const job = await client.exports.start({ resource: 'docs', format: 'markdown' });
    const states: string[] = [];
    const completedJob = await client.exports.wait(job, { onProgress: ({ status }) => states.push(status) });
    assert.deepEqual([job.status, completedJob.status, states.at(-1)], ['queued', 'completed', 'completed']);
    const bytes = await buffer(await client.exports.download(completedJob));
    assert.deepEqual(
      [bytes.length, createHash('sha256').update(bytes).digest('hex')],
      [completedJob.result?.size_bytes, completedJob.result?.sha256],
    );
  });

  it('exports.wait polls with Prefer: wait=10, and without Prefer if the timeout is ten seconds', async () => {
    const recordPreferences = async (timeout: number): Promise<unknown[]> => {
      const preferences: unknown[] = [];
      const recordingFetch: typeof fetch = async (url, init) => {
        if (init?.method === 'GET') preferences.push(new Headers(init.headers).get('prefer'));
        return fetch(url, init);
      };
      const client = composeClient({ baseUrl: server.baseUrl, sandbox: true, fetch: recordingFetch, timeout }, runtime);
      await client.exports.wait(await client.exports.start({ resource: 'faq', format: 'json' }));
      return preferences;
    };
    const runtime = createTestRuntime(10_000);
    assert.deepEqual(await recordPreferences(30_000), ['wait=10', 'wait=10', 'wait=10']);
    assert.deepEqual(await recordPreferences(10_000), [null, null, null]);
  });

  it('exports.download rejects a queued job and reports its status', async () => {
    const client = getClient({ sandbox: true });
    const job = await client.exports.start({ resource: 'faq', format: 'json' });
    await assert.rejects(client.exports.download(job), /The export is queued: wait for it/);
  });
});

it('README.md of @colophon/client lists exactly the methods of the client', () => {
  const listMethods = (api: object, prefix = ''): string[] =>
    Object.entries(api).flatMap(([name, member]) =>
      typeof member === 'function' ? [`${prefix}${name}`] : listMethods(member, `${prefix}${name}.`),
    );
  const text = readFileSync(new URL('../../packages/client/README.md', import.meta.url), 'utf8');
  const documentedMethods = [...text.matchAll(/^\| `([\w.]+)\(/gm)].map(([, name]) => name);
  assert.deepEqual(documentedMethods.sort(), listMethods(createClient({ baseUrl: 'https://lamp.example' })).sort());
});
