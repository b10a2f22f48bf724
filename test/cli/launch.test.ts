/** Tests bin/node.js, which runs a script with the Node from the lock file, or with the current Node if the installed one cannot start. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type RunningCommand, startProgram } from '../support/command.ts';

const root = resolve(import.meta.dirname, '../..');
const posix = process.platform === 'win32' && 'not run: needs a POSIX shell';

/**
 * Creates a project with the launcher and returns its folder, which is removed after the test. `node` is its installed Node: the
 * path of this Node for a link to it, the text of a shell script, or null for none.
 */
async function createProject(t: TestContext, node: string | null): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-launch-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  const bin = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
  await mkdir(bin, { recursive: true });
  const program = join(bin, 'node');
  if (node === process.execPath) await symlink(node, program);
  else if (node !== null) await writeFile(program, node).then(() => chmod(program, 0o755));
  return folder;
}

const startLauncher = (folder: string, ...words: string[]): RunningCommand =>
  startProgram(process.execPath, ['bin/node.js', ...words], { cwd: folder });

async function runLauncher(
  folder: string,
  ...words: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { exitCode, getStdout, getStderr } = startLauncher(folder, ...words);
  return { code: await exitCode, stdout: getStdout(), stderr: getStderr() };
}

const withoutLibrary = `#!/bin/sh
echo "$0: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory" >&2
exit 127
`;

describe('bin/node.js', { skip: posix }, () => {
  it('the installed Node gets the arguments and is first in PATH, and its exit code is passed on', async (t) => {
    const folder = await createProject(t, '#!/bin/sh\necho "installed: $* in $PATH"\nexit 3\n');
    const bin = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
    assert.deepEqual(await runLauncher(folder, '--flag', 'file.js', 'two words'), {
      code: 3,
      stdout: `installed: --flag file.js two words in ${bin}:${process.env.PATH}\n`,
      stderr: '',
    });
  });

  it('the signal that ended the installed Node also ends the launcher', async (t) => {
    const { child, exitCode } = startLauncher(await createProject(t, '#!/bin/sh\nkill -TERM $$\n'), 'file.js');
    assert.deepEqual([await exitCode, child.signalCode], [null, 'SIGTERM']);
  });

  it('the current Node is used if the installed one lacks a library, and a message names its package', async (t) => {
    const { code, stdout, stderr } = await runLauncher(await createProject(t, withoutLibrary), '-p', 'process.version');
    assert.deepEqual([code, stdout], [0, `${process.version}\n`]);
    const [loader = '', ...note] = stderr.trimEnd().split('\n');
    assert.match(loader, /libatomic\.so\.1: cannot open shared object file/);
    assert.deepEqual(note, [
      `Colophon runs on Node ${process.versions.node}, because the one that npm ci installed needs libatomic (Debian and Ubuntu: apt-get install libatomic1).`,
    ]);
  });

  it('the current Node is used if the system cannot execute the installed one', async (t) => {
    const { code, stdout, stderr } = await runLauncher(
      await createProject(t, '#!/nowhere/loader\n'),
      '-p',
      'process.version',
    );
    assert.deepEqual([code, stdout], [0, `${process.version}\n`]);
    assert.match(
      stderr,
      /^Colophon runs on Node [\d.]+, because the one that npm ci installed cannot start here \(.*ENOENT\)\.\n$/,
    );
  });

  it('the current Node is used without a message if no Node is installed', async (t) => {
    assert.deepEqual(await runLauncher(await createProject(t, null), '-p', '1 + 1'), {
      code: 0,
      stdout: '2\n',
      stderr: '',
    });
  });

  it('a program is started only once, even if it exits with 127', async (t) => {
    const folder = await createProject(t, process.execPath);
    assert.deepEqual(await runLauncher(folder, '-e', 'console.log("ran"); process.exit(127)'), {
      code: 127,
      stdout: 'ran\n',
      stderr: '',
    });
  });

  it('a signal to the launcher is forwarded to the program', async (t) => {
    const folder = await createProject(t, process.execPath);
    const code = 'process.once("SIGTERM", () => process.exit(5)); setInterval(() => {}, 1e6); console.log("ready")';
    const { child, exitCode, waitForOutput } = startLauncher(folder, '-e', code);
    await waitForOutput(/ready/);
    child.kill('SIGTERM');
    assert.equal(await exitCode, 5);
  });
});

describe('colophon serve, started by bin/node.js', { skip: posix }, () => {
  it('two signals to the process group within 500 ms count as one, and a later signal ends the server at once', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-launch-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const running = startProgram(process.execPath, ['bin/node.js', 'bin/colophon.js', 'serve'], {
      cwd: root,
      env: { PORT: '0', ADMIN_PORT: 'off', DATA_DIR: dataDir },
      detached: true,
    });
    const { pid = assert.fail('it has no process id') } = running.child;
    t.after(() => running.child.exitCode ?? process.kill(-pid, 'SIGKILL'));
    const [, url = ''] = await running.waitForOutput(/Colophon serves Sotto at (http:[^\s"]+)/);
    // The server waits for unfinished requests before it ends.
    const [first, second] = [await sendUnfinishedRequest(url), await sendUnfinishedRequest(url)];
    process.kill(-pid, 'SIGINT');
    await running.waitForOutput(/"signal":"SIGINT","msg":"stopping"/);
    // A second signal within 500 ms counts as the first one, so the request in progress still gets its response.
    process.kill(-pid, 'SIGINT');
    assert.match(await first.finish(), /^HTTP\/1\.1 200 [\s\S]*"object":"batch"/);
    await setTimeout(600);
    process.kill(-pid, 'SIGINT');
    assert.equal(await second.response, '');
    assert.equal(await running.exitCode, 1);
  });
});

/**
 * Sends the headers of a request and waits until the server expects the body, which `finish` sends. `response` is the raw text
 * after that, once the connection is closed; it never rejects.
 */
async function sendUnfinishedRequest(url: string): Promise<{ finish(): Promise<string>; response: Promise<string> }> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const body = JSON.stringify({ operations: [{ id: 'a', method: 'GET', path: '/pricing' }] });
  const headers = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.write(`POST /api/v1/batch HTTP/1.1\r\n${headers}\r\nExpect: 100-continue\r\n\r\n`);
  // The server has read the headers when it responds with 100 Continue, which requests the body.
  await once(socket, 'data');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  // The connection may be reset if the server ends at once.
  const response = new Promise<string>((fulfill) => {
    socket.on('error', () => {}).on('close', () => fulfill(text));
  });
  return {
    response,
    finish() {
      socket.write(body);
      return response;
    },
  };
}
