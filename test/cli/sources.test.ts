/** What the commands say about the sources of releases. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { colophon } from '../support/command.ts';
import { writeContentFolder } from '../support/content-folder.ts';
import { appcast, feedOf, item } from '../support/feed-samples.ts';
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

describe('colophon check of sources', () => {
  it('the warnings of each source have its file', async (t) => {
    const directory = writeContentFolder(t, {
      'product.yaml': withSources('feed:\n  - source: feeds/latest-mac.yml\n  - source: feeds/appcast.xml\n'),
      'feeds/latest-mac.yml': `${latestMac}    sha512: c2hvcnQ=\n`,
      'feeds/appcast.xml': feedOf('1.2.0'),
    });
    const { code, out } = await colophon(['check'], { cwd: directory });
    assert.equal(code, 0, out);
    assert.match(out, /^feeds\/latest-mac\.yml:1:1: warning: Release 1\.2\.0: the sha512/m);
    const shown = await colophon(['feed', 'verify', '--json'], { cwd: directory });
    const sources: { source: string; state: string }[] = JSON.parse(shown.out);
    assert.deepEqual(
      sources.map(({ source, state }) => [source, state]),
      [
        ['feeds/latest-mac.yml', 'good'],
        ['feeds/appcast.xml', 'good'],
      ],
    );
  });

  it('a file that is no source is an error that names it and the fix', async (t) => {
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
      const { code, out } = await colophon(['check'], { cwd: directory });
      assert.equal(code, 78);
      assert.match(out, message);
      assert.match(out, /product\.yaml:\d+:11: error: the feed is rejected/);
    }
  });

  it('notes of a version that no source has are a warning with the nearest version', async (t) => {
    const directory = writeContentFolder(t, {
      'appcast.xml': feedOf('1.1.0', '1.2.0'),
      'releases/1.2.00.md': 'A typing mistake.',
      'releases/9.0.md': 'Not out yet.',
    });
    const { out } = await colophon(['check'], { cwd: directory });
    assert.match(
      out,
      /^releases\/1\.2\.00\.md:1:1: warning: no source has a release 1\.2\.00.*The nearest one is 1\.2\.0\.$/m,
    );
    assert.match(out, /^releases\/9\.0\.md:1:1: warning: .*The nearest one is 1\.2\.0\.$/m);
    assert.doesNotMatch(out, /releases\/1\.2\.0\.md:1:1/);
  });

  it('notes that are Markdown in an HTML description are a warning', async (t) => {
    const notes = (text: string) => item('1.2.0', `<description><![CDATA[${text}]]></description>`);
    for (const [text, isMarkdown] of [
      ['## New\n\n- Jars\n', true],
      ['<h2>New</h2>\n- Jars', false],
      ['Jars and tins', false],
    ] as const) {
      const directory = writeContentFolder(t, { 'appcast.xml': appcast(notes(text)) });
      const { out } = await colophon(['check'], { cwd: directory });
      assert.equal(/its description is Markdown.*sparkle:format="markdown"/.test(out), isMarkdown, text);
    }
  });

  it('a folder without a source and without releases of its own is an error, and downloads without a system a warning', async (t) => {
    const none = writeContentFolder(t, { 'product.yaml': withSources('') });
    const { code, out } = await colophon(['check'], { cwd: none });
    assert.equal(code, 78);
    assert.match(out, /`feed` is missing: .*GitHub repository.*releases\/1\.0\.0\.md/);
    const own = writeContentFolder(t, {
      'product.yaml': withSources(''),
      'releases/1.2.0.md': '---\ndate: 2026-11-02\ndownloads:\n  - url: https://lamp.example/lamp.zip\n---\n',
    });
    const checked = await colophon(['check'], { cwd: own });
    assert.equal(checked.code, 0, checked.out);
    assert.match(checked.out, /releases\/1\.2\.0\.md: nothing says which system lamp\.zip is for/);
    const wrong = writeContentFolder(t, {
      'product.yaml': withSources(''),
      'releases/1.2.0.md': '---\ndate: soon\ndownload: x\n---\nNotes.\n',
    });
    assert.match(
      (await colophon(['check'], { cwd: wrong })).out,
      /^releases\/1\.2\.0\.md:3:1: error: `download` is not a key here/m,
    );
  });

  it('a list of sources is checked like one source', async (t) => {
    const directory = writeContentFolder(t, {
      'product.yaml': withSources(
        'feed:\n  - source: appcast.xml\n  - source: appcast.xml\n  - source: acme/larder\n    signature: required\n  - sourc: x\n',
      ),
    });
    const { out } = await colophon(['check'], { cwd: directory });
    assert.match(out, /`feed\[1\]\.source` is there twice/);
    assert.match(out, /`feed\[2\]\.signature` is `required`, but `feed\[2\]\.public_keys` has no key/);
    assert.match(out, /`feed\[3\]\.source` is missing/);
    assert.match(out, /`sourc` is not a key here\. Did you mean `source`\?/);
  });
});

describe('colophon feed accept with several sources', () => {
  it('the hash is written to the source that goes back', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const directory = writeContentFolder(t, {
      'product.yaml': withSources(`feed:\n  - source: appcast.xml\n  - source: ${upstream.origin}/latest-mac.yml\n`),
      'appcast.xml': feedOf('1.2.0'),
    });
    const dataDir = await mkdtemp(join(tmpdir(), 'data-'));
    t.after(() => rm(dataDir, { recursive: true }));
    upstream.serve(latestMac);
    const server = await startOneServer({ env: { CONTENT_DIR: directory }, dataDir });
    await server.close();
    upstream.serve(latestMac.replace('1.2.0', '1.1.0'));
    const env = { DATA_DIR: dataDir };
    const refused = await colophon(['feed', 'verify'], { cwd: directory, env });
    assert.match(refused.error, /highest build is 1\.1\.0, below 1\.2\.0.*set feed\[1\]\.accept/);
    const { code, out } = await colophon(['feed', 'accept', '--write'], { cwd: directory, env });
    assert.equal(code, 0);
    assert.match(out, /product\.yaml: \+ feed\[1\]\.accept: [0-9a-f]{64}/);
    assert.match(
      readFileSync(join(directory, 'product.yaml'), 'utf8'),
      /source: appcast\.xml\n {2}- source: \S+\/latest-mac\.yml\n {4}accept: [0-9a-f]{64}\n/,
    );
    assert.equal((await colophon(['feed', 'verify'], { cwd: directory, env })).code, 0);
  });
});
