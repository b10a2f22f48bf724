/** Reads the trace ID of a caller's `traceparent` header (W3C Trace Context, section 3.2), which log lines of the request carry. */
import type { IncomingMessage } from 'node:http';

/** Returns the trace ID in lowercase hex, or null for an invalid header, which section 3.2.2 says to ignore. */
export function readTraceId(traceparent: string): string | null {
  const [, version, traceId = '', parentId = '', more = ''] = pattern.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== '')) return null;
  return zeros.test(traceId) || zeros.test(parentId) ? null : traceId;
}

/** Version, trace ID, parent ID, flags, and what a later version may append after a dash. */
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const zeros = /^0+$/;

/** Returns the trace ID that the caller sent with a request, or null without a valid `traceparent`. */
export function findTraceId({ headers: { traceparent } }: IncomingMessage): string | null {
  return typeof traceparent === 'string' ? readTraceId(traceparent) : null;
}
