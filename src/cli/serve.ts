/** `colophon serve`: starts the server, says where it is, and ends it on SIGTERM or SIGINT. */
import { systemClock } from '../base/clock.ts';
import { ConfigError, readConfig } from '../config.ts';
import { formatFault } from '../content/fault.ts';
import { ContentError } from '../content/source.ts';
import { startServer } from '../server.ts';
import { createLog } from './log.ts';

/** Faults of environment and content go to standard error, all at once, and end with 78. */
export async function serve(): Promise<void> {
  try {
    const config = readConfig(process.env, process.cwd());
    const { log, accessSink, flush } = createLog(config.logLevel);
    const server = await startServer({ config, clock: systemClock, log, accessSink });
    process.stdout.write(`Colophon serves ${server.productName} at ${server.baseUrl}\n`);
    const end = (signal: string): void => {
      process.once(signal, () => process.exit(1));
      log.info({ signal }, 'stopping');
      server.close().then(
        () => {
          flush();
          process.exit(0);
        },
        (error: unknown) => {
          log.error({ err: error }, 'could not stop cleanly');
          process.exit(1);
        },
      );
    };
    process.once('SIGTERM', () => end('SIGTERM'));
    process.once('SIGINT', () => end('SIGINT'));
  } catch (error) {
    process.stderr.write(explain(error));
    process.exitCode = error instanceof ConfigError || error instanceof ContentError ? 78 : 1;
  }
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.faults.map((fault) => `${fault}\n`).join('');
  if (error instanceof ContentError) return error.faults.map((fault) => `${formatFault(fault)}\n`).join('');
  if (error instanceof Error && Reflect.get(error, 'code') === 'EADDRINUSE') {
    return `${error.message}. Another program listens there: stop it, or set PORT to another number (0 picks a free one).\n`;
  }
  return `Colophon could not start: ${error instanceof Error ? error.message : String(error)}\n`;
}
