/** Builds search indexes while the event loop serves requests: a small one between them, a large one in a thread. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { inTurns } from '../base/slices.ts';
import { moduleBeside } from '../base/task-process.ts';
import { type TaskMeter, uncounted } from '../base/task-tally.ts';
import { startTaskThread } from '../base/task-thread.ts';
import { type IndexData, indexSteps } from '../search/build.ts';
import { charactersOf, type SearchDocument } from '../search/document.ts';
import { openIndex, type SearchIndex } from '../search/search.ts';
import { stemmerFor } from '../search/stemmer.ts';
import { synonymsOf } from '../search/synonyms.ts';
import type { IndexMessage } from './search-index-thread.ts';

export interface Searched {
  /** Gone through more than once. */
  readonly documents: Iterable<SearchDocument>;
  readonly language: string;
  /** The vendor's own. */
  readonly synonyms: readonly (readonly string[])[];
}

/** Characters that are indexed in this process. It takes a tenth of a second: a thread would cost more time and memory. */
const mostHere = 200_000;
/** Characters that are indexed in one turn of the event loop. */
const inOneTurn = 5000;
/** Characters that go to the thread in one turn. */
const slice = 300_000;
/** Milliseconds of processor time; 10,000 pages take five seconds. */
const budgetMs = 120_000;

/** Whether the documents are few enough to be indexed in this process. */
export function isSmall(documents: Iterable<SearchDocument>): boolean {
  let characters = 0;
  for (const document of documents) {
    characters += charactersOf(document);
    if (characters > mostHere) return false;
  }
  return true;
}

/** The index of few documents, while the event loop serves requests. */
export async function indexInTurns({ documents, language, synonyms }: Searched): Promise<SearchIndex> {
  const stem = stemmerFor(language);
  const steps = indexSteps(documents, { stem, synonyms: synonymsOf(language, synonyms) });
  return openIndex(await inTurns(steps, inOneTurn), stem);
}

/** The index of a revision, which may not be built yet. */
export interface RevisionIndex {
  /** The index, or the promise of the one that is being built. */
  open(): SearchIndex | Promise<SearchIndex>;
}

export const builtIndex = (index: SearchIndex): RevisionIndex => ({ open: () => index });

/** An index that is built for its first query: until then, a server has more urgent work. One that failed is tried again. */
export function indexWhenAsked(build: () => Promise<SearchIndex>): RevisionIndex {
  let made: SearchIndex | Promise<SearchIndex> | null = null;
  const make = async (): Promise<SearchIndex> => {
    try {
      made = await build();
      return made;
    } catch (error) {
      made = null;
      throw error;
    }
  };
  return {
    open() {
      made ??= make();
      return made;
    },
  };
}

/** Rejects when the thread ends without an index, or uses up its budget. */
export async function indexInThread(
  { documents, language, synonyms }: Searched,
  clock: Clock,
  meter: TaskMeter = uncounted,
): Promise<SearchIndex> {
  const thread = startTaskThread<IndexData>(moduleBeside(import.meta, 'search-index-thread'), clock, meter);
  try {
    const post = (message: IndexMessage): void => thread.post(message);
    for (const some of slicesOf(documents)) {
      post({ documents: some });
      await setImmediate();
    }
    post({ language, synonyms });
    const data = await thread.next(budgetMs);
    await setImmediate();
    return openIndex(data, stemmerFor(language));
  } finally {
    thread.stop();
  }
}

/** The documents are made as they are taken: making all of them at once would take as long as sending them. */
function* slicesOf(documents: Iterable<SearchDocument>): Iterable<SearchDocument[]> {
  let some: SearchDocument[] = [];
  let characters = 0;
  for (const document of documents) {
    some.push(document);
    characters += charactersOf(document);
    if (characters < slice) continue;
    yield some;
    some = [];
    characters = 0;
  }
  yield some;
}
