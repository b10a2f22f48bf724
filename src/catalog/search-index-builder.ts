/** Builds search indexes: in this process, which waits, or in a worker process while the event loop serves requests. */
import { setImmediate } from 'node:timers/promises';
import { toPlainText } from '../markdown/markdown.ts';
import { buildIndex } from '../search/build.ts';
import { countCharacters, type SearchDocument } from '../search/document.ts';
import { collectSynonyms, createStemmer } from '../search/language.ts';
import { openIndex, type SearchIndex } from '../search/search.ts';
import type { Workers } from '../worker/pool.ts';
import { sliceItems } from '../worker/slices.ts';
import type { Task, TaskContext } from '../worker/task.ts';
import { createIndexReceiver, splitIndex } from './index-transfer.ts';

/** The documents of a revision, and the settings of their index. */
export interface Searched {
  /** The documents; they are iterated more than once. */
  readonly documents: Iterable<SearchDocument>;
  readonly language: string;
  /** The groups of synonyms in the vendor's synonyms.yaml. */
  readonly synonyms: readonly (readonly string[])[];
}

/** Maximum characters of documents that are indexed within a moment, so that a search can wait for the index. */
const maxSmallLength = 200_000;

/**
 * Returns whether the documents have at most 200,000 characters by `countCharacters`, which are few enough to be served before
 * their index is built.
 */
export function isSmall(documents: Iterable<SearchDocument>): boolean {
  let characters = 0;
  for (const document of documents) {
    characters += countCharacters(document);
    if (characters > maxSmallLength) return false;
  }
  return true;
}

/** Builds the index in this process, which serves nothing until it is done, so it is for few documents. */
export function buildIndexHere({ documents, language, synonyms }: Searched): SearchIndex {
  const stem = createStemmer(language);
  return openIndex(buildIndex(documents, { stem, synonyms: collectSynonyms(language, synonyms), toPlainText }), stem);
}

/** Access to the search index of one revision, which may not be built yet. */
export interface RevisionIndex {
  /** Returns the index if it is built, otherwise the promise of it, which rejects if that fails. Starts to build it if nobody has. */
  open(): SearchIndex | Promise<SearchIndex>;
}

/**
 * Returns an index for which `build` is called with the first query: until then, a server has more urgent work. If `build` fails,
 * the next query calls it again.
 */
export function buildIndexLazily(build: () => SearchIndex | Promise<SearchIndex>): RevisionIndex {
  let current: SearchIndex | Promise<SearchIndex> | null = null;
  const start = (): Promise<SearchIndex> => {
    const building = (async () => build())();
    building.then(
      (index) => {
        current = index;
      },
      () => {
        current = null;
      },
    );
    return building;
  };
  return {
    open() {
      current ??= start();
      return current;
    },
  };
}

type IndexSettings = Omit<Searched, 'documents'>;

/** Builds an index from documents that arrive in pieces; 10,000 pages take many seconds. The output is the index without its arrays. */
const indexTask: Task<IndexSettings, object> = { name: 'index', worker: 'content', budgetMs: 120_000 };

/** Builds the index in a worker. Rejects if that fails or uses up its budget, which is two minutes of processor time. */
export async function buildIndexInWorker(
  { documents, language, synonyms }: Searched,
  workers: Pick<Workers, 'run'>,
): Promise<SearchIndex> {
  const { receive, join } = createIndexReceiver();
  const parts = { pieces: sliceItems(documents, countCharacters), onPiece: receive };
  const rest = await workers.run(indexTask, { language, synonyms }, parts);
  await setImmediate();
  const index = openIndex(join(rest), createStemmer(language));
  // Opening the index takes a turn of the event loop, so searches that waited for the index run in the next one.
  await setImmediate();
  return index;
}

/**
 * Runs `indexTask`: the pieces of the input are arrays of documents. Sends the parts of the index's arrays as pieces of the output,
 * and returns the rest of the index.
 */
export async function buildFromPieces(
  { language, synonyms }: IndexSettings,
  { pieces: documents, send }: TaskContext,
): Promise<object> {
  const options = { stem: createStemmer(language), synonyms: collectSynonyms(language, synonyms), toPlainText };
  const { rest, pieces } = splitIndex(buildIndex((documents as readonly SearchDocument[][]).flat(), options));
  for (const piece of pieces) await send(piece);
  return rest;
}
