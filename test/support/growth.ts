/** Asserts that work is linear: on every machine, four times the input must take about four times as long. */
import assert from 'node:assert/strict';

/**
 * Throws when `run` takes far more than four times the processor's time for the input of size `4 * size` than for that of `size`.
 * Only the time of this process counts, so that other programs do not matter, and only the best of five tries, because the garbage
 * collector counts as well. Work that takes under 20 milliseconds is quick enough.
 */
export async function assertLinear<T>(
  label: string,
  size: number,
  createInput: (size: number) => T,
  run: (input: T) => unknown,
): Promise<void> {
  const [small, large] = [createInput(size), createInput(4 * size)];
  let [smallMs, largeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < 5; tries += 1) {
    smallMs = Math.min(smallMs, await measureTime(() => run(small)));
    largeMs = Math.min(largeMs, await measureTime(() => run(large)));
    // Linear work takes 4 times as long, quadratic work 16 times; 9 leaves room for noise on both sides.
    if (largeMs < 20 || largeMs < 9 * smallMs) return;
  }
  assert.fail(`${label}: ${smallMs.toFixed(1)} ms for ${size}, ${largeMs.toFixed(1)} ms for ${4 * size}`);
}

/**
 * Runs `run`, waits for a promise that it returns, and returns the milliseconds of the processor's time that this took, all threads
 * of this process together.
 */
async function measureTime(run: () => unknown): Promise<number> {
  const startUsage = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(startUsage);
  return (user + system) / 1000;
}
