/** Tests the authorization code flow over HTTP: the consent page, the redirect to the client, and the exchange of the code. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createAuthorizationPath,
  createBasicHeaders,
  createBearerHeaders,
  createFormPost,
  createProofKey,
  fetchAllowedCode,
  getTicket,
  isTokenValid,
  redeemCode,
  registerApp,
  registerClient,
  submitDecision,
} from '../../support/oauth.ts';
import { createJsonPost, startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

describe('GET and POST /oauth/authorize, the consent page: forbidden_origin', () => {
  it('the page contains the client’s escaped name, its ID, the redirect host, each scope and “Not verified.”', async () => {
    const client = await registerApp(server, { client_name: 'Reader <b>& Sons</b>' });
    const { status, text, headers } = await server.request(
      createAuthorizationPath(client, createProofKey(), { scope: 'read:docs export:docs' }),
    );
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.ok(text.includes('Reader &lt;b&gt;&amp; Sons&lt;/b&gt;'));
    assert.ok(!text.includes('<b>&'));
    for (const part of ['Not verified.', 'app.example', client.id, 'read:docs', 'export:docs', 'Documentation pages']) {
      assert.ok(text.includes(part), part);
    }
    for (const decision of ['allow', 'deny']) assert.ok(text.includes(`name="decision" value="${decision}"`));
    assert.ok(!text.includes('<script') && !/\sstyle=|\son\w+=/.test(text));
  });

  it('the page cannot be cached or framed, and form-action allows only the server and the redirect URI’s origin', async () => {
    const client = await registerApp(server);
    const { headers } = await server.request(createAuthorizationPath(client, createProofKey()));
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    assert.equal(headers.get('x-frame-options'), 'DENY');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /form-action 'self' https:\/\/app\.example;/);
    assert.ok(!policy.includes('unsafe'));
    assert.equal((await server.request('/consent.css')).headers.get('content-type'), 'text/css; charset=utf-8');
  });

  it('the Content-Security-Policy allows form-action to custom schemes, loopback addresses and IPv6 hosts', async () => {
    for (const [uri, source] of [
      ['com.example.app:/cb', 'com.example.app:'],
      ['http://127.0.0.1/cb', 'http://127.0.0.1'],
      ['http://[::1]/cb', 'http:'],
      ['https://[2001:db8::1]/cb', 'https:'],
    ] as const) {
      const client = await registerApp(server, { redirect_uris: [uri] });
      const { headers } = await server.request(
        createAuthorizationPath(client, createProofKey(), { redirect_uri: uri }),
      );
      assert.ok(headers.get('content-security-policy')?.includes(`form-action 'self' ${source};`), uri);
    }
  });

  it('a host that could inject a CSP directive gets invalid_redirect_uri at POST /oauth/register', async () => {
    for (const uri of ['https://a;sandbox/cb', 'https://a,x/cb', 'https://a%3bscript-src/cb', "https://'self'/cb"]) {
      const { status, json } = await server.request('/oauth/register', createJsonPost({ redirect_uris: [uri] }));
      assert.deepEqual(
        [status, json.error, json.errors[0].field],
        [400, 'invalid_redirect_uri', 'redirect_uris[0]'],
        uri,
      );
    }
  });

  it('a form from another site gets forbidden_origin', async () => {
    const client = await registerApp(server);
    const { host } = new URL(server.listenUrl);
    const foreignHeaders: Record<string, string>[] = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      { origin: server.baseUrl, 'sec-fetch-site': 'cross-site' },
      { origin: server.baseUrl, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': 'none' },
      { origin: `https://${host}.evil.example` },
      { origin: 'nonsense' },
    ];
    const { text } = await server.request(createAuthorizationPath(client, createProofKey()));
    const decision = { ticket: getTicket(text), decision: 'allow' };
    for (const headers of foreignHeaders) {
      const { status, json, ...response } = await server.request('/oauth/authorize', createFormPost(decision, headers));
      assert.deepEqual(
        [status, json.code, json.error],
        [403, 'forbidden_origin', 'invalid_request'],
        JSON.stringify(headers),
      );
      assert.deepEqual([response.headers.get('location'), response.headers.get('cache-control')], [null, 'no-store']);
    }
    assert.equal(
      (await server.request('/oauth/authorize', createFormPost(decision))).status,
      303,
      'the ticket was not used up',
    );
    for (const headers of [
      { origin: server.baseUrl, 'sec-fetch-site': 'same-origin' },
      { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
      { origin: server.baseUrl },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const page = await server.request(createAuthorizationPath(client, createProofKey()));
      const submission = createFormPost({ ticket: getTicket(page.text), decision: 'deny' }, headers);
      assert.equal(
        (await server.firstServer.request('/oauth/authorize', submission)).status,
        303,
        JSON.stringify(headers),
      );
    }
  });

  it('the form can be submitted once', async () => {
    const client = await registerApp(server);
    const { text } = await server.request(createAuthorizationPath(client, createProofKey()));
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        server.request('/oauth/authorize', createFormPost({ ticket: getTicket(text), decision: 'allow' })),
      ),
    );
    const statuses = responses.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [303, ...Array.from({ length: 9 }, () => 400)]);
    const [rejection] = responses.filter(({ status }) => status === 400);
    assert.equal(rejection?.headers.get('content-type'), 'application/problem+json');
    assert.match(rejection?.json.detail, /start again/);
  });
});

describe('GET /oauth/authorize (RFC 6749 section 4.1.2.1): invalid_request, unsupported_response_type, invalid_scope, access_denied', () => {
  it('a request without a verified redirect URI gets a problem document, without a redirect', async () => {
    const client = await registerApp(server);
    for (const changes of [
      { client_id: 'cl_0000000000000000' },
      { client_id: null },
      { redirect_uri: 'https://evil.example/cb' },
      { redirect_uri: 'https://app.example/cb/' },
      { redirect_uri: 'https://app.example.evil.example/cb' },
      { redirect_uri: 'javascript:alert(1)' },
    ]) {
      const { status, headers, json } = await server.request(
        createAuthorizationPath(client, createProofKey(), changes),
      );
      assert.equal(status, 400);
      assert.equal(headers.get('location'), null);
      assert.equal(json.error, 'invalid_request');
    }
  });

  it('a redirect URI with an invalid port gets a problem document, whatever else is wrong', async () => {
    const client = await registerApp(server, { redirect_uris: ['http://127.0.0.1/cb'] });
    for (const port of [0, 65_536, 99_999]) {
      for (const changes of [{}, { code_challenge: null }, { response_type: 'token' }]) {
        const redirect = { ...changes, redirect_uri: `http://127.0.0.1:${port}/cb` };
        const { status, headers, json } = await server.request(
          createAuthorizationPath(client, createProofKey(), redirect),
        );
        assert.deepEqual([status, headers.get('location'), json.code], [400, null, 'invalid_request'], `${port}`);
        assert.deepEqual(
          json.errors.map(({ field }: { field: string }) => field),
          ['redirect_uri'],
        );
      }
    }
  });

  it('a failure after the redirect URI is verified redirects with error, state and iss (RFC 9207)', async () => {
    const client = await registerApp(server);
    for (const [changes, error] of [
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: null }, 'invalid_request'],
      [{ code_challenge: null }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: 'id_token' }, 'unsupported_response_type'],
      [{ scope: 'read:everything' }, 'invalid_scope'],
    ] as const) {
      const { status, headers, text } = await server.request(
        createAuthorizationPath(client, createProofKey(), changes),
      );
      assert.equal(status, 302);
      assert.equal(text, '');
      const location = new URL(headers.get('location') ?? '');
      assert.equal(location.origin, 'https://app.example');
      assert.equal(location.searchParams.get('error'), error);
      assert.equal(location.searchParams.get('state'), 'af0ifjsldkj');
      assert.equal(location.searchParams.get('iss'), server.baseUrl);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  it('the decision deny redirects with access_denied', async () => {
    const client = await registerApp(server);
    const { text } = await server.request(createAuthorizationPath(client, createProofKey()));
    const location = await submitDecision(server, text, 'deny');
    assert.equal(location.searchParams.get('error'), 'access_denied');
    assert.equal(location.searchParams.get('state'), 'af0ifjsldkj');
    assert.equal(location.searchParams.get('iss'), server.baseUrl);
    assert.equal(location.searchParams.get('code'), null);
  });
});

describe('/oauth/authorize with Accept: text/html: failures are problem documents, never HTML pages', () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  /** Asserts that the response is the problem document that a program gets, with this status and code, and no header of a page. */
  const assertProblem = (response: Awaited<ReturnType<TestServer['request']>>, status: number, code: string) => {
    const { headers, json } = response;
    assert.deepEqual(
      [response.status, headers.get('content-type'), headers.get('cache-control'), headers.get('location')],
      [status, 'application/problem+json', 'no-store', null],
    );
    assert.deepEqual(
      [json.object, json.status, json.code, json.request_id],
      ['error', status, code, headers.get('x-request-id')],
    );
    assert.equal(json.error_description, json.detail.replaceAll('"', "'"));
    assert.equal(headers.get('content-security-policy'), null);
  };

  it('the request gets 400 for an unknown client, a missing one and a foreign redirect URI', async () => {
    const client = await registerApp(server);
    for (const changes of [
      { client_id: 'cl_0000000000000000' },
      { client_id: null },
      { redirect_uri: 'https://evil.example/cb' },
    ]) {
      const path = createAuthorizationPath(client, createProofKey(), changes);
      assertProblem(await server.request(path, { headers: { accept } }), 400, 'invalid_request');
    }
  });

  it('the request gets 401 for a malformed bearer token', async () => {
    const path = createAuthorizationPath(await registerApp(server), createProofKey());
    const headers = { accept, authorization: 'Bearer none' };
    assertProblem(await server.request(path, { headers }), 401, 'invalid_token');
  });

  it('the form gets 400 the second time, 403 from another site and 415 as JSON', async () => {
    const { text } = await server.request(createAuthorizationPath(await registerApp(server), createProofKey()));
    const decision = { ticket: getTicket(text), decision: 'deny' };
    const send = (headers: Record<string, string> = {}) =>
      server.request('/oauth/authorize', createFormPost(decision, { accept, ...headers }));
    assert.equal((await send()).status, 303);
    assertProblem(await send(), 400, 'invalid_request');
    assertProblem(await send({ origin: 'https://evil.example' }), 403, 'forbidden_origin');
    assertProblem(await send({ 'content-type': 'application/json' }), 415, 'unsupported_media_type');
  });

  it('the method DELETE gets 405, and the path /oauth/authorize/ gets 404', async () => {
    const request = { method: 'DELETE', headers: { accept } };
    assertProblem(await server.request('/oauth/authorize', request), 405, 'method_not_allowed');
    const { status, headers, json } = await server.request('/oauth/authorize/', { headers: { accept } });
    assert.deepEqual([status, headers.get('content-type'), json.code], [404, 'application/problem+json', 'not_found']);
  });
});

