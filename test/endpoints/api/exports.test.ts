/** Tests exports over HTTP: POST starts a job, its client polls it, and the file of a completed job is public and immutable. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transform } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { createGunzip } from 'node:zlib';
import { parse } from 'yaml';
import { writeContentFolder } from '../../support/content-folder.ts';
import { startUpstream } from '../../support/feed-upstream.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import {
  createBearerHeaders,
  createToken,
  issueToken,
  isTokenValid,
  registerClient,
  revokeToken,
} from '../../support/oauth.ts';
import { createJsonPost, startTestServer, type TestResponse, type TestServer } from '../../support/server.ts';

type Server = Pick<TestServer, 'request'>;

const start = (server: Server, token: string | null, resource: string, format: string, root = '/api/v1') =>
  server.request(
    `${root}/exports`,
    createJsonPost({ resource, format }, token === null ? {} : createBearerHeaders(token)),
  );

const poll = (server: Server, token: string, job: TestResponse['json'], headers: Record<string, string> = {}) =>
  server.request(new URL(job.poll_url).pathname, { headers: { ...createBearerHeaders(token), ...headers } });

/** Starts an export, waits up to 10 seconds until its job has ended, and returns the job, ended or not. */
async function runExport(
  server: Server,
  token: string,
  resource: string,
  format: string,
): Promise<TestResponse['json']> {
  const { json: job } = await start(server, token, resource, format);
  return (await poll(server, token, job, { prefer: 'wait=10' })).json;
}

