/** W3C Trace Context: the trace that a caller’s `traceparent` says a request belongs to, continued in the log and in spans. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What the caller sent. Ids are lowercase hex, as they are on the wire. */
export interface TraceParent {
  readonly traceId: string;
  /** The caller's span. */
  readonly parentId: string;
  /** One byte; its lowest bit says that the caller records the trace. */
  readonly flags: number;
}

/** Of a request; the span is this server's own. */
export interface Trace {
  readonly traceId: string;
  readonly spanId: string;
}

/**
 * Null where it is none: section 3.2.2 of the recommendation. A later version may continue after the flags; whoever sent
 * several headers sent none.
 */
export function readTraceparent(value: string): TraceParent | null {
  const [, version, traceId = '', parentId = '', flags = '', more = ''] = pattern.exec(value) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== '')) return null;
  if (traceId === noTrace || parentId === noSpan) return null;
  return { traceId, parentId, flags: Number.parseInt(flags, 16) };
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const noTrace = '0'.repeat(32);
const noSpan = '0'.repeat(16);

/** A request whose trace is found out when it is first asked for. */
interface Traced {
  readonly request: IncomingMessage;
  trace: Trace | null;
}

/** What the caller sent with a request; null where that is nothing. */
export function parentOf({ request }: { readonly request: IncomingMessage }): TraceParent | null {
  const { traceparent } = request.headers;
  return typeof traceparent === 'string' ? readTraceparent(traceparent) : null;
}

/** The trace of a request; null where nobody began one, since the request’s own id says as much as a trace of one span. */
export function traceOf(exchange: Traced): Trace | null {
  if (exchange.trace !== null) return exchange.trace;
  const parent = parentOf(exchange);
  if (parent === null) return null;
  exchange.trace = { traceId: parent.traceId, spanId: randomBytes(8).toString('hex') };
  return exchange.trace;
}

/** For an event of a request. */
export function traceFields(exchange: Traced): { readonly trace_id?: string; readonly span_id?: string } {
  const trace = traceOf(exchange);
  return trace === null ? {} : { trace_id: trace.traceId, span_id: trace.spanId };
}
