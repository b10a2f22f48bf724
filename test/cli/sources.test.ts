/** Tests the messages of commands about the sources of releases, and the folders that `init` creates from sources. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { parse } from 'yaml';
import { runColophon } from '../support/command.ts';
import { writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { createAppcast, createItem, wrapInAppcast } from '../support/feed-samples.ts';
import { startUpstream } from '../support/feed-upstream.ts';
import { startOneServer } from '../support/server.ts';

const withSources = (yaml: string) => (text: string) =>
  text
    .replace('feed:\n  source: appcast.xml\n', yaml)
    .concat('platform: { os: [macOS, Windows] }\n')
    .replace(
      'minimums:\n  os_version: "14.0"\n  arch: [arm64, x86_64]\n',
      'minimums:\n  macOS: { os_version: "14.0", arch: [arm64, x86_64] }\n  Windows: { os_version: "10", arch: [x86_64] }\n',
    );

const latestMac = 'version: 1.2.0\nfiles:\n  - url: https://lamp.example/Lamp-universal.dmg\n';

describe('colophon check: sources of releases', () => {
  it('a warning names the file of its source, and colophon feed verify lists each source', async (t) => {
    const directory = writeContentFolder(t, {
      'product.yaml': withSources('feed:\n  - source: feeds/latest-mac.yml\n  - source: feeds/appcast.xml\n'),
      'feeds/latest-mac.yml': `${latestMac}    sha512: c2hvcnQ=\n`,
      'feeds/appcast.xml': createAppcast('1.2.0'),
    });
    const { code, stdout } = await runColophon(['check'], { cwd: directory });
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^feeds\/latest-mac\.yml:1:1: warning: Release 1\.2\.0: the sha512/m);
    const verification = await runColophon(['feed', 'verify', '--json'], { cwd: directory });
    const sources: { source: string; state: string }[] = JSON.parse(verification.stdout);
    assert.deepEqual(
      sources.map(({ source, state }) => [source, state]),
      [
        ['feeds/latest-mac.yml', 'good'],
        ['feeds/appcast.xml', 'good'],
      ],
    );
  });

  it('a file that is not a supported list of releases is an error that describes the file', async (t) => {
    for (const [text, message] of [
      [
        '{"Assets":[{"PackageId":"Lamp","Version":"1.0.0","Type":"Full"}]}',
        /This is Velopack’s.*releases\/VERSION\.md/,
      ],
      ['<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"/>', /This is an Atom feed.*acme\/larder/],
      ['<!doctype html><html></html>', /This is a web page.*login/],
      ['{"message":"Not Found","documentation_url":"https://docs.github.com"}', /GitHub returned an error.*Not Found/],
      ['hello', /no list of releases that is known.*latest\*\.yml/],
      ['{"hello":1}', /This is JSON, and no list/],
    ] as const) {
      const directory = writeContentFolder(t, { 'appcast.xml': text });
      const { code, stdout } = await runColophon(['check'], { cwd: directory });
      assert.equal(code, 78);
      assert.match(stdout, message);
      assert.match(stdout, /product\.yaml:\d+:11: error: the feed is rejected/);
    }
  });

  it('notes of a version that no source has are a warning with the nearest version', async (t) => {
    const directory = writeContentFolder(t, {
      'appcast.xml': createAppcast('1.1.0', '1.2.0'),
      'releases/1.2.00.md': 'A typing mistake.',
      'releases/9.0.md': 'Not out yet.',
    });
    const { stdout } = await runColophon(['check'], { cwd: directory });
    assert.match(
      stdout,
      /^releases\/1\.2\.00\.md:1:1: warning: no source has a release 1\.2\.00.*The nearest one is 1\.2\.0\.$/m,
    );
    assert.match(stdout, /^releases\/9\.0\.md:1:1: warning: .*The nearest one is 1\.2\.0\.$/m);
    assert.doesNotMatch(stdout, /releases\/1\.2\.0\.md:1:1/);
  });

  it('notes that are Markdown in an HTML description are a warning', async (t) => {
    const notes = (text: string) => createItem('1.2.0', `<description><![CDATA[${text}]]></description>`);
    for (const [text, isMarkdown] of [
      ['## New\n\n- Jars\n', true],
      ['<h2>New</h2>\n- Jars', false],
      ['Jars and tins', false],
    ] as const) {
      const directory = writeContentFolder(t, { 'appcast.xml': wrapInAppcast(notes(text)) });
      const { stdout } = await runColophon(['check'], { cwd: directory });
      assert.equal(/its description is Markdown.*sparkle:format="markdown"/.test(stdout), isMarkdown, text);
    }
  });

  it('a folder without any release is an error, and a download without a system is a warning', async (t) => {
    const emptyFolder = writeContentFolder(t, { 'product.yaml': withSources('') });
    const { code, stdout } = await runColophon(['check'], { cwd: emptyFolder });
    assert.equal(code, 78);
    assert.match(stdout, /`feed` is missing: .*GitHub repository.*releases\/1\.0\.0\.md/);
    const ownFolder = writeContentFolder(t, {
      'product.yaml': withSources(''),
      'releases/1.2.0.md': '---\ndate: 2026-11-02\ndownloads:\n  - url: https://lamp.example/lamp.zip\n---\n',
    });
    const checkResult = await runColophon(['check'], { cwd: ownFolder });
    assert.equal(checkResult.code, 0, checkResult.stdout);
    assert.match(checkResult.stdout, /releases\/1\.2\.0\.md: nothing says which system lamp\.zip is for/);
    const wrongFolder = writeContentFolder(t, {
      'product.yaml': withSources(''),
      'releases/1.2.0.md': '---\ndate: soon\ndownload: x\n---\nNotes.\n',
    });
    assert.match(
      (await runColophon(['check'], { cwd: wrongFolder })).stdout,
      /^releases\/1\.2\.0\.md:3:1: error: `download` is not a key here/m,
    );
  });

  it('each entry in a list of sources is checked, and the errors have its index', async (t) => {
    const directory = writeContentFolder(t, {
      'product.yaml': withSources(
        'feed:\n  - source: appcast.xml\n  - source: appcast.xml\n  - source: acme/larder\n    signature: required\n  - sourc: x\n',
      ),
    });
    const { stdout } = await runColophon(['check'], { cwd: directory });
    assert.match(stdout, /`feed\[1\]\.source` is there twice/);
    assert.match(stdout, /`feed\[2\]\.signature` is `required`, but `feed\[2\]\.public_keys` has no key/);
    assert.match(stdout, /`feed\[3\]\.source` is missing/);
    assert.match(stdout, /`sourc` is not a key here\. Did you mean `source`\?/);
  });
});

describe('colophon feed accept with several sources', () => {
  it('the hash is written to the source whose highest build is lower than before', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, {
      'product.yaml': withSources(`feed:\n  - source: appcast.xml\n  - source: ${upstream.origin}/latest-mac.yml\n`),
      'appcast.xml': createAppcast('1.2.0'),
    });
    const dataDir = await mkdtemp(join(tmpdir(), 'data-'));
    t.after(() => rm(dataDir, { recursive: true }));
    upstream.serveBytes(latestMac);
    const server = await startOneServer({ env: { CONTENT_DIR: directory }, dataDir });
    await server.close();
    upstream.serveBytes(latestMac.replace('1.2.0', '1.1.0'));
    const env = { DATA_DIR: dataDir };
    const verification = await runColophon(['feed', 'verify'], { cwd: directory, env });
    assert.match(verification.stderr, /highest build is 1\.1\.0, below 1\.2\.0.*set feed\[1\]\.accept/);
    const { code, stdout } = await runColophon(['feed', 'accept', '--write'], { cwd: directory, env });
    assert.equal(code, 0);
    assert.match(stdout, /product\.yaml: \+ feed\[1\]\.accept: [0-9a-f]{64}/);
    assert.match(
      readFileSync(join(directory, 'product.yaml'), 'utf8'),
      /source: appcast\.xml\n {2}- source: \S+\/latest-mac\.yml\n {4}accept: [0-9a-f]{64}\n/,
    );
    assert.equal((await runColophon(['feed', 'verify'], { cwd: directory, env })).code, 0);
  });
});

const githubRelease = (...names: string[]): object => ({
  tag_name: 'v1.2.0',
  body: 'Brighter.',
  published_at: '2026-11-01T10:00:00Z',
  assets: names.map((name) => ({
    name,
    state: 'uploaded',
    browser_download_url: `https://github.com/acme/larder/releases/download/v1.2.0/${name}`,
  })),
});

describe('colophon init --releases', () => {
  const samples = join(import.meta.dirname, '../fixtures/releases');
  const sample = (path: string) => readFileSync(join(samples, path), 'utf8');
  const responses = new Map([
    ['/latest-mac.yml', sample('electron-mac/lmprox2025__vitamin-releases__latest-mac.yml')],
    ['/latest.yml', sample('electron-win/lmprox2025__vitamin-releases__latest.yml')],
    ['/latest-linux.yml', sample('electron-linux/lmprox2025__vitamin-releases__latest-linux.yml')],
    ['/latest-linux-arm64.yml', '<html>No such file</html>'],
    ['/latest.json', sample('tauri/GoodDay360__HyperionBox__src-tauri_latest.json')],
    ['/appcast.xml', sample('appcast-hardware/TablePro-excerpt.xml')],
    [
      '/repos/acme/larder/releases',
      JSON.stringify([githubRelease('Lamp-1.2.0.dmg', 'Lamp-1.2.0-x64.exe', 'lamp_1.2.0_amd64.deb')]),
    ],
  ]);
  let origin = '';
  let close = async (): Promise<void> => {};

  before(async () => {
    const upstream = await startUpstream();
    close = upstream.close;
    upstream.setListener((request, response) => {
      const text = responses.get(request.url?.split('?')[0] ?? '');
      response.writeHead(text === undefined ? 404 : 200).end(text);
    });
    origin = upstream.origin;
  });
  after(() => close());

  async function init(t: TestContext, source: string, ...options: string[]) {
    const folder = await mkdtemp(join(tmpdir(), 'init-'));
    t.after(() => rm(folder, { recursive: true }));
    return {
      folder,
      ...(await runColophon(['init', '--name', 'Lamp', '--releases', source, ...options], { cwd: folder })),
    };
  }

  for (const [name, source, systems, lines] of [
    [
      'an appcast with a build for each processor',
      '/appcast.xml',
      { macOS: { os_version: '13.0', arch: ['arm64', 'x86_64'] } },
      [/^ {2}macOS: 1 release; the latest is 0\.75\.0 \(build 131, macOS 13\.0 or later, arm64 and x86_64\)$/m],
    ],
    [
      'a set of electron-builder files for three systems',
      '/latest.yml',
      {
        macOS: { os_version: '13.0', arch: ['arm64'] },
        Windows: { os_version: '10', arch: ['x86_64'] },
        Linux: { arch: ['x86_64'] },
      },
      [
        /^ {2}macOS: 1 release; the latest is 0\.4\.0 \(minimum unknown, arm64\)$/m,
        /^ {2}Windows: 1 release; the latest is 0\.4\.0 \(minimum unknown, processor unknown\)$/m,
        /^ {2}Linux: 1 release; the latest is 0\.4\.0 \(x86_64\)$/m,
      ],
    ],
    [
      'latest.json of Tauri',
      '/latest.json',
      { Windows: { os_version: '10', arch: ['x86_64'] }, Linux: { arch: ['x86_64'] } },
      [/^ {2}Windows: 1 release; /m, /^ {2}Linux: 1 release; /m],
    ],
    [
      'the release list of a GitHub repository',
      '/repos/acme/larder/releases',
      {
        macOS: { os_version: '13.0', arch: ['arm64', 'x86_64'] },
        Windows: { os_version: '10', arch: ['x86_64'] },
        Linux: { arch: ['x86_64'] },
      },
      [/^ {2}macOS: 1 release; the latest is 1\.2\.0 \(minimum unknown, processor unknown\)$/m],
    ],
  ] as const)
    it(`${name} becomes a folder that passes colophon check and can be served`, async (t) => {
      const { folder, code, stdout, stderr } = await init(t, origin + source);
      assert.deepEqual([code, stderr], [0, '']);
      for (const line of lines) assert.match(stdout, line);
      const product = parse(readFileSync(join(folder, 'product.yaml'), 'utf8'));
      assert.deepEqual(product.minimums, systems);
      assert.deepEqual(product.platform.os, Object.keys(product.minimums));
      assert.ok(!readdirSync(folder).includes('releases'));
      const checkResult = await runColophon(['check'], { cwd: folder });
      assert.equal(checkResult.code, 0, checkResult.stdout);
      const server = await startOneServer({ env: { CONTENT_DIR: folder } });
      t.after(() => server.close());
      assert.equal((await server.request('/api/v1/releases/latest')).status, 200);
      const { json } = await server.request('/api/v1/requirements');
      assert.deepEqual(
        json.systems.map(({ os }: { os: string }) => os),
        product.platform.os,
      );
    });

  it('local files are copied into the folder, and --feed-url determines the base_url of each file', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'files-'));
    t.after(() => rm(directory, { recursive: true }));
    for (const name of ['beta-mac.yml', 'beta.yml'])
      writeContentFile(directory, name, responses.get(`/${name.replace('beta', 'latest')}`) ?? '');
    const feedUrlOption = ['--feed-url', 'https://lamp.example/beta-mac.yml'];
    const { folder, code, stdout } = await init(t, join(directory, 'beta-mac.yml'), ...feedUrlOption);
    assert.equal(code, 0);
    assert.match(stdout, /^ {2}Windows: 1 release; the latest is 0\.4\.0 \(channel beta, /m);
    const { feed } = parse(readFileSync(join(folder, 'product.yaml'), 'utf8'));
    assert.deepEqual(feed, [
      { source: 'beta-mac.yml', base_url: 'https://lamp.example/beta-mac.yml' },
      { source: 'beta.yml', base_url: 'https://lamp.example/beta.yml' },
    ]);
    assert.ok(readdirSync(folder).includes('beta.yml'));
  });

  it('an unsupported file and a key for an unsigned format are refused, and nothing is written', async (t) => {
    for (const [path, message] of [
      ['velopack/AIKA1024__VelopackTest__releases.win.json', /This is Velopack’s/],
      ['squirrel/AIKA1024__VelopackTest__RELEASES', /This is Squirrel’s RELEASES/],
    ] as const) {
      const { folder, code, stderr } = await init(t, join(samples, path));
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.match(stderr, /Nothing was written\.$/m);
      assert.deepEqual(readdirSync(folder), []);
    }
    const withKey = await init(t, `${origin}/latest.yml`, '--public-key', `${'A'.repeat(43)}=`);
    assert.match(withKey.stderr, /leave out --public-key\. Nothing was written\./);
  });
});
