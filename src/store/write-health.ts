/** Remembers that the database refused a write for want of space or rights, and tests whether it accepts writes again. */
import { randomBytes } from 'node:crypto';
import { causeOf, messageOf } from '../base/thrown.ts';

export interface WriteHealth {
  /** Records the error if it says that the database cannot be written. */
  record(error: unknown): void;
  /**
   * Returns why the last write failed, or null if the database can be written. After a failed write, each call
   * attempts `write`, so that the problem is over as soon as there is space again.
   */
  check(write: () => void | Promise<void>): Promise<string | null>;
}

/** Creates the record of one database. `isWriteFailure` reads the driver's error. */
export function createWriteHealth(isWriteFailure: (error: unknown) => boolean): WriteHealth {
  let problem: string | null = null;
  const record = (error: unknown): void => {
    const cause = causeOf(error);
    if (isWriteFailure(cause)) problem = messageOf(cause);
  };
  return {
    record,
    async check(write) {
      if (problem === null) return null;
      try {
        await write();
        problem = null;
      } catch (error) {
        if (!isWriteFailure(causeOf(error))) throw error;
      }
      return problem;
    },
  };
}

/** Returns what a test write stores: an incomplete, expired file that does not fit into free space of pages in use. */
export const createProbeFile = (): { hash: Buffer; bytes: Buffer } => ({
  hash: randomBytes(32),
  bytes: randomBytes(200_000),
});
