/** Export jobs over HTTP: who may start and see one, what a key does, what the files hold, and the sandbox's steps. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeContentFolder } from './support/content-folder.ts';
import { startUpstream } from './support/feed-upstream.ts';
import { bearer, issueToken, newToken, registerClient } from './support/oauth.ts';
import { type Asked, json as post, startTestServer, type TestServer } from './support/server.ts';

const path = '/api/v1/exports';

/** The job once it is at its end; each poll waits for it. */
async function finished(server: TestServer, started: Asked, token: string): Promise<Asked> {
  const poll = started.json.poll_url.slice(server.baseUrl.length);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const asked = await server.ask(poll, { headers: { ...bearer(token), prefer: 'wait=5' } });
    if (asked.json.status === 'completed' || asked.json.status === 'failed') return asked;
  }
  return assert.fail('the job did not end');
}

describe('exports', () => {
  let server: TestServer;
  let token: string;
  before(async () => {
    server = await startTestServer();
    token = await newToken(server, 'read:docs export:docs');
  });
  after(() => server.close());

  const start = (body: unknown, headers: Record<string, string> = {}) =>
    server.ask(path, post(body, { ...bearer(token), ...headers }));

  it('need a token with the scope, and say so', async () => {
    const none = await server.ask(path, post({ resource: 'docs', format: 'json' }));
    assert.equal(none.status, 401);
    assert.equal(none.json.code, 'unauthorized');
    assert.match(none.headers.get('www-authenticate') ?? '', /resource_metadata=/);
    const reader = await newToken(server, 'read:docs');
    const lacking = await server.ask(path, post({ resource: 'docs', format: 'json' }, bearer(reader)));
    assert.equal(lacking.status, 403);
    assert.equal(lacking.json.code, 'insufficient_scope');
    assert.match(lacking.headers.get('www-authenticate') ?? '', /error="insufficient_scope".*scope="export:docs"/);
  });

  for (const resource of ['docs', 'faq', 'releases']) {
    for (const [format, extension, type] of [
      ['markdown', 'md', 'text/markdown'],
      ['json', 'json', 'application/json'],
    ] as const) {
      it(`write ${resource} as ${format} into a file named by its hash`, async () => {
        const started = await start({ resource, format });
        assert.equal(started.status, 202);
        assert.equal(started.json.status, 'queued');
        assert.equal(started.headers.get('location'), started.json.poll_url);
        assert.match(started.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
        const { json: job, headers } = await finished(server, started, token);
        assert.equal(job.status, 'completed');
        assert.equal(headers.get('cache-control'), 'no-store');
        const file = await server.ask(job.result.url.slice(server.baseUrl.length));
        assert.equal(file.status, 200);
        assert.equal(
          job.result.url,
          `${server.baseUrl}/exports/${createHash('sha256').update(file.text).digest('hex')}.${extension}`,
        );
        assert.ok(file.headers.get('content-type')?.startsWith(type));
        assert.match(file.headers.get('cache-control') ?? '', /immutable/);
        if (format === 'json') {
          const { object, count, data, revision } = file.json;
          assert.deepEqual(
            [object, file.json.resource, count, typeof revision],
            ['list', resource, data.length, 'string'],
          );
          assert.ok(count >= 8);
        } else assert.ok(file.text.length > 2000);
        const unchanged = await server.ask(job.result.url.slice(server.baseUrl.length), {
          headers: { 'if-none-match': file.headers.get('etag') ?? '' },
        });
        assert.equal(unchanged.status, 304);
      });
    }
  }

  it('give the same job for the same key, also at the same moment, and refuse another body', async () => {
    const body = { resource: 'docs', format: 'markdown' };
    const all = await Promise.all(Array.from({ length: 12 }, () => start(body, { 'idempotency-key': 'order-1' })));
    assert.equal(new Set(all.map(({ json }) => json.id)).size, 1);
    assert.equal(all.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 11);
    assert.ok(all.every(({ status, headers }) => status === 202 && headers.get('idempotency-key') === 'order-1'));
    const other = await start({ resource: 'faq', format: 'markdown' }, { 'idempotency-key': 'order-1' });
    assert.equal(other.status, 409);
    assert.equal(other.json.code, 'idempotency_conflict');
    const stranger = await newToken(server, 'export:docs');
    const theirs = await server.ask(path, post(body, { ...bearer(stranger), 'idempotency-key': 'order-1' }));
    assert.equal(theirs.status, 202);
    assert.notEqual(theirs.json.id, all[0]?.json.id);
  });

  it('are seen by their owner alone', async () => {
    const started = await start({ resource: 'faq', format: 'json' });
    const poll = started.json.poll_url.slice(server.baseUrl.length);
    const stranger = await newToken(server, 'export:docs');
    assert.equal((await server.ask(poll, { headers: bearer(stranger) })).status, 404);
    assert.equal((await server.ask(poll)).status, 401);
    assert.equal((await server.ask(`${path}/job_nothing`, { headers: bearer(token) })).status, 404);
    await finished(server, started, token);
  });

  it('refuse what cannot be exported, naming what can', async () => {
    const { status, json } = await start({ resource: 'doc', format: 'pdf' });
    assert.equal(status, 400);
    assert.deepEqual(
      json.errors.map(({ field, code }: { field: string; code: string }) => [field, code]),
      [
        ['resource', 'invalid_value'],
        ['format', 'invalid_value'],
      ],
    );
    assert.equal((await start({})).json.errors.length, 2);
  });

  it('leave nothing at a name that is no file', async () => {
    for (const name of ['a.md', `${'0'.repeat(64)}.md`, `${'0'.repeat(64)}.json`, '..%2Fsecret-key']) {
      assert.equal((await server.ask(`/exports/${name}`)).status, 404, name);
    }
  });

  it('step through their states in the sandbox, without a credential', async () => {
    const started = await server.ask('/api/v1/sandbox/exports', post({ resource: 'docs', format: 'markdown' }));
    assert.equal(started.status, 202);
    assert.equal(started.json.sandbox, true);
    const poll = started.json.poll_url.slice(server.baseUrl.length);
    const states: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      await server.ask(poll, { method: 'HEAD' });
      states.push((await server.ask(poll)).json.status);
    }
    assert.deepEqual(states, ['queued', 'running', 'completed', 'completed']);
    const { json: job } = await server.ask(poll);
    assert.equal((await server.ask(job.result.url.slice(server.baseUrl.length))).status, 200);
  });
});

