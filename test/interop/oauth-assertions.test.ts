/** Assertions of identity providers, created with jose: valid ones register clients and get tokens, invalid ones do not. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import * as openid from 'openid-client';
import { systemClock } from '../../src/base/clock.ts';
import { type HttpListener, startHttpListener } from '../support/http-listener.ts';
import {
  createBasicHeaders,
  createBearerHeaders,
  createFormPost,
  registerClient,
  type TestClient,
} from '../support/oauth.ts';
import { createJsonPost, startTestServer, type TestResponse, type TestServer } from '../support/server.ts';

const idJag = 'urn:ietf:params:oauth:token-type:id-jag';
const jwt = 'urn:ietf:params:oauth:token-type:jwt';
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const issuer = 'https://idp.example';
const downIssuer = 'https://down.example';
const brokenIssuer = 'https://broken.example';

let server: TestServer;
let client: TestClient;
let provider: HttpListener;
let folder: string;
let keys: { privateKey: CryptoKey; publicKey: CryptoKey };
let otherKeys: typeof keys;

before(async () => {
  keys = await generateKeyPair('ES256', { extractable: true });
  otherKeys = await generateKeyPair('ES256');
  const publicKey = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  provider = await startHttpListener(({ url }, response) => {
    if (url === '/keys') {
      response.writeHead(200, { 'content-type': 'application/jwk-set+json' });
      response.end(JSON.stringify({ keys: [publicKey] }));
    } else {
      response.writeHead(500).end();
    }
  });
  const { origin } = provider;
  // The listener is closed again, so that nothing listens on its port.
  const { origin: closedOrigin, close } = await startHttpListener(() => {});
  await close();
  folder = await mkdtemp(join(tmpdir(), 'colophon-issuers-'));
  const file = join(folder, 'issuers.json');
  const issuers = [
    { issuer, jwks_uri: `${origin}/keys` },
    { issuer: downIssuer, jwks_uri: `${closedOrigin}/keys` },
    { issuer: brokenIssuer, jwks_uri: `${origin}/broken` },
  ];
  await writeFile(file, JSON.stringify({ issuers }));
  server = await startTestServer({ env: { ASSERTION_ISSUERS_FILE: file } });
  client = await registerClient(server, { grant_types: ['client_credentials', grant] });
});
after(async () => {
  await server.close();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

interface AssertionOptions {
  header?: Record<string, unknown>;
  /** Changes to the claims; a claim that is undefined is left out. */
  claims?: Record<string, unknown>;
  key?: CryptoKey | Uint8Array;
}

let count = 0;

/**
 * Returns the claims of a valid assertion, which was issued `age` seconds ago for five minutes and has a new `jti`, with the
 * changes. A claim that they set to undefined is left out of the signed assertion.
 */
function createClaims(changes: Record<string, unknown> = {}, age = 0): Record<string, unknown> {
  count += 1;
  const now = Math.floor(systemClock.now() / 1000) - age;
  return {
    iss: issuer,
    sub: 'person',
    aud: server.baseUrl,
    client_id: client.id,
    jti: `assertion-${count}`,
    iat: now,
    exp: now + 300,
    ...changes,
  };
}

const sign = ({ header = {}, claims = {}, key = keys.privateKey }: AssertionOptions = {}): Promise<string> =>
  new SignJWT(createClaims(claims))
    .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'oauth-id-jag+jwt', ...header })
    .sign(key);

const requestToken = (assertion: string): Promise<TestResponse> =>
  server.request('/oauth/token', createFormPost({ grant_type: grant, assertion }, createBasicHeaders(client)));

const requestRegistration = (assertion: string, assertionType = idJag): Promise<TestResponse> => {
  const type = 'identity_assertion';
  return server.request(
    '/oauth/register',
    createJsonPost({ client_name: 'Agent', type, assertion_type: assertionType, assertion }),
  );
};

