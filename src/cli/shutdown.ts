/** Ends the process of a server: on a signal, or on an error that nothing caught. */
import { systemClock } from '../base/clock.ts';
import { type ExitCode, exitCodes } from './command.ts';
import type { ProcessLog } from './log.ts';

/** A server, or the processes of one, that can be closed. */
interface Closable {
  /** Ends it after the requests in progress; `atOnce` leaves out the drain delay before. */
  close(how: { readonly atOnce: boolean }): Promise<unknown>;
  /** Ends what must not outlive this process; called before the process ends at once. */
  kill?(): void;
}

/**
 * The handling of signals and uncaught errors in this process; `of` gets the server that they close, and resolves with the exit
 * code once the server is closed.
 */
export type Shutdown = ReturnType<typeof installShutdown>;

/** Maximum time that a server may take to start after a signal told it to end, in milliseconds. */
const maxStartMs = 1000;

/**
 * Time in which another signal counts as a copy, in milliseconds. A terminal and most supervisors signal a whole process group, so
 * that a process gets a signal directly and again from the process that started it.
 */
const copyMs = 500;

/**
 * Handles signals and uncaught errors from now on: they close the server that is given to `of`, which then resolves with the exit
 * code for the caller to end the process with, 1 after an uncaught error or a failure to close and otherwise 0. A second signal,
 * half a second or more after the first, ends the process at once, and a first one during the start waits up to a second for the
 * server, which may be listening already and has to respond to what it accepted. An uncaught error closes the server without its
 * drain delay, or ends the process if there is no server yet: no new request should reach a process in an unknown state.
 */
export function installShutdown({ log, flush }: Pick<ProcessLog, 'log' | 'flush'>) {
  const exitPromise = Promise.withResolvers<ExitCode>();
  let server: Closable | null = null;
  let code: ExitCode = exitCodes.done;
  let isClosing = false;
  let lastSignalAt = Number.NEGATIVE_INFINITY;
  const exit = (): never => {
    flush();
    return process.exit(code);
  };
  const close = async (atOnce: boolean): Promise<void> => {
    isClosing = true;
    try {
      await server?.close({ atOnce });
    } catch (error) {
      code = exitCodes.failed;
      log.error({ err: error }, 'could not stop cleanly');
    }
    flush();
    exitPromise.resolve(code);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const now = systemClock.monotonic();
    if (now - lastSignalAt < copyMs) return;
    lastSignalAt = now;
    if (isClosing) {
      code = exitCodes.failed;
      server?.kill?.();
      exit();
    }
    log.info({ signal }, 'stopping');
    isClosing = true;
    if (server !== null) void close(false);
    else systemClock.after(maxStartMs, () => server ?? exit());
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  process.on('uncaughtException', (error, origin) => {
    if (code === exitCodes.failed) return;
    code = exitCodes.failed;
    log.error({ err: error, origin }, 'uncaught error: shutting down');
    if (server === null) exit();
    else if (!isClosing) void close(true);
  });
  // Node would write warnings as text to standard error, which the log does not include.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node.js warns'));
  return {
    /** Resolves with the exit code once a signal or an uncaught error has closed the server. */
    of(closable: Closable): Promise<ExitCode> {
      server = closable;
      if (isClosing) void close(false);
      return exitPromise.promise;
    },
  };
}