it('a job fails with a problem when the feed was never read', async (t) => {
  const upstream = await startUpstream();
  t.after(() => upstream.close());
  const directory = writeContentFolder(t, {
    'product.yaml': (text) => text.replace('source: appcast.xml', `source: ${upstream.origin}/appcast.xml`),
  });
  const server = await startTestServer({ env: { CONTENT_DIR: directory } });
  t.after(() => server.close());
  const token = await newToken(server, 'export:docs');
  const started = await server.ask(path, post({ resource: 'releases', format: 'json' }, bearer(token)));
  const { json: job } = await finished(server, started, token);
  assert.equal(job.status, 'failed');
  assert.equal(job.error.code, 'upstream_unavailable');
  assert.equal(job.result, undefined);
});

it('a job and its file outlive a restart', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startTestServer({ dataDir });
  const client = await registerClient(first);
  const token = await issueToken(first, client);
  const started = await first.ask(path, post({ resource: 'faq', format: 'markdown' }, bearer(token)));
  await first.close();
  const second = await startTestServer({ dataDir });
  t.after(() => second.close());
  const poll = { ...started, json: { poll_url: started.json.poll_url.replace(first.baseUrl, second.baseUrl) } };
  const { json: job } = await finished(second, poll, token);
  assert.equal(job.status, 'completed');
  assert.equal((await second.ask(job.result.url.slice(second.baseUrl.length))).status, 200);
});
