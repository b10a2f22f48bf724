/** The process that notes are converted in: hostile markup can keep a converter busy for a minute, and a process gives all its memory back. */
import { type Clock, systemClock } from '../base/clock.ts';
import { createTaskProcess, moduleBeside } from '../base/task-process.ts';
import { type TaskMeter, uncounted } from '../base/task-tally.ts';
import type { ConvertedNotes } from './notes-length.ts';
import type { NotesSource } from './release.ts';

export interface NotesProcess {
  /** What one feed has to convert. The process is started when it is first needed, and ends with the last that use it. */
  open(): Conversions;
}

export interface Conversions {
  /** null when the text cannot be converted, or not within its budget. After two such texts no more are tried. */
  convert(source: NotesSource): Promise<ConvertedNotes | null>;
  close(): void;
}

/** Milliseconds of processor time. A note takes some 10; the rest is for starting the process. */
const usualBudgetMs = 2000;
/** For all notes of a feed together; hundreds of real ones take three seconds. */
const feedBudgetMs = 30_000;
const mostFailures = 2;

/** One text after the other, whoever asks. */
export function createNotesProcess(
  clock: Clock = systemClock,
  meter: TaskMeter = uncounted,
  budgetMs = usualBudgetMs,
): NotesProcess {
  const tasks = createTaskProcess<NotesSource>({
    file: moduleBeside(import.meta, 'notes-child'),
    clock,
    heapMegabytes: 256,
    meter,
  });
  let users = 0;
  return {
    open() {
      users += 1;
      let failures = 0;
      let leftMs = feedBudgetMs;
      return {
        async convert(source) {
          if (failures >= mostFailures || leftMs <= 0) return null;
          const { message, usedMs } = await tasks.run(source, Math.min(budgetMs, leftMs));
          leftMs -= usedMs;
          if (message === null) failures += 1;
          return convertedIn(message);
        },
        close() {
          users -= 1;
          if (users === 0) tasks.rest();
        },
      };
    },
  };
}

function convertedIn(message: unknown): ConvertedNotes | null {
  if (typeof message !== 'object' || message === null) return null;
  const converted: unknown = Reflect.get(message, 'converted');
  if (typeof converted !== 'object' || converted === null) return null;
  const markdown: unknown = Reflect.get(converted, 'markdown');
  if (typeof markdown !== 'string') return null;
  const lost: unknown = Reflect.get(converted, 'lost');
  return {
    markdown,
    isCut: Reflect.get(converted, 'isCut') === true,
    lost: Array.isArray(lost) ? lost.filter((what) => typeof what === 'string') : [],
  };
}
