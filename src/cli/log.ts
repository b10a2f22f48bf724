/** Where events and access lines go: standard output, as JSON lines or, for people, as text. */
import { pino } from 'pino';
import type { Log } from '../base/log.ts';
import type { LogLevel } from '../config.ts';
import { prettyLine } from './pretty.ts';
import type { Paint } from './terminal.ts';

export interface ProcessLog {
  readonly log: Log;
  /** Gets whole access lines. */
  readonly accessSink: (lines: string) => void;
  readonly flush: () => void;
}

/** `pretty` colours lines for a terminal; null writes JSON. Access lines go nowhere when the level is above info. */
export function createLog(level: LogLevel, pretty: Paint | null = null): ProcessLog {
  const destination = pino.destination({ dest: 1, sync: pretty !== null });
  const write =
    pretty === null
      ? (lines: string) => void destination.write(lines)
      : (lines: string) => {
          for (const line of lines.split('\n')) if (line !== '') destination.write(`${prettyLine(line, pretty)}\n`);
        };
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err },
    },
    { write },
  );
  const quiet = !log.isLevelEnabled('info');
  return { log, accessSink: quiet ? () => {} : write, flush: () => destination.flushSync() };
}
