/** OAuth libraries in common use: each registers a client, gets a token, calls the API with it and revokes it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client';
import { auth, extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import * as oauth4webapi from 'oauth4webapi';
import * as openid from 'openid-client';
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';
import { createBearerHeaders, registerApp, registerClient, submitDecision, type TestClient } from '../support/oauth.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** The part of a registration that the MCP SDK stores. */
interface Information {
  client_id: string;
  client_secret?: string;
}

const callback = 'https://app.example/cb';
const api = '/api/v1/releases';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

async function assertAccepted(token: string): Promise<void> {
  const { status, headers, text } = await server.request(api, { headers: createBearerHeaders(token) });
  assert.equal(status, 200, text);
  assert.match(headers.get('ratelimit-policy') ?? '', /^"authenticated";/);
}

async function assertRefused(token: string): Promise<void> {
  const { status, headers } = await server.request(api, { headers: createBearerHeaders(token) });
  assert.equal(status, 401);
  assert.match(headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/);
}

/**
 * Allows the request on the consent page at `url`, and returns the address to which the browser is redirected. Asserts that `url`
 * is of this server, and that the address is `callback` with a query.
 */
async function allow(url: URL | string): Promise<URL> {
  const { origin, pathname, search } = new URL(url);
  assert.equal(origin, server.baseUrl);
  const { status, text } = await server.request(pathname + search);
  assert.equal(status, 200, text);
  const location = await submitDecision(server, text, 'allow');
  assert.equal(location.origin + location.pathname, callback);
  return location;
}

describe('oauth4webapi: client_credentials, authorization_code and errors', () => {
  const insecure = { [oauth4webapi.allowInsecureRequests]: true };

  const discover = async (): Promise<oauth4webapi.AuthorizationServer> => {
    const issuer = new URL(server.baseUrl);
    const response = await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    return oauth4webapi.processDiscoveryResponse(issuer, response);
  };

  const register = async (as: oauth4webapi.AuthorizationServer, metadata: Partial<oauth4webapi.Client>) =>
    oauth4webapi.processDynamicClientRegistrationResponse(
      await oauth4webapi.dynamicClientRegistrationRequest(as, metadata, insecure),
    );

  const callApi = (token: string): Promise<Response> => {
    const url = new URL(server.baseUrl + api);
    return oauth4webapi.protectedResourceRequest(token, 'GET', url, undefined, undefined, insecure);
  };

  it('discovery of the resource /api/v1 returns the authorization server', async () => {
    const resource = new URL(`${server.baseUrl}/api/v1`);
    const response = await oauth4webapi.resourceDiscoveryRequest(resource, insecure);
    const { authorization_servers } = await oauth4webapi.processResourceDiscoveryResponse(resource, response);
    assert.deepEqual(authorization_servers, [server.baseUrl]);
  });

  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    it(`client_credentials with ${method} returns a token that is valid until it is revoked`, async () => {
      const as = await discover();
      const client = await register(as, { client_name: 'Reader', token_endpoint_auth_method: method });
      assert.equal(client.token_endpoint_auth_method, method);
      const secret = String(client.client_secret);
      const authentication =
        method === 'client_secret_basic'
          ? oauth4webapi.ClientSecretBasic(secret)
          : oauth4webapi.ClientSecretPost(secret);
      const { access_token, scope } = await oauth4webapi.processClientCredentialsResponse(
        as,
        client,
        await oauth4webapi.clientCredentialsGrantRequest(
          as,
          client,
          authentication,
          { scope: 'read:releases' },
          insecure,
        ),
      );
      assert.equal(scope, 'read:releases');
      assert.equal((await callApi(access_token)).status, 200);
      await assertAccepted(access_token);
      await oauth4webapi.processRevocationResponse(
        await oauth4webapi.revocationRequest(as, client, authentication, access_token, insecure),
      );
      await assertRefused(access_token);
      await assert.rejects(
        callApi(access_token),
        (error) =>
          error instanceof oauth4webapi.WWWAuthenticateChallengeError &&
          error.cause[0]?.scheme === 'bearer' &&
          error.cause[0].parameters.error === 'invalid_token',
      );
    });
  }

  it('authorization_code with PKCE returns a valid token', async () => {
    const as = await discover();
    const client = await register(as, { redirect_uris: [callback], grant_types: ['authorization_code'] });
    const verifier = oauth4webapi.generateRandomCodeVerifier();
    const state = oauth4webapi.generateRandomState();
    const url = new URL(String(as.authorization_endpoint));
    url.search = String(
      new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: callback,
        scope: 'read:docs',
        state,
        code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    );
    const parameters = oauth4webapi.validateAuthResponse(as, client, await allow(url), state);
    const authentication = oauth4webapi.ClientSecretBasic(String(client.client_secret));
    const response = await oauth4webapi.authorizationCodeGrantRequest(
      as,
      client,
      authentication,
      parameters,
      callback,
      verifier,
      insecure,
    );
    const { access_token } = await oauth4webapi.processAuthorizationCodeResponse(as, client, response);
    await assertAccepted(access_token);
  });

  it('the library reads invalid_scope, invalid_client and invalid_redirect_uri from the errors', async () => {
    const as = await discover();
    const client = await register(as, { client_name: 'Reader' });
    const authentication = oauth4webapi.ClientSecretBasic(String(client.client_secret));
    const requestScope = async (scope: string, method = authentication) =>
      oauth4webapi.processClientCredentialsResponse(
        as,
        client,
        await oauth4webapi.clientCredentialsGrantRequest(as, client, method, { scope }, insecure),
      );
    await assert.rejects(
      requestScope('read:nothing'),
      (error) => error instanceof oauth4webapi.ResponseBodyError && error.error === 'invalid_scope',
    );
    await assert.rejects(
      requestScope('read:docs', oauth4webapi.ClientSecretBasic('wrong')),
      (error) =>
        error instanceof oauth4webapi.WWWAuthenticateChallengeError &&
        error.cause[0]?.scheme === 'basic' &&
        error.cause[0].parameters.error === 'invalid_client',
    );
    await assert.rejects(
      register(as, { redirect_uris: ['http://app.example/cb'] }),
      (error) => error instanceof oauth4webapi.ResponseBodyError && error.error === 'invalid_redirect_uri',
    );
  });
});

