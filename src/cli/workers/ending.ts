/** How the process of a server ends: on a signal, or on a fault that nothing caught. */
import type { Clock } from '../../base/clock.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { ProcessLog } from '../log.ts';
import { onEndSignal } from './end-signals.ts';

/** What is to end in order. */
export interface Endable {
  close(how: { readonly atOnce: boolean }): Promise<unknown>;
  /** What has to be done before the process ends at once. */
  kill?(): void;
}

export interface Ending {
  /** Resolves once `server` has ended: on a signal, or when `onStop` says so. A second signal ends the process at once. */
  of(server: Endable, onStop?: (stop: (atOnce: boolean) => void) => void): Promise<ExitCode>;
}

export interface HeldSignal {
  /** Leaves signals to whoever listens by now; the one that came meanwhile. */
  release(): NodeJS.Signals | null;
}

/** How long a server that was told to end may take to start, in milliseconds. */
const longestStart = 1000;

/**
 * Holds a signal that comes while a server starts: it may be listening already, and what it accepted has to be answered. Where
 * the start takes long, or on a second signal, the process ends by it.
 */
export function holdSignal(clock: Clock): HeldSignal {
  let held: NodeJS.Signals | null = null;
  let cancel = (): void => {};
  const release = (): NodeJS.Signals | null => {
    cancel();
    stopListening();
    return held;
  };
  const end = (signal: NodeJS.Signals): void => {
    release();
    process.kill(process.pid, signal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (held === null) cancel = clock.after(longestStart, () => end(signal));
    else end(signal);
    held = signal;
  };
  const stopListening = onEndSignal(onSignal);
  return { release };
}

/**
 * Watches for faults from now on: whatever state a fault left behind, nothing new should come to it. Until there is a
 * server, a fault ends the process after its line in the log; afterwards requests under way are finished first.
 */
export function watchForEnd({ log, flush }: ProcessLog, early: HeldSignal | null = null): Ending {
  let begin: ((code: ExitCode) => void) | null = null;
  let faulty = false;
  const exit = (code: ExitCode): never => {
    flush();
    return process.exit(code);
  };
  process.on('uncaughtException', (error, origin) => {
    if (faulty) return;
    faulty = true;
    log.error({ err: error, origin }, 'uncaught error: shutting down');
    if (begin === null) exit(exitCodes.failed);
    else begin(exitCodes.failed);
  });
  // Node writes them as text to standard error, where nobody who reads the log finds them.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node.js warns'));
  return {
    of: (server, onStop) =>
      new Promise((resolve) => {
        let ending = false;
        const end = (code: ExitCode, atOnce: boolean): void => {
          if (ending) return;
          ending = true;
          server.close({ atOnce }).then(
            () => {
              flush();
              resolve(faulty ? exitCodes.failed : code);
            },
            (error: unknown) => {
              log.error({ err: error }, 'could not stop cleanly');
              flush();
              resolve(exitCodes.failed);
            },
          );
        };
        begin = (code) => end(code, true);
        if (onStop !== undefined) return onStop((atOnce) => end(exitCodes.done, atOnce));
        const onSignal = (signal: NodeJS.Signals): void => {
          if (ending) {
            server.kill?.();
            exit(exitCodes.failed);
          }
          log.info({ signal }, 'stopping');
          end(exitCodes.done, false);
        };
        // In this order: a signal that has arrived and waits for its turn is lost when nobody listens for a moment.
        onEndSignal(onSignal);
        const held = early?.release() ?? null;
        if (held !== null) onSignal(held);
      }),
  };
}
