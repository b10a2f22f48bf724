/** W3C Trace Context: which `traceparent` headers are valid, and the trace ID in the access line. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTraceId } from '../../src/http/trace-context.ts';
import { startOneServer } from '../support/server.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentId}-01`;

describe('Trace Context section 3.2: the traceparent header', () => {
  it('a valid header gives its trace ID, and every other one is ignored', () => {
    for (const valid of [traceparent, `00-${traceId}-${parentId}-00`, `cc-${traceId}-${parentId}-03-added-later`]) {
      assert.equal(readTraceId(valid), traceId, valid);
    }
    for (const invalid of [
      '',
      traceId,
      `${traceparent}-more`,
      `${traceparent}, ${traceparent}`,
      ` ${traceparent}`,
      `ff-${traceId}-${parentId}-01`,
      `cc-${traceId}-${parentId}-01more`,
      `00-${traceId.toUpperCase()}-${parentId}-01`,
      `00-${'0'.repeat(32)}-${parentId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId.slice(1)}-${parentId}-01`,
      `00-${traceId}-${parentId}-1`,
    ]) {
      assert.equal(readTraceId(invalid), null, invalid);
    }
  });

  it('the access line has trace_id, for prepared responses too, and no trace_id without a valid header', async (t) => {
    const server = await startOneServer({});
    t.after(() => server.close());
    const requests: [path: string, headers: Record<string, string>, expectedId: string | undefined][] = [
      ['/api/v1/faq', { traceparent }, traceId],
      ['/api/v1/faq', { traceparent }, traceId],
      ['/api/v1/docs/no-such-page', { traceparent }, traceId],
      ['/api/v1/faq', {}, undefined],
      ['/api/v1/faq', { traceparent: `00-${traceId}-${parentId}-zz` }, undefined],
    ];
    const ids: (string | null)[] = [];
    for (const [path, headers] of requests) {
      const response = await server.request(path, { headers });
      ids.push(response.headers.get('x-request-id'));
    }
    await server.close();
    const traceIds = ids.map((id) => server.logLines.find(({ request_id }) => request_id === id)?.trace_id);
    assert.deepEqual(
      traceIds,
      requests.map(([, , expectedId]) => expectedId),
    );
  });
});
