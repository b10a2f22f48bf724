/** Compares the HTML of each docs page of the shipped folder with its snapshot, so that a change of the renderer is noticed. */
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../support/server.ts';

const folder = join(import.meta.dirname, '../../fixtures/rendered');

/** Returns the HTML of the article of a page without what the layout adds to it, or an empty string without an article. */
const getProse = (page: string): string =>
  (/<article class="prose">(.*)<\/article>/s.exec(page)?.[1] ?? '')
    .replace(/<div class="actions">.*?<\/ul><\/div>/s, '')
    .replace(/<(p class="edited"|details class="contents-inline[^"]*").*?<\/(?:p|details)>/gs, '')
    .trim();

describe('GET /docs/{slug} of the shipped folder', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it('the HTML of each page equals its snapshot', async (t) => {
    const { json } = await server.request('/api/v1/docs?limit=100');
    for (const { slug } of json.data) {
      const { text } = await server.request(`/docs/${slug}`, { headers: { accept: 'text/html' } });
      t.assert.fileSnapshot(`${getProse(text)}\n`, join(folder, `${slug}.snapshot`), { serializers: [String] });
    }
  });
});
