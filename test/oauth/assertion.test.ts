/** Tests which identity assertions (RFC 7523, ID-JAG draft) get a token or register a client, and the reason others are refused. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { jwtBearerGrant } from '../../src/oauth/client-metadata.ts';
import { register } from '../../src/oauth/register.ts';
import { exchangeToken } from '../../src/oauth/token.ts';
import { idJag, jwt, trustIssuers } from '../../src/oauth/trusted-issuers.ts';
import { type HttpListener, startHttpListener } from '../support/http-listener.ts';
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
  start,
  verifyAccessToken,
} from './setup.ts';

const issuer = 'https://idp.example';
const inlineIssuer = 'https://inline.example';
const now = start / 1000;

let setup: Setup;
let client: RegisteredClient;
let provider: HttpListener;
/** The paths of the requests to the provider, oldest first. */
const requestPaths: string[] = [];
interface KeyResponse {
  readonly status: number;
  readonly body: string;
  readonly location?: string;
}
/** The response of the provider at `/keys`, which some tests replace. */
let keySet: KeyResponse;
let keys: { privateKey: CryptoKey; publicKey: CryptoKey };
let publicJwk: JWK;
let otherKeys: typeof keys;

before(async () => {
  keys = await generateKeyPair('ES256', { extractable: true });
  otherKeys = await generateKeyPair('ES256');
  publicJwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  keySet = { status: 200, body: JSON.stringify({ keys: [publicJwk] }) };
  const attackerJwk = { ...publicJwk, ...(await exportJWK(otherKeys.publicKey)) };
  const validKeySet = keySet;
  const attackerKeySet: KeyResponse = { status: 200, body: JSON.stringify({ keys: [attackerJwk] }) };
  provider = await startHttpListener(({ url = '' }, response) => {
    requestPaths.push(url);
    const { status, body, location } = url === '/keys' ? keySet : url === '/moved' ? validKeySet : attackerKeySet;
    const headers = location === undefined ? {} : { location };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  setup = await createSetup([
    { issuer, jwksUri: jwksUri() },
    {
      issuer: `${issuer}/limited`,
      jwks: { keys: [publicJwk] },
      maxScopes: ['read:docs'],
      clientIds: ['agent.example'],
    },
    { issuer: inlineIssuer, jwks: { keys: [publicJwk] }, assertionTypes: [jwt] },
    {
      issuer: `${issuer}/unnamed`,
      jwks: { keys: [await exportJWK(otherKeys.publicKey), await exportJWK(keys.publicKey)] },
    },
  ]);
  client = await registerClient(setup.context, { grant_types: ['client_credentials', jwtBearerGrant] });
});
after(async () => {
  await provider.close();
  await setup.close();
});

const jwksUri = (): string => `${provider.origin}/keys`;

const countRequests = (path: string): number => requestPaths.filter((requestPath) => requestPath === path).length;

interface Shape {
  header?: Record<string, unknown>;
  /** Claims to add or to replace. A value of undefined removes the claim. */
  claims?: Record<string, unknown>;
  key?: CryptoKey | Uint8Array;
}

let jti = 0;
async function createAssertion({ header = {}, claims = {}, key = keys.privateKey }: Shape = {}): Promise<string> {
  jti += 1;
  const defaults = {
    iss: issuer,
    sub: 'person',
    aud: baseUrl,
    client_id: client.id,
    jti: `jti-${jti}`,
    iat: now,
    exp: now + 300,
  };
  return new SignJWT({ ...defaults, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'oauth-id-jag+jwt', ...header })
    .sign(key);
}

const createPlainJwt = (shape: Shape = {}) =>
  createAssertion({
    ...shape,
    header: { typ: 'JWT', ...shape.header },
    claims: { client_id: undefined, ...shape.claims },
  });

const redeem = (assertion: string, more: Record<string, string> = {}) =>
  exchangeToken(setup.context, {
    form: parameters({ grant_type: jwtBearerGrant, assertion, ...more }),
    authorization: basic(client.id, client.secret),
  });

const registerWith = (assertionType: string, assertion: string, idempotencyKey: string | null = null) =>
  register(setup.context, {
    body: { client_name: 'Agent', type: 'identity_assertion', assertion_type: assertionType, assertion },
    principal: 'address:192.0.2.1',
    idempotencyKey,
  });

async function assertRefusal(promise: Promise<unknown>, reason: string): Promise<void> {
  const error = await assertError(promise, 'invalid_grant');
  assert.equal(error.options.members?.reason, reason);
  const line = setup.logLines.at(-1) ?? '';
  assert.ok(line.includes('assertion.refused') && line.includes(reason), line);
}

describe('POST /oauth/token with grant_type urn:ietf:params:oauth:grant-type:jwt-bearer (RFC 7523): invalid_grant', () => {
  it('an ID-JAG gets a token that is attributed to a person, without a refresh token', async () => {
    const response = await redeem(await createAssertion());
    assert.deepEqual(Object.keys(response), ['access_token', 'token_type', 'expires_in', 'scope']);
    const principal = await verifyAccessToken(setup.context.store, response.access_token, setup.clock.now(), baseUrl);
    assert.deepEqual([principal.clientId, principal.identityType], [client.id, 'identity_assertion']);
  });

  it('an ID-JAG may have aud as an array of one, resource within this service, and typ as a full media type', async () => {
    await redeem(await createAssertion({ claims: { aud: [baseUrl], resource: [`${baseUrl}/api/v1`] } }));
    await redeem(await createAssertion({ header: { typ: 'application/OAuth-ID-JAG+jwt' } }));
  });

  const edges: [string, Record<string, unknown>][] = [
    ['a subject of 255 characters', { sub: 's'.repeat(255) }],
    ['an exp 29 seconds in the past', { iat: now - 300, exp: now - 29 }],
    ['an iat 60 seconds in the future', { iat: now + 60, exp: now + 300 }],
    ['an nbf 60 seconds in the future', { nbf: now + 60 }],
    ['an iat 630 seconds in the past', { iat: now - 630, exp: now + 300 }],
    ['a lifetime of 3,600 seconds', { iat: now, exp: now + 3600 }],
    ['a jti of 256 characters', { jti: 'j'.repeat(256) }],
  ];
  for (const [name, claims] of edges) {
    it(`an ID-JAG may have ${name}`, async () => {
      assert.equal((await redeem(await createAssertion({ claims }))).token_type, 'Bearer');
    });
  }

  it('the scope is limited to the assertion’s scope claim and the issuer’s max_scopes', async () => {
    const scoped = { claims: { scope: 'read:docs read:faq other:scope' } };
    assert.equal((await redeem(await createAssertion(scoped))).scope, 'read:docs read:faq');
    assert.equal((await redeem(await createAssertion(scoped), { scope: 'read:faq' })).scope, 'read:faq');
    await assertError(redeem(await createAssertion(scoped), { scope: 'export:docs' }), 'invalid_scope');
    await assertError(redeem(await createAssertion({ claims: { scope: 'other:scope' } })), 'invalid_scope');
    const limited = { claims: { iss: `${issuer}/limited` } };
    assert.equal((await redeem(await createAssertion(limited))).scope, 'read:docs');
  });

  it('an ID-JAG without kid may be signed by any key without kid of its issuer', async () => {
    await redeem(await createAssertion({ header: { kid: undefined }, claims: { iss: `${issuer}/unnamed` } }));
  });

  it('an ID-JAG sent 20 times at once is accepted once, and a later repetition gets replay_detected', async () => {
    const assertion = await createAssertion();
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => redeem(assertion)));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    await assertRefusal(redeem(assertion), 'replay_detected');
    await assertRefusal(registerWith(idJag, assertion), 'replay_detected');
  });

  const faults: [string, Shape, string][] = [
    ['an unknown issuer', { claims: { iss: 'https://evil.example' } }, 'invalid_issuer'],
    ['an extra slash in the issuer', { claims: { iss: `${issuer}/` } }, 'invalid_issuer'],
    ['an issuer that is not a string', { claims: { iss: { a: 1 } } }, 'invalid_issuer'],
    ['no issuer', { claims: { iss: undefined } }, 'invalid_issuer'],
    ['the typ JWT', { header: { typ: 'JWT' } }, 'invalid_type'],
    ['no typ', { header: { typ: undefined } }, 'invalid_type'],
    ['the typ of an access token', { header: { typ: 'at+jwt' } }, 'invalid_type'],
    ['an unknown kid', { header: { kid: 'two' } }, 'invalid_signature'],
    ['another audience', { claims: { aud: 'https://other.example' } }, 'invalid_audience'],
    ['the token endpoint as audience', { claims: { aud: `${baseUrl}/oauth/token` } }, 'invalid_audience'],
    ['two audiences', { claims: { aud: [baseUrl, 'https://other.example'] } }, 'invalid_audience'],
    ['no audience', { claims: { aud: undefined } }, 'invalid_audience'],
    ['a subject of 256 characters', { claims: { sub: 's'.repeat(256) } }, 'invalid_subject'],
    ['no subject', { claims: { sub: undefined } }, 'invalid_subject'],
    ['an exp 30 seconds in the past', { claims: { iat: now - 300, exp: now - 30 } }, 'expired'],
    ['no exp', { claims: { exp: undefined } }, 'expired'],
    ['an exp that is not a number', { claims: { exp: '2030-01-01' } }, 'expired'],
    ['an iat 61 seconds in the future', { claims: { iat: now + 61, exp: now + 300 } }, 'not_yet_valid'],
    ['no iat', { claims: { iat: undefined } }, 'not_yet_valid'],
    ['an nbf 61 seconds in the future', { claims: { nbf: now + 61 } }, 'not_yet_valid'],
    ['an iat 631 seconds in the past', { claims: { iat: now - 631, exp: now + 300 } }, 'too_old'],
    ['a lifetime of 3,601 seconds', { claims: { exp: now + 3601 } }, 'too_long_lived'],
    ['a scope that is an array', { claims: { scope: ['read:docs'] } }, 'invalid_scope'],
    ['no jti', { claims: { jti: undefined } }, 'invalid_jti'],
    ['a jti of 257 characters', { claims: { jti: 'j'.repeat(257) } }, 'invalid_jti'],
    ['a cnf claim', { claims: { cnf: { jkt: 'x' } } }, 'proof_required'],
    ['the client_id of another client', { claims: { client_id: 'cl_0000000000000000' } }, 'invalid_client_id'],
    ['no client_id', { claims: { client_id: undefined } }, 'invalid_client_id'],
    ['a resource of another server', { claims: { resource: 'https://other.example' } }, 'invalid_resource'],
    ['claims 33 levels deep', { claims: { deep: JSON.parse('['.repeat(32) + ']'.repeat(32)) } }, 'malformed'],
    ['more than 8 KB', { claims: { padding: 'x'.repeat(8192) } }, 'malformed'],
    ['an issuer whose assertion_types exclude id-jag', { claims: { iss: inlineIssuer } }, 'unsupported_assertion_type'],
  ];
  for (const [name, shape, reason] of faults) {
    it(`an ID-JAG with ${name} gets the reason ${reason}`, async () =>
      assertRefusal(redeem(await createAssertion(shape)), reason));
  }

  it('an ID-JAG signed by another key gets invalid_signature, both with a known kid and without kid', async () => {
    await assertRefusal(redeem(await createAssertion({ key: otherKeys.privateKey })), 'invalid_signature');
    const shape = { header: { kid: undefined }, claims: { iss: `${issuer}/unnamed` } };
    const { privateKey } = await generateKeyPair('ES256');
    await assertRefusal(redeem(await createAssertion({ ...shape, key: privateKey })), 'invalid_signature');
  });

  it('an ID-JAG without a signature is refused (RFC 8725 section 3.1)', async () => {
    const [, payload] = (await createAssertion()).split('.');
    for (const alg of ['none', 'None', 'NONE']) {
      const header = Buffer.from(JSON.stringify({ alg, typ: 'oauth-id-jag+jwt' })).toString('base64url');
      await assertRefusal(redeem(`${header}.${payload}.`), 'invalid_algorithm');
    }
  });

  it('an ID-JAG signed with HS256 and the public key as secret gets invalid_algorithm', async () => {
    const [, payload] = (await createAssertion()).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'one', typ: 'oauth-id-jag+jwt' })).toString(
      'base64url',
    );
    for (const key of [await exportSPKI(keys.publicKey), JSON.stringify(publicJwk)]) {
      const signature = createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url');
      await assertRefusal(redeem(`${header}.${payload}.${signature}`), 'invalid_algorithm');
    }
  });

  it('an ID-JAG signed with the key of its own jwk, jku or x5u gets invalid_signature, and no such URL is fetched', async () => {
    const attackerJwk = await exportJWK(otherKeys.publicKey);
    const url = `${provider.origin}/attacker`;
    for (const header of [{ jwk: attackerJwk }, { jku: url }, { x5u: url }]) {
      await assertRefusal(redeem(await createAssertion({ header, key: otherKeys.privateKey })), 'invalid_signature');
    }
    assert.equal(countRequests('/attacker'), 0);
  });

  it('an ID-JAG with crit in its header gets malformed', async () => {
    await assertRefusal(redeem(await createCriticalAssertion()), 'malformed');
  });

  for (const text of ['', 'x', 'a.b.c', '..', 'e30.e30.', 'a.b.c.d.e', `${'a'.repeat(9000)}.b.c`, 'bnVsbA.bnVsbA.x']) {
    it(`the assertion ${JSON.stringify(text.slice(0, 12))} is refused`, async () => {
      const error = await catchError(redeem(text));
      assert.equal(error.code, text === '' ? 'invalid_request' : 'invalid_grant');
    });
  }

  it('an ID-JAG of an untrusted issuer gets invalid_issuer, and nothing is fetched from any issuer', async () => {
    const paths = [...requestPaths];
    const claims = { iss: `${provider.origin}/attacker` };
    await assertRefusal(redeem(await createAssertion({ claims, key: otherKeys.privateKey })), 'invalid_issuer');
    assert.deepEqual(requestPaths, paths);
  });

  it('a client that is not registered for the grant gets unauthorized_client', async () => {
    const otherClient = await registerClient(setup.context);
    const form = parameters({ grant_type: jwtBearerGrant, assertion: await createAssertion() });
    await assertError(
      exchangeToken(setup.context, { form, authorization: basic(otherClient.id, otherClient.secret) }),
      'unauthorized_client',
    );
  });
});

