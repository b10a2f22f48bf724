/** Tests `colophon snapshot`: compares the files for the example product with the responses of a server with the same content. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { runColophon } from '../support/command.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('colophon snapshot', () => {
  let folder = '';
  let server: TestServer;
  const readSnapshot = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const listPages = (directory: string): string[] =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
  const fetchPage = async (path: string): Promise<string> =>
    (await fetch(server.baseUrl + path, { headers: { accept: 'text/html' } })).text();

  before(async () => {
    server = await startTestServer();
    folder = await mkdtemp(join(tmpdir(), 'colophon-snapshot-'));
    const { code, stderr } = await runColophon(['snapshot', folder], { env: { BASE_URL: server.baseUrl } });
    assert.deepEqual([code, stderr], [0, '']);
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  it('every link of a page points to a file, with and without --relative', async () => {
    const listLinks = (html: string): string[] =>
      Array.from(html.matchAll(/ (?:href|src|action)="([^"]*)"/g), ([, link = '']) => link.replace(/[?#].*/, ''));
    for (const file of listPages(folder)) {
      for (const link of listLinks(readSnapshot(file)).filter((target) => target.startsWith('/'))) {
        const path = join(folder, decodeURIComponent(link));
        assert.ok([path, `${path}.html`, join(path, 'index.html')].some(isFile), `${file} links to ${link}`);
      }
    }
    const relative = join(folder, '../', `${folder.split(/[/\\]/).at(-1)}-relative`);
    try {
      const { code } = await runColophon(['snapshot', '--relative', relative], { env: { BASE_URL: server.baseUrl } });
      assert.equal(code, 0);
      for (const file of listPages(relative)) {
        const path = join(relative, file);
        for (const link of listLinks(readFileSync(path, 'utf8')).filter(
          (target) => target !== '' && !/^\w+:/.test(target),
        ))
          assert.ok(isFile(join(dirname(path), decodeURIComponent(link))), `${file} links to ${link}`);
      }
    } finally {
      await rm(relative, { recursive: true, force: true });
    }
  });

  it('a link to a build is the URL of its file, because a static host ignores the query in redirects', () => {
    const links = listPages(folder).flatMap((file) =>
      [...readSnapshot(file).matchAll(/ href="([^"]*)"/g)].map(([, link]) => link),
    );
    assert.deepEqual(
      links.filter((link) => link?.startsWith('/download/') && link.includes('?')),
      [],
    );
    assert.ok(links.includes('https://updates.sotto.example/Sotto-2.3.0-x86_64.dmg'));
  });

  it('pages and their Markdown are those of the server, without links and forms that need a server', async () => {
    const connections = /<li><a href="(?:cursor|vscode):[^<]*<\/a><\/li>/g;
    const extractMain = (html: string): string =>
      (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '')
        .replace(connections, '')
        .replaceAll('/download/latest?arch=x86_64', 'https://updates.sotto.example/Sotto-2.3.0-x86_64.dmg');
    for (const path of ['/docs', '/docs/quickstart', '/faq', '/releases', '/releases/2.3.0']) {
      assert.equal(extractMain(readSnapshot(`${path}.html`)), extractMain(await fetchPage(path)), path);
      assert.equal(readSnapshot(`${path}.md`), await fetchPage(`${path}.md`), path);
    }
    for (const file of listPages(folder))
      assert.doesNotMatch(readSnapshot(file), /href="(\/(developers|openapi|auth\.md)|cursor:|vscode:)/, file);
    assert.doesNotMatch(readSnapshot('index.html'), /<form class="runs"/);
    assert.match(readSnapshot('llms.txt'), /no parameters, MCP servers, OAuth, exports or developer portal/);
    assert.equal(JSON.parse(readSnapshot('api/v1/pricing/index.json')).object, 'list');
  });

  it('the search script returns the results of the server, in the same order', async () => {
    const globals = { TextDecoder, URL, URLSearchParams, atob };
    const script = `${readSnapshot('search.js')};${readSnapshot('search-index.js')};colophonSearch.openSnapshot(colophonIndex, home)`;
    const search = runInNewContext(script, { ...globals, home: `${server.baseUrl}/` });
    const listLinks = (html: string): string[] => Array.from(html.matchAll(/href="([^"]*)"/g), ([, link = '']) => link);
    const extractAnswer = (html: string): string | undefined => /<p class="answer">.*?<\/p>/.exec(html)?.[0];
    const queries = [
      ...[
        'microphone',
        'hold the key to talk',
        'micrphone',
        'refund',
        '"hold to talk"',
        'quickst',
        'how do i install it',
      ],
      ...[
        'how much does it cost',
        'price',
        'system requirements',
        'latest version',
        'download',
        'shortcut',
        'how many Macs',
      ],
      ...[
        'was kostet Sotto',
        'mikrofon',
        'Sotto listens but writes nothing',
        'beta',
        'uninstall',
        'is my voice sent anywhere',
      ],
    ];
    for (const q of queries) {
      const [, results = ''] = (await fetchPage(`/search?${new URLSearchParams({ q })}`)).split('id="results"');
      const [list = ''] = results.split('</ol>');
      const expected = listLinks(list).filter((link) => !link.startsWith('/developers'));
      assert.ok(expected.length > 0, q);
      const snapshotResults = search(new URLSearchParams({ q }));
      assert.deepEqual(listLinks(snapshotResults).slice(0, expected.length), expected, q);
      assert.equal(extractAnswer(snapshotResults), extractAnswer(results), q);
    }
    // The server shows a hint about the API for an empty query; a snapshot has no API, and therefore no hint.
    for (const query of ['q=', 'q=%20', 'q=%20&part=list']) assert.equal(search(new URLSearchParams(query)), '');
  });

  it('an earlier snapshot is replaced, and a folder with other files is refused with exit code 64', async () => {
    await writeFile(join(folder, 'old.html'), '');
    assert.equal((await runColophon(['snapshot', folder], { env: { BASE_URL: server.baseUrl } })).code, 0);
    assert.ok(!existsSync(join(folder, 'old.html')));
    await rm(join(folder, 'search-index.js'));
    const { code, stderr } = await runColophon(['snapshot', folder]);
    assert.equal(code, 64);
    assert.match(stderr, /has other files/);
  });
});

/** Returns whether there is a readable file at the path; a folder does not count. */
function isFile(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
