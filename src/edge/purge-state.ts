/** Who serves what, and when which keys are purged: decisions about one shared record, each a function of it. */

/** Moments in milliseconds since 1970, by the clock of the process that wrote them. */
export interface PurgeState {
  /** By process: the revision that it serves, and when it last said so. */
  readonly processes: Readonly<Record<string, { readonly revision: string; readonly seenAt: number }>>;
  /** The keys that changed since every process served the same. */
  readonly changed: readonly string[];
  /** When they are purged, the next moment first. */
  readonly due: readonly number[];
  /** Whether every process serves the same, so that the purges in `due` are the last. */
  readonly isSettled: boolean;
  /** The process that is purging. */
  readonly claim: { readonly by: string; readonly until: number } | null;
  readonly failures: number;
  /** Why the last purge failed. */
  readonly problem: string | null;
}

export interface Process {
  readonly id: string;
  /** What it serves. */
  readonly revision: string;
}

export const noPurges: PurgeState = {
  processes: {},
  changed: [],
  due: [],
  isSettled: true,
  claim: null,
  failures: 0,
  problem: null,
};

/** A fetch that began before the change may store the old response late: what is purged is purged again after this time. */
const againMs = 5000;
/** A process that says nothing for so long is gone. */
const silenceMs = 15_000;
/** A process that purges for longer is gone, too. */
const claimMs = 60_000;
const longestWaitMs = 60_000;

/** A process serves another revision, for which the keys in `changed` changed. */
export function adopted(state: PurgeState, process: Process, changed: readonly string[], now: number): PurgeState {
  const seen = withProcess(state, process, now);
  const all = [...new Set([...state.changed, ...changed])];
  if (all.length === 0) return seen;
  return scheduled({ ...seen, changed: all, isSettled: isAgreed(seen) }, now);
}

/** A process is still there. Once the others that served something else are gone, what changed is purged for the last time. */
export function beaten(state: PurgeState, process: Process, now: number): PurgeState {
  let seen = withProcess(state, process, now);
  if (seen.claim !== null && seen.claim.until <= now) seen = { ...seen, claim: null, due: [now, ...seen.due] };
  if (seen.changed.length === 0 || seen.isSettled || !isAgreed(seen)) return seen;
  return scheduled({ ...seen, isSettled: true }, now);
}

/** A process ends. */
export function gone(state: PurgeState, id: string): PurgeState {
  const { [id]: _, ...processes } = state.processes;
  return { ...state, processes };
}

/** Lets one process purge what is due; `keys` is empty when nothing is, or another does. */
export function claimed(state: PurgeState, id: string, now: number): { state: PurgeState; keys: readonly string[] } {
  const [next] = state.due;
  if (next === undefined || next > now || state.claim !== null) return { state, keys: [] };
  const due = state.due.filter((moment) => moment > now);
  return { state: { ...state, due, claim: { by: id, until: now + claimMs } }, keys: state.changed };
}

/** The process that was allowed to has purged, or has not: `problem` says why. */
export function purged(state: PurgeState, id: string, problem: string | null, now: number): PurgeState {
  // Another took over meanwhile.
  if (state.claim?.by !== id) return state;
  const free = { ...state, claim: null, problem };
  if (problem !== null) {
    const waitMs = Math.min(longestWaitMs, 1000 * 2 ** state.failures);
    return { ...free, failures: state.failures + 1, due: [now + waitMs, ...state.due].toSorted((a, b) => a - b) };
  }
  const isDone = state.isSettled && state.due.length === 0;
  return { ...free, failures: 0, changed: isDone ? [] : state.changed };
}

function withProcess(state: PurgeState, { id, revision }: Process, now: number): PurgeState {
  const alive = Object.entries(state.processes).filter(([, { seenAt }]) => now - seenAt < silenceMs);
  return { ...state, processes: { ...Object.fromEntries(alive), [id]: { revision, seenAt: now } } };
}

const isAgreed = ({ processes }: PurgeState): boolean =>
  new Set(Object.values(processes).map(({ revision }) => revision)).size === 1;

const scheduled = (state: PurgeState, now: number): PurgeState => ({ ...state, due: [now, now + againMs] });
