/** The disk is full, the data folder read-only, the database damaged; and a backup is taken while it is written. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { ApiError } from '../../src/base/api-error.ts';
import { StoreUnusable } from '../../src/store/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { colophon } from '../support/command.ts';
import { bearer, issueToken, isValid, newToken, registerClient } from '../support/oauth.ts';
import { json as post } from '../support/server.ts';
import { isShort, startService, temporaryFolder, without } from './service.ts';

const sound = (file: string): unknown => {
  const database = new DatabaseSync(file, { readOnly: true });
  const verdict = database.prepare('PRAGMA integrity_check').get()?.integrity_check;
  database.close();
  return verdict;
};

it('a server whose files cannot grow serves reads, returns 503 for writes, and recovers once they can grow', {
  skip: without('prlimit'),
}, async (t) => {
  const service = await startService(t);
  const client = await registerClient(service);
  const token = await issueToken(service, client);
  const limit = (bytes: string) =>
    assert.equal(spawnSync('prlimit', ['--pid', String(service.pid), `--fsize=${bytes}`]).status, 0);
  limit('4096:unlimited');
  let refused = 0;
  for (let count = 0; count < 200; count += 1) {
    const { status, json, headers } = await service.ask('/oauth/register', post({ scope: 'read:docs' }));
    if (status === 201) continue;
    refused += 1;
    assert.deepEqual([status, json.code, json.error], [503, 'upstream_unavailable', 'temporarily_unavailable']);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  }
  assert.ok(refused > 150, `${refused} of 200 writes were refused`);
  for (const path of ['/api/v1/releases/latest', '/docs/quickstart', '/api/v1/search?q=dictation'])
    assert.equal((await service.ask(path)).status, 200, path);
  assert.ok(await isValid(service, token), 'what was written before can be read');
  limit('unlimited');
  const recovered = await registerClient(service);
  assert.ok(await isValid(service, await issueToken(service, recovered)));
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);
  assert.equal(sound(join(service.dataDir, 'colophon.sqlite')), 'ok');
  t.diagnostic(
    `${refused} of 200 writes refused with 503 while no file could grow, reads 200, writes again at once afterwards`,
  );
});

it('a full disk stops only writes, and a start on a read-only disk fails with the reason', {
  skip:
    process.platform !== 'linux' || process.getuid?.() !== 0
      ? 'not run: needs root on Linux, to mount a small disk'
      : false,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-disk-'));
  t.after(async () => {
    spawnSync('umount', ['-l', folder]);
    await rmdir(folder);
  });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'colophon-test', folder]).status !== 0) {
    t.skip('not run: mounting is not allowed here');
    return;
  }
  const service = await startService(t, { DATA_DIR: folder });
  const token = await newToken(service);
  let written = 0;
  for (let status = 201; status === 201; written += 1) {
    const registered = await service.ask(
      '/oauth/register',
      post({ client_name: 'x'.repeat(150), contacts: Array(10).fill('y'.repeat(200)) }),
    );
    ({ status } = registered);
    assert.ok(status === 201 || status === 503, registered.text);
  }
  assert.ok(await isValid(service, token));
  assert.equal((await service.ask('/api/v1/docs')).status, 200);
  assert.equal(spawnSync('mount', ['-o', 'remount,size=8m', folder]).status, 0);
  const client = await registerClient(service);
  assert.equal(
    spawnSync('mount', ['-o', 'remount,ro', folder]).status === 0,
    false,
    'files that are open for writing forbid it',
  );
  await issueToken(service, client);
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);
  assert.equal(sound(join(folder, 'colophon.sqlite')), 'ok');
  assert.equal(spawnSync('mount', ['-o', 'remount,ro', folder]).status, 0);
  const again = await colophon(['serve'], { env: { DATA_DIR: folder } });
  assert.ok(again.code === 1 || again.code === 78, String(again.code));
  assert.match(again.error, /read-?only|writable/i);
  assert.doesNotMatch(again.error, /^\s+at /m);
  assert.ok(written > 20);
  t.diagnostic(
    `a disk of 1 MB took ${written - 1} registrations, then 503; started on a read-only one it ends with ${again.code} and says why`,
  );
});

it('a damaged database is refused with the advice to restore a backup, or read without a crash', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await openSqliteStore({ directory: folder, now: 0 });
  await store.close();
  const service = await startService(t, { DATA_DIR: folder });
  const clients = await Promise.all(Array.from({ length: 20 }, () => registerClient(service)));
  service.child.kill('SIGTERM');
  await service.ended;
  const file = join(folder, 'colophon.sqlite');
  const good = await readFile(file);
  const rounds = isShort ? 100 : 600;
  let refused = 0;
  let random = 12345;
  const next = (below: number): number => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return random % below;
  };
  for (let round = 0; round < rounds; round += 1) {
    const bytes = Buffer.from(good);
    const flips = round % 3 === 0 ? 1 : 50;
    for (let flip = 0; flip < flips; flip += 1) {
      const at = next(round % 2 === 0 ? bytes.length : 4096);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << next(8)), at);
    }
    await writeFile(file, bytes);
    try {
      const opened = await openSqliteStore({ directory: folder, now: 0 });
      try {
        for (const { id } of clients) await opened.findClient(id);
        await opened.sweep(1, 100);
      } catch (error) {
        // A text that is no JSON any more, or a database error met while reading.
        assert.ok(error instanceof ApiError || error instanceof Error, String(error));
      }
      await opened.close();
    } catch (error) {
      assert.ok(error instanceof StoreUnusable, `round ${round}: ${String(error)}`);
      refused += 1;
    }
  }
  await writeFile(file, good.fill(0xff, 8192, 16_384));
  const started = await colophon(['serve'], { env: { DATA_DIR: folder } });
  assert.ok(started.code === 1 || started.code === 78);
  assert.match(started.error, /damaged.*[Rr]estore it from a backup/s);
  assert.ok(refused > rounds / 4, `${refused} of ${rounds}`);
  t.diagnostic(`${rounds} files with 1 or 50 changed bits: ${refused} refused at start, the others read, no crash`);
});

it('colophon serve refuses a data folder without write permission, and the error names the cause', {
  skip: process.platform === 'win32' && 'not run: needs file modes',
}, async (t) => {
  const folder = await temporaryFolder(t);
  if (process.getuid?.() === 0) {
    t.skip('not run: root may write everywhere');
    return;
  }
  await chmod(folder, 0o500);
  const { code, error } = await colophon(['serve'], { env: { DATA_DIR: folder } });
  assert.ok(code === 1 || code === 78);
  assert.match(error, /writable|permission/i);
});

it('a backup that is taken during writes contains all that was acknowledged before, and can be restored', async (t) => {
  const service = await startService(t);
  const acknowledged: { token: string; at: number }[] = [];
  let writing = true;
  const writers = Array.from({ length: 4 }, async () => {
    while (writing) {
      const token = await newToken(service);
      acknowledged.push({ token, at: performance.now() });
    }
  });
  const folder = await temporaryFolder(t);
  const backups: { file: string; began: number }[] = [];
  for (let count = 0; count < 5; count += 1) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const file = join(folder, `backup-${count}`);
    const began = performance.now();
    const { code, error } = await colophon(['backup', file], { env: { DATA_DIR: service.dataDir } });
    assert.equal(code, 0, error);
    backups.push({ file, began });
  }
  writing = false;
  await Promise.all(writers);
  service.child.kill('SIGTERM');
  await service.ended;
  for (const [index, { file, began }] of backups.entries()) {
    assert.equal(sound(file), 'ok');
    const restored = join(folder, `restored-${index}`);
    const { code, error } = await colophon(['restore', file], { env: { DATA_DIR: restored } });
    assert.equal(code, 0, error);
    const copy = await startService(t, { DATA_DIR: restored });
    for (const { token } of acknowledged.filter(({ at }) => at < began)) {
      const { status } = await copy.ask('/agent/auth', { headers: bearer(token) });
      assert.equal(status, 200, `backup ${index}`);
    }
    copy.child.kill('SIGKILL');
    await copy.ended;
  }
  const kept = acknowledged.filter(({ at }) => at < (backups.at(-1)?.began ?? 0)).length;
  t.diagnostic(
    `5 backups while 4 clients wrote, ${acknowledged.length} tokens issued, all ${kept} of before the last one valid on its copy`,
  );
});
