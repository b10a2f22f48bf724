/** Builds search indexes: a small one at once, a large one in a thread, while the event loop serves requests. */
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import { moduleBeside } from '../base/task-process.ts';
import { buildIndex, type IndexData } from './build.ts';
import type { SearchDocument } from './document.ts';
import type { IndexMessage } from './index-thread.ts';
import { openIndex, type SearchIndex } from './search.ts';
import { stemmerFor } from './stemmer.ts';
import { synonymsOf } from './synonyms.ts';

export interface Searched {
  readonly documents: readonly SearchDocument[];
  readonly language: string;
  /** The vendor's own. */
  readonly synonyms: readonly (readonly string[])[];
}

/** Characters that are indexed in some ten milliseconds. */
const mostAtOnce = 100_000;
/** Characters that go to the thread in one turn of the event loop. */
const slice = 500_000;
/** Milliseconds of processor time; 10,000 pages take two seconds. */
const budgetMs = 120_000;
const lookMs = 1000;

/** Whether the documents are few enough to be indexed between two requests. */
export function isSmall(documents: readonly SearchDocument[]): boolean {
  let characters = 0;
  for (const document of documents) {
    characters += sizeOf(document);
    if (characters > mostAtOnce) return false;
  }
  return true;
}

const sizeOf = ({ sections }: SearchDocument): number =>
  sections.reduce((sum, { text, code }) => sum + text.length + code.length + 100, 0);

export function indexHere({ documents, language, synonyms }: Searched): SearchIndex {
  const stem = stemmerFor(language);
  return openIndex(buildIndex(documents, { stem, synonyms: synonymsOf(language, synonyms) }), stem);
}

/** Rejects when the thread ends without an index, or uses up its budget. */
export async function indexInThread({ documents, language, synonyms }: Searched, clock: Clock): Promise<SearchIndex> {
  const worker = new Worker(moduleBeside(import.meta, 'index-thread'), { execArgv: [] });
  worker.unref();
  const { promise, resolve, reject } = Promise.withResolvers<IndexData>();
  worker.once('message', (data: IndexData) => resolve(data));
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('The thread ended without an index.')));
  let cancelLook = (): void => {};
  const look = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage();
    if ((user + system) / 1000 > budgetMs) reject(new Error('The index took more than its budget of processor time.'));
    else lookLater();
  };
  const lookLater = (): void => {
    // An ended thread has no processor time to tell.
    cancelLook = clock.after(lookMs, () => void look().catch(() => {}));
  };
  lookLater();
  try {
    const post = (message: IndexMessage): void => worker.postMessage(message);
    for (const some of slicesOf(documents)) {
      post({ documents: some });
      await setImmediate();
    }
    post({ language, synonyms });
    return openIndex(await promise, stemmerFor(language));
  } finally {
    cancelLook();
    worker.removeAllListeners();
    void worker.terminate();
  }
}

function slicesOf(documents: readonly SearchDocument[]): SearchDocument[][] {
  const slices: SearchDocument[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const document of documents) {
    if (characters > slice) {
      slices.push([]);
      characters = 0;
    }
    slices.at(-1)?.push(document);
    characters += sizeOf(document);
  }
  return slices;
}
