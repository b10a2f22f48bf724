/** Tests the command line by running the real command in temporary folders. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { commandNames, loadCommands } from '../../src/cli/program.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { newClient } from '../store/samples.ts';
import { type RunningCommand, runColophon, startColophon } from '../support/command.ts';
import { writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { createAppcast, createItem, createSigner, wrapInAppcast } from '../support/feed-samples.ts';
import { startUpstream } from '../support/feed-upstream.ts';
import { startTestServer } from '../support/server.ts';

async function createTemporaryFolder(t: TestContext): Promise<string> {
  const directory = realpathSync(await mkdtemp(join(tmpdir(), 'colophon-cli-')));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Kills the command after the test, even if the test fails, and returns the command. */
function killAfterTest(t: TestContext, command: RunningCommand): RunningCommand {
  t.after(async () => {
    command.child.kill('SIGKILL');
    await command.exitCode;
  });
  return command;
}

const goodFeed = { 'appcast.xml': createAppcast('1.0', '2.0') };
const urlPattern = /Colophon serves .* at (http:[^\s"]+)/;

describe('colophon --help', () => {
  it('the help lists every command, with exit code 0', async () => {
    for (const words of [[], ['--help'], ['help']]) {
      const { code, stdout, stderr } = await runColophon(words);
      assert.deepEqual([code, stderr], [0, '']);
      for (const name of commandNames) assert.match(stdout, new RegExp(`^  ${name.split(' ', 1)[0]} `, 'm'));
    }
  });

  it('the help of each command has its summary and its options', async () => {
    for (const { name, summary, options } of await loadCommands(commandNames)) {
      const { code, stdout, stderr } = await runColophon([...name.split(' '), '--help']);
      assert.deepEqual([code, stderr], [0, ''], name);
      assert.ok(stdout.startsWith(`Usage: colophon ${name} [options]`), stdout);
      assert.ok(stdout.replace(/\s+/g, ' ').includes(` ${summary} `), stdout);
      for (const { flags } of options ?? []) assert.ok(stdout.includes(`\n  ${flags} `), flags);
    }
  });

  it('invalid usage exits with 64 and a message that names the mistake or the nearest command or option', async () => {
    const cases: [string[], RegExp][] = [
      [['chekc'], /unknown command 'chekc'\n\(Did you mean check\?\)\nSee: colophon --help\n$/],
      [['feed', 'verfy'], /\(Did you mean verify\?\)/],
      [['feed'], /^ {2}accept \[options\] \[DIR\] /m],
      [['serve', '--prot', '1'], /unknown option '--prot'\n\(Did you mean --port\?\)\nSee: colophon serve --help\n$/],
      [['serve', '--port'], /option '--port <NUMBER>' argument missing/],
      [['serve', '--port', ''], /--port needs a value\.\nSee: colophon serve --help\n$/],
      [['check', '--strict=yes'], /unknown option '--strict=yes'/],
      [['check', '--format', 'jsn'], /argument 'jsn' is invalid\. Allowed choices are text, json, github\./],
      [['check', 'a', 'b'], /too many arguments for 'check'\. Expected 1 argument but got 2: a, b\./],
      [['version', 'a'], /too many arguments for 'version'/],
      [['clients', 'revoke'], /missing required argument 'CLIENT_ID'/],
    ];
    for (const [words, message] of cases) {
      const { code, stdout, stderr } = await runColophon(words);
      assert.deepEqual([code, stdout], [64, ''], words.join(' '));
      assert.match(stderr, message);
    }
  });

  it('the help has no colors if standard output is not a terminal', async () => {
    const { stdout } = await runColophon(['--help']);
    assert.ok(!stdout.includes('\x1b'));
  });
});

describe('colophon check --urls', () => {
  it('each URL of a sitemap, a text file or a remote list that would be 404 is an error', async (t) => {
    const directory = writeContentFolder(t, {
      'appcast.xml': null,
      'product.yaml': (text) => text.replace('appcast.xml', 'https://lamp.example/appcast.xml'),
      'redirects.yaml': 'redirects:\n  - { from: /guide/*, to: /docs/* }\n',
      'old.xml':
        '<urlset>\n<url><loc>https://old.example/guide/start.html</loc></url>\n<url>\n  <loc>https://old.example/guide/strat</loc></url>\n<url><loc>https://old.example/</loc></url></urlset>\n',
      'old.txt': 'https://old.example/Docs/Start/\n/nowhere\n',
      'none.txt': 'nothing\n',
    });
    const checkUrls = (file: string) => runColophon(['check', '--offline', '--urls', file], { cwd: directory });
    const { code, stdout } = await checkUrls('old.xml');
    assert.equal(code, 78);
    assert.match(
      stdout,
      /^old\.xml:4:3: error: \/guide\/strat would be 404: add it to redirects\.yaml, or to a page’s aliases\./m,
    );
    assert.match(stdout, /^1 error, /m);
    const listResult = await checkUrls('old.txt');
    assert.match(listResult.stdout, /^old\.txt:2:1: error: \/nowhere would be 404/m);
    assert.match(listResult.stdout, /^1 error, /m);
    assert.equal((await checkUrls('none.txt')).code, 64);
    const old = await startUpstream();
    t.after(() => old.close());
    old.setListener((request, response) => response.writeHead(request.url === '/urls' ? 200 : 404).end('/nowhere\n'));
    assert.match((await checkUrls(`${old.origin}/urls`)).stdout, /urls:1:1: error: \/nowhere would be 404/);
    const { code: missingCode, stderr } = await checkUrls(`${old.origin}/none`);
    assert.deepEqual([missingCode, /it returned 404/.test(stderr)], [64, true]);
    assert.equal((await checkUrls('not-there.xml')).code, 64);
  });
});

describe('colophon check', () => {
  it('every fault is listed with its file, line and column, and the exit code is 78', async (t) => {
    const directory = writeContentFolder(t, {
      'faq.yaml': (text) => text.replace('category: Use', 'categroy: Use'),
      'docs/start.md': (text) => text.replace('guides/colours.md#red-and-blue', 'guides/colours.md#green'),
    });
    const { code, stdout } = await runColophon(['check'], { cwd: directory });
    assert.equal(code, 78);
    assert.match(stdout, /^docs\/start\.md:12:15: error: .*leads to no heading/m);
    assert.match(stdout, /^faq\.yaml:3:5: error: .*Did you mean `category`/m);
    assert.match(stdout, /errors\. Warnings are listed once the errors are fixed\.$/m);
    const elsewhere = await runColophon(['check', directory]);
    assert.ok(elsewhere.stdout.includes(`${directory}/faq.yaml:3:5`));
    const githubResult = await runColophon(['check', '--format', 'github'], { cwd: directory });
    assert.match(githubResult.stdout, /^::error file=faq\.yaml,line=3,col=5::/m);
  });

  it('warnings have file and line in JSON, and --strict makes the exit code 78', async (t) => {
    const directory = writeContentFolder(t, {
      ...goodFeed,
      'docs/start.md': (text) => `${text}\n\`\`\`\nls\n\`\`\`\n\n![](../assets/logo.svg)\n`,
    });
    const { code, stdout } = await runColophon(['check', '--format', 'json'], { cwd: directory });
    assert.equal(code, 0);
    const report: { errors: unknown[]; warnings: { file: string; line: number; message: string }[] } =
      JSON.parse(stdout);
    assert.deepEqual(report.errors, []);
    const warningLines = report.warnings.map(({ file, line, message }) => `${file}:${line} ${message}`).join('\n');
    assert.match(warningLines, /docs\/start\.md:3 the description has \d+ characters/);
    assert.match(warningLines, /docs\/start\.md:14 the code has no language/);
    assert.match(warningLines, /docs\/start\.md:18 the image has no alternative text/);
    assert.match(warningLines, /product\.yaml:\d+ the feed is not signed \(feed signatures need Sparkle 2\.9\)/);
    assert.equal((await runColophon(['check', '--strict'], { cwd: directory })).code, 78);
  });

  it('a link to a missing question, plan, feature or release is a warning', async (t) => {
    const directory = writeContentFolder(t, {
      ...goodFeed,
      'docs/start.md': (text) =>
        `${text}\n[a](/faq#nope) [b](/pricing#nope) [c](/releases/9.9) [d](/releases/latest) [e](/faq#category-1)
[f](/releases#9.9) [g](/releases#1.0) [h](/#feature-nope) [i](/#requirements) [j](/docs#nope)\n`,
    });
    const { code, stdout } = await runColophon(['check', '--offline'], { cwd: directory });
    assert.equal(code, 0);
    assert.match(stdout, /`\/faq#nope` leads to nothing on \/faq\./);
    assert.match(stdout, /`\/pricing#nope` leads to nothing on \/pricing\./);
    assert.match(stdout, /`\/releases\/9\.9` leads nowhere: there is no release 9\.9\./);
    assert.match(stdout, /`\/releases#9\.9` leads to nothing on \/releases\./);
    assert.match(stdout, /`\/#feature-nope` leads to nothing on \/\./);
    assert.match(stdout, /`\/docs#nope` leads to nothing on \/docs\./);
    assert.doesNotMatch(stdout, /latest`|category-1|#1\.0`|#requirements`/);
  });

  it('the example product has no errors and no warnings', async () => {
    const { code, stdout } = await runColophon(['check', 'content', '--strict'], {
      cwd: join(import.meta.dirname, '../..'),
    });
    assert.deepEqual([code, stdout], [0, '0 errors, 0 warnings.\n']);
  });

  it('an invalid feed signature is an error, and the exit code is 78', async (t) => {
    const signer = createSigner();
    const directory = writeContentFolder(t, {
      'appcast.xml': signer.sign(createAppcast('1.0')).toString().replace('1.0', '1.1'),
      'product.yaml': (text) => `${text}  public_keys: ["${signer.publicKey}"]\n`,
    });
    const { code, stdout } = await runColophon(['check'], { cwd: directory });
    assert.equal(code, 78);
    assert.match(stdout, /^product\.yaml:\d+:\d+: error: the feed is rejected: .*signature/m);
  });

  it('each defect of the feed is a warning with the line of its item', async (t) => {
    const odd = wrapInAppcast(
      createItem('2', '<sparkle:shortVersionString>1.0</sparkle:shortVersionString>'),
      createItem('1', '<sparkle:shortVersionString>1.0</sparkle:shortVersionString><pubDate>yesterday</pubDate>'),
      createItem('0', '<sparkle:minimumSystemVersion>13.x</sparkle:minimumSystemVersion>'),
      '<item><title>bare</title></item>',
    );
    const directory = writeContentFolder(t, {
      'appcast.xml': odd,
      'product.yaml': (text) => `${text}  signature: optional\n`,
    });
    const { code, stdout } = await runColophon(['check'], { cwd: directory });
    assert.equal(code, 0);
    const feedLines = stdout.split('\n').filter((line) => line.startsWith('appcast.xml'));
    for (const [index, pattern] of [
      /^appcast\.xml:4:1: warning: Item 2 .*: its pubDate cannot be read/,
      /^appcast\.xml:6:1: warning: Item 4 \(bare\) is skipped/,
      /^appcast\.xml:3:1: warning: Release 1\.0 \(build 2\) has no date/,
      /^appcast\.xml:4:1: warning: Release 1\.0 \(build 1\) has no date/,
      /^appcast\.xml:5:1: warning: Release 0 \(build 0\) has no date/,
      /^appcast\.xml:4:1: warning: 2 releases have the version 1\.0/,
      /^appcast\.xml:5:1: warning: Release 0 .*"13\.x", which is not a version/,
      /^appcast\.xml:1:1: warning: 3 of 3 releases have no notes here; write them in releases\/VERSION\.md\.$/,
    ].entries()) {
      assert.match(feedLines[index] ?? '', pattern);
    }
    assert.equal(feedLines.length, 8);
    const feedVerification = await runColophon(['feed', 'verify', '--json'], { cwd: directory });
    const { warnings, signature } = JSON.parse(feedVerification.stdout);
    assert.deepEqual(
      warnings.map(({ line }: { line: number }) => line),
      [4, 6, 3, 4, 5, 4, 5, null],
    );
    assert.equal(signature, 'none: the feed is not signed');
    assert.match(
      (await runColophon(['feed', 'verify'], { cwd: directory })).stderr,
      /^warning: line 6: Item 4 \(bare\)/m,
    );
  });

  it('files for systems that product.yaml does not name are left out, with one warning for each system', async (t) => {
    const files = ['2.4.exe', '2.4.MSI?at=1', '2.4.msix', '2.4.AppImage', '2.4.deb', '2.4.rpm#linux', '2.4.dmg'];
    const directory = writeContentFolder(t, {
      'appcast.xml': wrapInAppcast(
        ...files.map(
          (file) =>
            `<item><title>2.4</title><pubDate>Mon, 04 May 2026 10:00:00 +0000</pubDate><sparkle:version>2.4</sparkle:version><description>New</description><sparkle:minimumSystemVersion>14.0</sparkle:minimumSystemVersion><enclosure url="https://lamp.example/${file}"/></item>`,
        ),
      ),
      'product.yaml': (text) => `${text}  signature: optional\n`,
    });
    const { code, stdout } = await runColophon(['check'], { cwd: directory });
    assert.equal(code, 0);
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.startsWith('appcast.xml')),
      [
        'appcast.xml:3:1: warning: 3 files are for Windows and left out, because platform.os in product.yaml names macOS only. Add Windows to it, with its minimums.',
        'appcast.xml:6:1: warning: 3 files are for Linux and left out, because platform.os in product.yaml names macOS only. Add Linux to it, with its minimums.',
      ],
    );
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const { json } = await server.request('/api/v1/releases');
    assert.deepEqual(
      json.data.map(({ download_url }: { download_url: string }) => download_url),
      ['https://lamp.example/2.4.dmg'],
    );
  });

  it('a warning about a remote feed has its line, and a feed under BASE_URL is an error', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    upstream.serveBytes(wrapInAppcast(createItem('1'), '<item/>'));
    const directory = writeContentFolder(t, {
      'product.yaml': (text) => text.replace('appcast.xml', `${upstream.origin}/appcast.xml`),
    });
    const { code, stdout } = await runColophon(['check'], { cwd: directory });
    assert.equal(code, 0);
    assert.match(stdout, /^product\.yaml:\d+:\d+: warning: the feed, line 4: Item 2 is skipped/m);
    const ownOrigin = await runColophon(['check'], { cwd: directory, env: { BASE_URL: upstream.origin } });
    assert.equal(ownOrigin.code, 78);
    assert.match(ownOrigin.stdout, /^product\.yaml:\d+:\d+: error: the feed is under this server’s own origin/m);
    const server = await startTestServer({ env: { CONTENT_DIR: directory, BASE_URL: upstream.origin } });
    t.after(() => server.close());
    assert.equal((await server.request('/api/v1/releases/latest')).status, 503);
    assert.ok(server.logLines.some(({ msg }) => /feed\.source is under BASE_URL/.test(String(msg))));
  });

  it('an unsigned feed and an unchecked signature have different messages, which depend on feed.signature', async (t) => {
    const signer = createSigner();
    const fetchWarnings = async (feed: string | Buffer, extra: string): Promise<string> => {
      const directory = writeContentFolder(t, {
        'appcast.xml': feed,
        'product.yaml': (text) => `${text}${extra}`,
      });
      return (await runColophon(['check'], { cwd: directory })).stdout;
    };
    const keys = `  public_keys: ["${signer.publicKey}"]\n`;
    const unsigned = createAppcast('1');
    assert.match(await fetchWarnings(unsigned, ''), /warning: the feed is not signed/);
    assert.doesNotMatch(await fetchWarnings(unsigned, '  signature: "off"\n'), /signed/);
    assert.doesNotMatch(await fetchWarnings(unsigned, `${keys}  signature: optional\n`), /sign/);
    assert.match(
      await fetchWarnings(unsigned, keys),
      /error: the feed is rejected: The feed is not signed.*`optional`/,
    );
    assert.match(await fetchWarnings(signer.sign(unsigned), ''), /warning: .*not checked: add your SUPublicEDKey/);
    assert.match(await fetchWarnings(signer.sign(unsigned), `${keys}  signature: "off"\n`), /remove `signature: off`/);
    assert.doesNotMatch(await fetchWarnings(signer.sign(unsigned), keys), /sign/);
  });

  it('check, serve, dev and feed verify exit with 64 for a missing folder and suggest colophon init', async (t) => {
    const cwd = await createTemporaryFolder(t);
    for (const command of ['check', 'serve', 'dev', 'feed verify']) {
      const { code, stderr } = await runColophon([...command.split(' '), 'nowhere'], { cwd });
      assert.deepEqual(
        [code, stderr.split('\n')[0]],
        [64, 'There is no folder `nowhere`. Make one with: colophon init nowhere'],
        command,
      );
    }
  });

  it('a folder without product.yaml is refused with exit code 64, and the message suggests colophon init', async (t) => {
    const { code, stderr } = await runColophon(['check'], { cwd: await createTemporaryFolder(t) });
    assert.equal(code, 64);
    assert.match(stderr, /no product\.yaml.*colophon init/);
  });
});

