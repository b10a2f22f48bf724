/** How the process of a server ends: on a signal, or on a fault that nothing caught. */
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { ProcessLog } from '../log.ts';

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

/**
 * Watches for faults from now on: whatever state a fault left behind, nothing new should come to it. Until there is a
 * server, a fault ends the process after its line in the log; afterwards requests under way are finished first.
 */
export function watchForEnd({ log, flush }: ProcessLog): Ending {
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
        process.on('SIGTERM', onSignal);
        process.on('SIGINT', onSignal);
      }),
  };
}
