/** The process that converts notes: a NotesSource comes in, ConvertedNotes go out. */

import { notesToMarkdown } from './notes-markdown.ts';
import type { NotesSource } from './release.ts';

/** Markdown, or null when the text cannot be converted. */
export type ConvertedNotes = string | null;

process.on('message', (source: NotesSource) => process.send?.(converted(source)));
process.on('disconnect', () => process.exit());

function converted(source: NotesSource): ConvertedNotes {
  try {
    return notesToMarkdown(source);
  } catch {
    return null;
  }
}
