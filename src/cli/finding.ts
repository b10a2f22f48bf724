/** One line of the results of `check URL` and `serve --check`, with the lines of configuration that correct it. */
import type { Terminal } from './terminal.ts';

/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** The lines to change. */
  readonly fix: readonly string[];
}

/** Prints the result on standard output, each line of the fix on a separate line. */
export function printFinding({ check, state, message, fix }: Finding, { out, paint }: Terminal): void {
  const signs = { ok: paint('green', 'ok     '), warning: paint('yellow', 'warning'), error: paint('red', 'error  ') };
  out(`${signs[state]} ${message === '' ? check : `${check}: ${message}`}\n`);
  for (const line of fix) out(`        ${line}\n`);
}
