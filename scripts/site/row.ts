/** Defines the row that reports a check of the site, and creates that of a check that did not run. */

/** One check and its result. */
export interface Row {
  /** Name of the check, with its limit if it has one. */
  readonly check: string;
  readonly passes: boolean;
  /** A score, a size or a message. */
  readonly result: string;
}

/** Returns the row of a check that did not run, which counts as failed; its result is `not run: ` and the reason. */
export const createMissingRow = (check: string, reason: string): Row => ({
  check,
  passes: false,
  result: `not run: ${reason}`,
});
