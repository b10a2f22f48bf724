/** The catalog that is served now: content and feed, combined again whenever one of them changes. */
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import { ignoreTask, type TaskMeter } from '../base/task-tally.ts';
import {
  type Catalog,
  type CatalogDraft,
  draftCatalog,
  finishCatalog,
  type ListSearchDocuments,
} from '../catalog/catalog.ts';
import {
  buildIndexHere,
  buildIndexInWorker,
  buildIndexLazily,
  isSmall,
  type RevisionIndex,
} from '../catalog/search-index-builder.ts';
import { shippedContent } from '../config/content-folders.ts';
import type { Content } from '../content/content.ts';
import type { ContentSource } from '../content/source.ts';
import { combineFeeds, type ProductFeed, type SourceFeed } from '../feed/combined-feed.ts';
import { isExampleKey } from '../feed/example-key.ts';
import { createFeed, type Feed } from '../feed/feed.ts';
import { createFileStorage, createTableStorage, noStorage } from '../feed/feed-storage.ts';
import type { FeedStatus } from '../feed/release.ts';
import { createSharedFeed } from '../feed/shared-feed.ts';
import { readSourceSettings, type SourceSettings } from '../feed/source-settings.ts';
import { listSearchDocuments } from '../operations/searchable.ts';
import { searchables } from '../resources/resources.ts';
import type { SearchIndex } from '../search/search.ts';
import type { FeedTable } from '../store/postgres/feeds.ts';
import type { Workers } from '../worker/pool.ts';
import { createEntryTally, type EntryTally } from './entries.ts';
import type { Start } from './options.ts';

/** The catalog that is served now. */
export interface LiveCatalog {
  catalog(): Catalog;
  feedStatus(): FeedStatus;
  readonly entries: EntryTally;
  /**
   * Checks the feed now, whatever its interval, and resolves with the outcome as `CheckResult`; never rejects. A process that does
   * not lead a shared feed only looks for a newer copy.
   */
  checkFeed(): ReturnType<Feed['check']>;
  /** Adds a listener, for good, that is called with each new revision from now on. */
  onChange(listener: (catalog: Catalog) => void): void;
  /** Stops the feed, and creates no more revisions. */
  stop(): void;
}

/** The sources of the catalog. */
export interface LiveCatalogParts {
  /** The table in which several processes share a feed, or null if each has its own copy. */
  readonly feeds: FeedTable | null;
  readonly source: ContentSource;
  /** The content that `source` has at the start. */
  readonly first: Content;
  readonly workers: Workers;
}

/**
 * Creates the catalog of the newest content and feed, and a new one whenever one of them changes. Resolves after the first check of
 * the feed, which takes 10 seconds at most and may fail.
 */
export async function createLiveCatalog(
  start: Pick<Start, 'config' | 'clock' | 'log' | 'metrics'>,
  { feeds, source, first, workers }: LiveCatalogParts,
): Promise<LiveCatalog> {
  const { config, log, metrics } = start;
  const feedMeter = metrics.meter('feed_check');
  const startFeedFor = (product: Content): Promise<ProductFeed> => startFeed(start, product, feeds, workers, feedMeter);
  let content = first;
  let feed = await startFeedFor(content);
  const listDocuments: ListSearchDocuments = (source) =>
    listSearchDocuments(searchables, { ...source, limits: config.limits });
  let releases = feed.snapshot();
  const createDraft = (): CatalogDraft => draftCatalog(content, releases, listDocuments);
  const buildIndex = ({ searched: of }: CatalogDraft): Promise<SearchIndex> => buildIndexInWorker(of, workers);
  const firstDraft = createDraft();
  // The index is built for its first query, so that all other requests are served at once, however many pages there are.
  const firstIndex = buildIndexLazily(() =>
    buildIndex(firstDraft).catch((error: unknown) => {
      log.error({ err: error }, 'the search index cannot be built in a worker; it is built between requests instead');
      return buildIndexHere(firstDraft.searched);
    }),
  );
  let catalog = finishCatalog(firstDraft, firstIndex);
  const entries = createEntryTally(catalog, log);
  const listeners: ((catalog: Catalog) => void)[] = [];
  const swap = (next: Catalog): void => {
    const previous = catalog;
    catalog = next;
    logWarnings(log, catalog);
    if (catalog.revision === previous.revision) return;
    entries.adopt(catalog);
    for (const listener of listeners) listener(catalog);
  };
  let feedFile: Promise<unknown> = Promise.resolve();
  let isDue = false;
  let isAdopting = false;
  let isRemaking = false;
  let isStopped = false;
  /**
   * Creates and serves one revision after the other: what changes in the meantime is in the next. A small one is served at once, a
   * large one when its search index is built. Resolves at once if a run is in progress, which then creates one more, or if a folder
   * is adopted. A revision that cannot be created is logged.
   */
  const remake = async (): Promise<void> => {
    // While a folder is being adopted, changes of its feed wait: `adopt` then creates a revision with both.
    if (isAdopting) return;
    releases = feed.snapshot();
    isDue = true;
    if (isRemaking) return;
    isRemaking = true;
    while (isDue && !isStopped) {
      isDue = false;
      try {
        const next = createDraft();
        if (next.revision === catalog.revision) swap(finishCatalog(next, catalog.search));
        else if (isSmall(next.searched.documents)) {
          const search = buildIndexLazily(() => buildIndex(next));
          swap(finishCatalog(next, search));
          // The index is built now, and searches in the meantime wait for it.
          openAhead(search, log);
        } else {
          const search = await buildIndex(next);
          if (!isStopped) swap(finishCatalog(next, { open: () => search }));
        }
      } catch (error) {
        log.error({ err: error }, 'a new revision cannot be created; the last valid one is still served');
      }
    }
    isRemaking = false;
  };
  logWarnings(log, catalog);
  feed.onChange(() => void remake());
  const adopt = async (newContent: Content): Promise<void> => {
    isAdopting = true;
    if (listFeedSettings(newContent) === listFeedSettings(content)) await feedFile;
    else {
      feed.stop();
      feed = await startFeedFor(newContent);
      if (isStopped) feed.stop();
      feed.onChange(() => void remake());
    }
    isAdopting = false;
    content = newContent;
    void remake();
  };
  // Folders are adopted one after the other, so that a feed that responds slowly does not replace a newer one.
  let lastAdoption: Promise<void> = Promise.resolve();
  source.onChange((newContent) => {
    lastAdoption = lastAdoption.then(() => adopt(newContent));
  });
  // Each load checks feeds that are files of the folder, because their changes are no changes of the content.
  source.onLoad(() => {
    feedFile = feed.checkFiles();
  });
  return {
    catalog: () => catalog,
    feedStatus: () => feed.status(),
    entries,
    checkFeed: () => feed.check(),
    onChange: (listener) => listeners.push(listener),
    stop() {
      isStopped = true;
      feed.stop();
    },
  };
}

