/** Installs a minimal Debian by debootstrap once, copies it into a temporary folder for each test, and runs programs in it by chroot. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { type CommandResult, type RunningCommand, startProgram } from '../../support/command.ts';
import { getSkipReason, projectFolder } from '../service.ts';

const run = promisify(execFile);
const suite = 'bookworm';
const mirror = 'http://deb.debian.org/debian';

/** A minimal Debian in a folder. */
export interface Debian {
  /** The path of its folder on this machine. */
  readonly root: string;
  /**
   * Runs a program with its arguments, in the folder `/srv/colophon` of this Debian, to its end and returns the outcome, whatever
   * the exit code.
   */
  run(words: readonly string[]): Promise<CommandResult>;
  /** Starts a program with its arguments, in the folder `/srv/colophon` of this Debian. It is killed after the test. */
  start(words: readonly string[], env?: Record<string, string>): RunningCommand;
}

/** Why Debian cannot be installed here, or false if it can. */
export const debianSkipReason: string | false =
  process.getuid?.() === 0 ? getSkipReason('debootstrap', 'unshare', 'chroot') : 'not run: needs root';

/**
 * Installs Debian with these packages in a folder that is removed after the test. Skips the test and returns null if debootstrap
 * fails, for any reason.
 */
export async function installDebian(t: TestContext, packages: readonly string[] = []): Promise<Debian | null> {
  const name = ['debian', suite, process.arch, ...packages].join('-');
  const original = join(projectFolder, 'node_modules/.cache/faults', name);
  if (!existsSync(original)) {
    const partial = `${original}.${process.pid}`;
    try {
      await mkdir(dirname(original), { recursive: true });
      const includeOption = packages.length > 0 ? [`--include=${packages.join(',')}`] : [];
      const words = ['--variant=minbase', ...includeOption, suite, partial, mirror];
      await run('debootstrap', words, { maxBuffer: 2 ** 26 });
      await rm(join(partial, 'var/cache/apt/archives'), { recursive: true });
      await rename(partial, original);
    } catch {
      await rm(partial, { recursive: true, force: true });
      t.skip(`not run: debootstrap could not make a Debian from ${mirror}`);
      return null;
    }
  }
  const root = await mkdtemp(join(tmpdir(), 'colophon-debian-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  await run('cp', ['-a', `${original}/.`, root]);
  await cp('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true });
  const npmCache = getNpmCachePath();
  for (const folder of [npmCache, join(root, 'root/.npm/_cacache'), join(root, 'srv/colophon')]) {
    await mkdir(folder, { recursive: true });
  }
  return createDebian(t, root, npmCache);
}

/** Returns the absolute path of the folder in which npm caches packages; it may not exist. */
export const getNpmCachePath = (): string => join(getNpmSetting('cache'), '_cacache');

const getNpmSetting = (name: string): string =>
  spawnSync('npm', ['config', 'get', name], { encoding: 'utf8', cwd: projectFolder }).stdout.trim();

/**
 * Returns the Debian in the folder `root`; `npmCache` is the path of the npm cache that its programs use. Each program has
 * private mounts and its own process group.
 */
function createDebian(t: TestContext, root: string, npmCache: string): Debian {
  const startInside = (words: readonly string[], env: Record<string, string>): RunningCommand => {
    const settings = Object.entries({ PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', ...env });
    const environment = ['env', '-i', '-C', '/srv/colophon', ...settings.map((pair) => pair.join('='))];
    // The npm cache is mounted instead of copied, because it may have several gigabytes. The mounts end with the program.
    const mounts =
      'mount -t proc proc "$2/proc" && mount --bind "$1" "$2/root/.npm/_cacache" && shift && exec chroot "$@"';
    const prefix = ['--mount', 'sh', '-c', mounts, 'sh', npmCache, root];
    return startProgram('unshare', [...prefix, ...environment, ...words], { detached: true });
  };
  const start = (words: readonly string[], env: Record<string, string> = {}): RunningCommand => {
    const running = startInside(words, env);
    t.after(async () => {
      const { pid, exitCode, signalCode } = running.child;
      if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
      await running.exitCode;
    });
    return running;
  };
  return {
    root,
    start,
    async run(words) {
      const running = start(words);
      const code = await running.exitCode;
      return { code, stdout: running.getStdout(), stderr: running.getStderr() };
    },
  };
}

/** Copies the Node at the path `program` to /usr/bin/node, or below another prefix such as `usr/local`, in place of the one before. */
export async function installNode({ root }: Debian, program: string, prefix = 'usr'): Promise<void> {
  await cp(program, join(root, prefix, 'bin/node'), { force: true });
}

/**
 * Copies the npm that runs here to /usr/bin/npm, or below another prefix such as `usr/local`, and configures the same registry and
 * trusted certificates for root. Rejects if there is an npm already.
 */
export async function installNpm({ root }: Debian, prefix = 'usr'): Promise<void> {
  const script =
    process.env.npm_execpath ?? realpathSync(spawnSync('which', ['npm'], { encoding: 'utf8' }).stdout.trim());
  const modules = join(root, prefix, 'lib/node_modules');
  await cp(dirname(dirname(script)), join(modules, 'npm'), { recursive: true, verbatimSymlinks: true });
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, prefix, 'bin', name));
  }
  const trusted = getNpmSetting('cafile');
  if (existsSync(trusted)) await writeFile(join(root, 'etc/npm-ca.pem'), readFileSync(trusted));
  const settings = [
    'prefer-offline=true',
    'audit=false',
    'fund=false',
    'update-notifier=false',
    `registry=${getNpmSetting('registry')}`,
  ];
  if (existsSync(trusted)) settings.push('cafile=/etc/npm-ca.pem');
  await writeFile(join(root, 'root/.npmrc'), `${settings.join('\n')}\n`);
}
