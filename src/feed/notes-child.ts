/** The process that converts notes: a NotesSource comes in, ConvertedNotes go out, or null for a text that cannot be converted. */
import { convertNotes } from './notes-conversion.ts';
import type { ConvertedNotes } from './notes-length.ts';
import type { NotesSource } from './release.ts';

process.on('message', (source: NotesSource) => process.send?.({ converted: converted(source) }));
process.on('disconnect', () => process.exit());

function converted(source: NotesSource): ConvertedNotes | null {
  try {
    return convertNotes(source);
  } catch {
    return null;
  }
}
