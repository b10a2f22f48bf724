/** Keeps the feed that is served: its verified snapshot, its stored copy, and the release notes that were fetched for it. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { getMessage } from '../base/thrown.ts';
import type { Workers } from '../worker/pool.ts';
import { FeedFault } from './fault.ts';
import { createCacheKey, type FeedStorage, type StoredFeed } from './feed-storage.ts';
import type { Fetched, Validators } from './fetch.ts';
import { createLinkedNotes } from './linked-notes.ts';
import { createNotesReader } from './notes.ts';
import type { SourceHints } from './parse-item.ts';
import type { FeedSnapshot } from './release.ts';
import { type FeedHistory, noHistory, type VerificationRules, verifyFeed } from './verify-feed.ts';

/** The source whose copy is cached, and how it is verified, read and stored. */
export interface FeedCacheOptions extends VerificationRules {
  /**
   * The URL that a feed from a file is published at, where its relative URLs start. If it is left out, files with such URLs are
   * skipped.
   */
  readonly baseUrl?: string;
  /** Whether to fetch the notes that items only link to. @defaultValue false */
  readonly fetchesNotes?: boolean;
  /** The facts in product.yaml about files that lack them. */
  readonly hints?: SourceHints;
  /** Preferred languages of notes in several languages, best first, as BCP 47 tags; English if left out. */
  readonly languages?: readonly string[];
  readonly storage: FeedStorage;
  readonly clock: Clock;
  readonly log: Log;
  /** Converts notes and reads large feeds. */
  readonly workers: Workers;
}

/** The last good copy of a source, in memory and in the storage. `snapshot`, `validators` and `savedAt` return null before the first. */
export type FeedCache = ReturnType<typeof createFeedCache>;

/**
 * Creates an empty cache, which `load` fills from the storage, `examine` with what was fetched and `fetchNotes` with linked notes.
 * Only `examine` rejects. `signal` is aborted when the server stops.
 */
