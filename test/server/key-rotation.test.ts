/** Tests a replaced SECRET_KEY: with SECRET_KEY_PREVIOUS, cursors, refresh tokens and retries of the old key stay valid. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import {
  createBasicHeaders,
  createBearerHeaders,
  createFormPost,
  createProofKey,
  fetchAllowedCode,
  issueToken,
  redeemCode,
  registerApp,
  registerClient,
} from '../support/oauth.ts';
import { createJsonPost, startOneServer } from '../support/server.ts';

const [oldKey, newKey] = ['the key before it is replaced by another', 'the key that replaces it, by its owner'];

it('SECRET_KEY_PREVIOUS keeps cursors, refresh tokens and retried requests valid', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'colophon-rotation-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const start = (env: Record<string, string>) => startOneServer({ dataDir, env });
  const firstServer = await start({ SECRET_KEY: oldKey });
  const registration = createJsonPost({ client_name: 'Retried' }, { 'idempotency-key': 'register' });
  const firstRegistration = await firstServer.request('/oauth/register', registration);
  const token = await issueToken(firstServer, await registerClient(firstServer), 'export:docs');
  const exportRequest = createJsonPost(
    { resource: 'docs', format: 'json' },
    { ...createBearerHeaders(token), 'idempotency-key': 'export' },
  );
  const job = await firstServer.request('/api/v1/exports', exportRequest);
  const list = await firstServer.request('/api/v1/docs?limit=1');
  const app = await registerApp(firstServer);
  const proof = createProofKey();
  const { json: tokens } = await redeemCode(firstServer, app, await fetchAllowedCode(firstServer, app, proof), proof);
  await firstServer.close();

  const secondServer = await start({ SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey });
  const retriedRegistration = await secondServer.request('/oauth/register', registration);
  assert.deepEqual(
    [retriedRegistration.json.client_id, retriedRegistration.json.client_secret],
    [firstRegistration.json.client_id, firstRegistration.json.client_secret],
  );
  const replay = await secondServer.request('/api/v1/exports', exportRequest);
  assert.deepEqual([replay.json.id, replay.headers.get('idempotent-replayed')], [job.json.id, 'true']);
  const next = `/api/v1/docs?limit=1&cursor=${list.json.pagination.next_cursor}`;
  assert.equal((await secondServer.request(next)).status, 200);
  const refresh = (refresh_token: string) =>
    createFormPost({ grant_type: 'refresh_token', refresh_token }, createBasicHeaders(app));
  const refreshResponse = await secondServer.request('/oauth/token', refresh(tokens.refresh_token));
  assert.equal(refreshResponse.status, 200, refreshResponse.text);
  await secondServer.close();

  const thirdServer = await start({ SECRET_KEY: newKey });
  t.after(() => thirdServer.close());
  assert.equal((await thirdServer.request('/oauth/token', refresh(refreshResponse.json.refresh_token))).status, 200);
  assert.equal((await thirdServer.request(next)).status, 400);
  assert.notEqual(
    (await thirdServer.request('/oauth/register', registration)).json.client_id,
    firstRegistration.json.client_id,
  );
});
