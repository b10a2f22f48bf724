/** Tests the Idempotency-Key of the API and OAuth: its echo, invalid keys, replays, conflicts, and its scope and lifetime. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createManualClock } from '../../support/manual-clock.ts';
import {
  createBasicHeaders,
  createBearerHeaders,
  createFormPost,
  createToken,
  issueToken,
  isTokenValid,
  registerClient,
  type TestClient,
} from '../../support/oauth.ts';
import { createJsonPost, startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let client: TestClient;
let token: string;
before(async () => {
  server = await startTestServer();
  client = await registerClient(server);
  token = await issueToken(server, client);
});
after(() => server.close());

const createBatch = (path: string) => ({ operations: [{ id: 'a', method: 'GET', path }] });
const createExport = (format: string) => ({ resource: 'docs', format });

/** POST endpoints of the API and OAuth: path, request, request with another body, and status of a success. */
const posts: [
  string,
  (headers: Record<string, string>) => RequestInit,
  (headers: Record<string, string>) => RequestInit,
  number,
][] = [
  ['/api/v1/batch', (h) => createJsonPost(createBatch('/docs'), h), (h) => createJsonPost(createBatch('/faq'), h), 200],
  [
    '/api/v1/exports',
    (h) => createJsonPost(createExport('json'), { ...createBearerHeaders(token), ...h }),
    (h) => createJsonPost(createExport('markdown'), { ...createBearerHeaders(token), ...h }),
    202,
  ],
  [
    '/api/v1/sandbox/batch',
    (h) => createJsonPost(createBatch('/docs'), h),
    (h) => createJsonPost(createBatch('/faq'), h),
    200,
  ],
  [
    '/api/v1/sandbox/exports',
    (h) => createJsonPost(createExport('json'), h),
    (h) => createJsonPost(createExport('markdown'), h),
    202,
  ],
  [
    '/oauth/register',
    (h) => createJsonPost({ client_name: 'a' }, h),
    (h) => createJsonPost({ client_name: 'b' }, h),
    201,
  ],
  [
    '/oauth/token',
    (h) =>
      createFormPost({ grant_type: 'client_credentials', scope: 'read:docs' }, { ...createBasicHeaders(client), ...h }),
    (h) =>
      createFormPost({ grant_type: 'client_credentials', scope: 'read:faq' }, { ...createBasicHeaders(client), ...h }),
    200,
  ],
  ['/oauth/revoke', (h) => createFormPost({ token: 'x' }, h), (h) => createFormPost({ token: 'y' }, h), 200],
];

/** Endpoints whose keys every process shares. Elsewhere the key of a request without a token is in the memory of one process. */
const sharedKeyPaths = ['/api/v1/exports', '/api/v1/sandbox/exports', '/oauth/register'];

