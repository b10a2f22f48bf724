/** A minimal Debian in a temporary folder, made by debootstrap once and copied for each test; programs run in it by chroot. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { type Ran, type RunningCommand, startProgram } from '../../support/command.ts';
import { projectFolder, without } from '../service.ts';

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
  run(words: readonly string[]): Promise<Ran>;
  /** Starts a program with its arguments, in the folder `/srv/colophon` of this Debian. It is killed after the test. */
  start(words: readonly string[], env?: Record<string, string>): RunningCommand;
}

/** Why such a system cannot be made here, or false. */
export const withoutDebian: string | false =
  process.getuid?.() === 0 ? without('debootstrap', 'unshare', 'chroot') : 'not run: needs root';

/**
 * Installs Debian with these packages in a folder that is removed after the test. Skips the test and returns null if debootstrap
 * fails, for any reason.
 */
export async function minimalDebian(t: TestContext, packages: readonly string[] = []): Promise<Debian | null> {
  const name = ['debian', suite, process.arch, ...packages].join('-');
  const made = join(projectFolder, 'node_modules/.cache/faults', name);
  if (!existsSync(made)) {
    const unfinished = `${made}.${process.pid}`;
    try {
      await mkdir(dirname(made), { recursive: true });
      const wanted = packages.length > 0 ? [`--include=${packages.join(',')}`] : [];
      const words = ['--variant=minbase', ...wanted, suite, unfinished, mirror];
      await run('debootstrap', words, { maxBuffer: 2 ** 26 });
      await rm(join(unfinished, 'var/cache/apt/archives'), { recursive: true });
      await rename(unfinished, made);
    } catch {
      await rm(unfinished, { recursive: true, force: true });
      t.skip(`not run: debootstrap could not make a Debian from ${mirror}`);
      return null;
    }
  }
  const root = await mkdtemp(join(tmpdir(), 'colophon-debian-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  await run('cp', ['-a', `${made}/.`, root]);
  await cp('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true });
  const stored = npmCache();
  for (const folder of [stored, join(root, 'root/.npm/_cacache'), join(root, 'srv/colophon')]) {
    await mkdir(folder, { recursive: true });
  }
  return systemAt(t, root, stored);
}

/** Returns the path of the folder in which npm caches packages. */
export const npmCache = (): string => join(getSetting('cache'), '_cacache');

const getSetting = (name: string): string =>
  spawnSync('npm', ['config', 'get', name], { encoding: 'utf8', cwd: projectFolder }).stdout.trim();

/**
 * Returns the Debian in the folder `root`; `stored` is the path of the npm cache that its programs use. They have mounts that
 * nobody else sees, and lead a group of processes.
 */
function systemAt(t: TestContext, root: string, stored: string): Debian {
  const inside = (words: readonly string[], env: Record<string, string>): RunningCommand => {
    const settings = Object.entries({ PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', ...env });
    const environment = ['env', '-i', '-C', '/srv/colophon', ...settings.map((pair) => pair.join('='))];
    // The cache of npm is not copied: it may be gigabytes. The mounts end with the program, which each of these becomes in turn.
    const mounts =
      'mount -t proc proc "$2/proc" && mount --bind "$1" "$2/root/.npm/_cacache" && shift && exec chroot "$@"';
    const before = ['--mount', 'sh', '-c', mounts, 'sh', stored, root];
    return startProgram('unshare', [...before, ...environment, ...words], { detached: true });
  };
  const start = (words: readonly string[], env: Record<string, string> = {}): RunningCommand => {
    const running = inside(words, env);
    t.after(async () => {
      const { pid, exitCode, signalCode } = running.child;
      if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
      await running.ended;
    });
    return running;
  };
  return {
    root,
    start,
    async run(words) {
      const running = start(words);
      const code = await running.ended;
      return { code, out: running.out(), error: running.error() };
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
  const trusted = getSetting('cafile');
  if (existsSync(trusted)) await writeFile(join(root, 'etc/npm-ca.pem'), readFileSync(trusted));
  const settings = [
    'prefer-offline=true',
    'audit=false',
    'fund=false',
    'update-notifier=false',
    `registry=${getSetting('registry')}`,
  ];
  if (existsSync(trusted)) settings.push('cafile=/etc/npm-ca.pem');
  await writeFile(join(root, 'root/.npmrc'), `${settings.join('\n')}\n`);
}
