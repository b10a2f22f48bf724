/** Tests that only the user of the server can read the files of the server and its commands, whatever the mode of the folder. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { runColophon } from '../support/command.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { registerClient } from '../support/oauth.ts';
import { startOneServer, startTestServer } from '../support/server.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const skip = process.platform === 'win32' && 'not run: Windows has no such modes';

/** Creates a folder that every user may read. Sets the umask to 0, so that a file is open to every user unless its mode is set. */
function createOpenFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-open-'));
  chmodSync(folder, 0o755);
  const umask = process.umask(0);
  t.after(() => {
    process.umask(umask);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/**
 * Returns the modes of the folders and files below a folder as octal texts, such as `600`, by their relative paths, in which HASH
 * replaces a hash.
 */
function readModes(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => [name.replace(/[0-9a-f]{64}/, 'HASH'), (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
}

describe('DATA_DIR: the files and their permissions', { skip }, () => {
  it('the files have mode 0600, also in a folder that is open to other users', async (t) => {
    const dataDir = createOpenFolder(t);
    const store = await openSqliteStore({ directory: dataDir, now: start });
    await store.close();
    // `firstServer` is the server in this process, whose files are in `dataDir`.
    const { firstServer: server } = await startTestServer({ dataDir, clock: createManualClock(start) });
    t.after(() => server.close());
    await registerClient(server);
    const modes = readModes(dataDir);
    if (process.env.TEST_POSTGRES === undefined) {
      assert.deepEqual(modes, {
        'colophon.lock': '600',
        'colophon.lock-journal': '600',
        'colophon.sqlite': '600',
        'colophon.sqlite-shm': '600',
        'colophon.sqlite-wal': '600',
        feed: '700',
        'feed/feed-HASH': '600',
        'secret-key': '600',
      });
    }
    assert.equal((statSync(dataDir).mode & 0o777).toString(8), '755', 'the folder itself is the operator’s');
  });

  it('a start sets the mode of existing database files to 0600', async (t) => {
    const dataDir = createOpenFolder(t);
    const first = await openSqliteStore({ directory: dataDir, now: start });
    await first.close();
    for (const name of ['colophon.sqlite', 'colophon.lock']) chmodSync(join(dataDir, name), 0o644);
    for (const name of ['colophon.sqlite-wal', 'colophon.sqlite-shm'])
      writeFileSync(join(dataDir, name), '', { mode: 0o666 });
    const store = await openSqliteStore({ directory: dataDir, now: start });
    t.after(() => store.close());
    for (const [name, mode] of Object.entries(readModes(dataDir))) assert.equal(mode, '600', name);
  });

  it('a start with an empty colophon.sqlite fails, and a start without the file succeeds', async (t) => {
    const dataDir = createOpenFolder(t);
    const startAndClose = async (env = {}) => (await startOneServer({ dataDir, env })).close();
    await startAndClose();
    writeFileSync(join(dataDir, 'colophon.sqlite'), '');
    await assert.rejects(startAndClose(), /colophon\.sqlite is damaged \(it is empty\)\. Restore it from a backup/);
    rmSync(join(dataDir, 'colophon.sqlite'));
    await startAndClose();
  });

  it('colophon backup and colophon restore write files with mode 0600', async (t) => {
    const folder = createOpenFolder(t);
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir, { mode: 0o755 });
    const env = { DATA_DIR: dataDir };
    await (await openSqliteStore({ directory: dataDir, now: start })).close();
    const backupFile = join(folder, 'backup.sqlite');
    assert.equal((await runColophon(['backup', backupFile], { env })).code, 0);
    assert.equal(readModes(folder)['backup.sqlite'], '600');
    chmodSync(backupFile, 0o644);
    chmodSync(join(dataDir, 'colophon.sqlite'), 0o644);
    assert.equal((await runColophon(['restore', backupFile], { env })).code, 0);
    const names = Object.entries(readModes(dataDir)).filter(([name]) => !name.endsWith('.lock'));
    assert.equal(names.length, 2);
    for (const [name, mode] of names) assert.equal(mode, '600', name);
    assert.equal((await runColophon(['clients', 'list'], { env })).code, 0);
  });

  it('serve --check warns of a data folder that is open to other users', async (t) => {
    const dataDir = createOpenFolder(t);
    const runCheck = async (): Promise<string> =>
      (await runColophon(['serve', '--check'], { env: { DATA_DIR: dataDir } })).stdout;
    for (const mode of [0o755, 0o750, 0o701]) {
      chmodSync(dataDir, mode);
      assert.ok(
        (await runCheck()).includes(`data: ${dataDir} is open to other users\n        chmod 700 ${dataDir}\n`),
        String(mode),
      );
    }
    chmodSync(dataDir, 0o700);
    assert.ok((await runCheck()).includes(`${dataDir} is writable`));
  });
});
