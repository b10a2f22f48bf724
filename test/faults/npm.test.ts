/** A server that `npm start` started: it ends when npm is ended or killed. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { type RunningCommand, startProgram } from '../support/command.ts';
import { createTemporaryFolder, getSkipReason, procSkipReason, projectFolder } from './service.ts';

const skip = procSkipReason || getSkipReason('npm');

/** Starts `npm start` in a process group of its own, and returns it once the server listens. The group is killed after the test. */
async function startNpm(t: TestContext): Promise<RunningCommand & { readonly url: string }> {
  const npm = startProgram('npm', ['start'], {
    cwd: projectFolder,
    env: { PORT: '0', ADMIN_PORT: 'off', DATA_DIR: await createTemporaryFolder(t) },
    detached: true,
  });
  let hasEnded = false;
  void npm.exitCode.then(() => {
    hasEnded = true;
  });
  t.after(() => {
    if (!hasEnded && npm.child.pid !== undefined) process.kill(-npm.child.pid, 'SIGKILL');
  });
  const [, url = ''] = await npm.waitForOutput(/Colophon serves Sotto at (http:[^\s"]+)/);
  return { ...npm, url };
}

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  it(`a server that npm started ends when only npm gets ${signal}`, { skip }, async (t) => {
    const npm = await startNpm(t);
    npm.child.kill(signal);
    await assertShutdown(npm);
  });
}

/** Asserts that the server logs its shutdown and ends; `npm.exitCode` resolves once no process has the output of npm open. */
async function assertShutdown(npm: RunningCommand & { readonly url: string }): Promise<void> {
  await npm.waitForOutput(/"msg":"stopping"/);
  await npm.exitCode;
  await assert.rejects(fetch(npm.url));
}
