/** How work grows with its input: what is linear takes four times as long for four times the input, whatever the machine. */
import assert from 'node:assert/strict';

/**
 * Throws when `run` takes far more than four times the processor's time for the input of size `4 * n` than for that of size
 * `n`. Only what this process computes counts, so that other programs do not; the best of several tries, since the garbage
 * collector counts as well. What takes under 20 milliseconds is quick enough.
 */
export async function assertLinear<T>(
  what: string,
  n: number,
  make: (size: number) => T,
  run: (input: T) => unknown,
): Promise<void> {
  const [small, large] = [make(n), make(4 * n)];
  let [smallMs, largeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < 5; tries += 1) {
    smallMs = Math.min(smallMs, await measureTime(() => run(small)));
    largeMs = Math.min(largeMs, await measureTime(() => run(large)));
    // Quadratic work takes 16 times as long.
    if (largeMs < 20 || largeMs < 9 * smallMs) return;
  }
  assert.fail(`${what}: ${smallMs.toFixed(1)} ms for ${n}, ${largeMs.toFixed(1)} ms for ${4 * n}`);
}

/**
 * Runs `run`, waits for a promise that it returns, and returns the milliseconds of the processor's time that this took, all threads
 * of this process together.
 */
async function measureTime(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
