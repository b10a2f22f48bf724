/** Tests the description that readPage derives for a page whose front matter has none. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPage } from '../../src/content/pages.ts';

const getDescription = (text: string): string | undefined =>
  readPage('docs/page.md', `---\ntitle: The title\n---\n${text}\n`).page?.description;

describe('readPage: the description of a page whose front matter has none', () => {
  const word = 'Word '.repeat(60).trim();
  const cases: Record<string, [text: string, description: string]> = {
    'the description is the first paragraph': ['First.\n\nSecond.', 'First.'],
    'the description is the first line that is more than a label': [
      'Note:\n\n![Screenshot](x.png)\n\nRead this first.',
      'Read this first.',
    ],
    'the description is the text below the first heading that has any': [
      '## One\n\n## Two\n\nText of two.',
      'Text of two.',
    ],
    'the description of a page without text is its title': ['```\ncode\n```', 'The title'],
    'a long description ends after a sentence': [
      `${'A sentence of some words. '.repeat(9)}`,
      'A sentence of some words. '.repeat(7).trim(),
    ],
    'a description that is one long sentence ends after a word': [word, `${'Word '.repeat(39).trim()}…`],
    'a description that is one long word ends within the word': ['x'.repeat(300), `${'x'.repeat(199)}…`],
    'a long description does not end within a surrogate pair': [
      `${'x'.repeat(198)}😀${'x'.repeat(100)}`,
      `${'x'.repeat(198)}…`,
    ],
  };
  for (const [name, [text, description]] of Object.entries(cases)) {
    test(name, () => assert.equal(getDescription(text), description));
  }
});
