/** One line of the results of `check URL` and `serve --check`, with the lines of configuration that correct it. */
import type { Terminal } from './terminal.ts';

/** What is wrong, and the lines to change; both are empty if nothing is. */
export interface Problem {
  readonly message: string;
  readonly fix: readonly string[];
}

/** The result of one check. */
export interface Finding extends Problem {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'error';
}

/** Prints the result on standard output, each line of the fix on a separate line. */
export function printFinding({ check, state, message, fix }: Finding, { out, paint }: Terminal): void {
  const signs = { ok: paint('green', 'ok     '), warning: paint('yellow', 'warning'), error: paint('red', 'error  ') };
  out(`${signs[state]} ${message === '' ? check : `${check}: ${message}`}\n`);
  for (const line of fix) out(`        ${line}\n`);
}