describe('Idempotency-Key: idempotency_conflict', () => {
  const sendTo = (path: string, init: RequestInit) =>
    (sharedKeyPaths.includes(path) ? server : server.firstServer).request(path, init);

  for (const [path, createRequest, createOtherRequest, status] of posts) {
    it(`POST ${path} echoes the key, replays the response, and refuses another body and an invalid key`, async () => {
      for (const key of ['key-1', '"key-2"', '~!#', 'k'.repeat(255)]) {
        const headers = { 'idempotency-key': key };
        const response = await sendTo(path, createRequest(headers));
        assert.equal(response.status, status, response.text);
        assert.equal(response.headers.get('idempotency-key'), key);
        assert.equal(response.headers.get('idempotent-replayed'), null);
        const replay = await sendTo(path, createRequest(headers));
        assert.equal(replay.status, status);
        assert.equal(replay.headers.get('idempotency-key'), key);
        assert.equal(replay.headers.get('idempotent-replayed'), 'true');
        const conflict = await sendTo(path, createOtherRequest(headers));
        assert.equal(conflict.status, 409);
        assert.equal(conflict.json.code, 'idempotency_conflict');
        assert.equal(conflict.headers.get('idempotency-key'), key);
      }
      for (const key of ['', 'a b', 'ä', 'k'.repeat(256), '""']) {
        const bytes = Buffer.from(key).toString('latin1');
        const { status: invalidStatus, json } = await sendTo(path, createRequest({ 'idempotency-key': bytes }));
        assert.equal(invalidStatus, 400, JSON.stringify(key));
        assert.equal(json.errors[0].field, 'Idempotency-Key');
      }
    });

    it(`POST ${path} with one key 20 times at once runs once`, async () => {
      const headers = { 'idempotency-key': `at-once-${path}` };
      const responses = await Promise.all(Array.from({ length: 20 }, () => sendTo(path, createRequest(headers))));
      assert.deepEqual([...new Set(responses.map((response) => response.status))], [status]);
      const replays = responses.filter((response) => response.headers.get('idempotent-replayed') === 'true');
      assert.equal(replays.length, 19);
    });
  }

  it('the comparison of bodies ignores the order of form parameters and JSON members, and spaces in JSON', async () => {
    const send = (path: string, init: RequestInit, key: string) =>
      sendTo(path, { ...init, headers: { ...init.headers, ...createBasicHeaders(client), 'idempotency-key': key } });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const createForm = (body: string) => ({ method: 'POST', headers: type, body });
    await send('/oauth/token', createForm('grant_type=client_credentials&scope=read%3Adocs'), 'order');
    const reorderedReplay = await send(
      '/oauth/token',
      createForm('scope=read:docs&grant_type=client_credentials'),
      'order',
    );
    assert.equal(reorderedReplay.headers.get('idempotent-replayed'), 'true');
    const headers = { 'idempotency-key': 'order' };
    await sendTo('/api/v1/batch', createJsonPost('{"operations":[{"id":"a","method":"GET","path":"/docs"}]}', headers));
    const spacedReplay = await sendTo(
      '/api/v1/batch',
      createJsonPost(' {"operations": [{"path":"/docs","method":"GET","id":"a"}] }', headers),
    );
    assert.equal(spacedReplay.headers.get('idempotent-replayed'), 'true');
  });

  it('the keys of different clients, of requests without a token and of different paths are separate', async () => {
    const headers = { 'idempotency-key': 'shared' };
    const otherToken = await createToken(server);
    const sendAsClient = (clientToken: string, path: string) =>
      server.request(
        '/api/v1/batch',
        createJsonPost(createBatch(path), { ...headers, ...createBearerHeaders(clientToken) }),
      );
    for (const response of [
      await server.request('/api/v1/batch', createJsonPost(createBatch('/docs'), headers)),
      await server.request('/api/v1/sandbox/batch', createJsonPost(createBatch('/faq'), headers)),
      await sendAsClient(token, '/faq'),
      await sendAsClient(otherToken, '/pricing'),
    ]) {
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('idempotent-replayed'), null);
    }
    assert.equal((await sendAsClient(token, '/pricing')).status, 409);
    const otherClient = await registerClient(server);
    const tokenRequest = (requester: TestClient, scope: string) =>
      server.request(
        '/oauth/token',
        createFormPost({ grant_type: 'client_credentials', scope }, { ...createBasicHeaders(requester), ...headers }),
      );
    assert.equal((await tokenRequest(client, 'read:docs')).status, 200);
    assert.equal((await tokenRequest(otherClient, 'read:faq')).headers.get('idempotent-replayed'), null);
  });

  it('a corrected request may reuse the Idempotency-Key of a refused one', async () => {
    const headers = { 'idempotency-key': 'refused-first' };
    const wrongRequest = createFormPost(
      { grant_type: 'client_credentials' },
      { ...createBasicHeaders({ ...client, secret: 'x' }), ...headers },
    );
    const correctRequest = createFormPost(
      { grant_type: 'client_credentials', scope: 'read:docs' },
      { ...createBasicHeaders(client), ...headers },
    );
    const corrections: [string, RequestInit, number, RequestInit, number][] = [
      ['/oauth/token', wrongRequest, 401, correctRequest, 200],
      [
        '/oauth/register',
        createJsonPost({ redirect_uris: ['x'] }, headers),
        400,
        createJsonPost({ client_name: 'a' }, headers),
        201,
      ],
    ];
    for (const root of ['/api/v1', '/api/v1/sandbox']) {
      const auth = root === '/api/v1' ? { ...headers, ...createBearerHeaders(token) } : headers;
      corrections.push(
        [
          `${root}/batch`,
          createJsonPost({ operations: [] }, headers),
          400,
          createJsonPost(createBatch('/docs'), headers),
          200,
        ],
        [
          `${root}/exports`,
          createJsonPost({ resource: 'docs' }, auth),
          400,
          createJsonPost(createExport('json'), auth),
          202,
        ],
      );
    }
    for (const [path, invalidRequest, errorStatus, validRequest, successStatus] of corrections) {
      assert.equal((await sendTo(path, invalidRequest)).status, errorStatus, path);
      const { status, text, headers: responseHeaders } = await sendTo(path, validRequest);
      // The status would be 409 if the refused request had used up the key.
      assert.equal(status, successStatus, `${path}: ${text}`);
      assert.equal(responseHeaders.get('idempotent-replayed'), null, path);
    }
  });

  it('a repetition gets the same client, another token, and the same job', async () => {
    const headers = { 'idempotency-key': 'again' };
    const clients = [];
    const tokens = [];
    const jobs = [];
    for (let count = 0; count < 3; count += 1) {
      clients.push((await server.request('/oauth/register', createJsonPost({ client_name: 'again' }, headers))).json);
      const request = createFormPost(
        { grant_type: 'client_credentials' },
        { ...createBasicHeaders(client), ...headers },
      );
      tokens.push((await server.request('/oauth/token', request)).json.access_token);
      const response = await server.request(
        '/api/v1/exports',
        createJsonPost(createExport('json'), { ...createBearerHeaders(token), ...headers }),
      );
      assert.equal(response.headers.get('location'), response.json.poll_url);
      jobs.push(response.json.id);
    }
    assert.deepEqual(clients[1], clients[0]);
    assert.deepEqual(clients[2], clients[0]);
    assert.equal(new Set(tokens).size, 3);
    for (const accessToken of tokens) assert.equal(await isTokenValid(server, accessToken), true);
    assert.equal(new Set(jobs).size, 1);
  });

  it('a repetition does not return or reactivate a revoked token', async () => {
    const headers = { 'idempotency-key': 'revoked-since' };
    const request = createFormPost({ grant_type: 'client_credentials' }, { ...createBasicHeaders(client), ...headers });
    const { json } = await server.request('/oauth/token', request);
    await server.request('/oauth/revoke', createFormPost({ token: json.access_token }, createBasicHeaders(client)));
    const repetition = await server.request('/oauth/token', request);
    assert.notEqual(repetition.json.access_token, json.access_token);
    assert.equal(await isTokenValid(server, json.access_token), false);
  });
});

