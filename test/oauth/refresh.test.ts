/** Tests refresh tokens without HTTP: rotation, repetition, reuse, revocation (RFC 6749 section 6, RFC 9700 section 4.14.2). */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { authorize, decide } from '../../src/oauth/authorize.ts';
import { revoke } from '../../src/oauth/revoke.ts';
import { exchangeToken } from '../../src/oauth/token.ts';
import {
  assertError,
  baseUrl,
  basic,
  createSetup,
  parameters,
  type RegisteredClient,
  registerClient,
  type Setup,
  verifyAccessToken,
} from './setup.ts';

const redirectUri = 'https://client.example/cb';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const day = 86_400_000;

let setup: Setup;
let client: RegisteredClient;
before(async () => {
  setup = await createSetup();
});
beforeEach(async () => {
  client = await registerClient(setup.context, { redirect_uris: [redirectUri], scope: 'read:docs export:docs' });
});
after(() => setup.close());

const getBasic = () => basic(client.id, client.secret);

async function obtainCode(): Promise<string> {
  const request = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const answer = await authorize(setup.context, parameters(request));
  const ticket = answer.kind === 'consent' ? answer.ticket : assert.fail(answer.location);
  const { location } = await decide(setup.context, parameters({ ticket, decision: 'allow' }));
  return new URL(location).searchParams.get('code') ?? assert.fail(location);
}

const exchange = (code: string) =>
  exchangeToken(setup.context, {
    form: parameters({ grant_type: 'authorization_code', code_verifier: verifier, code }),
    authorization: getBasic(),
  });

const refresh = (refreshToken: string | undefined, changes: Record<string, string> = {}, authorization = getBasic()) =>
  exchangeToken(setup.context, {
    form: parameters({ grant_type: 'refresh_token', refresh_token: refreshToken, ...changes }),
    authorization,
  });

const isValid = async (accessToken: string): Promise<boolean> =>
  verifyAccessToken(setup.context.store, accessToken, setup.clock.now(), baseUrl).then(
    () => true,
    () => false,
  );

