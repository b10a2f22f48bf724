/** Tests createContentSource and watchContent: changes are noticed and loaded, and an invalid folder keeps the last valid revision. */
import assert from 'node:assert/strict';
import { type watch as fsWatch, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Log } from '../../src/base/log.ts';
import type { Content } from '../../src/content/content.ts';
import { formatFault } from '../../src/content/fault.ts';
import { ContentError, type ContentSource, createContentSource } from '../../src/content/source.ts';
import { watchContent } from '../../src/content/watch.ts';
import { contentFiles, writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createSharedWorkers } from '../support/shared-workers.ts';

const workers = createSharedWorkers();

/** Creates a counter of events that lets a test wait for the next event. A timer keeps the process alive while the test waits. */
function createEventCounter() {
  let count = 0;
  let wake = () => {};
  return {
    count: () => count,
    notify() {
      count += 1;
      wake();
    },
    /** Resolves once `count` is above `previous`. */
    async waitPast(previous: number): Promise<void> {
      const alive = setInterval(() => {}, 60_000);
      while (count <= previous) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      clearInterval(alive);
    },
  };
}

/** Creates a manual clock. `clock` is for the code under test; `timers` counts the timers of `countedMs` milliseconds set on it. */
function createCountingClock(countedMs: number) {
  const manual = createManualClock(0);
  const timers = createEventCounter();
  const clock: Clock = {
    ...manual,
    after(ms, run) {
      if (ms === countedMs) timers.notify();
      return manual.after(ms, run);
    },
  };
  return { clock, manual, timers };
}

function createRecordingLog() {
  const lines: string[] = [];
  const createRecorder = (level: string) => (_fields: Record<string, unknown>, message: string) => {
    lines.push(`${level} ${message}`);
  };
  const log: Log = { info: createRecorder('info'), warn: createRecorder('warn'), error: createRecorder('error') };
  return { lines, log };
}

/**
 * Starts a source of a sample folder, and stops it after the test. By default, its clock does not advance, so that only the test
 * loads the folder. Returns the folder, the source, its log lines and a counter of its changes.
 */
async function startSource(t: TestContext, clock: Clock = createManualClock(0)) {
  const directory = writeContentFolder(t);
  const { lines, log } = createRecordingLog();
  const source = createContentSource({ workers, directory, clock, log });
  t.after(() => source.stop());
  const changes = createEventCounter();
  source.onChange(() => changes.notify());
  await source.start();
  return { directory, source, lines, changes };
}

const getTagline = (source: ContentSource): string => source.current().product.tagline;
const withTagline = (tagline: string): string =>
  (contentFiles['product.yaml'] ?? '').replace('Light on demand', tagline);

