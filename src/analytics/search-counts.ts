/** Counts what people search for, in memory and then in the store, without keeping who they are. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { createOldest } from '../base/oldest.ts';
import { type SearchLists, type SearchTable, searchLifetime } from '../store/search-table.ts';
import { looksPersonal } from './personal.ts';
import { createSaving } from './saving.ts';
import type { SearchNote, Surface } from './search-note.ts';
import { createSettling } from './settling.ts';

/** Settled searches of a surface, by whether anything was found. */
export interface SearchTally {
  readonly found: number;
  readonly notFound: number;
}

export interface SearchCounts {
  /** `who` is a client's id or address, of which only a hash is remembered, until the day ends. */
  note(who: string, note: SearchNote): void;
  readonly tallies: ReadonlyMap<Surface, SearchTally>;
  /** The last 30 days, up to now. Throws `upstream_unavailable`. */
  lists(): Promise<SearchLists>;
  /** Stores what is counted, and counts no more. */
  close(): Promise<void>;
}

/** A query is neither stored nor listed before so many clients have asked it in one day. */
const leastClients = 3;
const dayMs = 86_400_000;
/** The same search of a client counts once in this time: typed, submitted and chosen from it is one search. */
const sameSearchMs = 600_000;
/** Of each: queries of a day, searches of clients, counts that are not stored yet. */
const mostKept = 10_000;

/** One query of today. */
interface Asked {
  /** Hashes, no more of them than are needed. */
  readonly clients: Set<string>;
  searches: number;
  withoutResults: number;
}

export interface SearchCountsOptions {
  readonly table: SearchTable;
  readonly clock: Clock;
  readonly log: Log;
}

export function createSearchCounts({ table, clock, log }: SearchCountsOptions): SearchCounts {
  const saving = createSaving({ table, clock, log, most: mostKept });
  const tallies = new Map<Surface, { found: number; notFound: number }>();
  const today = new Map<string, Asked>();
  const oldestAsked = createOldest(today);
  /** By client and query, when it was counted. */
  const counted = new Map<string, { readonly at: number }>();
  const oldestCounted = createOldest(counted);
  let day = dayOf(clock.now());
  let key = randomBytes(32);
  let cancelDay = (): void => {};

  const settling = createSettling(clock, (client, { query, surface, isFound }) => {
    const now = clock.monotonic();
    while (now - (oldestCounted.look()?.[1].at ?? now) >= sameSearchMs) oldestCounted.drop();
    const name = `${client} ${query}`;
    if (counted.has(name)) return;
    counted.set(name, { at: now });
    if (counted.size > mostKept) oldestCounted.drop();
    const tally = tallies.get(surface) ?? { found: 0, notFound: 0 };
    tallies.set(surface, tally);
    tally[isFound ? 'found' : 'notFound'] += 1;
    count(client, query, isFound);
  });

  const count = (client: string, query: string, isFound: boolean): void => {
    const { clients, searches, withoutResults } = today.get(query) ?? {
      clients: new Set(),
      searches: 0,
      withoutResults: 0,
    };
    // To the end, as a new object: what nobody asks any more goes first.
    today.delete(query);
    if (clients.size < leastClients) clients.add(client);
    const asked = { clients, searches: searches + 1, withoutResults: withoutResults + (isFound ? 0 : 1) };
    const isKnown = clients.size >= leastClients;
    if (isKnown) saving.add({ day, query, searches: asked.searches, withoutResults: asked.withoutResults });
    today.set(query, isKnown ? { clients, searches: 0, withoutResults: 0 } : asked);
    if (today.size > mostKept) oldestAsked.drop();
  };

  /** With the day go the key and every hash that was made with it. */
  const beginDay = (): void => {
    settling.settleAll();
    day = dayOf(clock.now());
    key = randomBytes(32);
    today.clear();
    counted.clear();
    watchDay();
  };
  const watchDay = (): void => {
    cancelDay();
    cancelDay = clock.after(day + dayMs - clock.now(), beginDay);
  };
  watchDay();

  return {
    note(who, note) {
      if (looksPersonal(note.query)) return;
      const query = normalized(note.query);
      if (query === '') return;
      if (dayOf(clock.now()) !== day) beginDay();
      settling.note(createHmac('sha256', key).update(who).digest('base64'), { ...note, query });
    },
    tallies,
    async lists() {
      await saving.flush();
      return table.listSearches(clock.now() - searchLifetime);
    },
    async close() {
      settling.settleAll();
      settling.close();
      cancelDay();
      await saving.close();
    },
  };
}

const dayOf = (now: number): number => now - (now % dayMs);

/** What differs in nothing but case and space is one query. */
const normalized = (query: string): string =>
  query.normalize('NFC').toLowerCase().replace(/\p{C}/gu, ' ').replace(/\s+/g, ' ').trim();
