/** The thread that converts notes: a NotesSource comes in, ConvertedNotes go out. */
import { parentPort } from 'node:worker_threads';
import type { NotesSource } from './notes.ts';
import { notesToMarkdown } from './notes-markdown.ts';

/** Markdown, or null when the text cannot be converted. */
export type ConvertedNotes = string | null;

parentPort?.on('message', (source: NotesSource) => {
  parentPort?.postMessage(converted(source));
});

function converted(source: NotesSource): ConvertedNotes {
  try {
    return notesToMarkdown(source);
  } catch {
    return null;
  }
}
