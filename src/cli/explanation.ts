/** What went wrong, for a person at a terminal, and the exit code that goes with it. */
import { messageOf } from '../base/thrown.ts';
import { ConfigError } from '../config/environment.ts';
import { formatFault } from '../content/fault.ts';
import { ContentError } from '../content/source.ts';
import { StoreUnusable } from '../store/store.ts';
import { UsageError } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Faults of settings and content are all said at once. */
export function explain(error: unknown): { text: string; code: ExitCode } {
  if (error instanceof UsageError) return { text: `${error.message}\n`, code: exitCodes.usage };
  if (error instanceof ConfigError) {
    return { text: error.faults.map((fault) => `${fault}\n`).join(''), code: exitCodes.configuration };
  }
  if (error instanceof ContentError) {
    const text = error.faults.map((fault) => `${formatFault(fault)}\n`).join('');
    return { text, code: exitCodes.configuration };
  }
  if (error instanceof StoreUnusable) return { text: `${error.message}\n`, code: exitCodes.failed };
  const code = error instanceof Error ? Reflect.get(error, 'code') : null;
  if (error instanceof Error && code === 'EADDRINUSE') {
    const text = `${error.message}. Another program listens there: stop it, or set PORT (or ADMIN_PORT, when that is the number) to another one (0 picks a free one).\n`;
    return { text, code: exitCodes.failed };
  }
  if (error instanceof Error && code === 'EACCES' && Reflect.get(error, 'syscall') === 'listen') {
    return {
      text: `${error.message}. Ports below 1024 need a right that this user lacks: set PORT.\n`,
      code: exitCodes.failed,
    };
  }
  return {
    text: `Colophon failed: ${messageOf(error)}\n`,
    code: exitCodes.failed,
  };
}
