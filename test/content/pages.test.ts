/** The description of a page whose front matter has none. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPage } from '../../src/content/pages.ts';

const getDescription = (text: string): string | undefined =>
  readPage('docs/page.md', `---\ntitle: The title\n---\n${text}\n`).page?.description;

describe('The description of a page whose front matter has none', () => {
  const word = 'Word '.repeat(60).trim();
  const cases: Record<string, [text: string, description: string]> = {
    'is the first paragraph': ['First.\n\nSecond.', 'First.'],
    'is the first line that is more than a label': [
      'Note:\n\n![Screenshot](x.png)\n\nRead this first.',
      'Read this first.',
    ],
    'is the text below the first heading that has any': ['## One\n\n## Two\n\nText of two.', 'Text of two.'],
    'is the title of a page without text': ['```\ncode\n```', 'The title'],
    'ends with a sentence': [
      `${'A sentence of some words. '.repeat(9)}`,
      'A sentence of some words. '.repeat(7).trim(),
    ],
    'ends with a word where the sentence is too long': [word, `${'Word '.repeat(39).trim()}…`],
    'ends anywhere in a word without an end': ['x'.repeat(300), `${'x'.repeat(199)}…`],
    'does not end within a character': [`${'x'.repeat(198)}😀${'x'.repeat(100)}`, `${'x'.repeat(198)}…`],
  };
  for (const [name, [text, description]] of Object.entries(cases)) {
    test(name, () => assert.equal(getDescription(text), description));
  }
});
