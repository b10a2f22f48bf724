/** How many clients have asked each query of the day: in one place for all processes of a service, and only in memory. */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { createOldest } from '../base/oldest.ts';
import type { CountedSearch } from '../store/search-table.ts';

/** A search of a client, which is known by a hash. */
export interface AskedSearch {
  readonly day: number;
  readonly client: string;
  readonly query: string;
  readonly isFound: boolean;
}

/** What clients are hashed with on a day, so that every process of the service gives a client the same hash. */
export interface DayKey {
  /** When the day began, in UTC. */
  readonly day: number;
  /** Base64. */
  readonly key: string;
}

export interface AskedToday {
  key(): DayKey;
  /** `listed` gets what may be stored, once enough clients have asked the query. */
  add(asked: AskedSearch, listed: (counted: CountedSearch) => void): void;
  close(): void;
}

/** A query is neither stored nor listed before so many clients have asked it in one day. */
const leastClients = 3;
const dayMs = 86_400_000;
/** After midnight, processes still send what was searched before it. */
const graceMs = 5000;
/** Queries of a day. */
const mostKept = 10_000;

interface Asked {
  /** Hashes, no more of them than are needed. */
  readonly clients: Set<string>;
  searches: number;
  withoutResults: number;
}

export const dayOf = (now: number): number => now - (now % dayMs);

export const nextDay = (day: number): number => day + dayMs;

/** The key of a later day. A key becomes its own hash each midnight: nobody can compute yesterday's from it. */
export function keyOn(day: number, { day: since, key }: DayKey): DayKey {
  let later = key;
  for (let at = since; at < day; at += dayMs) later = createHash('sha256').update(later, 'base64').digest('base64');
  return { day, key: later };
}

export function createAskedToday(clock: Clock): AskedToday {
  const today = new Map<string, Asked>();
  const oldest = createOldest(today);
  let key: DayKey = { day: dayOf(clock.now()), key: randomBytes(32).toString('base64') };
  let cancel = (): void => {};

  /** With the day go its key and every hash that was made with it. */
  const begin = (day: number): void => {
    today.clear();
    key = keyOn(day, key);
    watch();
  };
  const watch = (): void => {
    cancel();
    cancel = clock.after(nextDay(key.day) + graceMs - clock.now(), () => begin(dayOf(clock.now())));
  };
  watch();

  return {
    key: () => key,
    add({ day, client, query, isFound }, listed) {
      if (day > key.day) begin(day);
      if (day < key.day) return;
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
      if (isKnown) listed({ day, query, searches: asked.searches, withoutResults: asked.withoutResults });
      today.set(query, isKnown ? { clients, searches: 0, withoutResults: 0 } : asked);
      if (today.size > mostKept) oldest.drop();
    },
    close: () => cancel(),
  };
}
