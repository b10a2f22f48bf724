/** The side of a worker process: receives tasks, runs their functions from a table, and sends back what they return or throw. */
import type { Reply, Request, TaskContext, TaskFunction } from './task.ts';

/** Loads the function of each task, by its name, when the task is run for the first time. */
export type TaskTable = Readonly<Record<string, () => Promise<TaskFunction<never, unknown>>>>;

/**
 * Runs the tasks that arrive from the server, which sends one at a time, and sends back what they return or throw, or an Error if
 * the table has no such task. The process ends when the server closes its channel.
 */
export function serveTasks(table: TaskTable): void {
  const pieces: unknown[] = [];
  const loadedTasks = new Map<string, TaskFunction<never, unknown>>();
  let acknowledge = (): void => {};
  const post = (reply: Reply): void => void process.send?.(reply);

  const runTask = async (name: string, input: unknown): Promise<void> => {
    const context: TaskContext = {
      pieces: pieces.splice(0),
      send(piece) {
        const { promise, resolve } = Promise.withResolvers<void>();
        acknowledge = resolve;
        post({ piece });
        return promise;
      },
      progress: (label) => post({ progress: label }),
    };
    try {
      const run = loadedTasks.get(name) ?? (await table[name]?.());
      if (run === undefined) throw new Error(`There is no task ${name}.`);
      loadedTasks.set(name, run);
      post({ output: await run(input as never, context) });
    } catch (error) {
      post({ error });
    }
  };

  process.on('message', (request: Request) => {
    if ('next' in request) acknowledge();
    else if ('piece' in request) pieces.push(request.piece);
    else void runTask(request.task, request.input);
  });
  process.on('disconnect', () => process.exit());
}
