/** Tests a running server while its content folder changes and its feed is updated, down, stale, forged or rolled back. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ContentError } from '../../src/content/source.ts';
import { contentFiles, writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { createAppcast, createSigner } from '../support/feed-samples.ts';
import { startUpstream } from '../support/feed-upstream.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startOneServer, startTestServer, type TestServer } from '../support/server.ts';

const setFeed =
  (source: string, keys: readonly string[] = []) =>
  (text: string) =>
    text.replace(
      '  source: appcast.xml\n',
      `  source: ${source}\n  public_keys: [${keys.map((key) => `"${key}"`).join(', ')}]\n`,
    );

/**
 * Repeats a GET until `isExpected` is true of the parsed body of two responses in a row, as the server reads a changed file only
 * after a moment. Only the time limit of the test ends it otherwise.
 */
async function waitUntil(
  server: TestServer,
  path: string,
  isExpected: (json: Record<string, unknown>) => boolean,
): Promise<void> {
  // Two matching responses in a row are required, because two servers may respond in turn and both must have the change.
  let matchCount = 0;
  while (matchCount < 2) {
    const { json } = await server.request(path);
    matchCount = isExpected(json) ? matchCount + 1 : 0;
    if (matchCount === 0) await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

describe('CONTENT_DIR: another vendor’s folder', () => {
  it('the API serves the product of that folder, and nothing of the shipped one', async (t) => {
    const directory = writeContentFolder(t, {
      'appcast.xml': createAppcast('0.7', '1.2.0'),
    });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const { json: latest } = await server.request('/api/v1/releases/latest');
    assert.equal(latest.version, '1.2.0');
    assert.match(latest.notes, /Brighter/);
    assert.deepEqual(latest.platform, {
      os: 'macOS',
      min_version: '14.0',
      max_version: null,
      arch: 'universal',
      hardware_requirements: [],
    });
    const { json: nested } = await server.request('/api/v1/docs/guides/colours');
    assert.equal(nested.slug, 'guides/colours');
    assert.equal(
      (await server.request('/api/v1/docs/guides%2Fcolours')).text,
      (await server.request('/api/v1/docs/guides/colours')).text,
    );
    assert.equal((await server.request('/docs/guides/colours')).status, 200);
    assert.equal((await server.request('/docs/guides/colours.md')).status, 200);
    assert.match(nested.markdown, new RegExp(`\\(${server.baseUrl}/docs/start\\)`));
    const { json: compatibility } = await server.request('/api/v1/compatibility?os_version=14&arch=x86_64');
    assert.deepEqual(compatibility.minimum, { os_version: '14.0', arch: 'x86_64' });
    for (const path of [
      '',
      '/releases',
      '/docs',
      '/faq',
      '/pricing',
      '/features',
      '/requirements',
      '/search?q=light',
    ]) {
      assert.doesNotMatch((await server.request(`/api/v1${path}`)).text, /sotto/i, path);
    }
  });

  it('the server does not start, and reports every fault of the folder with its file, line and column', async (t) => {
    const directory = writeContentFolder(t, {
      'faq.yaml': 'entries:\n  - id: a\n    category: b\n    question: c\n',
      'docs/start.md': (text) => text.replace('guides/colours.md', 'guides/colors.md'),
    });
    await assert.rejects(
      startTestServer({ env: { CONTENT_DIR: directory } }),
      (error: Error & Partial<Pick<ContentError, 'faults'>>) => {
        assert.equal(error.name, 'ContentError');
        assert.deepEqual(
          error.faults?.map(({ file, line, column }) => `${file}:${line}:${column}`),
          ['docs/start.md:12:15', 'faq.yaml:2:5'],
        );
        for (const { file, message } of error.faults ?? [])
          assert.match(
            message,
            file === 'faq.yaml' ? /`entries\[0\]\.answer` is missing/ : /`guides\/colors\.md#\S+` leads nowhere/,
          );
        return true;
      },
    );
  });
});

describe('CONTENT_DIR at a start while the folder is invalid', () => {
  it('the last valid content is served from its copy in DATA_DIR until the folder is fixed', async (t) => {
    const directory = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') });
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-copy-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const env = { CONTENT_DIR: directory, ADMIN_PORT: '0' };
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const first = await startOneServer({ env, dataDir, clock });
    await clock.advance(10_000);
    await first.close();

    writeContentFile(directory, 'docs/start.md', '# No front matter\n');
    const second = await startOneServer({ env, dataDir });
    t.after(() => second.close());
    assert.equal(second.revision(), first.revision());
    assert.match((await second.request('/docs/start.md')).text, /First light/);
    assert.equal((await second.request('/api/v1/releases/latest')).json.version, '1.0');
    const ready = await fetch(`${second.adminUrl}/readyz`);
    assert.equal(ready.status, 200);
    assert.match(await ready.text(), /content folder/);
    assert.ok(second.logLines.some(({ level, file }) => level === 'error' && file === 'docs/start.md'));

    writeContentFile(
      directory,
      'docs/start.md',
      contentFiles['docs/start.md']?.replace('title: Start', 'title: Fixed') ?? '',
    );
    await waitUntil(second, '/api/v1/docs/start', ({ title }) => title === 'Fixed');
  });

  it('the server does not start if it never had valid content', async (t) => {
    const directory = writeContentFolder(t, { 'docs/start.md': '# No front matter\n' });
    await assert.rejects(startOneServer({ env: { CONTENT_DIR: directory } }), { name: 'ContentError' });
  });
});

describe('The search index after a start with a large CONTENT_DIR', () => {
  it('pages are served before the index is built, and searches wait for the index', async (t) => {
    const words = 'The lamp keeps its colour while the screen is locked and glows until morning. '.repeat(40);
    const pages = Array.from({ length: 80 }, (_, index) => [
      `docs/page-${index}.md`,
      `---\ntitle: Page ${index}\ndescription: Number ${index}.\n---\n${words}Keyword${index}.\n`,
    ]);
    const directory = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0'), ...Object.fromEntries(pages) });
    const server = await startOneServer({ env: { CONTENT_DIR: directory, ADMIN_PORT: '0' } });
    t.after(() => server.close());
    const countIndexBuilds = async (): Promise<string | undefined> =>
      /^colophon_background_tasks_total\{task="index",outcome="succeeded"\} (\d+)$/m.exec(
        await (await fetch(`${server.adminUrl}/metrics`)).text(),
      )?.[1];
    assert.equal((await server.request('/api/v1/docs/page-7')).status, 200);
    assert.equal(await countIndexBuilds(), '0');

    const searches = ['keyword7', 'keyword79', 'keyword7'].map((word) => server.request(`/api/v1/search?q=${word}`));
    const [first, second, repeated] = await Promise.all(searches);
    assert.deepEqual(
      [first, second].map((response) => [response?.status, response?.json.data[0].title]),
      [
        [200, 'Page 7'],
        [200, 'Page 79'],
      ],
    );
    assert.equal(repeated?.text, first?.text);
    assert.equal(await countIndexBuilds(), '1');
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search', arguments: { query: 'keyword3' } },
    };
    const { json } = await server.request('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(call),
    });
    assert.equal(json.result.structuredContent.results[0].title, 'Page 3');
    assert.equal(await countIndexBuilds(), '1');
  });
});