describe('POST /oauth/register with an identity assertion (RFC 7523 section 3): invalid_grant', () => {
  it('an assertion registers one client with its issuer and subject, and a repetition gets replay_detected', async () => {
    const assertion = await createAssertion({ claims: { client_id: 'https://agent.example/client' } });
    const { client: registration } = await registerWith(idJag, assertion);
    assert.equal(registration.registration_type, 'agent-provider');
    const record = await setup.context.store.findClient(String(registration.client_id));
    assert.deepEqual(
      [record?.identityType, record?.assertionIssuer, record?.assertionSubject],
      ['identity_assertion', issuer, 'person'],
    );
    await assertRefusal(registerWith(idJag, assertion), 'replay_detected');
  });

  it('a plain JWT is accepted if assertion_type is jwt and aud is the base URL or the token endpoint', async () => {
    await registerWith(jwt, await createPlainJwt());
    await registerWith(jwt, await createPlainJwt({ header: { typ: undefined }, claims: { iss: inlineIssuer } }));
    await registerWith(jwt, await createPlainJwt({ claims: { aud: `${baseUrl}/oauth/token` } }));
    await assertRefusal(redeem(await createPlainJwt()), 'invalid_type');
    await assertRefusal(registerWith(jwt, await createAssertion()), 'invalid_type');
    await assertRefusal(registerWith(idJag, await createPlainJwt()), 'invalid_type');
    await assertRefusal(registerWith(jwt, await createPlainJwt({ claims: { aud: client.id } })), 'invalid_audience');
  });

  it('the client IDs and scopes are limited to client_ids and max_scopes of the issuer', async () => {
    const limited = { iss: `${issuer}/limited` };
    const { client: registration } = await registerWith(
      idJag,
      await createAssertion({ claims: { ...limited, client_id: 'agent.example' } }),
    );
    assert.equal(registration.scope, 'read:docs');
    await assertRefusal(registerWith(idJag, await createAssertion({ claims: limited })), 'invalid_client_id');
  });

  it('a repetition with the same Idempotency-Key returns the same client, even after the assertion expired', async () => {
    const assertion = await createAssertion();
    const answers = await Promise.all(Array.from({ length: 10 }, () => registerWith(idJag, assertion, 'key')));
    assert.equal(new Set(answers.map((answer) => answer.client.client_secret)).size, 1);
    await setup.clock.advance(3_600_000);
    const repetition = await registerWith(idJag, assertion, 'key');
    assert.deepEqual([repetition.replayed, repetition.client], [true, answers[0]?.client]);
    await assertRefusal(registerWith(idJag, assertion, 'another'), 'expired');
  });
});

