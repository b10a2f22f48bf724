/** Identity assertions (RFC 7523, the ID-JAG draft): a small identity provider, its good assertions and its bad ones. */
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
  baseUrl,
  basic,
  createSetup,
  failure,
  parameters,
  type Registered,
  refused,
  registerClient,
  type Setup,
  start,
  verifyAccessToken,
} from './setup.ts';

const issuer = 'https://idp.example';
const inlineIssuer = 'https://inline.example';
const now = start / 1000;

let setup: Setup;
let client: Registered;
let provider: HttpListener;
let requests = 0;
/** The response of the provider, whose keys the tests publish and withdraw. */
let keySet: { status: number; body: string; location?: string };
let keys: { privateKey: CryptoKey; publicKey: CryptoKey };
let publicJwk: JWK;
let otherKeys: typeof keys;

before(async () => {
  keys = await generateKeyPair('ES256', { extractable: true });
  otherKeys = await generateKeyPair('ES256');
  publicJwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  keySet = { status: 200, body: JSON.stringify({ keys: [publicJwk] }) };
  provider = await startHttpListener((_request, response) => {
    requests += 1;
    const headers = keySet.location === undefined ? {} : { location: keySet.location };
    response.writeHead(keySet.status, { 'content-type': 'application/json', ...headers }).end(keySet.body);
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

interface Shape {
  header?: Record<string, unknown>;
  /** undefined removes a claim. */
  claims?: Record<string, unknown>;
  key?: CryptoKey | Uint8Array;
}

let jti = 0;
async function assertion({ header = {}, claims = {}, key = keys.privateKey }: Shape = {}): Promise<string> {
  jti += 1;
  const all = {
    iss: issuer,
    sub: 'person',
    aud: baseUrl,
    client_id: client.id,
    jti: `jti-${jti}`,
    iat: now,
    exp: now + 300,
  };
  return new SignJWT({ ...all, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'oauth-id-jag+jwt', ...header })
    .sign(key);
}

const plainJwt = (shape: Shape = {}) =>
  assertion({ ...shape, header: { typ: 'JWT', ...shape.header }, claims: { client_id: undefined, ...shape.claims } });

const present = (sent: string, more: Record<string, string> = {}) =>
  exchangeToken(setup.context, {
    form: parameters({ grant_type: jwtBearerGrant, assertion: sent, ...more }),
    authorization: basic(client.id, client.secret),
  });

const registerWith = (assertionType: string, sent: string, idempotencyKey: string | null = null) =>
  register(setup.context, {
    body: { client_name: 'Agent', type: 'identity_assertion', assertion_type: assertionType, assertion: sent },
    principal: 'address:192.0.2.1',
    idempotencyKey,
  });

async function refusedBecause(promise: Promise<unknown>, reason: string): Promise<void> {
  const error = await refused(promise, 'invalid_grant');
  assert.equal(error.options.members?.reason, reason);
  const line = setup.logged.at(-1) ?? '';
  assert.ok(line.includes('assertion.refused') && line.includes(reason), line);
}

describe('POST /oauth/token with grant_type urn:ietf:params:oauth:grant-type:jwt-bearer (RFC 7523): invalid_grant', () => {
  it('an ID-JAG gets a token that is attributed to a person, without a refresh token', async () => {
    const answer = await present(await assertion());
    assert.deepEqual(Object.keys(answer), ['access_token', 'token_type', 'expires_in', 'scope']);
    const principal = await verifyAccessToken(setup.context.store, answer.access_token, setup.clock.now(), baseUrl);
    assert.deepEqual([principal.clientId, principal.identityType], [client.id, 'identity_assertion']);
  });

  it('an ID-JAG may have aud as an array of one, resource within this service, and typ as a full media type', async () => {
    await present(await assertion({ claims: { aud: [baseUrl], resource: [`${baseUrl}/api/v1`] } }));
    await present(await assertion({ header: { typ: 'application/OAuth-ID-JAG+jwt' } }));
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
      assert.equal((await present(await assertion({ claims }))).token_type, 'Bearer');
    });
  }

  it('the scope is limited to the assertion’s scope claim and the issuer’s max_scopes', async () => {
    const scoped = { claims: { scope: 'read:docs read:faq other:scope' } };
    assert.equal((await present(await assertion(scoped))).scope, 'read:docs read:faq');
    assert.equal((await present(await assertion(scoped), { scope: 'read:faq' })).scope, 'read:faq');
    await refused(present(await assertion(scoped), { scope: 'export:docs' }), 'invalid_scope');
    await refused(present(await assertion({ claims: { scope: 'other:scope' } })), 'invalid_scope');
    const limited = { claims: { iss: `${issuer}/limited` } };
    assert.equal((await present(await assertion(limited))).scope, 'read:docs');
  });

  it('an ID-JAG without kid may be signed by any key without kid of its issuer', async () => {
    await present(await assertion({ header: { kid: undefined }, claims: { iss: `${issuer}/unnamed` } }));
  });

  it('an ID-JAG sent 20 times at once is accepted once, and a later repetition gets replay_detected', async () => {
    const once = await assertion();
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => present(once)));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    await refusedBecause(present(once), 'replay_detected');
    await refusedBecause(registerWith(idJag, once), 'replay_detected');
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
      refusedBecause(present(await assertion(shape)), reason));
  }

  it('an ID-JAG signed by another key gets invalid_signature, both with a known kid and without kid', async () => {
    await refusedBecause(present(await assertion({ key: otherKeys.privateKey })), 'invalid_signature');
    const shape = { header: { kid: undefined }, claims: { iss: `${issuer}/unnamed` } };
    const { privateKey } = await generateKeyPair('ES256');
    await refusedBecause(present(await assertion({ ...shape, key: privateKey })), 'invalid_signature');
  });

  it('an ID-JAG without a signature is refused (RFC 8725 section 3.1)', async () => {
    const [, payload] = (await assertion()).split('.');
    for (const alg of ['none', 'None', 'NONE']) {
      const header = Buffer.from(JSON.stringify({ alg, typ: 'oauth-id-jag+jwt' })).toString('base64url');
      await refusedBecause(present(`${header}.${payload}.`), 'invalid_algorithm');
    }
  });

  it('an ID-JAG signed with HS256 and the public key as secret gets invalid_algorithm', async () => {
    const [, payload] = (await assertion()).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'one', typ: 'oauth-id-jag+jwt' })).toString(
      'base64url',
    );
    for (const key of [await exportSPKI(keys.publicKey), JSON.stringify(publicJwk)]) {
      const signature = createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url');
      await refusedBecause(present(`${header}.${payload}.${signature}`), 'invalid_algorithm');
    }
  });

  it('an ID-JAG with jwk, jku or x5u in its header gets invalid_signature, and one with crit malformed', async () => {
    const before = requests;
    const own = await exportJWK(otherKeys.publicKey);
    for (const header of [{ jwk: own }, { jku: 'http://127.0.0.1:1/' }, { x5u: 'http://127.0.0.1:1/' }]) {
      await refusedBecause(present(await assertion({ header, key: otherKeys.privateKey })), 'invalid_signature');
    }
    await refusedBecause(present(await criticalHeader()), 'malformed');
    assert.equal(requests, before);
  });

  for (const text of ['', 'x', 'a.b.c', '..', 'e30.e30.', 'a.b.c.d.e', `${'a'.repeat(9000)}.b.c`, 'bnVsbA.bnVsbA.x']) {
    it(`the assertion ${JSON.stringify(text.slice(0, 12))} is refused`, async () => {
      const error = await failure(present(text));
      assert.equal(error.code, text === '' ? 'invalid_request' : 'invalid_grant');
    });
  }

  it('an ID-JAG of an untrusted issuer gets invalid_issuer, and no key set of a trusted one is fetched', async () => {
    const before = requests;
    await refusedBecause(present(await assertion({ claims: { iss: 'https://evil.example' } })), 'invalid_issuer');
    assert.equal(requests, before);
  });

  it('a client that is not registered for the grant gets unauthorized_client', async () => {
    const other = await registerClient(setup.context);
    const form = parameters({ grant_type: jwtBearerGrant, assertion: await assertion() });
    await refused(
      exchangeToken(setup.context, { form, authorization: basic(other.id, other.secret) }),
      'unauthorized_client',
    );
  });
});

