/** The packed packages as a vendor uses them: installed by npm into an empty folder, run by npx on the versions of Node they support. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { buildAll } from '../../scripts/build.ts';
import { createItem, createSigner, wrapInAppcast } from '../support/feed-samples.ts';
import { startUpstream, type Upstream } from '../support/feed-upstream.ts';

const windows = process.platform === 'win32';
const root = resolve(import.meta.dirname, '../..');

interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/**
 * Runs a program with its arguments, such as `npm install`, in a folder, with the Node in the folder `bin` before any other in
 * PATH. Never rejects: a failure, or an end after 100 seconds, has another code than 0.
 */
function run(bin: string, folder: string, words: readonly string[]): Promise<CommandResult> {
  const [program = '', ...rest] = words;
  return new Promise((resolve) => {
    const options = { cwd: folder, env: createEnvironment(bin), shell: windows, timeout: 100_000 };
    execFile(program, rest, options, (error, out, errorOutput) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, error: errorOutput || String(error ?? '') });
    });
  });
}

/**
 * Returns the environment without the variables that npm and the test runner set for their child processes, with the folder `bin`
 * first in PATH, quiet settings of npm, a free port and no admin listener.
 */
function createEnvironment(bin: string): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?!config_)|^npm_config_\w*prefix$|^NODE_(OPTIONS|TEST|COMPILE)|^INIT_CWD$/.test(name),
  );
  return {
    ...Object.fromEntries(variables),
    PATH: [bin, process.env.PATH ?? ''].join(delimiter),
    npm_config_loglevel: 'error',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    PORT: '0',
    ADMIN_PORT: 'off',
  };
}

/**
 * Returns the path of the bin folder of a Node in the lock file, by the name of its package such as `node-20`, or null if none is
 * installed for this platform.
 */
function findBin(name: string): string | null {
  const bin = join(import.meta.dirname, 'node_modules', name, 'bin');
  return existsSync(join(bin, 'node')) ? bin : null;
}

const nodes = [
  { version: '26', bin: dirname(process.execPath) },
  { version: '24', bin: findBin('node-24') },
];

