/** packaging/colophon.service with the built package under a real systemd: privileges, shutdown, and when it is not restarted. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { buildAll } from '../../scripts/build.ts';
import { startProgram } from '../support/command.ts';
import { sendRequest } from '../support/server.ts';
import { getSkipReason, projectFolder } from './service.ts';
import { type Debian, debianSkipReason, installDebian, installNode, installNpm } from './support/debian.ts';

const node = join(projectFolder, 'test/interop/node_modules/node-24/bin/node');
const skip =
  debianSkipReason ||
  getSkipReason('systemd-nspawn', 'nsenter') ||
  (!existsSync(node) && 'not run: npm ci --prefix test/interop brings the Node that it needs');

it('the systemd unit serves without privileges, exits with 0, and does not restart after a content error', {
  skip,
}, async (t) => {
  const debian = await installDebian(t, ['systemd', 'systemd-sysv', 'dbus']);
  if (debian === null) return;
  await installPackage(debian);
  const container = await boot(t, debian);
  if (container === null) return;
  try {
    await checkUnit(t, debian, container.runInside);
  } finally {
    // The container must end before the folder of its system is removed.
    await container.end();
  }
});

async function checkUnit(t: TestContext, debian: Debian, runInside: RunInside): Promise<void> {
  const match = await retryUntilResult(async () =>
    /Colophon serves Sotto at (http:[^\s"]+)/.exec((await runInside('journalctl', '-u', 'colophon', '-o', 'cat')).out),
  );
  const { status, json } = await sendRequest(match[1] ?? '', '/api/v1/releases/latest');
  assert.deepEqual([status, json.version], [200, '2.3.0']);
  const showProperties = async (...names: string[]): Promise<string[]> => {
    const { out } = await runInside('systemctl', 'show', 'colophon', '--property', names.join(','));
    return out.trim().split('\n').sort();
  };
  const [pid = ''] = await showProperties('MainPID');
  const { out: state } = await runInside('cat', `/proc/${pid.replace('MainPID=', '')}/status`);
  assert.match(state, /^Uid:\t(6[1-5]\d{3})\t\1\t\1\t\1$/m);
  for (const line of [/^CapEff:\t0+$/m, /^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m]) assert.match(state, line);
  assert.ok(existsSync(join(debian.root, 'var/lib/private/colophon/colophon.sqlite')));

  await runInside('systemctl', 'stop', 'colophon');
  assert.deepEqual(await showProperties('ActiveState', 'Result', 'ExecMainStatus'), [
    'ActiveState=inactive',
    'ExecMainStatus=0',
    'Result=success',
  ]);
  await writeFile(join(debian.root, 'etc/colophon/colophon.yaml'), settings('/srv/nothing'));
  await runInside('systemctl', 'start', 'colophon');
  await retryUntilResult(async () => ((await showProperties('ActiveState'))[0] === 'ActiveState=failed' ? true : null));
  assert.deepEqual(await showProperties('ExecMainStatus', 'NRestarts'), ['ExecMainStatus=78', 'NRestarts=0']);
  // Only a person can fix an error with exit code 78. After any other failure, systemd restarts the server without a limit.
  assert.deepEqual(await showProperties('StartLimitIntervalUSec', 'Restart', 'RestartUSec'), [
    'Restart=on-failure',
    'RestartUSec=5s',
    'StartLimitIntervalUSec=0',
  ]);
  const [version = ''] = (await runInside('systemctl', '--version')).out.split('\n');
  t.diagnostic(`${version} in systemd-nspawn, with Node 24 and the built package`);
}

const settings = (content: string): string => `content_dir: ${content}\nport: 0\nadmin_port: 0\n`;

/**
 * Installs the package as docs/install.md does for Debian, with the Node at `node`, a content folder at /srv/larder and settings in
 * /etc/colophon, and enables the systemd unit. Rejects with an AssertionError if npm fails.
 */
async function installPackage(debian: Debian): Promise<void> {
  const { root } = debian;
  const [tarball = ''] = await buildAll(join(root, 'srv/dist'));
  await installNode(debian, node);
  await installNpm(debian);
  const words = [
    'npm',
    'install',
    '--prefix',
    '/opt/colophon',
    '--ignore-scripts',
    join('/srv/dist', basename(tarball)),
  ];
  const { code, stderr } = await debian.run(words);
  assert.equal(code, 0, stderr);
  await symlink('/usr/bin/node', join(root, 'opt/colophon/node_modules/.bin/node'));
  await cp(join(projectFolder, 'content'), join(root, 'srv/larder'), { recursive: true });
  await mkdir(join(root, 'etc/colophon'));
  await writeFile(join(root, 'etc/colophon/colophon.yaml'), settings('/srv/larder'), { mode: 0o600 });
  const units = join(root, 'etc/systemd/system');
  await cp(
    join(root, 'opt/colophon/node_modules/colophon/packaging/colophon.service'),
    join(units, 'colophon.service'),
  );
  await mkdir(join(units, 'multi-user.target.wants'), { recursive: true });
  await symlink('../colophon.service', join(units, 'multi-user.target.wants/colophon.service'));
}

type RunInside = (...words: string[]) => Promise<{ code: number | null; out: string }>;

interface Container {
  readonly runInside: RunInside;
  end(): Promise<unknown>;
}

/**
 * Boots the Debian with systemd in a container, with the network of this machine, and returns the container. Skips the test and
 * returns null if the container ends before systemd runs.
 */
async function boot(t: TestContext, { root }: Debian): Promise<Container | null> {
  const words = ['--quiet', '--register=no', '--keep-unit', '--console=pipe', `--directory=${root}`, '--boot'];
  const container = startProgram('systemd-nspawn', words);
  let exitCode: number | null | undefined;
  void container.exitCode.then((code) => {
    exitCode = code;
  });
  const { pid } = container.child;
  const leader = await retryUntilResult(async () => {
    if (exitCode !== undefined) return 'none';
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    return children.trim() || null;
  });
  if (leader === 'none') {
    t.skip(`not run: systemd-nspawn ${words.join(' ')} ended with ${exitCode}: ${container.getStderr().trim()}`);
    return null;
  }
  return {
    async runInside(...command) {
      const running = startProgram('nsenter', ['--target', leader, '--mount', '--uts', '--ipc', '--pid', ...command]);
      return { code: await running.exitCode, out: running.getStdout() };
    },
    end() {
      // Killing the first process of the container ends all processes in it.
      process.kill(Number(leader), 'SIGKILL');
      return container.exitCode;
    },
  };
}

/**
 * Calls `attempt` five times a second for up to a minute, and returns the first result that is not null. Rejects with an
 * AssertionError if there is none, and as `attempt` does.
 */
async function retryUntilResult<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let attempts = 0; attempts < 300; attempts += 1) {
    const result = await attempt();
    if (result !== null) return result;
    await setTimeout(200);
  }
  return assert.fail('there was no result within a minute');
}
