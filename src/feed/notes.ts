/** Turns the notes of a feed's releases into markdown that is safe to publish: once per feed, never for a request. */
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../base/hash.ts';
import { listInWords } from '../base/list-in-words.ts';
import { beginningOf, type ConvertedNotes, longestSource } from './notes-length.ts';
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
        const key = source === null ? '' : sha256Hex(`${source.format} ${source.url} ${source.base}\n${source.text}`);
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

async function convert(source: NotesSource, conversions: Conversions): Promise<Notes> {
  const text = source.text.replace(/\r\n?/g, '\n');
  const converted = await conversions.convert({ ...source, text });
  const { markdown, isCut, lost } = converted ?? (await unconverted({ ...source, text }));
  const warnings = [
    ...(converted === null ? ['could not be converted and are published as plain text'] : []),
    ...(converted !== null && isCut ? ['are longer than 32 KiB and end with a link to the rest'] : []),
    ...(lost.length > 0 ? [`lost ${listInWords(lost)}`] : []),
  ];
  const warning = warnings.length === 0 ? null : `its notes ${listInWords(warnings)}`;
  const shown = trimmed(markdown);
  if (shown === '') return { ...noNotes, warning };
  return { markdown: isCut ? `${shown}\n\n${rest(source.url)}` : shown, format: source.format, warning };
}

/** Plain text in the notes' place. A feed of megabytes gives way to requests between two notes. */
async function unconverted({ text, format }: NotesSource): Promise<ConvertedNotes> {
  await setImmediate();
  const source = text.slice(0, longestSource);
  const whole = format === 'html' ? textOfHtml(source) : source;
  const beginning = beginningOf(whole);
  return {
    markdown: plainTextToMarkdown(beginning),
    isCut: beginning.length < whole.length || source.length < text.length,
    lost: [],
  };
}

const asPercent = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** What stands at the end of notes that are too long. */
const rest = (url: string | null | undefined): string =>
  url
    ? `[The complete release notes](${url.replace(/[\s<>()"\\]/g, asPercent)})`
    : 'The complete release notes are in the update feed.';

/** Blank lines around the text, and white space at its end, mean nothing; the first line's indentation may. */
const trimmed = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
