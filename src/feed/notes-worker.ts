/** The thread that converts notes: a NotesSource comes in, its markdown goes out, or null when it cannot be converted. */
import { parentPort } from 'node:worker_threads';
import type { NotesSource } from './notes.ts';
import { notesToMarkdown } from './notes-markdown.ts';

parentPort?.on('message', (source: NotesSource) => {
  parentPort?.postMessage(converted(source));
});

function converted(source: NotesSource): string | null {
  try {
    return notesToMarkdown(source);
  } catch {
    return null;
  }
}
