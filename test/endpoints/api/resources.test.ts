/** Tests the contents of each resource: the contract's fields, near misses, and the rules of compatibility and search. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeContentFolder } from '../../support/content-folder.ts';
import { createAppcast } from '../../support/feed-samples.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('GET /api/v1 and each resource below it', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const get = (path: string, headers: Record<string, string> = {}) => server.request(`/api/v1${path}`, { headers });

  it('the url and markdown_url of a resource return its HTML page and its markdown, in the sandbox too', async () => {
    for (const root of ['', '/sandbox']) {
      for (const list of ['/releases?limit=3', '/docs?limit=3', '/faq?limit=3', '/pricing', '/features']) {
        const { data } = (await get(root + list)).json;
        for (const { url, markdown_url: markdown } of [data[0], data.at(-1)]) {
          const { pathname, hash } = new URL(url);
          const page = await server.request(pathname, { headers: { accept: 'text/html' } });
          assert.equal(page.status, 200, url);
          if (hash !== '') assert.ok(page.text.includes(`id="${decodeURIComponent(hash.slice(1))}"`), url);
          const text = await server.request(new URL(markdown).pathname);
          assert.equal(text.headers.get('content-type'), 'text/markdown; charset=utf-8', markdown);
        }
      }
    }
  });

  describe('GET /releases', () => {
    it('the releases are sorted newest first and belong to the default channel', async () => {
      const { json } = await get('/releases?limit=100');
      assert.ok(json.data.length >= 12);
      const dates = json.data.map(({ published_at }: { published_at: string }) => published_at);
      assert.deepEqual(dates, dates.toSorted().reverse());
      assert.ok(json.data.every(({ channel }: { channel: string }) => channel === 'stable'));
      assert.ok(json.data.some(({ critical }: { critical: boolean }) => critical));
    });

    it('the channel parameter adds the releases of another channel, and an unknown channel is rejected with 400', async () => {
      const stable = await get('/releases?limit=100');
      const beta = await get('/releases?limit=100&channel=beta');
      assert.ok(beta.json.data.length > stable.json.data.length);
      const response = await get('/releases?channel=bata');
      assert.equal(response.status, 400);
      assert.deepEqual(response.json.suggestions, ['beta']);
      assert.equal(response.json.errors[0].code, 'invalid_value');
    });

    it('GET /releases/latest returns the release that the updater would offer', async () => {
      const { json } = await get('/releases/latest');
      assert.equal(json.version, '2.3.0');
      assert.equal(json.build, '230');
      assert.deepEqual(json.platform, {
        os: 'macOS',
        min_version: '14.0',
        max_version: null,
        arch: 'arm64',
        hardware_requirements: ['arm64'],
      });
      assert.match(json.download_url, /^https:\/\/updates\.sotto\.example\//);
      assert.doesNotMatch(json.notes, /<[a-z]/i);
      assert.equal(json.notes_format, 'markdown');
      assert.equal(json.published_at_time.slice(0, 10), json.published_at);
      assert.equal(Buffer.from(json.signature.value, 'base64').length, 64);
    });

    it('GET /releases/{version} returns the exact version, or 404 that suggests a similar one', async () => {
      assert.equal((await get('/releases/2.4.0-beta.1')).json.channel, 'beta');
      const { status, json } = await get('/releases/2.30');
      assert.equal(status, 404);
      assert.ok(json.suggestions.includes('2.3.0'));
      assert.match(json.detail, /^No release `2\.30`\. Did you mean /);
      for (const odd of ['%00', '..%2F..%2Fetc', '%ff', 'x'.repeat(5000), '__proto__', 'constructor']) {
        assert.equal((await get(`/releases/${odd}`)).status, 404, odd);
      }
    });

    it('a cursor of one channel is rejected with invalid_cursor for another channel', async () => {
      const { json } = await get('/releases?limit=1&channel=beta');
      const response = await get(`/releases?limit=1&cursor=${json.pagination.next_cursor}`);
      assert.equal(response.json.code, 'invalid_cursor');
    });
  });

  describe('GET /docs', () => {
    const slugs = [
      'quickstart',
      'dictation',
      'agent-mode',
      'backends',
      'configuration',
      'privacy-model',
      'troubleshooting',
      'changelog',
    ];

    it('the list has the eight pages of the contract', async () => {
      const { json } = await get('/docs');
      assert.deepEqual(json.data.map(({ slug }: { slug: string }) => slug).toSorted(), slugs.toSorted());
    });

    it('each page has absolute links, a url with every heading anchor and a markdown_url', async () => {
      for (const slug of slugs) {
        const { json } = await get(`/docs/${slug}`);
        assert.ok(json.word_count >= 400 && json.word_count <= 1500, `${slug}: ${json.word_count} words`);
        for (const link of json.markdown.matchAll(/\]\(([^)\s]+)\)/g))
          assert.match(link[1], /^(https?:|mailto:)/, slug);
        const page = await fetch(json.url, { headers: { accept: 'text/html' } });
        assert.equal(page.status, 200);
        const html = await page.text();
        for (const { anchor } of json.headings) assert.ok(html.includes(`id="${anchor}"`), `${slug}#${anchor}`);
        const markdown = await fetch(json.markdown_url);
        assert.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8');
      }
    });

    it('a misspelled slug returns 404 not_found and suggests the page', async () => {
      const { status, json } = await get('/docs/quikstart');
      assert.equal(status, 404);
      assert.deepEqual(json.suggestions, ['quickstart']);
      assert.match(json.detail, /^No page `quikstart`\. Did you mean `quickstart`\?/);
      assert.equal(json.instance, '/api/v1/docs/quikstart');
      assert.equal(json.request_id.startsWith('req_'), true);
      assert.equal(json.type, `${server.baseUrl}/developers/errors#not_found`);
    });

    it('a slug that is a path or the name of a file on disk returns 404', async () => {
      for (const odd of [
        '../product',
        '..%2Fproduct.yaml',
        '%2e%2e%2fproduct',
        'quickstart.md',
        'quickstart%00',
        '%c0%ae',
      ]) {
        assert.equal((await get(`/docs/${odd}`)).status, 404, odd);
      }
    });
  });

  it('GET /faq has at least 20 entries in at least four categories, and an unknown id returns 404', async () => {
    const { json } = await get('/faq?limit=100');
    assert.ok(json.data.length >= 20);
    assert.ok(new Set(json.data.map(({ category }: { category: string }) => category)).size >= 4);
    const missing = await get('/faq/nothing-like-it');
    assert.equal(missing.status, 404);
  });

  it('GET /pricing has the fields of the contract, and GET /requirements has each permission of GET /features', async () => {
    const pricing = (await get('/pricing')).json;
    assert.deepEqual(Object.keys(pricing), ['object', 'data', 'pagination', 'backends', 'api']);
    assert.equal(pricing.pagination.limit, pricing.data.length);
    assert.deepEqual(pricing.api.price, 'free');
    const features = (await get('/features')).json;
    const requirements = (await get('/requirements')).json;
    const permissions = requirements.permissions.map(({ id }: { id: string }) => id);
    for (const { permission } of features.data) assert.ok(permission === null || permissions.includes(permission));
    assert.equal(requirements.minimum_os_version, '14.0');
  });

  describe('GET /compatibility: unprocessable', () => {
    const check = (os: string, arch: string) => get(`/compatibility?os_version=${encodeURIComponent(os)}&arch=${arch}`);

    it('the response has every reason for an incompatibility, in order', async () => {
      const { json } = await server.request('/api/v1/sandbox/compatibility?os_version=13.2&arch=x86_64');
      assert.deepEqual(
        {
          compatible: json.compatible,
          codes: json.checks.map(({ code }: { code: string }) => code),
          minimum: json.minimum,
        },
        {
          compatible: false,
          codes: ['os_too_old', 'arch_unsupported'],
          minimum: { os_version: '14.0', arch: 'arm64' },
        },
      );
      assert.equal(json.reasons.length, 2);
      assert.match(json.reasons[0], /macOS 13\.2.*older than.*macOS 14\.0/);
    });

    it('os_version is compared as numbers, and 16.1 and 10.16 are interpreted as macOS 26.1 and 11', async () => {
      const rows: [string, boolean, string | undefined][] = [
        ['14', true, undefined],
        ['14.0', true, undefined],
        ['14.0.0', true, undefined],
        ['14.10', true, undefined],
        ['13.9', false, undefined],
        ['10.15', false, undefined],
        ['26', true, undefined],
        ['16.1', true, '26.1'],
        ['10.16', false, '11'],
      ];
      for (const [os, compatible, interpreted] of rows) {
        const { status, json } = await check(os, 'arm64');
        assert.equal(status, 200, os);
        assert.equal(json.compatible, compatible, os);
        assert.equal(json.interpreted_as?.replace(/\.0$/, ''), interpreted, os);
        assert.equal(json.reasons.length === 0, compatible);
      }
    });

    it('a version that never existed is rejected with 422, and a text that is no version with 400', async () => {
      const { status, json } = await check('19', 'arm64');
      assert.equal(status, 422);
      assert.equal(json.code, 'unprocessable');
      for (const odd of ['v14', '14.x', 'Sonoma', '14.5 (23F79)', '14.', '-14', '１４', '']) {
        const response = await check(odd, 'arm64');
        assert.equal(response.status, 400, odd);
        assert.equal(response.json.errors[0].field, 'os_version');
      }
    });

    it('an unknown arch is rejected with a suggestion, and all missing parameters are reported at once', async () => {
      const { json } = await check('14', 'aarch64');
      assert.deepEqual(json.suggestions, ['arm64']);
      assert.equal(json.errors[0].code, 'invalid_value');
      const missing = await get('/compatibility');
      assert.deepEqual(
        missing.json.errors.map(({ field, code }: { field: string; code: string }) => [field, code]),
        [
          ['arch', 'required'],
          ['os_version', 'required'],
        ],
      );
    });
  });

  describe('GET /search', () => {
    const search = (query: string) => get(`/search?${query}`);

    it('the results are sorted by score, have the matching words in bold and have a url that returns 200', async () => {
      const { json } = await search('q=microphone');
      assert.ok(json.data.length > 0);
      const scores = json.data.map(({ score }: { score: number }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((a: number, b: number) => b - a),
      );
      assert.ok(json.data.some(({ excerpt }: { excerpt: string }) => /\*\*microphone\*\*/i.test(excerpt)));
      for (const { object, slug, id, url } of json.data) {
        assert.equal(object === 'doc' ? slug !== undefined : id !== undefined, true);
        assert.equal((await fetch(url)).status, 200);
      }
    });

    it('the type parameter restricts the results to one type, and an unknown type is rejected with 400', async () => {
      for (const type of ['doc', 'faq']) {
        const { json } = await search(`q=dictation&type=${type}&limit=50`);
        assert.ok(json.data.length > 0);
        assert.ok(json.data.every(({ object }: { object: string }) => object === type));
      }
      const { status, json } = await search('q=dictation&type=docs');
      assert.equal(status, 400);
      assert.deepEqual(json.suggestions, ['doc']);
    });

    it('a search for a keyword of keywords.yaml returns its place, and the response does not contain the keyword', async (t) => {
      const words: Record<string, [key: string, type: string, place: string]> = {
        zebra: ['/docs/start', 'doc', '/docs/start'],
        yak: ['/docs/guides/colours#red-and-blue', 'doc', '/docs/guides/colours red-and-blue'],
        xerus: ['/faq/is-it-bright', 'faq', '/faq/is-it-bright'],
        wombat: ['/pricing#free', 'plan', '/pricing free'],
        vole: ['/#feature-dim', 'feature', '/ feature-dim'],
        urchin: ['/#requirements', 'requirements', '/ requirements'],
        tapir: ['/#permission-screen', 'requirements', '/ permission-screen'],
      };
      const places = Object.entries(words).map(([word, [key]]) => `  ${key}: |\n    where is the ${word}?\n`);
      const lamp = await startTestServer({
        env: {
          CONTENT_DIR: writeContentFolder(t, {
            'appcast.xml': createAppcast('1.2.0'),
            'keywords.yaml': `places:\n${places.join('')}`,
          }),
        },
      });
      t.after(() => lamp.close());
      for (const [word, [, type, place]] of Object.entries(words)) {
        const { text, json } = await lamp.request(`/api/v1/search?q=${word}&type=${type}`);
        const hits = json.data.map(({ url, section_url: sectionUrl }: { url: string; section_url: string }) =>
          [url.slice(lamp.baseUrl.length), sectionUrl === url ? '' : sectionUrl.slice(sectionUrl.indexOf('#') + 1)]
            .join(' ')
            .trim(),
        );
        assert.deepEqual([word, hits], [word, [place]]);
        assert.doesNotMatch(text.replace(`q=${word}`, ''), new RegExp(word));
      }
    });

    it('q has 2 to 200 characters, counted as code points and not as UTF-16 code units', async () => {
      assert.equal((await search(`q=${encodeURIComponent('😀')}`)).status, 400);
      assert.equal((await search(`q=${encodeURIComponent('😀😀')}`)).status, 200);
      assert.equal((await search(`q=${encodeURIComponent('😀'.repeat(200))}`)).status, 200);
      const long = await search(`q=${'a'.repeat(201)}`);
      assert.equal(long.json.errors[0].code, 'out_of_range');
      assert.match(long.json.detail, /2 to 200 characters long; you sent 201/);
      assert.equal((await search('limit=1')).json.errors[0].code, 'required');
    });

    it('a query that is not UTF-8 is 400 invalid_request', async () => {
      for (const query of ['%ff%fe', 'microphone%80', '%c3%28', 'a%EF%BF%BD%ff']) {
        const { status, json } = await search(`q=${query}`);
        assert.deepEqual([status, json.code], [400, 'invalid_request'], query);
        assert.deepEqual(json.errors, [
          {
            field: 'q',
            code: 'malformed',
            detail: 'q must be percent-encoded UTF-8; the query contains bytes that are not UTF-8.',
          },
        ]);
      }
      for (const query of ['%EF%BF%BD%EF%BF%BD', 'micro%', '100%25', 'caf%C3%A9', 'ab&other=%ff']) {
        assert.equal((await search(`q=${query}`)).status, 200, query);
      }
    });

    it('a query that matches nothing is corrected, and searched_for has the query that was used', async () => {
      const { json } = await search('q=micropohne');
      assert.ok(json.data.length > 0);
      assert.match(json.searched_for, /microphone/);
    });

    it('a query with quotes, operators or other special characters returns 200', async () => {
      for (const odd of ['"', '*', 'a OR', 'NEAR(a b', 'title:x', '^a', '-a b', '%00%00', "';--", '((', '\\\\']) {
        assert.equal((await search(`q=${encodeURIComponent(odd.padEnd(2))}`)).status, 200, odd);
      }
    });
  });

  it('GET /api/v1 lists the versions, the MCP servers and URLs that return 200', async () => {
    const { json } = await get('');
    assert.equal(json.api_version, (await get('')).headers.get('api-version'));
    assert.deepEqual(json.versioning.versions, [
      { version: 'v1', status: 'current', deprecated_at: null, sunset_at: null, successor: null },
      { version: 'v0', status: 'retired', deprecated_at: '2026-02-01', sunset_at: '2026-08-01', successor: 'v1' },
    ]);
    assert.equal(json.mcp_servers.length, 2);
    for (const url of [json.openapi_url, json.docs_url, json.errors_url, json.sandbox_url]) {
      assert.equal((await fetch(url)).status, 200, url);
    }
  });

  it('GET /developers/errors has a section for every error code of the contract', async () => {
    const html = await (await fetch(`${server.baseUrl}/developers/errors`)).text();
    const markdown = await (await fetch(`${server.baseUrl}/developers/errors.md`)).text();
    const { json } = await server.request('/openapi.json');
    for (const code of json.components.schemas.ProblemCode.enum) {
      assert.ok(html.includes(`id="${code}"`), code);
      assert.ok(markdown.includes(`## ${code}`), code);
    }
  });
});
