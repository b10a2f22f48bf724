/** Tests the commands on PostgreSQL: two servers on one database, an outage, and the commands of an operator. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { runColophon, startColophon } from '../support/command.ts';
import { writeContentFolder } from '../support/content-folder.ts';
import { createAppcast, createSigner } from '../support/feed-samples.ts';
import { startUpstream } from '../support/feed-upstream.ts';
import {
  createBasicHeaders,
  createBearerHeaders,
  createFormPost,
  issueToken,
  isTokenValid,
  registerClient,
} from '../support/oauth.ts';
import { getSharedPostgres, type TestPostgres, testPassword } from '../support/postgres.ts';
import { createJsonPost, startOneServer, startTestServer } from '../support/server.ts';

const postgres = getSharedPostgres();

if (typeof postgres === 'string') it('the tests on PostgreSQL', { skip: `not run: ${postgres}` });
else {
  after(() => postgres.close());
  describe('DATABASE_URL: colophon serve, colophon move and the other commands on PostgreSQL', () => suite(postgres));
}

const secretKey = 'a-key-that-both-of-the-servers-have-been-given';

function suite({ createDatabase, kill, getPort, query, restart }: TestPostgres): void {
  async function createEnvironment(t: TestContext) {
    const directory = await mkdtemp(join(tmpdir(), 'colophon-cli-'));
    t.after(() => rm(directory, { recursive: true, force: true }));
    const dataDir = join(directory, 'data');
    const url = await createDatabase();
    return { url, dataDir, env: { DATABASE_URL: url, SECRET_KEY: secretKey, DATA_DIR: dataDir } };
  }

  it('two processes share the feed, clients and jobs, and create no data folder', async (t) => {
    const { env, dataDir } = await createEnvironment(t);
    const upstream = await startUpstream();
    const signer = createSigner();
    upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
    t.after(() => upstream.close());
    const folder = writeContentFolder(t, { 'product.yaml': withFeed(upstream.origin, signer.publicKey) });
    const command = startColophon(['serve', folder], { env });
    t.after(async () => {
      const { exitCode } = command.child;
      if (exitCode !== null)
        t.diagnostic(`The server ended with ${exitCode}: ${command.getStdout()}${command.getStderr()}`);
      command.child.kill('SIGKILL');
      await command.exitCode;
    });
    const otherUrl = (await command.waitForOutput(/Colophon serves .* at (http:[^\s"]+)/))[1] ?? assert.fail();
    const server = await startTestServer({ env: { ...env, CONTENT_DIR: folder, BASE_URL: otherUrl } });
    t.after(() => server.close());
    assert.equal(upstream.requests.length, 1, 'one of them fetched the feed');
    const release = await server.request('/api/v1/releases/latest');
    const otherRelease = await fetch(`${otherUrl}/api/v1/releases/latest`);
    assert.equal(release.json.version, '1.1');
    assert.equal(release.headers.get('etag'), otherRelease.headers.get('etag'));

    const client = await registerClient(server, { client_name: 'Both' });
    const token = await issueToken(server, client, 'read:docs export:docs');
    assert.equal((await fetch(`${otherUrl}/api/v1/docs`, { headers: createBearerHeaders(token) })).status, 200);
    const body = { resource: 'docs', format: 'markdown' };
    const headers = { ...createBearerHeaders(token), 'idempotency-key': 'the-same' };
    const [job, otherJob] = await Promise.all([
      server.request('/api/v1/exports', createJsonPost(body, headers)),
      fetch(`${otherUrl}/api/v1/exports`, createJsonPost(body, headers)).then((response) => response.json()),
    ]);
    assert.equal(job.json.id, Object(otherJob).id, 'one key is one job, whichever process is asked');

    const list = await runColophon(['clients', 'list'], { env });
    assert.equal(list.code, 0, list.stderr);
    assert.match(list.stdout, new RegExp(`^${client.id}  registered .*  Both\n1 client\\.\n$`));
    const revocation = await runColophon(['clients', 'revoke', client.id], { env });
    assert.deepEqual([revocation.code, revocation.stdout], [0, `${client.id} and all of its tokens are revoked.\n`]);
    assert.equal(await isTokenValid(server, token), false);
    assert.equal((await fetch(`${otherUrl}/api/v1/docs`, { headers: createBearerHeaders(token) })).status, 401);
    const tokenResponse = await server.request(
      '/oauth/token',
      createFormPost({ grant_type: 'client_credentials' }, createBasicHeaders(client)),
    );
    assert.equal(tokenResponse.status, 401);
    const secondRevocation = await runColophon(['clients', 'revoke', client.id], { env });
    assert.deepEqual([secondRevocation.code, secondRevocation.stdout], [0, `${client.id} was already revoked.\n`]);
    const unknownClient = await runColophon(['clients', 'revoke', 'cl_none'], { env });
    assert.deepEqual([unknownClient.code, unknownClient.stdout], [1, '']);
    assert.match(unknownClient.stderr, /There is no client `cl_none`/);

    const verification = await runColophon(['feed', 'verify', folder], { env });
    assert.equal(verification.code, 0, verification.stderr);
    assert.equal(existsSync(dataDir), false);
    assert.doesNotMatch(
      command.getStdout() + command.getStderr() + JSON.stringify(server.logLines),
      new RegExp(testPassword),
    );
  });

  it('a process that was elected to fetch the feed exits with 1 and a message if its port is in use', async (t) => {
    const { env } = await createEnvironment(t);
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const signer = createSigner();
    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    const folder = writeContentFolder(t, { 'product.yaml': withFeed(upstream.origin, signer.publicKey) });
    // The upstream already uses this port, so the new server cannot listen on it.
    const { port: PORT } = new URL(upstream.origin);
    const command = startColophon(['serve', folder], { env: { ...env, HOST: '127.0.0.1', PORT } });
    t.after(() => command.child.kill('SIGKILL'));
    assert.equal(await command.exitCode, 1);
    assert.match(command.getStdout(), /this process fetches the feed/);
    assert.match(command.getStderr(), /Port \d+ is in use/);
  });

  it('only requests that need the database get 503 during an outage, and they succeed after the outage', async (t) => {
    const { env } = await createEnvironment(t);
    const server = await startTestServer({ env: { ...env, ADMIN_PORT: '0' } });
    t.after(() => server.close());
    const client = await registerClient(server);
    const token = await issueToken(server, client, 'read:docs export:docs');
    const exportRequest = createJsonPost({ resource: 'docs', format: 'json' }, createBearerHeaders(token));
    await kill();
    for (const [path, init] of [
      ['/api/v1/docs', { headers: createBearerHeaders(token) }],
      ['/api/v1/exports', exportRequest],
      ['/oauth/register', createJsonPost({ client_name: 'Late' })],
      ['/oauth/token', createFormPost({ grant_type: 'client_credentials' }, createBasicHeaders(client))],
    ] as const) {
      const { status, headers, json } = await server.request(path, init);
      assert.deepEqual([status, headers.get('retry-after'), json.code], [503, '5', 'upstream_unavailable'], path);
      assert.doesNotMatch(json.detail, /ECONN|127|terminated/);
    }
    for (const path of ['/api/v1/docs', '/api/v1/releases/latest', '/docs', '/api/v1/sandbox/docs']) {
      assert.equal((await server.request(path)).status, 200, path);
    }
    const ready = await fetch(`${server.adminUrl}/readyz`);
    assert.equal(ready.status, 200);
    assert.equal(Object(await ready.json()).store.state, 'down');
    assert.match(await (await fetch(`${server.adminUrl}/metrics`)).text(), /^colophon_store_up 0$/m);
    await restart();
    assert.equal((await server.request('/api/v1/docs', { headers: createBearerHeaders(token) })).status, 200);
    assert.equal((await server.request('/api/v1/exports', exportRequest)).status, 202);
    assert.ok(server.logLines.some(({ level }) => level === 'error'));
    assert.doesNotMatch(JSON.stringify(server.logLines), new RegExp(testPassword));
  });

  it('the server starts without the database, and registers clients once the database is available', async (t) => {
    const { env } = await createEnvironment(t);
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const signer = createSigner();
    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    const folder = writeContentFolder(t, { 'product.yaml': withFeed(upstream.origin, signer.publicKey) });
    await kill();
    const server = await startTestServer({ env: { ...env, CONTENT_DIR: folder, ADMIN_PORT: '0' } });
    t.after(() => server.close());
    for (const path of ['/api/v1/docs', '/api/v1/releases/latest', '/docs', '/api/v1/sandbox/docs']) {
      assert.equal((await server.request(path)).status, 200, path);
    }
    assert.equal((await server.request('/oauth/register', createJsonPost({ client_name: 'Early' }))).status, 503);
    const ready = await fetch(`${server.adminUrl}/readyz`);
    const { warnings, store } = Object(await ready.json());
    assert.deepEqual([ready.status, store.state], [200, 'down']);
    assert.match(warnings.join(), /The store cannot be used: PostgreSQL at .*Start the database/);
    await restart();
    let status = 503;
    while (status === 503)
      ({ status } = await server.request('/oauth/register', createJsonPost({ client_name: 'Early' })));
    assert.equal(status, 201);
    assert.ok(
      server.logLines.some(({ event }) => event === 'store.connected'),
      JSON.stringify(server.logLines.filter(({ event }) => event !== undefined)),
    );
    assert.doesNotMatch(JSON.stringify(server.logLines), new RegExp(testPassword));
  });

  it('colophon move copies clients, tokens, jobs and the feed’s history, but only to an empty database', async (t) => {
    const { url, dataDir } = await createEnvironment(t);
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const signer = createSigner();
    upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
    const folder = writeContentFolder(t, { 'product.yaml': withFeed(upstream.origin, signer.publicKey) });
    const sqlite = await startOneServer({ dataDir, env: { CONTENT_DIR: folder } });
    const client = await registerClient(sqlite, { client_name: 'Moving' });
    const token = await issueToken(sqlite, client, 'read:docs export:docs');
    const body = { resource: 'docs', format: 'markdown' };
    const exportRequest = createJsonPost(body, { ...createBearerHeaders(token), 'idempotency-key': 'before' });
    const job = await sqlite.request('/api/v1/exports', exportRequest);
    const page = await sqlite.request('/api/v1/docs?limit=1');
    const toPostgres = { DATABASE_URL: url, DATA_DIR: dataDir, SECRET_KEY_FILE: join(dataDir, 'secret-key') };
    const runMove = () => runColophon(['move', '--to', url], { env: { DATA_DIR: dataDir } });
    assert.match((await runMove()).stderr, /Another process is using the data folder/);
    await sqlite.close();
    const check = await runColophon(['serve', folder, '--check'], { env: toPostgres });
    assert.match(check.stdout, /the SQLite database in .* is not used.*colophon move/);

    const move = await runMove();
    assert.equal(move.code, 0, move.stderr);
    for (const line of [
      /^clients +1$/m,
      /^tokens +1$/m,
      /^jobs +1$/m,
      /^feeds +1$/m,
      /SECRET_KEY_FILE=\S+secret-key\.$/m,
    ])
      assert.match(move.stdout, line);
    assert.ok(existsSync(dataDir) && !existsSync(join(dataDir, 'colophon.sqlite')));
    assert.match((await runMove()).stderr, /There is no database/);

    upstream.serveBytes(signer.sign(createAppcast('1.0')));
    const server = await startTestServer({ env: { ...toPostgres, CONTENT_DIR: folder } });
    t.after(() => server.close());
    assert.equal((await server.request('/api/v1/releases/latest')).json.version, '1.1', 'the older feed is refused');
    assert.equal(await isTokenValid(server, token), true);
    const replay = await server.request('/api/v1/exports', exportRequest);
    assert.equal(replay.json.id, job.json.id);
    const finishedJob = await server.request(`/api/v1/exports/${job.json.id}`, {
      headers: { ...createBearerHeaders(token), prefer: 'wait=10' },
    });
    assert.equal(finishedJob.json.status, 'completed');
    assert.equal((await server.request(new URL(finishedJob.json.result.url).pathname)).status, 200);
    const cursor = page.json.pagination.next_cursor;
    assert.equal((await server.request(`/api/v1/docs?limit=1&cursor=${cursor}`)).status, 200);
    assert.deepEqual(
      server.logLines.filter(({ event }) => event === 'settings'),
      [],
    );

    const otherDir = join(dataDir, 'other');
    await (await startOneServer({ dataDir: otherDir })).close();
    const secondMove = await runColophon(['move', '--to', url], { env: { DATA_DIR: otherDir } });
    assert.equal(secondMove.code, 1);
    assert.match(secondMove.stderr, /clients has rows already\. Name an empty database/);
    assert.ok(existsSync(join(otherDir, 'colophon.sqlite')));
  });

  it('colophon backup and colophon restore exit with 1 and print the pg_dump or pg_restore command', async (t) => {
    const { env } = await createEnvironment(t);
    const backup = await runColophon(['backup', 'the copy.dump'], { env });
    assert.deepEqual([backup.code, backup.stdout], [1, '']);
    const database = new RegExp(` postgres://colophon@127\\.0\\.0\\.1:${await getPort()}/test_\\d+\n$`);
    assert.match(backup.stderr, /has its own program for this: pg_dump --format=custom --file='the copy\.dump' /);
    assert.match(backup.stderr, database);
    const restore = await runColophon(['restore', 'copy.dump'], { env });
    assert.equal(restore.code, 1);
    assert.match(restore.stderr, /: pg_restore --clean .* --dbname=postgres:\/\/colophon@127\.\S+ copy\.dump\n$/);
    for (const { stderr } of [backup, restore]) assert.ok(!stderr.includes(testPassword));
  });

  it('a database of an unreleased version is refused with exit code 78 and one line', async (t) => {
    const { env, url } = await createEnvironment(t);
    await (await startTestServer({ env })).close();
    await query(url, "UPDATE schema_migrations SET checksum = 'x' || checksum");
    const { code, stderr } = await runColophon(['serve'], { env });
    assert.equal(code, 78);
    assert.match(stderr, /^This database was made by an unreleased version of Colophon[^\n]*\n$/);
  });

  it('the first start with another SECRET_KEY logs a warning', async (t) => {
    const { env } = await createEnvironment(t);
    await (await startTestServer({ env })).close();
    const otherKey = { SECRET_KEY: 'another key, and the servers would not understand each other' };
    for (const expected of [1, 0]) {
      const server = await startTestServer({ env: { ...env, ...otherKey } });
      await server.close();
      const warnings = server.logLines.filter(({ event }) => event === 'store.other_key');
      assert.equal(warnings.length, expected);
    }
  });

  it('colophon clients list exits with 1 and suggests a fix for a missing or unreachable database', async (t) => {
    const { env, url } = await createEnvironment(t);
    const nowhere = new URL(url);
    nowhere.pathname = '/nowhere';
    const missing = await runColophon(['clients', 'list'], { env: { ...env, DATABASE_URL: nowhere.href } });
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /does not exist.*createdb/);
    nowhere.port = '1';
    const list = await runColophon(['clients', 'list'], { env: { ...env, DATABASE_URL: nowhere.href } });
    assert.equal(list.code, 1);
    assert.match(list.stderr, /^PostgreSQL at .*ECONNREFUSED.*Start the database/);
  });

  it('colophon config and the errors about invalid settings do not contain the password', async (t) => {
    const { env } = await createEnvironment(t);
    const config = await runColophon(['config'], { env });
    assert.match(config.stdout, /database_url: "?postgres:\/\/colophon:\*{8}@127/);
    assert.ok(!config.stdout.includes(testPassword) && !config.stdout.includes(secretKey));
    for (const [changes, fault] of [
      [{ SECRET_KEY: '' }, /SECRET_KEY or SECRET_KEY_FILE must be set.*openssl rand -hex 32/],
      [
        { DATABASE_URL: `mysql://me:${testPassword}@host/name` },
        /DATABASE_URL must be a URL such as postgres:.*SQLite/,
      ],
    ] as const) {
      const refusal = await runColophon(['serve'], { env: { ...env, ...changes } });
      assert.equal(refusal.code, 78, refusal.stderr);
      assert.match(refusal.stderr, fault);
      assert.ok(!refusal.stderr.includes(testPassword));
    }
  });
}

/** Returns a change to product.yaml that replaces the feed `appcast.xml` by `ORIGIN/appcast.xml` with this public key. */
const withFeed = (origin: string, publicKey: string) => (text: string) =>
  text.replace('  source: appcast.xml\n', `  source: ${origin}/appcast.xml\n  public_keys: ["${publicKey}"]\n`);
