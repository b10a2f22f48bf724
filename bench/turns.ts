/** Contestants warm up alike and then take turns, so that whatever else the machine does hits all of them. */
import { load, type Round, type Target } from './load.ts';
import { cpuMicroseconds } from './process.ts';

export interface Contestant {
  readonly name: string;
  readonly target: Target;
  /** Empties what it printed, when it prints a log. */
  forget?(): void;
}

export interface Pace {
  /** Of each contestant; what is reported is their median. */
  readonly rounds: number;
  readonly seconds: number;
  /**
   * Processor seconds that each contestant spends on every piece of work before it is measured: until then its code is
   * not yet optimized. From one second on, it continues until a further second makes it no faster.
   */
  readonly warmUp: number;
}

/** What a run of everything uses. */
export const steady: Pace = { rounds: 4, seconds: 2, warmUp: 2 };
/** Shows that everything works, and measures nothing well. */
export const quick: Pace = { rounds: 1, seconds: 1, warmUp: 0 };

/** The highest rate of a contestant's rounds less the lowest, as a share of their median, past which they are made again. */
export const noisy = 0.15;

export type Results = ReadonlyMap<string, readonly Round[]>;

/** Rounds of a second: a contestant that gets no processor because others have it would warm up for ever. */
const longestWarmUp = 8;
/** A round that costs at least this share of the cheapest one before it found a contestant that is warm. */
const warm = 0.95;
/** The share of the cores past which a round that others took it from is made again, while there are spare rounds. */
const disturbed = 0.1;

/** Rounds by contestant's name, in the order made: the nth of one belongs to the nth of another. */
export async function takeTurns(
  contestants: readonly Contestant[],
  { rounds, seconds, warmUp }: Pace,
  options: { connections?: number; cores?: string } = {},
): Promise<Results> {
  for (const { target, forget } of contestants) {
    const before = cpuMicroseconds(target.pid);
    let cheapest = Number.POSITIVE_INFINITY;
    for (let spent = 0; spent < longestWarmUp && warmUp > 0; spent += 1) {
      const { cpu } = await load(target, { seconds: 1, ...options });
      forget?.();
      const hasSpent = cpuMicroseconds(target.pid) - before >= warmUp * 1_000_000;
      if (hasSpent && (warmUp < 1 || cpu >= warm * cheapest)) break;
      cheapest = Math.min(cheapest, cpu);
    }
  }
  const found = new Map<string, Round[]>(contestants.map(({ name }) => [name, []]));
  let spare = Math.ceil((rounds * contestants.length) / 2);
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, target, forget } of contestants) {
      let made = await load(target, { seconds, ...options });
      while (faultOf(made) !== null && spare > 0) {
        spare -= 1;
        const again = await load(target, { seconds, ...options });
        made = better(again, made);
        forget?.();
      }
      forget?.();
      if (made.requests === 0 || made.failed > 0) throw new Error(`${name}: ${faultOf(made)}.`);
      found.get(name)?.push(made);
    }
  }
  for (const { name, target, forget } of contestants) {
    const first = found.get(name) ?? [];
    if (spreadOf(first) <= noisy || rounds === 1) continue;
    const again: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      again.push(await load(target, { seconds, ...options }));
      forget?.();
    }
    if (again.every((round) => faultOf(round) === null) && spreadOf(again) < spreadOf(first)) found.set(name, again);
  }
  return found;
}

/** The highest rate of some rounds less the lowest, as a share of their median. */
export function spreadOf(rounds: readonly Round[]): number {
  const rates = rounds.map(({ rate }) => rate).toSorted((a, b) => a - b);
  const middle = ((rates[(rates.length - 1) >> 1] ?? 0) + (rates[rates.length >> 1] ?? 0)) / 2;
  return ((rates.at(-1) ?? 0) - (rates[0] ?? 0)) / middle;
}

/** Why a round says little; null: it counts. A server that starves refuses requests to save the rest. */
function faultOf({ requests, failed, others }: Round): string | null {
  if (requests === 0) return 'it answered nothing';
  if (failed > 0) return `${failed} of ${requests} requests failed`;
  return others > disturbed ? 'others had the cores' : null;
}

function better(one: Round, other: Round): Round {
  if (one.requests === 0 || other.requests === 0) return one.requests > other.requests ? one : other;
  if (one.failed !== other.failed) return one.failed < other.failed ? one : other;
  return one.others < other.others ? one : other;
}