describe('GET /oauth/authorize with a request object (RFC 9101): request_not_supported, request_uri_not_supported', () => {
  for (const [parameter, error] of [
    ['request', 'request_not_supported'],
    ['request_uri', 'request_uri_not_supported'],
  ] as const) {
    it(`the parameter ${parameter} redirects with ${error}`, async () => {
      const client = await registerApp(server);
      const changes = { [parameter]: 'https://app.example/request.jwt', response_type: null };
      const { status, headers } = await server.request(createAuthorizationPath(client, createProofKey(), changes));
      const location = new URL(headers.get('location') ?? '');
      assert.deepEqual(
        [status, location.origin, Object.fromEntries(location.searchParams)],
        [
          302,
          'https://app.example',
          {
            error,
            error_description: `Request objects are not supported. Send the parameters themselves, without ${parameter}.`,
            state: 'af0ifjsldkj',
            iss: server.baseUrl,
          },
        ],
      );
    });
  }

  it('an unregistered redirect URI gets a problem document, even with the parameter request', async () => {
    const client = await registerApp(server);
    const changes = { request: 'x', redirect_uri: 'https://evil.example/cb' };
    const { status, headers, json } = await server.request(createAuthorizationPath(client, createProofKey(), changes));
    assert.deepEqual([status, headers.get('location'), json.errors[0].field], [400, null, 'redirect_uri']);
  });

  it('the parameter request sent twice redirects with invalid_request, not request_not_supported', async () => {
    const path = `${createAuthorizationPath(await registerApp(server), createProofKey())}&request=a&request=b`;
    const location = new URL((await server.request(path)).headers.get('location') ?? '');
    assert.equal(location.searchParams.get('error'), 'invalid_request');
  });
});

