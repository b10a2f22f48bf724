/** Where events and access lines go: standard output, as JSON lines or, for people, as text. */
import { fstatSync } from 'node:fs';
import { pino } from 'pino';
import type { Log } from '../base/log.ts';
import type { LogLevel } from '../config/environment.ts';
import { prettyLine } from './pretty.ts';
import type { Paint } from './terminal.ts';

export interface ProcessLog {
  readonly log: Log;
  /** Gets whole access lines. */
  readonly accessSink: (lines: Buffer) => void;
  /** Says where the server is, at every level: with PORT=0 only this line has the port. */
  announce(started: Started): void;
  readonly flush: () => void;
}

export interface Started {
  readonly productName: string;
  readonly baseUrl: string;
  /** Behind a proxy, another one than `baseUrl`. */
  readonly listenUrl: string;
}

/** What may wait for a reader of standard output that is slow or stuck, in bytes; more is dropped, and counted. */
const mostWaiting = 8_000_000;

/**
 * `pretty` colors lines for a terminal; null writes JSON. Access lines go nowhere when the level is above info. `worker`
 * marks the events of one of several processes that write to the same place.
 */
export function createLog(level: LogLevel, pretty: Paint | null = null, worker: number | null = null): ProcessLog {
  const destination = pino.destination({
    dest: 1,
    // A file takes a write at once; a pipe may have to wait for its reader, which must hold nobody up.
    sync: pretty !== null || fstatSync(1).isFile(),
    contentMode: 'buffer',
    maxLength: mostWaiting,
    ...(worker !== null && { maxWrite: wholeWrite }),
  });
  // Its types accept only strings, but in this content mode it takes buffers.
  const put = (bytes: Buffer): void => void Reflect.apply(destination.write, destination, [bytes]);
  const write =
    pretty === null
      ? worker === null
        ? put
        : (lines: Buffer) => inParts(lines).forEach(put)
      : (lines: Buffer) => {
          for (const line of lines.toString().split('\n')) {
            if (line !== '') put(Buffer.from(`${prettyLine(line, pretty)}\n`));
          }
        };
  const log = pino(
    {
      level,
      base: worker === null ? null : { worker },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err },
    },
    { write: (line: string) => write(Buffer.from(line)) },
  );
  let dropped = 0;
  destination.on('drop', () => {
    dropped += 1;
  });
  destination.on('drain', () => {
    if (dropped === 0) return;
    const blocks = dropped;
    dropped = 0;
    log.warn({ blocks }, 'standard output was not read fast enough: blocks of log lines were lost');
  });
  const quiet = !log.isLevelEnabled('info');
  const always = log.child({}, { level: 'info' });
  return {
    log,
    announce: ({ productName, baseUrl, listenUrl }) =>
      always.info(
        listenUrl === baseUrl ? {} : { listen_url: listenUrl },
        `Colophon serves ${productName} at ${baseUrl}`,
      ),
    accessSink: quiet ? () => {} : write,
    flush: () => destination.flushSync(),
  };
}

/** A pipe takes this much at once (POSIX, PIPE_BUF): nothing of another process comes between. */
const wholeWrite = 4096;

/** Whole lines together, up to `wholeWrite` bytes; a line that is longer stands by itself. */
function inParts(lines: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  while (lines.length - from > wholeWrite) {
    const within = lines.lastIndexOf(newline, from + wholeWrite - 1);
    const end = within >= from ? within : lines.indexOf(newline, from);
    if (end === -1) break;
    parts.push(lines.subarray(from, end + 1));
    from = end + 1;
  }
  if (from < lines.length) parts.push(lines.subarray(from));
  return parts;
}

const newline = 0x0a;
