/** The feed in service: what was accepted, the copy that is kept of it, and the notes that were fetched for it. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/thrown.ts';
import type { Workers } from '../worker/pool.ts';
import { type Accepted, acceptFeed, type FeedHistory, noHistory, type Reading, rulesOf } from './acceptance.ts';
import { copyKey, type FeedCopies, type SavedCopy } from './copies.ts';
import { FeedFault } from './fault.ts';
import type { Fetched, Validators } from './fetch.ts';
import { createLinkedNotes } from './linked-notes.ts';
import { createNotesReader } from './notes.ts';
import type { FeedSnapshot } from './release.ts';
import type { SignaturePolicy } from './signature.ts';

export interface ServedFeedOptions {
  /** An https URL, an http URL of this machine, or an absolute path. */
  source: string;
  /** Ed25519 public keys in base64, as in SUPublicEDKey. Any of them may have signed the feed. */
  publicKeys: readonly string[];
  policy: SignaturePolicy;
  /** The URL that a feed from a file is published at. */
  baseUrl?: string;
  /** Fetch the notes that items only link to. */
  fetchesNotes?: boolean;
  /** Of notes in several languages, the ones that are wanted, as BCP 47 tags. */
  languages?: readonly string[];
  copies: FeedCopies;
  clock: Clock;
  log: Log;
  /** Converts notes and reads large feeds. */
  workers: Workers;
  /** SHA-256 (hex) of a content that the operator accepts although it looks like a rollback. */
  accept?: string;
}

export interface ServedFeed {
  snapshot(): FeedSnapshot | null;
  /** For a conditional request; null when nothing is served yet. */
  validators(): Validators | null;
  /** Loads the saved copy and serves it, verified again; keeps what there is when it is unusable. */
  restore(): Promise<void>;
  /** Forgets what could not be saved. */
  dropUnsaved(): void;
  /** Accepts what was fetched, saves and serves it. Throws a FeedFault for what is not acceptable. */
  examine(bytes: Buffer, fetched: Fetched): Promise<'updated' | 'unchanged'>;
  /** Fetches the notes that the feed only links to, in the background: nobody waits for it. */
  fetchNotes(): Promise<void>;
  onChange(listener: () => void): void;
}

export function createServedFeed(options: ServedFeedOptions, signal: AbortSignal): ServedFeed {
  const { source, clock, log, copies, publicKeys, policy } = options;
  const key = copyKey(source, publicKeys);
  const rules = rulesOf(options);
  const notes = createNotesReader(options.workers);
  const linked = createLinkedNotes({ publicKeys, policy, clock, log, signal });
  const readingOf = (url: string | null): Reading => ({
    address: url ?? options.baseUrl ?? null,
    languages: options.languages ?? [],
    notes,
    workers: options.workers,
    ...(options.fetchesNotes === true && { linkedNotes: linked.of }),
  });
  const listeners: (() => void)[] = [];

  let snapshot: FeedSnapshot | null = null;
  let history: FeedHistory = noHistory;
  let validators: Validators | null = null;
  let unsaved: SavedCopy | null = null;
  /** What is in service, as it is saved. */
  let copy: SavedCopy | null = null;
  let fetchingNotes = false;

  function adopt(accepted: Accepted): void {
    snapshot = accepted.snapshot;
    history = accepted.history;
    const { sha256, releases, verifiedBy, warnings } = snapshot;
    log.info({ sha256, releases: releases.length, verifiedBy }, 'the feed has a new snapshot');
    for (const { line, message } of warnings) log.warn({ ...(line !== null && { line }) }, `feed: ${message}`);
    for (const listener of listeners) {
      try {
        listener();
      } catch (thrown) {
        log.error({ error: messageOf(thrown) }, 'what follows from a new feed failed');
      }
    }
  }

  async function restore(): Promise<void> {
    try {
      const saved = await copies.load(key);
      if (saved === null) return;
      const { metadata } = saved;
      // Even when the copy itself turns out unusable, what it says about the past still binds.
      history = metadata;
      linked.restore(metadata.notes.map(({ key: link, ...found }) => [link, found]));
      const past = { ...noHistory, signed: metadata.signed };
      const accepted = await acceptFeed(saved.bytes, null, past, rules, readingOf(metadata.url));
      if (accepted === null || accepted.snapshot.sha256 !== metadata.sha256) {
        throw new FeedFault('refused', 'The saved copy is not the one that was accepted.');
      }
      validators = metadata;
      copy = saved;
      if (snapshot?.revision !== accepted.snapshot.revision) adopt({ snapshot: accepted.snapshot, history: metadata });
    } catch (thrown) {
      log.error({ error: messageOf(thrown) }, 'the saved copy of the feed is not used');
    }
  }

  async function save(): Promise<void> {
    if (unsaved === null) return;
    try {
      await copies.save(key, unsaved);
      unsaved = null;
    } catch (thrown) {
      // A full disk must not hold back a release; the next check tries again.
      log.error({ error: messageOf(thrown) }, 'the feed’s copy cannot be saved and would be missing after a restart');
    }
  }

  async function examine(bytes: Buffer, fetched: Fetched): Promise<'updated' | 'unchanged'> {
    const accepted = await acceptFeed(bytes, snapshot, history, rules, readingOf(fetched.url));
    validators = { url: fetched.url, etag: fetched.etag, lastModified: fetched.lastModified };
    if (accepted !== null) {
      const { sha256 } = accepted.snapshot;
      const { signed, highWater, superseded } = accepted.history;
      const metadata = {
        ...validators,
        sha256,
        signed,
        highWater,
        superseded: [...superseded],
        savedAt: clock.now(),
        notes: keptNotes(accepted.snapshot),
      };
      unsaved = { bytes, metadata };
      copy = unsaved;
    }
    await save();
    if (accepted === null || signal.aborted) return 'unchanged';
    adopt(accepted);
    return 'updated';
  }

  const keptNotes = ({ notesLinks }: FeedSnapshot): SavedCopy['metadata']['notes'] =>
    [...linked.of(notesLinks)].map(([link, { text, format, url = null, base = null }]) => ({
      key: link,
      text,
      format,
      url,
      base,
    }));

  /** The same feed with the notes that were fetched since. */
  async function readAgain(): Promise<void> {
    if (copy === null || snapshot === null) return;
    const { bytes, metadata } = copy;
    const past = { ...noHistory, signed: metadata.signed };
    const accepted = await acceptFeed(bytes, null, past, rules, readingOf(metadata.url));
    // A newer feed may have come in the meantime; its own round fetches what it lacks.
    if (accepted === null || copy.bytes !== bytes || signal.aborted) return;
    copy = { bytes, metadata: { ...metadata, notes: keptNotes(accepted.snapshot) } };
    unsaved = copy;
    await save();
    adopt({ snapshot: accepted.snapshot, history: metadata });
  }

  async function fetchNotes(): Promise<void> {
    if (options.fetchesNotes !== true || fetchingNotes || snapshot === null) return;
    fetchingNotes = true;
    try {
      await linked.fetch(snapshot.notesLinks, copy?.metadata.url ?? null, readAgain);
    } catch (thrown) {
      log.error({ error: messageOf(thrown) }, 'the notes that the feed links to cannot be adopted');
    } finally {
      fetchingNotes = false;
    }
  }

  return {
    snapshot: () => snapshot,
    validators: () => (snapshot === null ? null : validators),
    restore,
    dropUnsaved() {
      unsaved = null;
    },
    examine,
    fetchNotes,
    onChange(listener) {
      listeners.push(listener);
    },
  };
}