export function createFeedCache(options: FeedCacheOptions, signal: AbortSignal) {
  const { source, clock, log, storage, publicKeys, policy, workers, fetchesNotes = false } = options;
  const key = createCacheKey(source, publicKeys);
  const notes = createNotesReader(workers);
  const linkedNotes = createLinkedNotes({ publicKeys, policy, clock, log, signal });
  const listeners: (() => void)[] = [];

  let snapshot: FeedSnapshot | null = null;
  /** Facts about earlier feeds, against which each later feed is checked, even if the stored copy is unusable. */
  let history: FeedHistory = noHistory;
  /** The feed of the snapshot as it is stored, and whether storing it failed so far. */
  let copy: StoredFeed | null = null;
  let isUnsaved = false;
  let loading: Promise<void> | null = null;
  let isFetchingNotes = false;

  const verify = (bytes: Buffer, url: string | null, current: FeedSnapshot | null, past: FeedHistory) =>
    verifyFeed(bytes, current, past, options, {
      ...options.hints,
      address: url ?? options.baseUrl ?? null,
      languages: options.languages ?? [],
      notes,
      workers,
      ...(fetchesNotes && { linkedNotes: linkedNotes.find }),
    });
  /**
   * Verifies a copy that was accepted before and resolves with the result of `verifyFeed`, which is never null here: of the past,
   * only that feeds were signed is binding. Rejects with a FeedFault (`refused`) if the copy is not acceptable.
   */
  const verifyAgain = ({ bytes, metadata }: StoredFeed): ReturnType<typeof verifyFeed> =>
    verify(bytes, metadata.address ?? metadata.url, null, { ...noHistory, signed: metadata.signed });

  function adopt(next: FeedSnapshot): void {
    snapshot = next;
    const { sha256, releases, verifiedBy, warnings } = next;
    log.info({ sha256, releases: releases.length, verifiedBy }, 'the feed has a new snapshot');
    for (const { line, message } of warnings) log.warn({ ...(line !== null && { line }) }, `feed: ${message}`);
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        log.error({ error: getMessage(error) }, 'what follows from a new feed failed');
      }
    }
  }

  async function restore(): Promise<void> {
    try {
      const storedCopy = await storage.load(key);
      if (storedCopy === null) return;
      history = storedCopy.metadata;
      linkedNotes.restore(storedCopy.metadata.notes);
      const verifiedFeed = await verifyAgain(storedCopy);
      if (verifiedFeed?.snapshot.sha256 !== storedCopy.metadata.sha256)
        throw new FeedFault('refused', 'The saved copy is not the one that was accepted.');
      copy = storedCopy;
      if (snapshot?.revision !== verifiedFeed.snapshot.revision) adopt(verifiedFeed.snapshot);
    } catch (error) {
      log.error({ error: getMessage(error) }, 'the saved copy of the feed is not used');
    }
  }

  /** Saves the copy if that failed so far. Never rejects: a full disk must not hold back a release, and the next check tries again. */
  async function save(): Promise<void> {
    if (copy === null || !isUnsaved) return;
    try {
      await storage.save(key, copy);
      isUnsaved = false;
    } catch (error) {
      log.error({ error: getMessage(error) }, 'the feed’s copy cannot be saved and would be missing after a restart');
    }
  }

  async function store(bytes: Buffer, metadata: Omit<StoredFeed['metadata'], 'notes'>, from: FeedSnapshot) {
    copy = { bytes, metadata: { ...metadata, notes: linkedNotes.listStored(from.notesLinks) } };
    history = copy.metadata;
    isUnsaved = true;
    await save();
  }

  /**
   * Verifies the current copy again with the notes that were fetched since, then stores and serves the result. Does nothing if
   * there is no copy, a newer one has come in the meantime or the server stops; rejects with a FeedFault (`refused`) if the copy is
   * not acceptable.
   */
  async function readAgain(): Promise<void> {
    const current = copy;
    if (current === null) return;
    const verifiedFeed = await verifyAgain(current);
    // If a newer feed was stored in the meantime, this result is dropped: the check of the newer feed fetches its notes.
    if (verifiedFeed === null || copy?.bytes !== current.bytes || signal.aborted) return;
    await store(current.bytes, current.metadata, verifiedFeed.snapshot);
    adopt(verifiedFeed.snapshot);
  }

  return {
    /** Returns the copy that is served, or null before the first. */
    snapshot: (): FeedSnapshot | null => snapshot,
    /** Returns the headers of the copy that make the next request conditional, or null if there is no copy. */
    validators: (): Validators | null => copy?.metadata ?? null,
    /**
     * Returns when the copy was stored or, if it was loaded, when it was last known to be current, in milliseconds since 1970.
     * Returns null if there is no copy.
     */
    savedAt: (): number | null => copy?.metadata.savedAt ?? null,
    /**
     * Records in the storage that the copy was current at `time`, in milliseconds since 1970. Never rejects: after a failure, only
     * `savedAt` is too early once the server restarts.
     */
    touch: (time: number): Promise<void> => storage.touch?.(key, time).catch(() => {}) ?? Promise.resolve(),
    /**
     * Loads the stored copy, at the first call only, and serves it if it passes verification again. Never rejects: a copy that
     * cannot be used is logged, and what is served stays.
     */
    load(): Promise<void> {
      loading ??= restore();
      return loading;
    },
    /**
     * Loads and serves the copy that another process stored, which is newer than one that this process could not save. Like `load`,
     * it never rejects.
     */
    reload(): Promise<void> {
      isUnsaved = false;
      loading = restore();
      return loading;
    },
    /**
     * Verifies what was fetched, stores and serves it; resolves to `unchanged` if it is what is served already, or once the
     * server stops: then it is only stored. Rejects with a FeedFault (`refused`) if it is not acceptable.
     */
    async examine(bytes: Buffer, { url, address, etag, lastModified }: Fetched): Promise<'updated' | 'unchanged'> {
      const verifiedFeed = await verify(bytes, address ?? url, snapshot, history);
      const validators = { url, address, etag, lastModified };
      if (verifiedFeed === null) {
        if (copy !== null) copy = { ...copy, metadata: { ...copy.metadata, ...validators } };
        await save();
        return 'unchanged';
      }
      const past = { ...verifiedFeed.history, superseded: [...verifiedFeed.history.superseded] };
      const { sha256 } = verifiedFeed.snapshot;
      await store(bytes, { ...validators, ...past, sha256, savedAt: clock.now() }, verifiedFeed.snapshot);
      if (signal.aborted) return 'unchanged';
      adopt(verifiedFeed.snapshot);
      return 'updated';
    },
    /**
     * Fetches the notes that the feed only links to, unless `fetchesNotes` is false, and serves the feed with them. Resolves at
     * once while nothing is served or another call fetches them. Never rejects: what fails is logged.
     */
    async fetchNotes(): Promise<void> {
      if (!fetchesNotes || isFetchingNotes || snapshot === null) return;
      isFetchingNotes = true;
      try {
        await linkedNotes.fetch(snapshot.notesLinks, copy?.metadata.url ?? null, readAgain);
      } catch (error) {
        log.error({ error: getMessage(error) }, 'the notes that the feed links to cannot be adopted');
      } finally {
        isFetchingNotes = false;
      }
    },
    /** Calls `listener` after each new snapshot, for as long as the cache exists. What it throws is logged. */
    onChange(listener: () => void): void {
      listeners.push(listener);
    },
  };
}
