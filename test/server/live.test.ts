/** A server while the world changes: content edited, the feed moving on, down, forged or rolled back, another vendor's folder. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { contentFiles, writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { createAppcast, createSigner } from '../support/feed-samples.ts';
import { startUpstream } from '../support/feed-upstream.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startOneServer, startTestServer, type TestServer } from '../support/server.ts';

const fedBy =
  (source: string, keys: readonly string[] = []) =>
  (text: string) =>
    text.replace(
      '  source: appcast.xml\n',
      `  source: ${source}\n  public_keys: [${keys.map((key) => `"${key}"`).join(', ')}]\n`,
    );

/** Asks until the response is as wanted; the watcher needs a moment, which only the runner's time limit bounds. */
async function until(
  server: TestServer,
  path: string,
  wanted: (json: Record<string, unknown>) => boolean,
): Promise<void> {
  // Twice running: where two servers answer in turn, each has to have noticed.
  let running = 0;
  while (running < 2) {
    const { json } = await server.ask(path);
    running = wanted(json) ? running + 1 : 0;
    if (running === 0) await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

describe('CONTENT_DIR: another vendor’s folder', () => {
  it('the API serves the product of that folder, and nothing of the shipped one', async (t) => {
    const directory = writeContentFolder(t, {
      'appcast.xml': createAppcast('0.7', '1.2.0'),
    });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const { json: latest } = await server.ask('/api/v1/releases/latest');
    assert.equal(latest.version, '1.2.0');
    assert.match(latest.notes, /Brighter/);
    assert.deepEqual(latest.platform, {
      os: 'macOS',
      min_version: '14.0',
      max_version: null,
      arch: 'universal',
      hardware_requirements: [],
    });
    const { json: nested } = await server.ask('/api/v1/docs/guides/colours');
    assert.equal(nested.slug, 'guides/colours');
    assert.equal(
      (await server.ask('/api/v1/docs/guides%2Fcolours')).text,
      (await server.ask('/api/v1/docs/guides/colours')).text,
    );
    assert.equal((await server.ask('/docs/guides/colours')).status, 200);
    assert.equal((await server.ask('/docs/guides/colours.md')).status, 200);
    assert.match(nested.markdown, new RegExp(`\\(${server.baseUrl}/docs/start\\)`));
    const { json: compatibility } = await server.ask('/api/v1/compatibility?os_version=14&arch=x86_64');
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
      assert.doesNotMatch((await server.ask(`/api/v1${path}`)).text, /sotto/i, path);
    }
  });

  it('the server does not start, and reports every fault of the folder', async (t) => {
    const directory = writeContentFolder(t, {
      'faq.yaml': 'entries:\n  - id: a\n    category: b\n    question: c\n',
      'docs/start.md': (text) => text.replace('guides/colours.md', 'guides/colors.md'),
    });
    await assert.rejects(
      startTestServer({ env: { CONTENT_DIR: directory } }),
      (error: Error & { faults?: unknown[] }) => {
        assert.equal(error.name, 'ContentError');
        assert.equal(error.faults?.length, 2);
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
    assert.match((await second.ask('/docs/start.md')).text, /First light/);
    assert.equal((await second.ask('/api/v1/releases/latest')).json.version, '1.0');
    const ready = await fetch(`${second.adminUrl}/readyz`);
    assert.equal(ready.status, 200);
    assert.match(await ready.text(), /content folder/);
    assert.ok(second.lines.some(({ level, file }) => level === 'error' && file === 'docs/start.md'));

    writeContentFile(
      directory,
      'docs/start.md',
      contentFiles['docs/start.md']?.replace('title: Start', 'title: Fixed') ?? '',
    );
    await until(second, '/api/v1/docs/start', ({ title }) => title === 'Fixed');
  });

  it('the server does not start if it never had valid content', async (t) => {
    const directory = writeContentFolder(t, { 'docs/start.md': '# No front matter\n' });
    await assert.rejects(startOneServer({ env: { CONTENT_DIR: directory } }), { name: 'ContentError' });
  });
});

describe('The search index after a start with a large CONTENT_DIR', () => {
  it('pages are served before the index is built, and searches wait for the index', async (t) => {
    const words = 'The lamp keeps its colour while the screen is locked and glows until morning. '.repeat(40);
    const pages = Array.from({ length: 80 }, (_, at) => [
      `docs/page-${at}.md`,
      `---\ntitle: Page ${at}\ndescription: Number ${at}.\n---\n${words}Keyword${at}.\n`,
    ]);
    const directory = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0'), ...Object.fromEntries(pages) });
    const server = await startOneServer({ env: { CONTENT_DIR: directory, ADMIN_PORT: '0' } });
    t.after(() => server.close());
    const indexed = async (): Promise<string | undefined> =>
      /^colophon_background_tasks_total\{task="index",outcome="succeeded"\} (\d+)$/m.exec(
        await (await fetch(`${server.adminUrl}/metrics`)).text(),
      )?.[1];
    assert.equal((await server.ask('/api/v1/docs/page-7')).status, 200);
    assert.equal(await indexed(), '0');

    const asked = ['keyword7', 'keyword79', 'keyword7'].map((word) => server.ask(`/api/v1/search?q=${word}`));
    const [first, other, again] = await Promise.all(asked);
    assert.deepEqual(
      [first, other].map((response) => [response?.status, response?.json.data[0].title]),
      [
        [200, 'Page 7'],
        [200, 'Page 79'],
      ],
    );
    assert.equal(again?.text, first?.text);
    assert.equal(await indexed(), '1');
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search', arguments: { query: 'keyword3' } },
    };
    const { json } = await server.ask('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(call),
    });
    assert.equal(json.result.structuredContent.results[0].title, 'Page 3');
    assert.equal(await indexed(), '1');
  });
});

describe('CONTENT_DIR with a change while the server runs', () => {
  it('a valid change is served with a new entity tag, and an invalid change is not served', async (t) => {
    const directory = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const before = await server.ask('/api/v1/docs/start');
    const revision = server.revision();
    writeContentFile(
      directory,
      'docs/start.md',
      '---\ntitle: Start\ndescription: Changed.\norder: 1\nupdated: 2026-03-01\n---\n## First light\n\nNew text.\n',
    );
    await until(server, '/api/v1/docs/start', ({ description }) => description === 'Changed.');
    const after = await server.ask('/api/v1/docs/start', {
      headers: { 'if-none-match': before.headers.get('etag') ?? '' },
    });
    assert.equal(after.status, 200);
    assert.notEqual(server.revision(), revision);
    assert.ok((await server.ask('/api/v1/search?q=new+text')).json.data.length > 0);

    const good = server.revision();
    writeContentFile(directory, 'pricing.yaml', 'plans: []\n');
    writeContentFile(directory, 'docs/start.md', 'no front matter');
    while (!server.lines.some(({ msg }) => String(msg).includes('docs/start.md'))) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    assert.ok(server.lines.some(({ msg }) => String(msg).includes('pricing.yaml')));
    assert.equal(server.revision(), good);
    assert.equal((await server.ask('/api/v1/docs/start')).json.description, 'Changed.');
    assert.equal((await server.ask('/api/v1/pricing')).status, 200);
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
    const has = async (...lines: string[]): Promise<void> => {
      const text = await (await fetch(`${server.adminUrl}/metrics`)).text();
      for (const line of lines) assert.ok(text.includes(`\n${line}\n`), `${line} is not in\n${text}`);
    };
    const readiness = async () => JSON.parse(await (await fetch(`${server.adminUrl}/readyz`)).text());
    const saying = async (message: RegExp): Promise<Record<string, unknown>> => {
      for (;;) {
        const line = server.lines.find(({ msg }) => message.test(String(msg)));
        if (line !== undefined) return line;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    };
    await has(
      'colophon_content_errors 0',
      `colophon_content_info{revision="${server.revision().slice(0, 12)}"} 1`,
      'colophon_content_entries{kind="faq"} 5',
      'colophon_content_dropped_entries_total{kind="faq"} 0',
    );

    // Still valid: what is left is less than half of it.
    writeContentFile(directory, 'faq.yaml', `entries:\n${entries(2)}`);
    const { level, kind, lost, before, some } = await saying(/lost more than half of its faq/);
    assert.deepEqual(
      { level, kind, lost, before, some },
      { level: 'warn', kind: 'faq', lost: 3, before: 5, some: ['q2', 'q3', 'q4'] },
    );
    // A search waits for the index of the new folder.
    await server.ask('/api/v1/search?q=is');
    await has(
      `colophon_content_info{revision="${server.revision().slice(0, 12)}"} 1`,
      'colophon_content_entries{kind="faq"} 2',
      'colophon_content_dropped_entries_total{kind="faq"} 3',
      'colophon_background_tasks_total{task="content",outcome="succeeded"} 2',
      // The first folder's index was not built: nobody searched it.
      'colophon_background_tasks_total{task="index",outcome="succeeded"} 1',
    );
    writeContentFile(directory, 'faq.yaml', `entries:\n${entries(1)}`);
    await until(server, '/api/v1/faq', ({ data }) => Array.isArray(data) && data.length === 1);
    assert.equal(
      server.lines.filter(({ msg }) => /lost more than half/.test(String(msg))).length,
      1,
      'half is allowed',
    );

    writeContentFile(directory, 'pricing.yaml', 'plans: []\n');
    await saying(/the content folder is invalid/);
    const { status, warnings } = await readiness();
    assert.deepEqual(
      [status, warnings],
      ['ready', ['The content folder has an error, listed in the log; the last valid revision is still served.']],
    );
    await has('colophon_content_errors 1', 'colophon_background_tasks_total{task="content",outcome="failed"} 1');
  });
});

describe('The feed of a running or restarted server: upstream_unavailable, Cache-Status', () => {
  it('the last feed of product.yaml is served, also if the feed before it responds later', async (t) => {
    const [slow, quick] = [await startUpstream(), await startUpstream()];
    const asked = Promise.withResolvers<() => void>();
    slow.answer((_, response) => asked.resolve(() => response.writeHead(200).end(createAppcast('2.0'))));
    quick.serve(createAppcast('3.0'));
    const directory = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') });
    const product = readFileSync(join(directory, 'product.yaml'), 'utf8');
    const server = await startOneServer({ env: { CONTENT_DIR: directory } });
    t.after(() => Promise.all([server.close(), slow.close(), quick.close()]));
    writeContentFile(directory, 'product.yaml', fedBy(slow.origin)(product));
    const answer = await asked.promise;
    writeContentFile(directory, 'product.yaml', fedBy(quick.origin)(product));
    // So that the change is seen before the response comes; it is right as well when it is seen later.
    await new Promise((resolve) => setTimeout(resolve, 500));
    answer();
    const served = () => server.lines.filter(({ msg }) => msg === 'serving a new revision').length;
    while (served() < 2) await new Promise((resolve) => setTimeout(resolve, 25));
    assert.equal((await server.ask('/api/v1/releases/latest')).json.version, '3.0');
  });

  it('the log names the releases and pages that a new revision changed', async (t) => {
    const directory = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') });
    const server = await startOneServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const changes = async (revisions: number): Promise<unknown> => {
      for (;;) {
        const lines = server.lines.filter(({ msg }) => msg === 'serving a new revision');
        if (lines.length >= revisions) return lines.at(-1)?.changed;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    };
    writeContentFile(directory, 'appcast.xml', createAppcast('1.0', '1.1'));
    assert.deepEqual(await changes(1), { releases: ['1.1'] });
    const page = readFileSync(join(directory, 'docs/start.md'), 'utf8');
    writeContentFile(directory, 'docs/start.md', `${page}\nOne more sentence.\n`);
    assert.deepEqual(await changes(2), { docs: ['start'] });
  });

  const start = Date.parse('2026-11-21T12:00:00Z');

  it('releases get 503 until the feed was read once, and an unknown version gets 404 only then', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, { 'product.yaml': fedBy(upstream.origin) });
    const server = await startTestServer({ env: { CONTENT_DIR: directory }, clock: createManualClock(start) });
    t.after(() => server.close());
    for (const path of ['/releases', '/releases/latest', '/releases/1.0', '/releases/no-such-version']) {
      const { status, json, headers } = await server.ask(`/api/v1${path}`);
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
      assert.equal((await server.ask(`/api/v1${path}`)).status, 200, path);
    }
    assert.equal((await server.ask('/api/v1/sandbox/releases/latest')).status, 200);
    upstream.serve(createAppcast('1.0'));
    assert.equal(await server.checkFeed(), 'updated');
    assert.equal((await server.ask('/api/v1/releases/latest')).json.version, '1.0');
    assert.equal((await server.ask('/api/v1/releases/no-such-version')).status, 404);
  });

  it('a stale feed has the same body and entity tag, and detail=stale in Cache-Status', async (t) => {
    const upstream = await startUpstream();
    upstream.serve(createAppcast('1.0'));
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, { 'product.yaml': fedBy(upstream.origin) });
    const clock = createManualClock(start);
    const server = await startTestServer({ env: { CONTENT_DIR: directory }, clock });
    t.after(() => server.close());
    const fresh = await server.ask('/api/v1/releases/latest');
    assert.equal(fresh.headers.get('cache-status'), null);
    upstream.answer((_, response) => response.writeHead(503).end());
    await clock.advance(16 * 60_000);
    await server.checkFeed();
    const stale = await server.ask('/api/v1/releases/latest');
    assert.equal(stale.status, 200);
    assert.equal(stale.text, fresh.text);
    assert.equal(stale.headers.get('etag'), fresh.headers.get('etag'));
    assert.equal(stale.headers.get('cache-status'), '"feed"; hit; detail=stale');
    const unchanged = await server.ask('/api/v1/releases/latest', {
      headers: { 'if-none-match': fresh.headers.get('etag') ?? '' },
    });
    assert.equal(unchanged.status, 304);
    assert.equal((await server.ask('/api/v1/docs')).headers.get('cache-status'), null);
    assert.equal((await server.ask('/api/v1/sandbox/releases')).headers.get('cache-status'), null);
  });

  it('the copy of the feed is served after a restart, and only if its signature matches the public keys', async (t) => {
    const signer = createSigner();
    const upstream = await startUpstream();
    upstream.serve(signer.sign(createAppcast('1.0', '1.1')));
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, { 'product.yaml': fedBy(upstream.origin, [signer.publicKey]) });
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const first = await startTestServer({ env: { CONTENT_DIR: directory }, dataDir });
    const { text } = await first.ask('/api/v1/releases');
    await first.close();
    upstream.answer((_, response) => response.writeHead(500).end());
    const second = await startTestServer({ env: { CONTENT_DIR: directory, BASE_URL: first.baseUrl }, dataDir });
    assert.equal((await second.ask('/api/v1/releases')).text, text);
    await second.close();
    const other = writeContentFolder(t, { 'product.yaml': fedBy(upstream.origin, [createSigner().publicKey]) });
    const third = await startTestServer({ env: { CONTENT_DIR: other }, dataDir });
    assert.equal((await third.ask('/api/v1/releases')).status, 503);
    await third.close();
  });

  it('/readyz and the metrics have the time of the last check after a restart while the feed is down', async (t) => {
    const upstream = await startUpstream();
    upstream.serve(createAppcast('1.0'));
    t.after(() => upstream.close());
    const env = { CONTENT_DIR: writeContentFolder(t, { 'product.yaml': fedBy(upstream.origin) }), ADMIN_PORT: '0' };
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const clock = createManualClock(start);
    const first = await startOneServer({ env, dataDir, clock });
    await clock.advance(60_000);
    assert.equal(await first.checkFeed(), 'unchanged');
    await first.close();
    upstream.answer((_, response) => response.writeHead(500).end());
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
    upstream.serve(signer.sign(createAppcast('1.0', '1.1')));
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, { 'product.yaml': fedBy(upstream.origin, [signer.publicKey]) });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const { text } = await server.ask('/api/v1/releases');
    const unsigned = createAppcast('9.9');
    const bad = [
      unsigned,
      createSigner().sign(unsigned),
      signer.sign(unsigned).toString().replace('9.9', '9.8'),
      older,
      '<html><body>Sign in to the hotel network</body></html>',
      signer.sign('<!DOCTYPE rss [<!ENTITY a "b">]><rss/>'),
      '',
    ];
    for (const bytes of bad) {
      upstream.serve(bytes);
      assert.match(await server.checkFeed(), /^(refused|failed)$/);
      assert.equal((await server.ask('/api/v1/releases')).text, text);
    }
    upstream.serve(signer.sign(createAppcast('1.2', '1.1', '1.0')));
    assert.equal(await server.checkFeed(), 'updated');
    assert.equal((await server.ask('/api/v1/releases/latest')).json.version, '1.2');
  });

  it('a cursor of GET /api/v1/releases returns the same page after a new release', async (t) => {
    const upstream = await startUpstream();
    upstream.serve(createAppcast('1.0', '1.1', '1.2'));
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, { 'product.yaml': fedBy(upstream.origin) });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const { json: first } = await server.ask('/api/v1/releases?limit=1');
    const second = await server.ask(`/api/v1/releases?limit=1&cursor=${first.pagination.next_cursor}`);
    upstream.serve(createAppcast('1.0', '1.1', '1.2', '1.3'));
    assert.equal(await server.checkFeed(), 'updated');
    const again = await server.ask(`/api/v1/releases?limit=1&cursor=${first.pagination.next_cursor}`);
    assert.deepEqual(again.json.data, second.json.data);
  });
});
