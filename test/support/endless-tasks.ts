/** Program of a worker process whose tasks never end for a folder with docs/slow.md, or for notes that begin with `endless`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readContent } from '../../src/content/read-task.ts';
import { convertMeasured } from '../../src/feed/notes-conversion.ts';
import { serveTasks } from '../../src/worker/serve-tasks.ts';
import type { TaskContext } from '../../src/worker/task.ts';

function runForever(): never {
  for (;;);
}

serveTasks({
  folder: async () => (directory: string, context: TaskContext) => {
    if (!existsSync(join(directory, 'docs/slow.md'))) return readContent(directory, context);
    context.progress('docs/slow.md');
    return runForever();
  },
  notes: async () => (source: Parameters<typeof convertMeasured>[0]) =>
    source.text.startsWith('endless') ? runForever() : convertMeasured(source),
});
