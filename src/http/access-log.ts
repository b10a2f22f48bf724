/** The access log: one JSON line a request, put together by hand into one buffer, because a logger per request costs a quarter of the throughput. */
import type { Clock } from '../base/clock.ts';
import { type Exchange, header } from './exchange.ts';
import { findTraceId } from './trace-context.ts';

export interface AccessLog {
  /** The part of a line that says what was asked and answered; a prepared answer has it ready. */
  describe(exchange: Exchange, status: number, bytes: number, code: string | null): string;
  /** Adds the log line of a request once it has its response. `status` is in the description already; it is here for whoever counts. */
  write(exchange: Exchange, status: number, description: string): void;
  /** Writes what is held. */
  flush(): void;
}

/** What goes to the sink at once, in bytes: small enough to stay in the processor's cache until then. */
const mostHeld = 16_384;
/** More than the longest line: a path, an id and an address of the greatest length, all of them escaped. */
const longestLine = 8192;

export interface AccessLogOptions {
  readonly clock: Clock;
  readonly sink: (lines: Buffer) => void;
}

/** `sink` gets whole lines in ASCII, and keeps the buffer. */
export function createAccessLog({ clock, sink }: AccessLogOptions): AccessLog {
  const beginningAt = createBeginnings();
  const endOf = createEnds();
  let held = Buffer.allocUnsafeSlow(mostHeld + longestLine);
  let length = 0;
  let cancel: (() => void) | null = null;

  const flush = (): void => {
    cancel?.();
    cancel = null;
    if (length === 0) return;
    const lines = held.subarray(0, length);
    held = Buffer.allocUnsafeSlow(mostHeld + longestLine);
    length = 0;
    sink(lines);
  };

  return {
    describe: (exchange, status, bytes, code) =>
      `,"method":${quoted(exchange.method, 20)},"path":${quoted(exchange.path, 512)}` +
      `,"route":${quoted(exchange.route, 128)},"status":${status}${code === null ? '' : `,"code":"${code}"`}` +
      `,"bytes":${bytes},"duration_ms":`,
    write(exchange, _status, description) {
      const sentId = header(exchange, 'x-request-id');
      const traceId = findTraceId(exchange.request);
      const line =
        beginningAt(clock.now()) +
        exchange.id +
        (sentId === '' ? '"' : `","client_request_id":${quoted(sentId, 128)}`) +
        (traceId === null ? '' : `,"trace_id":"${traceId}"`) +
        description +
        milliseconds(exchange.endedAt - exchange.startedAt) +
        endOf(exchange);
      length += held.write(line, length, 'latin1');
      if (length > mostHeld) flush();
      else cancel ??= clock.after(100, flush);
    },
    flush,
  };
}

/** With two decimals; by whole numbers, since formatting a fraction costs as much as the rest of the line. */
function milliseconds(duration: number): string {
  const hundredths = Math.round(duration * 100);
  const fraction = hundredths % 100;
  return `${(hundredths - fraction) / 100}.${fraction < 10 ? '0' : ''}${fraction}`;
}

/** A JSON string in ASCII; everything else is escaped, so no header can break a line. */
function quoted(text: string, most: number): string {
  const cut = text.length > most ? text.slice(0, most) : text;
  if (plain.test(cut)) return `"${cut}"`;
  return JSON.stringify(cut).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const plain = /^[\w/.:?=&%~+,-]*$/;

/** A line up to the request's id; within a millisecond the same text. */
function createBeginnings(): (now: number) => string {
  let last = Number.NaN;
  let text = '';
  return (now) => {
    if (now !== last) {
      last = now;
      text = `{"level":"info","time":"${new Date(now).toISOString()}","msg":"request","request_id":"`;
    }
    return text;
  };
}

/** A line from the duration on: who asked, and which limit counted it. Of one client's requests it is the same text. */
function createEnds(): (exchange: Exchange) => string {
  let last: Pick<Exchange, 'policy' | 'principal' | 'address'> | null = null;
  let text = '';
  return ({ policy, principal, address }) => {
    if (last?.address !== address || last.policy !== policy || last.principal?.clientId !== principal?.clientId) {
      const client = principal === null ? '' : `,"client_id":"${principal.clientId}"`;
      text = `,"bucket":"${policy}"${client},"address":${quoted(address, 64)}}\n`;
      last = { policy, principal, address };
    }
    return text;
  };
}
