/** The processes between npm and the server: whichever of them is killed, the server ends too. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { type RunningCommand, startProgram } from '../support/command.ts';
import { projectFolder, temporaryFolder, without, withoutProc } from './service.ts';

const skip = withoutProc || without('npm');

/** `npm start`, leading a process group, once it serves. */
async function startNpm(t: TestContext): Promise<RunningCommand & { readonly url: string }> {
  const npm = startProgram('npm', ['start'], {
    cwd: projectFolder,
    env: { PORT: '0', ADMIN_PORT: 'off', DATA_DIR: await temporaryFolder(t) },
    detached: true,
  });
  const ended = { all: false };
  void npm.ended.then(() => {
    ended.all = true;
  });
  t.after(() => {
    if (!ended.all && npm.child.pid !== undefined) process.kill(-npm.child.pid, 'SIGKILL');
  });
  const [, url = ''] = await npm.says(/Colophon serves Sotto at (http:[^\s"]+)/);
  return { ...npm, url };
}

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  it(`a server that npm started ends when only npm gets ${signal}`, { skip }, async (t) => {
    const npm = await startNpm(t);
    npm.child.kill(signal);
    await endsInOrder(npm);
  });
}

/** It says so, and nobody holds npm's output any more. */
async function endsInOrder(npm: RunningCommand & { readonly url: string }): Promise<void> {
  await npm.says(/"msg":"stopping"/);
  await npm.ended;
  await assert.rejects(fetch(npm.url));
}
