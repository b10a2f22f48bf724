/** Conditional requests for API responses, pages and files: only If-None-Match decides whether the response is a 304. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { apiVersion } from '../../src/base/build.ts';
import { createEtag } from '../../src/base/entity-tag.ts';
import { responseHeaderNames } from '../../src/operations/response-headers.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Names of the headers that differ from request to request or from connection to connection. */
const perRequest = new Set([
  ...['connection', 'date', 'keep-alive', 'x-request-id'],
  ...['ratelimit', 'ratelimit-remaining', 'ratelimit-reset'],
]);

/** The headers that all three kinds of response have. */
const shared = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': responseHeaderNames.join(', '),
  'api-version': apiVersion,
  'cache-control': 'public, max-age=60, s-maxage=300, stale-while-revalidate=300, stale-if-error=604800',
  'ratelimit-limit': '1000000',
  'x-content-type-options': 'nosniff',
};

/** The headers of each kind of response, except its entity tag and its length. */
const kinds: readonly [path: string, createHeaders: (baseUrl: string) => Record<string, string>][] = [
  [
    '/api/v1/docs/quickstart',
    () => ({
      ...shared,
      'content-type': 'application/json; charset=utf-8',
      'ratelimit-policy': '"anonymous";q=1000000;w=60',
      vary: 'Accept, Authorization, Accept-Encoding',
    }),
  ],
  [
    '/docs/quickstart',
    (baseUrl) => ({
      ...shared,
      'content-language': 'en',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; manifest-src 'self'; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      link: `<${baseUrl}/docs/quickstart.md>; rel="alternate"; type="text/markdown"`,
      'ratelimit-policy': '"pages";q=1000000;w=60',
      'referrer-policy': 'strict-origin-when-cross-origin',
      vary: 'Accept, Accept-Encoding',
    }),
  ],
  [
    '/assets/logo.svg',
    () => ({
      ...shared,
      'accept-ranges': 'bytes',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'content-type': 'image/svg+xml',
      'ratelimit-policy': '"pages";q=1000000;w=60',
      vary: 'Accept-Encoding',
    }),
  ],
];

const past = 'Wed, 21 Oct 2015 07:28:00 GMT';
const future = 'Wed, 21 Oct 2099 07:28:00 GMT';
const oldTag = createEtag('an older version');

describe('a conditional GET (RFC 9110 section 13)', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  for (const [path, createHeaders] of kinds) {
    describe(`GET ${path} with If-None-Match and If-Modified-Since`, () => {
      let text: string;
      let etag: string;
      let targets = 0;
      before(async () => {
        ({ text } = await server.request(path, { headers: { 'accept-encoding': 'identity' } }));
        etag = createEtag(text);
      });

      /** Sends a request to a new target twice, on the ordinary and on the fast path, and returns the response, which must be the same. */
      async function ask(conditions: Record<string, string>) {
        targets += 1;
        const target = `${path}?${targets}`;
        const ordinary = await askOnce(target, conditions);
        assert.deepEqual(await askOnce(target, conditions), ordinary);
        return ordinary;
      }

      async function askOnce(target: string, conditions: Record<string, string>) {
        const response = await server.request(target, { headers: { 'accept-encoding': 'identity', ...conditions } });
        const headers = [...response.headers].filter(([name]) => !perRequest.has(name));
        return { status: response.status, headers: Object.fromEntries(headers), text: response.text };
      }

      const createNotModified = () => ({ status: 304, headers: { ...createHeaders(server.baseUrl), etag }, text: '' });
      const createFull = () => ({
        status: 200,
        headers: { ...createHeaders(server.baseUrl), etag, 'content-length': String(Buffer.byteLength(text)) },
        text,
      });

      it('the response to If-None-Match: * is 304 (section 13.1.2)', async () => {
        assert.deepEqual(await ask({ 'if-none-match': '*' }), createNotModified());
      });

      it('the response to an old entity tag is 200, whatever date If-Modified-Since has (section 13.1.3)', async () => {
        for (const date of [past, future]) {
          assert.deepEqual(await ask({ 'if-none-match': oldTag, 'if-modified-since': date }), createFull(), date);
        }
      });

      it('the response to the current entity tag is 304, whatever date If-Modified-Since has (section 13.1.3)', async () => {
        for (const date of [past, future]) {
          assert.deepEqual(await ask({ 'if-none-match': etag, 'if-modified-since': date }), createNotModified(), date);
        }
      });

      it('the response to If-Modified-Since alone is 200 (section 13.1.3)', async () => {
        for (const date of [past, future])
          assert.deepEqual(await ask({ 'if-modified-since': date }), createFull(), date);
      });
    });
  }
});

/** The end of the entity tag in each content coding (docs/decisions/003-entity-tags.md). */
const suffixes = { identity: '', br: '-br', gzip: '-gz', zstd: '-zstd' };

describe('a conditional GET in a content coding (RFC 9110 section 13.1.2)', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  for (const path of ['/api/v1/faq', '/faq', '/assets/hero.svg']) {
    for (const [coding, suffix] of Object.entries(suffixes)) {
      it(`GET ${path} in ${coding} gets 304 only for the entity tag of that coding, with W/ or without`, async () => {
        const { text, headers } = await server.request(path, { headers: { 'accept-encoding': 'identity' } });
        const addSuffix = (ending: string): string => (headers.get('etag') ?? '').replace(/"$/, `${ending}"`);
        const etag = addSuffix(suffix);
        // No content coding has the suffix -gzip, so that tag never gets a 304.
        const tags = [...Object.values(suffixes), '-gzip'].map(addSuffix);
        for (const sentTag of tags.flatMap((tag) => [tag, `W/${tag}`])) {
          // The server cannot know which bytes the client has stored, so the tag of another coding does not match.
          const isUnchanged = sentTag === etag || sentTag === `W/${etag}`;
          // Only the second request to a target takes the fast path, so no other test uses these targets.
          for (const way of ['ordinary', 'fast']) {
            const response = await server.request(`${path}?${encodeURIComponent(sentTag)}`, {
              headers: { 'accept-encoding': coding, 'if-none-match': sentTag },
            });
            const { status } = response;
            assert.equal(status, isUnchanged ? 304 : 200, `${sentTag} on the ${way} path`);
            // A cache sees by the strong tag of the 304 whether it is about the bytes that it has stored (RFC 9111 section 4.3.4).
            assert.equal(response.headers.get('etag'), etag, sentTag);
            assert.equal(response.headers.get('content-encoding'), coding === 'identity' ? null : coding, sentTag);
            assert.equal(response.text, isUnchanged ? '' : text, sentTag);
          }
        }
      });
    }
  }
});
