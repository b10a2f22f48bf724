/** Idempotency-Key on every POST: echoed, checked, a conflict with another body, a replay with the same. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createManualClock } from '../../support/manual-clock.ts';
import {
  basic,
  bearer,
  form,
  issueToken,
  isValid,
  newToken,
  registerClient,
  type TestClient,
} from '../../support/oauth.ts';
import { json as post, startTestServer, type TestServer } from '../../support/server.ts';

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
const getExport = (format: string) => ({ resource: 'docs', format });

/** Every POST: its path, a body, another body, and the status of a success. */
const posts: [
  string,
  (headers: Record<string, string>) => RequestInit,
  (headers: Record<string, string>) => RequestInit,
  number,
][] = [
  ['/api/v1/batch', (h) => post(createBatch('/docs'), h), (h) => post(createBatch('/faq'), h), 200],
  [
    '/api/v1/exports',
    (h) => post(getExport('json'), { ...bearer(token), ...h }),
    (h) => post(getExport('markdown'), { ...bearer(token), ...h }),
    202,
  ],
  ['/api/v1/sandbox/batch', (h) => post(createBatch('/docs'), h), (h) => post(createBatch('/faq'), h), 200],
  ['/api/v1/sandbox/exports', (h) => post(getExport('json'), h), (h) => post(getExport('markdown'), h), 202],
  ['/oauth/register', (h) => post({ client_name: 'a' }, h), (h) => post({ client_name: 'b' }, h), 201],
  [
    '/oauth/token',
    (h) => form({ grant_type: 'client_credentials', scope: 'read:docs' }, { ...basic(client), ...h }),
    (h) => form({ grant_type: 'client_credentials', scope: 'read:faq' }, { ...basic(client), ...h }),
    200,
  ],
  ['/oauth/revoke', (h) => form({ token: 'x' }, h), (h) => form({ token: 'y' }, h), 200],
];

/** Endpoints whose keys every process shares. Elsewhere the key of a request without a token is in the memory of one process. */
const known = ['/api/v1/exports', '/api/v1/sandbox/exports', '/oauth/register'];