describe('createContentSource', () => {
  test('the source has content once it has been started', async (t) => {
    const { lines, log } = createRecordingLog();
    const source = createContentSource({ workers, directory: writeContentFolder(t), clock: systemClock, log });
    t.after(() => source.stop());
    assert.throws(() => source.current(), /call start\(\) first/);
    const content = await source.start();
    assert.equal(source.current(), content);
    assert.deepEqual(lines, []);
  });

  test('the source does not start with an invalid folder, and throws every fault', async (t) => {
    const directory = writeContentFolder(t, { 'faq.yaml': null, 'docs/start.md': 'x' });
    const source = createContentSource({ workers, directory, clock: systemClock, log: createRecordingLog().log });
    t.after(() => source.stop());
    await assert.rejects(source.start(), (error) => {
      assert.ok(error instanceof ContentError);
      assert.deepEqual(
        error.faults.map(({ file }) => file),
        ['docs/start.md', 'faq.yaml'],
      );
      assert.ok(error.message.includes(error.faults.map(formatFault).join('\n')));
      return true;
    });
  });

  test('a change is served 150 milliseconds after its notification', async (t) => {
    const { clock, manual, timers } = createCountingClock(150);
    const { directory, source, changes } = await startSource(t, clock);
    const before = source.current();
    writeContentFile(directory, 'product.yaml', withTagline('Brighter'));
    await timers.waitPast(0);
    await manual.advance(150);
    await changes.waitPast(0);
    assert.equal(getTagline(source), 'Brighter');
    assert.equal(before.product.tagline, 'Light on demand');
    assert.notEqual(source.current().revision, before.revision);
  });

  test('the last valid revision is kept while the folder is invalid, and each fault is logged once', async (t) => {
    const { directory, source, lines, changes } = await startSource(t);
    const good = source.current();
    writeContentFile(directory, 'product.yaml', 'name: Lamp\n');
    writeContentFile(directory, 'docs/new.md', 'x');
    const faults = await source.reload();
    assert.equal(faults.length, 6);
    assert.equal(source.current(), good);
    const warning = 'warn the content folder is invalid; the last valid revision is still served';
    assert.deepEqual(lines, [...faults.map((fault) => `error ${formatFault(fault)}`), warning]);

    await source.reload();
    assert.equal(lines.length, 7);
    writeContentFile(directory, 'faq.yaml', '');
    await source.reload();
    assert.deepEqual(lines.slice(7), [
      'error faq.yaml:1:1: `entries` is missing: the questions in their order; `[]` if there are none.',
      warning,
    ]);

    unlinkSync(join(directory, 'docs/new.md'));
    writeContentFile(directory, 'faq.yaml', contentFiles['faq.yaml'] ?? '');
    writeContentFile(directory, 'product.yaml', withTagline('Mended'));
    assert.deepEqual(await source.reload(), []);
    assert.equal(getTagline(source), 'Mended');
    assert.equal(lines.at(-1), 'info the content folder is valid again');
    assert.equal(changes.count(), 1);
  });

  test('listeners are not called when the revision is the same', async (t) => {
    const { directory, source, changes } = await startSource(t);
    const before = source.current();
    writeContentFile(directory, 'product.yaml', contentFiles['product.yaml'] ?? '');
    writeContentFile(directory, 'README.md', 'not content');
    assert.deepEqual(await source.reload(), []);
    assert.equal(changes.count(), 0);
    assert.equal(source.current(), before);
  });

  test('calls of reload() during a load share one further load', async (t) => {
    const { directory, source, changes } = await startSource(t);
    const first = source.reload();
    writeContentFile(directory, 'product.yaml', withTagline('Queued'));
    const [second, third] = [source.reload(), source.reload()];
    assert.equal(second, third);
    assert.notEqual(first, second);
    await second;
    assert.equal(getTagline(source), 'Queued');
    assert.equal(changes.count(), 1);
  });

  test('an error of a listener is logged, the other listeners are called, and none is called after stop()', async (t) => {
    const { directory, source, lines } = await startSource(t);
    const contents: Content[] = [];
    source.onChange(() => {
      throw new Error('broken listener');
    });
    source.onChange((content) => contents.push(content));
    writeContentFile(directory, 'product.yaml', withTagline('One'));
    await source.reload();
    assert.equal(contents.length, 1);
    assert.deepEqual(lines, ['error a listener to the content folder failed']);
    writeContentFile(directory, 'product.yaml', withTagline('Two'));
    const last = source.reload();
    source.stop();
    assert.deepEqual(await last, []);
    assert.equal(contents.length, 1);
    assert.equal(getTagline(source), 'One');
  });
});

