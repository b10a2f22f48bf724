/** Threads that work within a budget: their messages, their failures, and their end when the budget is used up. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { startTaskThread, ThreadFailure } from '../../src/base/task-thread.ts';
import { createManualClock } from '../support/manual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'colophon-thread-'));
after(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'thread.cjs');
writeFileSync(
  file,
  `const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ task }) => {
    if (task === 'loop') for (;;);
    if (task === 'throw') throw new RangeError('There is no such task.');
    if (task === 'exit') process.exit(0);
    parentPort.postMessage({ done: task });
  });`,
);

test('a thread answers its tasks in turn', async (t) => {
  const thread = startTaskThread<{ done: string }>(file, createManualClock(0));
  t.after(thread.stop);
  for (const task of ['first', 'second']) {
    thread.post({ task });
    assert.deepEqual(await thread.next(10_000), { done: task });
  }
});

test('a thread that uses up its processor time is given up, also by whoever comes later', async (t) => {
  const clock = createManualClock(0);
  const thread = startTaskThread<object>(file, clock);
  t.after(thread.stop);
  thread.post({ task: 'loop' });
  let failure: unknown = null;
  const task = thread.next(100).catch((thrown: unknown) => {
    failure = thrown;
  });
  // Each look is at the processor time that the thread has really used.
  while (failure === null) {
    clock.advance(200);
    await setImmediate();
  }
  await task;
  assert.ok(failure instanceof ThreadFailure);
  await assert.rejects(thread.next(100), ThreadFailure);
});

test('a thread that fails or ends says so', async (t) => {
  const failing = startTaskThread<object>(file, createManualClock(0));
  t.after(failing.stop);
  failing.post({ task: 'throw' });
  await assert.rejects(failing.next(10_000), { name: 'RangeError', message: 'There is no such task.' });
  const ending = startTaskThread<object>(file, createManualClock(0));
  t.after(ending.stop);
  ending.post({ task: 'exit' });
  await assert.rejects(ending.next(10_000), ThreadFailure);
});
