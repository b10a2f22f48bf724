/** The real server on a real PostgreSQL that is killed, and that stalls, while clients ask. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { bearer, newToken } from '../support/oauth.ts';
import { createPostgres } from '../support/postgres.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { atRate, createClient, isShort, startService } from './service.ts';

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
  const acknowledged: { client_id: string; client_secret: string }[] = [];
  const token = await newToken(service);
  const rounds = isShort ? 1 : 3;
  const recoveries: number[] = [];
  let failed = 0;
  for (let round = 0; round < rounds; round += 1) {
    let stage: 'up' | 'down' | 'recovering' = 'up';
    let restartedAt = 0;
    let backAt = 0;
    const reading = atRate(100, async () => {
      const { status } = await client.get('/api/v1/docs?limit=1');
      assert.equal(status, 200, 'an anonymous read');
    });
    const asking = atRate(50, async () => {
      const begun = stage;
      const { status, headers } = await client.get('/agent/auth', bearer(token));
      if (status === 200) {
        if (begun === 'recovering' && backAt === 0) backAt = performance.now();
        return;
      }
      failed += 1;
      assert.equal(status, 503);
      assert.match(String(headers['retry-after']), /^\d+$/);
      assert.ok(begun !== 'up' || stage !== 'up', 'refused while PostgreSQL was up');
    });
    let writing = true;
    const writer = (async () => {
      while (writing) {
        const body = JSON.stringify({ scope: 'read:docs' });
        const { status, body: answer } = await client.send(
          'POST',
          '/oauth/register',
          { 'content-type': 'application/json' },
          body,
        );
        assert.ok(status === 201 || status === 503, String(status));
        if (status === 201) acknowledged.push(JSON.parse(answer.toString()));
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
    while (backAt === 0 && performance.now() - restartedAt < 20_000)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(backAt > 0, 'it did not come back');
    recoveries.push((backAt - restartedAt) / 1000);
    await new Promise((resolve) => setTimeout(resolve, 500));
    writing = false;
    await writer;
    await asking.stop();
    await reading.stop();
  }
  const slowest = Math.max(...recoveries);
  assert.ok(slowest < 10, `back after ${slowest} s`);
  assert.ok(failed > 10);
  for (const { client_id, client_secret } of acknowledged) {
    const credentials = { grant_type: 'client_credentials', client_id, client_secret };
    const { status } = await service.ask('/oauth/token', { method: 'POST', body: new URLSearchParams(credentials) });
    assert.equal(status, 200, 'a client that was acknowledged is gone');
  }
  assert.ok(service.child.exitCode === null);
  t.diagnostic(
    `${rounds} kills: ${failed} requests with a token got 503, all ${acknowledged.length} acknowledged registrations kept, every anonymous read 200, used again ${recoveries.map((s) => s.toFixed(1)).join(', ')} s after the start of PostgreSQL`,
  );
});

it('a server whose PostgreSQL stalls returns 503 within 10 seconds to requests that need it, and recovers', async (t) => {
  if (typeof postgres === 'string') {
    t.skip(`not run: ${postgres}`);
    return;
  }
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(await postgres.port());
  t.after(() => proxy.close());
  url.port = String(proxy.port);
  const service = await startService(t, env(url.href));
  const client = createClient(service.url);
  t.after(() => client.close());
  const token = await newToken(service);
  proxy.pause();
  const stalled = await Promise.all(Array.from({ length: 40 }, () => client.get('/agent/auth', bearer(token))));
  const slowest = Math.max(...stalled.map(({ took }) => took));
  assert.ok(stalled.every(({ status }) => status === 503));
  assert.ok(slowest < 10_000, `${slowest} ms`);
  assert.equal((await client.get('/api/v1/docs')).status, 200);
  proxy.resume();
  const began = performance.now();
  let status = 0;
  while (status !== 200 && performance.now() - began < 20_000)
    ({ status } = await client.get('/agent/auth', bearer(token)));
  assert.equal(status, 200);
  const back = (performance.now() - began) / 1000;
  t.diagnostic(
    `40 requests during a stall: 503 after ${(slowest / 1000).toFixed(1)} s at most; 200 again ${back.toFixed(1)} s after it resumed`,
  );
});