describe('The packed npm packages of colophon', () => {
  let folder: string;
  let tarballs: string[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'colophon-packed-'));
    tarballs = await buildAll(join(folder, 'dist'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const installPackages = async (name: string, bin: string): Promise<string> => {
    const place = join(folder, name);
    await mkdir(place);
    const { code, error } = await run(bin, place, ['npm', 'install', '--ignore-scripts', ...tarballs]);
    assert.equal(code, 0, error);
    return place;
  };

  it('two builds create identical packages', async () => {
    const hash = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
    const again = await buildAll(join(folder, 'again'));
    assert.deepEqual(
      again.map((file) => basename(file)),
      tarballs.map((file) => basename(file)),
    );
    assert.deepEqual(again.map(hash), tarballs.map(hash));
  });

  it('npm ci in the package of the server installs the versions of package-lock.json', async () => {
    const place = join(folder, 'unpacked');
    await mkdir(place);
    await runTar(['-xzf', tarballs[0] ?? '', '-C', place, '--strip-components=1']);
    const { code, error } = await run(dirname(process.execPath), place, ['npm', 'ci', '--ignore-scripts']);
    assert.equal(code, 0, error);
    const { packages: lockedPackages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const { packages } = JSON.parse(readFileSync(join(place, 'node_modules/.package-lock.json'), 'utf8'));
    const versions = Object.entries<{ version: string }>(packages);
    assert.equal(versions.length, 3);
    for (const [path, { version }] of versions) assert.equal(version, lockedPackages[path]?.version, path);
  });

  for (const { version, bin } of nodes) {
    it(`colophon init, import, check and serve work for another product on Node ${version}`, async (t) => {
      if (bin === null) {
        t.skip(`not run: the lock file has no Node ${version} for this platform`);
        return;
      }
      const place = await installPackages(`node-${version}`, bin);
      const npx = (...words: string[]): Promise<CommandResult> =>
        run(bin, place, ['npx', '--no', 'colophon', ...words]);
      const versions = JSON.parse((await npx('version', '--json')).out);
      assert.equal(versions.node_version.split('.')[0], version);

      const upstream = await startSignedFeed(t);
      const feed = ['--releases', `${upstream.origin}/appcast.xml`, '--public-key', upstream.publicKey];
      const result = await npx('init', 'my-app', '--name', 'Larder', '--yes', ...feed);
      assert.equal(result.code, 0, result.error);
      assert.match(
        result.out,
        /^ {2}macOS: 2 releases; the latest is 3\.1 \(macOS 14\.2 or later, arm64 and x86_64\)\nIts signature is valid\./m,
      );
      await mkdir(join(place, 'old/docs'), { recursive: true });
      await writeFile(join(place, 'old/mkdocs.yml'), 'site_name: Larder\n');
      await writeFile(join(place, 'old/docs/index.md'), '# Larder\n\nKeeps jam.\n');
      await writeFile(join(place, 'old/docs/jam.md'), '# Jam\n\n!!! note\n    Label it.\n');
      for (const command of ['colophon import', 'colophon-import']) {
        const imported = await run(bin, place, ['npx', '--no', ...command.split(' '), 'old', '--to', 'my-app']);
        assert.match(imported.error, /^From mkdocs: 2 pages.*/m, imported.out + imported.error);
        assert.equal(imported.code, 0, imported.error);
      }
      const checked = await npx('check', 'my-app');
      assert.equal(checked.code, 0, checked.out + checked.error);

      const url = await startServing(t, bin, place);
      const latest = await (await fetch(`${url}/api/v1/releases/latest`)).json();
      assert.equal(latest.version, '3.1');
      assert.equal(latest.platform.min_version, '14.2');
      assert.match(await (await fetch(`${url}/docs/quickstart`)).text(), /Larder/);
      assert.match(await (await fetch(`${url}/docs/jam`)).text(), /Label it/);
      const program =
        "import { createClient } from '@colophon/client'; console.log((await createClient({ baseUrl: process.argv[1] }).releases.latest()).version)";
      const client = await run(bin, place, ['node', '--input-type=module', '--eval', program, url]);
      assert.equal(client.out, '3.1\n', client.error);
      const instance = await npx('check', url);
      assert.equal(instance.code, 0, instance.out + instance.error);
      assert.match(instance.out, /^(\d+) of \1 checks passed/m);
    });
  }

  it('colophon serve on Node 20 exits with 1 and prints which version to install', async (t) => {
    const bin = findBin('node-20');
    if (bin === null) {
      t.skip('not run: the lock file has no Node 20 for this platform');
      return;
    }
    const place = await installPackages('node-20', bin);
    const version = readFileSync(join(bin, '../package.json'), 'utf8');
    assert.deepEqual(await run(bin, place, ['npx', '--no', 'colophon', 'serve']), {
      code: 1,
      out: '',
      error: `Colophon needs Node 24 or later; this is Node ${JSON.parse(version).version}. Install a later one from https://nodejs.org and run the same command again.\n`,
    });
  });
});

const runTar = (words: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile('tar', [...words], (error) => (error === null ? resolve() : reject(error)));
  });

/**
 * Starts a server with a feed that is signed with a new key, and returns the server with the public key in base64. It is closed
 * after the test.
 */
async function startSignedFeed(t: TestContext): Promise<Upstream & { readonly publicKey: string }> {
  const upstream = await startUpstream();
  t.after(() => upstream.close());
  const signer = createSigner();
  const minimum = '<sparkle:minimumSystemVersion>14.2</sparkle:minimumSystemVersion>';
  upstream.serveBytes(signer.sign(wrapInAppcast(createItem('3.1', minimum), createItem('3.0', minimum))));
  return { ...upstream, publicKey: signer.publicKey };
}

/**
 * Serves the folder my-app in `place` until the test ends, and returns the URL that the server logs. Rejects if the server ends
 * before. Writes colophon.yaml in `place`.
 */
async function startServing(t: TestContext, bin: string, place: string): Promise<string> {
  await writeFile(join(place, 'colophon.yaml'), 'content_dir: my-app\n');
  const child = spawn('npx', ['--no', 'colophon', 'serve'], {
    cwd: place,
    env: { ...createEnvironment(bin), COLOPHON_CONFIG: 'colophon.yaml' },
    shell: windows,
    // A process group lets the test end npx together with the server.
    detached: !windows,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  t.after(async () => {
    if (windows) child.kill();
    else if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  let output = '';
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /Colophon serves Larder at (http:[^\s"]+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    void ended.then(() => reject(new Error(`the server ended:\n${output}`)));
  });
}
