/** Keeps the product's update feed at hand: asks for it in the background, and serves the last good copy meanwhile. */
import { isAbsolute } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { sha256Hex } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/thrown.ts';
import type { SharedCheck } from '../store/feed-table.ts';
import {
  type AcceptanceRules,
  type Accepted,
  acceptFeed,
  type FeedHistory,
  noHistory,
  type Reading,
} from './acceptance.ts';
import { isUnder } from './address.ts';
import type { FeedCopies, SavedCopy } from './copies.ts';
import { FeedFault } from './fault.ts';
import { type Fetched, fetchFeed, type Validators } from './fetch.ts';
import { createLinkedNotes } from './linked-notes.ts';
import { createNotesReader } from './notes.ts';
import type { NotesProcess } from './notes-process.ts';
import type { FeedSnapshot, FeedStatus } from './release.ts';
import { createSchedule } from './schedule.ts';
import type { SignaturePolicy } from './signature.ts';

export interface FeedOptions {
  /** An https URL, an http URL of this machine, or an absolute path. */
  source: string;
  /** Ed25519 public keys in base64, as in SUPublicEDKey. Any of them may have signed the feed. */
  publicKeys: readonly string[];
  policy: SignaturePolicy;
  intervalSeconds: number;
  /** The URL that a feed from a file is published at. */
  baseUrl?: string;
  /** The origin of this server, which it must not read its feed from. */
  ownOrigin?: string;
  /** Fetch the notes that items only link to. */
  fetchesNotes?: boolean;
  /** Of notes in several languages, the ones that are wanted, as BCP 47 tags. */
  languages?: readonly string[];
  copies: FeedCopies;
  clock: Clock;
  log: Log;
  /** A process that other feeds use too; the feed has its own unless given. */
  notesProcess?: NotesProcess;
  /** From 0 up to 1, for jitter. */
  random?: () => number;
  /** SHA-256 (hex) of a content that the operator accepts although it looks like a rollback. */
  accept?: string;
}

export interface Feed {
  snapshot(): FeedSnapshot | null;
  status(): FeedStatus;
  /** Loads the saved copy, verifies it again, makes the first check (10 s at most), then polls. Never throws on a bad feed. */
  start(): Promise<void>;
  /** One check now, or the one that is under way. Resolves to what happened. */
  check(): Promise<CheckResult>;
  /** Calls back after each new snapshot was accepted. */
  onChange(listener: () => void): void;
  stop(): void;
}

/** A feed that this process fetches, or could: what it takes to share it with others (shared-feed.ts). */
export interface OwnFeed extends Feed {
  /** Loads the saved copy and serves it, verified again, whatever was served before; keeps what there is when it is unusable. */
  reload(): Promise<void>;
  /** Asks no more by itself, until start(). */
  pause(): void;
  /** Calls back after each check with how it went. */
  onChecked(listener: (check: SharedCheck) => void): void;
}

/** `failed`: it could not be had. `refused`: it came and is not acceptable. */
export type CheckResult = 'updated' | 'unchanged' | 'failed' | 'refused';

/** It would find its own copy there, and call that fresh for ever. */
const ownFeed = 'feed.source is under BASE_URL: the server would read itself. Use the URL where the feed is published.';

const firstDeadlineMs = 10_000;
const deadlineMs = 15_000;