describe('POST /oauth/register with an identity assertion (RFC 7523 section 3): invalid_grant', () => {
  it('an assertion registers one client with its issuer and subject, and a repetition gets replay_detected', async () => {
    const sent = await assertion({ claims: { client_id: 'https://agent.example/client' } });
    const { client: registered } = await registerWith(idJag, sent);
    assert.equal(registered.registration_type, 'agent-provider');
    const stored = await setup.context.store.findClient(String(registered.client_id));
    assert.deepEqual(
      [stored?.identityType, stored?.assertionIssuer, stored?.assertionSubject],
      ['identity_assertion', issuer, 'person'],
    );
    await refusedBecause(registerWith(idJag, sent), 'replay_detected');
  });

  it('a plain JWT is accepted if assertion_type is jwt and aud is the base URL or the token endpoint', async () => {
    await registerWith(jwt, await plainJwt());
    await registerWith(jwt, await plainJwt({ header: { typ: undefined }, claims: { iss: inlineIssuer } }));
    await registerWith(jwt, await plainJwt({ claims: { aud: `${baseUrl}/oauth/token` } }));
    await refusedBecause(present(await plainJwt()), 'invalid_type');
    await refusedBecause(registerWith(jwt, await assertion()), 'invalid_type');
    await refusedBecause(registerWith(idJag, await plainJwt()), 'invalid_type');
    await refusedBecause(registerWith(jwt, await plainJwt({ claims: { aud: client.id } })), 'invalid_audience');
  });

  it('the client IDs and scopes are limited to client_ids and max_scopes of the issuer', async () => {
    const limited = { iss: `${issuer}/limited` };
    const { client: registered } = await registerWith(
      idJag,
      await assertion({ claims: { ...limited, client_id: 'agent.example' } }),
    );
    assert.equal(registered.scope, 'read:docs');
    await refusedBecause(registerWith(idJag, await assertion({ claims: limited })), 'invalid_client_id');
  });

  it('a repetition with the same Idempotency-Key returns the same client, even after the assertion expired', async () => {
    const sent = await assertion();
    const answers = await Promise.all(Array.from({ length: 10 }, () => registerWith(idJag, sent, 'key')));
    assert.equal(new Set(answers.map((answer) => answer.client.client_secret)).size, 1);
    await setup.clock.advance(3_600_000);
    const again = await registerWith(idJag, sent, 'key');
    assert.deepEqual([again.replayed, again.client], [true, answers[0]?.client]);
    await refusedBecause(registerWith(idJag, sent, 'another'), 'expired');
  });
});

