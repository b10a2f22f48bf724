/** Prints what a command found: errors and warnings in files, and the results of the checks of an instance. */
import { Option } from 'commander';
import type { Fault } from '../content/fault.ts';
import type { Terminal } from './terminal.ts';

/**
 * The errors and warnings of a command. Their paths are relative to the content folder where they are found, and to the folder in
 * which the command was called where they are printed.
 */
export interface Report {
  readonly errors: readonly Fault[];
  readonly warnings: readonly Fault[];
}

const formats = ['text', 'json', 'github'];

/** The option of commands that print a report. */
export const formatOption = new Option('--format <FORMAT>', 'The format; github is annotations.').choices(formats);

/**
 * Prints a line for each error and warning, which is an annotation for `github`, or the report as one line of JSON for `json`. Null
 * stands for `text`, and paths are printed as they are.
 */
export function printReport(report: Report, format: string | null, { out, paint }: Terminal): void {
  if (format === 'json') {
    out(`${JSON.stringify(report)}\n`);
    return;
  }
  const kinds = [['error', 'red', report.errors] as const, ['warning', 'yellow', report.warnings] as const];
  for (const [kind, color, faults] of kinds) {
    for (const { file, line, column, message } of faults)
      out(
        format === 'github'
          ? `::${kind} file=${escapeProperty(file)},line=${line},col=${column}::${escapeData(message)}\n`
          : `${file}:${line}:${column}: ${paint(color, `${kind}:`)} ${message}\n`,
      );
  }
}

/** Escapes a message for a workflow command of GitHub Actions. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Escapes a property, such as a file name, for a workflow command of GitHub Actions. */
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** The result of one check: its name, its state, its message ('' if there is nothing to say), and the lines that fix a problem. */
export type Finding = ReturnType<typeof createFinding>;

/** Creates the result of the check named `check`. `message` says what was found, '' for nothing to say; `fix` has the lines to change. */
export const createFinding = (
  check: string,
  state: 'ok' | 'warning' | 'error',
  message = '',
  ...fix: readonly string[]
) => ({ check, state, message, fix });

/** Prints the result on standard output, each line of the fix on a separate line. */
export function printFinding({ check, state, message, fix }: Finding, { out, paint }: Terminal): void {
  const signs = { ok: paint('green', 'ok     '), warning: paint('yellow', 'warning'), error: paint('red', 'error  ') };
  out(`${signs[state]} ${message === '' ? check : `${check}: ${message}`}\n`);
  for (const line of fix) out(`        ${line}\n`);
}
