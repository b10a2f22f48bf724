/** How the process of a server ends: on a signal, or on a fault that nothing caught. */
import type { RunningServer } from '../server.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { ProcessLog } from './log.ts';

export interface Ending {
  /** Resolves once `server` has ended. A second signal ends the process at once. */
  of(server: Pick<RunningServer, 'close'>): Promise<ExitCode>;
}

/**
 * Watches for faults from now on: whatever state a fault left behind, nothing new should come to it. Until there is a
 * server, a fault ends the process after its line in the log; afterwards requests under way are answered first.
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
    log.error({ err: error, origin }, 'nothing caught this error: the server ends');
    if (begin === null) exit(exitCodes.failed);
    else begin(exitCodes.failed);
  });
  return {
    of: (server) =>
      new Promise((resolve) => {
        let ending = false;
        begin = (code) => {
          if (ending) return;
          ending = true;
          server.close({ atOnce: code !== exitCodes.done }).then(
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
        const onSignal = (signal: NodeJS.Signals): void => {
          if (ending) exit(exitCodes.failed);
          log.info({ signal }, 'stopping');
          begin?.(exitCodes.done);
        };
        process.on('SIGTERM', onSignal);
        process.on('SIGINT', onSignal);
      }),
  };
}
