/** A program's own tests, run unchanged against production and the sandbox: with the client's switch, and with a base URL. */
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
  const registered = await createClient({ baseUrl: server.baseUrl }).register({
    client_name: 'program',
    grant_types: ['client_credentials'],
    scope: 'export:docs',
  });
  auth = { clientId: registered.client_id, clientSecret: registered.client_secret ?? '' };
});
after(() => server.close());

/** Returns the heading of the page that a person sees at a link of a response, with the straight apostrophes that the API has. */
async function headingAt(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'text/html' } });
  assert.equal(response.status, 200, url);
  const page = readPage(await response.text());
  const { hash } = new URL(url);
  if (hash !== '') assert.ok(page.ids.includes(decodeURIComponent(hash.slice(1))), url);
  return (page.texts('h1')[0] ?? '').replaceAll('’', "'");
}

async function markdownAt(url: string): Promise<string> {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8');
  return response.text();
}

/** Nothing here knows which of the two it talks to. */
function programTests(createProgramClient: (options?: { batch?: true }) => Client): void {
  it('reads the latest release, and finds it again by its version', async () => {
    const latest = await createProgramClient().releases.latest();
    assert.match(latest.version, /^\d+\.\d+\.\d+/);
    assert.deepEqual(await createProgramClient().releases.get(latest.version), latest);
    assert.ok(
      (await createProgramClient().releases.list().toArray({ limit: 100 })).some(
        ({ version }) => version === latest.version,
      ),
    );
  });

  it('walks the documentation page by page, and opens what each entry links to', async () => {
    const slugs: string[] = [];
    for await (const entry of createProgramClient().docs.list({ limit: 2 })) {
      slugs.push(entry.slug);
      assert.equal(await headingAt(entry.url), entry.title);
      assert.ok((await markdownAt(entry.markdown_url)).includes(`# ${entry.title}`));
      const page = await createProgramClient().docs.get(entry.slug);
      for (const { anchor } of page.headings) await headingAt(`${page.url}#${anchor}`);
    }
    for (const slug of ['quickstart', 'dictation', 'troubleshooting']) assert.ok(slugs.includes(slug), slug);
  });

  it('opens every question and every search result', async () => {
    for (const { id, question, url, markdown_url } of await createProgramClient().faq.list().toArray({ limit: 100 })) {
      assert.equal((await createProgramClient().faq.get(id)).question, question);
      assert.equal(await headingAt(url), question);
      assert.ok((await markdownAt(markdown_url)).includes(`# ${question}`));
    }
    const results = await createProgramClient().search({ q: 'dictation' });
    assert.ok(results.data.length > 0);
    for (const { section_url, markdown_url } of results.data) {
      await headingAt(section_url);
      await markdownAt(markdown_url);
    }
  });

  it('reads facts, one by one and as one batch', async () => {
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

  it('recognizes failures, and is given the near miss', async () => {
    await assert.rejects(
      async () => createProgramClient().docs.get('quikstart'),
      (error) => isCode(error, 'not_found') && error.suggestions.includes('quickstart'),
    );
    await assert.rejects(
      async () => createProgramClient().docs.list({ limit: 250 }),
      (error) => error instanceof ApiError && error.status === 400 && error.errors[0]?.code === 'out_of_range',
    );
  });

  it('finds every endpoint in the index', async () => {
    const { endpoints } = await createProgramClient().index();
    const read = endpoints.filter(({ method, url }) => method === 'GET' && !/\{|search|compatibility/.test(url));
    assert.ok(read.length > 5);
    for (const { url } of read) assert.equal((await fetch(url)).status, 200, url);
  });

  it('exports the FAQ, and downloads the file', async () => {
    const client = createProgramClient();
    const done = await client.exports.wait(await client.exports.start({ resource: 'faq', format: 'json' }));
    const bytes = await buffer(await client.exports.download(done));
    assert.equal(createHash('sha256').update(bytes).digest('hex'), done.result?.sha256);
    const { data } = JSON.parse(bytes.toString()) as { data: { id: string; url: string }[] };
    assert.deepEqual(data, await client.faq.list().toArray({ limit: 100 }));
  });
}

describe('a program against production', () => {
  programTests((options) => createClient({ baseUrl: server.baseUrl, auth, ...options }));
});

describe('the same program against the sandbox', () => {
  programTests((options) => createClient({ baseUrl: server.baseUrl, auth, sandbox: true, ...options }));
});

/** A program without a client has the API's root as its only setting. */
const getShape = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? 'items' : ['items'];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const fields = Object.entries(value).filter(([name]) => name !== 'sandbox');
  return Object.fromEntries(fields.map(([name, inner]) => [name, inner === null ? 'null' : typeof inner]));
};

describe('a base URL', () => {
  it('of either, with a slash at its end or without, gives objects with the same fields', async () => {
    const paths = ['', '/docs/quickstart', '/docs', '/faq', '/pricing', '/features', '/requirements'];
    for (const path of paths) {
      const shapes: unknown[] = [];
      for (const root of ['/api/v1', '/api/v1/', '/api/v1/sandbox', '/api/v1/sandbox/']) {
        const { status, json } = await server.ask(root.replace(/\/$/, path === '' ? '$&' : '') + path);
        assert.equal(status, 200);
        assert.equal(json.sandbox, root.includes('sandbox') ? true : undefined);
        shapes.push(getShape(json), getShape(json.data?.[0]));
      }
      for (let at = 2; at < shapes.length; at += 1) assert.deepEqual(shapes[at], shapes[at % 2], path);
    }
  });
});
