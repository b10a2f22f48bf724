/** Starts PgBouncer, where it is installed, between a test and its PostgreSQL. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';
import { testPassword } from './postgres.ts';

/** A running PgBouncer in transaction mode. */
export interface TestPgBouncer {
  /** Returns the URL that leads through PgBouncer to the database at `url`. */
  getPooledUrl(url: string): string;
  close(): Promise<void>;
}

/** Why PgBouncer is missing, or null if it is installed. Synchronous, because with a top-level `await` a file may register no test. */
export const pgBouncerSkipReason: string | null =
  spawnSync('pgbouncer', ['--version']).status === 0 ? null : 'pgbouncer is not installed';

/**
 * Starts a PgBouncer in transaction mode with up to `size` connections to each database of the PostgreSQL on `port`. Throws if it
 * does not listen. The caller checks `pgBouncerSkipReason` before.
 */
export async function startPgBouncer(port: number, size = 5): Promise<TestPgBouncer> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-pgbouncer-'));
  const poolerPort = await findFreePort();
  const [settings, users] = [join(directory, 'pgbouncer.ini'), join(directory, 'users')];
  await writeFile(users, `"colophon" "${testPassword}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=127.0.0.1 port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${poolerPort}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 300
`,
  );
  // PgBouncer refuses to run as root, so root starts it as `nobody`, whose ID is 65,534.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (account.uid !== undefined)
    for (const path of [directory, settings, users]) await chown(path, account.uid, account.gid);
  const child = spawn('pgbouncer', ['-q', settings], { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
  let errorOutput = '';
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk;
  });
  await waitUntilListening(poolerPort, child, () => errorOutput);
  return {
    getPooledUrl(url) {
      const pooledUrl = new URL(url);
      pooledUrl.port = String(poolerPort);
      return pooledUrl.href;
    },
    async close() {
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function waitUntilListening(port: number, child: ChildProcess, getErrorOutput: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${getErrorOutput()}`);
    const socket = connect(port, '127.0.0.1');
    const isListening = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isListening) return;
    await pause(25);
  }
  throw new Error(`pgbouncer does not listen: ${getErrorOutput()}`);
}
