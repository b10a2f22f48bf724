/** Tests `colophon dev` with a folder that cannot be served: its page of faults, and the files of that page. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createDevPage, type Waiting } from '../../../src/endpoints/operator/dev-page.ts';

describe('colophon dev with an invalid content folder: createDevPage', () => {
  const page = createDevPage();
  let waiting: Waiting;
  before(async () => {
    waiting = await page.listen('127.0.0.1', 0);
    page.show([{ file: 'product.yaml', line: 1, column: 1, message: '`name` is missing.' }]);
  });
  after(() => waiting.close());

  async function fetchPath(path: string, accept = '*/*') {
    const response = await fetch(waiting.url + path, { headers: { accept } });
    const { date, connection, 'keep-alive': _, ...headers } = Object.fromEntries(response.headers);
    assert.ok(date);
    return { status: response.status, headers, text: await response.text() };
  }
  const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

  for (const [path, type, text] of [
    ['/dev/revision', 'text/plain; charset=utf-8', /^[\w-]{8}\.1$/],
    ['/dev/site.css', 'text/css; charset=utf-8', /\{[^}]*color:/],
    ['/dev/site.js', 'text/javascript; charset=utf-8', /\/dev\/revision/],
  ] as const) {
    it(`GET ${path} returns ${type} with Cache-Control: no-store`, async () => {
      const answer = await fetchPath(path);
      assert.equal(answer.status, 200);
      const { etag, 'content-length': length, ...headers } = answer.headers;
      assert.deepEqual(headers, { ...common, 'content-type': type });
      assert.match(etag ?? '', /^"[\w-]{32}"$/);
      assert.equal(length, String(Buffer.byteLength(answer.text)));
      assert.match(answer.text, text);
    });
  }

  it('a browser gets a page with the errors, and any other client a problem document, both with 503', async () => {
    const htmlResponse = await fetchPath('/docs/start', 'text/html');
    assert.equal(htmlResponse.status, 503);
    assert.equal(htmlResponse.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(htmlResponse.headers['cache-control'], 'no-store');
    assert.ok(htmlResponse.text.includes('<code>name</code> is missing.'), htmlResponse.text);
    const problemResponse = await fetchPath('/api/v1/docs');
    assert.equal(problemResponse.status, 503);
    assert.equal(problemResponse.headers['content-type'], 'application/problem+json');
    assert.equal(
      JSON.parse(problemResponse.text).detail,
      'The content folder has errors, and nothing is served until they are fixed.',
    );
  });

  it('GET /dev/revision returns another revision after each change', async () => {
    const { text } = await fetchPath('/dev/revision');
    page.changed();
    assert.equal(
      (await fetchPath('/dev/revision')).text,
      text.replace(/\d+$/, (count) => String(Number(count) + 1)),
    );
  });
});
