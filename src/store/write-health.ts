/** Remembers that a database refused a write, so that the operator is warned until a write succeeds. */
import { getCause, getMessage } from '../base/thrown.ts';

/**
 * Creates `record`, which remembers a write that was refused for want of space or rights, and `check`, which tests whether the
 * database accepts writes again. `isWriteFailure` returns whether an error of the driver is such a refusal.
 */
export function createWriteHealth(isWriteFailure: (error: unknown) => boolean) {
  let problem: string | null = null;
  return {
    /** Records the error if it says that the database cannot be written. */
    record(error: unknown): void {
      const cause = getCause(error);
      if (isWriteFailure(cause)) problem = getMessage(cause);
    },
    /**
     * Returns why the last write failed, or null if it did not or if writing is possible again. After a failed write, each call
     * attempts `write`; an error that is no refusal is passed on.
     */
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
