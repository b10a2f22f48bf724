/** The process that notes are converted in: hostile markup can keep a converter busy for a minute, and a process gives all its memory back. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '../base/clock.ts';
import type { ConvertedNotes } from './notes-child.ts';
import type { NotesSource } from './release.ts';

export interface NotesProcess {
  /** What one feed has to convert. The process is started when it is first needed, and ends with the last that use it. */
  open(): Conversions;
}

export interface Conversions {
  /** Markdown; null when the text cannot be converted, or not in time. After two such texts no more are tried. */
  convert(source: NotesSource): Promise<ConvertedNotes>;
  close(): void;
}

/** A note takes some 10 milliseconds; the rest is for starting the process on a busy machine. */
const deadlineMs = 5000;
const mostFailures = 2;

/** One text after the other, whoever asks. `clock` measures the deadline. */
export function createNotesProcess(clock: Clock = systemClock): NotesProcess {
  let child: ChildProcess | null = null;
  let users = 0;
  let lastTurn: Promise<unknown> = Promise.resolve();

  const stop = (): void => {
    child?.kill('SIGKILL');
    child = null;
  };

  const attempt = async (source: NotesSource): Promise<ConvertedNotes> => {
    child ??= start();
    const ended = new AbortController();
    const end = (): void => ended.abort();
    child.once('exit', end);
    const cancel = clock.after(deadlineMs, end);
    try {
      const answer = once(child, 'message', { signal: ended.signal });
      child.send(source);
      const [markdown]: unknown[] = await answer;
      return typeof markdown === 'string' ? markdown : null;
    } finally {
      cancel();
      child.off('exit', end);
    }
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
          stop();
          return null;
        }
      };
      return {
        convert(source) {
          const turn = lastTurn.then(() => convert(source));
          lastTurn = turn;
          return turn;
        },
        close() {
          users -= 1;
          if (users > 0) return;
          // It ends by itself, and so can keep its compiled code for the next start.
          child?.disconnect();
          child = null;
        },
      };
    },
  };
}

/** The file beside this one, `.ts` in the repository and `.js` in the package. It gets nothing of the environment. */
function start(): ChildProcess {
  const file = fileURLToPath(new URL(`./notes-child${extname(import.meta.filename)}`, import.meta.url));
  const cache = getCompileCacheDir();
  const child = fork(file, {
    // It lives for a fifth of a second: helper threads, and looking early for objects out of use, would cost more than they give.
    execArgv: ['--max-old-space-size=256'],
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // An error between two notes has nobody waiting for it; the next note finds out.
  child.on('error', () => {});
  return child;
}
