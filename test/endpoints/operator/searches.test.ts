/** Tests /searches of the admin listener: which searches count, and what is never counted, stored or logged. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createSearchCounts } from '../../../src/endpoints/operator/search-counts.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { callTool } from '../../support/mcp.ts';
import { createJsonPost, startOneServer, type TestServer, type TestServerOptions } from '../../support/server.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');

interface Total {
  readonly query: string;
  readonly searches: number;
  readonly without_results: number;
}

interface Report {
  readonly since: string;
  readonly most_frequent: readonly Total[];
  readonly without_results: readonly Total[];
}

async function readReport(server: TestServer): Promise<Report> {
  const response = await fetch(`${server.adminUrl}/searches`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return (await response.json()) as Report;
}

const createTotal = (query: string, searches: number, withoutResults = 0): Total => ({
  query,
  searches,
  without_results: withoutResults,
});

async function start(t: TestContext, options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startOneServer({ clock: createManualClock(noon), ...options, env: { ADMIN_PORT: '0' } });
  t.after(() => server.close());
  return server;
}

describe('GET /searches of the admin listener', () => {
  it('the report has each search of the page, the API, a batch and an agent, and when the process started', async (t) => {
    const server = await start(t);
    await server.request('/search?q=Microphone', { headers: { accept: 'text/html' } });
    await server.request('/search?q=%20microphone%20', { headers: { accept: 'text/html' } });
    await server.request('/search.md?q=offline');
    await server.request('/api/v1/search?q=install');
    await server.request('/api/v1/search?q=shortcut&limit=3', { headers: { accept: 'text/markdown' } });
    const operations = ['/search?q=update', '/search?q=update', '/faq'].map((path, index) => ({
      id: `${index}`,
      method: 'GET',
      path,
    }));
    await server.request('/api/v1/batch', createJsonPost({ operations }));
    await callTool(server, '/mcp', 'search', { query: 'price' });
    await callTool(server, '/mcp/docs', 'search', { query: 'price' });
    assert.deepEqual(await readReport(server), {
      since: '2026-11-21T12:00:00.000Z',
      most_frequent: [
        createTotal('microphone', 2),
        createTotal('price', 2),
        createTotal('update', 2),
        createTotal('install', 1),
        createTotal('offline', 1),
        createTotal('shortcut', 1),
      ],
      without_results: [],
    });
  });

  it('a search counts even if its response is cached or a 304', async (t) => {
    const server = await start(t);
    const { headers } = await server.request('/api/v1/search?q=install');
    await server.request('/api/v1/search?q=install');
    const notModified = await server.request('/api/v1/search?q=install', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    assert.equal(notModified.status, 304);
    assert.deepEqual((await readReport(server)).most_frequent, [createTotal('install', 3)]);
  });

  it('suggestions while somebody types do not count; a chosen one counts, in a response that no cache stores', async (t) => {
    const server = await start(t);
    for (const q of ['mi', 'mic', 'micr']) await server.request(`/search?q=${q}&part=list`);
    assert.deepEqual((await readReport(server)).most_frequent, []);
    const response = await server.request('/search?q=micr&part=chosen');
    assert.deepEqual([response.status, response.text, response.headers.get('cache-control')], [200, '', 'no-store']);
    assert.deepEqual((await readReport(server)).most_frequent, [createTotal('micr', 1)]);
  });

  it('a rejected search, a further page, HEAD and the sandbox do not count', async (t) => {
    const server = await start(t);
    const { json: first } = await server.request('/api/v1/sandbox/search?q=light');
    assert.equal(first.object, 'list');
    for (const path of ['/api/v1/search?q=a', '/api/v1/search', '/api/v1/search?q=mac&limit=0', '/search?q=a']) {
      await server.request(path);
    }
    await server.request('/api/v1/search?q=mac', { method: 'HEAD' });
    await server.request('/search?q=mac', { method: 'HEAD' });
    assert.deepEqual((await readReport(server)).most_frequent, []);
    const { json: page } = await server.request('/api/v1/search?q=dictation&limit=1');
    await server.request(
      `/api/v1/search?q=dictation&limit=1&cursor=${encodeURIComponent(page.pagination.next_cursor)}`,
    );
    assert.deepEqual((await readReport(server)).most_frequent, [createTotal('dictation', 1)]);
  });

  it('the report has a separate list of searches without results', async (t) => {
    const server = await start(t);
    await server.request('/search?q=xyzzyx%20plugh');
    await server.request('/search?q=mac');
    await server.request('/search?q=mac');
    await callTool(server, '/mcp', 'search', { query: 'quux quuux' });
    const report = await readReport(server);
    assert.deepEqual(report.without_results, [createTotal('quux quuux', 1, 1), createTotal('xyzzyx plugh', 1, 1)]);
    assert.deepEqual(report.most_frequent, [createTotal('mac', 2), ...report.without_results]);
  });

  it('no file and no log line has a query', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const server = await start(t, { dataDir });
    await server.request('/search?q=hapax');
    await server.request('/api/v1/search?q=hapax');
    await callTool(server, '/mcp', 'search', { query: 'hapax' });
    assert.deepEqual((await readReport(server)).most_frequent, [createTotal('hapax', 3, 3)]);
    await server.close();
    for (const file of await readdir(dataDir)) {
      const bytes = await readFile(join(dataDir, file)).catch(() => Buffer.alloc(0));
      assert.ok(!bytes.includes('hapax'), file);
    }
    assert.ok(server.logLines.length > 3);
    assert.ok(!JSON.stringify(server.logLines).includes('hapax'));
  });

  it('a process counts at most 5,000 queries and evicts the least recently searched one', () => {
    const counts = createSearchCounts({ now: () => noon });
    const spellNumber = (index: number): string => [...`${index}`].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    for (let index = 0; index < 5000; index += 1) counts.count({ query: spellNumber(index), isFound: true });
    counts.count({ query: spellNumber(0), isFound: true });
    counts.count({ query: 'one more', isFound: true });
    const { queries } = counts.list();
    const names = new Set(queries.map(({ query }) => query));
    assert.deepEqual(
      [names.size, names.has(spellNumber(0)), names.has(spellNumber(1)), names.has('one more')],
      [5000, true, false, true],
    );
  });
});

describe('GET /searches of the admin listener with queries that look like personal data', () => {
  const personal = [
    'jane@example.com',
    'mail from jane.doe+tag@mail.example',
    'jane@home',
    '4111 1111 1111 1111',
    '+49 170 1234567',
    '(415) 555-26-71',
    '555 12 34',
    'invoice 20261',
    '１２３４５',
    '٤٢٤٢',
    '192.168.1.20',
    '429',
    'sk-live-abcdef',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'eyJhbGciOiJFZERTQSJ9',
    'license ABCD-EFGH-IJKL',
    'key a1b2c3',
    'aGVsbGpXbWxkT3VyTm9uY2U',
    'https://example.com/reset',
    'thequickbrownfoxjumpsoverthelazydog',
    'a long text that somebody pasted into the field because they wanted to see what would come of that here',
  ];
  const plain = [
    'macos 15.1',
    'error 42',
    'hands-free',
    'version 2.3.0',
    'gpt-4o-mini',
    'settimeout',
    '音声入力の設定',
  ];

  it('a query that looks like personal data is not counted, and ordinary words are', async (t) => {
    const server = await start(t);
    for (const q of [...personal, ...plain]) {
      await server.request(`/search?${new URLSearchParams({ q })}`);
      await server.request(`/search?${new URLSearchParams({ q, part: 'chosen' })}`);
    }
    assert.deepEqual(
      (await readReport(server)).most_frequent.map(({ query }) => query),
      plain.toSorted(),
    );
  });
});
