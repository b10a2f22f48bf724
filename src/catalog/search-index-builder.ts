/** Builds search indexes: a small one at once, a large one in a thread, while the event loop serves requests. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { moduleBeside } from '../base/task-process.ts';
import { type TaskMeter, uncounted } from '../base/task-tally.ts';
import { startTaskThread } from '../base/task-thread.ts';
import { buildIndex, type IndexData } from '../search/build.ts';
import type { SearchDocument } from '../search/document.ts';
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

/** Characters that are indexed in some ten milliseconds. */
const mostAtOnce = 100_000;
/** Characters that a process that has just started indexes at once: a thread would cost it more time and memory. */
const mostAtFirst = 200_000;
/** Characters that go to the thread in one turn of the event loop. */
const slice = 300_000;
/** Milliseconds of processor time; 10,000 pages take five seconds. */
const budgetMs = 120_000;
/** Markdown has to be read before it is indexed; a hostile text takes ten times as long as others. */
const markdownFactor = 10;

/** Whether the documents are few enough to be indexed between two requests. */
export const isSmall = (documents: Iterable<SearchDocument>): boolean => hasAtMost(mostAtOnce, documents);

/** Whether they are few enough to be indexed for the first query of all. */
export const isSmallAtFirst = (documents: Iterable<SearchDocument>): boolean => hasAtMost(mostAtFirst, documents);

function hasAtMost(most: number, documents: Iterable<SearchDocument>): boolean {
  let characters = 0;
  for (const document of documents) {
    characters += sizeOf(document);
    if (characters > most) return false;
  }
  return true;
}

const sizeOf = ({ sections }: SearchDocument): number =>
  sections.reduce(
    (sum, { text, code, markdown = '' }) => sum + text.length + code.length + markdownFactor * markdown.length + 100,
    0,
  );

export function indexHere({ documents, language, synonyms }: Searched): SearchIndex {
  const stem = stemmerFor(language);
  return openIndex(buildIndex([...documents], { stem, synonyms: synonymsOf(language, synonyms) }), stem);
}

/** The index of a revision, which may not be built yet. */
export interface RevisionIndex {
  /** The index, or the promise of the one that is being built. */
  open(): SearchIndex | Promise<SearchIndex>;
}

export const builtIndex = (index: SearchIndex): RevisionIndex => ({ open: () => index });

/** The same index behind what `wrap` puts in front of it. */
export const wrapIndex = ({ open }: RevisionIndex, wrap: (index: SearchIndex) => SearchIndex): RevisionIndex => ({
  open() {
    const index = open();
    return index instanceof Promise ? index.then(wrap) : wrap(index);
  },
});

/** An index that is built for its first query: until then, a server has more urgent work. One that failed is tried again. */
export function indexWhenAsked(build: () => SearchIndex | Promise<SearchIndex>): RevisionIndex {
  let made: SearchIndex | Promise<SearchIndex> | null = null;
  const wait = async (building: Promise<SearchIndex>): Promise<SearchIndex> => {
    try {
      made = await building;
      return made;
    } catch (error) {
      made = null;
      throw error;
    }
  };
  return {
    open() {
      if (made !== null) return made;
      const building = build();
      made = building instanceof Promise ? wait(building) : building;
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
    characters += sizeOf(document);
    if (characters < slice) continue;
    yield some;
    some = [];
    characters = 0;
  }
  yield some;
}
