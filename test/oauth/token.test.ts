/** Tests the token and revocation endpoints and the verification of tokens, without HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Code } from '../../src/base/problem-codes.ts';
import type { Parameters } from '../../src/oauth/form.ts';
import { revoke } from '../../src/oauth/revoke.ts';
import { scopeNames } from '../../src/oauth/scopes.ts';
import { createSecret, isSecret } from '../../src/oauth/secrets.ts';
import { exchangeToken } from '../../src/oauth/token.ts';
import { describePrincipal, hashToken, readBearerToken, requireScope } from '../../src/oauth/verify.ts';
import {
  assertError,
  baseUrl,
  basic,
  catchError,
  createSetup,
  parameters,
  type RegisteredClient,
  registerClient,
  type Setup,
  verifyAccessToken,
} from './setup.ts';

let setup: Setup;
let client: RegisteredClient;
before(async () => {
  setup = await createSetup();
  client = await registerClient(setup.context);
});
after(() => setup.close());

const ask = (form: Parameters, authorization?: string) => exchangeToken(setup.context, { form, authorization });
const credentials = { grant_type: 'client_credentials' };
const createForm = ({ id, secret }: RegisteredClient, more: Record<string, string> = {}): Parameters =>
  parameters({ ...credentials, client_id: id, client_secret: secret, ...more });
const verify = (accessToken: string) => verifyAccessToken(setup.context.store, accessToken, setup.clock.now(), baseUrl);
const issueToken = async (registration: RegisteredClient): Promise<string> =>
  (await ask(createForm(registration))).access_token;
const revokeToken = (values: Record<string, string | undefined>, authorization?: string) =>
  revoke(setup.context, { form: parameters(values), authorization });

describe('POST /oauth/token with grant_type client_credentials (RFC 6749 section 4.4): invalid_scope, unauthorized_client', () => {
  it('the token is opaque and expires after 3600 seconds, and the response contains its scope', async () => {
    const { access_token, ...rest } = await ask(createForm(client));
    assert.ok(isSecret('at', access_token));
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: scopeNames.join(' ') });
    assert.deepEqual(await verify(access_token), {
      clientId: client.id,
      scopes: scopeNames,
      expiresAt: setup.clock.now() + 3_600_000,
      identityType: 'anonymous',
    });
  });

  it('the scope defaults to the registered one, and a scope beyond it gets invalid_scope', async () => {
    assert.equal((await ask(createForm(client, { scope: 'export:docs read:docs' }))).scope, 'read:docs export:docs');
    const narrowClient = await registerClient(setup.context, { scope: 'read:docs' });
    assert.equal((await ask(createForm(narrowClient))).scope, 'read:docs');
    await assertError(ask(createForm(narrowClient, { scope: 'read:docs export:docs' })), 'invalid_scope');
    const unknown = await assertError(ask(createForm(client, { scope: 'export:doc' })), 'invalid_scope');
    assert.deepEqual(unknown.options.suggestions, ['export:docs']);
  });

  it('a client that did not register the grant gets unauthorized_client', async () => {
    const otherClient = await registerClient(setup.context, {
      redirect_uris: ['https://client.example/cb'],
      grant_types: ['authorization_code'],
    });
    await assertError(ask(createForm(otherClient)), 'unauthorized_client');
  });
});

describe('POST /oauth/token, client authentication (RFC 6749 section 2.3): invalid_client, invalid_request, unsupported_grant_type', () => {
  const percentEncode = (text: string): string => text.replaceAll('_', '%5F');
  const validRequests: [string, () => Promise<unknown>][] = [
    ['credentials in the form', () => ask(createForm(client))],
    ['credentials in HTTP Basic', () => ask(parameters(credentials), basic(client.id, client.secret))],
    [
      'percent-encoded Basic credentials',
      () => ask(parameters(credentials), basic(percentEncode(client.id), percentEncode(client.secret))),
    ],
    [
      'the scheme basic in lower case',
      () => ask(parameters(credentials), basic(client.id, client.secret).replace('B', 'b')),
    ],
    [
      'Basic and the same client_id in the form',
      () => ask(parameters({ ...credentials, client_id: client.id }), basic(client.id, client.secret)),
    ],
    ['empty parameters', () => ask(createForm(client, { scope: '', resource: '' }))],
    ['this service as the resource (RFC 8707)', () => ask(createForm(client, { resource: `${baseUrl}/mcp` }))],
    [
      'two resources of this service',
      () => ask([...createForm(client), ['resource', baseUrl], ['resource', `${baseUrl}/api/v1`]]),
    ],
  ];
  for (const [name, send] of validRequests) it(`a request with ${name} gets a token`, async () => void (await send()));

  const wrongSecret = createSecret('cs');
  const faults: [string, () => Promise<unknown>, Code, string?][] = [
    ['no credentials', () => ask(parameters(credentials)), 'invalid_client'],
    ['a wrong secret', () => ask(createForm({ ...client, secret: wrongSecret })), 'invalid_client'],
    ['an unknown client', () => ask(createForm({ ...client, id: 'cl_0000000000000000' })), 'invalid_client'],
    ['a malformed client ID', () => ask(createForm({ ...client, id: "' OR 1=1 --" })), 'invalid_client'],
    [
      'the ID of a confidential client and no secret',
      () => ask(parameters({ ...credentials, client_id: client.id })),
      'invalid_client',
    ],
    [
      'a secret and no client ID',
      () => ask(parameters({ ...credentials, client_secret: wrongSecret })),
      'invalid_request',
    ],
    ['empty Basic credentials', () => ask(parameters(credentials), 'Basic '), 'invalid_client'],
    ['Basic credentials that are not base64', () => ask(parameters(credentials), 'Basic %%%'), 'invalid_client'],
    ['Basic credentials without a colon', () => ask(parameters(credentials), 'Basic YWJj'), 'invalid_client'],
    ['another authentication scheme', () => ask(parameters(credentials), `Bearer ${wrongSecret}`), 'invalid_client'],
    [
      'a secret both in the form and in HTTP Basic',
      () => ask(createForm(client), basic(client.id, client.secret)),
      'invalid_request',
    ],
    [
      'two different client IDs',
      () => ask(parameters({ ...credentials, client_id: 'cl_0000000000000000' }), basic(client.id, client.secret)),
      'invalid_request',
    ],
    [
      'a client assertion',
      () => ask(createForm(client, { client_assertion: 'a.b.c', client_assertion_type: 'x' })),
      'invalid_client',
    ],
    ['a repeated parameter', () => ask([...createForm(client), ['scope', 'a'], ['scope', 'b']]), 'invalid_request'],
    ['no grant type', () => ask(parameters({ client_id: client.id })), 'invalid_request'],
    ['an unknown grant type', () => ask(parameters({ grant_type: 'password' })), 'unsupported_grant_type'],
    [
      'a refresh token for a client without the code flow',
      () => ask(createForm(client, { grant_type: 'refresh_token', refresh_token: 'rt_x' })),
      'unauthorized_client',
    ],
    [
      'a resource of another server',
      () => ask(createForm(client, { resource: 'https://other.example' })),
      'invalid_request',
      'invalid_target',
    ],
    [
      'a resource whose host only begins with that of this service',
      () => ask(createForm(client, { resource: `${baseUrl}.evil` })),
      'invalid_request',
      'invalid_target',
    ],
  ];
  for (const [name, send, code, oauthError = code] of faults) {
    it(`a request with ${name} gets ${oauthError}`, async () => {
      const error = await assertError(send(), code, oauthError);
      if (code !== 'invalid_client') return;
      assert.match(error.options.headers?.['www-authenticate'] ?? '', /^Basic realm="[^"]+", error="invalid_client", /);
    });
  }

  it('an unknown client, a wrong secret and a revoked client get the same failure', async () => {
    const revokedClient = await registerClient(setup.context);
    await revokeToken({ token: revokedClient.secret });
    const attempts = [
      createForm({ ...client, secret: wrongSecret }),
      createForm({ ...client, id: 'cl_0000000000000000' }),
      createForm(revokedClient),
    ];
    const errors = await Promise.all(attempts.map((form) => assertError(ask(form), 'invalid_client')));
    assert.equal(new Set(errors.map(({ message, options }) => JSON.stringify([message, options]))).size, 1);
  });

  it('any text as Authorization header gets invalid_client, never an exception', async () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string().map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (authorization) => {
        const { code } = await catchError(ask(parameters(credentials), authorization));
        assert.equal(code, 'invalid_client');
      }),
      { numRuns: 200 },
    );
  });
});

describe('The bearer token of a request (RFC 6750): unauthorized, invalid_token, insufficient_scope', () => {
  it('a token expires after exactly 3600 seconds', async () => {
    const accessToken = await issueToken(client);
    await setup.clock.advance(3_599_999);
    await verify(accessToken);
    await setup.clock.advance(1);
    await assertError(verify(accessToken), 'invalid_token');
  });

  const malformed = ['', 'x', 'at_', createSecret('cs'), `${createSecret('at')}x`, 'a'.repeat(100_000)];
  for (const text of malformed) {
    it(`a malformed token is refused without a look-up: ${text.slice(0, 12)}`, async () => {
      await assertError((async () => hashToken(text, baseUrl))(), 'invalid_token');
    });
  }

  it('a token with one character changed is refused', async () => {
    const accessToken = await issueToken(client);
    for (let index = 0; index < accessToken.length; index += 1) {
      const replacement = accessToken[index] === 'b' ? 'c' : 'b';
      const changedToken = accessToken.slice(0, index) + replacement + accessToken.slice(index + 1);
      await assertError((async () => verify(changedToken))(), 'invalid_token');
    }
  });

  it('a token that was never issued is refused, with a challenge', async () => {
    const error = await assertError(verify(createSecret('at')), 'invalid_token');
    assert.match(
      error.options.headers?.['www-authenticate'] ?? '',
      /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="https:\/\/api\.example\/\.well-known\/oauth-protected-resource"$/,
    );
  });

  it('the Authorization header must have the form “Bearer <token>”, with the scheme in any case', async () => {
    assert.equal(readBearerToken(undefined, baseUrl), null);
    assert.equal(readBearerToken('Bearer abc', baseUrl), 'abc');
    assert.equal(readBearerToken('bearer  abc', baseUrl), 'abc');
    for (const header of ['', 'Bearer', 'Bearer a b', 'Basic abc', 'abc', 'Bearer "a"']) {
      await assertError((async () => readBearerToken(header, baseUrl))(), 'invalid_token');
    }
  });

  it('a token without the required scope gets insufficient_scope, and a missing token gets unauthorized', async () => {
    const narrowClient = await registerClient(setup.context, { scope: 'read:docs' });
    const principal = await verify(await issueToken(narrowClient));
    assert.equal(requireScope(principal, 'read:docs', baseUrl), principal);
    const scopeError = await catchError((async () => requireScope(principal, 'export:docs', baseUrl))());
    assert.equal(scopeError.code, 'insufficient_scope');
    assert.match(
      scopeError.options.headers?.['www-authenticate'] ?? '',
      /^Bearer error="insufficient_scope", scope="export:docs", /,
    );
    const tokenError = await catchError((async () => requireScope(null, 'export:docs', baseUrl))());
    assert.equal(tokenError.code, 'unauthorized');
    assert.doesNotMatch(tokenError.options.headers?.['www-authenticate'] ?? '', /error/);
  });

  it('describePrincipal returns the client, scope, expiry, rate limit and identity type of a token', async () => {
    const now = setup.clock.now();
    assert.deepEqual(describePrincipal(await verify(await issueToken(client)), 600), {
      client_id: client.id,
      scope: scopeNames.join(' '),
      expires_at: Math.floor(now / 1000) + 3600,
      rate_limit: { policy: 'authenticated', limit: 600, window: 60 },
      identity_type: 'anonymous',
    });
  });
});

describe('POST /oauth/revoke (RFC 7009): invalid_client', () => {
  it('a revocation invalidates the token at once, and succeeds for revoked and unknown tokens too', async () => {
    const accessToken = await issueToken(client);
    const authorization = basic(client.id, client.secret);
    await revokeToken({ token: accessToken, token_type_hint: 'refresh_token' }, authorization);
    await assertError(verify(accessToken), 'invalid_token');
    await revokeToken({ token: accessToken }, authorization);
    for (const text of ['nonsense', createSecret('at'), createSecret('cs'), createSecret('ac')])
      await revokeToken({ token: text });
  });

  it('the holder of a token can revoke it without client credentials', async () => {
    const accessToken = await issueToken(client);
    await revokeToken({ token: accessToken });
    await assertError(verify(accessToken), 'invalid_token');
  });

  it('a client cannot revoke the token or the secret of another client (RFC 7009 section 2.1)', async () => {
    const otherClient = await registerClient(setup.context);
    const accessToken = await issueToken(client);
    await revokeToken({ token: accessToken }, basic(otherClient.id, otherClient.secret));
    await revokeToken({ token: client.secret }, basic(otherClient.id, otherClient.secret));
    await revokeToken({ token: accessToken, client_id: otherClient.id });
    await verify(accessToken);
  });

  it('wrong credentials get invalid_client, and a missing or repeated token gets invalid_request', async () => {
    const accessToken = await issueToken(client);
    await assertError(revokeToken({ token: accessToken }, basic(client.id, createSecret('cs'))), 'invalid_client');
    await assertError(revokeToken({ token: accessToken, client_id: 'cl_x', client_secret: 'y' }), 'invalid_client');
    await verify(accessToken);
    await assertError(revokeToken({}), 'invalid_request');
    const form: Parameters = [
      ['token', accessToken],
      ['token', accessToken],
    ];
    await assertError(revoke(setup.context, { form, authorization: undefined }), 'invalid_request');
  });

  it('the revocation of a client’s secret revokes the client and all its tokens, and a repetition succeeds', async () => {
    const revokedClient = await registerClient(setup.context);
    const { id, secret } = revokedClient;
    const revocation = { token: secret, client_id: id, client_secret: secret };
    const tokens = await Promise.all(Array.from({ length: 5 }, () => issueToken(revokedClient)));
    const raceResults = Array.from({ length: 20 }, () => issueToken(revokedClient).catch(() => ''));
    await revokeToken({ ...revocation, token_type_hint: 'client_secret' });
    for (const accessToken of [...tokens, ...(await Promise.all(raceResults))]) {
      await assertError(verify(accessToken), 'invalid_token');
    }
    await assertError(ask(createForm(revokedClient)), 'invalid_client');
    await revokeToken(revocation);
    await revokeToken({ token: revokedClient.secret });
  });
});

it('the log of registrations, issued tokens and revocations contains no secret and no token', async () => {
  const revokedClient = await registerClient(setup.context);
  const accessToken = await issueToken(revokedClient);
  await revokeToken({ token: accessToken }, basic(revokedClient.id, revokedClient.secret));
  await revokeToken({ token: revokedClient.secret });
  const log = setup.logLines.join('\n');
  for (const event of ['client.registered', 'token.issued', 'token.revoked', 'client.revoked'])
    assert.ok(log.includes(event));
  for (const secret of [revokedClient.secret, revokedClient.registrationToken, accessToken])
    assert.ok(!log.includes(secret));
});
