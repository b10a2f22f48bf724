/** What an operator learns of searches: which ones count, of whom, for how long, and what is never kept. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it, type TestContext } from 'node:test';
import { storeDown } from '../../src/store/outage.ts';
import type { Store } from '../../src/store/store.ts';
import { colophon } from '../support/command.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { callTool } from '../support/mcp.ts';
import { bearer, issueToken, registerClient } from '../support/oauth.ts';
import { json, startOneServer, type TestServer, type TestServerOptions } from '../support/server.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');
const day = 86_400_000;
const env = { ADMIN_PORT: '0', TRUST_PROXY: '1' };

interface Total {
  readonly query: string;
  readonly searches: number;
  readonly without_results: number;
}

interface Report {
  readonly days: number;
  readonly most_frequent: readonly Total[];
  readonly without_results: readonly Total[];
}

async function reportOf(server: TestServer): Promise<Report> {
  const response = await fetch(`${server.adminUrl}/searches`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return (await response.json()) as Report;
}

const total = (query: string, searches: number, without = 0): Total => ({ query, searches, without_results: without });

/** From one of as many addresses as a test wants. */
const from = (client: number | string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': `192.0.2.${client}`, ...headers },
});

const clients = [1, 2, 3];

/** Of a path with a query, by each of the clients. */
async function askAll(server: TestServer, path: string, headers: Record<string, string> = {}): Promise<void> {
  for (const client of clients) {
    const { status } = await server.ask(path, from(client, headers));
    assert.ok(status === 200 || status === 304, `${path}: ${status}`);
  }
}

interface Started {
  readonly server: TestServer;
  readonly clock: ManualClock;
}

async function start(t: Pick<TestContext, 'after'>, options: TestServerOptions = {}, at = noon): Promise<Started> {
  const clock = createManualClock(at);
  const server = await startOneServer({ clock, ...options, env: { ...env, ...options.env } });
  t.after(() => server.close());
  return { server, clock };
}

