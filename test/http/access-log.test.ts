/** The access log: each request is written within 100 ms, as one whole line. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../support/manual-clock.ts';
import { startTestServer } from '../support/server.ts';

describe('The access log', () => {
  it('each request is logged within 100 ms, with its ID, route, status, bucket and address', async (t) => {
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const server = (await startTestServer({ clock })).firstServer;
    t.after(() => server.close());
    const listLoggedPaths = () => server.logLines.flatMap(({ msg, path }) => (msg === 'request' ? [path] : []));
    const paths = ['/api/v1/docs', '/api/v1/faq', '/pricing'];
    for (const [index, path] of paths.entries()) {
      const { headers } = await server.request(path, { headers: { 'x-request-id': `id-${index}` } });
      await clock.advance(100);
      assert.deepEqual(listLoggedPaths(), paths.slice(0, index + 1));
      const { duration_ms: duration, ...line } = server.logLines.findLast(({ msg }) => msg === 'request') ?? {};
      assert.equal(typeof duration, 'number');
      const { request_id: id, bytes, ...rest } = line;
      assert.equal(id, headers.get('x-request-id'));
      assert.equal(bytes, Number(headers.get('content-length')));
      assert.deepEqual(rest, {
        level: 'info',
        time: new Date(Date.parse('2026-11-21T12:00:00Z') + 100 * index).toISOString(),
        msg: 'request',
        client_request_id: `id-${index}`,
        method: 'GET',
        path,
        route: path,
        status: 200,
        bucket: path.startsWith('/api') ? 'anonymous' : 'pages',
        address: '127.0.0.1',
      });
    }
  });
});
