/** Markdown files that a running server reads in a thread: the same as those that are read at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createThreadReader, readHere } from '../../src/content/markdown-reader.ts';
import { createManualClock } from '../support/manual-clock.ts';

const page = (text: string): string => `---\ntitle: Jars\naliases: [/docs/glasses]\n---\n${text}`;
const long = 'A [lid](lids.md#wide) for each jar.\n\n## Shelf\n\n'.repeat(200);

const files: readonly (readonly [string, string])[] = [
  ['docs/jars.md', page(long)],
  ['docs/small.md', page('Small.')],
  ['docs/Broken Name.md', page(long)],
  ['prompts/ask.md', `---\ntitle: Ask\ndescription: Asks.\narguments: []\nservers: [docs]\n---\n${long}`],
  ['releases/1.0.0.md', long],
];

test('a large file that is read in a thread gives what it gives when it is read at once', async (t) => {
  const reader = createThreadReader(createManualClock(0));
  t.after(reader.close);
  const readings = await Promise.all(files.map(([path, text]) => reader.read(path, text)));
  assert.deepEqual(
    readings,
    files.map(([path, text]) => readHere.read(path, text)),
  );
});

test('a file that takes too long to read is a fault of the folder, and the next one is read', async (t) => {
  const clock = createManualClock(0);
  const reader = createThreadReader(clock, 1500);
  t.after(reader.close);
  let isRead = false;
  const reading = Promise.resolve(reader.read('docs/slow.md', page('!['.repeat(400_000)))).finally(() => {
    isRead = true;
  });
  while (!isRead) {
    clock.advance(200);
    await setImmediate();
  }
  const found = await reading;
  assert.ok(found.kind === 'page');
  assert.deepEqual(
    found.page.faults.map(({ file, line, message }) => [file, line, message.slice(0, 45)]),
    [['docs/slow.md', 1, 'the text takes more than ten seconds to read:']],
  );
  const next = await reader.read('docs/jars.md', page(long));
  assert.deepEqual(next, readHere.read('docs/jars.md', page(long)));
});
