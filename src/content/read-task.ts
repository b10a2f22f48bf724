/** Reads a content folder in a worker, so that a reload of ten thousand pages delays no request. */
import type { Workers } from '../worker/pool.ts';
import { sliceItems } from '../worker/slices.ts';
import { type Task, type TaskContext, WorkerError } from '../worker/task.ts';
import type { Asset, Content, Page } from './content.ts';
import { createFileFault, type Fault } from './fault.ts';
import { type Loaded, loadContent } from './load.ts';

type Rest = Omit<Content, 'pages' | 'assets'>;

/**
 * The task that reads the folder at an absolute path. Its result is the faults, or the content without pages and assets, which are
 * sent as pieces. The budget is for each file: one of a megabyte that is made of brackets takes seconds.
 */
export const contentTask: Task<string, Rest | Extract<Loaded, { faults: unknown }>> = {
  name: 'folder',
  worker: 'content',
  budgetMs: 10_000,
};

type Piece = { readonly pages: readonly Page[] } | { readonly asset: Asset };

/**
 * Loads the folder in a worker. If the worker uses up its time or memory, or ends before it is done, the file that it read last has
 * the only fault; every other failure rejects.
 */
export async function loadContentInWorker(directory: string, workers: Pick<Workers, 'run'>): Promise<Loaded> {
  const pages: Page[] = [];
  const assets = new Map<string, Asset>();
  const onPiece = (piece: unknown): void => {
    const part = piece as Piece;
    if ('pages' in part) pages.push(...part.pages);
    // A Buffer in a message may arrive as a Uint8Array, so it is made a Buffer again.
    else assets.set(part.asset.path, { ...part.asset, bytes: Buffer.from(part.asset.bytes) });
  };
  try {
    const result = await workers.run(contentTask, directory, { onPiece });
    return 'faults' in result ? result : { content: { ...result, pages, assets } };
  } catch (error) {
    if (!(error instanceof WorkerError)) throw error;
    return { faults: [describeSlowFile(error.label ?? '.')] };
  }
}

function describeSlowFile(path: string): Fault {
  const what = path.endsWith('.yaml')
    ? 'file takes more than ten seconds to read: shorten it, or look in its markdown'
    : 'text takes more than ten seconds to read: split the file, or look';
  return createFileFault(path, `the ${what} for brackets that are never closed.`);
}

/**
 * Loads the content folder in the worker, for `contentTask`. Sends pages and assets in parts, and returns the rest of the content,
 * or only the faults.
 */
export async function readContent(
  directory: string,
  { progress, send }: TaskContext,
): Promise<Rest | Extract<Loaded, { faults: unknown }>> {
  const loadResult = loadContent(directory, progress);
  if ('faults' in loadResult) return loadResult;
  const { pages, assets, ...rest } = loadResult.content;
  for (const slice of sliceItems(pages, ({ source }) => source.length)) await send({ pages: slice } satisfies Piece);
  for (const asset of assets.values()) await send({ asset } satisfies Piece);
  return rest;
}