describe('POST /exports, GET /exports/{job_id} and GET /exports/{file}: range_not_satisfiable', () => {
  let server: TestServer;
  let token: string;
  before(async () => {
    server = await startTestServer();
    token = await createToken(server, 'export:docs');
  });
  after(() => server.close());

  it('the response is 202 with a queued job, its Location and Retry-After', async () => {
    const { status, json, headers } = await start(server, token, 'docs', 'markdown');
    assert.equal(status, 202);
    assert.equal(json.object, 'job');
    assert.match(json.id, /^job_[0-9a-z]+$/);
    assert.equal(json.status, 'queued');
    assert.equal(json.resource, 'docs');
    assert.equal(json.format, 'markdown');
    assert.equal(json.poll_url, `${server.baseUrl}/api/v1/exports/${json.id}`);
    assert.equal(json.result, undefined);
    assert.equal(headers.get('location'), json.poll_url);
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  it('the response to a poll carries Retry-After until the job is completed', async () => {
    const { json: job } = await start(server, null, 'docs', 'json', '/api/v1/sandbox');
    const polls = [];
    for (let count = 0; count < 3; count += 1) {
      const { json, headers } = await server.request(new URL(job.poll_url).pathname);
      polls.push([json.status, headers.get('retry-after')]);
    }
    assert.deepEqual(polls, [
      ['queued', '1'],
      ['running', '1'],
      ['completed', null],
    ]);
  });

  for (const resource of ['docs', 'faq', 'releases']) {
    it(`the JSON export of ${resource} is a list of the objects that the API returns`, async () => {
      const job = await runExport(server, token, resource, 'json');
      assert.equal(job.status, 'completed');
      const { status, json, headers, text } = await server.request(new URL(job.result.url).pathname);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(json.object, 'list');
      assert.equal(json.resource, resource);
      assert.equal(json.revision, server.revision());
      assert.equal(json.count, json.data.length);
      const { json: list } = await server.request(`/api/v1/${resource}?limit=100`);
      assert.equal(json.count, list.data.length);
      for (const [index, item] of json.data.entries()) {
        const single = await server.request(`/api/v1/${resource}/${item.slug ?? item.id ?? item.version}`);
        assert.deepEqual(item, single.json);
        assert.equal(item.url, list.data[index].url);
      }
      assert.equal(job.result.sha256, createHash('sha256').update(text).digest('hex'));
      assert.equal(job.result.size_bytes, Buffer.byteLength(text));
    });

    it(`the markdown export of ${resource} is one file in which each item has front matter`, async () => {
      const job = await runExport(server, token, resource, 'markdown');
      assert.match(job.result.url, /\/exports\/[0-9a-f]{64}\.md$/);
      const { text, headers } = await server.request(new URL(job.result.url).pathname);
      assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8');
      const { json: list } = await server.request(`/api/v1/${resource}?limit=100`);
      const parts = [...text.matchAll(/(?<=^|\n\n)---\n((?:\w+: .+\n)+)---\n\n/g)].map(([, yaml = '']) => parse(yaml));
      assert.equal(parts.length, list.data.length);
      for (const [index, frontMatter] of parts.entries()) {
        const item = list.data[index];
        assert.equal(frontMatter.slug ?? frontMatter.id ?? frontMatter.version, item.slug ?? item.id ?? item.version);
        if (resource === 'docs') assert.equal(frontMatter.title, item.title);
      }
      assert.ok(text.startsWith('---\n'));
    });
  }

  it('the file has an immutable Cache-Control and an entity tag, and an unknown file returns 404', async () => {
    const job = await runExport(server, token, 'docs', 'markdown');
    const path = new URL(job.result.url).pathname;
    const { headers } = await server.request(path);
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const head = await server.request(path, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.headers.get('etag'), headers.get('etag'));
    const etag = headers.get('etag') ?? '';
    assert.equal((await server.request(path, { headers: { 'if-none-match': etag } })).status, 304);
    assert.equal((await server.request(path.replace('.md', '.json'))).status, 404);
    for (const wrongPath of ['/exports/x.md', `/exports/${'0'.repeat(64)}.md`, '/exports/..%2f..%2fpackage.json']) {
      assert.equal((await server.request(wrongPath)).status, 404);
    }
  });

  it('a Range request with If-Range resumes a download, and one past the end gets 416 range_not_satisfiable', async () => {
    const { result } = await runExport(server, token, 'docs', 'markdown');
    const path = new URL(result.url).pathname;
    const whole = await server.request(path, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(whole.headers.get('accept-ranges'), 'bytes');
    const headers = { range: 'bytes=10-', 'if-range': whole.headers.get('etag') ?? '' };
    const rest = await server.request(path, { headers });
    const { length } = Buffer.from(whole.text);
    assert.equal(rest.status, 206);
    assert.equal(rest.headers.get('content-range'), `bytes 10-${length - 1}/${length}`);
    assert.equal(rest.headers.get('etag'), whole.headers.get('etag'));
    assert.equal(rest.text, whole.text.slice(10));
    const pastEnd = await server.request(path, { headers: { range: `bytes=${length}-` } });
    assert.equal(pastEnd.status, 416);
    assert.equal(pastEnd.headers.get('content-range'), `bytes */${length}`);
    assert.equal(pastEnd.json.code, 'range_not_satisfiable');
    assert.equal((await server.request(path, { headers: { range: 'bytes=0-1,4-5' } })).text, whole.text);
  });

  it('each content coding of the file has a separate entity tag and the same contents', async () => {
    const { result } = await runExport(server, token, 'docs', 'json');
    const path = new URL(result.url).pathname;
    const plain = await server.request(path, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(createHash('sha256').update(plain.text).digest('hex'), /[0-9a-f]{64}/.exec(path)?.[0]);
    const tag = plain.headers.get('etag') ?? '';
    for (const [coding, suffix] of [
      ['br', '-br'],
      ['zstd', '-zstd'],
      ['gzip', '-gz'],
    ] as const) {
      const codingHeaders = { 'accept-encoding': coding };
      const all = await Promise.all(Array.from({ length: 4 }, () => server.request(path, { headers: codingHeaders })));
      for (const { status, headers, text } of [...all, await server.request(path, { headers: codingHeaders })]) {
        assert.deepEqual(
          [status, headers.get('content-encoding'), headers.get('vary'), headers.get('etag'), text === plain.text],
          [200, coding, 'Accept-Encoding', `${tag.slice(0, -1)}${suffix}"`, true],
        );
      }
      const unchanged = await server.request(path, {
        headers: { ...codingHeaders, 'if-none-match': all[0]?.headers.get('etag') ?? '' },
      });
      assert.deepEqual([unchanged.status, unchanged.text], [304, '']);
    }
  });

  it('two exports of the same content have the same file', async () => {
    const [first, second] = [
      await runExport(server, token, 'faq', 'json'),
      await runExport(server, token, 'faq', 'json'),
    ];
    assert.notEqual(first.id, second.id);
    assert.equal(first.result.url, second.result.url);
  });

  it('a job of another client and an unknown job return 404', async () => {
    const { json: job } = await start(server, token, 'docs', 'json');
    const { status, json } = await poll(server, await createToken(server), job);
    assert.equal(status, 404);
    assert.equal(json.code, 'not_found');
    for (const id of ['job_0', 'nothing', 'job_%00', '%252e%252e', 'j'.repeat(300)]) {
      assert.equal(
        (await server.request(`/api/v1/exports/${id}`, { headers: createBearerHeaders(token) })).status,
        404,
        id,
      );
    }
  });

  it('requests of two clients with the same Idempotency-Key start two jobs', async () => {
    const request = (value: string) =>
      server.request(
        '/api/v1/exports',
        createJsonPost({ resource: 'faq', format: 'json' }, { ...createBearerHeaders(value), 'idempotency-key': 'k' }),
      );
    const [first, second] = [await request(token), await request(await createToken(server))];
    assert.equal(second.status, 202);
    assert.equal(second.headers.get('idempotent-replayed'), null);
    assert.notEqual(second.json.id, first.json.id);
    assert.equal((await request(token)).json.id, first.json.id);
  });

  it('Prefer: wait adds only Preference-Applied, at most wait=10, to the response for a completed job', async () => {
    const job = await runExport(server, token, 'docs', 'json');
    assert.equal(job.status, 'completed');
    const etag = (await poll(server, token, job)).headers.get('etag');
    for (const [prefer, applied] of [
      ['wait=10', 'wait=10'],
      ['respond-async, WAIT = "3"', 'wait=3'],
      ['wait=600', 'wait=10'],
      ['wait=1234567890', 'wait=10'],
      ['wait=0', 'wait=0'],
      ['wait=-1', null],
      ['return=minimal', null],
    ] as const) {
      const { headers, status, json } = await poll(server, token, job, { prefer });
      assert.deepEqual([status, json], [200, job], prefer);
      assert.deepEqual(
        ['preference-applied', 'etag', 'content-type', 'cache-control', 'retry-after'].map((name) => headers.get(name)),
        [applied, etag, 'application/json; charset=utf-8', 'no-store', null],
        prefer,
      );
    }
  });

  it('the entity tag changes when the job is completed, which ends the wait of Prefer, and a current tag gets 304', async (t) => {
    const [claimed, completable] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let onRead = (): void => {};
    const pausedServer = await startTestServer({
      wrapStore: (store) => ({
        ...store,
        async completeJob(...values) {
          claimed.resolve();
          await completable.promise;
          return store.completeJob(...values);
        },
        async findJob(...values) {
          const job = await store.findJob(...values);
          onRead();
          return job;
        },
      }),
    });
    t.after(() => {
      completable.resolve();
      return pausedServer.close();
    });
    const client = await createToken(pausedServer);
    const { json: job } = await start(pausedServer, client, 'faq', 'json');
    await claimed.promise;
    const running = await poll(pausedServer, client, job);
    const etag = running.headers.get('etag') ?? '';
    assert.equal(running.json.status, 'running');
    assert.equal((await poll(pausedServer, client, job, { 'if-none-match': etag })).status, 304);
    onRead = completable.resolve;
    const completed = await poll(pausedServer, client, job, { 'if-none-match': etag, prefer: 'wait=10' });
    assert.deepEqual([completed.status, completed.json.status], [200, 'completed']);
    const newEtag = completed.headers.get('etag') ?? '';
    assert.notEqual(newEtag, etag);
    assert.equal((await poll(pausedServer, client, job, { 'if-none-match': newEtag })).status, 304);
  });

  it('the job is returned as markdown if the request has Accept: text/markdown', async () => {
    const accept = { accept: 'text/markdown' };
    const startResponse = await server.request(
      '/api/v1/exports',
      createJsonPost({ resource: 'faq', format: 'json' }, { ...createBearerHeaders(token), ...accept }),
    );
    assert.equal(startResponse.headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.match(startResponse.text, /^# Export job_\w+: queued/);
    const path = new URL(startResponse.headers.get('location') ?? '').pathname;
    const pollResponse = await server.request(path, {
      headers: { ...createBearerHeaders(token), ...accept, prefer: 'wait=10' },
    });
    assert.match(pollResponse.text, /: completed\n[\s\S]*<http.+\.json>/);
  });

  it('an unknown or missing resource or format is rejected with 400, and the error names the field', async () => {
    const rows: [unknown, string, string][] = [
      [{ resource: 'doc', format: 'json' }, 'resource', 'invalid_value'],
      [{ resource: 'docs', format: 'pdf' }, 'format', 'invalid_value'],
      [{ resource: 'docs' }, 'format', 'required'],
      [{ format: 'json' }, 'resource', 'required'],
      [[], 'body', 'malformed'],
    ];
    for (const [body, field, code] of rows) {
      const { status, json } = await server.request(
        '/api/v1/exports',
        createJsonPost(body, createBearerHeaders(token)),
      );
      assert.equal(status, 400);
      assert.deepEqual([json.errors[0].field, json.errors[0].code], [field, code]);
    }
    const text = {
      method: 'POST',
      headers: { ...createBearerHeaders(token), 'content-type': 'text/plain' },
      body: '{}',
    };
    assert.equal((await server.request('/api/v1/exports', text)).status, 415);
    assert.equal((await server.request('/api/v1/exports', { headers: createBearerHeaders(token) })).status, 405);
  });

  it('a revoked token cannot poll the job, and the next token of the client can', async () => {
    const client = await registerClient(server);
    const first = await issueToken(server, client);
    const { json: job } = await start(server, first, 'faq', 'json');
    await revokeToken(server, client, first);
    assert.equal(await isTokenValid(server, first), false);
    assert.equal((await poll(server, first, job)).status, 401);
    assert.equal((await poll(server, await issueToken(server, client), job)).status, 200);
  });
});

describe('POST /sandbox/exports', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const pollSandbox = (job: TestResponse['json'], init: RequestInit = {}) =>
    server.request(new URL(job.poll_url).pathname, init);

  it('a job needs no token, and consecutive polls return queued, running and completed', async () => {
    const { status, json: job, headers } = await start(server, null, 'docs', 'markdown', '/api/v1/sandbox');
    assert.equal(status, 202);
    assert.equal(job.sandbox, true);
    assert.equal(job.status, 'queued');
    assert.equal(headers.get('location'), job.poll_url);
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await pollSandbox(job)).json.status);
    assert.deepEqual(statuses, ['queued', 'running', 'completed', 'completed']);
  });

  it('HEAD and a 304 do not advance the state of the job', async () => {
    const { json: job } = await start(server, null, 'faq', 'json', '/api/v1/sandbox');
    const first = await pollSandbox(job, { method: 'HEAD' });
    assert.equal((await pollSandbox(job, { method: 'HEAD' })).headers.get('etag'), first.headers.get('etag'));
    const queued = await pollSandbox(job);
    assert.equal(queued.json.status, 'queued');
    const running = await pollSandbox(job, { method: 'HEAD' });
    assert.notEqual(running.headers.get('etag'), queued.headers.get('etag'));
    for (let count = 0; count < 3; count += 1) {
      const { status } = await pollSandbox(job, { headers: { 'if-none-match': running.headers.get('etag') ?? '' } });
      assert.equal(status, 304);
    }
    assert.equal((await pollSandbox(job)).json.status, 'running');
    assert.equal((await pollSandbox(job)).json.status, 'completed');
  });

  it('the file contains fixtures and is marked as sandbox data', async () => {
    for (const [format, type] of [
      ['json', 'application/json; charset=utf-8'],
      ['markdown', 'text/markdown; charset=utf-8'],
    ] as const) {
      const { json: job } = await start(server, null, 'releases', format, '/api/v1/sandbox');
      let last = job;
      for (let count = 0; count < 3; count += 1) last = (await pollSandbox(job)).json;
      const { status, headers, text } = await server.request(new URL(last.result.url).pathname);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), type);
      assert.equal(headers.get('x-service-environment'), 'sandbox');
      assert.ok(text.includes('0.0.0-sandbox'));
      if (format === 'json') assert.equal(JSON.parse(text).sandbox, true);
      else assert.match(text, /^> Sandbox/);
    }
  });

  it('a poll in a batch advances the job, and the production API returns 404 for it', async () => {
    const { json: job } = await start(server, null, 'docs', 'json', '/api/v1/sandbox');
    const operations = [{ id: 'a', method: 'GET', path: `/exports/${job.id}` }];
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      const { json } = await server.request('/api/v1/sandbox/batch', createJsonPost({ operations }));
      statuses.push(json.results[0].body.status);
    }
    assert.deepEqual(statuses, ['queued', 'running', 'completed']);
    const token = await createToken(server);
    assert.equal(
      (await server.request(`/api/v1/exports/${job.id}`, { headers: createBearerHeaders(token) })).status,
      404,
    );
  });

  it('the job_id of the example in the documentation returns a completed job with a file', async () => {
    const { json } = await server.request('/api/v1/sandbox/exports/job_4zq1h8k2m6n0p5r74zq1h8k2m6n0p5r7');
    assert.equal(json.status, 'completed');
    assert.equal((await server.request(new URL(json.result.url).pathname)).status, 200);
  });
});

