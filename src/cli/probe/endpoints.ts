/** What the probe checks on the API's endpoints: the response of each, in both representations. */
import { api, type Entry, expectStatus, first, listOf, member, object, post, textOf } from './expectations.ts';
import { expect } from './session.ts';

export const endpoints: readonly Entry[] = [
  [
    'the index lists every endpoint, and its own address',
    async (session) => {
      const { json } = await object(session, api, 'index');
      expect(json.base_url === session.baseUrl, `base_url is ${json.base_url}; set BASE_URL to ${session.baseUrl}`);
      expect(Array.isArray(json.endpoints) && json.endpoints.length >= 15, 'it lists fewer than 15 endpoints');
      expect(member(json, 'versioning') !== undefined, 'it has no `versioning`');
    },
  ],
  [
    'releases: the list, the latest, and one by its version',
    async (session) => {
      const version = await first(session, `${api}/releases`, 'version');
      await object(session, `${api}/releases/latest`, 'release');
      const one = await object(session, `${api}/releases/${encodeURIComponent(version)}`, 'release');
      expect(one.json.version === version, `it is version ${one.json.version}, not ${version}`);
    },
  ],
  [
    'docs: the list, and one page with its markdown',
    async (session) => {
      const slug = await first(session, `${api}/docs`, 'slug');
      const page = await object(session, `${api}/docs/${slug}`, 'doc');
      expect(textOf(page.json, 'markdown') !== '', 'the page has no `markdown`');
    },
  ],
  [
    'faq, pricing, features, requirements',
    async (session) => {
      for (const path of ['faq', 'pricing', 'features']) await object(session, `${api}/${path}`, 'list');
      await object(session, `${api}/requirements`, 'requirements');
    },
  ],
  [
    'compatibility says whether, and why not',
    async (session) => {
      const { json } = await object(session, `${api}/compatibility?os_version=10.4&arch=x86_64`, 'compatibility');
      expect(json.compatible === false, 'it says that macOS 10.4 is compatible');
      expect(Array.isArray(json.reasons) && json.reasons.length > 0, 'it gives no reasons');
    },
  ],
  [
    'search finds the words of a page’s own title',
    async (session) => {
      const title = await first(session, `${api}/docs`, 'title');
      const found = await object(session, `${api}/search?q=${encodeURIComponent(title.slice(0, 200))}`, 'list');
      const [best] = listOf(found);
      expect(typeof member(best, 'score') === 'number', 'it finds nothing with a `score`');
    },
  ],
  [
    'a batch gives each operation its own result, the single GET’s body',
    async (session) => {
      const operations = [
        { id: 'a', method: 'GET', path: '/features' },
        { id: 'b', method: 'GET', path: '/no-such-endpoint' },
      ];
      const batch = await session.ask(`${api}/batch`, post({ operations }));
      expectStatus(batch, 200);
      const [good, bad] = Array.isArray(batch.json.results) ? batch.json.results : [];
      const single = await session.ask(`${api}/features`);
      expect(member(good, 'status') === 200, 'its valid operation is not 200');
      expect(JSON.stringify(member(good, 'body')) === JSON.stringify(single.json), 'its body is not the single GET’s');
      expect(member(bad, 'status') === 404, 'its invalid operation is not 404');
      expect(member(member(bad, 'body'), 'code') === 'not_found', 'its invalid operation has no problem document');
    },
  ],
  [
    'markdown on request, with another entity tag',
    async (session) => {
      const asJson = await session.ask(`${api}/pricing`);
      const asMarkdown = await session.ask(`${api}/pricing`, { headers: { accept: 'text/markdown' } });
      expectStatus(asMarkdown, 200);
      expect((asMarkdown.headers.get('content-type') ?? '').startsWith('text/markdown'), 'it is not text/markdown');
      expect(asJson.headers.get('etag') !== asMarkdown.headers.get('etag'), 'both have the same ETag');
      expect(/\baccept\b/i.test(asJson.headers.get('vary') ?? ''), 'Vary does not name Accept');
    },
  ],
];