describe('CONTENT_DIR with a change while the server runs', () => {
  it('a valid change is served with a new entity tag, and an invalid change is not served', async (t) => {
    const directory = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const before = await server.request('/api/v1/docs/start');
    const revision = server.revision();
    writeContentFile(
      directory,
      'docs/start.md',
      '---\ntitle: Start\ndescription: Changed.\norder: 1\nupdated: 2026-03-01\n---\n## First light\n\nNew text.\n',
    );
    await waitUntil(server, '/api/v1/docs/start', ({ description }) => description === 'Changed.');
    const after = await server.request('/api/v1/docs/start', {
      headers: { 'if-none-match': before.headers.get('etag') ?? '' },
    });
    assert.equal(after.status, 200);
    assert.notEqual(server.revision(), revision);
    assert.ok((await server.request('/api/v1/search?q=new+text')).json.data.length > 0);

    const validRevision = server.revision();
    writeContentFile(directory, 'pricing.yaml', 'plans: []\n');
    writeContentFile(directory, 'docs/start.md', 'no front matter');
    while (!server.logLines.some(({ msg }) => String(msg).includes('docs/start.md'))) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    assert.ok(server.logLines.some(({ msg }) => String(msg).includes('pricing.yaml')));
    assert.equal(server.revision(), validRevision);
    assert.equal((await server.request('/api/v1/docs/start')).json.description, 'Changed.');
    assert.equal((await server.request('/api/v1/pricing')).status, 200);
  });

  it('the metrics, /readyz and the log report the revision, lost entries and errors', async (t) => {
    const entries = (count: number): string =>
      Array.from(
        { length: count },
        (_, index) =>
          `  - id: q${index}\n    category: Use\n    question: Is it ${index}?\n    answer: Yes, it is ${index}.\n`,
      ).join('');
    const directory = writeContentFolder(t, {
      'appcast.xml': createAppcast('1.0'),
      'faq.yaml': `entries:\n${entries(5)}`,
    });
    const server = await startOneServer({ env: { CONTENT_DIR: directory, ADMIN_PORT: '0' } });
    t.after(() => server.close());
    const assertMetrics = async (...lines: string[]): Promise<void> => {
      const text = await (await fetch(`${server.adminUrl}/metrics`)).text();
      for (const line of lines) assert.ok(text.includes(`\n${line}\n`), `${line} is not in\n${text}`);
    };
    const fetchReadiness = async () => JSON.parse(await (await fetch(`${server.adminUrl}/readyz`)).text());
    const waitForLogLine = async (message: RegExp): Promise<Record<string, unknown>> => {
      for (;;) {
        const line = server.logLines.find(({ msg }) => message.test(String(msg)));
        if (line !== undefined) return line;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    };
    await assertMetrics(
      'colophon_content_errors 0',
      `colophon_content_info{revision="${server.revision().slice(0, 12)}"} 1`,
      'colophon_content_entries{kind="faq"} 5',
      'colophon_content_dropped_entries_total{kind="faq"} 0',
    );

    // The file is still valid, but more than half of its entries are missing.
    writeContentFile(directory, 'faq.yaml', `entries:\n${entries(2)}`);
    const { level, kind, lost, before, some } = await waitForLogLine(/lost more than half of its faq/);
    assert.deepEqual(
      { level, kind, lost, before, some },
      { level: 'warn', kind: 'faq', lost: 3, before: 5, some: ['q2', 'q3', 'q4'] },
    );
    // The index of the new content is still being built. A search waits for the index, so the metric below counts it.
    await server.request('/api/v1/search?q=is');
    await assertMetrics(
      `colophon_content_info{revision="${server.revision().slice(0, 12)}"} 1`,
      'colophon_content_entries{kind="faq"} 2',
      'colophon_content_dropped_entries_total{kind="faq"} 3',
      'colophon_background_tasks_total{task="content",outcome="succeeded"} 2',
      // The index at the start was never built, because no request searched before the change.
      'colophon_background_tasks_total{task="index",outcome="succeeded"} 1',
    );
    writeContentFile(directory, 'faq.yaml', `entries:\n${entries(1)}`);
    await waitUntil(server, '/api/v1/faq', ({ data }) => Array.isArray(data) && data.length === 1);
    assert.equal(
      server.logLines.filter(({ msg }) => /lost more than half/.test(String(msg))).length,
      1,
      'half is allowed',
    );

    writeContentFile(directory, 'pricing.yaml', 'plans: []\n');
    await waitForLogLine(/the content folder is invalid/);
    const { status, warnings } = await fetchReadiness();
    assert.deepEqual(
      [status, warnings],
      ['ready', ['The content folder has an error, listed in the log; the last valid revision is still served.']],
    );
    await assertMetrics(
      'colophon_content_errors 1',
      'colophon_background_tasks_total{task="content",outcome="failed"} 1',
    );
  });
});

describe('The feed of a running or restarted server: upstream_unavailable, Cache-Status', () => {
  it('the last feed of product.yaml is served, also if the feed before it responds later', async (t) => {
    const [slow, quick] = [await startUpstream(), await startUpstream()];
    const request = Promise.withResolvers<() => void>();
    slow.setListener((_, response) => request.resolve(() => response.writeHead(200).end(createAppcast('2.0'))));
    quick.serveBytes(createAppcast('3.0'));
    const directory = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') });
    const product = readFileSync(join(directory, 'product.yaml'), 'utf8');
    const server = await startOneServer({ env: { CONTENT_DIR: directory } });
    t.after(() => Promise.all([server.close(), slow.close(), quick.close()]));
    writeContentFile(directory, 'product.yaml', setFeed(slow.origin)(product));
    const respond = await request.promise;
    writeContentFile(directory, 'product.yaml', setFeed(quick.origin)(product));
    // The watcher should notice the second change before the first feed responds; the test also passes if it is slower.
    await new Promise((resolve) => setTimeout(resolve, 500));
    respond();
    const countRevisions = () => server.logLines.filter(({ msg }) => msg === 'serving a new revision').length;
    while (countRevisions() < 2) await new Promise((resolve) => setTimeout(resolve, 25));
    assert.equal((await server.request('/api/v1/releases/latest')).json.version, '3.0');
  });

  it('the log names the releases and pages that a new revision changed', async (t) => {
    const directory = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') });
    const server = await startOneServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const waitForChanges = async (revisions: number): Promise<unknown> => {
      for (;;) {
        const lines = server.logLines.filter(({ msg }) => msg === 'serving a new revision');
        if (lines.length >= revisions) return lines.at(-1)?.changed;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    };
    writeContentFile(directory, 'appcast.xml', createAppcast('1.0', '1.1'));
    assert.deepEqual(await waitForChanges(1), { releases: ['1.1'] });
    const page = readFileSync(join(directory, 'docs/start.md'), 'utf8');
    writeContentFile(directory, 'docs/start.md', `${page}\nOne more sentence.\n`);
    assert.deepEqual(await waitForChanges(2), { docs: ['start'] });
  });

  const start = Date.parse('2026-11-21T12:00:00Z');

  it('releases get 503 until the feed was read once, and an unknown version gets 404 only then', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, { 'product.yaml': setFeed(upstream.origin) });
    const server = await startTestServer({ env: { CONTENT_DIR: directory }, clock: createManualClock(start) });
    t.after(() => server.close());
    for (const path of ['/releases', '/releases/latest', '/releases/1.0', '/releases/no-such-version']) {
      const { status, json, headers } = await server.request(`/api/v1${path}`);
      assert.equal(status, 503, path);
      assert.equal(json.code, 'upstream_unavailable');
      const wait = Number(headers.get('retry-after'));
      assert.ok(wait >= 5 && wait <= 300, String(wait));
      assert.equal(json.retry_after, wait);
      assert.doesNotMatch(json.detail, /127\.0\.0\.1/);
    }
    for (const path of [
      '',
      '/docs',
      '/faq',
      '/pricing',
      '/features',
      '/requirements',
      '/search?q=light',
      '/compatibility?os_version=14&arch=arm64',
    ]) {
      assert.equal((await server.request(`/api/v1${path}`)).status, 200, path);
    }
    assert.equal((await server.request('/api/v1/sandbox/releases/latest')).status, 200);
    upstream.serveBytes(createAppcast('1.0'));
    assert.equal(await server.checkFeed(), 'updated');
    assert.equal((await server.request('/api/v1/releases/latest')).json.version, '1.0');
    assert.equal((await server.request('/api/v1/releases/no-such-version')).status, 404);
  });

  it('a stale feed has the same body and entity tag, and detail=stale in Cache-Status', async (t) => {
    const upstream = await startUpstream();
    upstream.serveBytes(createAppcast('1.0'));
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, { 'product.yaml': setFeed(upstream.origin) });
    const clock = createManualClock(start);
    const server = await startTestServer({ env: { CONTENT_DIR: directory }, clock });
    t.after(() => server.close());
    const fresh = await server.request('/api/v1/releases/latest');
    assert.equal(fresh.headers.get('cache-status'), null);
    upstream.setListener((_, response) => response.writeHead(503).end());
    await clock.advance(16 * 60_000);
    await server.checkFeed();
    const stale = await server.request('/api/v1/releases/latest');
    assert.equal(stale.status, 200);
    assert.equal(stale.text, fresh.text);
    assert.equal(stale.headers.get('etag'), fresh.headers.get('etag'));
    assert.equal(stale.headers.get('cache-status'), '"feed"; hit; detail=stale');
    const revalidation = await server.request('/api/v1/releases/latest', {
      headers: { 'if-none-match': fresh.headers.get('etag') ?? '' },
    });
    assert.equal(revalidation.status, 304);
    assert.equal((await server.request('/api/v1/docs')).headers.get('cache-status'), null);
    assert.equal((await server.request('/api/v1/sandbox/releases')).headers.get('cache-status'), null);
  });

  it('the copy of the feed is served after a restart, and only if its signature matches the public keys', async (t) => {
    const signer = createSigner();
    const upstream = await startUpstream();
    upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, { 'product.yaml': setFeed(upstream.origin, [signer.publicKey]) });
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const first = await startTestServer({ env: { CONTENT_DIR: directory }, dataDir });
    const { text } = await first.request('/api/v1/releases');
    await first.close();
    upstream.setListener((_, response) => response.writeHead(500).end());
    const second = await startTestServer({ env: { CONTENT_DIR: directory, BASE_URL: first.baseUrl }, dataDir });
    assert.equal((await second.request('/api/v1/releases')).text, text);
    await second.close();
    const otherFolder = writeContentFolder(t, { 'product.yaml': setFeed(upstream.origin, [createSigner().publicKey]) });
    const third = await startTestServer({ env: { CONTENT_DIR: otherFolder }, dataDir });
    assert.equal((await third.request('/api/v1/releases')).status, 503);
    await third.close();
  });

  it('/readyz and the metrics have the time of the last check after a restart while the feed is down', async (t) => {
    const upstream = await startUpstream();
    upstream.serveBytes(createAppcast('1.0'));
    t.after(() => upstream.close());
    const env = { CONTENT_DIR: writeContentFolder(t, { 'product.yaml': setFeed(upstream.origin) }), ADMIN_PORT: '0' };
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const clock = createManualClock(start);
    const first = await startOneServer({ env, dataDir, clock });
    await clock.advance(60_000);
    assert.equal(await first.checkFeed(), 'unchanged');
    await first.close();
    upstream.setListener((_, response) => response.writeHead(500).end());
    const second = await startOneServer({ env, dataDir, clock: createManualClock(start + 7_260_000) });
    t.after(() => second.close());
    const { feed } = Object(await (await fetch(`${second.adminUrl}/readyz`)).json());
    assert.deepEqual(feed, { state: 'stale', checked_at: new Date(start + 60_000).toISOString() });
    const metrics = await (await fetch(`${second.adminUrl}/metrics`)).text();
    assert.match(metrics, /^colophon_feed_age_seconds 7200$/m);
  });

  it('an unsigned, forged, rolled back or malformed feed is refused, and the releases stay the same', async (t) => {
    const signer = createSigner();
    const older = signer.sign(createAppcast('1.0'));
    const upstream = await startUpstream();
    upstream.serveBytes(signer.sign(createAppcast('1.0', '1.1')));
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, { 'product.yaml': setFeed(upstream.origin, [signer.publicKey]) });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const { text } = await server.request('/api/v1/releases');
    const unsignedFeed = createAppcast('9.9');
    const badFeeds = [
      unsignedFeed,
      createSigner().sign(unsignedFeed),
      signer.sign(unsignedFeed).toString().replace('9.9', '9.8'),
      older,
      '<html><body>Sign in to the hotel network</body></html>',
      signer.sign('<!DOCTYPE rss [<!ENTITY a "b">]><rss/>'),
      '',
    ];
    for (const bytes of badFeeds) {
      upstream.serveBytes(bytes);
      assert.match(await server.checkFeed(), /^(refused|failed)$/);
      assert.equal((await server.request('/api/v1/releases')).text, text);
    }
    upstream.serveBytes(signer.sign(createAppcast('1.2', '1.1', '1.0')));
    assert.equal(await server.checkFeed(), 'updated');
    assert.equal((await server.request('/api/v1/releases/latest')).json.version, '1.2');
  });

  it('a cursor of GET /api/v1/releases returns the same page after a new release', async (t) => {
    const upstream = await startUpstream();
    upstream.serveBytes(createAppcast('1.0', '1.1', '1.2'));
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, { 'product.yaml': setFeed(upstream.origin) });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const { json: first } = await server.request('/api/v1/releases?limit=1');
    const second = await server.request(`/api/v1/releases?limit=1&cursor=${first.pagination.next_cursor}`);
    upstream.serveBytes(createAppcast('1.0', '1.1', '1.2', '1.3'));
    assert.equal(await server.checkFeed(), 'updated');
    const repeat = await server.request(`/api/v1/releases?limit=1&cursor=${first.pagination.next_cursor}`);
    assert.deepEqual(repeat.json.data, second.json.data);
  });
});
