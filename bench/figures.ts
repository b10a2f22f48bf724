/** What the rounds of contestants come to: medians, and how many times one is another. */
import type { Round } from './load.ts';
import { fixed } from './table.ts';
import { noisy, type Results, spreadOf } from './turns.ts';

/** For `figuresOf`. */
export const figureHeads = [
  'requests/s',
  'p50 ms',
  'p99 ms',
  'CPU µs/request',
  'spread',
  'others',
  'generator',
] as const;

/**
 * The figures of a contestant, as they are shown; the last three are how far rounds lie apart, what others took of the cores,
 * and how busy the generator's core was.
 */
export function figuresOf(results: Results, name: string): string[] {
  const spread = spreadOf(results.get(name) ?? []);
  return [
    fixed(medianOf(results, name, 'rate'), 0),
    fixed(medianOf(results, name, 'p50'), 2),
    fixed(medianOf(results, name, 'p99'), 2),
    cpuOf(results, name),
    `${fixed(spread * 100, 0)} %${spread > noisy ? ' ~' : ''}`,
    `${fixed(medianOf(results, name, 'others') * 100, 0)} %`,
    `${fixed(medianOf(results, name, 'generator') * 100, 0)} %${isBounded(results, name) ? ' *' : ''}`,
  ];
}

/** Microseconds of its processor time that a request took, as they are shown. */
export const cpuOf = (results: Results, name: string): string => fixed(medianOf(results, name, 'cpu'), 1);

/** The load generator was the limit: the rate says nothing about the server. */
const isBounded = (results: Results, name: string): boolean => medianOf(results, name, 'generator') > 0.9;

/** The median of a figure over a contestant's rounds. */
export const medianOf = (results: Results, name: string, figure: keyof Round): number =>
  median((results.get(name) ?? []).map((round) => round[figure]));

/** How many times `figure` of one contestant is that of another: the median over the pairs of rounds. */
export function ratioOf(results: Results, figure: 'rate' | 'cpu', one: string, other: string): number {
  const others = results.get(other) ?? [];
  return median((results.get(one) ?? []).map((round, at) => round[figure] / (others[at]?.[figure] ?? Number.NaN)));
}

/** The same of rates, as it is shown: in brackets, it does not count, since the load generator was the limit of one of them. */
export function rateRatioOf(results: Results, one: string, other: string, digits: number): string {
  const ratio = fixed(ratioOf(results, 'rate', one, other), digits);
  return [one, other].some((name) => isBounded(results, name)) ? `(${ratio})` : ratio;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