describe('a search', () => {
  it('counts when it is submitted, on the page, in the API and by an agent, from caches too', async (t) => {
    const { server, clock } = await start(t);
    await askAll(server, '/search?q=Microphone', { accept: 'text/html' });
    await askAll(server, '/search.md?q=offline');
    await askAll(server, '/api/v1/search?q=install');
    await askAll(server, '/api/v1/search?q=shortcut&limit=3', { accept: 'text/markdown' });
    for (const client of clients) {
      const paths = ['/search?q=update', '/search?q=price', '/faq'];
      const operations = paths.map((path, at) => ({ id: `${at}`, method: 'GET', path }));
      await server.ask('/api/v1/batch', json({ operations }, from(client).headers));
    }
    await clock.advance(2000);
    assert.deepEqual(await reportOf(server), {
      days: 30,
      most_frequent: ['install', 'microphone', 'offline', 'price', 'shortcut', 'update'].map((query) =>
        total(query, 3),
      ),
      without_results: [],
    });
  });

  it('counts a caller who already has the response', async (t) => {
    const { server, clock } = await start(t);
    const { headers } = await server.ask('/api/v1/search?q=install', from(9));
    const etag = headers.get('etag') ?? '';
    for (const client of clients) {
      const known = await server.ask('/api/v1/search?q=install', from(client, { 'if-none-match': etag }));
      assert.equal(known.status, 304);
    }
    await clock.advance(2000);
    assert.deepEqual((await reportOf(server)).most_frequent, [total('install', 4)]);
  });

  it('of an agent counts by its token, else by its address, on both servers', async (t) => {
    const { server } = await start(t);
    const registered = await registerClient(server);
    const token = await issueToken(server, registered, 'read:docs');
    const ask = (path: string, headers: Record<string, string>) =>
      server.ask(
        path,
        json(
          {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'search', arguments: { query: 'microphone' } },
          },
          { accept: 'application/json', ...headers },
        ),
      );
    await ask('/mcp', from(1).headers);
    await ask('/mcp/docs', from(1, bearer(token)).headers);
    assert.deepEqual((await reportOf(server)).most_frequent, [], 'two clients');
    await ask('/mcp', from(2).headers);
    assert.deepEqual((await reportOf(server)).most_frequent, [total('microphone', 3)]);
    const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
    assert.deepEqual(
      metrics.split('\n').filter((line) => line.startsWith('colophon_searches_total')),
      [
        'colophon_searches_total{surface="mcp",outcome="found"} 3',
        'colophon_searches_total{surface="mcp",outcome="not_found"} 0',
      ],
    );
  });

  it('that is typed counts once nothing has changed for two seconds', async (t) => {
    const { server, clock } = await start(t);
    for (const client of clients) {
      for (const q of ['mi', 'micr', 'micro', 'hotke', 'hotkey']) {
        await server.ask(`/search?q=${q}&part=list`, from(client));
        await clock.advance(1999);
      }
      assert.deepEqual(
        (await reportOf(server)).most_frequent.filter(({ query }) => query !== 'hotkey'),
        [],
      );
      await clock.advance(1);
    }
    assert.deepEqual((await reportOf(server)).most_frequent, [total('hotkey', 3)]);
  });

  it('through the API counts as the last of those that continue it, and others count separately', async (t) => {
    const { server, clock } = await start(t);
    for (const client of clients) {
      for (const q of ['inst', 'install', 'inst', 'instal', 'price']) {
        await server.ask(`/api/v1/search?q=${q}`, from(client));
        await clock.advance(500);
      }
    }
    await clock.advance(2000);
    assert.deepEqual((await reportOf(server)).most_frequent, [total('instal', 3), total('price', 3)]);
  });

  it('counts at once when a result is chosen, in a response that no cache stores', async (t) => {
    const { server } = await start(t);
    for (const client of clients) {
      await server.ask('/search?q=micro&part=list', from(client));
      const chosen = await server.ask('/search?q=micro&part=chosen', from(client));
      assert.deepEqual([chosen.status, chosen.text, chosen.headers.get('cache-control')], [200, '', 'no-store']);
    }
    assert.deepEqual((await reportOf(server)).most_frequent, [total('micro', 3)]);
  });

  it('counts once in ten minutes for a client: typed, submitted, chosen from and asked again', async (t) => {
    const { server, clock } = await start(t);
    for (const client of clients) {
      await server.ask('/search?q=micro&part=list', from(client));
      await clock.advance(2000);
      await server.ask('/search?q=micro', from(client));
      await server.ask('/search?q=%20MICRO%20', from(client));
      await server.ask('/search?q=micro&part=chosen', from(client));
    }
    assert.deepEqual((await reportOf(server)).most_frequent, [total('micro', 3)]);
    await clock.advance(600_000);
    await server.ask('/search?q=micro', from(1));
    assert.deepEqual((await reportOf(server)).most_frequent, [total('micro', 4)]);
  });

  it('does not count when it is refused, continues to another page, has no body, or is in the sandbox', async (t) => {
    const { server, clock } = await start(t);
    const { json: first } = await server.ask('/api/v1/search?q=dictation&limit=1', from(9));
    const cursor = encodeURIComponent(first.pagination.next_cursor);
    for (const client of clients) {
      for (const path of ['/api/v1/search?q=a', '/api/v1/search', '/api/v1/search?q=mac&limit=0', '/search?q=a']) {
        await server.ask(path, from(client));
      }
      await server.ask(`/api/v1/search?q=dictation&limit=1&cursor=${cursor}`, from(client));
      await server.ask('/api/v1/search?q=mac', { method: 'HEAD', ...from(client) });
      await server.ask('/search?q=mac', { method: 'HEAD', ...from(client) });
      await server.ask('/api/v1/sandbox/search?q=mac', from(client));
    }
    await clock.advance(2000);
    assert.deepEqual((await reportOf(server)).most_frequent, []);
  });

  it('without results is listed apart', async (t) => {
    const { server, clock } = await start(t);
    await askAll(server, '/search?q=xyzzyx%20plugh');
    await askAll(server, '/search?q=mac');
    for (const _ of clients) await callTool(server, '/mcp', 'search', { query: 'quux quuux' });
    await clock.advance(2000);
    const report = await reportOf(server);
    assert.deepEqual(report.without_results, [total('xyzzyx plugh', 3, 3)]);
    assert.deepEqual(report.most_frequent, [total('mac', 3), total('xyzzyx plugh', 3, 3)]);
  });
});

describe('who searches', () => {
  it('has to be three in one day before a query is stored', async (t) => {
    const { server, clock } = await start(t, {}, noon + day / 2 - 60_000);
    const ask = (client: number) => server.ask('/search?q=microphone', from(client));
    await ask(1);
    await ask(2);
    await clock.advance(59_999);
    assert.deepEqual((await reportOf(server)).most_frequent, []);
    await clock.advance(1);
    // Another day, another key: nobody is known any more.
    await ask(3);
    await ask(1);
    assert.deepEqual((await reportOf(server)).most_frequent, []);
    await ask(2);
    assert.deepEqual((await reportOf(server)).most_frequent, [total('microphone', 3)]);
  });

  it('is in no file, nor is what they searched for before there are three of them', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const { server, clock } = await start(t, { dataDir });
    await askAll(server, '/search?q=microphone');
    await server.ask('/search?q=hapax', from(77));
    await clock.advance(60_000);
    await server.close();
    const database = new DatabaseSync(join(dataDir, 'colophon.sqlite'));
    t.after(() => database.close());
    assert.deepEqual(
      database
        .prepare('SELECT * FROM searches')
        .all()
        .map((row) => ({ ...row })),
      [{ id: 1, day: noon - day / 2, query: 'microphone', searches: 3, without_results: 0 }],
    );
    for (const file of await readdir(dataDir)) {
      const bytes = await readFile(join(dataDir, file)).catch(() => Buffer.alloc(0));
      for (const text of ['hapax', '192.0.2.']) assert.ok(!bytes.includes(text), `${file} has ${text}`);
    }
  });
});

