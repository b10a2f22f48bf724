/** The side of a worker thread: receives tasks, runs their functions from a table, and sends back what they return or throw. */
import { parentPort } from 'node:worker_threads';
import type { Reply, Request, TaskContext, TaskFunction } from './task.ts';

/** Loads the function of each task, by its name, when the task is run for the first time. */
export type TaskTable = Readonly<Record<string, () => Promise<TaskFunction<never, unknown>>>>;

/** Runs the tasks that arrive at this thread's port, one after the other. */
export function serveTasks(table: TaskTable): void {
  const pieces: unknown[] = [];
  const loaded = new Map<string, TaskFunction<never, unknown>>();
  let acknowledge = (): void => {};
  const post = (reply: Reply, transfer: readonly ArrayBuffer[] = []): void =>
    parentPort?.postMessage(reply, [...transfer]);

  const runTask = async (name: string, input: unknown): Promise<void> => {
    const context: TaskContext = {
      pieces: pieces.splice(0),
      send(piece, transfer) {
        const { promise, resolve } = Promise.withResolvers<void>();
        acknowledge = resolve;
        post({ piece }, transfer);
        return promise;
      },
      progress: (label) => post({ progress: label }),
    };
    try {
      const run = loaded.get(name) ?? (await table[name]?.());
      if (run === undefined) throw new Error(`There is no task ${name}.`);
      loaded.set(name, run);
      const result = await run(input as never, context);
      if (isTransfer(result)) post({ output: result.output }, result.transfer);
      else post({ output: result });
    } catch (error) {
      post({ error });
    }
  };

  parentPort?.on('message', (request: Request) => {
    if ('next' in request) acknowledge();
    else if ('piece' in request) pieces.push(request.piece);
    else void runTask(request.task, request.input);
  });
}

const isTransfer = (result: unknown): result is { output: unknown; transfer: readonly ArrayBuffer[] } =>
  typeof result === 'object' && result !== null && 'transfer' in result;
