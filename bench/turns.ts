/** Measures contestants in alternating rounds, so that other work of the machine affects all of them, and computes their medians. */
import { type Round, runLoad, type Target } from './load.ts';
import { formatNumber } from './table.ts';

/** A server that takes part in a comparison. */
export interface Contestant {
  readonly name: string;
  readonly target: Target;
  /**
   * Returns whether the last round measured what it should; one that did not is repeated. Without this method, only rounds without
   * a response or with a failed one are.
   */
  isValid?(): boolean;
  /** Empties the file with the contestant's output; is called after each round, but not after the warm-up. */
  clearOutput?(): void;
}

/** Rounds by contestant's name, in the order in which they were measured: the nth rounds of all contestants followed each other. */
export type Results = ReadonlyMap<string, readonly Round[]>;

const rounds = 5;
/** Length of the warm-up, in seconds: V8 optimizes code after about 2 s of processor time, and two processes may share the load. */
const warmUpSeconds = 5;

/**
 * Measures all contestants, after a warm-up of five seconds each, in five alternating rounds, so that a slow minute of the machine
 * affects each of them. A round lasts `seconds` (2 unless given); `connections` and `cores` are those of `runLoad`. Rejects if a
 * round fails four times in a row: it has no response or a failed one, or `isValid` returns false.
 */
export async function takeTurns(
  contestants: readonly Contestant[],
  options: { seconds?: number; connections?: number; cores?: string } = {},
): Promise<Results> {
  const results = new Map<string, Round[]>(contestants.map(({ name }) => [name, []]));
  const measureRound = async (contestant: Contestant, seconds: number, attempts = 4): Promise<Round> => {
    const round = await runLoad(contestant.target, { ...options, seconds });
    const isValid = contestant.isValid?.() ?? true;
    contestant.clearOutput?.();
    if (round.requests > 0 && round.failed === 0 && isValid) return round;
    // A server that gets too little processor time refuses requests. Its round is repeated, because it does not measure the server.
    if (attempts === 1) throw new Error(`${contestant.name}: ${round.failed} of ${round.requests} requests failed.`);
    return measureRound(contestant, seconds, attempts - 1);
  };
  for (const contestant of contestants) await runLoad(contestant.target, { ...options, seconds: warmUpSeconds });
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of contestants)
      results.get(contestant.name)?.push(await measureRound(contestant, options.seconds ?? 2));
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
  formatNumber(getMedian(results, name, 'rate'), 0),
  formatNumber(getMedian(results, name, 'p99'), 2),
  formatNumber(getMedian(results, name, 'cpu'), 1),
  `${formatNumber(getMedian(results, name, 'others') * 100, 0)} %`,
];

const getMedian = (results: Results, name: string, figure: keyof Round): number =>
  computeMedian((results.get(name) ?? []).map((round) => round[figure]));

/**
 * Returns how many times `figure` of the contestant `name` is that of `baseName`: the median over the pairs of rounds, or NaN if
 * either has no rounds.
 */
export function computeRatio(results: Results, figure: 'rate' | 'cpu', name: string, baseName: string): number {
  const baseRounds = results.get(baseName) ?? [];
  return computeMedian(
    (results.get(name) ?? []).map((round, index) => round[figure] / (baseRounds[index]?.[figure] ?? Number.NaN)),
  );
}

/** Returns the median of some numbers, which for an even count is the mean of the two in the middle, or NaN if there are none. */
export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
