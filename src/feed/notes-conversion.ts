/** One release's notes as markdown that is safe to publish and no longer than what a page is made of in a moment. */
import { beginningOf, type ConvertedNotes, longestNotes, longestSource } from './notes-length.ts';
import { notesToMarkdown, safeMarkdown } from './notes-markdown.ts';
import { plainTextToMarkdown } from './notes-plain-text.ts';
import type { NotesSource } from './release.ts';

/** Throws when the text cannot be converted, deep nesting included; can be slow on hostile text. */
export function convertNotes({ text, format }: NotesSource): ConvertedNotes {
  const source = text.slice(0, longestSource);
  const whole = format === 'html' ? notesToMarkdown({ text: source, format }) : source;
  const markdown = beginningOf(whole);
  const isCut = markdown.length < whole.length || source.length < text.length;
  if (format === 'plain-text') return { markdown: plainTextToMarkdown(markdown), isCut };
  if (format === 'html' && markdown === whole) return { markdown, isCut };
  const safe = safeMarkdown(markdown);
  if (safe.length > 2 * longestNotes) throw new Error('the notes are mostly markup');
  return { markdown: safe, isCut };
}
