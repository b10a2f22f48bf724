/** Remembers that the database refused a write for want of space or rights, and tests whether it accepts writes again. */
import { causeOf, messageOf } from '../base/thrown.ts';

export interface WriteHealth {
  /** Records the error if it says that the database cannot be written. */
  record(error: unknown): void;
  /** Returns why the last write failed, or null. After a failed write, each call attempts `write`. */
  check(write: () => Promise<void>): Promise<string | null>;
}

/** Creates the record of one database. `isWriteFailure` reads the driver's error. */
export function createWriteHealth(isWriteFailure: (error: unknown) => boolean): WriteHealth {
  let problem: string | null = null;
  return {
    record(error) {
      const cause = causeOf(error);
      if (isWriteFailure(cause)) problem = messageOf(cause);
    },
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
