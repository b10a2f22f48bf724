/** A folder that is read in a worker: the same content as in this process, and a file that takes too long as a fault. */
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
    const loaded = await loadContentInWorker(folder, workers);
    assert.deepEqual(loaded, loadContent(folder));
    assert.ok('faults' in loaded && loaded.faults.length >= 2);
  });

  it('a file that exceeds its processor time is a fault, and the workers read the next folder', async (t) => {
    const clock = createManualClock(0);
    const workers = createWorkers({ clock, file: new URL('../support/endless-tasks.ts', import.meta.url) });
    t.after(workers.stop);
    const hurried: typeof workers = {
      ...workers,
      run: (task, input, parts) => workers.run({ ...task, budgetMs: 1500 }, input, parts),
    };
    const folder = writeContentFolder(t, { 'docs/slow.md': '---\ntitle: Slow\n---\n\nText.\n' });
    const reading = { isDone: false };
    const loaded = loadContentInWorker(folder, hurried).finally(() => {
      reading.isDone = true;
    });
    // The clock runs no faster than the machine: the budget is processor time that the thread has really used.
    while (!reading.isDone) {
      await clock.advance(1);
      await setTimeout(1);
    }
    assert.deepEqual(await loaded, {
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
    const repaired = writeContentFolder(t, {});
    assert.ok('content' in (await loadContentInWorker(repaired, workers)));
  });
});