describe('Idempotency-Key: idempotency_conflict', () => {
  const askAt = (path: string, init: RequestInit) => (known.includes(path) ? server : server.alone).ask(path, init);

  for (const [path, same, other, status] of posts) {
    it(`POST ${path} echoes the key, replays the response, and refuses another body and an invalid key`, async () => {
      for (const key of ['key-1', '"key-2"', '~!#', 'k'.repeat(255)]) {
        const headers = { 'idempotency-key': key };
        const first = await askAt(path, same(headers));
        assert.equal(first.status, status, first.text);
        assert.equal(first.headers.get('idempotency-key'), key);
        assert.equal(first.headers.get('idempotent-replayed'), null);
        const again = await askAt(path, same(headers));
        assert.equal(again.status, status);
        assert.equal(again.headers.get('idempotency-key'), key);
        assert.equal(again.headers.get('idempotent-replayed'), 'true');
        const conflict = await askAt(path, other(headers));
        assert.equal(conflict.status, 409);
        assert.equal(conflict.json.code, 'idempotency_conflict');
        assert.equal(conflict.headers.get('idempotency-key'), key);
      }
      for (const key of ['', 'a b', 'ä', 'k'.repeat(256), '""']) {
        const bytes = Buffer.from(key).toString('latin1');
        const { status: refused, json } = await askAt(path, same({ 'idempotency-key': bytes }));
        assert.equal(refused, 400, JSON.stringify(key));
        assert.equal(json.errors[0].field, 'Idempotency-Key');
      }
    });

    it(`POST ${path} with one key 20 times at once runs once`, async () => {
      const headers = { 'idempotency-key': `at-once-${path}` };
      const answers = await Promise.all(Array.from({ length: 20 }, () => askAt(path, same(headers))));
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [status]);
      const replays = answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true');
      assert.equal(replays.length, 19);
    });
  }

  it('the comparison of bodies ignores the order of form parameters and JSON members, and spaces in JSON', async () => {
    const send = (path: string, init: RequestInit, key: string) =>
      askAt(path, { ...init, headers: { ...init.headers, ...basic(client), 'idempotency-key': key } });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const inOrder = (body: string) => ({ method: 'POST', headers: type, body });
    await send('/oauth/token', inOrder('grant_type=client_credentials&scope=read%3Adocs'), 'order');
    const turned = await send('/oauth/token', inOrder('scope=read:docs&grant_type=client_credentials'), 'order');
    assert.equal(turned.headers.get('idempotent-replayed'), 'true');
    const headers = { 'idempotency-key': 'order' };
    await askAt('/api/v1/batch', post('{"operations":[{"id":"a","method":"GET","path":"/docs"}]}', headers));
    const spaced = await askAt(
      '/api/v1/batch',
      post(' {"operations": [{"path":"/docs","method":"GET","id":"a"}] }', headers),
    );
    assert.equal(spaced.headers.get('idempotent-replayed'), 'true');
  });

  it('the keys of different clients, of requests without a token and of different paths are separate', async () => {
    const headers = { 'idempotency-key': 'shared' };
    const other = await newToken(server);
    const asClient = (value: string, path: string) =>
      server.ask('/api/v1/batch', post(createBatch(path), { ...headers, ...bearer(value) }));
    for (const answer of [
      await server.ask('/api/v1/batch', post(createBatch('/docs'), headers)),
      await server.ask('/api/v1/sandbox/batch', post(createBatch('/faq'), headers)),
      await asClient(token, '/faq'),
      await asClient(other, '/pricing'),
    ]) {
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('idempotent-replayed'), null);
    }
    assert.equal((await asClient(token, '/pricing')).status, 409);
    const [second] = [await registerClient(server)];
    const tokenRequest = (who: TestClient, scope: string) =>
      server.ask('/oauth/token', form({ grant_type: 'client_credentials', scope }, { ...basic(who), ...headers }));
    assert.equal((await tokenRequest(client, 'read:docs')).status, 200);
    assert.equal((await tokenRequest(second, 'read:faq')).headers.get('idempotent-replayed'), null);
  });

  it('a corrected request may reuse the Idempotency-Key of a refused one', async () => {
    const headers = { 'idempotency-key': 'refused-first' };
    const wrong = form({ grant_type: 'client_credentials' }, { ...basic({ ...client, secret: 'x' }), ...headers });
    const right = form({ grant_type: 'client_credentials', scope: 'read:docs' }, { ...basic(client), ...headers });
    const refusedThenCorrected: [string, RequestInit, number, RequestInit, number][] = [
      ['/oauth/token', wrong, 401, right, 200],
      ['/oauth/register', post({ redirect_uris: ['x'] }, headers), 400, post({ client_name: 'a' }, headers), 201],
    ];
    for (const root of ['/api/v1', '/api/v1/sandbox']) {
      const own = root === '/api/v1' ? { ...headers, ...bearer(token) } : headers;
      refusedThenCorrected.push(
        [`${root}/batch`, post({ operations: [] }, headers), 400, post(createBatch('/docs'), headers), 200],
        [`${root}/exports`, post({ resource: 'docs' }, own), 400, post(getExport('json'), own), 202],
      );
    }
    for (const [path, refused, refusal, corrected, success] of refusedThenCorrected) {
      assert.equal((await askAt(path, refused)).status, refusal, path);
      const { status, text, headers: received } = await askAt(path, corrected);
      // A key that was kept for the refused body would make this a conflict.
      assert.equal(status, success, `${path}: ${text}`);
      assert.equal(received.get('idempotent-replayed'), null, path);
    }
  });

  it('a repetition gets the same client, another token, and the same job', async () => {
    const headers = { 'idempotency-key': 'again' };
    const clients = [];
    const tokens = [];
    const jobs = [];
    for (let count = 0; count < 3; count += 1) {
      clients.push((await server.ask('/oauth/register', post({ client_name: 'again' }, headers))).json);
      const request = form({ grant_type: 'client_credentials' }, { ...basic(client), ...headers });
      tokens.push((await server.ask('/oauth/token', request)).json.access_token);
      const exported = await server.ask('/api/v1/exports', post(getExport('json'), { ...bearer(token), ...headers }));
      assert.equal(exported.headers.get('location'), exported.json.poll_url);
      jobs.push(exported.json.id);
    }
    assert.deepEqual(clients[1], clients[0]);
    assert.deepEqual(clients[2], clients[0]);
    assert.equal(new Set(tokens).size, 3);
    for (const issued of tokens) assert.equal(await isValid(server, issued), true);
    assert.equal(new Set(jobs).size, 1);
  });

  it('a repetition does not return or reactivate a revoked token', async () => {
    const headers = { 'idempotency-key': 'revoked-since' };
    const request = form({ grant_type: 'client_credentials' }, { ...basic(client), ...headers });
    const { json } = await server.ask('/oauth/token', request);
    await server.ask('/oauth/revoke', form({ token: json.access_token }, basic(client)));
    const again = await server.ask('/oauth/token', request);
    assert.notEqual(again.json.access_token, json.access_token);
    assert.equal(await isValid(server, json.access_token), false);
  });
});

describe('POST /api/v1/batch with an Idempotency-Key: lifetime of the key', () => {
  it('the key of a client survives a restart, is not stored in clear, and is free after 24 hours', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-keys-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const headers = { 'idempotency-key': 'kept' };
    const first = await startTestServer({ dataDir, clock });
    const owner = await registerClient(first);
    const own = { ...headers, ...bearer(await issueToken(first, owner)) };
    await first.ask('/api/v1/batch', post(createBatch('/docs'), own));
    await first.ask('/api/v1/batch', post(createBatch('/docs'), headers));
    await first.close();
    const files = (await readdir(dataDir)).filter((name) => name.startsWith('colophon.sqlite'));
    for (const name of files) assert.ok(!(await readFile(join(dataDir, name))).includes('kept'), name);

    const second = await startTestServer({ dataDir, clock });
    t.after(() => second.close());
    assert.equal((await second.ask('/api/v1/batch', post(createBatch('/faq'), own))).status, 409);
    assert.equal((await second.ask('/api/v1/batch', post(createBatch('/faq'), headers))).status, 200);
    await clock.advance(86_400_000);
    const fresh = { ...headers, ...bearer(await issueToken(second, owner)) };
    assert.equal((await second.ask('/api/v1/batch', post(createBatch('/faq'), fresh))).status, 200);
    assert.equal((await second.ask('/api/v1/batch', post(createBatch('/pricing'), headers))).status, 200);
  });
});
