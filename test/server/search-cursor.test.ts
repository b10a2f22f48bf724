/** A walk through search results while content changes, servers end and others take over: one ranking from start to end. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startColophon } from '../support/command.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { ask, startOneServer, type TestServer } from '../support/server.ts';

const shipped = resolve(import.meta.dirname, '../../content');

/** A copy of the shipped folder, and a data folder, both removed after the test. */
function createFolders(t: TestContext): { folder: string; dataDir: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'search-cursor-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'content');
  cpSync(shipped, folder, { recursive: true });
  // They would name what the edits take away.
  for (const file of ['keywords.yaml', 'facts.yaml']) rmSync(join(folder, file));
  return { folder, dataDir: join(root, 'data') };
}

interface Page {
  /** The URL of each result. */
  readonly places: readonly string[];
  readonly scores: readonly number[];
  readonly cursor: string | null;
}

async function fetchPage(server: TestServer, q: string, limit: number, cursor: string | null): Promise<Page> {
  const query = new URLSearchParams({ q, limit: String(limit), ...(cursor !== null && { cursor }) });
  const { status, json } = await server.ask(`/api/v1/search?${query}`);
  assert.equal(status, 200);
  const places = json.data.map(({ section_url: url }: { section_url: string }) => url);
  const scores = json.data.map(({ score }: { score: number }) => score);
  return { places, scores, cursor: json.pagination.next_cursor };
}

async function placesFrom(server: TestServer, q: string, limit: number, start: string | null): Promise<string[]> {
  const places: string[] = [];
  let cursor = start;
  do {
    const page = await fetchPage(server, q, limit, cursor);
    places.push(...page.places);
    cursor = page.cursor;
  } while (cursor !== null);
  return places;
}

/** Once the watcher has seen what changed, which only the runner's time limit bounds. */
async function reloaded(server: TestServer, before: string): Promise<void> {
  while (server.revision() === before) await sleep(25);
}

const change = (folder: string, file: string, edit: (text: string) => string): void => {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  const edited = edit(text);
  assert.notEqual(edited, text, file);
  writeFileSync(path, edited);
};

const write = (folder: string, slug: string, text: string): void => {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  writeFileSync(join(folder, 'docs', `${slug}.md`), `---\ntitle: ${slug}\n---\n\n${text}\n`);
};

/** An entry of the FAQ, from its first line to the next one's. */
const createEntry = (id: string): RegExp => new RegExp(`  - id: ${id}\\n(?:(?!  - id: ).*\\n)*`);

const edits: readonly {
  readonly name: string;
  readonly q: string;
  prepare?(folder: string): void;
  /** `rest`: what comes after the first pages. Gives what of it is not there any more. */
  edit(folder: string, rest: readonly string[]): string | undefined;
}[] = [
  {
    name: 'an entry of the FAQ is removed',
    q: 'sotto',
    edit(folder, rest) {
      const place = rest.findLast((url) => url.includes('/faq/')) ?? assert.fail('no entry of the FAQ');
      change(folder, 'faq.yaml', (text) => text.replace(createEntry(place.split('/').at(-1) ?? ''), ''));
      return place;
    },
  },
  {
    name: 'a page is added',
    q: 'mac',
    edit: (folder) => void write(folder, 'mac', 'A Mac, another Mac, and what a Mac does with a Mac. '.repeat(20)),
  },
  {
    name: 'a sentence is added to an answer',
    q: 'sotto',
    edit: (folder) =>
      void change(folder, 'faq.yaml', (text) =>
        text.replace(createEntry('what-is-sotto'), (entry) =>
          entry.replace(/answer: \|\n {6}/, '$&Sotto is what Sotto is, says Sotto. '),
        ),
      ),
  },
  {
    name: '60 other pages are added to 254',
    q: 'quokka',
    prepare(folder) {
      for (let at = 0; at < 254; at += 1) write(folder, `q${at}`, `One quokka. ${'So it goes. '.repeat(at % 17)}`);
    },
    edit(folder) {
      for (let at = 0; at < 60; at += 1) write(folder, `other${at}`, 'Nothing of the kind. '.repeat(30));
      return undefined;
    },
  },
];