describe('openid-client: client_credentials, authorization_code and refresh_token', () => {
  const register = (metadata: Partial<openid.ClientMetadata>): Promise<openid.Configuration> =>
    openid.dynamicClientRegistration(new URL(server.baseUrl), metadata, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });

  it('client_credentials returns a token that is valid until it is revoked', async () => {
    const configuration = await register({ client_name: 'Reader' });
    const { access_token } = await openid.clientCredentialsGrant(configuration, { scope: 'read:releases' });
    const url = new URL(server.baseUrl + api);
    assert.equal((await openid.fetchProtectedResource(configuration, access_token, url, 'GET')).status, 200);
    await assertAccepted(access_token);
    await openid.tokenRevocation(configuration, access_token);
    await assertRefused(access_token);
  });

  it('authorization_code and refresh_token return valid tokens, and a second use of the code revokes the first', async () => {
    const configuration = await register({
      client_name: 'Reader',
      redirect_uris: [callback],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    });
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: 'read:docs',
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const location = await allow(url);
    const { access_token, refresh_token } = await openid.authorizationCodeGrant(configuration, location, checks);
    await assertAccepted(access_token);
    const refreshed = await openid.refreshTokenGrant(configuration, refresh_token ?? '');
    await assertAccepted(refreshed.access_token);
    assert.notEqual(refreshed.refresh_token, refresh_token);
    await assert.rejects(
      openid.authorizationCodeGrant(configuration, location, checks),
      (error) => error instanceof openid.ResponseBodyError && error.error === 'invalid_grant',
    );
    // A code that is used twice may be stolen, so the second use revokes the token of the first.
    await assertRefused(access_token);
  });

  it('a token of an authorization code is valid until it is revoked', async () => {
    const configuration = await register({ redirect_uris: [callback], grant_types: ['authorization_code'] });
    const verifier = openid.randomPKCECodeVerifier();
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const { access_token } = await openid.authorizationCodeGrant(configuration, await allow(url), {
      pkceCodeVerifier: verifier,
    });
    await assertAccepted(access_token);
    await openid.tokenRevocation(configuration, access_token);
    await assertRefused(access_token);
  });
});

