/** 100,000 hostile release notes: the Markdown parsers of other projects must find nothing dangerous in the published text. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { convertNotesToMarkdown } from '../../src/feed/notes-conversion.ts';
import { convertPlainTextToMarkdown, extractText } from '../../src/feed/notes-text.ts';
import { createHostileNotes } from '../support/hostile-notes.ts';
import { findDangers } from '../support/markdown-parsers.ts';
import { isShort } from './service.ts';

const batch = 1000;
const batches = isShort ? 5 : 100;

it('no Markdown parser finds a tag or a foreign address in published release notes', { timeout: 3_600_000 }, (t) => {
  const assertHarmless = (source: string, text: string): void =>
    assert.deepEqual(findDangers(text), [], `${JSON.stringify(source)} became ${text}`);
  for (let seed = 100; seed < 100 + batches; seed += 1) {
    for (const [index, source] of createHostileNotes(batch, seed).entries()) {
      const published = convertNotesToMarkdown({ text: source, format: 'markdown' });
      assertHarmless(source, published);
      if (index % 10 > 0) continue;
      assertHarmless(source, convertNotesToMarkdown({ text: source, format: 'html' }));
      assertHarmless(source, convertPlainTextToMarkdown(source));
      assertHarmless(source, convertPlainTextToMarkdown(extractText(source)));
    }
  }
  t.diagnostic(
    `${batch * batches} notes as markdown, every tenth also as HTML, as plain text and as HTML that was not converted, read by markdown-it, commonmark.js, marked and micromark: nothing found`,
  );
});
