/** Thousands of guessed secrets, tokens and client IDs, the time that their rejection takes, and a flood of registrations. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createBasicHeaders, createBearerHeaders, createToken, registerClient } from '../support/oauth.ts';
import { createJsonPost } from '../support/server.ts';
import { computePercentile, createClient, isShort, startService } from './service.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

it('guessed client secrets and tokens get 401, then 429, with one message and log lines for the secrets', async (t) => {
  const service = await startService(t, { LOG_LEVEL: 'info', RATE_LIMIT_ANONYMOUS: '120', RATE_LIMIT_REFUSED: '60' });
  const owner = await registerClient(service);
  const client = createClient(service.url, 16);
  t.after(() => client.close());
  const count = new Map<number, number>();
  const messages = new Set<string>();
  const recordResponse = (status: number, body: Buffer): void => {
    count.set(status, (count.get(status) ?? 0) + 1);
    if (status !== 401) return;
    const { detail } = JSON.parse(body.toString());
    messages.add(detail);
  };
  await Promise.all(
    Array.from({ length: 3000 }, async (_, index) => {
      const guess = createBasicHeaders({ id: index % 2 === 0 ? owner.id : `cl_${index}`, secret: `cs_${index}` });
      const { status, body } = await client.send(
        'POST',
        '/oauth/token',
        { ...form, ...guess },
        'grant_type=client_credentials',
      );
      recordResponse(status, body);
    }),
  );
  assert.deepEqual([...count.keys()].sort(), [401, 429]);
  assert.ok((count.get(401) ?? 0) < 120);
  assert.equal(messages.size, 1, [...messages].join(' / '));
  const secretRejections = count.get(401);
  count.clear();
  const otherService = await startService(t, { RATE_LIMIT_REFUSED: '60' });
  const token = await createToken(otherService);
  const otherClient = createClient(otherService.url, 16);
  t.after(() => otherClient.close());
  await Promise.all(
    Array.from({ length: 3000 }, async (_, index) => {
      const guess = token.slice(0, 10) + String(index).padStart(token.length - 10, '0');
      recordResponse((await otherClient.get('/api/v1/docs', createBearerHeaders(guess))).status, Buffer.from('{}'));
    }),
  );
  assert.deepEqual([count.get(401), count.get(429)], [60, 2940]);
  assert.equal(
    (await otherClient.get('/api/v1/docs')).status,
    200,
    'a request without a token from the same address is served',
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  const lines = service.getStdout().match(/"status":401,"code":"invalid_client"/g) ?? [];
  assert.equal(lines.length, secretRejections);
  t.diagnostic(
    `3,000 guessed secrets: ${secretRejections} answered 401 with one message, the others 429; 3,000 guessed tokens: 60 looked at`,
  );
});

it('POST /oauth/token rejects an unknown client and a wrong secret in the same time', async (t) => {
  const service = await startService(t);
  const owner = await registerClient(service);
  const token = await createToken(service);
  const client = createClient(service.url, 1);
  t.after(() => client.close());
  const samples = isShort ? 2000 : 10_000;
  // The token of another service has the right form, and was never issued by this one.
  const foreignToken = await createToken(await startService(t));
  const kinds = {
    unknownClient: () =>
      client.send(
        'POST',
        '/oauth/token',
        { ...form, ...createBasicHeaders({ id: `${owner.id.slice(0, -4)}zzzz`, secret: owner.secret }) },
        'grant_type=client_credentials',
      ),
    wrongSecret: () =>
      client.send(
        'POST',
        '/oauth/token',
        { ...form, ...createBasicHeaders({ id: owner.id, secret: `${owner.secret.slice(0, -4)}zzzz` }) },
        'grant_type=client_credentials',
      ),
    neverIssued: () => client.get('/agent/auth', createBearerHeaders(foreignToken)),
    similarToken: () => client.get('/agent/auth', createBearerHeaders(token.slice(0, -12) + foreignToken.slice(-12))),
  };
  const times: Record<keyof typeof kinds, number[]> = {
    unknownClient: [],
    wrongSecret: [],
    neverIssued: [],
    similarToken: [],
  };
  for (let index = 0; index < samples + 200; index += 1) {
    for (const name of ['unknownClient', 'wrongSecret', 'neverIssued', 'similarToken'] as const) {
      const { status, durationMs } = await kinds[name]();
      assert.equal(status, 401);
      if (index >= 200) times[name].push(durationMs);
    }
  }
  const computeMedian = (name: keyof typeof kinds) => computePercentile(times[name], 0.5) * 1000;
  const computeSpread = (name: keyof typeof kinds) =>
    (computePercentile(times[name], 0.75) - computePercentile(times[name], 0.25)) * 1000;
  const difference = Math.abs(computeMedian('unknownClient') - computeMedian('wrongSecret'));
  assert.ok(difference < Math.max(computeSpread('unknownClient'), 20), `the medians are ${difference} µs apart`);
  t.diagnostic(
    `${samples} of each: unknown client ${computeMedian('unknownClient').toFixed(0)} µs, wrong secret ${computeMedian('wrongSecret').toFixed(0)} µs (quartiles ${computeSpread('wrongSecret').toFixed(0)} µs apart); token that begins like a valid one ${computeMedian('similarToken').toFixed(0)} µs, never issued ${computeMedian('neverIssued').toFixed(0)} µs`,
  );
});

it('RATE_LIMIT_REGISTRATION=20 limits a flood to 20 clients, and unknown fields are ignored', async (t) => {
  const service = await startService(t, { RATE_LIMIT_REGISTRATION: '20' });
  const { status: large } = await service.request(
    '/oauth/register',
    createJsonPost({ client_name: 'x'.repeat(65_536) }),
  );
  assert.equal(large, 413);
  const response = await service.request(
    '/oauth/register',
    createJsonPost({ redirect_uris: Array.from({ length: 1000 }, (_, index) => `https://a.example/${index}`) }),
  );
  assert.equal(response.status, 400);
  const client = createClient(service.url, 32);
  t.after(() => client.close());
  const body = JSON.stringify({
    admin: true,
    client_id: 'root',
    client_secret: 'mine',
    scope: 'read:docs',
    trusted: true,
    issued_at: 0,
  });
  const responses = await Promise.all(
    Array.from({ length: 1000 }, () =>
      client.send('POST', '/oauth/register', { 'content-type': 'application/json' }, body),
    ),
  );
  const clients = responses.filter(({ status }) => status === 201).map(({ body: text }) => JSON.parse(text.toString()));
  assert.equal(clients.length, 20);
  assert.ok(responses.every(({ status }) => status === 201 || status === 429));
  for (const { client_id, client_secret, scope, admin, trusted } of clients) {
    assert.notEqual(client_id, 'root');
    assert.notEqual(client_secret, 'mine');
    assert.deepEqual([scope, admin, trusted], ['read:docs', undefined, undefined]);
  }
  t.diagnostic('1,000 registrations at once from one address: 20 made, 980 refused with 429');
});