/** Nothing is read or connected before start() or check(). */
export function createFeed(options: FeedOptions): OwnFeed {
  const { source, clock, log, copies } = options;
  const key = copyKey(source, options.publicKeys);
  const rules = rulesOf(options);
  const notes = createNotesReader(options.notesProcess);
  const stopping = new AbortController();
  const { publicKeys, policy } = options;
  const linked = createLinkedNotes({ publicKeys, policy, clock, log, signal: stopping.signal });
  const readingOf = (url: string | null): Reading => ({
    address: url ?? options.baseUrl ?? null,
    languages: options.languages ?? [],
    notes,
    ...(options.fetchesNotes === true && { linkedNotes: linked.of }),
  });
  const schedule = createSchedule({
    clock,
    intervalSeconds: options.intervalSeconds,
    random: options.random ?? Math.random,
  });
  const listeners: (() => void)[] = [];
  const checkListeners: ((check: SharedCheck) => void)[] = [];

  let snapshot: FeedSnapshot | null = null;
  let history: FeedHistory = noHistory;
  let validators: Validators | null = null;
  let unsaved: SavedCopy | null = null;
  /** What is in service, as it is saved. */
  let copy: SavedCopy | null = null;
  let fetchingNotes = false;
  let problem: string | null = null;
  let checkedAt: number | null = null;
  let restored: Promise<void> | null = null;
  let underWay: Promise<CheckResult> | null = null;
  let polling = false;

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

  async function examine(bytes: Buffer, fetched: Fetched): Promise<CheckResult> {
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
    if (accepted === null || stopping.signal.aborted) return 'unchanged';
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
    if (accepted === null || copy.bytes !== bytes || stopping.signal.aborted) return;
    copy = { bytes, metadata: { ...metadata, notes: keptNotes(accepted.snapshot) } };
    unsaved = copy;
    await save();
    adopt({ snapshot: accepted.snapshot, history: metadata });
  }

  /** In the background: nobody waits for it. */
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

  async function attempt(deadline: number): Promise<CheckResult> {
    restored ??= restore();
    await restored;
    try {
      if (isUnder(source, options.ownOrigin ?? '')) throw new FeedFault('failed', ownFeed);
      const fetched = await fetchFeed(source, {
        validators: snapshot === null ? null : validators,
        deadlineMs: deadline,
        signal: stopping.signal,
        now: clock.now(),
      });
      const result = fetched.bytes === null ? 'unchanged' : await examine(fetched.bytes, fetched);
      if (problem !== null) log.info({}, 'the feed is available again');
      problem = null;
      checkedAt = clock.now();
      schedule.succeeded(fetched.maxAgeSeconds);
      return result;
    } catch (thrown) {
      const { kind, message, retryAfterSeconds } = asFault(thrown);
      if (message !== problem && !stopping.signal.aborted) log.warn({ feed: kind }, message);
      problem = message;
      if (kind === 'failed') schedule.failed(retryAfterSeconds);
      else schedule.refused();
      return kind;
    }
  }

  function check(deadline: number): Promise<CheckResult> {
    underWay ??= attempt(deadline).finally(() => {
      underWay = null;
      void fetchNotes();
      if (polling) schedule.next(() => void check(deadlineMs));
      const freshFor = schedule.freshForMs();
      const dueIn = schedule.dueInMs();
      const now = clock.now();
      // Moments are whole milliseconds, as the database keeps them; what the schedule measures has fractions.
      const freshUntil = freshFor === null ? null : now + Math.round(freshFor);
      const nextCheckAt = dueIn === null ? null : now + Math.round(dueIn);
      for (const listener of checkListeners) listener({ checkedAt, freshUntil, nextCheckAt, problem });
    });
    return underWay;
  }

  return {
    snapshot: () => snapshot,
    status: () => ({
      state: snapshot === null ? 'unavailable' : schedule.isFresh() ? 'fresh' : 'stale',
      problem,
      checkedAt,
      retryAfterSeconds: schedule.retryAfterSeconds(),
    }),
    async start() {
      polling = true;
      let cancel = () => {};
      const longEnough = new Promise<void>((resolve) => {
        cancel = clock.after(firstDeadlineMs, resolve);
      });
      // Also when the saved copy, a look-up of a name or the notes take long: the check then goes on behind the server.
      await Promise.race([check(firstDeadlineMs), longEnough]);
      cancel();
    },
    check: () => check(deadlineMs),
    reload() {
      // What this process could not save is older than what another one has.
      unsaved = null;
      restored = restore();
      return restored;
    },
    pause() {
      polling = false;
      schedule.stop();
    },
    onChecked(listener) {
      checkListeners.push(listener);
    },
    onChange(listener) {
      listeners.push(listener);
    },
    stop() {
      polling = false;
      stopping.abort();
      schedule.stop();
    },
  };
}

/** A copy is found again only under the same source and the same keys. */
export const copyKey = (source: string, publicKeys: readonly string[]): string =>
  sha256Hex(JSON.stringify([source, [...publicKeys].sort()]));

/** What a feed with these options is held to. */
export function rulesOf({
  source,
  publicKeys,
  policy,
  accept,
}: Pick<FeedOptions, 'source' | 'publicKeys' | 'policy' | 'accept'>): AcceptanceRules {
  return {
    publicKeys,
    policy,
    // Someone who edits an unsigned file of their own may take a release back; nobody replays it from elsewhere.
    stepBack: policy === 'off' && isAbsolute(source) ? 'warn' : 'refuse',
    accept: accept?.toLowerCase().replace(/^sha256:/, '') ?? null,
  };
}

const asFault = (thrown: unknown): FeedFault =>
  thrown instanceof FeedFault
    ? thrown
    : new FeedFault('failed', `The check failed: ${messageOf(thrown)}.`, { cause: thrown });
