/** Tests the worker processes: the order of tasks, large inputs and outputs in pieces, failures, and budgets of processor time. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createWorkers, type Workers } from '../../src/worker/pool.ts';
import { type Task, WorkerError } from '../../src/worker/task.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'colophon-worker-'));
after(() => rmSync(folder, { recursive: true }));

const serveTasks = new URL('../../src/worker/serve-tasks.ts', import.meta.url);
const file = join(folder, 'worker.mjs');
writeFileSync(
  file,
  `import { serveTasks } from ${JSON.stringify(serveTasks.href)};
  const wait = Promise.resolve();
  serveTasks({
    echo: async () => (input) => ({ input, id: process.pid, environment: Object.keys(process.env).filter((name) => name !== 'NODE_COMPILE_CACHE') }),
    parts: async () => async (input, { pieces, send }) => {
      for (const piece of pieces) await send(piece * input);
      return pieces.length;
    },
    loop: async () => (input, { progress }) => { progress(input); for (;;); },
    grow: async () => () => { const all = []; for (;;) all.push(new Array(100000).fill(all.length)); },
    fail: async () => () => { throw new RangeError('There is no such page.'); },
    exit: async () => () => process.exit(0),
  });`,
);

const kinds = ['content', 'render'] as const;

function startWorkers(clock: ManualClock = createManualClock(0)): Workers {
  const workers = createWorkers({ file: pathToFileURL(file), clock });
  after(workers.stop);
  return workers;
}

for (const worker of kinds) {
  const createTask = <Output>(name: string): Task<unknown, Output> => ({ name, worker, budgetMs: 200 });
  const echo = createTask<{ input: unknown; id: number; environment: string[] }>('echo');

  describe(`createWorkers: the ${worker} worker`, () => {
    it('tasks run in one separate process, which gets no environment variables', async () => {
      const workers = startWorkers();
      const [first, second] = await Promise.all([workers.run(echo, 1), workers.run(echo, { two: 2 })]);
      assert.deepEqual([first.input, second.input], [1, { two: 2 }]);
      assert.equal(first.id, second.id);
      assert.deepEqual(first.environment, []);
      assert.notEqual(first.id, process.pid);
    });

    it('a task receives and sends pieces, in order', async () => {
      const parts: unknown[] = [];
      const count = await startWorkers().run(createTask<number>('parts'), 10, {
        pieces: [1, 2, 3],
        onPiece: (piece) => parts.push(piece),
      });
      assert.equal(count, 3);
      assert.deepEqual(parts, [10, 20, 30]);
    });

    it('run rejects with the error of the task, and the next task runs in the same process', async () => {
      const workers = startWorkers();
      const { id } = await workers.run(echo, null);
      await assert.rejects(workers.run(createTask('fail'), null), {
        name: 'RangeError',
        message: 'There is no such page.',
      });
      assert.equal((await workers.run(echo, null)).id, id);
    });

    it('run rejects with the last label of a task that exceeds its CPU budget, and the next task runs', async () => {
      const clock = createManualClock(0);
      const workers = startWorkers(clock);
      let failure: unknown = null;
      const running = workers.run(createTask('loop'), 'docs/jars.md').catch((error: unknown) => {
        failure = error;
      });
      const next = workers.run(echo, 'next');
      // The clock advances 1 ms for each real millisecond, because the budget counts the processor time that the worker really uses.
      while (failure === null) {
        await clock.advance(1);
        await setTimeout(1);
      }
      await running;
      assert.ok(failure instanceof WorkerError);
      assert.equal(failure.label, 'docs/jars.md');
      assert.equal((await next).input, 'next');
    });

    it('run rejects with WorkerError if the process exits or runs out of memory, and the next task runs', async () => {
      const workers = startWorkers();
      await assert.rejects(workers.run(createTask('exit'), null), WorkerError);
      assert.equal((await workers.run(echo, 1)).input, 1);
      await assert.rejects(workers.run({ ...createTask('grow'), budgetMs: 60_000 }, null), WorkerError);
      assert.equal((await workers.run(echo, 2)).input, 2);
    });
  });
}
