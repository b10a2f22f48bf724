/** How the files of a folder are read: at once where nobody waits for anything else, or while others are served. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';

export interface Disk {
  stat(path: string): Stats | Promise<Stats>;
  read(path: string): Buffer | Promise<Buffer>;
}

/** For a server that responds to requests meanwhile. */
export const sharedDisk: Disk = { stat, read: readFile };

/** Milliseconds. A file in memory or on a local disk hardly ever takes as long. */
const slowMs = 2;
const mostSlow = 16;

/**
 * For a start or a command: without Node's threads, which take longer than the system for a file. Where files are slow to
 * come, over a network for example, several are waited for at a time.
 */
export function createOwnDisk(clock: Pick<Clock, 'monotonic'>): Disk {
  let slow = 0;
  const timed = <T>(take: () => T): T => {
    const began = clock.monotonic();
    const taken = take();
    if (clock.monotonic() - began > slowMs) slow += 1;
    return taken;
  };
  return {
    stat: (path) => (slow > mostSlow ? stat(path) : timed(() => statSync(path))),
    read: (path) => (slow > mostSlow ? readFile(path) : timed(() => readFileSync(path))),
  };
}
