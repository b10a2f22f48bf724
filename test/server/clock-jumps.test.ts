/** Tests limits, tokens, exports and the feed while the wall clock jumps by hours, as after a time server corrects it. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Clock } from '../../src/base/clock.ts';
import { writeContentFolder } from '../support/content-folder.ts';
import { createAppcast } from '../support/feed-samples.ts';
import { startUpstream } from '../support/feed-upstream.ts';
import { createManualClock } from '../support/manual-clock.ts';
import {
  createBearerHeaders,
  issueToken,
  isTokenValid,
  registerClient,
  requestToken,
  revokeToken,
} from '../support/oauth.ts';
import { createJsonPost, startTestServer } from '../support/server.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const hour = 3_600_000;

/** Creates a manual clock whose wall time can jump by itself: timers and the monotonic reading are not affected. */
function createJumpingClock() {
  const steady = createManualClock(start);
  let offset = 0;
  const clock: Clock = { ...steady, now: () => steady.now() + offset };
  return {
    ...clock,
    advance: steady.advance,
    jump(ms: number) {
      offset += ms;
    },
  };
}

/**
 * Starts a server with a clock of `createJumpingClock`, and registers a client that gets a token. Returns the clock, the server,
 * the client and the token; the server is closed after the test `t`.
 */
async function startWithToken(t: TestContext) {
  const clock = createJumpingClock();
  const server = await startTestServer({ clock });
  t.after(() => server.close());
  const client = await registerClient(server);
  return { clock, server, client, token: await issueToken(server, client) };
}

describe('A wall clock that jumps by an hour: RATE_LIMIT_ANONYMOUS, tokens, Idempotency-Key and the feed', () => {
  it('the jump neither resets nor extends the rate limit', async (t) => {
    for (const jump of [hour, -hour]) {
      const clock = createJumpingClock();
      const server = await startTestServer({ clock, env: { RATE_LIMIT_ANONYMOUS: '3' } });
      t.after(() => server.close());
      const status = async () => (await server.request('/api/v1/docs')).status;
      for (let count = 0; count < 3; count += 1) assert.equal(await status(), 200);
      clock.jump(jump);
      const limited = await server.request('/api/v1/docs');
      assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '60']);
      await clock.advance(60_000);
      for (let count = 0; count < 3; count += 1) assert.equal(await status(), 200);
      assert.equal(await status(), 429);
    }
  });

  it('a token expires an hour after its issue by the wall clock, and the client can get another one', async (t) => {
    const { clock, server, client, token } = await startWithToken(t);
    clock.jump(-hour);
    assert.ok(await isTokenValid(server, token), 'a token from the future is valid');
    const earlyToken = await issueToken(server, client);
    clock.jump(hour - 1000);
    assert.ok(await isTokenValid(server, earlyToken));
    clock.jump(1000);
    assert.equal(await isTokenValid(server, earlyToken), false, 'the token is an hour old by the wall clock');
    assert.ok(await isTokenValid(server, token));
    clock.jump(hour);
    assert.equal(await isTokenValid(server, token), false);
    assert.equal((await requestToken(server, client)).status, 200, 'the client can get another token');
  });

  it('a revoked token stays revoked when the clock jumps back, ahead and beyond its expiry', async (t) => {
    const { clock, server, client, token } = await startWithToken(t);
    const otherToken = await issueToken(server, client);
    assert.ok(await isTokenValid(server, token));
    assert.equal((await revokeToken(server, client, token)).status, 200);
    for (const jump of [0, -hour, 2 * hour - 1000]) {
      clock.jump(jump);
      assert.deepEqual(
        [await isTokenValid(server, token), await isTokenValid(server, otherToken)],
        [false, true],
        String(jump),
      );
    }
    for (const jump of [1000, -hour]) {
      clock.jump(jump);
      assert.equal(await isTokenValid(server, token), false, String(jump));
    }
  });

  it('an Idempotency-Key still refers to its export job after the jump, and the job completes', async (t) => {
    const { clock, server, client, token } = await startWithToken(t);
    const getExport = (resource: string, bearerToken: string) =>
      server.request(
        '/api/v1/exports',
        createJsonPost({ resource, format: 'json' }, { ...createBearerHeaders(bearerToken), 'idempotency-key': 'one' }),
      );
    const first = await getExport('faq', token);
    assert.equal(first.status, 202);
    clock.jump(-hour);
    const replay = await getExport('faq', token);
    assert.deepEqual([replay.json.id, replay.headers.get('idempotent-replayed')], [first.json.id, 'true']);
    assert.equal((await getExport('docs', token)).status, 409);
    clock.jump(2 * hour);
    const laterToken = await issueToken(server, client);
    assert.equal((await getExport('faq', laterToken)).json.id, first.json.id);
    for (let poll = 0; ; poll += 1) {
      const { json } = await server.request(new URL(first.json.poll_url).pathname, {
        headers: createBearerHeaders(laterToken),
      });
      if (json.status === 'completed') break;
      assert.ok(poll < 100 && json.status !== 'failed', json.status);
      await clock.advance(1000);
    }
  });

  it('the feed is still checked after the jump, and the releases stay the same', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    upstream.serveBytes(createAppcast('1.0'));
    const directory = writeContentFolder(t, {
      'product.yaml': (text) => text.replace('source: appcast.xml', `source: ${upstream.origin}/appcast.xml`),
    });
    const clock = createJumpingClock();
    const server = await startTestServer({ clock, env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const { text } = await server.request('/api/v1/releases');
    for (const jump of [hour, -2 * hour, hour]) {
      clock.jump(jump);
      const response = await server.request('/api/v1/releases');
      assert.deepEqual([response.status, response.text], [200, text]);
      assert.equal(await server.checkFeed(), 'unchanged');
      assert.equal(
        (await server.request('/api/v1/releases')).headers.get('cache-status'),
        null,
        'fresh again after a check',
      );
    }
    upstream.serveBytes(createAppcast('1.0', '1.1'));
    assert.equal(await server.checkFeed(), 'updated');
    assert.equal((await server.request('/api/v1/releases/latest')).json.version, '1.1');
  });
});
