/** Tests that a program gets the same results from production and the sandbox, through the client and through plain HTTP. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../packages/client/src/client.ts';
import { ApiError, isCode } from '../../packages/client/src/errors.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { readPage } from '../support/site-page.ts';

let server: TestServer;
let auth: { clientId: string; clientSecret: string };
before(async () => {
  server = await startTestServer();
  const registration = await createClient({ baseUrl: server.baseUrl }).register({
    client_name: 'program',
    grant_types: ['client_credentials'],
    scope: 'export:docs',
  });
  auth = { clientId: registration.client_id, clientSecret: registration.client_secret ?? '' };
});
after(() => server.close());

/**
 * Returns the first h1 of the page at a link of a response, with the straight apostrophes that the API has, or an empty text.
 * Asserts that the page exists and, if the link has a fragment, has an element with this id.
 */
async function fetchHeading(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'text/html' } });
  assert.equal(response.status, 200, url);
  const page = readPage(await response.text());
  const { hash } = new URL(url);
  if (hash !== '') assert.ok(page.ids.includes(decodeURIComponent(hash.slice(1))), url);
  return (page.getTexts('h1')[0] ?? '').replaceAll('’', "'");
}

async function fetchMarkdown(url: string): Promise<string> {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8');
  return response.text();
}

/** Registers the tests of a program that uses the client. They are the same for production and the sandbox. */
function registerProgramTests(createProgramClient: (options?: { batch?: true }) => Client): void {
  it('the latest release is also returned by its version and in the list', async () => {
    const latest = await createProgramClient().releases.latest();
    assert.match(latest.version, /^\d+\.\d+\.\d+/);
    assert.deepEqual(await createProgramClient().releases.get(latest.version), latest);
    assert.ok(
      (await createProgramClient().releases.list().toArray({ limit: 100 })).some(
        ({ version }) => version === latest.version,
      ),
    );
  });

  it('each entry of docs.list links to a page with its title and headings, and to the Markdown', async () => {
    const slugs: string[] = [];
    for await (const entry of createProgramClient().docs.list({ limit: 2 })) {
      slugs.push(entry.slug);
      assert.equal(await fetchHeading(entry.url), entry.title);
      assert.ok((await fetchMarkdown(entry.markdown_url)).includes(`# ${entry.title}`));
      const page = await createProgramClient().docs.get(entry.slug);
      for (const { anchor } of page.headings) await fetchHeading(`${page.url}#${anchor}`);
    }
    for (const slug of ['quickstart', 'dictation', 'troubleshooting']) assert.ok(slugs.includes(slug), slug);
  });

  it('each FAQ entry and each search result links to a page and to its Markdown', async () => {
    for (const { id, question, url, markdown_url } of await createProgramClient().faq.list().toArray({ limit: 100 })) {
      assert.equal((await createProgramClient().faq.get(id)).question, question);
      assert.equal(await fetchHeading(url), question);
      assert.ok((await fetchMarkdown(markdown_url)).includes(`# ${question}`));
    }
    const results = await createProgramClient().search({ q: 'dictation' });
    assert.ok(results.data.length > 0);
    for (const { section_url, markdown_url } of results.data) {
      await fetchHeading(section_url);
      await fetchMarkdown(markdown_url);
    }
  });

  it('pricing, features and requirements are the same in a batch as one by one, and match compatibility.check', async () => {
    const client = createProgramClient({ batch: true });
    const batched = await Promise.all([client.pricing.get(), client.features.list(), client.requirements.get()]);
    const single = createProgramClient();
    assert.deepEqual(batched, [
      await single.pricing.get(),
      await single.features.list(),
      await single.requirements.get(),
    ]);
    const { compatible, minimum } = await single.compatibility.check({ os_version: '15.1', arch: 'arm64' });
    assert.equal(compatible, true);
    assert.equal(minimum.os_version, batched[2].minimum_os_version);
  });

  it('a misspelled slug rejects with not_found and a suggestion, and a limit of 250 with out_of_range', async () => {
    await assert.rejects(
      async () => createProgramClient().docs.get('quikstart'),
      (error) => isCode(error, 'not_found') && error.suggestions.includes('quickstart'),
    );
    await assert.rejects(
      async () => createProgramClient().docs.list({ limit: 250 }),
      (error) => error instanceof ApiError && error.status === 400 && error.errors[0]?.code === 'out_of_range',
    );
  });

  it('each GET endpoint of the index without parameters returns 200', async () => {
    const { endpoints } = await createProgramClient().index();
    const readableEndpoints = endpoints.filter(
      ({ method, url }) => method === 'GET' && !/\{|search|compatibility/.test(url),
    );
    assert.ok(readableEndpoints.length > 5);
    for (const { url } of readableEndpoints) assert.equal((await fetch(url)).status, 200, url);
  });

  it('the exported file has the SHA-256 of the job and the entries of faq.list', async () => {
    const client = createProgramClient();
    const completedJob = await client.exports.wait(await client.exports.start({ resource: 'faq', format: 'json' }));
    const bytes = await buffer(await client.exports.download(completedJob));
    assert.equal(createHash('sha256').update(bytes).digest('hex'), completedJob.result?.sha256);
    const { data } = JSON.parse(bytes.toString()) as { data: { id: string; url: string }[] };
    assert.deepEqual(data, await client.faq.list().toArray({ limit: 100 }));
  });
}

describe('createClient without the sandbox option', () => {
  registerProgramTests((options) => createClient({ baseUrl: server.baseUrl, auth, ...options }));
});

describe('createClient with sandbox: true', () => {
  registerProgramTests((options) => createClient({ baseUrl: server.baseUrl, auth, sandbox: true, ...options }));
});

/** Returns the types of an object's fields except `sandbox`, whether a list is empty, or the type of any other value. */
const getShape = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? 'items' : ['items'];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const fields = Object.entries(value).filter(([name]) => name !== 'sandbox');
  return Object.fromEntries(fields.map(([name, inner]) => [name, inner === null ? 'null' : typeof inner]));
};

describe('GET /api/v1 and GET /api/v1/sandbox', () => {
  it('both return objects with the same fields, and only the sandbox adds sandbox: true', async () => {
    const paths = ['', '/docs/quickstart', '/docs', '/faq', '/pricing', '/features', '/requirements'];
    for (const path of paths) {
      const shapes: unknown[] = [];
      for (const root of ['/api/v1', '/api/v1/', '/api/v1/sandbox', '/api/v1/sandbox/']) {
        const { status, json } = await server.request(root.replace(/\/$/, path === '' ? '$&' : '') + path);
        assert.equal(status, 200);
        assert.equal(json.sandbox, root.includes('sandbox') ? true : undefined);
        shapes.push(getShape(json), getShape(json.data?.[0]));
      }
      for (let index = 2; index < shapes.length; index += 1) assert.deepEqual(shapes[index], shapes[index % 2], path);
    }
  });
});