describe('POST /oauth/token with grant_type authorization_code: invalid_grant', () => {
  it('the token has the scope that the person allowed', async () => {
    const client = await registerApp(server);
    const proof = createProofKey();
    const { status, json } = await redeemCode(server, client, await fetchAllowedCode(server, client, proof), proof);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(json), ['access_token', 'token_type', 'expires_in', 'scope', 'refresh_token']);
    assert.equal(json.scope, 'read:docs');
    assert.equal(
      (await server.request('/agent/auth', { headers: createBearerHeaders(json.access_token) })).json.client_id,
      client.id,
    );
  });

  it('a public client needs no secret', async () => {
    const client = await registerClient(server, {
      redirect_uris: ['https://app.example/cb'],
      token_endpoint_auth_method: 'none',
      scope: 'read:docs',
    });
    assert.equal(client.secret, undefined);
    const proof = createProofKey();
    const code = await fetchAllowedCode(server, client, proof);
    const fields = { grant_type: 'authorization_code', code, code_verifier: proof.verifier, client_id: client.id };
    assert.equal((await server.request('/oauth/token', createFormPost(fields))).status, 200);
  });

  it('a code redeemed 50 times at once yields exactly one token, and the repetitions revoke the token', async () => {
    const client = await registerApp(server);
    const proof = createProofKey();
    const code = await fetchAllowedCode(server, client, proof);
    const responses = await Promise.all(Array.from({ length: 50 }, () => redeemCode(server, client, code, proof)));
    const successes = responses.filter(({ status }) => status === 200);
    assert.equal(successes.length, 1);
    for (const { status, json } of responses) if (status !== 200) assert.equal(json.error, 'invalid_grant');
    assert.equal(await isTokenValid(server, successes[0]?.json.access_token), false);
  });

  it('a code with another client, a wrong or missing verifier, or in the query is refused and stays usable', async () => {
    const client = await registerApp(server);
    const otherClient = await registerApp(server);
    const proof = createProofKey();
    const code = await fetchAllowedCode(server, client, proof);
    assert.equal((await redeemCode(server, otherClient, code, proof)).json.error, 'invalid_grant');
    assert.equal((await redeemCode(server, client, code, createProofKey())).json.error, 'invalid_grant');
    const fields = { grant_type: 'authorization_code', code, code_verifier: proof.verifier };
    const inQuery = await server.request(
      `/oauth/token?${new URLSearchParams(fields)}`,
      createFormPost({}, createBasicHeaders(client)),
    );
    assert.equal(inQuery.json.error, 'invalid_request');
    const withoutProof = createFormPost({ grant_type: 'authorization_code', code }, createBasicHeaders(client));
    assert.equal((await server.request('/oauth/token', withoutProof)).json.error, 'invalid_request');
    assert.equal((await redeemCode(server, client, code, proof)).status, 200);
  });
});
