/** Tests that a cursor of a search continues one ranking after a change of the content, after a restart and on another process. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startColophon } from '../support/command.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createProblem } from '../support/problem.ts';
import { sendRequest, startOneServer, type TestServer } from '../support/server.ts';

const shipped = resolve(import.meta.dirname, '../../content');

/**
 * Creates a copy of the shipped content folder without keywords.yaml and facts.yaml, and returns its path with one for data, where
 * nothing exists yet. Both are removed after the test.
 */
function createFolders(t: TestContext): { folder: string; dataDir: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'search-cursor-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'content');
  cpSync(shipped, folder, { recursive: true });
  // Both files may refer to an entry that an edit removes, which would make the folder invalid.
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
  const { status, json } = await server.request(`/api/v1/search?${query}`);
  assert.equal(status, 200);
  const places = json.data.map(({ section_url: url }: { section_url: string }) => url);
  const scores = json.data.map(({ score }: { score: number }) => score);
  return { places, scores, cursor: json.pagination.next_cursor };
}

async function listPlaces(server: TestServer, q: string, limit: number, start: string | null): Promise<string[]> {
  const places: string[] = [];
  let cursor = start;
  do {
    const page = await fetchPage(server, q, limit, cursor);
    places.push(...page.places);
    cursor = page.cursor;
  } while (cursor !== null);
  return places;
}

/** Waits until the server has another revision than `before`. Only the time limit of the test ends it otherwise. */
async function waitForReload(server: TestServer, before: string): Promise<void> {
  while (server.revision() === before) await sleep(25);
}

const editFile = (folder: string, file: string, edit: (text: string) => string): void => {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  const newText = edit(text);
  assert.notEqual(newText, text, file);
  writeFileSync(path, newText);
};

const writePage = (folder: string, slug: string, text: string): void => {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  writeFileSync(join(folder, 'docs', `${slug}.md`), `---\ntitle: ${slug}\n---\n\n${text}\n`);
};

/** Creates a pattern for an entry of faq.yaml, up to the first line of the next entry. */
const createEntryPattern = (id: string): RegExp => new RegExp(`  - id: ${id}\\n(?:(?!  - id: ).*\\n)*`);

