/** Tests that convertNotes lists what the conversion lost also for notes that are cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertNotes } from '../../src/feed/notes-conversion.ts';

test('convertNotes returns the lost content of release notes that are cut', () => {
  const text = `<iframe src="https://larder.example/"></iframe>${'<p>Jars and tins.</p>'.repeat(10_000)}`;
  const { markdown, isCut, lost } = convertNotes({ text, format: 'html' });
  assert.ok(markdown.startsWith('Jars and tins.\n\nJars and tins.\n\n'));
  assert.deepEqual([isCut, lost], [true, ['embedded content']]);
});
