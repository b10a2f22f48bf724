/** Traces: what becomes of a caller's `traceparent`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTraceparent } from '../../src/http/trace-context.ts';
import { startOneServer } from '../support/server.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentId}-01`;

describe('a traceparent', () => {
  it('is read as section 3.2 of Trace Context has it, and otherwise ignored', () => {
    assert.deepEqual(readTraceparent(traceparent), { traceId, parentId, flags: 1 });
    assert.deepEqual(readTraceparent(`00-${traceId}-${parentId}-00`), { traceId, parentId, flags: 0 });
    assert.deepEqual(readTraceparent(`cc-${traceId}-${parentId}-03-what-comes-later`), { traceId, parentId, flags: 3 });
    for (const wrong of [
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
      assert.equal(readTraceparent(wrong), null, wrong);
    }
  });

  it('is continued in the access line, prepared responses included, and makes no trace where it is missing', async (t) => {
    const server = await startOneServer({});
    t.after(() => server.close());
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const { headers: given } = await server.ask(path, { headers });
      return given.get('x-request-id');
    };
    const asked = [
      await ask('/api/v1/faq', { traceparent }),
      await ask('/api/v1/faq', { traceparent }),
      await ask('/api/v1/docs/no-such-page', { traceparent }),
      await ask('/api/v1/faq'),
      await ask('/api/v1/faq', { traceparent: `00-${traceId}-${parentId}-zz` }),
    ];
    await server.close();
    const [first, second, failed, without, invalid] = asked.map((id) => {
      const line = server.lines.find(({ request_id }) => request_id === id) ?? {};
      return { trace: line.trace_id, span: String(line.span_id) };
    });
    for (const found of [first, second, failed]) {
      assert.equal(found?.trace, traceId);
      assert.match(found?.span ?? '', /^[0-9a-f]{16}$/);
      assert.notEqual(found?.span, parentId);
    }
    assert.notEqual(first?.span, second?.span);
    assert.deepEqual([without, invalid], Array(2).fill({ trace: undefined, span: 'undefined' }));
  });
});
