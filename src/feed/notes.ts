/** Turns the notes of a feed's releases into markdown that is safe to publish: once per feed, never for a request. */
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../base/hash.ts';
import { listInWords } from '../base/list-in-words.ts';
import type { Workers } from '../worker/pool.ts';
import { type Task, WorkerError } from '../worker/task.ts';
import {
  type ConvertedNotes,
  convertPlainTextToMarkdown,
  cutNotes,
  extractText,
  maxSourceLength,
} from './notes-text.ts';
import type { FeedRelease, NotesSource } from './release.ts';

/** The notes of a release in Markdown, with a warning for their author. */
export interface Notes {
  readonly markdown: string;
  /** The format of the notes in the feed; `none` if there are none or nothing is left of them, for which `markdown` is ''. */
  readonly format: FeedRelease['notesFormat'];
  /** A clause such as `its notes lost embedded content` about what was left out or changed, or null if everything is kept. */
  readonly warning: string | null;
}

/** A converter of notes, whose one function, `read`, remembers those that it converted in its last call. */
export type NotesReader = ReturnType<typeof createNotesReader>;

/** Converts the notes of one release: hostile markup can keep a converter busy for a minute. */
const notesTask: Task<NotesSource, ConvertedSource> = { name: 'notes', worker: 'render', budgetMs: 2000 };

/** The result of `notesTask`. */
export interface ConvertedSource {
  /** The notes as Markdown, or null if the text cannot be converted. */
  readonly converted: ConvertedNotes | null;
  /** Processor time that the conversion took, in milliseconds. */
  readonly usedMs: number;
}

/** Processor time for all notes of a feed together, in milliseconds; hundreds of real ones take three seconds. */
const feedBudgetMs = 30_000;
/** After this many texts that cannot be converted within their budget, the rest of the feed is published as plain text. */
const maxFailures = 2;

/**
 * Creates a reader of a feed's notes, whose `read` converts all of them. It remembers the conversions of the feed it read last, so
 * that a new feed costs only its new notes.
 */
export function createNotesReader(workers: Pick<Workers, 'run'>) {
  let earlier = new Map<string, Notes>();
  return {
    /**
     * Returns one result for each source, in order; null gives empty notes. What cannot be converted, or takes too long, is
     * published as plain text; rejects only for an error of the workers that is no WorkerError.
     */
    async read(sources: readonly (NotesSource | null)[]): Promise<Notes[]> {
      const current = new Map<string, Notes>();
      const results: Notes[] = [];
      const convertSource = createConverter(workers);
      for (const source of sources) {
        const key = source === null ? '' : sha256Hex(`${source.format} ${source.url} ${source.base}\n${source.text}`);
        const notes =
          source === null ? noNotes : (current.get(key) ?? earlier.get(key) ?? (await convert(source, convertSource)));
        current.set(key, notes);
        results.push(notes);
      }
      earlier = current;
      return results;
    },
  };
}

const noNotes: Notes = { markdown: '', format: 'none', warning: null };

type Converter = (source: NotesSource) => Promise<ConvertedNotes | null>;

/**
 * Returns a function that converts the notes of one feed. It resolves to null for a text that cannot be converted, and for all
 * others once the budget of the whole feed is used up or `maxFailures` texts ended their worker; rejects only if what failed is no
 * WorkerError.
 */
function createConverter(workers: Pick<Workers, 'run'>): Converter {
  let failures = 0;
  let leftMs = feedBudgetMs;
  return async (source) => {
    if (failures >= maxFailures || leftMs <= 0) return null;
    try {
      const { converted, usedMs } = await workers.run(notesTask, source);
      leftMs -= usedMs;
      return converted;
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error;
      failures += 1;
      leftMs -= notesTask.budgetMs;
      return null;
    }
  };
}

async function convert(source: NotesSource, convertSource: Converter): Promise<Notes> {
  const text = source.text.replace(/\r\n?/g, '\n');
  const convertedNotes = await convertSource({ ...source, text });
  const { markdown, isCut, lost } = convertedNotes ?? (await keepAsText({ ...source, text }));
  const warnings = [
    ...(convertedNotes === null ? ['could not be converted and are published as plain text'] : []),
    ...(convertedNotes !== null && isCut ? ['are longer than 32 KiB and end with a link to the rest'] : []),
    ...(lost.length > 0 ? [`lost ${listInWords(lost)}`] : []),
  ];
  const warning = warnings.length === 0 ? null : `its notes ${listInWords(warnings)}`;
  const beginning = trimBlankLines(markdown);
  if (beginning === '') return { ...noNotes, warning };
  return {
    markdown: isCut ? `${beginning}\n\n${writeRestLink(source.url)}` : beginning,
    format: source.format,
    warning,
  };
}

/**
 * Returns notes that cannot be converted as Markdown of their plain text, without the end of long ones. Waits for a turn of the event
 * loop first, so that requests are handled between two notes of a large feed.
 */
async function keepAsText({ text, format }: NotesSource): Promise<ConvertedNotes> {
  await setImmediate();
  const source = text.slice(0, maxSourceLength);
  const whole = format === 'html' ? extractText(source) : source;
  const beginning = cutNotes(whole);
  return {
    markdown: convertPlainTextToMarkdown(beginning),
    isCut: beginning.length < whole.length || source.length < text.length,
    lost: [],
  };
}

const encodePercent = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Returns the last line of notes that are too long, in Markdown: a link to the whole notes, or a sentence if there is no URL of them. */
const writeRestLink = (url: string | null | undefined): string =>
  url
    ? `[The complete release notes](${url.replace(/[\s<>()"\\]/g, encodePercent)})`
    : 'The complete release notes are in the update feed.';

/**
 * Removes the blank lines around a text and the white space at its end. The first line keeps its indentation, perhaps that of code.
 */
const trimBlankLines = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
