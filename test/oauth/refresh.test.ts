/** Refresh tokens (RFC 6749 section 6, RFC 9700 section 4.14.2), below HTTP: rotation, repeats, reuse, ends. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { authorize, decide } from '../../src/oauth/authorize.ts';
import { revoke } from '../../src/oauth/revoke.ts';
import { exchangeToken } from '../../src/oauth/token.ts';
import {
  baseUrl,
  basic,
  createSetup,
  parameters,
  type Registered,
  refused,
  registerClient,
  type Setup,
  verifyAccessToken,
} from './setup.ts';

const redirectUri = 'https://client.example/cb';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const day = 86_400_000;

let setup: Setup;
let client: Registered;
before(async () => {
  setup = await createSetup();
});
beforeEach(async () => {
  client = await registerClient(setup.context, { redirect_uris: [redirectUri], scope: 'read:docs export:docs' });
});
after(() => setup.close());

const own = () => basic(client.id, client.secret);

async function code(): Promise<string> {
  const asked = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const answer = await authorize(setup.context, parameters(asked));
  const ticket = answer.kind === 'consent' ? answer.ticket : assert.fail(answer.location);
  const { location } = await decide(setup.context, parameters({ ticket, decision: 'allow' }));
  return new URL(location).searchParams.get('code') ?? assert.fail(location);
}

const exchange = (sent: string) =>
  exchangeToken(setup.context, {
    form: parameters({ grant_type: 'authorization_code', code_verifier: verifier, code: sent }),
    authorization: own(),
  });

const refresh = (sent: string | undefined, changes: Record<string, string> = {}, authorization = own()) =>
  exchangeToken(setup.context, {
    form: parameters({ grant_type: 'refresh_token', refresh_token: sent, ...changes }),
    authorization,
  });

const works = async (accessToken: string): Promise<boolean> =>
  verifyAccessToken(setup.context.store, accessToken, setup.clock.now(), baseUrl).then(
    () => true,
    () => false,
  );

describe('POST /oauth/token with grant_type refresh_token (RFC 6749 section 6): invalid_grant', () => {
  it('the exchange of a code returns a refresh token, each use replaces it, and earlier access tokens stay valid', async () => {
    const first = await exchange(await code());
    assert.match(first.refresh_token ?? '', /^rt_[A-Za-z0-9_-]{70}$/);
    const second = await refresh(first.refresh_token);
    const { access_token, refresh_token, ...rest } = second;
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'read:docs export:docs' });
    assert.notEqual(refresh_token, first.refresh_token);
    assert.deepEqual([await works(first.access_token), await works(access_token)], [true, true]);
    await refresh(refresh_token);
  });

  it('a client with only client_credentials gets no refresh token and may not use one', async () => {
    const other = await registerClient(setup.context);
    const answer = await exchangeToken(setup.context, {
      form: parameters({ grant_type: 'client_credentials' }),
      authorization: basic(other.id, other.secret),
    });
    assert.equal(answer.refresh_token, undefined);
    await refused(refresh('rt_x', {}, basic(other.id, other.secret)), 'unauthorized_client');
  });

  it('a narrower scope narrows the access token, not the grant', async () => {
    const { refresh_token } = await exchange(await code());
    const narrow = await refresh(refresh_token, { scope: 'read:docs', resource: baseUrl });
    assert.equal(narrow.scope, 'read:docs');
    assert.equal((await refresh(narrow.refresh_token)).scope, 'read:docs export:docs');
    await refused(refresh(narrow.refresh_token, { scope: 'read:faq' }), 'invalid_scope');
  });

  it('the refresh token that was replaced last returns the same successor for a minute', async () => {
    const { refresh_token: first } = await exchange(await code());
    const winner = await refresh(first);
    await setup.clock.advance(59_000);
    const loser = await refresh(first);
    assert.equal(loser.refresh_token, winner.refresh_token);
    assert.notEqual(loser.access_token, winner.access_token);
    assert.deepEqual([await works(winner.access_token), await works(loser.access_token)], [true, true]);
  });

  it('a refresh token used many times at once is replaced once', async () => {
    const { refresh_token } = await exchange(await code());
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refresh_token)));
    assert.equal(new Set(answers.map((answer) => answer.refresh_token)).size, 1);
    assert.equal(new Set(answers.map((answer) => answer.access_token)).size, 20);
  });

  it('a refresh token used again a minute after its replacement revokes every token of its grant', async () => {
    const first = await exchange(await code());
    const second = await refresh(first.refresh_token);
    await setup.clock.advance(60_000);
    await refused(refresh(first.refresh_token), 'invalid_grant');
    await refused(refresh(second.refresh_token), 'invalid_grant');
    assert.deepEqual([await works(first.access_token), await works(second.access_token)], [false, false]);
    assert.ok(setup.logged.some((line) => line.includes('"refresh.reused"') && line.includes(client.id)));
  });

  it('a refresh token that was replaced two uses ago revokes the grant at once', async () => {
    const first = await exchange(await code());
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    await refused(refresh(first.refresh_token), 'invalid_grant');
    await refused(refresh(third.refresh_token), 'invalid_grant');
    assert.equal(await works(third.access_token), false);
  });

  it('a refresh token expires 30 days after it was issued', async () => {
    const { refresh_token: first } = await exchange(await code());
    await setup.clock.advance(30 * day - 1);
    const { refresh_token: second } = await refresh(first);
    await setup.clock.advance(30 * day);
    await refused(refresh(second), 'invalid_grant');
  });

  it('another client cannot use a refresh token, and a forged one revokes nothing', async () => {
    const { refresh_token: mine = '' } = await exchange(await code());
    const stranger = await registerClient(setup.context, { redirect_uris: [redirectUri] });
    await refused(refresh(mine, {}, basic(stranger.id, stranger.secret)), 'invalid_grant');
    const forged = mine.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
    for (const sent of [forged, 'rt_', `rt_${'A'.repeat(70)}`, 'at_x']) await refused(refresh(sent), 'invalid_grant');
    await refresh(mine);
  });

  it('the parameter refresh_token is required', async () => {
    await refused(refresh(undefined), 'invalid_request');
  });

  it('the revocation of a refresh token by its own client revokes the access tokens too', async () => {
    const { access_token, refresh_token = '' } = await exchange(await code());
    const stranger = await registerClient(setup.context);
    const end = (authorization: string) =>
      revoke(setup.context, {
        form: parameters({ token: refresh_token, token_type_hint: 'refresh_token' }),
        authorization,
      });
    await end(basic(stranger.id, stranger.secret));
    assert.equal(await works(access_token), true);
    await end(own());
    assert.equal(await works(access_token), false);
    await refused(refresh(refresh_token), 'invalid_grant');
  });

  it('a refresh token gets invalid_client after the client’s secret was revoked', async () => {
    const { refresh_token } = await exchange(await code());
    await revoke(setup.context, { form: parameters({ token: client.secret }), authorization: undefined });
    await refused(refresh(refresh_token), 'invalid_client');
  });

  it('a second use of the code revokes the refresh token and the access token', async () => {
    const sent = await code();
    const { access_token, refresh_token } = await exchange(sent);
    await refused(exchange(sent), 'invalid_grant');
    await refused(refresh(refresh_token), 'invalid_grant');
    assert.equal(await works(access_token), false);
  });
});