describe('POST /oauth/token with grant_type refresh_token (RFC 6749 section 6): invalid_grant', () => {
  it('the exchange of a code returns a refresh token, each use replaces it, and earlier access tokens stay valid', async () => {
    const first = await exchange(await obtainCode());
    assert.match(first.refresh_token ?? '', /^rt_[A-Za-z0-9_-]{70}$/);
    const second = await refresh(first.refresh_token);
    const { access_token, refresh_token, ...rest } = second;
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'read:docs export:docs' });
    assert.notEqual(refresh_token, first.refresh_token);
    assert.deepEqual([await isValid(first.access_token), await isValid(access_token)], [true, true]);
    await refresh(refresh_token);
  });

  it('a client with only client_credentials gets no refresh token and may not use one', async () => {
    const otherClient = await registerClient(setup.context);
    const response = await exchangeToken(setup.context, {
      form: parameters({ grant_type: 'client_credentials' }),
      authorization: basic(otherClient.id, otherClient.secret),
    });
    assert.equal(response.refresh_token, undefined);
    await assertError(refresh('rt_x', {}, basic(otherClient.id, otherClient.secret)), 'unauthorized_client');
  });

  it('a narrower scope narrows the access token, not the grant', async () => {
    const { refresh_token } = await exchange(await obtainCode());
    const narrow = await refresh(refresh_token, { scope: 'read:docs', resource: baseUrl });
    assert.equal(narrow.scope, 'read:docs');
    assert.equal((await refresh(narrow.refresh_token)).scope, 'read:docs export:docs');
    await assertError(refresh(narrow.refresh_token, { scope: 'read:faq' }), 'invalid_scope');
  });

  it('the refresh token that was replaced last returns the same successor for a minute', async () => {
    const { refresh_token: first } = await exchange(await obtainCode());
    const winner = await refresh(first);
    await setup.clock.advance(59_000);
    const loser = await refresh(first);
    assert.equal(loser.refresh_token, winner.refresh_token);
    assert.notEqual(loser.access_token, winner.access_token);
    assert.deepEqual([await isValid(winner.access_token), await isValid(loser.access_token)], [true, true]);
  });

  it('a refresh token used many times at once is replaced once', async () => {
    const { refresh_token } = await exchange(await obtainCode());
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refresh_token)));
    assert.equal(new Set(answers.map((answer) => answer.refresh_token)).size, 1);
    assert.equal(new Set(answers.map((answer) => answer.access_token)).size, 20);
  });

  it('a refresh token used again a minute after its replacement revokes every token of its grant', async () => {
    const first = await exchange(await obtainCode());
    const second = await refresh(first.refresh_token);
    await setup.clock.advance(60_000);
    await assertError(refresh(first.refresh_token), 'invalid_grant');
    await assertError(refresh(second.refresh_token), 'invalid_grant');
    assert.deepEqual([await isValid(first.access_token), await isValid(second.access_token)], [false, false]);
    assert.ok(setup.logLines.some((line) => line.includes('"refresh.reused"') && line.includes(client.id)));
  });

  it('a refresh token that was replaced two uses ago revokes the grant at once', async () => {
    const first = await exchange(await obtainCode());
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    await assertError(refresh(first.refresh_token), 'invalid_grant');
    await assertError(refresh(third.refresh_token), 'invalid_grant');
    assert.equal(await isValid(third.access_token), false);
  });

  it('a refresh token expires 30 days after it was issued', async () => {
    const { refresh_token: first } = await exchange(await obtainCode());
    await setup.clock.advance(30 * day - 1);
    const { refresh_token: second } = await refresh(first);
    await setup.clock.advance(30 * day);
    await assertError(refresh(second), 'invalid_grant');
  });

  it('another client cannot use a refresh token, and a forged one revokes nothing', async () => {
    const { refresh_token: refreshToken = '' } = await exchange(await obtainCode());
    const stranger = await registerClient(setup.context, { redirect_uris: [redirectUri] });
    await assertError(refresh(refreshToken, {}, basic(stranger.id, stranger.secret)), 'invalid_grant');
    const forged = refreshToken.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
    for (const invalidToken of [forged, 'rt_', `rt_${'A'.repeat(70)}`, 'at_x'])
      await assertError(refresh(invalidToken), 'invalid_grant');
    await refresh(refreshToken);
  });

  it('the parameter refresh_token is required', async () => {
    await assertError(refresh(undefined), 'invalid_request');
  });

  it('the revocation of a refresh token by its own client revokes the access tokens too', async () => {
    const { access_token, refresh_token = '' } = await exchange(await obtainCode());
    const stranger = await registerClient(setup.context);
    const revokeAs = (authorization: string) =>
      revoke(setup.context, {
        form: parameters({ token: refresh_token, token_type_hint: 'refresh_token' }),
        authorization,
      });
    await revokeAs(basic(stranger.id, stranger.secret));
    assert.equal(await isValid(access_token), true);
    await revokeAs(getBasic());
    assert.equal(await isValid(access_token), false);
    await assertError(refresh(refresh_token), 'invalid_grant');
  });

  it('a refresh token of a client whose secret was revoked gets invalid_client', async () => {
    const { refresh_token } = await exchange(await obtainCode());
    await revoke(setup.context, { form: parameters({ token: client.secret }), authorization: undefined });
    await assertError(refresh(refresh_token), 'invalid_client');
  });

  it('a second use of the code revokes the refresh token and the access token', async () => {
    const code = await obtainCode();
    const { access_token, refresh_token } = await exchange(code);
    await assertError(exchange(code), 'invalid_grant');
    await assertError(refresh(refresh_token), 'invalid_grant');
    assert.equal(await isValid(access_token), false);
  });
});