describe('colophon feed verify and colophon feed accept', () => {
  it('feed verify prints the signature and the releases, and exits with 1 if the feed is refused', async (t) => {
    const signer = createSigner();
    const directory = writeContentFolder(t, {
      'appcast.xml': signer.sign(createAppcast('1.0', '2.0')),
      'product.yaml': (text) => `${text}  public_keys: ["${signer.publicKey}"]\n`,
    });
    const { code, stdout } = await runColophon(['feed', 'verify', directory]);
    assert.equal(code, 0);
    assert.match(stdout, /Signature {2}good, by /);
    assert.match(stdout, /^Releases {3}macOS: 2 releases; the latest is 2\.0 \(/m);
    writeContentFile(directory, 'appcast.xml', createAppcast('1.0'));
    const unsigned = await runColophon(['feed', 'verify', directory, '--json']);
    assert.equal(unsigned.code, 1);
    assert.equal(JSON.parse(unsigned.stdout).state, 'refused');
  });

  it('feed accept --write allows a feed whose highest build is lower, and keeps the comments of product.yaml', async (t) => {
    const signer = createSigner();
    const directory = writeContentFolder(t, {
      'appcast.xml': signer.sign(createAppcast('1.0', '2.0')),
      'product.yaml': (text) =>
        `# Our product.\n${text}  # The key of the build machine.\n  public_keys: ["${signer.publicKey}"]\n`,
    });
    const dataDir = await createTemporaryFolder(t);
    const env = { DATA_DIR: dataDir };
    const before = await startTestServer({ dataDir, env: { CONTENT_DIR: directory } });
    await before.close();
    writeContentFile(directory, 'appcast.xml', signer.sign(createAppcast('1.0')));

    const verification = await runColophon(['feed', 'verify'], { cwd: directory, env });
    assert.equal(verification.code, 1);
    assert.match(verification.stderr, /rejects it\. .*below 2\.0/);
    const dryRun = await runColophon(['feed', 'accept'], { cwd: directory, env });
    assert.deepEqual([dryRun.code, dryRun.stderr], [0, '']);
    assert.match(dryRun.stdout, /\+ feed\.accept: [0-9a-f]{64}/);
    assert.doesNotMatch(readFileSync(join(directory, 'product.yaml'), 'utf8'), /accept/);

    const writeResult = await runColophon(['feed', 'accept', '--write'], { cwd: directory, env });
    assert.equal(writeResult.code, 0);
    const text = readFileSync(join(directory, 'product.yaml'), 'utf8');
    assert.match(text, /^# Our product\.\nname: Lamp\n/);
    assert.match(text, /# The key of the build machine\.\n[\s\S]*accept: [0-9a-f]{64}\n/);
    const after = await startTestServer({ dataDir, env: { CONTENT_DIR: directory } });
    assert.equal((await after.request('/api/v1/releases/latest')).json.version, '1.0');
    await after.close();
    assert.equal((await runColophon(['feed', 'verify'], { cwd: directory, env })).code, 0);
  });
});

describe('colophon config, colophon version and colophon openapi', () => {
  it('config prints each setting with its origin and without secrets', async (t) => {
    const directory = await createTemporaryFolder(t);
    writeContentFile(directory, 'c.yaml', 'log_level: warn\n');
    const secret = 'not-for-anybody-else-to-see-at-all-0123';
    const env = { COLOPHON_CONFIG: 'c.yaml', SECRET_KEY: secret, GITHUB_TOKEN: secret, PORT: '81' };
    const { code, stdout } = await runColophon(['config'], { cwd: directory, env });
    assert.equal(code, 0);
    assert.match(stdout, /^port: 81 {2}# environment$/m);
    assert.match(stdout, /^log_level: warn {2}# c\.yaml:1:1$/m);
    assert.match(stdout, /^rate_limit_anonymous: 120 {2}# default$/m);
    assert.ok(!stdout.includes(secret));
    const { stdout: json } = await runColophon(['config', '--json'], { cwd: directory, env });
    assert.ok(!json.includes(secret));
    assert.ok(
      JSON.parse(json).some(
        (row: object) => Reflect.get(row, 'name') === 'SECRET_KEY' && Reflect.get(row, 'value') === '********',
      ),
    );
  });

  it('commands that read settings list all invalid settings and exit with 78', async () => {
    for (const words of [['config'], ['serve'], ['serve', '--check'], ['check', 'x'], ['openapi']]) {
      const { code, stdout, stderr } = await runColophon(words, { env: { PORT: 'x', LOG_LEVEL: 'loud' } });
      assert.equal(code, 78, words.join(' '));
      assert.match(stdout + stderr, /PORT must[\s\S]*LOG_LEVEL must/);
    }
  });

  it('version prints the versions of Colophon and Node.js', async () => {
    const { stdout } = await runColophon(['version', '--json']);
    assert.equal(JSON.parse(stdout).node_version, process.versions.node);
    assert.equal((await runColophon(['-v'])).stdout, (await runColophon(['--version'])).stdout);
    assert.match((await runColophon(['--version'])).stdout, /^colophon \d+\.\d+\.\d+ /);
  });

  it('openapi prints the contract with the BASE_URL and the name of the product', async (t) => {
    const directory = writeContentFolder(t, goodFeed);
    const { code, stdout } = await runColophon(['openapi', directory], {
      env: { BASE_URL: 'https://api.lamp.example' },
    });
    assert.equal(code, 0);
    const document = JSON.parse(stdout);
    assert.equal(document.servers[0].url, 'https://api.lamp.example');
    assert.match(document.info.title, /Lamp/);
  });
});

describe('colophon serve --check', () => {
  it('the check passes for a folder that can be served, and changes nothing', async (t) => {
    const dataDir = await createTemporaryFolder(t);
    const env = { DATA_DIR: join(dataDir, 'new') };
    const { code, stdout, stderr } = await runColophon(['serve', writeContentFolder(t, goodFeed), '--check'], { env });
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(
      stdout,
      `ok      content: Lamp, 2 pages\nok      data: ${dataDir}/new will be created\nok      port: a free one will be chosen\n`,
    );
    assert.deepEqual(await readdir(dataDir), []);
  });

  it('the check warns of settings that are probably wrong', async (t) => {
    const words = ['serve', writeContentFolder(t, goodFeed), '--check'];
    const fetchWarning = async (env: Record<string, string>) => {
      const { code, stdout } = await runColophon(words, { env: { DATA_DIR: await createTemporaryFolder(t), ...env } });
      assert.equal(code, 0);
      return /^warning settings: (.*)$/m.exec(stdout)?.[1] ?? '';
    };
    assert.match(await fetchWarning({ HOST: '0.0.0.0' }), /^BASE_URL is not set and HOST is 0\.0\.0\.0/);
    assert.match(await fetchWarning({ BASE_URL: 'http://api.lamp.example' }), /^BASE_URL is plain http/);
    assert.match(await fetchWarning({ BASE_URL: 'https://api.lamp.example' }), /Set TRUST_PROXY to the address of the/);
    assert.equal(await fetchWarning({ BASE_URL: 'https://api.lamp.example', TRUST_PROXY: '127.0.0.1' }), '');
  });

  it('the check names a port that another program uses, and a data folder that is a file', async (t) => {
    const truncatedResponse = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nNot';
    const otherProgram = createServer((socket) => socket.end(truncatedResponse)).listen(0, '127.0.0.1');
    t.after(() => otherProgram.close());
    await once(otherProgram, 'listening');
    const address = otherProgram.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const directory = writeContentFolder(t, goodFeed);
    const env = { PORT: String(port), DATA_DIR: join(directory, 'product.yaml') };
    const { code, stdout } = await runColophon(['serve', directory, '--check'], { env });
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^error {3}port: .*is not available[^\n]*\n {8}stop the program that uses it, or set PORT to/m,
    );
    assert.match(
      stdout,
      /^error {3}data: .*\(it is a file\)\n {8}give this user permission and space, or set DATA_DIR/m,
    );
  });

  it('the check accepts a port on which Colophon runs', async (t) => {
    const server = await startTestServer({ env: { ADMIN_PORT: '0' } });
    t.after(() => server.close());
    const [port, adminPort] = [server.listenUrl, server.adminUrl ?? ''].map((url) => new URL(url).port);
    const env = { PORT: port ?? '', ADMIN_PORT: adminPort ?? '', DATA_DIR: await createTemporaryFolder(t) };
    const { code, stdout } = await runColophon(['serve', writeContentFolder(t, goodFeed), '--check'], { env });
    assert.equal(code, 0);
    assert.match(stdout, /^warning port: 127\.0\.0\.1:\d+ is in use by Colophon, which is running$/m);
    assert.match(stdout, /^warning admin port: 127\.0\.0\.1:\d+ is in use by Colophon, which is running$/m);
  });

  it('the check ends with 78 for an invalid folder and for a secret key that is missing', async (t) => {
    const directory = writeContentFolder(t, { 'faq.yaml': 'entries: 1\n' });
    const invalid = await runColophon(['serve', directory, '--check']);
    assert.equal(invalid.code, 78);
    assert.match(invalid.stderr, /faq\.yaml:1:10: /);
    const env = { SECRET_KEY_FILE: join(directory, 'none') };
    const keyless = await runColophon(['serve', writeContentFolder(t, goodFeed), '--check'], { env });
    assert.equal(keyless.code, 78);
    assert.match(keyless.stderr, /none cannot be read/);
  });
});

describe('colophon serve', () => {
  it('the current folder is served if it has a product.yaml, and otherwise the example product', async (t) => {
    const options = { cwd: writeContentFolder(t, goodFeed), env: { DATA_DIR: await createTemporaryFolder(t) } };
    const command = killAfterTest(t, startColophon(['serve'], options));
    assert.match((await command.waitForOutput(/Colophon serves (.*) at http/))[1] ?? '', /^Lamp$/);
    assert.equal(command.getStderr(), '');
    command.child.kill('SIGTERM');
    await command.exitCode;
    const example = killAfterTest(
      t,
      startColophon(['serve'], { cwd: await createTemporaryFolder(t), env: options.env }),
    );
    await example.waitForOutput(/Colophon serves /);
    await example.waitForOutput(/"note":"the example product, because no folder was named/);
    assert.equal(example.getStderr(), '');
  });

  it('the server responds, logs JSON lines, and exits with 0 on SIGTERM', async (t) => {
    const directory = writeContentFolder(t, goodFeed);
    const env = { CONTENT_DIR: directory, DATA_DIR: await createTemporaryFolder(t), ADMIN_PORT: '0' };
    const command = killAfterTest(t, startColophon(['serve'], { env }));
    const [, url] = await command.waitForOutput(urlPattern);
    const [, admin] = await command.waitForOutput(/"admin_url":"(http:[^"]+)"/);
    assert.equal((await fetch(`${url}/api/v1/releases/latest`)).status, 200);
    assert.equal((await fetch(`${admin}/readyz`)).status, 200);
    command.child.kill('SIGTERM');
    assert.equal(await command.exitCode, 0);
    const lines = command
      .getStdout()
      .trim()
      .split('\n')
      .filter((line) => !urlPattern.test(line));
    const messages = lines.map((line) => JSON.parse(line).msg);
    assert.ok(messages.includes('request'));
    assert.ok(messages.includes('stopping'));
  });

  it('a second signal ends the server at once with exit code 1', async (t) => {
    const env = { CONTENT_DIR: writeContentFolder(t, goodFeed), DATA_DIR: await createTemporaryFolder(t) };
    const command = killAfterTest(t, startColophon(['serve'], { env }));
    const [, url = ''] = await command.waitForOutput(urlPattern);
    // The body of this request never arrives, so the server does not end after the first signal.
    const { hostname, port } = new URL(url);
    const { connect } = await import('node:net');
    const socket = connect(Number(port), hostname);
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.write(
      'POST /api/v1/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
    );
    await once(socket, 'connect');
    await fetch(`${url}/api/v1/faq`);
    command.child.kill('SIGTERM');
    await command.waitForOutput(/stopping/);
    // Within 500 ms, the second signal would count as a copy of the first one.
    await setTimeout(600);
    command.child.kill('SIGINT');
    assert.equal(await command.exitCode, 1);
  });

  it('the error names a port that is in use', async (t) => {
    const otherProgram = createServer().listen(0, '127.0.0.1');
    t.after(() => otherProgram.close());
    await once(otherProgram, 'listening');
    const address = otherProgram.address();
    const port = String(typeof address === 'object' && address !== null ? address.port : 0);
    const { code, stderr } = await runColophon(['serve', '--port', port], {
      env: { DATA_DIR: await createTemporaryFolder(t) },
    });
    assert.equal(code, 1);
    assert.match(stderr, /Port \d+ is in use\. Stop the other program, or set PORT/);
  });

  it('an invalid folder is refused with every fault and exit code 78', async (t) => {
    const directory = writeContentFolder(t, { 'faq.yaml': 'entries: 1\n', 'features.yaml': null });
    const { code, stderr } = await runColophon(['serve', directory], {
      env: { DATA_DIR: await createTemporaryFolder(t) },
    });
    assert.equal(code, 78);
    assert.match(stderr, /faq\.yaml:1:10: [\s\S]*features\.yaml:1:1: /);
  });
});

describe('colophon serve of a folder from colophon init: placeholders', () => {
  it('one log line lists the remaining placeholders if BASE_URL is public', async (t) => {
    const directory = await createTemporaryFolder(t);
    await runColophon(['init', '--name', 'Lamp'], { cwd: directory });
    const quickstart = readFileSync(join(directory, 'docs/quickstart.md'), 'utf8');
    writeContentFile(directory, 'docs/more.md', quickstart);
    writeContentFile(directory, 'docs/quickstart.md', quickstart.replace(/^Say .*$/gm, 'Light.'));
    writeContentFile(directory, 'features.yaml', 'features: []\n');
    const permission = '{ id: screen, name: First feature, required: true, unlocks: Light. }';
    const requirements = readFileSync(join(directory, 'requirements.yaml'), 'utf8');
    writeContentFile(directory, 'requirements.yaml', requirements.replace('[]', `[${permission}]`));
    const env = { DATA_DIR: await createTemporaryFolder(t), BASE_URL: 'https://lamp.example' };
    const command = killAfterTest(t, startColophon(['serve'], { cwd: directory, env }));
    await command.waitForOutput(/Colophon serves /);
    const lines = command
      .getStdout()
      .split('\n')
      .filter((line) => line.includes('placeholders of colophon init are public'));
    assert.equal(lines.length, 1);
    const { texts } = JSON.parse(lines[0] ?? '');
    for (const text of [
      'https://example.com/placeholder.zip',
      'does, in one line',
      'Say what is new.',
      'Say what people have achieved at the end of this page.',
      'First feature',
    ])
      assert.ok(texts.includes(text), text);
    assert.ok(!texts.some((text: string) => text.startsWith('A guess')), 'a comment is not public');
  });
});

describe('colophon dev', () => {
  const htmlRequest = { headers: { accept: 'text/html' } };
  const listPlaces = (html: string): string[] =>
    [...html.matchAll(/<p class="place">([^<]*)<\/p>/g)].map(([, place = '']) => place);

  it('the server waits until a folder is valid, serves the folder at the same URL, and lists later faults', async (t) => {
    const directory = writeContentFolder(t, { ...goodFeed, 'features.yaml': 'features: 1\n', 'faq.yaml': null });
    const env = { DATA_DIR: await createTemporaryFolder(t) };
    const command = killAfterTest(t, startColophon(['dev', directory], { env }));
    const [, url = ''] = await command.waitForErrorOutput(
      /features\.yaml:1:11: [\s\S]*2 errors, also listed at (http:\S+)\. Waiting for a change/,
    );
    const revision = async () => (await fetch(`${url}/dev/revision`)).text();
    const first = await revision();

    const broken = await fetch(`${url}/docs/start`, htmlRequest);
    assert.equal(broken.status, 503);
    assert.equal(broken.headers.get('cache-control'), 'no-store');
    const errorPage = await broken.text();
    assert.deepEqual(listPlaces(errorPage), ['faq.yaml:1:1', 'features.yaml:1:11']);
    assert.match(errorPage, /<h1>2 faults in the content folder<\/h1>[\s\S]*Until then, nothing is served/);
    assert.match(errorPage, /<p><code>features<\/code> must be a list/);
    const refused = await fetch(`${url}/api/v1/features`);
    assert.deepEqual([refused.status, refused.headers.get('content-type')], [503, 'application/problem+json']);
    assert.match(await refused.text(), /"code":"upstream_unavailable"/);

    writeContentFile(directory, 'faq.yaml', 'entries: []\n');
    await command.waitForErrorOutput(/1 error, also listed at /);
    assert.notEqual(await revision(), first);
    writeContentFile(directory, 'features.yaml', 'features: []\n');
    assert.equal((await command.waitForOutput(urlPattern))[1], url);
    assert.equal((await fetch(`${url}/api/v1/features`)).status, 200);
    const page = await (await fetch(`${url}/docs/start`, htmlRequest)).text();
    assert.match(page, /<title>Start · Lamp/);
    const [, script] = /<script src="([^"]+)"/.exec(page) ?? [];
    assert.match(await (await fetch(url + script)).text(), /\/dev\/revision/);

    writeContentFile(directory, 'features.yaml', 'features: 2\n');
    await command.waitForOutput(/"level":"error".*features\.yaml:1:11: /);
    assert.equal((await fetch(`${url}/api/v1/features`)).status, 200);
    const laterPage = await (await fetch(`${url}/docs/start`, htmlRequest)).text();
    assert.deepEqual(listPlaces(laterPage), ['features.yaml:1:11']);
    assert.match(laterPage, /The API still serves the last valid revision/);
    assert.match(await (await fetch(`${url}/docs/start.md`)).text(), /^> /);
    command.child.kill('SIGINT');
    assert.equal(await command.exitCode, 0);
  });

  it('a signal ends the command while it waits for a valid folder', async (t) => {
    const directory = writeContentFolder(t, { 'features.yaml': 'features: 1\n' });
    const command = killAfterTest(
      t,
      startColophon(['dev'], { cwd: directory, env: { DATA_DIR: await createTemporaryFolder(t) } }),
    );
    await command.waitForErrorOutput(/Waiting for a change/);
    command.child.kill('SIGTERM');
    assert.equal(await command.exitCode, 0);
  });
});

describe('colophon init', () => {
  it('the new folder passes colophon check with warnings about placeholders, and can be served', async (t) => {
    const directory = await createTemporaryFolder(t);
    const { code, stdout, stderr } = await runColophon(
      ['init', 'my-app', '--name', 'Lamp: "bright" & <light> [[one]]'],
      {
        cwd: directory,
      },
    );
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /Next: colophon dev my-app/);
    const checkResult = await runColophon(['check', 'my-app'], { cwd: directory });
    assert.equal(checkResult.code, 0);
    const countWarnings = (file: string) =>
      checkResult.stdout.split('\n').filter((line) => line.startsWith(`my-app/${file}:`)).length;
    assert.deepEqual(
      [
        'product.yaml',
        'faq.yaml',
        'pricing.yaml',
        'features.yaml',
        'requirements.yaml',
        'docs/quickstart.md',
        'releases/1.0.0.md',
      ].map(countWarnings),
      [4, 1, 1, 2, 1, 2, 3],
    );
    assert.match(
      checkResult.stdout,
      /^my-app\/releases\/1\.0\.0\.md:6:1: warning: .*“https:\/\/example\.com\/placeholder\.zip”/m,
    );
    assert.match(
      checkResult.stdout,
      /^my-app\/product\.yaml:3:1: warning: the text of colophon init is still here \(“does, in one line”\)/m,
    );
    assert.match(checkResult.stdout, /^0 errors, 14 warnings\.$/m);
    assert.equal((await runColophon(['check', 'my-app', '--strict'], { cwd: directory })).code, 78);
    const server = await startTestServer({ env: { CONTENT_DIR: join(directory, 'my-app') } });
    t.after(() => server.close());
    assert.equal(server.productName, 'Lamp: "bright" & <light> [[one]]');
    for (const path of ['/releases/latest', '/docs/quickstart', '/faq', '/pricing', '/features', '/requirements']) {
      assert.equal((await server.request(`/api/v1${path}`)).status, 200, path);
    }
  });

  it('the feed of --appcast is verified and sets the minimums, and an invalid signature prevents every write', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    const signer = createSigner();
    const extra =
      '<sparkle:minimumSystemVersion>14.2</sparkle:minimumSystemVersion><sparkle:hardwareRequirements>arm64</sparkle:hardwareRequirements>';
    upstream.serveBytes(signer.sign(wrapInAppcast(createItem('3.1', extra), createItem('3.0'))));
    const directory = await createTemporaryFolder(t);
    const url = `${upstream.origin}/appcast.xml`;
    const words = ['init', '--name', 'Lamp', '--appcast', url, '--public-key', signer.publicKey];
    const { code, stdout } = await runColophon(words, { cwd: directory });
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^ {2}macOS: 2 releases; the latest is 3\.1 \(macOS 14\.2 or later, arm64\)\nIts signature is valid\./m,
    );
    const product = readFileSync(join(directory, 'product.yaml'), 'utf8');
    assert.match(product, /macOS:\n {4}os_version: "14\.2"\n {4}arch:\n {6}- arm64\n\n/);
    assert.ok(product.includes(`source: ${url}\n`) && product.includes(signer.publicKey));
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    assert.equal((await server.request('/api/v1/releases/latest')).json.version, '3.1');

    const forgedFolder = await createTemporaryFolder(t);
    const wrongKey = await runColophon([...words.slice(0, -1), createSigner().publicKey], { cwd: forgedFolder });
    assert.equal(wrongKey.code, 1);
    assert.match(wrongKey.stderr, /signature does not match.*Nothing was written/);
    assert.deepEqual(await readdir(forgedFolder), []);
  });

  it('a --public-key for a feed without a signature sets feed.signature to optional', async (t) => {
    const upstream = await startUpstream();
    t.after(() => upstream.close());
    upstream.serveBytes(createAppcast('1.0'));
    const { publicKey } = createSigner();
    const directory = await createTemporaryFolder(t);
    const words = ['init', '--name', 'Lamp', '--public-key', publicKey];
    const url = `${upstream.origin}/appcast.xml`;
    const { code, stdout } = await runColophon([...words, '--appcast', url], { cwd: directory });
    assert.equal(code, 0);
    assert.match(stdout, /It has no feed signature, which needs Sparkle 2\.9; the key signs the archives\./);
    const product = readFileSync(join(directory, 'product.yaml'), 'utf8');
    assert.match(product, /^ {2}signature: optional$/m);
    assert.ok(product.includes(publicKey));
    const checkResult = await runColophon(['check'], { cwd: directory });
    assert.equal(checkResult.code, 0);
    assert.doesNotMatch(checkResult.stdout, /signed|SUPublicEDKey/);

    const laterFolder = await createTemporaryFolder(t);
    assert.equal((await runColophon(words, { cwd: laterFolder })).code, 0);
    assert.equal((await runColophon(['check'], { cwd: laterFolder })).code, 0);
  });

  it('an --appcast file with relative URLs needs --feed-url, and a missing file is an error', async (t) => {
    const directory = await createTemporaryFolder(t);
    writeContentFile(
      directory,
      'feed.xml',
      wrapInAppcast('<item><title>1</title><sparkle:version>1</sparkle:version><enclosure url="1.zip"/></item>'),
    );
    const words = ['init', 'site', '--name', 'Lamp', '--appcast', 'feed.xml'];
    const withoutFeedUrl = await runColophon(words, { cwd: directory });
    assert.equal(withoutFeedUrl.code, 1);
    assert.match(withoutFeedUrl.stderr, /URL is relative.*feed\.base_url.*Pass it as --feed-url\./);
    const { code } = await runColophon([...words, '--feed-url', 'https://lamp.example/updates/appcast.xml'], {
      cwd: directory,
    });
    assert.equal(code, 0);
    const product = readFileSync(join(directory, 'site', 'product.yaml'), 'utf8');
    assert.match(
      product,
      /feed:\n {2}source: feed\.xml\n {2}base_url: https:\/\/lamp\.example\/updates\/appcast\.xml\n$/,
    );
    const server = await startTestServer({ env: { CONTENT_DIR: join(directory, 'site') } });
    t.after(() => server.close());
    const { json } = await server.request('/api/v1/releases/latest');
    assert.equal(json.download_url, 'https://lamp.example/updates/1.zip');
    const missingFile = await runColophon(['init', 'x', '--name', 'Lamp', '--appcast', 'none.xml'], { cwd: directory });
    assert.equal(missingFile.code, 1);
    assert.match(missingFile.stderr, /The feed’s file cannot be read: ENOENT.*none\.xml.*Nothing was written/);
  });

  it('existing files are not overwritten, and init exits with 64 for a missing --name or an invalid key', async (t) => {
    const directory = await createTemporaryFolder(t);
    writeContentFile(directory, 'faq.yaml', 'mine\n');
    const { code, stderr } = await runColophon(['init', '--name', 'Lamp'], { cwd: directory });
    assert.equal(code, 1);
    assert.match(stderr, /faq\.yaml would be overwritten; nothing was written/);
    assert.deepEqual(await readdir(directory), ['faq.yaml']);
    const unnamed = await runColophon(['init'], { cwd: directory });
    assert.equal(unnamed.code, 64);
    assert.match(unnamed.stderr, /colophon init --name/);
    const unnamedFolder = await runColophon(['init', 'new'], { cwd: directory });
    assert.match(unnamedFolder.stderr, /colophon init new --name/);
    const file = await runColophon(['init', 'faq.yaml', '--name', 'Lamp'], { cwd: directory });
    assert.deepEqual([file.code, file.stderr.split('\n')[0]], [64, '`faq.yaml` is a file; name a folder.']);
    const invalidKey = await runColophon(['init', '--name', 'Lamp', '--public-key', 'abc'], { cwd: directory });
    assert.equal(invalidKey.code, 64);
  });
});

