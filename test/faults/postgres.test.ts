/** The real server on a real PostgreSQL that is killed or stalls while clients send requests. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { createBearerHeaders, createToken } from '../support/oauth.ts';
import { createPostgres } from '../support/postgres.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { createClient, isShort, startLoad, startService } from './service.ts';

const postgres = createPostgres();
after(async () => {
  if (typeof postgres !== 'string') await postgres.close();
});

const env = (url: string) => ({ DATABASE_URL: url, SECRET_KEY: 'a secret for every process of the test' });

it('a server whose PostgreSQL is killed returns 503 to requests that need it, loses no client, and recovers', async (t) => {
  if (typeof postgres === 'string') {
    t.skip(`not run: ${postgres}`);
    return;
  }
  const service = await startService(t, env(await postgres.createDatabase()));
  const client = createClient(service.url);
  t.after(() => client.close());
  const clients: { client_id: string; client_secret: string }[] = [];
  const token = await createToken(service);
  const rounds = isShort ? 1 : 3;
  const recoveries: number[] = [];
  let failures = 0;
  for (let round = 0; round < rounds; round += 1) {
    let stage: 'up' | 'down' | 'recovering' = 'up';
    let restartedAt = 0;
    let recoveredAt = 0;
    const anonymousReads = startLoad(100, async () => {
      const { status } = await client.get('/api/v1/docs?limit=1');
      assert.equal(status, 200, 'an anonymous read');
    });
    const tokenRequests = startLoad(50, async () => {
      const stageAtStart = stage;
      const { status, headers } = await client.get('/agent/auth', createBearerHeaders(token));
      if (status === 200) {
        if (stageAtStart === 'recovering' && recoveredAt === 0) recoveredAt = performance.now();
        return;
      }
      failures += 1;
      assert.equal(status, 503);
      assert.match(String(headers['retry-after']), /^\d+$/);
      assert.ok(stageAtStart !== 'up' || stage !== 'up', 'refused while PostgreSQL was up');
    });
    let isWriting = true;
    const writer = (async () => {
      while (isWriting) {
        const body = JSON.stringify({ scope: 'read:docs' });
        const { status, body: responseBody } = await client.send(
          'POST',
          '/oauth/register',
          { 'content-type': 'application/json' },
          body,
        );
        assert.ok(status === 201 || status === 503, String(status));
        if (status === 201) clients.push(JSON.parse(responseBody.toString()));
        else await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    stage = 'down';
    await postgres.kill();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await postgres.restart();
    restartedAt = performance.now();
    stage = 'recovering';
    while (recoveredAt === 0 && performance.now() - restartedAt < 20_000)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(recoveredAt > 0, 'the server did not recover');
    recoveries.push((recoveredAt - restartedAt) / 1000);
    await new Promise((resolve) => setTimeout(resolve, 500));
    isWriting = false;
    await writer;
    await tokenRequests.stop();
    await anonymousReads.stop();
  }
  const slowest = Math.max(...recoveries);
  assert.ok(slowest < 10, `recovered after ${slowest} s`);
  assert.ok(failures > 10);
  for (const { client_id, client_secret } of clients) {
    const credentials = { grant_type: 'client_credentials', client_id, client_secret };
    const { status } = await service.request('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams(credentials),
    });
    assert.equal(status, 200, 'a client that was acknowledged is gone');
  }
  assert.ok(service.child.exitCode === null);
  t.diagnostic(
    `${rounds} kills: ${failures} requests with a token got 503, all ${clients.length} acknowledged registrations kept, every anonymous read 200, used again ${recoveries.map((s) => s.toFixed(1)).join(', ')} s after the start of PostgreSQL`,
  );
});

it('a server whose PostgreSQL stalls returns 503 within 10 seconds to requests that need it, and recovers', async (t) => {
  if (typeof postgres === 'string') {
    t.skip(`not run: ${postgres}`);
    return;
  }
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(await postgres.getPort());
  t.after(() => proxy.close());
  url.port = String(proxy.port);
  const service = await startService(t, env(url.href));
  const client = createClient(service.url);
  t.after(() => client.close());
  const token = await createToken(service);
  proxy.pause();
  const responses = await Promise.all(
    Array.from({ length: 40 }, () => client.get('/agent/auth', createBearerHeaders(token))),
  );
  const slowest = Math.max(...responses.map(({ durationMs }) => durationMs));
  assert.ok(responses.every(({ status }) => status === 503));
  assert.ok(slowest < 10_000, `${slowest} ms`);
  assert.equal((await client.get('/api/v1/docs')).status, 200);
  proxy.resume();
  const resumedAt = performance.now();
  let status = 0;
  while (status !== 200 && performance.now() - resumedAt < 20_000)
    ({ status } = await client.get('/agent/auth', createBearerHeaders(token)));
  assert.equal(status, 200);
  const recoverySeconds = (performance.now() - resumedAt) / 1000;
  t.diagnostic(
    `40 requests during a stall: 503 after ${(slowest / 1000).toFixed(1)} s at most; 200 again ${recoverySeconds.toFixed(1)} s after it resumed`,
  );
});