describe('simple-oauth2: client_credentials, authorization_code and errors', () => {
  const settings = ({ id, secret }: TestClient, authorizationMethod: 'header' | 'body') => ({
    client: { id, secret },
    auth: {
      tokenHost: server.baseUrl,
      tokenPath: '/oauth/token',
      revokePath: '/oauth/revoke',
    },
    options: { authorizationMethod },
  });

  for (const method of ['header', 'body'] as const) {
    it(`client_credentials with the secret in the ${method} returns a token that is valid until it is revoked`, async () => {
      const client = new ClientCredentials(settings(await registerClient(server), method));
      const token = await client.getToken({ scope: ['read:releases', 'read:docs'] });
      const { access_token, scope } = token.token;
      assert.equal(scope, 'read:releases read:docs');
      assert.equal(token.expired(), false);
      await assertAccepted(String(access_token));
      await token.revoke('access_token');
      await assertRefused(String(access_token));
    });
  }

  it('authorization_code returns a token that is valid until it is revoked', async () => {
    const client = new AuthorizationCode(settings(await registerApp(server), 'header'));
    const verifier = openid.randomPKCECodeVerifier();
    const url = client.authorizeURL({
      redirect_uri: callback,
      scope: 'read:docs',
      state: 'one',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const code = (await allow(url)).searchParams.get('code') ?? '';
    const token = await client.getToken({ code, redirect_uri: callback, code_verifier: verifier });
    await assertAccepted(String(token.token.access_token));
    await token.revoke('access_token');
    await assertRefused(String(token.token.access_token));
  });

  it('the library reads invalid_client from the error', async () => {
    const registered = await registerClient(server);
    const client = new ClientCredentials(settings({ ...registered, secret: 'wrong' }, 'header'));
    await assert.rejects(
      client.getToken({}),
      (error: { data?: { payload?: { error?: string } } }) => error.data?.payload?.error === 'invalid_client',
    );
  });
});

describe('@badgateway/oauth2-client: client_credentials, authorization_code and refresh_token', () => {
  const connect = ({ id, secret }: TestClient): OAuth2Client =>
    new OAuth2Client({
      server: server.baseUrl,
      clientId: id,
      clientSecret: secret,
      discoveryEndpoint: '/.well-known/oauth-authorization-server',
    });

  it('client_credentials returns a token that is valid until it is revoked', async () => {
    const client = connect(await registerClient(server));
    const token = await client.clientCredentials({ scope: ['read:releases'] });
    await assertAccepted(token.accessToken);
    await client.revoke(token);
    await assertRefused(token.accessToken);
  });

  it('authorization_code and refresh_token return tokens that are valid until they are revoked', async () => {
    const client = connect(await registerApp(server));
    const codeVerifier = await generateCodeVerifier();
    const parameters = { redirectUri: callback, state: 'one', codeVerifier };
    const url = await client.authorizationCode.getAuthorizeUri({ ...parameters, scope: ['read:docs'] });
    const token = await client.authorizationCode.getTokenFromCodeRedirect(await allow(url), parameters);
    await assertAccepted(token.accessToken);
    const refreshed = await client.refreshToken(token);
    await assertAccepted(refreshed.accessToken);
    assert.notEqual(refreshed.refreshToken, token.refreshToken);
    await assertAccepted(token.accessToken);
    for (const each of [token, refreshed]) {
      await client.revoke(each);
      await assertRefused(each.accessToken);
    }
  });

  it('the library reads invalid_scope from the error', async () => {
    const client = connect(await registerClient(server));
    await assert.rejects(
      client.clientCredentials({ scope: ['read:nothing'] }),
      (error: { oauth2Code?: string }) => error.oauth2Code === 'invalid_scope',
    );
  });
});

describe('auth() of @modelcontextprotocol/sdk', () => {
  /** Creates a provider that stores the registration, the tokens and the verifier, as an application does. */
  const createProvider = () => {
    const stored: { client?: Information; tokens?: { access_token: string }; verifier?: string; url?: URL } = {};
    return {
      stored,
      redirectUrl: callback,
      clientMetadata: {
        client_name: 'Agent',
        redirect_uris: [callback],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
      clientInformation: () => stored.client,
      saveClientInformation: (client: Information) => {
        stored.client = client;
      },
      tokens: () => undefined,
      saveTokens: (tokens: { access_token: string }) => {
        stored.tokens = tokens;
      },
      redirectToAuthorization: (url: URL) => {
        stored.url = url;
      },
      saveCodeVerifier: (verifier: string) => {
        stored.verifier = verifier;
      },
      codeVerifier: () => stored.verifier ?? '',
    };
  };

  const revoke = async ({ client_id, client_secret = '' }: Information, token: string): Promise<void> => {
    const body = new URLSearchParams({ client_id, client_secret, token });
    assert.equal((await server.request('/oauth/revoke', { method: 'POST', body })).status, 200);
  };

  for (const path of ['/mcp', '/mcp/docs', '/api/v1']) {
    it(`a client is registered and gets a token for ${path} after consent`, async () => {
      const provider = createProvider();
      const serverUrl = server.baseUrl + path;
      assert.equal(await auth(provider, { serverUrl }), 'REDIRECT');
      const { url, client } = provider.stored;
      assert.ok(url && client);
      assert.equal(url.searchParams.get('resource'), serverUrl);
      assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
      const authorizationCode = (await allow(url)).searchParams.get('code') ?? '';
      assert.equal(await auth(provider, { serverUrl, authorizationCode }), 'AUTHORIZED');
      const token = String(provider.stored.tokens?.access_token);
      await assertAccepted(token);
      await revoke(client, token);
      await assertRefused(token);
    });
  }

  it('the metadata URL in the challenge of a 401 is used for the authorization request', async () => {
    const refused = await fetch(`${server.baseUrl}/agent/auth`);
    assert.equal(refused.status, 401);
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(refused);
    assert.equal(resourceMetadataUrl?.href, `${server.baseUrl}/.well-known/oauth-protected-resource`);
    const provider = createProvider();
    const serverUrl = `${server.baseUrl}/agent/auth`;
    assert.equal(await auth(provider, { serverUrl, resourceMetadataUrl }), 'REDIRECT');
    assert.equal(provider.stored.url?.searchParams.get('resource'), server.baseUrl);
  });

  it('ClientCredentialsProvider gets a token for /mcp without consent', async () => {
    const { id, secret } = await registerClient(server);
    const provider = new ClientCredentialsProvider({
      clientId: id,
      clientSecret: secret,
      expectedIssuer: server.baseUrl,
    });
    assert.equal(await auth(provider, { serverUrl: `${server.baseUrl}/mcp` }), 'AUTHORIZED');
    const token = String(provider.tokens()?.access_token);
    await assertAccepted(token);
    await revoke({ client_id: id, client_secret: secret }, token);
    await assertRefused(token);
  });
});
