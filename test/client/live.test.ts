/** The client against a started server: every operation, the conditional cache, batches, tokens and exports. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type Client, type ClientOptions, createClient } from '../../packages/client/src/client.ts';
import { isCode } from '../../packages/client/src/errors.ts';
import type { RequestEvent } from '../../packages/client/src/transport.ts';
import { operations } from '../../src/resources/resources.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const clientOf = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: server.baseUrl, ...options });

/** The requests that `run` makes, as method and path. */
async function requestsOf(
  options: Partial<ClientOptions>,
  run: (client: Client) => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = [];
  const onRequest = ({ method, url }: RequestEvent): void =>
    void seen.push(`${method} ${url.slice(server.baseUrl.length)}`);
  await run(clientOf({ ...options, onRequest }));
  return seen;
}

/** One call for each operation, by its id. */
const calls: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  getIndex: async (client) => client.index(),
  listReleases: async (client) => client.releases.list(),
  getLatestRelease: async (client) => client.releases.latest(),
  getRelease: async (client) => client.releases.get((await client.releases.latest()).version),
  listDocs: async (client) => client.docs.list(),
  getDoc: async (client) => client.docs.get('quickstart'),
  listFaq: async (client) => client.faq.list(),
  getFaqEntry: async (client) => client.faq.get((await client.faq.list()).data[0]?.id ?? ''),
  getPricing: async (client) => client.pricing.get(),
  listFeatures: async (client) => client.features.list(),
  getRequirements: async (client) => client.requirements.get(),
  checkCompatibility: async (client) => client.compatibility.check({ os_version: '15.1', arch: 'arm64' }),
  search: async (client) => client.search({ q: 'dictation' }),
  runBatch: async (client) => client.batch([{ id: 'one', method: 'GET', path: '/pricing' }]),
  startExport: async (client) => client.exports.start({ resource: 'docs', format: 'json' }),
  getExport: async (client) =>
    client.exports.get((await client.exports.start({ resource: 'docs', format: 'json' })).id),
};

describe('the client has a method for', () => {
  it('every operation, and for nothing else', () => {
    assert.deepEqual(Object.keys(calls).sort(), operations.map(({ id }) => id).sort());
  });

  for (const { id, method, path } of operations) {
    it(id, async () => {
      const seen = await requestsOf({ sandbox: true }, async (client) => calls[id]?.(client));
      const pattern = new RegExp(
        `^${method} /api/v1/sandbox${path.replace(/\{\w+\}/g, '[^/?]+').replace(/\/$/, '')}(\\?.*)?$`,
      );
      assert.match(seen.at(-1) ?? '', pattern);
    });
  }

  it('the same in production, where exports ask for a token', async () => {
    for (const { id } of operations) {
      if (id === 'getExport') continue;
      const call = calls[id]?.(clientOf()) ?? Promise.reject(new Error(id));
      if (id === 'startExport') await assert.rejects(call, (error) => isCode(error, 'unauthorized'));
      else assert.ok((await call) !== undefined);
    }
  });

  it('endpoints that are newer than it', async () => {
    const plans = await clientOf().request<{ object: string }>('GET', '/pricing', { query: { since: 'today' } });
    assert.equal(plans.object, 'list');
  });
});

describe('a listing and its problems', () => {
  it('walks every page', async () => {
    const slugs: string[] = [];
    for await (const { slug } of clientOf().docs.list({ limit: 3 })) slugs.push(slug);
    assert.deepEqual(
      slugs,
      (await clientOf().docs.list({ limit: 100 })).data.map(({ slug }) => slug),
    );
    assert.ok(slugs.length > 3);
  });

  it('gives the near miss of a wrong slug', async () => {
    await assert.rejects(
      async () => clientOf().docs.get('quikstart'),
      (error) => isCode(error, 'not_found') && /quickstart/.test(error.detail) && error.requestId !== null,
    );
  });
});

