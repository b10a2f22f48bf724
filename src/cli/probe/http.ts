/** What the probe checks of the protocol: conditional requests, methods, refusals, cursors, idempotency. */
import { api, type Entry, expectStatus, listOf, member, object, post, textOf } from './expectations.ts';
import { expect } from './session.ts';

export const http: readonly Entry[] = [
  [
    '304 to a current entity tag',
    async (session) => {
      const { headers } = await session.ask(`${api}/features`);
      const etag = headers.get('etag') ?? '';
      const again = await session.ask(`${api}/features`, { headers: { 'if-none-match': etag } });
      expectStatus(again, 304);
      expect(again.text === '', 'the 304 has a body');
      expect(again.headers.get('etag') === etag, 'the 304 has another ETag');
    },
  ],
  [
    'HEAD has the headers of GET, and no body',
    async (session) => {
      const get = await session.ask(`${api}/features`);
      const head = await session.ask(`${api}/features`, { method: 'HEAD' });
      expectStatus(head, 200);
      expect(head.text === '', 'it has a body');
      expect(get.headers.has('etag') && head.headers.get('etag') === get.headers.get('etag'), 'its ETag is another');
    },
  ],
  [
    '405 names the methods in Allow',
    async (session) => {
      const answer = await session.ask(`${api}/faq`, { method: 'DELETE' });
      expectStatus(answer, 405, 'method_not_allowed');
      expect(/\bGET\b/.test(answer.headers.get('allow') ?? ''), 'Allow does not name GET');
    },
  ],
  [
    '406 when no representation matches',
    async (session) =>
      expectStatus(await session.ask(`${api}/faq`, { headers: { accept: 'image/png' } }), 406, 'not_acceptable'),
  ],
  [
    '415 for a POST that is not JSON',
    async (session) => {
      const body = { ...post({}), headers: { 'content-type': 'text/plain' } };
      expectStatus(await session.ask(`${api}/batch`, body), 415, 'unsupported_media_type');
    },
  ],
  [
    '413 for a batch of 21, and for a body over 64 KB',
    async (session) => {
      const operations = Array.from({ length: 21 }, (_, index) => ({ id: `${index}`, method: 'GET', path: '/faq' }));
      expectStatus(await session.ask(`${api}/batch`, post({ operations })), 413, 'payload_too_large');
      const large = await session.ask(`${api}/batch`, post({ operations: [], filler: 'a'.repeat(65_536) }));
      expectStatus(large, 413, 'payload_too_large');
    },
  ],
  [
    '400 lists every invalid parameter',
    async (session) => {
      for (const query of ['docs?limit=0', 'docs?limit=101', 'search?q=a', 'compatibility']) {
        const answer = await session.ask(`${api}/${query}`);
        expectStatus(answer, 400, 'invalid_request');
        expect(Array.isArray(answer.json.errors) && answer.json.errors.length > 0, `${query}: no \`errors\``);
      }
    },
  ],
  [
    '404 for what does not exist',
    async (session) => {
      for (const path of ['releases/0.0.0-none', 'docs/no-such-page']) {
        expectStatus(await session.ask(`${api}/${path}`), 404, 'not_found');
      }
    },
  ],
  [
    'CORS lets pages of any origin read',
    async (session) => {
      const { headers } = await session.ask(`${api}/faq`, { headers: { origin: 'https://example.com' } });
      expect(headers.get('access-control-allow-origin') === '*', 'Access-Control-Allow-Origin is not *');
      expect(!headers.has('access-control-allow-credentials'), 'credentials are allowed');
    },
  ],
  [
    'Idempotency-Key is echoed, and another body with it is 409',
    async (session) => {
      const key = { 'idempotency-key': `probe-${crypto.randomUUID()}` };
      const of = (path: string) => post({ operations: [{ id: 'a', method: 'GET', path }] }, key);
      const one = await session.ask(`${api}/batch`, of('/faq'));
      expect(one.headers.get('idempotency-key') === key['idempotency-key'], 'the key is not echoed');
      expectStatus(await session.ask(`${api}/batch`, of('/pricing')), 409, 'idempotency_conflict');
    },
  ],
];

export const paging: readonly Entry[] = [
  [
    'cursors page through a list without repeats',
    async (session) => {
      const seen = new Set<string>();
      let cursor: unknown = null;
      for (let page = 0; page < 3; page += 1) {
        const query = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : '';
        const answer = await object(session, `${api}/faq?limit=1${query}`, 'list');
        const id = textOf(listOf(answer)[0], 'id');
        expect(!seen.has(id), `${id} comes twice`);
        seen.add(id);
        cursor = member(answer.json.pagination, 'next_cursor');
        const more = member(answer.json.pagination, 'has_more');
        expect((typeof cursor === 'string') === more, '`next_cursor` and `has_more` disagree');
        if (more !== true) return;
        expect(/rel="?next/.test(answer.headers.get('link') ?? ''), 'Link has no rel="next"');
      }
    },
  ],
  [
    '400 invalid_cursor for a cursor that was not issued',
    async (session) => expectStatus(await session.ask(`${api}/faq?cursor=nonsense`), 400, 'invalid_cursor'),
  ],
];