const edits: readonly {
  readonly name: string;
  readonly q: string;
  prepare?(folder: string): void;
  /** Edits the folder. `rest` has the URLs after the first pages; returns the one that the edit removes, if any. */
  edit(folder: string, rest: readonly string[]): string | undefined;
}[] = [
  {
    name: 'an entry of the FAQ is removed',
    q: 'sotto',
    edit(folder, rest) {
      const place = rest.findLast((url) => url.includes('/faq/')) ?? assert.fail('no entry of the FAQ');
      editFile(folder, 'faq.yaml', (text) => text.replace(createEntryPattern(place.split('/').at(-1) ?? ''), ''));
      return place;
    },
  },
  {
    name: 'a page is added',
    q: 'mac',
    edit: (folder) => void writePage(folder, 'mac', 'A Mac, another Mac, and what a Mac does with a Mac. '.repeat(20)),
  },
  {
    name: 'a sentence is added to an answer',
    q: 'sotto',
    edit: (folder) =>
      void editFile(folder, 'faq.yaml', (text) =>
        text.replace(createEntryPattern('what-is-sotto'), (entry) =>
          entry.replace(/answer: \|\n {6}/, '$&Sotto is what Sotto is, says Sotto. '),
        ),
      ),
  },
  {
    name: '60 other pages are added to 254',
    q: 'quokka',
    prepare(folder) {
      for (let index = 0; index < 254; index += 1)
        writePage(folder, `q${index}`, `One quokka. ${'So it goes. '.repeat(index % 17)}`);
    },
    edit(folder) {
      for (let index = 0; index < 60; index += 1)
        writePage(folder, `other${index}`, 'Nothing of the kind. '.repeat(30));
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
      const ranking = await listPlaces(first, q, 50, null);
      assert.ok(ranking.length > 20, `${ranking.length} results`);
      assert.equal(new Set(ranking).size, ranking.length);
      const first50 = await fetchPage(first, q, 50, null);
      const start = await fetchPage(first, q, 10, null);
      assert.deepEqual(start.places, ranking.slice(0, 10));

      const before = first.revision();
      const removedPlace = edit(folder, ranking.slice(15));
      await waitForReload(first, before);
      const second = await fetchPage(first, q, 5, start.cursor);
      await first.close();

      // This server starts a day later with the same data.
      const later = await startOneServer({ dataDir, env, clock: createManualClock(Date.now() + 86_400_000) });
      t.after(() => later.close());
      const rest = await listPlaces(later, q, 7, second.cursor);
      const places = [...start.places, ...second.places, ...rest];
      assert.deepEqual(
        places,
        ranking.filter((place) => place !== removedPlace),
      );
      // The scores differ, so the cursor continued a ranking that a new search would not return.
      assert.notDeepEqual((await fetchPage(later, q, 50, null)).scores, first50.scores);
    });
  }

  it('a cursor whose results were all removed gets 400 invalid_cursor', async (t) => {
    const { folder } = createFolders(t);
    writePage(folder, 'one', 'A quokka.');
    writePage(folder, 'two', 'Something else, and in the end a quokka.');
    const server = await startOneServer({ env: { CONTENT_DIR: folder } });
    t.after(() => server.close());
    const { places, cursor } = await fetchPage(server, 'quokka', 1, null);
    assert.equal(places.length, 1);
    const before = server.revision();
    for (const slug of ['one', 'two']) {
      if (!places[0]?.endsWith(`/docs/${slug}`)) rmSync(join(folder, 'docs', `${slug}.md`));
    }
    await waitForReload(server, before);
    const { status, headers, json } = await server.request(`/api/v1/search?q=quokka&limit=1&cursor=${cursor}`);
    assert.equal(status, 400);
    assert.equal(headers.get('content-type'), 'application/problem+json');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.deepEqual(
      json,
      createProblem(server.baseUrl, {
        title: 'Invalid cursor',
        status: 400,
        detail: 'None of the results of this cursor exist any more. Leave `cursor` out to search the current content.',
        instance: '/api/v1/search',
        code: 'invalid_cursor',
        request_id: headers.get('x-request-id'),
      }),
    );
  });

  it('two processes return the same pages and entity tags at different times', async (t) => {
    // Both processes need the same limits, because the texts of the portal contain the limits and are searched, too.
    const names = ['ANONYMOUS', 'TOKEN', 'SANDBOX', 'PAGES', 'ADDRESS', 'REGISTRATION', 'ISSUE', 'REFUSED'];
    const limits = Object.fromEntries(names.map((name) => [`RATE_LIMIT_${name}`, '9999']));
    const key = { ...limits, SECRET_KEY: 'a secret that both of them were given' };
    const dataDir = mkdtempSync(join(tmpdir(), 'search-cursor-'));
    const command = startColophon(['serve'], { env: { ...key, DATA_DIR: dataDir } });
    t.after(async () => {
      command.child.kill('SIGKILL');
      await command.exitCode;
      rmSync(dataDir, { recursive: true, force: true });
    });
    const [, remoteUrl = ''] = await command.waitForOutput(/Colophon serves .* at (http:[^\s"]+)/);
    const clock = createManualClock(Date.parse('2031-01-01T00:00:00Z'));
    const localServer = await startOneServer({ clock, env: { ...key, BASE_URL: remoteUrl } });
    t.after(() => localServer.close());
    let path = '/api/v1/search?q=dictation&limit=3';
    for (let page = 0; page < 3; page += 1) {
      const local = await localServer.request(path);
      await clock.advance(601_000);
      const remote = await sendRequest(remoteUrl, path);
      assert.equal(remote.text, local.text);
      const etag = local.headers.get('etag') ?? '';
      assert.equal(remote.headers.get('etag'), etag);
      assert.equal(remote.headers.get('link'), local.headers.get('link'));
      const revalidation = await sendRequest(remoteUrl, path, { headers: { 'if-none-match': etag } });
      assert.deepEqual([revalidation.status, revalidation.text, revalidation.headers.get('etag')], [304, '', etag]);
      const repeat = await localServer.request(path);
      assert.equal(repeat.text, local.text);
      path = `/api/v1/search?q=dictation&limit=3&cursor=${local.json.pagination.next_cursor}`;
    }
  });
});
