/** The access log: one JSON line a request, put together by hand and written in bulk, because a logger per request costs a quarter of the throughput. */
import type { Clock } from '../base/clock.ts';
import { type Exchange, header } from './exchange.ts';

export interface AccessLog {
  write(exchange: Exchange, status: number, bytes: number, code: string | null): void;
  /** Writes what is held. */
  flush(): void;
}

/** Characters that go to the sink at once. More of them fall out of the processor's cache before they are put together. */
const mostBatched = 8192;

/** `sink` gets whole lines. At most `mostHeld` characters wait; what comes beyond is counted and said in one line. */
export function createAccessLog(options: {
  clock: Clock;
  sink: (lines: string) => void;
  mostHeld?: number;
}): AccessLog {
  const { clock, sink, mostHeld = 1_000_000 } = options;
  let held = '';
  let dropped = 0;
  let cancel: (() => void) | null = null;
  const timeOf = createTimeTexts();

  const flush = (): void => {
    cancel?.();
    cancel = null;
    if (dropped > 0) held += `${JSON.stringify({ level: 'warn', msg: 'access lines dropped', count: dropped })}\n`;
    const lines = held;
    held = '';
    dropped = 0;
    if (lines !== '') sink(lines);
  };

  return {
    write(exchange, status, bytes, code) {
      if (held.length > mostHeld) {
        dropped += 1;
        return;
      }
      const sentId = header(exchange, 'x-request-id');
      held +=
        `{"level":"info","time":"${timeOf(clock.now())}","msg":"request","request_id":"${exchange.id}"` +
        (sentId === '' ? '' : `,"client_request_id":${quoted(sentId, 128)}`) +
        `,"method":${quoted(exchange.method, 20)},"path":${quoted(exchange.path, 512)},"route":${quoted(exchange.route, 128)}` +
        `,"status":${status}${code === null ? '' : `,"code":"${code}"`},"bytes":${bytes}` +
        `,"duration_ms":${(clock.monotonic() - exchange.startedAt).toFixed(2)},"bucket":"${exchange.policy}"` +
        (exchange.principal === null ? '' : `,"client_id":"${exchange.principal.clientId}"`) +
        `,"address":${quoted(exchange.address, 64)}}\n`;
      if (held.length > mostBatched) flush();
      else cancel ??= clock.after(100, flush);
    },
    flush,
  };
}

/** A JSON string; JSON.stringify escapes control characters, so no header can break a line. */
function quoted(text: string, most: number): string {
  const cut = text.length > most ? text.slice(0, most) : text;
  return plain.test(cut) ? `"${cut}"` : JSON.stringify(cut);
}

const plain = /^[\w/.:?=&%~+,-]*$/;

/** A moment as ISO 8601; within a millisecond the same text. */
function createTimeTexts(): (now: number) => string {
  let last = Number.NaN;
  let text = '';
  return (now) => {
    if (now !== last) {
      last = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}
