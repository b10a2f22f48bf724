/** The access log: one JSON line for each request, put together by hand because a line by pino costs a quarter of a prepared GET. */
import type { Clock } from '../base/clock.ts';
import { type Exchange, readHeader } from './exchange.ts';
import { readTraceId } from './trace-context.ts';

/** The access log, which has a line of JSON for each response. */
export interface AccessLog {
  /**
   * Returns the part of a line from `,"method":` to `"duration_ms":`, without the number behind it. A prepared response has this
   * part already. `bytes` is the size of the body that is sent; `code` is the problem code, or null without a failure.
   */
  describe(exchange: Exchange, status: number, bytes: number, code: string | null): string;
  /**
   * Adds the line of a request that got its response; `description` is from `describe`. `status`, which `description` has too, is
   * not written: it is for the metrics, which wrap this function to count requests.
   */
  write(exchange: Exchange, status: number, description: string): void;
  /** Writes the lines that are in the buffer to the sink, if there are any. */
  flush(): void;
}

/** Options of the access log. */
export interface AccessLogOptions {
  readonly clock: Clock;
  /** Receives whole lines in ASCII in a buffer that is not used again. */
  readonly sink: (lines: Buffer) => void;
}

/** Number of bytes that are written to the sink at once, which stay in the processor's cache until then. */
const maxBuffered = 16_384;
/** Maximum size of a line in bytes, with a path, an ID and an address of the maximum length, all escaped. */
const maxLine = 8192;
/** How long a line waits for others, in milliseconds. */
const flushMs = 100;

/** Creates the access log of one process, which collects lines for a tenth of a second, or until they fill 16 KB. */
export function createAccessLog({ clock, sink }: AccessLogOptions): AccessLog {
  let buffer = Buffer.allocUnsafeSlow(maxBuffered + maxLine);
  let length = 0;
  let cancel: (() => void) | null = null;
  let time = Number.NaN;
  let beginning = '';

  const flush = (): void => {
    cancel?.();
    cancel = null;
    if (length === 0) return;
    const lines = buffer.subarray(0, length);
    buffer = Buffer.allocUnsafeSlow(maxBuffered + maxLine);
    length = 0;
    sink(lines);
  };

  return {
    describe: ({ method, path, route }, status, bytes, code) =>
      `,"method":${quote(method, 20)},"path":${quote(path, 512)},"route":${quote(route, 128)},"status":${status}` +
      `${code === null ? '' : `,"code":"${code}"`},"bytes":${bytes},"duration_ms":`,
    write(exchange, _status, description) {
      const { id, request, startedAt, endedAt, bucket, principal, address } = exchange;
      const now = clock.now();
      if (now !== time) {
        time = now;
        beginning = `{"level":"info","time":"${new Date(now).toISOString()}","msg":"request","request_id":"`;
      }
      const sentId = readHeader(exchange, 'x-request-id');
      const traceId = readTraceId(request.headers.traceparent);
      const line =
        `${beginning}${id}"` +
        (sentId === '' ? '' : `,"client_request_id":${quote(sentId, 128)}`) +
        (traceId === null ? '' : `,"trace_id":"${traceId}"`) +
        `${description}${(endedAt - startedAt).toFixed(2)},"bucket":"${bucket}"` +
        (principal === null ? '' : `,"client_id":"${principal.clientId}"`) +
        `,"address":${quote(address, 64)}}\n`;
      length += buffer.write(line, length, 'latin1');
      if (length > maxBuffered) flush();
      else cancel ??= clock.after(flushMs, flush);
    },
    flush,
  };
}

/**
 * Returns the first `max` UTF-16 units of a text as a JSON string with its quotes, in ASCII: everything else is escaped, so no
 * header can break a line.
 */
function quote(text: string, max: number): string {
  const shortText = text.length > max ? text.slice(0, max) : text;
  if (/^[\w/.:?=&%~+,-]*$/.test(shortText)) return `"${shortText}"`;
  return JSON.stringify(shortText).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