describe('watchContent', () => {
  /** Watches a folder with the notifications and the clock of the system, and returns the counter of changes. */
  function startWatch(t: TestContext, directory: string) {
    const signal = createEventCounter();
    t.after(watchContent(directory, { clock: systemClock, onChange: signal.notify, debounceMs: 20 }));
    return signal;
  }
  /** Makes a change, waits until it is noticed, and then 150 ms more, until all notifications of the change have arrived. */
  async function changeAndWait(signal: ReturnType<typeof createEventCounter>, change: () => void): Promise<void> {
    const before = signal.count();
    change();
    await signal.waitPast(before);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }

  test('a file that is written, added, replaced by renaming or removed is noticed at any depth', async (t) => {
    const directory = writeContentFolder(t);
    const signal = startWatch(t, directory);
    for (const path of ['product.yaml', 'docs/guides/colours.md']) {
      await changeAndWait(signal, () => writeContentFile(directory, path, 'changed'));
      await changeAndWait(signal, () => {
        writeContentFile(directory, `${path}.tmp`, 'replaced');
        renameSync(join(directory, `${path}.tmp`), join(directory, path));
      });
      await changeAndWait(signal, () => writeContentFile(directory, path, 'changed after it was replaced'));
      await changeAndWait(signal, () => unlinkSync(join(directory, path)));
      await changeAndWait(signal, () => writeContentFile(directory, path, 'there again'));
    }
  });

  test('a folder that is added, deleted or created again is noticed, and so are its files', async (t) => {
    const directory = writeContentFolder(t);
    const signal = startWatch(t, directory);
    await changeAndWait(signal, () => writeContentFile(directory, 'docs/deep/er/page.md', 'x'));
    await changeAndWait(signal, () => writeContentFile(directory, 'docs/deep/er/page.md', 'y'));
    await changeAndWait(signal, () => rmSync(join(directory, 'docs'), { recursive: true }));
    await changeAndWait(signal, () => writeContentFile(directory, 'docs/page.md', 'x'));
    await changeAndWait(signal, () => writeContentFile(directory, 'docs/page.md', 'y'));
    await changeAndWait(signal, () => {
      rmSync(join(directory, 'docs'), { recursive: true });
      writeContentFile(directory, 'docs/page.md', 'x');
    });
    await changeAndWait(signal, () => writeContentFile(directory, 'docs/page.md', 'y'));
  });

  test('the content folder itself is still watched after it is deleted, created again or replaced', async (t) => {
    const directory = writeContentFolder(t);
    const signal = startWatch(t, directory);
    await changeAndWait(signal, () => rmSync(directory, { recursive: true }));
    await changeAndWait(signal, () => writeContentFile(directory, 'docs/page.md', 'x'));
    await changeAndWait(signal, () => writeContentFile(directory, 'docs/page.md', 'y'));
    const newFolder = writeContentFolder(t);
    await changeAndWait(signal, () => {
      renameSync(directory, `${directory}-old`);
      renameSync(newFolder, directory);
    });
    t.after(() => rmSync(`${directory}-old`, { recursive: true }));
    await changeAndWait(signal, () => writeContentFile(directory, 'docs/page.md', 'z'));
  });

  test('a symbolic link that is replaced is noticed, as in a Kubernetes volume', async (t) => {
    const root = writeContentFolder(t, Object.fromEntries(Object.keys(contentFiles).map((path) => [path, null])));
    for (const version of ['..1', '..2']) writeContentFile(root, `${version}/docs/page.md`, version);
    const point = (version: string) => {
      symlinkSync(version, join(root, '..data_tmp'));
      renameSync(join(root, '..data_tmp'), join(root, '..data'));
    };
    point('..1');
    symlinkSync('..data/docs', join(root, 'docs'));
    const signal = startWatch(t, root);
    await changeAndWait(signal, () => point('..2'));
    await changeAndWait(signal, () => writeContentFile(root, '..2/docs/page.md', 'changed'));
  });

  test('onChange is called 150 ms after the last change of a burst, and 750 ms after the first at the latest', async (t) => {
    const clock = createManualClock(0);
    let report: (event: string, name: string | null) => void = () => {};
    const watch = ((_path: string, _options: object, listener: typeof report) => {
      report = listener;
      return { on: () => ({ close() {} }), close() {} };
    }) as unknown as typeof fsWatch;
    let changes = 0;
    const directory = writeContentFolder(t);
    const stop = watchContent(directory, {
      clock,
      onChange: () => {
        changes += 1;
      },
      watch,
    });
    report('change', 'faq.yaml');
    await clock.advance(149);
    report('rename', null);
    await clock.advance(149);
    assert.equal(changes, 0);
    await clock.advance(1);
    assert.equal(changes, 1);

    for (const name of ['.faq.yaml.swp', 'faq.yaml~', '.git', '#faq.yaml#']) report('change', name);
    await clock.advance(500);
    assert.equal(changes, 1);

    const start = clock.monotonic();
    while (changes === 1) {
      report('change', 'faq.yaml');
      await clock.advance(50);
    }
    assert.equal(clock.monotonic() - start, 750);

    report('change', 'faq.yaml');
    stop();
    await clock.advance(5000);
    assert.equal(changes, 2);
  });

  test('every file is compared once a second if the system has no notifications', async (t) => {
    // `watchContent` sets the timer for the next comparison when a comparison is complete, so the timers count the comparisons.
    const { clock, manual, timers: comparisons } = createCountingClock(1000);
    const signal = createEventCounter();
    const directory = writeContentFolder(t);
    symlinkSync('/', join(directory, 'docs/everything'));
    symlinkSync('..', join(directory, 'docs/circle'));
    const watch: typeof fsWatch = () => {
      throw Object.assign(new Error('no space left for watches'), { code: 'ENOSPC' });
    };
    t.after(watchContent(directory, { clock, onChange: signal.notify, watch }));
    /** Advances the clock by a second and waits for the comparison that this starts. */
    const passSecond = async () => {
      const previous = comparisons.count();
      await manual.advance(1000);
      await comparisons.waitPast(previous);
      await manual.advance(150);
    };
    await passSecond();
    assert.equal(signal.count(), 0);
    const changes = [
      () => writeContentFile(directory, 'docs/guides/colours.md', 'changed'),
      () => writeContentFile(directory, 'docs/new/page.md', 'added'),
      () => unlinkSync(join(directory, 'faq.yaml')),
      () => rmSync(directory, { recursive: true }),
      () => writeContentFile(directory, 'docs/page.md', 'there again'),
    ];
    for (const [index, change] of changes.entries()) {
      change();
      await passSecond();
      assert.equal(signal.count(), index + 1);
      await passSecond();
      assert.equal(signal.count(), index + 1);
    }
  });
});
