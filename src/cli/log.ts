/** Where events and access lines go: JSON lines on standard output. */
import { pino } from 'pino';
import type { Log } from '../base/log.ts';
import type { LogLevel } from '../config.ts';

/** Access lines are at level info: they go nowhere when the level is above it. */
export function createLog(level: LogLevel): { log: Log; accessSink: (lines: string) => void; flush: () => void } {
  const destination = pino.destination({ dest: 1, sync: false });
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err },
    },
    destination,
  );
  const quiet = !log.isLevelEnabled('info');
  return {
    log,
    accessSink: quiet ? () => {} : (lines) => destination.write(lines),
    flush: () => destination.flushSync(),
  };
}
