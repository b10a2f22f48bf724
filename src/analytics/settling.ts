/** Tells the searches that somebody meant from those that were passed while typing. */
import type { Clock } from '../base/clock.ts';
import type { SearchNote } from './search-note.ts';

export interface Settling {
  note(client: string, note: SearchNote): void;
  /** What waits counts now. */
  settleAll(): void;
  close(): void;
}

/** How long a search that is typed has to stay as it is, in milliseconds. */
const settleMs = 2000;
/** Beyond that many, searches are not counted. */
const mostWaiting = 10_000;

interface Waiting {
  readonly client: string;
  readonly note: SearchNote;
  readonly due: number;
}

export function createSettling(clock: Clock, settled: (client: string, note: SearchNote) => void): Settling {
  // In the order in which they fall due, since all wait equally long.
  const waiting = new Set<Waiting>();
  const byClient = new Map<string, Set<Waiting>>();
  let cancel: (() => void) | null = null;

  const drop = (one: Waiting): void => {
    waiting.delete(one);
    const others = byClient.get(one.client);
    others?.delete(one);
    if (others?.size === 0) byClient.delete(one.client);
  };

  const settle = (until: number): void => {
    cancel?.();
    cancel = null;
    for (const one of waiting) {
      if (one.due > until) {
        cancel = clock.after(one.due - clock.monotonic(), () => settle(clock.monotonic()));
        return;
      }
      drop(one);
      settled(one.client, one.note);
    }
  };

  return {
    note(client, note) {
      const mine = byClient.get(client) ?? new Set();
      const isAtOnce = note.settles === 'at once';
      for (const one of mine) {
        const isSame = one.note.surface === note.surface && one.note.query === note.query;
        if (isSame && !isAtOnce) return;
        if (isSame || replaces(note, one.note)) drop(one);
      }
      if (isAtOnce) return settled(client, note);
      if (waiting.size >= mostWaiting) return;
      const one = { client, note, due: clock.monotonic() + settleMs };
      waiting.add(one);
      byClient.set(client, mine.add(one));
      cancel ??= clock.after(settleMs, () => settle(clock.monotonic()));
    },
    settleAll: () => settle(Number.POSITIVE_INFINITY),
    close: () => cancel?.(),
  };
}

function replaces(newer: SearchNote, older: SearchNote): boolean {
  if (newer.surface !== older.surface) return false;
  if (older.settles === 'unless replaced') return true;
  return newer.query.startsWith(older.query) || older.query.startsWith(newer.query);
}
