/** Tests that the response of POST /oauth/register has `redirect_uris` only if the client has some. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { register } from '../../src/oauth/register.ts';
import { createSetup, type Setup } from './setup.ts';

let setup: Setup;
before(async () => {
  setup = await createSetup();
});
after(() => setup.close());

async function fetchRedirectUris(metadata: Record<string, unknown>): Promise<unknown> {
  const body = { client_name: 'Agent', scope: 'read:docs', ...metadata };
  const { client } = await register(setup.context, { body, principal: 'address:192.0.2.1', idempotencyKey: null });
  return client.redirect_uris;
}

test('POST /oauth/register returns every redirect URI of a client, and omits redirect_uris if it has none', async () => {
  const codeFlow = { grant_types: ['authorization_code'], token_endpoint_auth_method: 'none' };
  for (const uris of [['https://client.example/a'], ['https://client.example/a', 'https://client.example/b']]) {
    assert.deepEqual(await fetchRedirectUris({ ...codeFlow, redirect_uris: uris }), uris);
  }
  assert.equal(await fetchRedirectUris({ grant_types: ['client_credentials'] }), undefined);
});
