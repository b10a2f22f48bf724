/** What rankings are worth by the judgments: how often the best place comes first, and nDCG with its interval. */
import type { Judged } from './judged.ts';

/** Normalized discounted cumulative gain of the first ten, with 2^grade - 1 as the gain. */
export function gainOf(found: readonly string[], judged: Judged['judged']): number {
  const discounted = (grades: readonly number[]): number =>
    grades.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
  return discounted(found.map((place) => judged[place] ?? 0)) / discounted(Object.values(judged).sort((a, b) => b - a));
}

/** Whether one of the first `most` is as good as any. */
export function hasBest(found: readonly string[], judged: Judged['judged'], most: number): boolean {
  const best = Math.max(...Object.values(judged));
  return found.slice(0, most).some((place) => judged[place] === best);
}

/** The judgments of pages: each has the best grade of its sections. */
export function byPage(judged: Judged['judged'], pageOf: (place: string) => string): Record<string, number> {
  const pages: Record<string, number> = {};
  for (const [place, grade] of Object.entries(judged)) {
    pages[pageOf(place)] = Math.max(grade, pages[pageOf(place)] ?? 0);
  }
  return pages;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The 95 % interval of the mean, from 10,000 samples with replacement; the same for the same values. */
export function intervalOf(values: readonly number[]): { low: number; high: number } {
  let state = 1;
  const next = (): number => {
    // xorshift, so that a run can be repeated.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % values.length;
  };
  const means = Array.from({ length: 10_000 }, () => mean(values.map(() => values[next()] ?? 0))).sort((a, b) => a - b);
  return { low: means[249] ?? 0, high: means[9749] ?? 0 };
}