describe('ASSERTION_ISSUERS_FILE, jwks_uri of an issuer: upstream_unavailable, temporarily_unavailable', () => {
  const failing: [string, () => KeyResponse][] = [
    ['status 500', () => ({ status: 500, body: '' })],
    ['JSON that is not a key set', () => ({ status: 200, body: '[1]' })],
    ['HTML', () => ({ status: 200, body: '<html>' })],
    [
      'more than 256 KB',
      () => ({ status: 200, body: JSON.stringify({ keys: [publicJwk], pad: 'x'.repeat(262_144) }) }),
    ],
    ['a redirect to valid keys', () => ({ status: 302, body: '', location: `${provider.origin}/moved` })],
  ];
  async function createSender(uri: string) {
    const context = { ...setup.context, issuers: trustIssuers([{ issuer, jwksUri: uri }]) };
    const time = Math.floor(setup.clock.now() / 1000);
    const shape = (): Shape => ({ claims: { iat: time, exp: time + 300 } });
    return async () =>
      exchangeToken(context, {
        form: parameters({ grant_type: jwtBearerGrant, assertion: await createAssertion(shape()) }),
        authorization: basic(client.id, client.secret),
      });
  }

  for (const [name, createKeySet] of failing) {
    it(`the token request gets 503 while jwks_uri returns ${name}, and succeeds after that`, async () => {
      const validKeySet = keySet;
      const send = await createSender(jwksUri());
      keySet = createKeySet();
      const error = await assertError(send(), 'upstream_unavailable', 'temporarily_unavailable');
      assert.equal(error.options.retryAfter, 30);
      assert.equal(countRequests('/moved'), 0);
      keySet = validKeySet;
      await send();
    });
  }

  it('the token request gets 503 if jwks_uri cannot be reached', async () => {
    const send = await createSender('http://127.0.0.1:1/keys');
    await assertError(send(), 'upstream_unavailable', 'temporarily_unavailable');
  });

  it('the keys are fetched once for five assertions', async () => {
    const send = await createSender(jwksUri());
    const before = countRequests('/keys');
    for (let count = 0; count < 5; count += 1) await send();
    assert.equal(countRequests('/keys'), before + 1);
  });

  it('trustIssuers reports every fault of invalid issuers in one error', () => {
    const settings = [
      { issuer: 'https://a.example' },
      { issuer: 'https://b.example', jwksUri: 'http://b.example/keys' },
      { issuer: 'https://c.example', jwksUri: 'https://c.example/keys', algorithms: ['HS256', 'none'] },
      { issuer: 'https://d.example', jwksUri: 'https://d.example/keys' },
      { issuer: 'https://d.example', jwks: { keys: [] } },
    ];
    assert.throws(
      () => trustIssuers(settings),
      ({ message }: Error) => {
        for (const part of [
          'a.example: give either',
          'b.example: jwks_uri must be an https',
          'HS256',
          'none',
          'd.example: is listed twice',
        ]) {
          assert.ok(message.includes(part), message);
        }
        return true;
      },
    );
  });
});

/** Returns an assertion with `crit` in its header and an invalid signature, because jose does not sign an unknown extension. */
async function createCriticalAssertion(): Promise<string> {
  const [, payload, signature] = (await createAssertion()).split('.');
  const header = { alg: 'ES256', kid: 'one', typ: 'oauth-id-jag+jwt', crit: ['exp'], exp: 1 };
  return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}.${signature}`;
}
