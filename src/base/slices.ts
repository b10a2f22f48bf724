/** Long lists, a slice at a time: other work of the event loop gets its turn in between. */
import { setImmediate } from 'node:timers/promises';

/** What `make` gives for each item, in order. A slice has `most` items. */
export async function inSlices<T, R>(
  items: readonly T[],
  make: (item: T, index: number) => R,
  most = 100,
): Promise<R[]> {
  const made: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % most === 0) await setImmediate();
    made.push(make(item, index));
  }
  return made;
}

/** Runs `steps` to their end. Each says how much it did; after `most` of that, other work gets its turn. */
export async function inTurns<T>(steps: Generator<number, T, void>, most: number): Promise<T> {
  let done = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    done += step.value;
    if (done < most) continue;
    await setImmediate();
    done = 0;
  }
}

/** The same without a pause. */
export function atOnce<T>(steps: Generator<number, T, void>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}
