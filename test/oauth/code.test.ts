/** Tests the authorization code flow without HTTP: request, consent, exchange (RFC 6749 section 4.1, RFC 7636, RFC 9207). */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Code } from '../../src/base/problem-codes.ts';
import { authorize, type Consent, decide } from '../../src/oauth/authorize.ts';
import { revoke } from '../../src/oauth/revoke.ts';
import { createSecret } from '../../src/oauth/secrets.ts';
import { exchangeToken } from '../../src/oauth/token.ts';
import {
  assertError,
  baseUrl,
  basic,
  catchError,
  createSetup,
  parameters,
  type RegisteredClient,
  readStoreFiles,
  registerClient,
  type Setup,
  verifyAccessToken,
} from './setup.ts';

const redirectUri = 'https://client.example/cb?tenant=1';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

let setup: Setup;
let client: RegisteredClient;
let publicClient: RegisteredClient;
before(async () => {
  setup = await createSetup();
  client = await registerClient(setup.context, {
    client_name: '<b>Client</b>',
    redirect_uris: [redirectUri, 'http://127.0.0.1/cb'],
    scope: 'read:docs export:docs',
  });
  publicClient = await registerClient(setup.context, {
    redirect_uris: ['com.example.app:/cb'],
    token_endpoint_auth_method: 'none',
  });
});
after(() => setup.close());

type Values = Record<string, string | undefined>;

const createQuery = (changes: Values = {}): Values => ({
  response_type: 'code',
  client_id: client.id,
  redirect_uri: redirectUri,
  state: 'a state & more',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  ...changes,
});

const requestAuthorization = (changes: Values = {}) => authorize(setup.context, parameters(createQuery(changes)));

async function requestConsent(changes: Values = {}): Promise<Consent> {
  const answer = await requestAuthorization(changes);
  return answer.kind === 'consent' ? answer : assert.fail(answer.location);
}

const submit = (ticket: string, decision: string) => decide(setup.context, parameters({ ticket, decision }));

async function newCode(changes: Values = {}): Promise<string> {
  const { ticket } = await requestConsent(changes);
  const { location } = await submit(ticket, 'allow');
  return new URL(location).searchParams.get('code') ?? assert.fail(location);
}

const exchange = (values: Values, authorization?: string) =>
  exchangeToken(setup.context, {
    form: parameters({ grant_type: 'authorization_code', code_verifier: verifier, ...values }),
    authorization,
  });

const verify = (accessToken: string) => verifyAccessToken(setup.context.store, accessToken, setup.clock.now(), baseUrl);

const getBasic = () => basic(client.id, client.secret);

