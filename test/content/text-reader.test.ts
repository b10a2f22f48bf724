/** Text files that a running server reads in a thread: the same as those that are read at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createThreadReader, readHere } from '../../src/content/text-reader.ts';
import { createManualClock } from '../support/manual-clock.ts';

const page = (text: string): string => `---\ntitle: Jars\naliases: [/docs/glasses]\n---\n${text}`;
const long = 'A [lid](lids.md#wide) for each jar.\n\n## Shelf\n\n'.repeat(200);
const entry = (answer: string): string => `  - id: lids\n    question: Which lid?\n    answer: |-\n      ${answer}\n`;

const files: readonly (readonly [string, string])[] = [
  ['docs/jars.md', page(long)],
  ['docs/small.md', page('Small.')],
  ['docs/Broken Name.md', page(long)],
  ['prompts/ask.md', `---\ntitle: Ask\ndescription: Asks.\narguments: []\nservers: [docs]\n---\n${long}`],
  ['releases/1.0.0.md', long],
];

const yamlFiles: readonly (readonly [string, string])[] = [
  ['faq.yaml', `entries:\n${entry('A [lid](/docs/lids#wide), and `code`.').repeat(100)}`],
  ['faq.yaml', `entries:\n${entry('Small.')}`],
  ['features.yaml', `features:\n${'  - id: a\n    id: b\n    __proto__: &x 1\n    7: *x\n'.repeat(200)}`],
  ['pricing.yaml', `plans: "${'never closed '.repeat(500)}`],
  ['words.yaml', `${'# nothing\n'.repeat(500)}`],
];

test('a large file that is read in a thread gives what it gives when it is read at once', async (t) => {
  const reader = createThreadReader(createManualClock(0));
  t.after(reader.close);
  const readings = await Promise.all(files.map(([path, text]) => reader.markdown(path, text)));
  assert.deepEqual(
    readings,
    files.map(([path, text]) => readHere.markdown(path, text)),
  );
  const yamlReadings = await Promise.all(yamlFiles.map(([path, text]) => reader.yaml(path, text)));
  assert.deepEqual(
    yamlReadings,
    yamlFiles.map(([path, text]) => readHere.yaml(path, text)),
  );
});

test('a file that takes too long to read is a fault of the folder, and the next one is read', async (t) => {
  const clock = createManualClock(0);
  const reader = createThreadReader(clock, 1500);
  t.after(reader.close);
  const afterItsBudget = async <T>(given: T | Promise<T>): Promise<T> => {
    let isRead = false;
    const reading = Promise.resolve(given).finally(() => {
      isRead = true;
    });
    while (!isRead) {
      clock.advance(200);
      await setImmediate();
    }
    return reading;
  };
  const found = await afterItsBudget(reader.markdown('docs/slow.md', page('!['.repeat(400_000))));
  assert.ok(found.kind === 'page');
  assert.deepEqual(found.page.faults, [
    {
      file: 'docs/slow.md',
      line: 1,
      column: 1,
      message:
        'the text takes more than ten seconds to read: split the file, or look for brackets that are never closed.',
    },
  ]);
  const next = await reader.markdown('docs/jars.md', page(long));
  assert.deepEqual(next, readHere.markdown('docs/jars.md', page(long)));

  const slow = `entries:\n${entry('!['.repeat(3900)).repeat(250)}`;
  const yaml = await afterItsBudget(reader.yaml('faq.yaml', slow));
  assert.deepEqual(yaml, {
    value: null,
    faults: [
      {
        file: 'faq.yaml',
        line: 1,
        column: 1,
        message:
          'the file takes more than ten seconds to read: shorten it, or look in its markdown for brackets that are never closed.',
      },
    ],
    texts: [],
  });
});
