/** The thread that notes are converted in, one at a time: hostile markup can keep a converter busy for a minute. */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { NotesSource } from './notes.ts';
import type { ConvertedNotes } from './notes-worker.ts';

export interface NotesThread {
  /** What one feed has to convert. The thread is started when it is first needed, and ends with the last that use it. */
  open(): Conversions;
}

export interface Conversions {
  /** Markdown; null when the text cannot be converted, or not in time. After two such texts no more are tried. */
  convert(source: NotesSource): Promise<ConvertedNotes>;
  close(): Promise<void>;
}

/** A note takes some 10 milliseconds; the rest is for starting the thread on a busy machine. */
const deadlineMs = 3000;
const mostFailures = 2;

export function createNotesThread(): NotesThread {
  let worker: Worker | null = null;
  let users = 0;
  let lastTurn: Promise<unknown> = Promise.resolve();

  const stop = async (): Promise<void> => {
    const ending = worker;
    worker = null;
    await ending?.terminate();
  };

  const attempt = async (source: NotesSource): Promise<ConvertedNotes> => {
    worker ??= startWorker();
    const answer = once(worker, 'message', { signal: AbortSignal.timeout(deadlineMs) });
    worker.postMessage(source);
    const [markdown]: unknown[] = await answer;
    return typeof markdown === 'string' ? markdown : null;
  };

  return {
    open() {
      users += 1;
      let failures = 0;
      const convert = async (source: NotesSource): Promise<ConvertedNotes> => {
        if (failures >= mostFailures) return null;
        try {
          return await attempt(source);
        } catch {
          failures += 1;
          await stop();
          return null;
        }
      };
      return {
        convert(source) {
          const turn = lastTurn.then(() => convert(source));
          lastTurn = turn;
          return turn;
        },
        async close() {
          users -= 1;
          if (users === 0) await stop();
        },
      };
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
