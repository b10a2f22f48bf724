/** Reads the trace ID of a caller's `traceparent` header (W3C Trace Context, section 3.2), which log lines of the request carry. */

/** Returns the 32 lowercase hexadecimal digits of the trace ID, or null for a missing or invalid header (section 3.2.2). */
export function readTraceId(traceparent: unknown): string | null {
  const [, version, traceId = '', parentId = '', more = ''] = pattern.exec(String(traceparent)) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== '')) return null;
  return zeros.test(traceId) || zeros.test(parentId) ? null : traceId;
}

/** Version, trace ID, parent ID, flags, and what a later version may append after a dash. */
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const zeros = /^0+$/;
