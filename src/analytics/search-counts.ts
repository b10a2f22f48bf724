/** Counts what people search for, in memory and then in the store, without keeping who they are. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { createOldest } from '../base/oldest.ts';
import { type SearchLists, type SearchTable, searchLifetime } from '../store/search-table.ts';
import { type AskedToday, createAskedToday, dayOf, keyOn, nextDay } from './asked-today.ts';
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

/** The same search of a client counts once in this time: typed, submitted and chosen from it is one search. */
const sameSearchMs = 600_000;
/** Of each: searches of clients, counts that are not stored yet. */
const mostKept = 10_000;

export interface SearchCountsOptions {
  readonly table: SearchTable;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the clients of all processes are told apart; by itself unless told. */
  readonly asked?: AskedToday | undefined;
}

export function createSearchCounts(options: SearchCountsOptions): SearchCounts {
  const { table, clock, log, asked = createAskedToday(clock) } = options;
  const saving = createSaving({ table, clock, log, most: mostKept });
  const tallies = new Map<Surface, { found: number; notFound: number }>();
  /** By client and query, when it was counted. */
  const counted = new Map<string, { readonly at: number }>();
  const oldestCounted = createOldest(counted);
  let key = keyOn(dayOf(clock.now()), asked.key());
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
    asked.add({ day: key.day, client, query, isFound }, saving.add);
  });

  /** With the day go the key and every hash that was made with it. */
  const beginDay = (): void => {
    settling.settleAll();
    key = keyOn(dayOf(clock.now()), key);
    counted.clear();
    watchDay();
  };
  const watchDay = (): void => {
    cancelDay();
    cancelDay = clock.after(nextDay(key.day) - clock.now(), beginDay);
  };
  watchDay();

  return {
    note(who, note) {
      if (looksPersonal(note.query)) return;
      const query = normalized(note.query);
      if (query === '') return;
      if (dayOf(clock.now()) !== key.day) beginDay();
      settling.note(createHmac('sha256', Buffer.from(key.key, 'base64')).update(who).digest('base64'), {
        ...note,
        query,
      });
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
      asked.close();
      await saving.close();
    },
  };
}

/** What differs in nothing but case and space is one query. */
const normalized = (query: string): string =>
  query.normalize('NFC').toLowerCase().replace(/\p{C}/gu, ' ').replace(/\s+/g, ' ').trim();