describe('GET /oauth/authorize (RFC 6749 section 4.1.1): invalid_request, unauthorized_client, unsupported_response_type, invalid_scope, invalid_target', () => {
  it('a valid request gets a consent page with the client, the redirect host and a description of each scope', async () => {
    const { ticket, ...page } = await requestConsent({ scope: 'export:docs' });
    assert.match(ticket, /^ct_/);
    assert.deepEqual(page, {
      kind: 'consent',
      clientId: client.id,
      clientName: '<b>Client</b>',
      redirectHost: 'client.example',
      redirectOrigin: 'https://client.example',
      scopes: [{ name: 'export:docs', description: 'starting and polling export jobs' }],
    });
    assert.deepEqual(
      (await requestConsent()).scopes.map(({ name }) => name),
      ['read:docs', 'export:docs'],
    );
  });

  it('a loopback redirect URI may have any port, and redirect_uri is optional if only one is registered', async () => {
    assert.equal((await requestConsent({ redirect_uri: 'http://127.0.0.1:50000/cb' })).redirectHost, '127.0.0.1:50000');
    assert.equal(
      (await requestConsent({ client_id: publicClient.id, redirect_uri: undefined })).redirectHost,
      'com.example.app:',
    );
  });

  const documentFaults: [string, Values][] = [
    ['no client_id', { client_id: undefined }],
    ['an unknown client', { client_id: 'cl_0000000000000000' }],
    ['a malformed client_id', { client_id: '<script>' }],
    ['an unregistered redirect URI', { redirect_uri: 'https://evil.example/cb' }],
    ['an extra parameter in the redirect URI', { redirect_uri: `${redirectUri}&x=1` }],
    ['another path in the redirect URI', { redirect_uri: 'http://127.0.0.1:5000/other' }],
    ['no redirect URI although two are registered', { redirect_uri: undefined }],
  ];
  for (const [name, changes] of documentFaults) {
    it(`a request with ${name} gets a problem document (RFC 6749 section 4.1.2.1)`, async () => {
      await assertError(requestAuthorization(changes), 'invalid_request');
    });
  }
  for (const name of ['client_id', 'redirect_uri']) {
    it(`a request with a repeated ${name} gets a problem document`, async () => {
      const form = [...parameters(createQuery()), [name, 'https://evil.example/'] as const];
      await assertError(authorize(setup.context, form), 'invalid_request');
    });
  }

  const redirectFaults: [string, Values, string][] = [
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['a hybrid flow', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['another response mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['no code challenge (RFC 7636 section 4.4.1)', { code_challenge: undefined }, 'invalid_request'],
    ['the challenge method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no challenge method (plain by default)', { code_challenge_method: undefined }, 'invalid_request'],
    ['the challenge method in lower case', { code_challenge_method: 's256' }, 'invalid_request'],
    ['a code challenge of another length', { code_challenge: 'abc' }, 'invalid_request'],
    ['an unknown scope', { scope: 'admin' }, 'invalid_scope'],
    ['a scope beyond the registration', { scope: 'read:faq' }, 'invalid_scope'],
    ['a resource of another server (RFC 8707)', { resource: 'https://other.example/' }, 'invalid_target'],
  ];
  for (const [name, changes, error] of redirectFaults) {
    it(`a request with ${name} redirects with ${error}, state and iss`, async () => {
      const answer = await requestAuthorization(changes);
      assert.ok(answer.kind === 'redirect');
      const url = new URL(answer.location);
      assert.equal(url.origin + url.pathname, 'https://client.example/cb');
      const { error_description, ...rest } = Object.fromEntries(url.searchParams);
      assert.ok(error_description);
      assert.deepEqual(rest, { tenant: '1', error, state: 'a state & more', iss: baseUrl });
    });
  }

  it('a repeated parameter redirects with invalid_request, a client without this grant with unauthorized_client', async () => {
    const response = await authorize(setup.context, [...parameters(createQuery()), ['scope', 'a'], ['scope', 'b']]);
    assert.ok(response.kind === 'redirect' && response.location.includes('error=invalid_request'));
    const otherClient = await registerClient(setup.context, {
      redirect_uris: [redirectUri],
      grant_types: ['client_credentials'],
    });
    const answer = await requestAuthorization({ client_id: otherClient.id });
    assert.ok(answer.kind === 'redirect' && answer.location.includes('error=unauthorized_client'));
  });
});

describe('POST /oauth/authorize, the consent form (RFC 6749 section 4.1.2): access_denied', () => {
  it('the decision allow redirects with a code, the state and the issuer (RFC 9207)', async () => {
    const { location } = await submit((await requestConsent()).ticket, 'allow');
    const { code, ...rest } = Object.fromEntries(new URL(location).searchParams);
    assert.match(code ?? '', /^ac_/);
    assert.deepEqual(rest, { tenant: '1', state: 'a state & more', iss: baseUrl });
    const withoutState = await submit((await requestConsent({ state: undefined })).ticket, 'allow');
    assert.equal(new URL(withoutState.location).searchParams.has('state'), false);
  });

  it('the decision deny redirects with access_denied', async () => {
    const { location } = await submit((await requestConsent()).ticket, 'deny');
    const { error_description, ...rest } = Object.fromEntries(new URL(location).searchParams);
    assert.ok(error_description);
    assert.deepEqual(rest, { tenant: '1', error: 'access_denied', state: 'a state & more', iss: baseUrl });
  });

  it('the ticket works once and expires after ten minutes', async () => {
    const { ticket } = await requestConsent();
    await assertError(submit(ticket, 'maybe'), 'invalid_request');
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => submit(ticket, 'allow')));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    const lateConsent = await requestConsent();
    await setup.clock.advance(600_000);
    await assertError(submit(lateConsent.ticket, 'allow'), 'invalid_request');
    await assertError(submit(createSecret('ct'), 'allow'), 'invalid_request');
    await assertError(submit('nonsense', 'allow'), 'invalid_request');
  });

  it('a client that was revoked in the meantime gets no code', async () => {
    const revokedClient = await registerClient(setup.context, { redirect_uris: [redirectUri] });
    const { ticket } = await requestConsent({ client_id: revokedClient.id });
    await revoke(setup.context, { form: parameters({ token: revokedClient.secret }), authorization: undefined });
    const { location } = await submit(ticket, 'allow');
    assert.equal(new URL(location).searchParams.get('error'), 'unauthorized_client');
    await assertError(requestAuthorization({ client_id: revokedClient.id }), 'invalid_request');
  });
});

