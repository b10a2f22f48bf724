/** Tests that the developer portal describes the service: every operation, object, error code and version, and the limits as configured. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { apiVersion } from '../../../src/base/build.ts';
import { codes, problemCodes } from '../../../src/base/problem-codes.ts';
import { dayInWords } from '../../../src/content/facts.ts';
import { simulations } from '../../../src/operations/simulations.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { readPage } from '../../support/site-page.ts';

const html = { headers: { accept: 'text/html' } };

describe('GET /developers, its guides and /developers/reference', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: { RATE_LIMIT_TOKEN: '4321' } });
  });
  after(() => server.close());

  it('the reference describes every operation with its parameters, fields, statuses and samples', async () => {
    const { json } = await server.request('/api/v1');
    const { json: document } = await server.request('/openapi.json');
    const overview = readPage((await server.request('/developers/reference', html)).text);
    for (const { operation_id: id, method, path } of json.endpoints) {
      const href =
        overview.addresses.find(({ url }) => /\/reference\/\w+#/.test(url) && url.endsWith(`#${id}`))?.url ?? '';
      const address = href.slice(0, href.indexOf('#'));
      const page = await server.request(address, html);
      assert.ok(readPage(page.text).ids.includes(id), href);
      const { text } = await server.request(`${address}.md`);
      const section = text.slice(text.indexOf(`(\`${id}\`)`)).split(/^## /m)[0] ?? '';
      assert.ok(text.includes(`\`${method} ${path}\` (\`${id}\`)`), id);
      // Each status has a description or links to the examples of its codes, except 410, because no version is retired.
      for (const status of Object.keys(document.paths[path][method.toLowerCase()].responses)) {
        if (status === '410') continue;
        assert.match(section, new RegExp(`^(Status ${status}|- ${status}: \\[)`, 'm'), `${id}: ${status}`);
      }
      for (const { name, in: place } of document.paths[path][method.toLowerCase()].parameters) {
        // Headers are the same for every operation, so only the overview describes them.
        if (place === 'path' || place === 'query') assert.ok(section.includes(`- \`${name}\` `), `${id}: ${name}`);
      }
      for (const language of ['sh', 'js', 'python', 'swift', 'go', 'json']) {
        assert.ok(section.includes(`\`\`\`${language}\n`), `${id}: ${language}`);
      }
    }
  });

  it('the reference describes every other endpoint of the contract, with a request and a response', async () => {
    const { json: document } = await server.request('/openapi.json');
    const overview = readPage((await server.request('/developers/reference', html)).text);
    let operationCount = 0;
    for (const [path, item] of Object.entries<Record<string, { operationId: string; tags: string[] }>>(
      document.paths,
    )) {
      if (path.startsWith('/api/')) continue;
      for (const [method, { operationId: id, tags }] of Object.entries(item)) {
        operationCount += 1;
        const address = `/developers/reference/${tags[0]?.toLowerCase()}`;
        assert.ok(
          overview.addresses.some(({ url }) => url === `${address}#${id}`),
          id,
        );
        const { text } = await server.request(`${address}.md`);
        const section = text.slice(text.indexOf(`(\`${id}\`)`)).split(/^## /m)[0] ?? '';
        assert.ok(text.includes(`\`${method.toUpperCase()} ${path}\` (\`${id}\`)`), id);
        for (const language of ['sh', 'js', 'python', 'swift', 'go']) {
          assert.ok(section.includes(`\`\`\`${language}\n`), `${id}: ${language}`);
        }
        assert.match(section, /^\d{3}, (an example|without a body)/m, id);
      }
    }
    assert.equal(operationCount, 16);
  });

  it('every parameter and every field has an anchor, to which its name links', async () => {
    const pages = {
      releases: ['listReleases.limit', 'listReleases.response.pagination.has_more', 'getRelease.version'],
      documentation: ['listDocs.response.data'],
      exports: ['startExport.resource'],
      authentication: ['issueToken.grant_type'],
      'objects/release': ['platform', 'platform.os', 'url', 'markdown_url'],
      'objects/plan': ['price.amount', 'url', 'markdown_url'],
      'objects/feature': ['url', 'markdown_url'],
    };
    for (const [path, ids] of Object.entries(pages)) {
      const page = readPage((await server.request(`/developers/reference/${path}`, html)).text);
      const hrefs = new Set(page.addresses.map(({ url }) => url));
      for (const id of ids) assert.ok(page.ids.includes(id), `${path}: ${id}`);
      const anchors = page.ids.filter((id) => id.includes('.'));
      for (const id of anchors) assert.ok(hrefs.has(`#${id}`), `${path}: ${id}`);
    }
  });

  it('every object that the contract returns has a page with its fields and an example', async () => {
    const { json: document } = await server.request('/openapi.json');
    const { text: overview } = await server.request('/developers/reference.md');
    const lists = await Promise.all(
      ['/sitemap.xml', '/llms.txt', '/developers'].map((path) => server.request(path, html)),
    );
    const pages = new Map<string, string>();
    for (const [path] of overview.matchAll(/\/developers\/reference\/objects\/[a-z-]+(?=\.md\))/g)) {
      const { text } = await server.request(`${path}.md`);
      pages.set(text.split('\n\n')[2] ?? '', text);
      const [, example = ''] = /\n## Example\n\n```json\n([\s\S]*)\n```\n$/.exec(text) ?? [];
      const names = Object.keys(JSON.parse(example)).filter((name) => name !== 'sandbox');
      for (const name of names) assert.ok(text.includes(`\n- \`${name}\` `), `${path}: ${name}`);
      for (const list of lists) assert.ok(list.text.includes(path), path);
    }
    const { schemas } = document.components;
    const bodies = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Record<string, { responses: object }>).map(({ responses }) => JSON.stringify(responses)),
    );
    for (const [, name = ''] of bodies
      .join()
      .matchAll(/"schema":\{"\$ref":"#\/components\/schemas\/(?!Sandbox)(\w+)"/g)) {
      const { properties, description } = schemas[name];
      const list = properties.data?.items?.$ref?.split('/').at(-1);
      const page = pages.get(list === undefined ? description : schemas[list].description);
      assert.ok(page, name);
      const fields = Object.keys(schemas[list ?? name].properties);
      for (const field of fields) assert.ok(page.includes(`\n- \`${field}\` `), `${name}: ${field}`);
    }
    const { status, json } = await server.request('/developers/reference/objects/releas');
    assert.equal(status, 404);
    assert.deepEqual(json.suggestions, ['release']);
  });

  it('the menu has one entry called Authentication', async () => {
    const page = readPage((await server.request('/developers/versioning', html)).text);
    assert.equal(page.getTexts('a').filter((title) => title === 'Authentication').length, 1);
  });

  it('no page of the sitemap has a field for a password', async () => {
    const { text: sitemap } = await server.request('/sitemap.xml');
    const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);
    for (const path of ['authentication', 'reference/authentication', 'reference/exports', 'reference/releases'])
      assert.ok(paths.includes(`/developers/${path}`), path);
    const assertNoPassword = async (path: string): Promise<void> => {
      const { status, text } = await server.request(path, html);
      assert.equal(status, 200, path);
      assert.doesNotMatch(text, /type=["']?password/i, path);
    };
    await Promise.all(paths.map(assertNoPassword));
  });

  it('every error code has a section with its meaning, its fix and an example', async () => {
    const page = readPage((await server.request('/developers/errors', html)).text);
    const text = page.getTexts('main').join(' ');
    assert.doesNotMatch(text, /<details>/);
    const plain = (markdown: string) => markdown.replaceAll('`', '').replace(/\s+/g, ' ');
    for (const code of codes) {
      assert.ok(page.ids.includes(code), code);
      assert.ok(text.includes(`"code": "${code}"`), `${code}: example`);
      const { title, meaning, fix } = problemCodes[code];
      for (const part of [title, plain(meaning), plain(fix)]) assert.ok(text.includes(part), `${code}: ${part}`);
    }
  });

  it('the changelog begins with this build', async () => {
    const { text } = await server.request('/developers/changelog.md');
    const days = [...text.matchAll(/^## (.+)$/gm)].map(([, day = '']) => day);
    assert.equal(days[0], dayInWords(apiVersion));
    const times = days.map((day) => Date.parse(day));
    assert.deepEqual(times, times.toSorted().reverse());
  });

  it('the guide shows the limits as they are configured', async () => {
    const { text } = await server.request('/developers.md');
    assert.match(text, /\| `authenticated` \| 4,321 \|/);
    assert.match(text, /4,321 requests per minute, instead of 1,000,000 for each address/);
  });

  it('the guide lists every value of simulate with its response', async () => {
    const { text } = await server.request('/developers.md');
    const rows = [...text.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)];
    for (const name of simulations.keys()) {
      const row = rows.find(([, value]) => value === name);
      assert.ok(row && row[2] !== '–', name);
      const { status } = await server.request(`/api/v1/sandbox/docs?simulate=${name}`);
      assert.ok(row[2]?.startsWith(status === 200 ? 'the normal response' : String(status)), `${name}: ${row[2]}`);
    }
  });

  it('an unknown page of the reference is 404', async () => {
    const { status } = await server.request('/developers/reference/nothing', html);
    assert.equal(status, 404);
  });
});

describe('GET /developers/versioning', () => {
  const versions = [
    { name: 'v2', served: true, deprecated: null, sunset: null, successor: null },
    { name: 'v1', served: true, deprecated: '2027-01-01', sunset: '2027-09-01', successor: 'v2' },
    { name: 'v0', served: false, deprecated: '2026-02-01', sunset: '2026-08-01', successor: 'v1' },
  ];

  /** Returns the text about each version on a day, and the changelog. */
  async function fetchVersions(day: string) {
    const server = await startTestServer({ clock: createManualClock(Date.parse(day)), versions });
    try {
      const { text } = await server.request('/developers/versioning.md');
      const { ids } = readPage((await server.request('/developers/versioning', html)).text);
      for (const { name } of versions) assert.ok(ids.includes(name), name);
      const getSection = (name: string) => text.split(`## ${name}\n\n`)[1]?.split(/^## /m)[0] ?? '';
      const changelog = (await server.request('/developers/changelog.md')).text;
      return { v1: getSection('v1'), v0: getSection('v0'), changelog };
    } finally {
      await server.close();
    }
  }

  it('the page follows each version from current to deprecated to retired', async () => {
    const current = await fetchVersions('2026-12-01');
    assert.match(current.v1, /^Current\./);
    assert.match(current.v0, /^Retired on 1 August 2026, after its deprecation on 1 February 2026\./);
    assert.doesNotMatch(current.changelog, /`v1` is/);

    const deprecated = await fetchVersions('2027-02-01');
    assert.match(deprecated.v1, /^Deprecated since 1 January 2027, to be retired on 1 September 2027\. Use `v2`\./);
    assert.match(deprecated.v1, /^Deprecation: @1798761600$/m);
    assert.match(deprecated.v1, /^Sunset: Wed, 01 Sep 2027 00:00:00 GMT$/m);
    assert.match(deprecated.changelog, /## 1 January 2027\n\n- `v1` is deprecated\. Use `v2`\./);

    const retired = await fetchVersions('2027-09-02');
    assert.match(retired.v1, /^Retired on 1 September 2027/);
    assert.match(retired.changelog, /## 1 September 2027\n\n- `v1` is retired and returns 410\./);
  });
});