describe('GET /api/v1/search with a cursor: invalid_cursor', () => {
  for (const { name, q, prepare, edit } of edits) {
    it(`the cursor continues the same ranking after a reload and a restart when ${name}`, async (t) => {
      const { folder, dataDir } = createFolders(t);
      prepare?.(folder);
      const env = { CONTENT_DIR: folder, BASE_URL: 'https://api.example' };
      const first = await startOneServer({ dataDir, env });
      t.after(() => first.close());
      const whole = await placesFrom(first, q, 50, null);
      assert.ok(whole.length > 20, `${whole.length} results`);
      assert.equal(new Set(whole).size, whole.length);
      const first50 = await fetchPage(first, q, 50, null);
      const start = await fetchPage(first, q, 10, null);
      assert.deepEqual(start.places, whole.slice(0, 10));

      const before = first.revision();
      const gone = edit(folder, whole.slice(15));
      await reloaded(first, before);
      const second = await fetchPage(first, q, 5, start.cursor);
      await first.close();

      // Another process, a day later.
      const later = await startOneServer({ dataDir, env, clock: createManualClock(Date.now() + 86_400_000) });
      t.after(() => later.close());
      const rest = await placesFrom(later, q, 7, second.cursor);
      const read = [...start.places, ...second.places, ...rest];
      assert.deepEqual(
        read,
        whole.filter((place) => place !== gone),
      );
      // The edit was one that changes what is found.
      assert.notDeepEqual((await fetchPage(later, q, 50, null)).scores, first50.scores);
    });
  }

  it('a cursor whose results were all removed gets 400 invalid_cursor', async (t) => {
    const { folder } = createFolders(t);
    write(folder, 'one', 'A quokka.');
    write(folder, 'two', 'Something else, and in the end a quokka.');
    const server = await startOneServer({ env: { CONTENT_DIR: folder } });
    t.after(() => server.close());
    const { places, cursor } = await fetchPage(server, 'quokka', 1, null);
    assert.equal(places.length, 1);
    const before = server.revision();
    for (const slug of ['one', 'two']) {
      if (!places[0]?.endsWith(`/docs/${slug}`)) rmSync(join(folder, 'docs', `${slug}.md`));
    }
    await reloaded(server, before);
    const { status, headers, json } = await server.ask(`/api/v1/search?q=quokka&limit=1&cursor=${cursor}`);
    assert.equal(status, 400);
    assert.equal(headers.get('content-type'), 'application/problem+json');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.deepEqual(json, {
      object: 'error',
      type: `${server.baseUrl}/developers/errors#invalid_cursor`,
      title: json.title,
      status: 400,
      detail: 'None of the results of this cursor exist any more. Leave `cursor` out to search the current content.',
      instance: '/api/v1/search',
      code: 'invalid_cursor',
      request_id: headers.get('x-request-id'),
      docs_url: `${server.baseUrl}/developers/errors#invalid_cursor`,
    });
  });

  it('two processes return the same pages and entity tags at different times', async (t) => {
    // The limits are in the portal's texts, which are searched too.
    const names = ['ANONYMOUS', 'TOKEN', 'SANDBOX', 'PAGES', 'ADDRESS', 'REGISTRATION', 'ISSUE', 'REFUSED'];
    const limits = Object.fromEntries(names.map((name) => [`RATE_LIMIT_${name}`, '9999']));
    const key = { ...limits, SECRET_KEY: 'a secret that both of them were given' };
    const dataDir = mkdtempSync(join(tmpdir(), 'search-cursor-'));
    const command = startColophon(['serve'], { env: { ...key, DATA_DIR: dataDir } });
    t.after(async () => {
      command.child.kill('SIGKILL');
      await command.ended;
      rmSync(dataDir, { recursive: true, force: true });
    });
    const [, there = ''] = await command.says(/Colophon serves .* at (http:[^\s"]+)/);
    const clock = createManualClock(Date.parse('2031-01-01T00:00:00Z'));
    const here = await startOneServer({ clock, env: { ...key, BASE_URL: there } });
    t.after(() => here.close());
    let path = '/api/v1/search?q=dictation&limit=3';
    for (let page = 0; page < 3; page += 1) {
      const one = await here.ask(path);
      await clock.advance(601_000);
      const other = await ask(there, path);
      assert.equal(other.text, one.text);
      const etag = one.headers.get('etag') ?? '';
      assert.equal(other.headers.get('etag'), etag);
      assert.equal(other.headers.get('link'), one.headers.get('link'));
      const known = await ask(there, path, { headers: { 'if-none-match': etag } });
      assert.deepEqual([known.status, known.text, known.headers.get('etag')], [304, '', etag]);
      const again = await here.ask(path);
      assert.equal(again.text, one.text);
      path = `/api/v1/search?q=dictation&limit=3&cursor=${one.json.pagination.next_cursor}`;
    }
  });
});