describe('ASSERTION_ISSUERS_FILE, jwks_uri of an issuer: upstream_unavailable, temporarily_unavailable', () => {
  const failing: [string, () => typeof keySet][] = [
    ['status 500', () => ({ status: 500, body: '' })],
    ['JSON that is not a key set', () => ({ status: 200, body: '[1]' })],
    ['HTML', () => ({ status: 200, body: '<html>' })],
    [
      'more than 256 KB',
      () => ({ status: 200, body: JSON.stringify({ keys: [publicJwk], pad: 'x'.repeat(262_144) }) }),
    ],
    ['a redirect to itself', () => ({ status: 302, body: '', location: jwksUri() })],
  ];
  async function freshSetup(uri: string) {
    const context = { ...setup.context, issuers: trustIssuers([{ issuer, jwksUri: uri }]) };
    const time = Math.floor(setup.clock.now() / 1000);
    const shape = (): Shape => ({ claims: { iat: time, exp: time + 300 } });
    return async () =>
      exchangeToken(context, {
        form: parameters({ grant_type: jwtBearerGrant, assertion: await assertion(shape()) }),
        authorization: basic(client.id, client.secret),
      });
  }

  for (const [name, answer] of failing) {
    it(`the token request gets 503 while jwks_uri returns ${name}, and succeeds after that`, async () => {
      const good = keySet;
      const send = await freshSetup(jwksUri());
      keySet = answer();
      const error = await refused(send(), 'upstream_unavailable', 'temporarily_unavailable');
      assert.equal(error.options.retryAfter, 30);
      keySet = good;
      await send();
    });
  }

  it('the token request gets 503 if jwks_uri cannot be reached', async () => {
    const send = await freshSetup('http://127.0.0.1:1/keys');
    await refused(send(), 'upstream_unavailable', 'temporarily_unavailable');
  });

  it('the keys are fetched once for five assertions', async () => {
    const send = await freshSetup(jwksUri());
    const before = requests;
    for (let count = 0; count < 5; count += 1) await send();
    assert.equal(requests, before + 1);
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

/** jose refuses to sign with an extension that it does not know, so this header is put together by hand. */
async function criticalHeader(): Promise<string> {
  const [, payload, signature] = (await assertion()).split('.');
  const header = { alg: 'ES256', kid: 'one', typ: 'oauth-id-jag+jwt', crit: ['exp'], exp: 1 };
  return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}.${signature}`;
}