describe('POST /exports and GET /exports/{job_id} of an export that fails: upstream_unavailable, unprocessable', () => {
  it('a job fails with a problem document and retry_after if the update feed is unavailable', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, {
      'product.yaml': (text) => text.replace('source: appcast.xml', `source: ${upstream.origin}/appcast.xml`),
    });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const token = await createToken(server);
    const job = await runExport(server, token, 'releases', 'json');
    assert.equal(job.status, 'failed');
    assert.equal(job.result, undefined);
    assert.equal(job.error.object, 'error');
    assert.equal(job.error.code, 'upstream_unavailable');
    assert.equal(job.error.status, 503);
    assert.ok(job.error.retry_after >= 1);
    assert.equal(job.error.request_id, job.id);
    assert.equal(job.error.instance, `/api/v1/exports/${job.id}`);
    const markdown = await poll(server, token, job, { accept: 'text/markdown' });
    assert.match(markdown.text, /`upstream_unavailable`: /);
    assert.equal((await runExport(server, token, 'docs', 'json')).status, 'completed');
  });

  it('an export of a resource without items is rejected with 422 unprocessable', async (t) => {
    const directory = writeContentFolder(t, { 'faq.yaml': 'entries: []\n' });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const { status, json } = await start(server, await createToken(server), 'faq', 'markdown');
    assert.equal(status, 422);
    assert.equal(json.code, 'unprocessable');
  });
});

