/** The feed in service: what was verified, the stored copy of it, and the notes that were fetched for it. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/thrown.ts';
import type { Workers } from '../worker/pool.ts';
import { FeedFault } from './fault.ts';
import { cacheKey, type FeedStorage, type StoredFeed } from './feed-storage.ts';
import type { Fetched, Validators } from './fetch.ts';
import { createLinkedNotes } from './linked-notes.ts';
import { createNotesReader } from './notes.ts';
import type { FeedSnapshot } from './release.ts';
import {
  type FeedHistory,
  noHistory,
  type Reading,
  type VerificationRules,
  type VerifiedFeed,
  verifyFeed,
} from './verify-feed.ts';

export interface FeedCacheOptions extends VerificationRules {
  /** The URL that a feed from a file is published at. */
  readonly baseUrl?: string;
  /** Whether to fetch the notes that items only link to. */
  readonly fetchesNotes?: boolean;
  /** Preferred languages of notes in several languages, as BCP 47 tags. */
  readonly languages?: readonly string[];
  readonly storage: FeedStorage;
  readonly clock: Clock;
  readonly log: Log;
  /** Converts notes and reads large feeds. */
  readonly workers: Workers;
}

export type FeedCache = ReturnType<typeof createFeedCache>;

/** Creates an empty cache; load() fills it from the storage. `signal` is aborted when the server stops. */
export function createFeedCache(options: FeedCacheOptions, signal: AbortSignal) {
  const { source, clock, log, storage, publicKeys, policy, workers } = options;
  const key = cacheKey(source, publicKeys);
  const notes = createNotesReader(workers);
  const linked = createLinkedNotes({ publicKeys, policy, clock, log, signal });
  const listeners: (() => void)[] = [];

  let snapshot: FeedSnapshot | null = null;
  let history: FeedHistory = noHistory;
  let validators: Validators | null = null;
  /** The feed in service as it is stored, and whether storing it failed so far. */
  let copy: StoredFeed | null = null;
  let isUnsaved = false;
  let loading: Promise<void> | null = null;
  let isFetchingNotes = false;

  const verify = (bytes: Buffer, url: string | null, current: FeedSnapshot | null, past: FeedHistory) => {
    const reading: Reading = {
      address: url ?? options.baseUrl ?? null,
      languages: options.languages ?? [],
      notes,
      workers,
      ...(options.fetchesNotes === true && { linkedNotes: linked.find }),
    };
    return verifyFeed(bytes, current, past, options, reading);
  };
  /** Verifies a copy that was accepted before: only that it stays signed binds it. */
  const verifyAgain = ({ bytes, metadata }: StoredFeed) =>
    verify(bytes, metadata.url, null, { ...noHistory, signed: metadata.signed });

  function adopt(verified: VerifiedFeed): void {
    snapshot = verified.snapshot;
    history = verified.history;
    const { sha256, releases, verifiedBy, warnings } = snapshot;
    log.info({ sha256, releases: releases.length, verifiedBy }, 'the feed has a new snapshot');
    for (const { line, message } of warnings) log.warn({ ...(line !== null && { line }) }, `feed: ${message}`);
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        log.error({ error: messageOf(error) }, 'what follows from a new feed failed');
      }
    }
  }

  async function restore(): Promise<void> {
    try {
      const stored = await storage.load(key);
      if (stored === null) return;
      const { metadata } = stored;
      // Even if the copy itself turns out unusable, what it says about the past still binds.
      history = metadata;
      linked.restore(metadata.notes);
      const verified = await verifyAgain(stored);
      if (verified?.snapshot.sha256 !== metadata.sha256)
        throw new FeedFault('refused', 'The saved copy is not the one that was accepted.');
      validators = metadata;
      copy = stored;
      if (snapshot?.revision !== verified.snapshot.revision) adopt({ snapshot: verified.snapshot, history: metadata });
    } catch (error) {
      log.error({ error: messageOf(error) }, 'the saved copy of the feed is not used');
    }
  }

  async function save(): Promise<void> {
    if (copy === null || !isUnsaved) return;
    try {
      await storage.save(key, copy);
      isUnsaved = false;
    } catch (error) {
      // A full disk must not hold back a release; the next check tries again.
      log.error({ error: messageOf(error) }, 'the feed’s copy cannot be saved and would be missing after a restart');
    }
  }

  async function store(bytes: Buffer, metadata: Omit<StoredFeed['metadata'], 'notes'>, from: FeedSnapshot) {
    copy = { bytes, metadata: { ...metadata, notes: linked.listStored(from.notesLinks) } };
    isUnsaved = true;
    await save();
  }

  /** Reads the same feed again, with the notes that were fetched since. */
  async function readAgain(): Promise<void> {
    const current = copy;
    if (current === null || snapshot === null) return;
    const verified = await verifyAgain(current);
    // A newer feed may have come in the meantime; its own round fetches what it lacks.
    if (verified === null || copy?.bytes !== current.bytes || signal.aborted) return;
    await store(current.bytes, current.metadata, verified.snapshot);
    adopt({ snapshot: verified.snapshot, history: current.metadata });
  }

  return {
    snapshot: (): FeedSnapshot | null => snapshot,
    /** Returns what makes a request conditional, or null while nothing is served. */
    validators: (): Validators | null => (snapshot === null ? null : validators),
    /** Loads the stored copy once and serves it, verified again; keeps what there is if it is unusable. */
    load(): Promise<void> {
      loading ??= restore();
      return loading;
    },
    /** Loads the copy that another process stored: it is newer than one that this process could not save. */
    reload(): Promise<void> {
      isUnsaved = false;
      loading = restore();
      return loading;
    },
    /** Verifies what was fetched, stores and serves it. Throws a FeedFault if it is not acceptable. */
    async examine(bytes: Buffer, { url, etag, lastModified }: Fetched): Promise<'updated' | 'unchanged'> {
      const verified = await verify(bytes, url, snapshot, history);
      validators = { url, etag, lastModified };
      if (verified === null) {
        await save();
        return 'unchanged';
      }
      const { signed, highestBuild, superseded } = verified.history;
      const { sha256 } = verified.snapshot;
      const past = { sha256, signed, highestBuild, superseded: [...superseded] };
      await store(bytes, { ...validators, ...past, savedAt: clock.now() }, verified.snapshot);
      if (signal.aborted) return 'unchanged';
      adopt(verified);
      return 'updated';
    },
    /** Fetches the notes that the feed only links to, in the background; never rejects. */
    async fetchNotes(): Promise<void> {
      if (options.fetchesNotes !== true || isFetchingNotes || snapshot === null) return;
      isFetchingNotes = true;
      try {
        await linked.fetch(snapshot.notesLinks, copy?.metadata.url ?? null, readAgain);
      } catch (error) {
        log.error({ error: messageOf(error) }, 'the notes that the feed links to cannot be adopted');
      } finally {
        isFetchingNotes = false;
      }
    },
    /** Calls back after each new snapshot. */
    onChange(listener: () => void): void {
      listeners.push(listener);
    },
  };
}
