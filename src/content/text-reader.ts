/** Reads the text files of a folder: where nothing waits at once, in a running server the large ones in a thread. */
import { type Clock, systemClock } from '../base/clock.ts';
import { moduleBeside } from '../base/task-process.ts';
import { type TaskMeter, uncounted } from '../base/task-tally.ts';
import { startTaskThread, type TaskThread, ThreadFailure } from '../base/task-thread.ts';
import { createOwnDisk, type Disk, sharedDisk } from './disk.ts';
import { fileFault } from './fault.ts';
import { type MarkdownReading, readMarkdown, unreadMarkdown } from './markdown-file.ts';
import type { TextTask } from './text-thread.ts';
import { readYamlFile, unreadYamlFile, type YamlFileReading } from './yaml-file.ts';

export interface TextReader {
  readonly disk: Disk;
  markdown(path: string, text: string): MarkdownReading | Promise<MarkdownReading>;
  yaml(path: string, text: string): YamlFileReading | Promise<YamlFileReading>;
  /** When the folder has been read. */
  close(): void;
}

export const readHere: TextReader = {
  disk: createOwnDisk(systemClock),
  markdown: readMarkdown,
  yaml: readYamlFile,
  close() {},
};

/** Characters that are read in a few milliseconds, whatever they are. */
const mostAtOnce = 4000;
/** Milliseconds of processor time. A page takes a few; one of a megabyte that is made of brackets takes some seconds. */
const usualBudgetMs = 10_000;

/** Starts its thread for the first large file, and reads one after the other. */
export function createThreadReader(clock: Clock, budgetMs = usualBudgetMs, meter: TaskMeter = uncounted): TextReader {
  let thread: TaskThread<MarkdownReading | YamlFileReading> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const close = (): void => {
    thread?.stop();
    thread = null;
  };
  /** null when the text takes too long. The thread gives the kind of reading that the path asks for. */
  const readInThread = async <Reading>(path: string, text: string): Promise<Reading | null> => {
    thread ??= startTaskThread(moduleBeside(import.meta, 'text-thread'), clock, meter);
    try {
      thread.post({ path, text } satisfies TextTask);
      return (await thread.next(budgetMs)) as Reading;
    } catch (thrown) {
      close();
      if (!(thrown instanceof ThreadFailure)) throw thrown;
      return null;
    }
  };
  const readNext = <Reading>(path: string, text: string): Promise<Reading | null> => {
    const reading = last.then(() => readInThread<Reading>(path, text));
    last = reading.catch(() => {});
    return reading;
  };
  return {
    disk: sharedDisk,
    markdown(path, text) {
      if (text.length <= mostAtOnce) return readMarkdown(path, text);
      return readNext<MarkdownReading>(path, text).then(
        (reading) => reading ?? unreadMarkdown(path, fileFault(path, slowMarkdown)),
      );
    },
    yaml(path, text) {
      if (text.length <= mostAtOnce) return readYamlFile(path, text);
      return readNext<YamlFileReading>(path, text).then(
        (reading) => reading ?? unreadYamlFile([fileFault(path, slowYaml)]),
      );
    },
    close,
  };
}

const slowMarkdown =
  'the text takes more than ten seconds to read: split the file, or look for brackets that are never closed.';
const slowYaml =
  'the file takes more than ten seconds to read: shorten it, or look in its markdown for brackets that are never closed.';
