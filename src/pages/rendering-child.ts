/** The process that renders pages: a task comes in, what it gives goes out. */
import { type CodeTask, createRendering, type HtmlTask, type ProseTask } from './rendering.ts';

export type RenderingTask = ProseTask | CodeTask | HtmlTask;

const rendering = createRendering();

function rendered(task: RenderingTask): Promise<unknown> {
  if (task.kind === 'prose') return rendering.prose(task);
  return task.kind === 'code' ? rendering.code(task.blocks) : rendering.html(task.texts);
}

process.on('message', (task: RenderingTask) => {
  rendered(task)
    .then((made) => process.send?.({ rendered: made }))
    .catch(() => process.send?.({ rendered: null }));
});
process.on('disconnect', () => process.exit());
