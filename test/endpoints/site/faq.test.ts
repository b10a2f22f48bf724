/** Tests GET /faq with the answers, and without the answers if they have more than 200,000 characters in total. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeContentFolder } from '../../support/content-folder.ts';
import { startTestServer } from '../../support/server.ts';

const html = { headers: { accept: 'text/html' } };
const createEntry = (id: string, answer: string): string =>
  `  - id: ${id}\n    category: Oil [and] wicks\n    question: Which [oil] for ${id}?\n    answer: "${answer}"\n`;

test('GET /faq lists only the questions if the answers have more than 200,000 characters in total', async (t) => {
  const answer = 'See [the start](/docs/start). <!-- ours -->'.padEnd(3999, 'x');
  const directory = writeContentFolder(t, {
    'faq.yaml': `entries:\n${Array.from({ length: 51 }, (_, index) => createEntry(`q-${index}`, answer)).join('')}`,
  });
  const server = await startTestServer({ env: { CONTENT_DIR: directory } });
  t.after(() => server.close());
  const origin = server.baseUrl;

  const page = await server.request('/faq', html);
  assert.equal(page.status, 200);
  assert.match(
    page.text,
    /<h2 id="category-1">Oil \[and\] wicks<\/h2>\n<ul><li><a href="\/faq\/q-0">Which \[oil\] for q-0\?<\/a><\/li>/,
  );
  assert.doesNotMatch(page.text, /<details class="question"|xxxx|FAQPage/);
  const markdown = await server.request('/faq.md');
  assert.match(
    markdown.text,
    new RegExp(
      `\n## Oil \\[and\\] wicks\n\n- \\[Which \\\\\\[oil\\\\\\] for q-0\\?\\]\\(${origin}/faq/q-0\\.md\\)\n- \\[`,
    ),
  );
  const entryMarkdown = await server.request('/faq/q-50.md');
  assert.equal(entryMarkdown.status, 200);
  assert.equal(
    entryMarkdown.text.includes(`See [the start](${origin}/docs/start). xxxx`),
    true,
    entryMarkdown.text.slice(0, 200),
  );
  const { json } = await server.request('/api/v1/faq/q-50');
  assert.equal(json.answer, `See [the start](${origin}/docs/start). ${'x'.repeat(3999 - 43)}`);
});

test('GET /faq of a usual folder has the answers in HTML, JSON-LD and Markdown', async (t) => {
  const directory = writeContentFolder(t, {
    'faq.yaml': `entries:\n${createEntry('lids', 'See [the start](/docs/start).')}`,
  });
  const server = await startTestServer({ env: { CONTENT_DIR: directory } });
  t.after(() => server.close());
  const page = await server.request('/faq', html);
  assert.match(page.text, /<details class="question" id="lids"><summary>Which \[oil\] for lids\?<\/summary>/);
  assert.match(page.text, /See <a href="\/docs\/start">the start<\/a>\./);
  assert.match(page.text, /"@type":"FAQPage"/);
  assert.match((await server.request('/faq.md')).text, /### Which \[oil\] for lids\?\n\nSee \[the start\]\(http/);
});
