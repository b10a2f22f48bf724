/** The authorization code flow over HTTP: the consent page, exact redirects, PKCE, and codes that work once. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { authorizationPath, basic, bearer, decide, form, newProof, registerApp, ticketOf } from './support/oauth.ts';
import { startTestServer, type TestServer } from './support/server.ts';

describe('the authorization code flow', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  async function codeFor(app: { id: string }, proof: { verifier: string; challenge: string }): Promise<string> {
    const page = await server.ask(authorizationPath(app, proof));
    return (await decide(server, page.text, 'allow')).searchParams.get('code') ?? '';
  }

  it('asks a person on a page without script, that no other page can frame', async () => {
    const app = await registerApp(server, { client_name: '<script>alert(1)</script> "Reader"' });
    const { status, headers, text } = await server.ask(
      authorizationPath(app, newProof(), { scope: 'read:docs export:docs' }),
    );
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('access-control-allow-origin'), null);
    assert.doesNotMatch(text, /<script|style="/);
    for (const part of [
      'app.example',
      'Documentation pages and search',
      'Starting and polling export jobs',
      'Not verified',
    ]) {
      assert.ok(text.includes(part), part);
    }
  });

  it('comes back with a code, the state and the issuer, and gives one token for it', async () => {
    const app = await registerApp(server);
    const proof = newProof();
    const page = await server.ask(authorizationPath(app, proof));
    const location = await decide(server, page.text, 'allow');
    assert.equal(location.origin + location.pathname, 'https://app.example/cb');
    assert.equal(location.searchParams.get('state'), 'af0ifjsldkj');
    assert.equal(location.searchParams.get('iss'), server.baseUrl);
    const exchange = {
      grant_type: 'authorization_code',
      code: location.searchParams.get('code') ?? '',
      code_verifier: proof.verifier,
    };
    const redeemed = await server.ask('/oauth/token', form(exchange, basic(app)));
    assert.equal(redeemed.status, 200);
    assert.deepEqual(Object.keys(redeemed.json).sort(), ['access_token', 'expires_in', 'scope', 'token_type']);
    const token: string = redeemed.json.access_token;
    assert.equal((await server.ask('/agent/auth', { headers: bearer(token) })).status, 200);
    const again = await server.ask('/oauth/token', form(exchange, basic(app)));
    assert.equal(again.json.error, 'invalid_grant');
    assert.equal(
      (await server.ask('/agent/auth', { headers: bearer(token) })).status,
      401,
      'a replayed code ends its token',
    );
  });

  it('gives exactly one token to fifty redemptions of one code at once', async () => {
    const app = await registerApp(server);
    const proof = newProof();
    const exchange = {
      grant_type: 'authorization_code',
      code: await codeFor(app, proof),
      code_verifier: proof.verifier,
    };
    const all = await Promise.all(
      Array.from({ length: 50 }, () => server.ask('/oauth/token', form(exchange, basic(app)))),
    );
    assert.equal(all.filter(({ status }) => status === 200).length, 1);
    assert.ok(all.every(({ status, json }) => status === 200 || json.error === 'invalid_grant'));
  });

  it('goes back with access_denied when the person refuses, and takes each decision once', async () => {
    const app = await registerApp(server);
    const page = await server.ask(authorizationPath(app, newProof()));
    const location = await decide(server, page.text, 'deny');
    assert.equal(location.searchParams.get('error'), 'access_denied');
    assert.equal(location.searchParams.get('code'), null);
    const twice = await server.ask('/oauth/authorize', form({ ticket: ticketOf(page.text), decision: 'allow' }));
    assert.ok(twice.status >= 400);
    assert.equal(twice.headers.get('location'), null);
  });

  it('redirects nowhere unless client and redirect match to the letter', async () => {
    const app = await registerApp(server);
    const wrong: Record<string, string | null>[] = [
      { client_id: 'cl_unknown' },
      { client_id: null },
      ...[
        'https://app.example/cb/',
        'https://app.example/CB',
        'https://app.example/cb?x=1',
        'https://app.example.evil/cb',
        'https://evil.example/cb',
        'https://app.example/cb#f',
        'http://app.example/cb',
        'javascript:alert(1)',
        '//app.example/cb',
      ].map((redirect_uri) => ({ redirect_uri })),
    ];
    for (const changes of wrong) {
      const { status, headers, json } = await server.ask(authorizationPath(app, newProof(), changes));
      assert.equal(status >= 400 && status < 500, true, JSON.stringify(changes));
      assert.equal(headers.get('location'), null);
      assert.equal(headers.get('content-type'), 'application/problem+json');
      assert.equal(typeof json.detail, 'string');
    }
  });

  it('sends every other fault back to the client, PKCE without S256 among them', async () => {
    const app = await registerApp(server);
    const rows: [Record<string, string | null>, string][] = [
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: null }, 'invalid_request'],
      [{ code_challenge: null }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ scope: 'read:everything' }, 'invalid_scope'],
    ];
    for (const [changes, error] of rows) {
      const { status, headers } = await server.ask(authorizationPath(app, newProof(), changes));
      assert.equal(status, 302, JSON.stringify(changes));
      const location = new URL(headers.get('location') ?? '');
      assert.equal(location.searchParams.get('error'), error, JSON.stringify(changes));
      assert.equal(location.searchParams.get('state'), 'af0ifjsldkj');
      assert.equal(location.searchParams.get('iss'), server.baseUrl);
    }
  });

  it('binds a code to its client and its verifier', async () => {
    const [app, other] = [await registerApp(server), await registerApp(server)];
    const proof = newProof();
    const code = await codeFor(app, proof);
    const redeem = (client: { id: string; secret: string }, changes: Record<string, string>) =>
      server.ask(
        '/oauth/token',
        form({ grant_type: 'authorization_code', code, code_verifier: proof.verifier, ...changes }, basic(client)),
      );
    assert.equal((await redeem(other, {})).json.error, 'invalid_grant');
    assert.equal((await redeem(app, { code_verifier: newProof().verifier })).json.error, 'invalid_grant');
    assert.equal((await redeem(app, { redirect_uri: 'https://app.example/other' })).json.error, 'invalid_grant');
    assert.equal((await redeem(app, {})).status, 200, 'what was refused did not spend the code');
  });
});