describe('GET /exports/{file} of a missing or expired file: not_found', () => {
  it('a missing file returns 404 not_found as a problem document, even if Accept is text/html', async () => {
    const server = await startTestServer();
    const { status, json, headers } = await server.request(`/exports/${'0'.repeat(64)}.md`, {
      headers: { accept: 'text/html' },
    });
    await server.close();
    assert.deepEqual([status, json.code, headers.get('content-type')], [404, 'not_found', 'application/problem+json']);
  });

  it('the file and its job expire after 7 days, even if the server restarts', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-exports-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const begin = Date.parse('2026-11-21T12:00:00Z');
    const env = { BASE_URL: 'http://127.0.0.1:8080' };
    const startServerAt = (seconds: number) =>
      startTestServer({ dataDir, env, clock: createManualClock(begin + seconds * 1000) });

    const first = await startServerAt(0);
    const client = await registerClient(first);
    const token = await issueToken(first, client);
    // The clock of the test never advances, so a poll of a process that does not run the job itself would wait forever.
    const job = await runExport(first.firstServer, token, 'faq', 'json');
    const path = new URL(job.result.url).pathname;
    assert.equal(job.result.expires_at, '2026-11-28T12:00:00Z');
    await first.close();

    for (const [seconds, status] of [
      [7 * 86_400 - 1, 200],
      [7 * 86_400, 404],
    ] as const) {
      const server = await startServerAt(seconds);
      t.after(() => server.close());
      assert.equal((await server.request(path)).status, status);
      assert.equal((await poll(server, await issueToken(server, client), job)).status, status);
      await server.close();
    }
  });
});

