/** Tests guessed paths such as /download: the 404 suggests the right path in JSON and as a link, and one path is redirected. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('GET /download, /feed, /changelog and other guessed paths: not_found', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  for (const [guess, target] of [
    ['/download', '/download/latest'],
    ['/feed', '/releases.atom'],
    ['/rss', '/releases.atom'],
    ['/feed.xml', '/releases.atom'],
    ['/atom.xml', '/releases.atom'],
    ['/appcast', '/appcast.xml'],
    ['/openapi.yaml', '/openapi.json'],
    ['/swagger.json', '/openapi.json'],
    ['/client.js', '/developers/client.js'],
    ['/changelog', '/releases'],
  ] as const) {
    it(`GET ${guess} returns 404 not_found and suggests ${target}`, async () => {
      const { status, json } = await server.request(guess);
      assert.deepEqual([status, json.code, json.suggestions], [404, 'not_found', [target]]);
      assert.ok(json.detail.includes(`Did you mean ${server.baseUrl}${target}?`));
      const page = await server.request(guess, { headers: { accept: 'text/html' } });
      assert.equal(page.status, 404);
      assert.ok(page.text.includes(`<li><a href="${target}">`));
      assert.notEqual((await fetch(server.listenUrl + target, { redirect: 'manual' })).status, 404);
    });
  }

  it('GET /releases/latest returns 302 to the page of the latest release', async () => {
    const { json } = await server.request('/api/v1/releases/latest');
    const { status, headers } = await server.request('/releases/latest', { redirect: 'manual' });
    assert.deepEqual([status, headers.get('location')], [302, json.url]);
    assert.equal((await server.request(new URL(json.url).pathname)).status, 200);
  });
});
