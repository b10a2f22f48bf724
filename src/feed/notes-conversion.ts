/** One release's notes as markdown that is safe to publish and no longer than what a page is made of in a moment. */
import type { ConvertedSource } from './notes.ts';
import { notesToMarkdown, safeMarkdown, withoutHtml } from './notes-markdown.ts';
import { type ConvertedNotes, cutNotes, maxNotesLength, maxSourceLength, plainTextToMarkdown } from './notes-text.ts';
import type { NotesSource } from './release.ts';

/** Runs `notesTask`: converts one release's notes and measures the processor time of it. */
export function convertMeasured(source: NotesSource): ConvertedSource {
  const before = process.threadCpuUsage();
  let converted: ConvertedNotes | null = null;
  try {
    converted = convertNotes(source);
  } catch {
    // The caller publishes the text as it is.
  }
  const { user, system } = process.threadCpuUsage(before);
  return { converted, usedMs: (user + system) / 1000 };
}

/** Throws when the text cannot be converted, deep nesting included; can be slow on hostile text. */
export function convertNotes({ text, format, base = null }: NotesSource): ConvertedNotes {
  const source = { text: text.slice(0, maxSourceLength), format, base };
  const found = new Set<string>();
  const whole =
    format === 'html'
      ? notesToMarkdown(source, found)
      : format === 'markdown'
        ? withoutHtml(source, found)
        : source.text;
  const lost = [...found];
  const markdown = cutNotes(whole);
  const isCut = markdown.length < whole.length || source.text.length < text.length;
  if (format === 'plain-text') return { markdown: plainTextToMarkdown(markdown), isCut, lost };
  if (format === 'html' && markdown === whole) return { markdown, isCut, lost };
  const safe = safeMarkdown(markdown);
  if (safe.length > 2 * maxNotesLength) throw new Error('the notes are mostly markup');
  return { markdown: safe, isCut, lost };
}
