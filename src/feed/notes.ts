/** Turns the notes of a feed's releases into markdown that is safe to publish: once per feed, never for a request. */
import { sha256Hex } from '../base/hash.ts';
import { plainTextToMarkdown, textOfHtml } from './notes-plain-text.ts';
import { type Conversions, createNotesProcess, type NotesProcess } from './notes-process.ts';
import type { FeedRelease, NotesSource } from './release.ts';

export interface Notes {
  readonly markdown: string;
  readonly format: FeedRelease['notesFormat'];
  /** What was done to the notes that their author should know, or null. */
  readonly warning: string | null;
}

export interface NotesReader {
  /** One result for each source, in order. Never rejects: what cannot be converted is published as plain text. */
  read(sources: readonly (NotesSource | null)[]): Promise<Notes[]>;
}

/** Remembers the conversions of the feed it read last, so that a new feed costs only its new notes. */
export function createNotesReader(converter: NotesProcess = createNotesProcess()): NotesReader {
  let known = new Map<string, Notes>();
  return {
    async read(sources) {
      const used = new Map<string, Notes>();
      const results: Notes[] = [];
      const conversions = converter.open();
      for (const source of sources) {
        const key = source === null ? '' : sha256Hex(`${source.format}\n${source.text}`);
        const notes =
          source === null ? noNotes : (used.get(key) ?? known.get(key) ?? (await convert(source, conversions)));
        used.set(key, notes);
        results.push(notes);
      }
      conversions.close();
      known = used;
      return results;
    },
  };
}

const noNotes: Notes = { markdown: '', format: 'none', warning: null };

/** UTF-16 units; what is longer is cut before it is converted. */
const longestNotes = 256 * 1024;

async function convert(source: NotesSource, conversions: Conversions): Promise<Notes> {
  const whole = source.text.replace(/\r\n?/g, '\n');
  const text = whole.slice(0, longestNotes);
  let warning = text === whole ? null : 'its notes are longer than 256 KiB and were cut';
  let markdown =
    source.format === 'plain-text' ? plainTextToMarkdown(text) : await conversions.convert({ ...source, text });
  if (markdown === null) {
    warning = 'its notes could not be converted and are published as plain text';
    markdown = plainTextToMarkdown(source.format === 'html' ? textOfHtml(text) : text);
  }
  markdown = trimmed(markdown);
  return markdown === '' ? { ...noNotes, warning } : { markdown, format: source.format, warning };
}

/** Blank lines around the text, and white space at its end, mean nothing; the first line's indentation may. */
const trimmed = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
