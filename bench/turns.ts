/** Contestants warm up and then take turns, so that whatever else the machine does affects all of them; their figures are medians. */
import { load, type Round, type Target } from './load.ts';
import { fixed } from './table.ts';

/** A server that takes part in a comparison. */
export interface Contestant {
  readonly name: string;
  readonly target: Target;
  /** Returns whether the last round measured what it should; one that did not is not counted. @defaultValue always */
  isValid?(): boolean;
  /** Empties the file with the contestant's output. */
  forget?(): void;
}

/** Rounds by contestant's name: the nth round of one belongs to the nth of another. */
export type Results = ReadonlyMap<string, readonly Round[]>;

const rounds = 5;
/** A server's code is optimized after about two seconds of processor time; of several processes, each needs that. */
const warmUpSeconds = 5;

/**
 * Measures all contestants in five alternating rounds, so that a slow minute of the machine affects each of them. A round lasts
 * `seconds` (2 unless given); `connections` and `cores` are those of `load`. Throws if a round fails four times in a row: it has no
 * response or a failed one, or `isValid` returns false.
 */
export async function takeTurns(
  contestants: readonly Contestant[],
  options: { seconds?: number; connections?: number; cores?: string } = {},
): Promise<Results> {
  const results = new Map<string, Round[]>(contestants.map(({ name }) => [name, []]));
  const run = async (contestant: Contestant, seconds: number, attempts = 4): Promise<Round> => {
    const round = await load(contestant.target, { ...options, seconds });
    const isValid = contestant.isValid?.() ?? true;
    contestant.forget?.();
    if (round.requests > 0 && round.failed === 0 && isValid) return round;
    // A server that gets too little processor time refuses requests, and the round says nothing about it.
    if (attempts === 1) throw new Error(`${contestant.name}: ${round.failed} of ${round.requests} requests failed.`);
    return run(contestant, seconds, attempts - 1);
  };
  for (const contestant of contestants) await load(contestant.target, { ...options, seconds: warmUpSeconds });
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of contestants)
      results.get(contestant.name)?.push(await run(contestant, options.seconds ?? 2));
  }
  return results;
}

/** Column heads for `formatFigures`. */
export const figureHeads = ['requests/s', 'p99 ms', 'CPU µs/request', 'others'] as const;

/**
 * Returns the medians of a contestant's rounds as text, one for each of `figureHeads`, with `–` as the number if it has no rounds;
 * `others` is the share of both cores that other programs used, in percent.
 */
export const formatFigures = (results: Results, name: string): string[] => [
  fixed(getMedian(results, name, 'rate'), 0),
  fixed(getMedian(results, name, 'p99'), 2),
  fixed(getMedian(results, name, 'cpu'), 1),
  `${fixed(getMedian(results, name, 'others') * 100, 0)} %`,
];

const getMedian = (results: Results, name: string, figure: keyof Round): number =>
  median((results.get(name) ?? []).map((round) => round[figure]));

/**
 * Returns how many times `figure` of the contestant named `one` is that of `other`: the median over the pairs of rounds, or NaN if
 * either has no rounds.
 */
export function computeRatio(results: Results, figure: 'rate' | 'cpu', one: string, other: string): number {
  const others = results.get(other) ?? [];
  return median((results.get(one) ?? []).map((round, at) => round[figure] / (others[at]?.[figure] ?? Number.NaN)));
}

/** Returns the median of some numbers, which for an even count is the mean of the two in the middle, or NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
