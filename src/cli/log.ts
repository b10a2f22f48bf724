/** Writes events and access lines to standard output: JSON lines, or text on a terminal. */
import { fstatSync } from 'node:fs';
import { pino } from 'pino';
import type { Config } from '../config/environment.ts';
import type { RunningServer } from '../server/options.ts';
import type { Color, Paint } from './terminal.ts';

/**
 * The log of a process: `log` writes events, `accessSink` whole access lines and `announce` the line with the server's address;
 * `flush` blocks until everything is written.
 */
export type ProcessLog = ReturnType<typeof createLog>;

/**
 * The product of a server and its origins; `listenUrl` is that of the socket, which differs from `baseUrl` behind a proxy, and
 * `adminUrl` is null without an admin listener.
 */
export type ServerAddress = Pick<RunningServer, 'productName' | 'baseUrl' | 'listenUrl' | 'adminUrl'>;

/** Maximum number of bytes that wait for a slow reader of standard output; more are dropped and counted. */
const maxWaitingBytes = 8_000_000;

/** Maximum number of bytes that a pipe takes in one piece (POSIX, PIPE_BUF), so that lines of two processes never mix. */
const maxPieceBytes = 4096;

/**
 * Creates the log, which writes to standard output: `log` writes events and `accessSink` access lines. What is too much for a slow
 * reader is lost, and a warning later counts the lost blocks.
 *
 * @param level the least important events that are written; access lines need `info`
 * @param paint colors lines for a terminal, or null for JSON
 * @param worker the number of this server process, which its events carry, or null if there is one process
 */
export function createLog(level: Config['logLevel'], paint: Paint | null = null, worker: number | null = null) {
  const destination = pino.destination({
    dest: 1,
    // Writing to a file takes no time; writing to a pipe can wait for its reader, so a pipe must not block the event loop.
    sync: paint !== null || fstatSync(1).isFile(),
    contentMode: 'buffer',
    maxLength: maxWaitingBytes,
    ...(worker !== null && { maxWrite: maxPieceBytes }),
  });
  // The type of `write` allows only strings, but in this content mode it takes buffers.
  const writeBytes = (bytes: Buffer): void => void Reflect.apply(destination.write, destination, [bytes]);
  const writeLines = (lines: Buffer): void => {
    for (const line of lines.toString().trimEnd().split('\n'))
      writeBytes(Buffer.from(`${paint === null ? line : formatLine(line, paint)}\n`));
  };
  const write = paint === null && worker === null ? writeBytes : writeLines;
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
  let blocks = 0;
  destination.on('drop', () => {
    blocks += 1;
  });
  destination.on('drain', () => {
    if (blocks > 0) log.warn({ blocks }, 'standard output was not read fast enough: blocks of log lines were lost');
    blocks = 0;
  });
  return {
    log,
    /** Logs where the server is, at every level: with PORT=0 nothing else has the port. A note is a field of the line. */
    announce({ productName, baseUrl, listenUrl, adminUrl }: ServerAddress, note?: string): void {
      const fields = {
        ...(listenUrl !== baseUrl && { listen_url: listenUrl }),
        ...(adminUrl !== null && { admin_url: adminUrl }),
        ...(note !== undefined && { note }),
      };
      log.child({}, { level: 'info' }).info(fields, `Colophon serves ${productName} at ${baseUrl}`);
    },
    /** Writes whole access lines. */
    accessSink: log.isLevelEnabled('info') ? write : () => {},
    /** Writes what still waits for the reader of standard output, and blocks until all of it is written. */
    flush: () => destination.flushSync(),
  };
}

const colors: Readonly<Record<string, Color>> = { error: 'red', fatal: 'red', warn: 'yellow', info: 'cyan' };

/**
 * Turns one line of JSON into text for people, without a line end: the time of day in UTC, the level, and the event with its
 * fields, or for a request its status, method, path, duration and error code.
 */
function formatLine(line: string, paint: Paint): string {
  const { level, time, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const start = `${paint('dim', String(time).slice(11, 19))} ${paint(colors[String(level)] ?? 'dim', String(level).padEnd(5))}`;
  return `${start} ${msg === 'request' ? formatRequest(fields, paint) : `${msg}${formatFields(fields, paint)}`}`;
}

function formatRequest({ method, path, status, duration_ms, code }: Record<string, unknown>, paint: Paint): string {
  const color = Number(status) >= 500 ? 'red' : Number(status) >= 400 ? 'yellow' : 'green';
  const time = `${duration_ms} ms${code === undefined ? '' : ` ${code}`}`;
  return `${paint(color, String(status))} ${method} ${path} ${paint('dim', time)}`;
}

/** Returns the fields of an event, each as ` name=value`; the stack of an error follows on separate lines. */
function formatFields({ err, ...fields }: Record<string, unknown>, paint: Paint): string {
  const pairs = Object.entries(fields).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const stack: unknown = Reflect.get(Object(err), 'stack');
  return `${paint('dim', pairs.join(''))}${stack === undefined ? '' : `\n${stack}`}`;
}