describe('POST /api/v1/batch with an Idempotency-Key: lifetime of the key', () => {
  it('the key of a client survives a restart, is not stored in clear, and is free after 24 hours', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-keys-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const headers = { 'idempotency-key': 'kept' };
    const firstServer = await startTestServer({ dataDir, clock });
    const owner = await registerClient(firstServer);
    const clientHeaders = { ...headers, ...createBearerHeaders(await issueToken(firstServer, owner)) };
    await firstServer.request('/api/v1/batch', createJsonPost(createBatch('/docs'), clientHeaders));
    await firstServer.request('/api/v1/batch', createJsonPost(createBatch('/docs'), headers));
    await firstServer.close();
    const files = (await readdir(dataDir)).filter((name) => name.startsWith('colophon.sqlite'));
    for (const name of files) assert.ok(!(await readFile(join(dataDir, name))).includes('kept'), name);

    const secondServer = await startTestServer({ dataDir, clock });
    t.after(() => secondServer.close());
    const fetchStatus = async (path: string, batchHeaders: Record<string, string>): Promise<number> =>
      (await secondServer.request('/api/v1/batch', createJsonPost(createBatch(path), batchHeaders))).status;
    assert.equal(await fetchStatus('/faq', clientHeaders), 409);
    assert.equal(await fetchStatus('/faq', headers), 200);
    await clock.advance(86_400_000);
    const freshHeaders = { ...headers, ...createBearerHeaders(await issueToken(secondServer, owner)) };
    assert.equal(await fetchStatus('/faq', freshHeaders), 200);
    assert.equal(await fetchStatus('/pricing', headers), 200);
  });
});
