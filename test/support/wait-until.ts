/** Waits in a test for a condition that no event reports. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats a check every 20 ms until it returns true; the timeout of the test runner ends one that never does. */
export async function waitUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(20);
}