describe('POST /oauth/token with grant_type authorization_code and PKCE (RFC 6749 section 4.1.3, RFC 7636): invalid_grant', () => {
  it('the token has the scopes that the person allowed, or fewer if the request has a narrower scope', async () => {
    const answer = await exchange(
      { code: await newCode({ scope: 'read:docs' }), redirect_uri: redirectUri },
      getBasic(),
    );
    assert.equal(answer.scope, 'read:docs');
    assert.equal((await verify(answer.access_token)).clientId, client.id);
    assert.equal((await exchange({ code: await newCode(), scope: 'export:docs' }, getBasic())).scope, 'export:docs');
    await assertError(
      exchange({ code: await newCode({ scope: 'read:docs' }), scope: 'export:docs' }, getBasic()),
      'invalid_scope',
    );
  });

  it('a public client needs only its ID and the verifier', async () => {
    const code = await newCode({ client_id: publicClient.id, redirect_uri: undefined });
    await assertError(
      exchange({ code, client_id: publicClient.id, client_secret: createSecret('cs') }),
      'invalid_client',
    );
    const { access_token } = await exchange({ code, client_id: publicClient.id });
    assert.equal((await verify(access_token)).clientId, publicClient.id);
  });

  it('a code redeemed 50 times at once yields one token, and the repetitions revoke the token', async () => {
    const code = await newCode();
    const answers = await Promise.allSettled(Array.from({ length: 50 }, () => exchange({ code }, getBasic())));
    const tokens = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.access_token] : []));
    assert.equal(tokens.length, 1);
    await assertError(verify(tokens[0] ?? ''), 'invalid_token');
  });

  it('a code used again gets invalid_grant, and its access token is revoked (RFC 6749 section 4.1.2)', async () => {
    const code = await newCode();
    const { access_token } = await exchange({ code }, getBasic());
    await verify(access_token);
    await assertError(exchange({ code }, getBasic()), 'invalid_grant');
    await assertError(verify(access_token), 'invalid_token');
    assert.ok(setup.logLines.some((line) => line.includes('code.replayed')));
    assert.ok(!setup.logLines.some((line) => line.includes(code)));
  });

  it('another client cannot use a code up, nor learn that it exists', async () => {
    const otherClient = await registerClient(setup.context, { redirect_uris: [redirectUri] });
    const code = await newCode();
    const foreign = await assertError(exchange({ code }, basic(otherClient.id, otherClient.secret)), 'invalid_grant');
    const unknown = await assertError(exchange({ code: createSecret('ac') }, getBasic()), 'invalid_grant');
    assert.equal(foreign.message, unknown.message);
    const { access_token } = await exchange({ code }, getBasic());
    await assertError(exchange({ code }, basic(otherClient.id, otherClient.secret)), 'invalid_grant');
    await verify(access_token);
  });

  it('a code expires after 60 seconds', async () => {
    const code = await newCode();
    const lateCode = await newCode();
    await setup.clock.advance(59_999);
    await exchange({ code }, getBasic());
    await setup.clock.advance(1);
    await assertError(exchange({ code: lateCode }, getBasic()), 'invalid_grant');
  });

  const faults: [string, Values, Code][] = [
    ['no code', { code: undefined }, 'invalid_request'],
    ['a malformed code', { code: 'nonsense' }, 'invalid_grant'],
    ['no verifier (a downgrade to a flow without PKCE)', { code_verifier: undefined }, 'invalid_request'],
    ['a short verifier', { code_verifier: 'a'.repeat(42) }, 'invalid_request'],
    ['a verifier of invalid characters', { code_verifier: 'ä'.repeat(43) }, 'invalid_request'],
    ['a wrong verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    ['the challenge as verifier', { code_verifier: challenge }, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1/cb' }, 'invalid_grant'],
  ];
  for (const [name, changes, error] of faults) {
    it(`a request with ${name} gets ${error}, and the code stays usable`, async () => {
      const code = await newCode();
      await assertError(exchange({ code, ...changes }, getBasic()), error);
      await exchange({ code }, getBasic());
    });
  }

  it('a code of a revoked client is refused', async () => {
    const revokedClient = await registerClient(setup.context, { redirect_uris: [redirectUri] });
    const code = await newCode({ client_id: revokedClient.id });
    await revoke(setup.context, { form: parameters({ token: revokedClient.secret }), authorization: undefined });
    await assertError(exchange({ code }, basic(revokedClient.id, revokedClient.secret)), 'invalid_client');
  });
});

it('the database and the log of the authorization code flow contain no secret, token, code or ticket', async () => {
  const { ticket } = await requestConsent();
  const openConsent = await requestConsent();
  const { location } = await submit(ticket, 'allow');
  const code = new URL(location).searchParams.get('code') ?? '';
  const { access_token } = await exchange({ code }, getBasic());
  const unusedCode = await newCode();
  const secrets = [
    client.secret,
    client.registrationToken,
    ticket,
    openConsent.ticket,
    code,
    unusedCode,
    access_token,
    verifier,
  ];
  const files = readStoreFiles(setup);
  assert.ok(files.some((content) => content.includes(client.id)));
  for (const secret of secrets) {
    const bare = secret.replace(/^[a-z]+_/, '');
    for (const content of [...files, ...setup.logLines]) assert.ok(!content.includes(bare), secret.slice(0, 4));
  }
});

it('GET /oauth/authorize with a closed store gets upstream_unavailable, not a redirect', async () => {
  const closedSetup = await createSetup();
  await closedSetup.close();
  const error = await catchError(authorize(closedSetup.context, parameters(createQuery())));
  assert.equal(error.code, 'upstream_unavailable');
});
