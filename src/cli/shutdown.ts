/** Ends the process of a server: on a signal, or on an error that nothing caught. */
import { systemClock } from '../base/clock.ts';
import { type ExitCode, exitCodes } from './command.ts';
import type { ProcessLog } from './log.ts';

/** A server, or the processes of one, that can be closed. */
interface Closable {
  close(how: { readonly atOnce: boolean }): Promise<unknown>;
  /** Ends what must not outlive this process; called before the process ends at once. */
  kill?(): void;
}

export interface Shutdown {
  /** Resolves with the exit code once a signal or an uncaught error has closed `server`. A second signal ends the process at once. */
  of(server: Closable): Promise<ExitCode>;
}

/** Maximum time that a server may take to start after a signal told it to end, in milliseconds. */
const maxStartMs = 1000;

/**
 * Handles uncaught errors from now on: no request should reach a process in an unknown state. Before there is a server, an error ends the
 * process after its line in the log; afterwards requests in progress are finished first.
 *
 * @param defersSignals whether a signal before there is a server waits for it: the server may be listening already, and has to respond to
 *   what it accepted. If the start takes long, or on a second signal, the process ends by the signal.
 */
export function installShutdown({ log, flush }: ProcessLog, defersSignals = false): Shutdown {
  const ended = Promise.withResolvers<ExitCode>();
  let server: Closable | null = null;
  let deferred: EndSignal | null = null;
  let cancelDeadline = (): void => {};
  let isClosing = false;
  let hasFailed = false;
  const exit = (): never => {
    flush();
    return process.exit(exitCodes.failed);
  };
  const close = async (closable: Closable, atOnce: boolean): Promise<void> => {
    if (isClosing) return;
    isClosing = true;
    try {
      await closable.close({ atOnce });
    } catch (error) {
      hasFailed = true;
      log.error({ err: error }, 'could not stop cleanly');
    }
    flush();
    ended.resolve(hasFailed ? exitCodes.failed : exitCodes.done);
  };
  const endBySignal = (signal: EndSignal): void => {
    stopListening();
    process.kill(process.pid, signal);
  };
  const onSignal = (signal: EndSignal): void => {
    if (server === null) {
      if (deferred === null) cancelDeadline = systemClock.after(maxStartMs, () => endBySignal(signal));
      else endBySignal(signal);
      deferred = signal;
      return;
    }
    if (isClosing) {
      server.kill?.();
      exit();
    }
    log.info({ signal }, 'stopping');
    void close(server, false);
  };
  const stopListening = defersSignals ? onEndSignal(onSignal) : () => {};
  process.on('uncaughtException', (error, origin) => {
    if (hasFailed) return;
    hasFailed = true;
    log.error({ err: error, origin }, 'uncaught error: shutting down');
    if (server === null) exit();
    else void close(server, true);
  });
  // Node writes warnings as text to standard error, where nobody who reads the log finds them.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node.js warns'));
  return {
    of(started) {
      server = started;
      cancelDeadline();
      if (!defersSignals) onEndSignal(onSignal);
      if (deferred !== null) onSignal(deferred);
      return ended.promise;
    },
  };
}

type EndSignal = 'SIGTERM' | 'SIGINT';

/**
 * Time in which another signal counts as a copy, in milliseconds. A terminal and most supervisors signal a whole process group, so
 * that a process gets a signal directly and again from the process that started it.
 */
const copyMs = 500;

const listeners = new Set<(signal: EndSignal) => void>();
let lastSignalAt = Number.NEGATIVE_INFINITY;

/** Calls `act` for each signal, except copies, until the returned function is called. */
export function onEndSignal(act: (signal: EndSignal) => void): () => void {
  if (listeners.size === 0) process.on('SIGTERM', dispatch).on('SIGINT', dispatch);
  listeners.add(act);
  return () => {
    listeners.delete(act);
    if (listeners.size === 0) process.off('SIGTERM', dispatch).off('SIGINT', dispatch);
  };
}

function dispatch(signal: EndSignal): void {
  const now = systemClock.monotonic();
  if (now - lastSignalAt < copyMs) return;
  lastSignalAt = now;
  for (const act of [...listeners]) act(signal);
}