describe('what looks like somebody’s', () => {
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

  it('is never counted, and what everybody may write is', async (t) => {
    const { server, clock } = await start(t);
    for (const q of [...personal, ...plain]) {
      for (const client of clients) {
        await server.ask(`/search?${new URLSearchParams({ q })}`, from(client));
        await server.ask(`/search?${new URLSearchParams({ q, part: 'chosen' })}`, from(client));
      }
    }
    await clock.advance(2000);
    assert.deepEqual(
      (await reportOf(server)).most_frequent.map(({ query }) => query),
      plain.toSorted(),
    );
  });
});

describe('counts', () => {
  it('are kept for 30 days, through restarts, and shown by the command', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    // The command has the machine's time.
    const clock = createManualClock(Date.now());
    const first = await startOneServer({ clock, dataDir, env });
    await askAll(first, '/search?q=microphone');
    await askAll(first, '/search?q=xyzzyx');
    await first.close();
    const shown = await colophon(['searches'], { env: { DATA_DIR: dataDir } });
    assert.deepEqual([shown.code, shown.error], [0, '']);
    assert.equal(
      shown.out,
      `Most frequent, last 30 days
      3  microphone
      3  xyzzyx
Without results
      3  xyzzyx
`,
    );
    const asJson = await colophon(['searches', '--json'], { env: { DATA_DIR: dataDir, SEARCH_ANALYTICS: 'off' } });
    const report = {
      days: 30,
      most_frequent: [total('microphone', 3), total('xyzzyx', 3, 3)],
      without_results: [total('xyzzyx', 3, 3)],
    };
    assert.deepEqual(JSON.parse(asJson.out), report);
    assert.equal(asJson.error, 'SEARCH_ANALYTICS is off: searches are not counted.\n');

    const second = await startOneServer({ clock, dataDir, env });
    await askAll(second, '/search?q=microphone');
    assert.deepEqual((await reportOf(second)).most_frequent, [total('microphone', 6), total('xyzzyx', 3, 3)]);
    await second.close();

    const later = createManualClock(clock.now() + 30 * day);
    const third = await startOneServer({ clock: later, dataDir, env });
    t.after(() => third.close());
    await later.advance(0);
    assert.deepEqual((await reportOf(third)).most_frequent, []);
    const database = new DatabaseSync(join(dataDir, 'colophon.sqlite'), { readOnly: true });
    t.after(() => database.close());
    assert.equal(database.prepare('SELECT count(*) AS count FROM searches').get()?.count, 0);
  });

  it('say that there is no database before a server has made one', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const { code, error } = await colophon(['searches'], { env: { DATA_DIR: dataDir } });
    assert.equal(code, 1);
    assert.match(error, /^There is no database .*colophon\.sqlite\. A server makes it at its first start/);
  });

  it('wait for a store that cannot be used, and one line says so', async (t) => {
    let isDown = true;
    const wrapStore = (store: Store): Store => ({
      ...store,
      addSearches: (counted) => (isDown ? Promise.reject(storeDown(new Error('gone'))) : store.addSearches(counted)),
    });
    const { server, clock } = await start(t, { wrapStore });
    await askAll(server, '/search?q=microphone');
    await clock.advance(180_000);
    assert.equal((await fetch(`${server.adminUrl}/searches`)).status, 503);
    const told = server.lines.filter(({ event }) => event === 'searches.not_stored');
    assert.deepEqual(
      told.map(({ level, msg }) => [level, msg]),
      [['warn', 'searches are counted and cannot be stored']],
    );
    isDown = false;
    await clock.advance(60_000);
    assert.deepEqual((await reportOf(server)).most_frequent, [total('microphone', 3)]);
  });
});

describe('without analytics', () => {
  let server: TestServer;
  before(async () => {
    server = await startOneServer({ env: { ...env, SEARCH_ANALYTICS: 'off' } });
  });
  after(() => server.close());

  it('nothing is counted', async () => {
    await askAll(server, '/search?q=microphone');
    for (const _ of clients) await callTool(server, '/mcp', 'search', { query: 'microphone' });
    const response = await fetch(`${server.adminUrl}/searches`);
    assert.equal(response.status, 404);
    assert.deepEqual(await response.json(), { error: 'SEARCH_ANALYTICS is off: searches are not counted.' });
    const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
    assert.ok(!/^colophon_searches_total\{/m.test(metrics));
  });
});
