/** Describes the checks of the site. */

/** One check and its result. */
export interface Row {
  readonly check: string;
  readonly passes: boolean;
  /** A score, a size or a message. */
  readonly found: string;
}

/** Returns the row of a check that did not run, which counts as failed; what it found is `not run: ` and the reason `why`. */
export const notRun = (check: string, why: string): Row => ({ check, passes: false, found: `not run: ${why}` });