describe('the cache', () => {
  it('asks with the entity tag, and gives each caller an object of its own', async () => {
    const statuses: number[] = [];
    const recording: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      statuses.push(response.status);
      return response;
    };
    const client = clientOf({ fetch: recording });
    const first = await client.pricing.get().withResponse();
    const again = await client.pricing.get().withResponse();
    assert.deepEqual([first.fromCache, again.fromCache, again.status], [false, true, 200]);
    assert.deepEqual(again.data, first.data);
    assert.notEqual(again.data, first.data);
    assert.deepEqual(statuses, [200, 304]);
  });

  it('can be off', async () => {
    const client = clientOf({ cache: 0 });
    await client.features.list();
    assert.equal((await client.features.list().withResponse()).fromCache, false);
  });
});

describe('reads of one tick', () => {
  it('are one batch, each path once, and fail each for its own caller', async () => {
    const results: unknown[] = [];
    const seen = await requestsOf({ batch: true }, async (client) => {
      const reads = [
        client.pricing.get(),
        client.features.list(),
        client.pricing.get(),
        client.docs.get('nowhere'),
        client.docs.list({ limit: 2 }),
      ];
      results.push(...(await Promise.allSettled(reads)));
    });
    assert.deepEqual(seen, ['POST /api/v1/batch']);
    const [pricing, , again, missing, docs] = results as PromiseSettledResult<unknown>[];
    assert.deepEqual(
      [pricing?.status, again?.status, missing?.status, docs?.status],
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
    const single = { pricing: await clientOf().pricing.get(), docs: await clientOf().docs.list({ limit: 2 }) };
    assert.deepEqual(
      [Reflect.get(pricing ?? {}, 'value'), Reflect.get(docs ?? {}, 'value')],
      [single.pricing, single.docs],
    );
    assert.ok(isCode(Reflect.get(missing ?? {}, 'reason'), 'not_found'));
  });

  it('are as many batches as twenty paths each need, and a lone one is a GET', async () => {
    const seen = await requestsOf({ batch: true }, async (client) => {
      await Promise.allSettled(Array.from({ length: 41 }, (_, index) => client.docs.get(`page-${index}`)));
    });
    assert.deepEqual(seen.sort(), ['GET /api/v1/docs/page-40', 'POST /api/v1/batch', 'POST /api/v1/batch']);
  });

  it('are given up when the last of their callers has aborted, and not before', async () => {
    const client = clientOf({ batch: true });
    const abort = new AbortController();
    const [left, stays] = [client.pricing.get({ signal: abort.signal }), client.features.list()];
    abort.abort(new Error('gone'));
    await assert.rejects(async () => left, /gone/);
    assert.equal((await stays).object, 'list');
  });
});

describe('an export', () => {
  it('is registered for, started, waited for and downloaded whole', async () => {
    const registered = await clientOf().register({
      client_name: 'client test',
      grant_types: ['client_credentials'],
      scope: 'export:docs',
    });
    const auth = { clientId: registered.client_id, clientSecret: registered.client_secret ?? '' };
    const client = clientOf({ auth });
    const job = await client.exports.start({ resource: 'docs', format: 'markdown' });
    const states: string[] = [];
    const done = await client.exports.wait(job, { onProgress: ({ status }) => states.push(status) });
    assert.deepEqual([job.status, done.status, states.at(-1)], ['queued', 'completed', 'completed']);
    const bytes = await buffer(await client.exports.download(done));
    assert.deepEqual(
      [bytes.length, createHash('sha256').update(bytes).digest('hex')],
      [done.result?.size_bytes, done.result?.sha256],
    );
  });

  it('that is not completed cannot be downloaded, and says so', async () => {
    const client = clientOf({ sandbox: true });
    const job = await client.exports.start({ resource: 'faq', format: 'json' });
    await assert.rejects(client.exports.download(job), /The export is queued: wait for it/);
  });
});
