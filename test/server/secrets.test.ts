/** Tests that no secret is in the log or on the disk: runs every flow with canaries as secrets, then searches both for them. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { startColophon } from '../support/command.ts';
import {
  createAuthorizationPath,
  createBasicHeaders,
  createBearerHeaders,
  createFormPost,
  createProofKey,
  getTicket,
  issueToken,
  registerApp,
  registerClient,
  revokeToken,
  submitDecision,
} from '../support/oauth.ts';
import { createJsonPost, sendRequest, type TestResponse } from '../support/server.ts';

it('no secret appears in the log with LOG_LEVEL=trace or in the database files of DATA_DIR', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-secrets-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  // This provider fails, because the log has the cause of the resulting 503, which could contain the assertion.
  const provider = createServer((_, response) => response.writeHead(500).end()).listen(0, '127.0.0.1');
  t.after(() => provider.close());
  await new Promise((resolve) => provider.once('listening', resolve));
  const address = provider.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const issuersFile = join(folder, 'issuers.yaml');
  await writeFile(
    issuersFile,
    `issuers: [{ issuer: "https://idp.example", jwks_uri: "http://127.0.0.1:${port}/keys" }]\n`,
  );
  const dataDir = join(folder, 'data');
  const env = { LOG_LEVEL: 'trace', DATA_DIR: dataDir, ASSERTION_ISSUERS_FILE: issuersFile };
  const { child, exitCode, waitForOutput, getStdout, getStderr } = startColophon(['serve'], { env });
  t.after(() => child.kill('SIGKILL'));
  const [, url = ''] = await waitForOutput(/Colophon serves .* at (http:[^\s"]+)/);
  const server = { request: (path: string, init?: RequestInit) => sendRequest(url, path, init) };

  const secrets: string[] = [];
  /** Returns a new canary for a secret of this kind, and adds the canary to `secrets`. */
  const plant = (kind: string): string => {
    const canary = `canary-${kind}-${Math.random().toString(36).slice(2)}`;
    secrets.push(canary);
    return canary;
  };
  const statuses: number[] = [];
  const send = async (path: string, init?: RequestInit): Promise<TestResponse> => {
    const response = await server.request(path, init);
    statuses.push(response.status);
    return response;
  };

  const client = await registerClient(server);
  const token = await issueToken(server, client);
  secrets.push(client.secret, client.registrationToken, token, createBasicHeaders(client).authorization ?? '');
  await send('/agent/auth', { headers: createBearerHeaders(token) });
  const path = new URL(client.registrationUri).pathname;
  await send(path, { headers: createBearerHeaders(client.registrationToken) });
  const startResponse = await send(
    '/api/v1/exports',
    createJsonPost(
      { resource: 'docs', format: 'json' },
      { ...createBearerHeaders(token), 'idempotency-key': plant('key') },
    ),
  );
  await send(new URL(startResponse.json.poll_url).pathname, {
    headers: { ...createBearerHeaders(token), prefer: 'wait=10' },
  });
  await send(
    '/oauth/register',
    createJsonPost({ client_name: 'again' }, { 'idempotency-key': plant('registration-key') }),
  );

  const app = await registerApp(server);
  const proof = createProofKey();
  const page = await send(createAuthorizationPath(app, proof, { state: plant('state') }));
  const code = (await submitDecision(server, page.text, 'allow')).searchParams.get('code') ?? '';
  secrets.push(app.secret, app.registrationToken, proof.verifier, getTicket(page.text), code);
  const exchange = { grant_type: 'authorization_code', code, code_verifier: proof.verifier };
  secrets.push((await send('/oauth/token', createFormPost(exchange, createBasicHeaders(app)))).json.access_token);
  await send('/oauth/token', createFormPost(exchange, createBasicHeaders(app)));

  const jwt = (claims: object) =>
    [{ alg: 'ES256', typ: 'oauth-id-jag+jwt', kid: 'k' }, claims, 'c2lnbmF0dXJl']
      .map((part) => (typeof part === 'string' ? part : Buffer.from(JSON.stringify(part)).toString('base64url')))
      .join('.');
  const assertions = ['https://idp.example', 'https://other.example'].map((iss) => jwt({ iss, sub: plant('subject') }));
  secrets.push(...assertions);
  for (const assertion of [...assertions, plant('assertion')]) {
    const assertion_type = 'urn:ietf:params:oauth:token-type:id-jag';
    await send('/oauth/register', createJsonPost({ type: 'identity_assertion', assertion_type, assertion }));
  }

  await send('/api/v1', { headers: createBearerHeaders(plant('bearer')) });
  const mcpResponse = await fetch(`${url}/mcp`, { method: 'PUT', headers: createBearerHeaders(plant('mcp')) });
  statuses.push(mcpResponse.status);
  await send('/api/v1', { headers: { authorization: `Basic ${plant('basic')}` } });
  await send('/api/v1/docs', { headers: { cookie: `access_token=${plant('cookie')}` } });
  await send(`/api/v1/docs?access_token=${plant('query')}`);
  await send(`/api/v1/nothing?access_token=${plant('missing')}`);
  await send(
    '/oauth/token',
    createFormPost({ grant_type: 'client_credentials', client_id: client.id, client_secret: plant('secret') }),
  );
  await send('/oauth/token', createFormPost({ grant_type: plant('grant'), client_secret: plant('no-client') }));
  await send(
    '/oauth/token',
    createFormPost(
      { grant_type: 'authorization_code', code: plant('code'), code_verifier: plant('verifier') },
      createBasicHeaders(app),
    ),
  );
  await send('/oauth/token', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: plant('untyped') });
  await send('/oauth/register', createJsonPost(`{"client_secret":"${plant('broken')}`));
  await send('/oauth/register', createJsonPost(`"${plant('text')}"`));
  await send(`/oauth/token?client_secret=${plant('in-the-query')}`);
  await send('/oauth/authorize', createFormPost({ ticket: plant('ticket'), decision: 'allow' }));
  await send(createAuthorizationPath({ id: plant('client') }, proof, { state: plant('refused-state') }));
  await send(path, { headers: createBearerHeaders(plant('registration')) });
  await send('/oauth/revoke', createFormPost({ token: plant('revoked') }));
  await send('/api/v1/exports', createJsonPost('{', createBearerHeaders(token)));
  await revokeToken(server, client, client.secret);
  child.kill('SIGTERM');
  await exitCode;

  for (const status of [200, 400, 401, 405, 415, 503]) assert.ok(statuses.includes(status), `no ${status} among them`);
  if (process.platform !== 'win32')
    assert.equal((await stat(dataDir)).mode & 0o077, 0, 'others may look into the folder');
  const files = await readdir(dataDir);
  assert.ok(files.includes('colophon.sqlite'));
  const signing = await readFile(join(dataDir, 'secret-key'), 'utf8');
  const places: [string, Buffer][] = [['the log', Buffer.from(getStdout() + getStderr())]];
  for (const name of files.filter((file) => file.startsWith('colophon.')))
    places.push([name, await readFile(join(dataDir, name))]);
  assert.ok((places[0]?.[1].toString().match(/"msg":"request"/g) ?? []).length >= 25);
  for (const secret of [...secrets, signing.trim()]) {
    assert.ok(secret.length > 12);
    const spellings = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, -4)];
    for (const [name, bytes] of places) {
      // The redirect to the client has `state`, so `state` is stored until a person submits the consent page.
      if (name !== 'the log' && secret.startsWith('canary-state')) continue;
      for (const spelling of spellings) assert.ok(!bytes.includes(spelling), `${name} holds ${spelling}`);
    }
  }
});
