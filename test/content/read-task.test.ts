/** Tests loadContentInWorker: the content is the same as in this process, and a file that takes too long is a fault. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { shippedContent } from '../../src/config/content-folders.ts';
import { loadContent } from '../../src/content/load.ts';
import { loadContentInWorker } from '../../src/content/read-task.ts';
import { createWorkers } from '../../src/worker/pool.ts';
import { writeContentFolder } from '../support/content-folder.ts';
import { createManualClock } from '../support/manual-clock.ts';

describe('loadContentInWorker', () => {
  it('the content is that of loadContent', async (t) => {
    const workers = createWorkers({ clock: createManualClock(0) });
    t.after(workers.stop);
    assert.deepEqual(await loadContentInWorker(shippedContent, workers), loadContent(shippedContent));
  });

  it('the faults of an invalid folder are those of loadContent', async (t) => {
    const workers = createWorkers({ clock: createManualClock(0) });
    t.after(workers.stop);
    const folder = writeContentFolder(t, { 'docs/quickstart.md': 'no front matter', 'faq.yaml': 'entries: 5\n' });
    const result = await loadContentInWorker(folder, workers);
    assert.deepEqual(result, loadContent(folder));
    assert.ok('faults' in result && result.faults.length >= 2);
  });

  it('a file that exceeds its processor time is a fault, and the workers read the next folder', async (t) => {
    const clock = createManualClock(0);
    const workers = createWorkers({ clock, file: new URL('../support/endless-tasks.ts', import.meta.url) });
    t.after(workers.stop);
    const workersWithShortBudget: typeof workers = {
      ...workers,
      run: (task, input, parts) => workers.run({ ...task, budgetMs: 1500 }, input, parts),
    };
    const folder = writeContentFolder(t, { 'docs/slow.md': '---\ntitle: Slow\n---\n\nText.\n' });
    const reading = { isDone: false };
    const result = loadContentInWorker(folder, workersWithShortBudget).finally(() => {
      reading.isDone = true;
    });
    // The clock advances 1 ms for each real millisecond, because the budget counts the processor time that the worker really uses.
    while (!reading.isDone) {
      await clock.advance(1);
      await setTimeout(1);
    }
    assert.deepEqual(await result, {
      faults: [
        {
          file: 'docs/slow.md',
          line: 1,
          column: 1,
          message:
            'the text takes more than ten seconds to read: split the file, or look for brackets that are never closed.',
        },
      ],
    });
    const repairedFolder = writeContentFolder(t, {});
    assert.ok('content' in (await loadContentInWorker(repairedFolder, workers)));
  });
});