/** Starts to build the index of a revision before its first search; a failure is logged. */
export const openAhead = (search: RevisionIndex, log: Log): void =>
  void Promise.resolve(search.open()).catch((err: unknown) => log.error({ err }, 'the search index cannot be built'));

/**
 * Returns what the feed of a folder depends on as JSON, to compare: its sources, its language, and whether it has releases of its
 * own. A feed with other settings has to be started again.
 */
const listFeedSettings = ({ product, releases }: Content): string =>
  JSON.stringify([product.sources, product.language, releases.length > 0]);

function logWarnings(log: Log, { warnings }: Catalog): void {
  for (const { line, message } of warnings) log.warn({ warning: message, ...(line !== null && { line }) }, 'catalog');
}

/**
 * Starts the feed of a product, with each of its sources. Resolves after their first checks, even if these fail. Logs a warning if
 * product.yaml, other than the shipped one, trusts the example key.
 *
 * @param feeds the table in which several processes share a source, so that only one of them fetches it (a feed that is a file is
 *   read by each, since it comes with the content); null to store the copy in the data folder; `alone` to store none
 */
export async function startFeed(
  start: Pick<Start, 'config' | 'clock' | 'log'>,
  content: Content,
  feeds: FeedTable | null | 'alone',
  workers: Workers,
  meter: TaskMeter = ignoreTask,
): Promise<ProductFeed> {
  const { product, directory, releases } = content;
  if (directory !== shippedContent && product.sources.some(({ public_keys: keys }) => keys.some(isExampleKey)))
    start.log.warn({}, 'product.yaml trusts the example key, whose private half is public: replace feed.public_keys');
  const hasSeveral = product.sources.length > 1;
  const sources = product.sources.map((entry): SourceFeed => {
    const settings = readSourceSettings(entry, content);
    const log = hasSeveral ? addFields(start.log, { source: settings.name }) : start.log;
    const { name, isFile } = settings;
    return { name, isFile, feed: createSource({ ...start, log }, settings, feeds, workers, meter) };
  });
  const feed = combineFeeds(sources, releases.length > 0);
  await feed.start();
  return feed;
}

function createSource(
  { config, clock, log }: Pick<Start, 'config' | 'clock' | 'log'>,
  settings: SourceSettings,
  feeds: FeedTable | null | 'alone',
  workers: Workers,
  meter: TaskMeter,
): Feed {
  const { baseUrl: ownOrigin, githubToken } = config;
  const options = { ...settings, clock, log, workers, meter, githubToken, ...(ownOrigin !== null && { ownOrigin }) };
  if (feeds === 'alone') return createFeed({ ...options, storage: noStorage });
  if (feeds === null) return createFeed({ ...options, storage: createFileStorage(join(config.dataDir, 'feed')) });
  return settings.isFile
    ? createFeed({ ...options, storage: createTableStorage(feeds) })
    : createSharedFeed({ ...options, table: feeds });
}

/** Returns a log that adds these fields to each event, whose own field of the same name wins, and passes it on to `log`. */
const addFields = (log: Log, fields: Record<string, unknown>): Log => ({
  info: (more, message) => log.info({ ...fields, ...more }, message),
  warn: (more, message) => log.warn({ ...fields, ...more }, message),
  error: (more, message) => log.error({ ...fields, ...more }, message),
});