describe('colophon clients list, colophon clients revoke, colophon backup and colophon restore', () => {
  const now = 1_790_000_000_000;

  it('backup works while the store is in use, revoke and restore do not, and restore undoes a revocation', async (t) => {
    const dataDir = await createTemporaryFolder(t);
    const env = { DATA_DIR: dataDir };
    const copy = join(await createTemporaryFolder(t), 'backup.sqlite');
    const store = await openSqliteStore({ directory: dataDir, now });
    await store.createClient(newClient({ id: 'client-1', name: 'Bot \x1b[31m' }));
    const clientList = await runColophon(['clients', 'list'], { env });
    assert.deepEqual([clientList.code, clientList.stderr], [0, '']);
    assert.match(clientList.stdout, /^client-1 {2}registered .* {2}last token never {2}Bot \[31m\n1 client\.$/m);
    const { code, stdout } = await runColophon(['backup', copy], { env });
    assert.deepEqual([code, stdout.includes(copy)], [0, true]);
    assert.equal((await runColophon(['backup', copy], { env })).code, 1);

    for (const words of [
      ['clients', 'revoke', 'client-1'],
      ['restore', copy],
    ]) {
      const blocked = await runColophon(words, { env });
      assert.equal(blocked.code, 1);
      assert.match(blocked.stderr, /Another process is using the data folder .* Stop it/);
    }
    await store.close();

    assert.match((await runColophon(['clients', 'revoke', 'client-1'], { env })).stdout, /are revoked/);
    assert.match((await runColophon(['clients', 'revoke', 'client-1'], { env })).stdout, /was already revoked/);
    assert.equal((await runColophon(['clients', 'revoke', 'client-2'], { env })).code, 1);
    const [revokedClient] = JSON.parse((await runColophon(['clients', 'list', '--json'], { env })).stdout);
    assert.ok(revokedClient.revoked_at !== null);

    const restoration = await runColophon(['restore', copy], { env });
    assert.equal(restoration.code, 0);
    assert.match(restoration.stdout, /old database is .*before-\d+/);
    const [restoredClient] = JSON.parse((await runColophon(['clients', 'list', '--json'], { env })).stdout);
    assert.equal(restoredClient.revoked_at, null);
    const server = await startTestServer({ dataDir });
    t.after(() => server.close());
    assert.equal((await server.request('/api/v1/faq')).status, 200);
  });

  it('a missing or invalid backup and a missing database are errors, and no file is created', async (t) => {
    const dataDir = await createTemporaryFolder(t);
    const env = { DATA_DIR: join(dataDir, 'new') };
    writeContentFile(dataDir, 'text', 'no database'.repeat(100));
    for (const [words, message] of [
      [['restore', 'text'], /text cannot be used \(file is not a database\)/],
      [['restore', 'none'], /There is no file .*none\. Name one that `colophon backup` wrote/],
      [['backup', 'copy'], /There is no database .*A server creates it/],
      [['clients', 'list'], /There is no database/],
    ] as const) {
      const { code, stderr } = await runColophon(words, { env, cwd: dataDir });
      assert.equal(code, 1, words.join(' '));
      assert.match(stderr, message);
    }
    assert.deepEqual(await readdir(dataDir), ['text']);
  });
});
