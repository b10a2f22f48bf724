/** Turns the notes of a feed's releases into markdown that is safe to publish: once per feed, never for a request. */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sha256Hex } from '../base/hash.ts';
import { plainTextToMarkdown, textOfHtml } from './notes-plain-text.ts';
import type { ConvertedNotes } from './notes-worker.ts';
import type { FeedRelease } from './release.ts';

export interface NotesSource {
  readonly text: string;
  /** What the feed says the text is. */
  readonly format: Exclude<FeedRelease['notesFormat'], 'none'>;
}

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
export function createNotesReader(): NotesReader {
  let known = new Map<string, Notes>();
  return {
    async read(sources) {
      const used = new Map<string, Notes>();
      const results: Notes[] = [];
      const thread = createThread();
      for (const source of sources) {
        const key = source === null ? '' : sha256Hex(`${source.format}\n${source.text}`);
        const notes = source === null ? noNotes : (used.get(key) ?? known.get(key) ?? (await convert(source, thread)));
        used.set(key, notes);
        results.push(notes);
      }
      await thread.stop();
      known = used;
      return results;
    },
  };
}

const noNotes: Notes = { markdown: '', format: 'none', warning: null };

/** UTF-16 units; what is longer is cut before it is converted. */
const longestNotes = 256 * 1024;

async function convert(source: NotesSource, thread: Thread): Promise<Notes> {
  const whole = source.text.replace(/\r\n?/g, '\n');
  const text = whole.slice(0, longestNotes);
  let warning = text === whole ? null : 'its notes are longer than 256 KiB and were cut';
  let markdown = source.format === 'plain-text' ? plainTextToMarkdown(text) : await thread.convert({ ...source, text });
  if (markdown === null) {
    warning = 'its notes could not be converted and are published as plain text';
    markdown = plainTextToMarkdown(source.format === 'html' ? textOfHtml(text) : text);
  }
  markdown = trimmed(markdown);
  return markdown === '' ? { ...noNotes, warning } : { markdown, format: source.format, warning };
}

/** Blank lines around the text, and white space at its end, mean nothing; the first line's indentation may. */
const trimmed = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();

interface Thread {
  /** null also when it takes too long. */
  convert(source: NotesSource): Promise<ConvertedNotes>;
  stop(): Promise<void>;
}

/** A note takes some 10 milliseconds; the rest is for starting the thread on a busy machine. */
const deadlineMs = 3000;
const mostFailures = 2;

/**
 * Converts in a thread of its own, started when it is first needed: a few hundred bytes of nested markup can keep a
 * converter busy for a minute, and that must hold up neither requests nor the feed. After two such notes the rest of
 * the feed is not tried.
 */
function createThread(): Thread {
  let worker: Worker | null = null;
  let failures = 0;
  const stop = async () => {
    await worker?.terminate();
    worker = null;
  };
  return {
    stop,
    async convert(source) {
      if (failures >= mostFailures) return null;
      try {
        worker ??= startWorker();
        const answer = once(worker, 'message', { signal: AbortSignal.timeout(deadlineMs) });
        worker.postMessage(source);
        const [markdown]: unknown[] = await answer;
        return typeof markdown === 'string' ? markdown : null;
      } catch {
        failures += 1;
        await stop();
        return null;
      }
    },
  };
}

/** The file beside this one, `.ts` in the repository and `.js` in the package. */
function startWorker(): Worker {
  const file = new URL(`./notes-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: 256 } });
  // An error between two notes has nobody waiting for it; the next note finds out.
  worker.on('error', () => {});
  return worker;
}
