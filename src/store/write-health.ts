/** Remembers that a database refused a write, for the operator. */
import { getCause, getMessage } from '../base/thrown.ts';

/**
 * Remembers that a database refused a write for want of space or rights, and tests whether it accepts writes again.
 * `isWriteFailure` reads the driver's error.
 */
export function createWriteHealth(isWriteFailure: (error: unknown) => boolean) {
  let problem: string | null = null;
  return {
    /** Records the error if it says that the database cannot be written. */
    record(error: unknown): void {
      const cause = getCause(error);
      if (isWriteFailure(cause)) problem = getMessage(cause);
    },
    /** Returns why the last write failed, or null. After a failed write, each call attempts `write`. */
    async check(write: () => Promise<void>): Promise<string | null> {
      if (problem === null) return null;
      try {
        await write();
        problem = null;
      } catch (error) {
        if (!isWriteFailure(getCause(error))) throw error;
      }
      return problem;
    },
  };
}
