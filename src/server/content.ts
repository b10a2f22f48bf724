/** Reads the content folder, and keeps a copy of the last valid one for a start while the folder is invalid. */
import { join, resolve } from 'node:path';
import type { Log } from '../base/log.ts';
import { sandboxContent, shippedContent } from '../config/content-folders.ts';
import type { Content } from '../content/content.ts';
import { type ContentSource, createContentSource } from '../content/source.ts';
import { listSourceFiles } from '../content/source-location.ts';
import type { Workers } from '../worker/pool.ts';
import { copyTask } from './content-copy.ts';
import type { Start } from './options.ts';

/**
 * Reads the content folder, which `source` watches until the server ends, and the sandbox's content (`fixtures`). If the folder is
 * invalid, `content` is the copy of the last valid one in the data folder, which is renewed after each change. The shipped product,
 * a server with DATABASE_URL, `colophon dev` and a snapshot have no such copy.
 *
 * @throws ContentError if the folder is invalid and there is no such copy or the copy is invalid, too
 */
export async function readContent(
  { config, clock, log, metrics, devPage, isSnapshot = false, ending, loadContent: load }: Start,
  workers: Workers,
): Promise<{ source: ContentSource; content: Content; fixtures: Content }> {
  const directory = config.contentDir ?? shippedContent;
  // Shipped content is always valid; a server with DATABASE_URL, `colophon dev` and a snapshot have no data folder of their own.
  const isCopied = config.contentDir !== null && config.databaseUrl === null && devPage === undefined && !isSnapshot;
  const copy = isCopied ? createContentCopy(config.dataDir, log, workers) : null;
  const source = createContentSource({
    directory,
    clock,
    log,
    workers,
    load,
    meter: metrics.meter('content'),
    findFallback() {
      const loadResult = copy === null ? { faults: [] } : load(copy.directory);
      // `directory` is the folder and not its copy, because releases are still read from the folder.
      return 'content' in loadResult ? { ...loadResult.content, directory: resolve(directory) } : null;
    },
  });
  ending.defer(async () => {
    source.stop();
    await copy?.close();
  });
  source.onLoad((faults) => devPage?.show(faults));
  const content = await source.start();
  // The copy is saved `copyDelayMs` later, because a start has more urgent work.
  const isValid = source.status().errors === 0;
  ending.defer(clock.after(copyDelayMs, () => isValid && copy?.save(content)));
  source.onChange((newContent) => copy?.save(newContent));
  const sandbox = createContentSource({ directory: sandboxContent, clock, log, workers, load });
  const fixtures = await sandbox.start();
  sandbox.stop();
  return { source, content, fixtures };
}

/** How long after its start a server copies the content, in milliseconds. */
const copyDelayMs = 10_000;

/**
 * Returns the path of the copy of one server (`directory`), which is the folder `content` in its data folder, and the functions
 * that renew it (`save`) and wait for it (`close`).
 */
function createContentCopy(dataDir: string, log: Log, workers: Workers) {
  const target = join(dataDir, 'content');
  let saving: Promise<void> = Promise.resolve();
  return {
    directory: target,
    /** Starts to copy a valid folder, after the copies that are in progress. A failure is logged. */
    save({ directory, product }: Content): void {
      const feeds = listSourceFiles(product.sources.map((entry) => entry.source));
      saving = saving
        .then(() => workers.run(copyTask, { source: directory, feeds, target }))
        .catch((error: unknown) => {
          const message = 'the content was not copied to DATA_DIR: a start with an invalid folder will fail';
          log.warn({ event: 'content.not_copied', err: error }, message);
        });
    },
    /** Resolves when no copy is in progress. */
    close: () => saving,
  };
}
