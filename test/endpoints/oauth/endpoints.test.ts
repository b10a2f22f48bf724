/** Tests the OAuth endpoints over HTTP: discovery, registration, tokens, revocation, failures and CORS. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  allScopes,
  createBasicHeaders,
  createBearerHeaders,
  createFormPost,
  createToken,
  issueToken,
  isTokenValid,
  registerClient,
  requestToken,
  revokeToken,
} from '../../support/oauth.ts';
import { sendRaw } from '../../support/raw.ts';
import { createJsonPost, startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

describe('Discovery (RFC 8414, RFC 9728): unauthorized', () => {
  it('the challenge of a 401 links to the resource metadata and names every scope', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await server.request('/agent/auth', { method });
      assert.equal(status, 401);
      assert.equal(
        headers.get('www-authenticate'),
        `Bearer realm="${server.baseUrl}", resource_metadata="${server.baseUrl}/.well-known/oauth-protected-resource", scope="${allScopes}"`,
      );
    }
    assert.equal((await server.request('/agent/auth')).json.code, 'unauthorized');
  });

  it('every URL of the metadata exists', async () => {
    const { json: resource } = await server.request('/.well-known/oauth-protected-resource');
    assert.equal(resource.resource, server.baseUrl);
    assert.deepEqual(resource.authorization_servers, [server.baseUrl]);
    assert.deepEqual(resource.bearer_methods_supported, ['header']);
    assert.equal(resource.scopes_supported.join(' '), allScopes);
    const { json: metadata } = await server.request('/.well-known/oauth-authorization-server');
    assert.equal(metadata.issuer, server.baseUrl);
    assert.deepEqual(metadata.agent_auth, {
      skill: `${server.baseUrl}/auth.md`,
      register_uri: `${server.baseUrl}/oauth/register`,
      claim_uri: `${server.baseUrl}/oauth/token`,
      revocation_uri: `${server.baseUrl}/oauth/revoke`,
      identity_types_supported: ['anonymous', 'identity_assertion'],
      anonymous: { credential_types_supported: ['oauth_client_credentials'] },
      identity_assertion: {
        assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag', 'urn:ietf:params:oauth:token-type:jwt'],
        credential_types_supported: ['oauth_client_credentials'],
      },
    });
    for (const name of ['authorization', 'token', 'registration', 'revocation']) {
      const path = new URL(metadata[`${name}_endpoint`]).pathname;
      assert.notEqual((await server.request(path, { method: 'OPTIONS' })).status, 404, path);
    }
    assert.equal((await server.request('/auth.md')).headers.get('content-type'), 'text/markdown; charset=utf-8');
  });

  it('each resource has a document that names it (RFC 9728 section 3.3)', async () => {
    for (const path of ['api/v1', 'agent/auth', 'mcp', 'mcp/docs']) {
      const { status, json } = await server.request(`/.well-known/oauth-protected-resource/${path}`);
      assert.equal(status, 200);
      assert.equal(json.resource, `${server.baseUrl}/${path}`);
    }
    assert.equal((await server.request('/.well-known/oauth-protected-resource/nothing')).status, 404);
  });

  it('the documents are publicly cacheable, and a request with their ETag gets 304', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource',
      '/auth.md',
    ]) {
      const { headers } = await server.request(path);
      assert.match(headers.get('cache-control') ?? '', /^public, max-age=\d+/);
      const repetition = await server.request(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
      assert.equal(repetition.status, 304);
    }
  });

  it('the documents and the challenge never contain a host name from the headers of the request', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const { text } = await server.request('/.well-known/oauth-authorization-server', { headers });
    assert.ok(!text.includes('evil'));
    assert.ok(!(await server.request('/agent/auth', { headers })).headers.get('www-authenticate')?.includes('evil'));
    for (const path of ['/.well-known/oauth-authorization-server', '/agent/auth', '/auth.md']) {
      const answer = await sendRaw(server.listenUrl, `GET ${path} HTTP/1.1\r\nHost: evil.example\r\n\r\n`);
      assert.ok(!JSON.stringify(answer).includes('evil'), path);
    }
  });

  it('the server logs a warning for a BASE_URL with plain http and a host other than loopback', async (t) => {
    const hasWarning = (target: TestServer) =>
      target.logLines.some(({ level, msg }) => level === 'warn' && /^BASE_URL is plain http: /.test(String(msg)));
    assert.equal(hasWarning(server), false);
    for (const [baseUrl, expected] of [
      ['http://api.example', true],
      ['https://api.example', false],
      ['http://localhost:8080', false],
      ['http://[::1]:8080', false],
    ] as const) {
      const otherServer = await startTestServer({ env: { BASE_URL: baseUrl } });
      t.after(() => otherServer.close());
      assert.equal(hasWarning(otherServer), expected, baseUrl);
    }
  });

  it('POST /agent/auth gets 405, and the detail names the registration endpoint', async () => {
    const { status, headers, json } = await server.request('/agent/auth', createJsonPost({ type: 'anonymous' }));
    assert.equal(status, 405);
    assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS');
    assert.ok(json.detail.includes(`${server.baseUrl}/oauth/register`));
  });
});

describe('POST, GET and DELETE /oauth/register: invalid_client_metadata, unapproved_software_statement', () => {
  it('the response has the contract’s fields at the top level', async () => {
    const { status, json, headers } = await server.request(
      '/oauth/register',
      createJsonPost({
        client_name: 'Agent',
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: 'client_secret_basic',
        scope: 'read:docs export:docs',
        software_id: 'agent-1',
        contacts: ['ops@agent.example'],
      }),
    );
    assert.equal(status, 201);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('pragma'), 'no-cache');
    assert.match(json.client_id, /^cl_/);
    assert.match(json.client_secret, /^cs_/);
    assert.equal(json.client_secret_expires_at, 0);
    assert.ok(Number.isInteger(json.client_id_issued_at));
    assert.equal(json.scope, 'read:docs export:docs');
    assert.deepEqual(json.grant_types, ['client_credentials']);
    assert.equal(json.registration_client_uri, `${server.baseUrl}/oauth/register/${json.client_id}`);
  });

  it('a registration can be read without its secret, and deleted (RFC 7592)', async () => {
    const client = await registerClient(server);
    const token = await issueToken(server, client);
    const path = new URL(client.registrationUri).pathname;
    const headers = createBearerHeaders(client.registrationToken);
    const registration = await server.request(path, { headers });
    assert.equal(registration.status, 200);
    assert.equal(registration.json.client_secret, undefined);
    assert.equal(registration.headers.get('cache-control'), 'no-store');
    for (const credentials of [
      {},
      createBearerHeaders(token),
      createBearerHeaders(client.secret),
      createBasicHeaders(client),
    ]) {
      const { status, json, headers: responseHeaders } = await server.request(path, { headers: credentials });
      assert.equal(status, 401);
      assert.equal(json.code, 'invalid_token');
      assert.match(responseHeaders.get('www-authenticate') ?? '', /^Bearer error="invalid_token"/);
    }
    assert.equal(
      (await server.request(path, { method: 'PUT', headers, body: '{}' })).headers.get('allow'),
      'GET, HEAD, DELETE, OPTIONS',
    );
    assert.equal((await server.request(path, { method: 'DELETE', headers })).status, 204);
    assert.equal((await server.request(path, { headers })).status, 401);
    assert.equal(await isTokenValid(server, token), false);
    assert.equal((await requestToken(server, client)).json.code, 'invalid_client');
  });

  it('the server fetches no URL of a request, and refuses software statements', async () => {
    const { createServer } = await import('node:net');
    let connections = 0;
    const listener = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/x`;
    const uris = { jwks_uri: url, logo_uri: url, client_uri: url, sector_identifier_uri: url, policy_uri: url };
    assert.equal((await server.request('/oauth/register', createJsonPost(uris))).status, 201);
    const statement = await server.request('/oauth/register', createJsonPost({ software_statement: 'a.b.c' }));
    assert.equal(statement.json.error, 'unapproved_software_statement');
    const assertion = await server.request(
      '/oauth/register',
      createJsonPost({
        type: 'identity_assertion',
        assertion_type: 'urn:ietf:params:oauth:token-type:jwt',
        assertion: `${Buffer.from('{"alg":"ES256","jku":"x"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: url })).toString('base64url')}.AA`,
      }),
    );
    assert.equal(assertion.json.error, 'invalid_grant');
    assert.equal(assertion.json.reason, 'invalid_issuer');
    listener.close();
    assert.equal(connections, 0);
  });
});

describe('POST /oauth/token and /oauth/revoke: unsupported_grant_type, invalid_token', () => {
  it('a client authenticates by HTTP Basic or by the form', async () => {
    const client = await registerClient(server);
    const byForm = await server.request(
      '/oauth/token',
      createFormPost({
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: client.secret,
        scope: 'read:faq',
      }),
    );
    const byBasic = await requestToken(server, client, 'read:faq');
    for (const { status, json, headers } of [byForm, byBasic]) {
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(json), ['access_token', 'token_type', 'expires_in', 'scope']);
      assert.equal(json.token_type, 'Bearer');
      assert.equal(json.expires_in, 3600);
      assert.equal(json.scope, 'read:faq');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('pragma'), 'no-cache');
      assert.equal(await isTokenValid(server, json.access_token), true);
    }
  });

  it('GET /agent/auth describes the token', async () => {
    const client = await registerClient(server);
    const token = await issueToken(server, client, 'read:docs');
    const { status, json, headers } = await server.request('/agent/auth', { headers: createBearerHeaders(token) });
    assert.equal(status, 200);
    assert.equal(json.client_id, client.id);
    assert.equal(json.scope, 'read:docs');
    assert.equal(json.identity_type, 'anonymous');
    assert.equal(json.rate_limit.policy, 'authenticated');
    assert.ok(Number.isInteger(json.expires_at));
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  it('the grants password and implicit are not supported', async () => {
    const client = await registerClient(server);
    for (const grant_type of ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code']) {
      const { status, json } = await server.request(
        '/oauth/token',
        createFormPost({ grant_type }, createBasicHeaders(client)),
      );
      assert.equal(status, 400);
      assert.equal(json.error, 'unsupported_grant_type');
    }
  });

  it('a revocation gets 200 for any token and revokes a valid one, but gets 401 with a wrong secret', async () => {
    const client = await registerClient(server);
    const token = await issueToken(server, client);
    for (const value of [token, token, 'at_unknown', 'nonsense']) {
      const { status, json, headers } = await revokeToken(server, client, value);
      assert.equal(status, 200);
      assert.deepEqual(json, {});
      assert.equal(headers.get('cache-control'), 'no-store');
    }
    assert.equal(await isTokenValid(server, token), false);
    const { status, json, headers } = await server.request(
      '/oauth/revoke',
      createFormPost({ token }, createBasicHeaders({ ...client, secret: 'x' })),
    );
    assert.equal(status, 401);
    assert.equal(json.error, 'invalid_client');
    assert.match(
      headers.get('www-authenticate') ?? '',
      /^Basic realm=".+", error="invalid_client", error_description=/,
    );
  });

  it('the revocation of a client’s secret revokes all its tokens for every request after the 200', async () => {
    const client = await registerClient(server);
    const tokens = await Promise.all(Array.from({ length: 10 }, () => issueToken(server, client)));
    assert.equal((await revokeToken(server, client, client.secret)).status, 200);
    assert.deepEqual(
      await Promise.all(tokens.map((token) => isTokenValid(server, token))),
      tokens.map(() => false),
    );
    assert.equal((await requestToken(server, client)).status, 401);
    assert.equal((await revokeToken(server, client, client.secret)).status, 200);
  });

  it('the holder of a token can revoke it without client credentials', async () => {
    const token = await createToken(server);
    assert.equal((await server.request('/oauth/revoke', createFormPost({ token }))).status, 200);
    assert.equal(await isTokenValid(server, token), false);
  });
});

describe('OAuth failures: invalid_request, invalid_client, invalid_grant, unauthorized_client, unsupported_grant_type, invalid_scope, invalid_target', () => {
  const rows: [string, () => [string, RequestInit], number, string, string][] = [
    [
      'a JSON body for /oauth/token',
      () => ['/oauth/token', createJsonPost({ grant_type: 'client_credentials' })],
      415,
      'unsupported_media_type',
      'invalid_request',
    ],
    [
      'a JSON body for /oauth/revoke',
      () => ['/oauth/revoke', createJsonPost({ token: 'x' })],
      415,
      'unsupported_media_type',
      'invalid_request',
    ],
    [
      'a JSON body for /oauth/authorize',
      () => ['/oauth/authorize', createJsonPost({})],
      415,
      'unsupported_media_type',
      'invalid_request',
    ],
    [
      'a form for /oauth/register',
      () => ['/oauth/register', createFormPost({ client_name: 'x' })],
      415,
      'unsupported_media_type',
      'invalid_request',
    ],
    ['broken JSON', () => ['/oauth/register', createJsonPost('{"a')], 400, 'invalid_request', 'invalid_request'],
    [
      'an array as body',
      () => ['/oauth/register', createJsonPost([])],
      400,
      'invalid_client_metadata',
      'invalid_client_metadata',
    ],
    [
      'an unknown scope',
      () => ['/oauth/register', createJsonPost({ scope: 'read:everything' })],
      400,
      'invalid_client_metadata',
      'invalid_client_metadata',
    ],
    [
      'a plain http redirect URI',
      () => ['/oauth/register', createJsonPost({ redirect_uris: ['http://app.example/cb'] })],
      400,
      'invalid_redirect_uri',
      'invalid_redirect_uri',
    ],
    [
      'an unsupported credential type',
      () => ['/oauth/register', createJsonPost({ requested_credential_type: 'api_key' })],
      400,
      'unsupported_credential_type',
      'unsupported_credential_type',
    ],
    [
      'a JSON body that is too large',
      () => ['/oauth/register', createJsonPost({ client_name: 'x'.repeat(70_000) })],
      413,
      'payload_too_large',
      'invalid_request',
    ],
    [
      'a form that is too large',
      () => ['/oauth/token', createFormPost({ grant_type: 'x'.repeat(70_000) })],
      413,
      'payload_too_large',
      'invalid_request',
    ],
    ['no grant type', () => ['/oauth/token', createFormPost({})], 400, 'invalid_request', 'invalid_request'],
    [
      'a repeated parameter',
      () => [
        '/oauth/token',
        { method: 'POST', body: new URLSearchParams('grant_type=client_credentials&grant_type=x') },
      ],
      400,
      'invalid_request',
      'invalid_request',
    ],
    [
      'no client credentials',
      () => ['/oauth/token', createFormPost({ grant_type: 'client_credentials' })],
      401,
      'invalid_client',
      'invalid_client',
    ],
    ['no token to revoke', () => ['/oauth/revoke', createFormPost({})], 400, 'invalid_request', 'invalid_request'],
    ['the method GET', () => ['/oauth/token', { method: 'GET' }], 405, 'method_not_allowed', 'invalid_request'],
    [
      'an invalid Idempotency-Key',
      () => ['/oauth/token', createFormPost({}, { 'idempotency-key': 'a b' })],
      400,
      'invalid_request',
      'invalid_request',
    ],
  ];

  for (const [name, request, status, code, error] of rows) {
    it(`a request with ${name} gets the code ${code} and the error ${error}`, async () => {
      const [path, init] = request();
      const response = await server.request(path, init);
      assert.equal(response.status, status, response.text);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
      assert.equal(response.json.code, code);
      assert.equal(response.json.error, error);
      assert.match(response.json.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(response.headers.get('pragma'), 'no-cache');
      if (status === 405) assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
    });
  }

  it('a client that accepts only application/json gets the same body as that type', async () => {
    const types: [string, string][] = [
      ['application/json', 'application/json; charset=utf-8'],
      ['Application/JSON;q=0.9, text/plain', 'application/json; charset=utf-8'],
      ['application/json, */*', 'application/problem+json'],
      ['application/json, application/*;q=0.1', 'application/problem+json'],
      ['application/json, application/problem+json', 'application/problem+json'],
      ['text/html', 'application/problem+json'],
    ];
    for (const [accept, type] of types) {
      for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke']) {
        const { headers, json } = await server.request(path, { method: 'POST', headers: { accept } });
        assert.equal(headers.get('content-type'), type, accept);
        assert.equal(headers.get('vary'), 'Accept');
        assert.equal(json.object, 'error');
      }
    }
    const consent = await server.request('/oauth/authorize', { headers: { accept: 'application/json' } });
    assert.equal(consent.headers.get('content-type'), 'application/problem+json');
  });

  it('an unknown client, a wrong secret and a revoked client get the same failure', async () => {
    const client = await registerClient(server);
    const revokedClient = await registerClient(server);
    await revokeToken(server, revokedClient, revokedClient.secret);
    const failures = [];
    for (const credentials of [
      { ...client, id: 'cl_0000000000000000' },
      { ...client, secret: revokedClient.secret },
      revokedClient,
    ]) {
      const { status, json } = await requestToken(server, credentials);
      const { request_id: _, ...rest } = json;
      failures.push(JSON.stringify([status, rest]));
    }
    assert.equal(new Set(failures).size, 1);
  });
});

describe('CORS of the OAuth endpoints and the documents in /.well-known/', () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };

  it('other origins may use every endpoint but /oauth/authorize', async () => {
    for (const path of [
      '/oauth/register',
      '/oauth/token',
      '/oauth/revoke',
      '/agent/auth',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource',
    ]) {
      const preflight = await server.request(path, { method: 'OPTIONS', headers });
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*', path);
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
      assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
      const { headers: responseHeaders } = await server.request(path, { headers: { origin: headers.origin } });
      assert.match(responseHeaders.get('access-control-expose-headers') ?? '', /WWW-Authenticate/);
    }
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const { headers: responseHeaders } = await server.request('/oauth/authorize', { method, headers });
      const corsHeaders = [...responseHeaders.keys()].filter((name) => name.startsWith('access-control-'));
      assert.deepEqual(corsHeaders, [], method);
    }
  });
});
