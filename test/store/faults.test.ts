/** Tests the endpoints while one method of the store fails, like a database that is down and like a programming error. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/base/api-error.ts';
import type { Store } from '../../src/store/store.ts';
import {
  createAuthorizationPath,
  createBasicHeaders,
  createBearerHeaders,
  createFormPost,
  createProofKey,
  fetchAllowedCode,
  getTicket,
  redeemCode,
  registerApp,
  registerClient,
} from '../support/oauth.ts';
import { createJsonPost, startTestServer, type TestResponse, type TestServer } from '../support/server.ts';

type Method = Exclude<keyof Store, 'close'>;

const methods: readonly Method[] = [
  'createClient',
  'findClient',
  'findClientBySecret',
  'revokeClient',
  'issueToken',
  'redeemAssertion',
  'findToken',
  'revokeToken',
  'findCode',
  'redeemCode',
  'revokeTokensOfCode',
  'findRefreshFamily',
  'redeemRefresh',
  'revokeRefreshFamily',
  'createTicket',
  'takeTicket',
  'createCode',
  'createJob',
  'findJob',
  'claimJob',
  'completeJob',
  'failJob',
  'postponeJob',
  'findArtifact',
  'claimIdempotency',
  'releaseIdempotency',
  'sweep',
];

const canary = 'SQLITE_CANARY /var/lib/colophon.sqlite password=hunter2';

const faults: Record<string, () => Error> = {
  'a database that is down': () =>
    new ApiError('upstream_unavailable', 'The store cannot be used now.', { retryAfter: 5, cause: new Error(canary) }),
  'a programming error': () => new TypeError(canary),
};

/** Starts a server whose store rejects with an error of `createError` in the method that the test sets as `broken.method`. */
async function startFaultyServer(
  createError: () => Error,
): Promise<{ server: TestServer; broken: { method: Method | null } }> {
  const broken: { method: Method | null } = { method: null };
  const server = await startTestServer({
    wrapStore(store) {
      return new Proxy(store, {
        get(target, name, receiver) {
          if (name === broken.method) return () => Promise.reject(createError());
          return Reflect.get(target, name, receiver);
        },
      });
    },
  });
  return { server, broken };
}

/** Sends the requests of every flow that uses the store, and returns the responses, which are checked against the contract. */
async function runEveryFlow(
  server: TestServer,
  clients: { app: Awaited<ReturnType<typeof registerApp>>; token: string; refreshToken: string },
): Promise<TestResponse[]> {
  const { app, token, refreshToken } = clients;
  const responses: TestResponse[] = [];
  const send = async (path: string, init?: RequestInit): Promise<TestResponse> => {
    const response = await server.request(path, init);
    responses.push(response);
    return response;
  };
  const registration = new URL(app.registrationUri).pathname;
  await send('/oauth/register', createJsonPost({ scope: 'read:docs' }));
  await send('/oauth/register', createJsonPost({ scope: 'read:docs' }, { 'idempotency-key': `k-${Math.random()}` }));
  await send(registration, { headers: createBearerHeaders(app.registrationToken) });
  await send('/oauth/token', createFormPost({ grant_type: 'client_credentials' }, createBasicHeaders(app)));
  await send('/agent/auth', { headers: createBearerHeaders(token) });
  await send('/api/v1/docs', { headers: createBearerHeaders(token) });
  const proof = createProofKey();
  const page = await send(createAuthorizationPath(app, proof));
  if (page.status === 200) {
    const { headers } = await send(
      '/oauth/authorize',
      createFormPost({ ticket: getTicket(page.text), decision: 'allow' }),
    );
    const code = new URL(headers.get('location') ?? 'https://app.example/cb').searchParams.get('code') ?? 'ac_none';
    const exchange = { grant_type: 'authorization_code', code, code_verifier: proof.verifier };
    const { json: tokens } = await send('/oauth/token', createFormPost(exchange, createBasicHeaders(app)));
    const refresh = tokens.refresh_token ?? refreshToken;
    await send(
      '/oauth/token',
      createFormPost({ grant_type: 'refresh_token', refresh_token: refresh }, createBasicHeaders(app)),
    );
    await send('/oauth/token', createFormPost(exchange, createBasicHeaders(app)));
    await send('/oauth/revoke', createFormPost({ token: refresh }, createBasicHeaders(app)));
  }
  const exportResponse = await send(
    '/api/v1/exports',
    createJsonPost(
      { resource: 'releases', format: 'json' },
      { ...createBearerHeaders(token), 'idempotency-key': `e-${Math.random()}` },
    ),
  );
  if (exportResponse.status === 202) {
    const job = await send(new URL(exportResponse.json.poll_url).pathname, { headers: createBearerHeaders(token) });
    if (job.json.result) await send(new URL(job.json.result.url).pathname);
  }
  await send(
    '/api/v1/exports',
    createJsonPost(
      { resource: 'none', format: 'json' },
      { ...createBearerHeaders(token), 'idempotency-key': `r-${Math.random()}` },
    ),
  );
  await send(`/exports/${'0'.repeat(64)}.json`);
  await send('/oauth/revoke', createFormPost({ token: 'at_unknown' }, createBasicHeaders(app)));
  await send('/oauth/revoke', createFormPost({ token: 'cs_unknown' }));
  return responses;
}

for (const [name, createError] of Object.entries(faults)) {
  describe(`OAuth, API and export endpoints while a method of the store fails with ${name}: upstream_unavailable, internal_error`, () => {
    it('no response reveals the cause, GET /api/v1/docs still works, and the server recovers', async (t) => {
      const { server, broken } = await startFaultyServer(createError);
      t.after(() => server.close());
      const app = await registerApp(server);
      const token = (
        await server.request(
          '/oauth/token',
          createFormPost({ grant_type: 'client_credentials' }, createBasicHeaders(app)),
        )
      ).json.access_token;
      const proof = createProofKey();
      const tokenResponse = await redeemCode(server, app, await fetchAllowedCode(server, app, proof), proof);
      const refreshToken: string = tokenResponse.json.refresh_token;
      let failures = 0;
      for (const method of methods) {
        broken.method = method;
        for (const { status, text, json, headers } of await runEveryFlow(server, { app, token, refreshToken })) {
          assert.ok(status < 500 || status === 500 || status === 503, `${method}: ${status}`);
          assert.doesNotMatch(
            text,
            /CANARY|hunter2|colophon\.sqlite|node:sqlite|SQLITE_|TypeError|\.ts\b|node_modules|\/var\//i,
            method,
          );
          for (const [header, value] of headers) assert.doesNotMatch(value, /CANARY|hunter2/, header);
          assert.equal(headers.get('server') ?? headers.get('x-powered-by'), null);
          if (status < 500) continue;
          failures += 1;
          const expected = name === 'a programming error' ? 'internal_error' : 'upstream_unavailable';
          const code = json?.code ?? json?.error?.data?.code;
          assert.ok(
            code === undefined || code === expected || json.error === 'temporarily_unavailable',
            `${method}: ${code}`,
          );
          assert.match(headers.get('x-request-id') ?? '', /^req_/);
        }
        assert.equal((await server.request('/api/v1/docs')).status, 200, method);
      }
      broken.method = null;
      assert.ok(failures >= 15, `only ${failures} requests met the fault`);
      assert.equal((await server.request('/agent/auth', { headers: createBearerHeaders(token) })).status, 200);
      await registerClient(server);
      const causes = server.logLines.filter(
        ({ msg, err, problem }) => msg === 'request failed' && `${err} ${problem}`.includes('CANARY'),
      );
      assert.ok(causes.length > 0, 'the cause is in the log');
    });
  });
}
