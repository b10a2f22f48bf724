/** Reads markdown files: where nothing waits at once, in a running server the large ones in a thread. */
import type { Clock } from '../base/clock.ts';
import { moduleBeside } from '../base/task-process.ts';
import { startTaskThread, type TaskThread, ThreadFailure } from '../base/task-thread.ts';
import { fileFault } from './fault.ts';
import { type MarkdownReading, readMarkdown, unreadMarkdown } from './markdown-file.ts';
import type { MarkdownTask } from './markdown-thread.ts';

export interface MarkdownReader {
  read(path: string, text: string): MarkdownReading | Promise<MarkdownReading>;
  /** When the folder has been read. */
  close(): void;
}

export const readHere: MarkdownReader = { read: readMarkdown, close() {} };

/** Characters that are read in a few milliseconds, whatever they are. */
const mostAtOnce = 4000;
/** Milliseconds of processor time. A page takes a few; one of a megabyte that is made of brackets takes some seconds. */
const usualBudgetMs = 10_000;

/** Starts its thread for the first large file, and reads one after the other. */
export function createThreadReader(clock: Clock, budgetMs = usualBudgetMs): MarkdownReader {
  let thread: TaskThread<MarkdownReading> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const close = (): void => {
    thread?.stop();
    thread = null;
  };
  const readInThread = async (path: string, text: string): Promise<MarkdownReading> => {
    thread ??= startTaskThread<MarkdownReading>(moduleBeside(import.meta, 'markdown-thread'), clock);
    try {
      thread.post({ path, text } satisfies MarkdownTask);
      return await thread.next(budgetMs);
    } catch (thrown) {
      close();
      if (!(thrown instanceof ThreadFailure)) throw thrown;
      return unreadMarkdown(path, fileFault(path, tooSlow));
    }
  };
  return {
    read(path, text) {
      if (text.length <= mostAtOnce) return readMarkdown(path, text);
      const reading = last.then(() => readInThread(path, text));
      last = reading.catch(() => {});
      return reading;
    },
    close,
  };
}

const tooSlow =
  'the text takes more than ten seconds to read: split the file, or look for brackets that are never closed.';
