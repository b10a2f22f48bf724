/** What the site has besides pages: complete responses for its small files, and redirects without a body. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('a file of the site', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it('is indented where it is JSON', async () => {
    for (const path of ['/.well-known/mcp.json', '/.well-known/agent-skills/index.json']) {
      const { status, text, json } = await server.ask(path);
      assert.equal(status, 200, path);
      assert.equal(text, `${JSON.stringify(json, null, 2)}\n`);
    }
  });

  it('is the icon under both of its names', async () => {
    const icons = await Promise.all(['/favicon.ico', '/favicon.svg'].map((path) => server.ask(path)));
    for (const { status, headers, text } of icons) {
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'image/svg+xml');
      assert.match(text, /^<svg /);
    }
    assert.equal(icons[0]?.text, icons[1]?.text);
  });

  it('is the feed, in which nothing runs', async () => {
    const { status, headers, text } = await server.ask('/appcast.xml');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/rss+xml');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    assert.equal(headers.get('ratelimit-policy'), '"pages";q=1000000;w=60');
    assert.match(text, /<rss /);
  });

  it('is not there under an address with a slash at its end, which leads to the page without a body', async () => {
    const { status, headers, text } = await server.ask('/docs/quickstart/', { redirect: 'manual' });
    assert.equal(status, 308);
    assert.equal(headers.get('location'), `${server.baseUrl}/docs/quickstart`);
    assert.equal(headers.get('content-length'), '0');
    assert.equal(text, '');
  });
});
