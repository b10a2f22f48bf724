/** The program of a worker process: the function of each task, loaded when the task is first run. */
import { serveTasks } from './worker/serve-tasks.ts';

serveTasks({
  folder: async () => (await import('./content/read-task.ts')).readContent,
  copy: async () => (await import('./server/content-copy.ts')).copyContent,
  notes: async () => (await import('./feed/notes-conversion.ts')).convertMeasured,
  feed_items: async () => (await import('./feed/parse-items.ts')).readFeedBytes,
  pages: async () => (await import('./pages/rendering.ts')).createPageRendering(),
  drawings: async () => (await import('./pages/drawing-png.ts')).drawPng,
  index: async () => (await import('./catalog/search-index-builder.ts')).buildFromPieces,
});
