/** Worker processes that all servers of a test process share, so that a page or picture is rendered or drawn only once. */
import { systemClock } from '../../src/base/clock.ts';
import { createWorkers, type Workers } from '../../src/worker/pool.ts';

/** Tasks whose output depends only on their input. */
const repeatable = new Set(['notes', 'pages', 'drawings']);

/**
 * Creates workers that the servers of a process share. A task in `repeatable` runs once for equal input; its output or failure is
 * kept. `stop` does nothing: other servers still use them, and they end when they are idle.
 */
export function createSharedWorkers(): Workers {
  const workers = createWorkers({ clock: systemClock });
  const outputs = new Map<string, Promise<unknown>>();
  return {
    run<Input, Output>(...args: Parameters<typeof workers.run<Input, Output>>): Promise<Output> {
      const [task, input] = args;
      if (!repeatable.has(task.name)) return workers.run<Input, Output>(...args);
      const key = `${task.name} ${JSON.stringify(input)}`;
      const output = outputs.get(key) ?? workers.run(...args);
      outputs.set(key, output);
      return output as Promise<Output>;
    },
    stop() {},
  };
}
