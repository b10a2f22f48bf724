/** Tests that two servers with the same content and address return the same bytes and entity tags and accept the same cursors. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startTestServer } from '../support/server.ts';

it('two servers with one SECRET_KEY return the same bytes and entity tags, and accept each other’s cursors', async (t) => {
  const env = { BASE_URL: 'https://api.example', SECRET_KEY: 'a secret that both of them were given' };
  const [firstServer, secondServer] = [await startTestServer({ env }), await startTestServer({ env })];
  t.after(() => Promise.all([firstServer.close(), secondServer.close()]));
  assert.equal(firstServer.revision(), secondServer.revision());
  const { json: index } = await firstServer.request('/api/v1');
  const queries: Record<string, string> = { search: '?q=dictation', compatibility: '?os_version=15.1&arch=arm64' };
  const paths: string[] = ['/', '/docs/quickstart', '/openapi.json', '/llms.txt', '/sitemap.xml'];
  for (const { method, path, token_required } of index.endpoints) {
    if (method !== 'GET' || token_required || path.includes('{')) continue;
    paths.push(path + (queries[path.split('/').at(-1)] ?? ''));
  }
  assert.ok(paths.length >= 15);
  for (const path of paths) {
    for (const accept of ['application/json, text/html;q=0.9, */*;q=0.1', 'text/markdown, */*;q=0.1']) {
      for (const coding of ['identity', 'br', 'gzip']) {
        const init = { headers: { accept, 'accept-encoding': coding } };
        const [first, second] = [await firstServer.request(path, init), await secondServer.request(path, init)];
        assert.equal(second.text, first.text, path);
        const tag = first.headers.get('etag') ?? '';
        assert.equal(second.headers.get('etag'), tag, `${path} ${coding}`);
        const revalidation = await secondServer.request(path, { headers: { ...init.headers, 'if-none-match': tag } });
        assert.equal(revalidation.status, 304, `${path} ${coding}`);
      }
    }
  }
  const { json: page } = await firstServer.request('/api/v1/docs?limit=3');
  const next = `/api/v1/docs?limit=3&cursor=${page.pagination.next_cursor}`;
  assert.equal((await secondServer.request(next)).text, (await firstServer.request(next)).text);
});
