/** Guessing: secrets, tokens and ids tried by the thousand, the time that refusals take, and a flood of registrations. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { basic, bearer, newToken, registerClient } from '../support/oauth.ts';
import { json as post } from '../support/server.ts';
import { createClient, isShort, percentile, startService } from './service.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

it('guessed client secrets and tokens get 401, then 429, with one message and log lines for the secrets', async (t) => {
  const service = await startService(t, { LOG_LEVEL: 'info', RATE_LIMIT_ANONYMOUS: '120', RATE_LIMIT_REFUSED: '60' });
  const owner = await registerClient(service);
  const client = createClient(service.url, 16);
  t.after(() => client.close());
  const count = new Map<number, number>();
  const messages = new Set<string>();
  const note = (status: number, body: Buffer): void => {
    count.set(status, (count.get(status) ?? 0) + 1);
    if (status !== 401) return;
    const { detail } = JSON.parse(body.toString());
    messages.add(detail);
  };
  await Promise.all(
    Array.from({ length: 3000 }, async (_, index) => {
      const guess = basic({ id: index % 2 === 0 ? owner.id : `cl_${index}`, secret: `cs_${index}` });
      const { status, body } = await client.send(
        'POST',
        '/oauth/token',
        { ...form, ...guess },
        'grant_type=client_credentials',
      );
      note(status, body);
    }),
  );
  assert.deepEqual([...count.keys()].sort(), [401, 429]);
  assert.ok((count.get(401) ?? 0) < 120);
  assert.equal(messages.size, 1, [...messages].join(' / '));
  const secrets = count.get(401);
  count.clear();
  const other = await startService(t, { RATE_LIMIT_REFUSED: '60' });
  const token = await newToken(other);
  const direct = createClient(other.url, 16);
  t.after(() => direct.close());
  await Promise.all(
    Array.from({ length: 3000 }, async (_, index) => {
      const guess = token.slice(0, 10) + String(index).padStart(token.length - 10, '0');
      note((await direct.get('/api/v1/docs', bearer(guess))).status, Buffer.from('{}'));
    }),
  );
  assert.deepEqual([count.get(401), count.get(429)], [60, 2940]);
  assert.equal((await direct.get('/api/v1/docs')).status, 200, 'without a token the address is served');
  await new Promise((resolve) => setTimeout(resolve, 500));
  const lines = service.out().match(/"status":401,"code":"invalid_client"/g) ?? [];
  assert.equal(lines.length, secrets);
  t.diagnostic(
    `3,000 guessed secrets: ${secrets} answered 401 with one message, the others 429; 3,000 guessed tokens: 60 looked at`,
  );
});

it('POST /oauth/token rejects an unknown client and a wrong secret in the same time', async (t) => {
  const service = await startService(t);
  const owner = await registerClient(service);
  const token = await newToken(service);
  const client = createClient(service.url, 1);
  t.after(() => client.close());
  const samples = isShort ? 2000 : 10_000;
  // Another service's token has the right form and was never issued here.
  const foreign = await newToken(await startService(t));
  const kinds = {
    unknown: () =>
      client.send(
        'POST',
        '/oauth/token',
        { ...form, ...basic({ id: `${owner.id.slice(0, -4)}zzzz`, secret: owner.secret }) },
        'grant_type=client_credentials',
      ),
    wrong: () =>
      client.send(
        'POST',
        '/oauth/token',
        { ...form, ...basic({ id: owner.id, secret: `${owner.secret.slice(0, -4)}zzzz` }) },
        'grant_type=client_credentials',
      ),
    never: () => client.get('/agent/auth', bearer(foreign)),
    near: () => client.get('/agent/auth', bearer(token.slice(0, -12) + foreign.slice(-12))),
  };
  const times: Record<keyof typeof kinds, number[]> = { unknown: [], wrong: [], never: [], near: [] };
  for (let index = 0; index < samples + 200; index += 1) {
    for (const name of ['unknown', 'wrong', 'never', 'near'] as const) {
      const { status, took } = await kinds[name]();
      assert.equal(status, 401);
      if (index >= 200) times[name].push(took);
    }
  }
  const median = (name: keyof typeof kinds) => percentile(times[name], 0.5) * 1000;
  const spread = (name: keyof typeof kinds) => (percentile(times[name], 0.75) - percentile(times[name], 0.25)) * 1000;
  const difference = Math.abs(median('unknown') - median('wrong'));
  assert.ok(difference < Math.max(spread('unknown'), 20), `the medians are ${difference} µs apart`);
  t.diagnostic(
    `${samples} of each: unknown client ${median('unknown').toFixed(0)} µs, wrong secret ${median('wrong').toFixed(0)} µs (quartiles ${spread('wrong').toFixed(0)} µs apart); token that begins like a valid one ${median('near').toFixed(0)} µs, never issued ${median('never').toFixed(0)} µs`,
  );
});

it('RATE_LIMIT_REGISTRATION=20 limits a flood to 20 clients, and unknown fields are ignored', async (t) => {
  const service = await startService(t, { RATE_LIMIT_REGISTRATION: '20' });
  const { status: large } = await service.ask('/oauth/register', post({ client_name: 'x'.repeat(65_536) }));
  assert.equal(large, 413);
  const many = await service.ask(
    '/oauth/register',
    post({ redirect_uris: Array.from({ length: 1000 }, (_, index) => `https://a.example/${index}`) }),
  );
  assert.equal(many.status, 400);
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
  const answers = await Promise.all(
    Array.from({ length: 1000 }, () =>
      client.send('POST', '/oauth/register', { 'content-type': 'application/json' }, body),
    ),
  );
  const made = answers.filter(({ status }) => status === 201).map(({ body: text }) => JSON.parse(text.toString()));
  assert.equal(made.length, 20);
  assert.ok(answers.every(({ status }) => status === 201 || status === 429));
  for (const { client_id, client_secret, scope, admin, trusted } of made) {
    assert.notEqual(client_id, 'root');
    assert.notEqual(client_secret, 'mine');
    assert.deepEqual([scope, admin, trusted], ['read:docs', undefined, undefined]);
  }
  t.diagnostic('1,000 registrations at once from one address: 20 made, 980 refused with 429');
});