describe('GET /exports/{file} of a file of 200 MB', () => {
  const part = Buffer.alloc(1_000_000, 'a page of documentation, and then another; ');
  const parts = 200;
  const sha256 = 'a'.repeat(64);
  let server: TestServer;
  /** Number of parts of the file that the current download has read from the store. */
  let partsRead = 0;
  let failsAt = Number.POSITIVE_INFINITY;
  before(async () => {
    server = await startTestServer({
      wrapStore: (store) => ({
        ...store,
        findArtifact: async (hash) => ({
          hash,
          mediaType: 'text/markdown',
          size: parts * part.length,
          async *parts() {
            for (partsRead = 0; partsRead < parts; partsRead += 1) {
              if (partsRead === failsAt) throw new Error('the disk is gone');
              yield part;
            }
          },
        }),
      }),
    });
  });
  after(() => server.close());

  /** Downloads the file, and returns it with the maximum number of bytes that were read from the store ahead of it. */
  async function download(coding: string, decoder: Transform | null) {
    const url = new URL(`/exports/${sha256}.md`, server.listenUrl);
    const request = get(url, { headers: { 'accept-encoding': coding } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const hash = createHash('sha256');
    let bytes = 0;
    let ahead = 0;
    const body = decoder === null ? response : response.pipe(decoder);
    for await (const chunk of body) {
      hash.update(chunk);
      bytes += chunk.length;
      ahead = Math.max(ahead, partsRead * part.length - bytes);
    }
    return { response, bytes, ahead, hash: hash.digest('hex') };
  }

  it('the file is streamed at the pace of the client, with less than 20 MB read ahead', async () => {
    const wholeHash = createHash('sha256');
    for (let count = 0; count < parts; count += 1) wholeHash.update(part);
    const digest = wholeHash.digest('hex');
    const plain = await download('identity', null);
    assert.deepEqual(
      [plain.response.statusCode, plain.response.headers['content-length'], plain.response.headers.etag],
      [200, '200000000', `"${'q'.repeat(32)}"`],
    );
    assert.equal(plain.hash, digest);
    assert.ok(plain.ahead < 20_000_000, `${plain.ahead} bytes were read ahead of the plain file`);
    const compressed = await download('gzip', createGunzip());
    assert.deepEqual(
      [compressed.response.headers['content-encoding'], compressed.response.headers['content-length'], compressed.hash],
      ['gzip', undefined, digest],
    );
  });

  it('HEAD and a request with the current entity tag do not read the file from the store', async () => {
    const path = `/exports/${sha256}.md`;
    partsRead = -1;
    const headers = { 'accept-encoding': 'identity' };
    const head = await server.request(path, { method: 'HEAD', headers });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '200000000']);
    const etag = head.headers.get('etag') ?? '';
    const unchanged = await server.request(path, { headers: { ...headers, 'if-none-match': etag } });
    assert.deepEqual([unchanged.status, unchanged.headers.get('content-length'), unchanged.text], [304, null, '']);
    assert.equal(partsRead, -1);
  });

  it('the connection is aborted if the store fails during the download, and the failure is logged', async () => {
    failsAt = 3;
    await assert.rejects(download('identity', null), /aborted/);
    failsAt = Number.POSITIVE_INFINITY;
    const errors = server.logLines.filter(({ level }) => level === 'error');
    assert.deepEqual(
      errors.map(({ msg }) => msg),
      ['request failed'],
    );
  });
});
