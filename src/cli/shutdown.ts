/** Ends the process of a server: on a signal, or on an error that nothing caught. */
import { type Clock, systemClock } from '../base/clock.ts';
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

export interface DeferredSignals {
  /** Stops deferring. Returns the signal that came in the meantime, or null. */
  release(): NodeJS.Signals | null;
}

/** Maximum time that a server may take to start after a signal told it to end, in milliseconds. */
const maxStartMs = 1000;

/**
 * Defers a signal that comes while a server starts: the server may be listening already, and has to respond to what it accepted. If the
 * start takes long, or on a second signal, the process ends by the signal.
 */
export function deferSignals(clock: Clock): DeferredSignals {
  let deferred: NodeJS.Signals | null = null;
  let cancel = (): void => {};
  const release = (): NodeJS.Signals | null => {
    cancel();
    stopListening();
    return deferred;
  };
  const end = (signal: NodeJS.Signals): void => {
    release();
    process.kill(process.pid, signal);
  };
  const stopListening = onEndSignal((signal) => {
    if (deferred === null) cancel = clock.after(maxStartMs, () => end(signal));
    else end(signal);
    deferred = signal;
  });
  return { release };
}

/**
 * Handles uncaught errors from now on: no request should reach a process in an unknown state. Before there is a server, an error ends the
 * process after its line in the log; afterwards requests in progress are finished first.
 */
export function installShutdown({ log, flush }: ProcessLog, early: DeferredSignals | null = null): Shutdown {
  let closeAfterError: (() => void) | null = null;
  let hasFailed = false;
  const exit = (code: ExitCode): never => {
    flush();
    return process.exit(code);
  };
  process.on('uncaughtException', (error, origin) => {
    if (hasFailed) return;
    hasFailed = true;
    log.error({ err: error, origin }, 'uncaught error: shutting down');
    if (closeAfterError === null) exit(exitCodes.failed);
    else closeAfterError();
  });
  // Node writes warnings as text to standard error, where nobody who reads the log finds them.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node.js warns'));
  return {
    of: (server) =>
      new Promise((resolve) => {
        let isClosing = false;
        const close = async (atOnce: boolean): Promise<void> => {
          if (isClosing) return;
          isClosing = true;
          try {
            await server.close({ atOnce });
          } catch (error) {
            hasFailed = true;
            log.error({ err: error }, 'could not stop cleanly');
          }
          flush();
          resolve(hasFailed ? exitCodes.failed : exitCodes.done);
        };
        closeAfterError = () => void close(true);
        const onSignal = (signal: NodeJS.Signals): void => {
          if (isClosing) {
            server.kill?.();
            exit(exitCodes.failed);
          }
          log.info({ signal }, 'stopping');
          void close(false);
        };
        // Listen before releasing: a signal that arrives while nobody listens ends the process.
        onEndSignal(onSignal);
        const deferred = early?.release() ?? null;
        if (deferred !== null) onSignal(deferred);
      }),
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
