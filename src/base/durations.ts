/** Counts how long things take, by upper bounds, so that a histogram can be made of it. */

export interface Durations {
  /** Upper bounds in seconds, ascending. */
  readonly bounds: readonly number[];
  /** One count per bound, each covering only its own bucket; the last is for what took longer. */
  readonly counts: number[];
  totalSeconds: number;
  count: number;
}

export const createDurations = (bounds: readonly number[]): Durations => ({
  bounds,
  counts: Array.from({ length: bounds.length + 1 }, () => 0),
  totalSeconds: 0,
  count: 0,
});

export function addDuration(durations: Durations, seconds: number): void {
  const { bounds, counts } = durations;
  let bucket = 0;
  while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
  counts[bucket] = (counts[bucket] ?? 0) + 1;
  durations.totalSeconds += seconds;
  durations.count += 1;
}
