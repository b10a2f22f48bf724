/** SECRET_KEY is replaced: with SECRET_KEY_PREVIOUS no caller notices, and without it nothing that the old key made is accepted. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import {
  allowedCode,
  basic,
  bearer,
  form,
  issueToken,
  newProof,
  redeem,
  registerApp,
  registerClient,
} from '../support/oauth.ts';
import { json as post, startOneServer } from '../support/server.ts';

const [oldKey, newKey] = ['the key before it is replaced by another', 'the key that replaces it, by its owner'];

it('SECRET_KEY_PREVIOUS keeps cursors, refresh tokens and retried requests valid', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'colophon-rotation-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const start = (env: Record<string, string>) => startOneServer({ dataDir, env });
  const first = await start({ SECRET_KEY: oldKey });
  const registration = post({ client_name: 'Retried' }, { 'idempotency-key': 'register' });
  const registered = await first.ask('/oauth/register', registration);
  const token = await issueToken(first, await registerClient(first), 'export:docs');
  const exported = post({ resource: 'docs', format: 'json' }, { ...bearer(token), 'idempotency-key': 'export' });
  const job = await first.ask('/api/v1/exports', exported);
  const list = await first.ask('/api/v1/docs?limit=1');
  const app = await registerApp(first);
  const proof = newProof();
  const { json: granted } = await redeem(first, app, await allowedCode(first, app, proof), proof);
  await first.close();

  const rotated = await start({ SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey });
  const again = await rotated.ask('/oauth/register', registration);
  assert.deepEqual(
    [again.json.client_id, again.json.client_secret],
    [registered.json.client_id, registered.json.client_secret],
  );
  const replay = await rotated.ask('/api/v1/exports', exported);
  assert.deepEqual([replay.json.id, replay.headers.get('idempotent-replayed')], [job.json.id, 'true']);
  const next = `/api/v1/docs?limit=1&cursor=${list.json.pagination.next_cursor}`;
  assert.equal((await rotated.ask(next)).status, 200);
  const refresh = (refresh_token: string) => form({ grant_type: 'refresh_token', refresh_token }, basic(app));
  const refreshed = await rotated.ask('/oauth/token', refresh(granted.refresh_token));
  assert.equal(refreshed.status, 200, refreshed.text);
  await rotated.close();

  const later = await start({ SECRET_KEY: newKey });
  t.after(() => later.close());
  assert.equal((await later.ask('/oauth/token', refresh(refreshed.json.refresh_token))).status, 200);
  assert.equal((await later.ask(next)).status, 400);
  assert.notEqual((await later.ask('/oauth/register', registration)).json.client_id, registered.json.client_id);
});