async function assertAccepted(token: string): Promise<void> {
  const { status, headers, text } = await server.request('/api/v1/releases', { headers: createBearerHeaders(token) });
  assert.equal(status, 200, text);
  assert.match(headers.get('ratelimit-policy') ?? '', /^"authenticated";/);
}

describe('ASSERTION_ISSUERS_FILE: a valid assertion', () => {
  it('an ID-JAG registers a client, which gets a token by client_credentials', async () => {
    const { status, json: registered, text } = await requestRegistration(await sign());
    assert.equal(status, 201, text);
    const authorization = createBasicHeaders({ id: registered.client_id, secret: registered.client_secret });
    const { json: issued } = await server.request(
      '/oauth/token',
      createFormPost({ grant_type: 'client_credentials' }, authorization),
    );
    await assertAccepted(issued.access_token);
  });

  it('a plain JWT without client_id registers a client', async () => {
    const { status, text } = await requestRegistration(
      await sign({ header: { typ: 'JWT' }, claims: { client_id: undefined } }),
      jwt,
    );
    assert.equal(status, 201, text);
  });

  it('POST /oauth/token returns a token for the assertion, which can be revoked', async () => {
    const { status, json: issued, text } = await requestToken(await sign({ claims: { scope: 'read:docs' } }));
    assert.equal(status, 200, text);
    assert.equal(issued.scope, 'read:docs');
    await assertAccepted(issued.access_token);
    await server.request('/oauth/revoke', createFormPost({ token: issued.access_token }, createBasicHeaders(client)));
    const refused = await server.request('/api/v1/releases', { headers: createBearerHeaders(issued.access_token) });
    assert.equal(refused.status, 401);
  });

  it('openid-client gets a token for the assertion', async () => {
    const configuration = await openid.discovery(
      new URL(server.baseUrl),
      client.id,
      client.secret,
      openid.ClientSecretBasic(client.secret),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const { access_token } = await openid.genericGrantRequest(configuration, grant, { assertion: await sign() });
    await assertAccepted(access_token);
  });
});

/** Invalid assertions, and the reason in the error that the client gets. */
const invalidAssertions: readonly (readonly [what: string, reason: string, create: () => Promise<string> | string])[] =
  [
    ['another type of JWT', 'invalid_type', () => sign({ header: { typ: 'JWT' } })],
    ['the type of an access token', 'invalid_type', () => sign({ header: { typ: 'at+jwt' } })],
    ['no signature', 'invalid_algorithm', () => new UnsecuredJWT(createClaims()).encode()],
    [
      'a MAC keyed with the public key',
      'invalid_algorithm',
      async () => {
        const key = new TextEncoder().encode(await exportSPKI(keys.publicKey));
        return sign({ header: { alg: 'HS256' }, key });
      },
    ],
    ['the signature of another key', 'invalid_signature', () => sign({ key: otherKeys.privateKey })],
    ['an unknown kid', 'invalid_signature', () => sign({ header: { kid: 'two' } })],
    [
      'its own key in the header',
      'invalid_signature',
      async () => sign({ header: { jwk: await exportJWK(otherKeys.publicKey) }, key: otherKeys.privateKey }),
    ],
    ['claims that were not signed', 'invalid_signature', async () => replaceClaims(await sign(), createClaims())],
    ['another audience', 'invalid_audience', () => sign({ claims: { aud: 'https://other.example' } })],
    ['two audiences', 'invalid_audience', () => sign({ claims: { aud: [server.baseUrl, 'https://other.example'] } })],
    ['no audience', 'invalid_audience', () => sign({ claims: { aud: undefined } })],
    ['another issuer', 'invalid_issuer', () => sign({ claims: { iss: 'https://other.example' } })],
    ['an additional slash in the issuer', 'invalid_issuer', () => sign({ claims: { iss: `${issuer}/` } })],
    ['no client_id', 'invalid_client_id', () => sign({ claims: { client_id: undefined } })],
    ['no subject', 'invalid_subject', () => sign({ claims: { sub: undefined } })],
    ['no jti', 'invalid_jti', () => sign({ claims: { jti: undefined } })],
    ['an expiry in the past', 'expired', () => sign({ claims: createClaims({}, 400) })],
    ['no expiry', 'expired', () => sign({ claims: { exp: undefined } })],
    ['an issue date in the future', 'not_yet_valid', () => sign({ claims: createClaims({}, -600) })],
    [
      'a start in the future',
      'not_yet_valid',
      () => sign({ claims: { nbf: Math.floor(systemClock.now() / 1000) + 600 } }),
    ],
    [
      'an issue date long ago',
      'too_old',
      () => sign({ claims: createClaims({ exp: Math.floor(systemClock.now() / 1000) + 60 }, 900) }),
    ],
    ['a proof key', 'proof_required', () => sign({ claims: { cnf: { jkt: 'x' } } })],
    ['a critical extension', 'malformed', async () => replaceHeader(await sign(), { crit: ['b64'], b64: true })],
    ['plain text instead of a JWT', 'malformed', () => 'assertion'],
  ];

for (const [place, send] of [
  ['POST /oauth/token', requestToken],
  ['POST /oauth/register', requestRegistration],
] as const) {
  describe(`${place} with an invalid assertion: invalid_grant`, () => {
    for (const [what, reason, create] of invalidAssertions) {
      it(`an assertion with ${what} is refused with the reason ${reason}`, async () => {
        const { status, json: problem } = await send(await create());
        assert.equal(status, 400);
        assert.equal(problem.error, 'invalid_grant');
        assert.equal(problem.reason, reason);
      });
    }

    it('a repeated assertion is refused with the reason replay_detected', async () => {
      const assertion = await sign();
      assert.ok((await send(assertion)).status < 300);
      for (const sendAgain of [requestToken, requestRegistration]) {
        const { status, json: problem } = await sendAgain(assertion);
        assert.equal(status, 400);
        assert.equal(problem.reason, 'replay_detected');
      }
    });

    it('an assertion of a provider that is down or fails gets 503 with Retry-After', async () => {
      for (const iss of [downIssuer, brokenIssuer]) {
        const { status, headers, json: problem } = await send(await sign({ claims: { iss } }));
        assert.equal(status, 503);
        assert.equal(problem.error, 'temporarily_unavailable');
        assert.match(headers.get('retry-after') ?? '', /^\d+$/);
      }
    });
  });
}

describe('POST /oauth/token with an assertion: unauthorized_client', () => {
  it('an assertion for another client is refused with the reason invalid_client_id', async () => {
    const { json: problem } = await requestToken(await sign({ claims: { client_id: 'cl_other' } }));
    assert.equal(problem.reason, 'invalid_client_id');
  });

  it('a client that did not register for the grant gets unauthorized_client', async () => {
    const plain = await registerClient(server, { grant_types: ['client_credentials'] });
    const assertion = await sign({ claims: { client_id: plain.id } });
    const { status, json: problem } = await server.request(
      '/oauth/token',
      createFormPost({ grant_type: grant, assertion }, createBasicHeaders(plain)),
    );
    assert.equal(status, 400);
    assert.equal(problem.error, 'unauthorized_client');
  });

  it('the log contains neither the assertion nor its subject', async () => {
    const assertion = await sign({ claims: { sub: 'somebody-in-particular' } });
    await requestToken(assertion);
    await requestToken(assertion);
    const log = JSON.stringify(server.logLines);
    assert.match(log, /assertion\.refused/);
    assert.ok(!log.includes(assertion) && !log.includes('somebody-in-particular'));
  });
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function replaceClaims(token: string, claims: object): string {
  const [header, , signature] = token.split('.');
  return [header, encode(claims), signature].join('.');
}

function replaceHeader(token: string, changes: object): string {
  const [, claims, signature] = token.split('.');
  return [encode({ alg: 'ES256', kid: 'one', typ: 'oauth-id-jag+jwt', ...changes }), claims, signature].join('.');
}
