/** No log line holds a secret: every flow is run with canaries in each place where a secret can stand, then the log is searched. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  authorizationPath,
  basic,
  bearer,
  decide,
  form,
  issueToken,
  newProof,
  registerApp,
  registerClient,
  revoke,
  ticketOf,
} from './support/oauth.ts';
import { json as post, startTestServer } from './support/server.ts';

it('no secret stands in any log line, whatever goes well or wrong', async () => {
  const server = await startTestServer({ env: { LOG_LEVEL: 'trace' } });
  const canary = (name: string) => `canary-${name}-${Math.random().toString(36).slice(2)}`;
  const secrets: string[] = [];
  const plant = (name: string): string => {
    const made = canary(name);
    secrets.push(made);
    return made;
  };

  const client = await registerClient(server);
  const token = await issueToken(server, client);
  secrets.push(client.secret, client.registrationToken, token);
  await server.ask('/agent/auth', { headers: bearer(token) });
  await server.ask('/api/v1/exports', post({ resource: 'docs', format: 'json' }, bearer(token)));

  const app = await registerApp(server);
  const proof = newProof();
  const page = await server.ask(authorizationPath(app, proof, { state: plant('state') }));
  secrets.push(app.secret, proof.verifier, ticketOf(page.text));
  const code = (await decide(server, page.text, 'allow')).searchParams.get('code') ?? '';
  assert.notEqual(code, '');
  secrets.push(code);
  const exchange = { grant_type: 'authorization_code', code, code_verifier: proof.verifier };
  const redeemed = await server.ask('/oauth/token', form(exchange, basic(app)));
  assert.equal(redeemed.status, 200, redeemed.text);
  secrets.push(redeemed.json.access_token);
  await server.ask('/oauth/token', form(exchange, basic(app)));

  await server.ask('/api/v1', { headers: bearer(plant('bearer')) });
  await server.ask('/api/v1', { headers: { authorization: `Basic ${plant('basic')}` } });
  await server.ask(`/api/v1/docs?access_token=${plant('query')}`);
  await server.ask(
    '/oauth/token',
    form({ grant_type: 'client_credentials', client_id: client.id, client_secret: plant('secret') }),
  );
  await server.ask(
    '/oauth/token',
    form({ grant_type: 'authorization_code', code: plant('code'), code_verifier: plant('verifier') }, basic(app)),
  );
  await server.ask(
    '/oauth/token',
    form({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: plant('assertion') }, basic(client)),
  );
  await server.ask('/oauth/register', post({ type: 'identity_assertion', assertion: plant('registered') }));
  await server.ask('/oauth/authorize', form({ ticket: plant('ticket'), decision: 'allow' }));
  await server.ask(`/oauth/register/${client.id}`, { headers: bearer(plant('registration')) });
  await server.ask('/oauth/revoke', form({ token: plant('revoked') }));
  await revoke(server, client, client.secret);
  await server.close();

  const log = JSON.stringify(server.lines);
  assert.ok(server.lines.length >= 15);
  for (const secret of secrets) {
    assert.ok(secret.length > 12);
    assert.ok(!log.includes(secret), `the log holds ${secret}`);
    assert.ok(!log.includes(encodeURIComponent(secret)));
    assert.ok(!log.includes(Buffer.from(`${client.id}:${secret}`).toString('base64')));
  }
});
