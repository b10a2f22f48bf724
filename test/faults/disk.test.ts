/** The server with a full or read-only disk or a damaged database, and backups that are taken during writes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { ApiError } from '../../src/base/api-error.ts';
import { StoreUnusable } from '../../src/store/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { runColophon } from '../support/command.ts';
import { createBearerHeaders, createToken, issueToken, isTokenValid, registerClient } from '../support/oauth.ts';
import { createJsonPost } from '../support/server.ts';
import { createTemporaryFolder, getSkipReason, isShort, startService } from './service.ts';

const checkIntegrity = (file: string): unknown => {
  const database = new DatabaseSync(file, { readOnly: true });
  const result = database.prepare('PRAGMA integrity_check').get()?.integrity_check;
  database.close();
  return result;
};

it('a server whose files cannot grow serves reads, returns 503 for writes, and recovers once they can grow', {
  skip: getSkipReason('prlimit'),
}, async (t) => {
  const service = await startService(t);
  const client = await registerClient(service);
  const token = await issueToken(service, client);
  const setFileSizeLimit = (bytes: string) =>
    assert.equal(spawnSync('prlimit', ['--pid', String(service.pid), `--fsize=${bytes}`]).status, 0);
  setFileSizeLimit('4096:unlimited');
  let refusals = 0;
  for (let count = 0; count < 200; count += 1) {
    const { status, json, headers } = await service.request('/oauth/register', createJsonPost({ scope: 'read:docs' }));
    if (status === 201) continue;
    refusals += 1;
    assert.deepEqual([status, json.code, json.error], [503, 'upstream_unavailable', 'temporarily_unavailable']);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  }
  assert.ok(refusals > 150, `${refusals} of 200 writes were refused`);
  for (const path of ['/api/v1/releases/latest', '/docs/quickstart', '/api/v1/search?q=dictation'])
    assert.equal((await service.request(path)).status, 200, path);
  assert.ok(await isTokenValid(service, token), 'a token that was issued before is valid');
  setFileSizeLimit('unlimited');
  const newClient = await registerClient(service);
  assert.ok(await isTokenValid(service, await issueToken(service, newClient)));
  service.child.kill('SIGTERM');
  assert.equal(await service.exitCode, 0);
  assert.equal(checkIntegrity(join(service.dataDir, 'colophon.sqlite')), 'ok');
  t.diagnostic(
    `${refusals} of 200 writes refused with 503 while no file could grow, reads 200, writes again at once afterwards`,
  );
});

const mountSkipReason =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'not run: needs root on Linux, to mount a small disk'
    : false;

it('a full disk stops only writes, and a start on a read-only disk fails with the reason', {
  skip: mountSkipReason,
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
  const token = await createToken(service);
  let registrations = 0;
  for (let status = 201; status === 201; registrations += 1) {
    const response = await service.request(
      '/oauth/register',
      createJsonPost({ client_name: 'x'.repeat(150), contacts: Array(10).fill('y'.repeat(200)) }),
    );
    ({ status } = response);
    assert.ok(status === 201 || status === 503, response.text);
  }
  assert.ok(await isTokenValid(service, token));
  assert.equal((await service.request('/api/v1/docs')).status, 200);
  assert.equal(spawnSync('mount', ['-o', 'remount,size=8m', folder]).status, 0);
  const client = await registerClient(service);
  assert.equal(
    spawnSync('mount', ['-o', 'remount,ro', folder]).status === 0,
    false,
    'files that are open for writing forbid it',
  );
  await issueToken(service, client);
  service.child.kill('SIGTERM');
  assert.equal(await service.exitCode, 0);
  assert.equal(checkIntegrity(join(folder, 'colophon.sqlite')), 'ok');
  assert.equal(spawnSync('mount', ['-o', 'remount,ro', folder]).status, 0);
  const restart = await runColophon(['serve'], { env: { DATA_DIR: folder } });
  assert.ok(restart.code === 1 || restart.code === 78, String(restart.code));
  assert.match(restart.stderr, /read-?only|writable/i);
  assert.doesNotMatch(restart.stderr, /^\s+at /m);
  assert.ok(registrations > 20);
  t.diagnostic(
    `a disk of 1 MB took ${registrations - 1} registrations, then 503; started on a read-only one it ends with ${restart.code} and says why`,
  );
});

it('a disk that turns read-only stops only writes, and leaves the database intact', {
  skip: mountSkipReason || getSkipReason('mkfs.ext4', 'findmnt'),
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-disk-'));
  const [image, disk] = [join(folder, 'image'), join(folder, 'disk')];
  t.after(async () => {
    spawnSync('umount', ['-l', disk]);
    await rm(folder, { recursive: true });
  });
  await writeFile(image, Buffer.alloc(8_000_000));
  await mkdir(disk);
  spawnSync('mkfs.ext4', ['-q', '-O', '^has_journal', image]);
  if (spawnSync('mount', ['-o', 'loop,errors=remount-ro', image, disk]).status !== 0) {
    t.skip('not run: mounting is not allowed here');
    return;
  }
  const service = await startService(t, { DATA_DIR: disk });
  const token = await createToken(service);
  const device = spawnSync('findmnt', ['--noheadings', '--output', 'SOURCE', disk], { encoding: 'utf8' }).stdout.trim();
  await writeFile(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, '1');
  await assert.rejects(writeFile(join(disk, 'file'), ''), { code: 'EROFS' });
  for (let count = 0; count < 20; count += 1) {
    const { status, json, headers } = await service.request('/oauth/register', createJsonPost({ scope: 'read:docs' }));
    assert.deepEqual([status, json.code], [503, 'upstream_unavailable']);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  }
  assert.ok(await isTokenValid(service, token));
  for (const path of ['/api/v1/releases/latest', '/docs/quickstart', '/api/v1/search?q=dictation'])
    assert.equal((await service.request(path)).status, 200, path);
  service.child.kill('SIGTERM');
  assert.equal(await service.exitCode, 0);
  assert.equal(spawnSync('umount', [disk]).status, 0);
  assert.equal(spawnSync('mount', ['-o', 'loop', image, disk]).status, 0);
  const restarted = await startService(t, { DATA_DIR: disk });
  assert.ok(await isTokenValid(restarted, token));
  assert.equal(checkIntegrity(join(disk, 'colophon.sqlite')), 'ok');
});

it('a damaged database is refused with the advice to restore a backup, or read without a crash', async (t) => {
  const folder = await createTemporaryFolder(t);
  const store = await openSqliteStore({ directory: folder, now: 0 });
  await store.close();
  const service = await startService(t, { DATA_DIR: folder });
  const clients = await Promise.all(Array.from({ length: 20 }, () => registerClient(service)));
  service.child.kill('SIGTERM');
  await service.exitCode;
  const file = join(folder, 'colophon.sqlite');
  const validBytes = await readFile(file);
  const rounds = isShort ? 100 : 600;
  let refusals = 0;
  let state = 12345;
  const pickNumber = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state % below;
  };
  for (let round = 0; round < rounds; round += 1) {
    const bytes = Buffer.from(validBytes);
    const flips = round % 3 === 0 ? 1 : 50;
    for (let flip = 0; flip < flips; flip += 1) {
      const offset = pickNumber(round % 2 === 0 ? bytes.length : 4096);
      bytes.writeUInt8(bytes.readUInt8(offset) ^ (1 << pickNumber(8)), offset);
    }
    await writeFile(file, bytes);
    try {
      const damagedStore = await openSqliteStore({ directory: folder, now: 0 });
      try {
        for (const { id } of clients) await damagedStore.findClient(id);
        await damagedStore.sweep(1, 100);
      } catch (error) {
        // A record whose text is no longer JSON causes a SyntaxError, and a damaged page an error of SQLite.
        assert.ok(error instanceof ApiError || error instanceof Error, String(error));
      }
      await damagedStore.close();
    } catch (error) {
      assert.ok(error instanceof StoreUnusable, `round ${round}: ${String(error)}`);
      refusals += 1;
    }
  }
  await writeFile(file, validBytes.fill(0xff, 8192, 16_384));
  const restart = await runColophon(['serve'], { env: { DATA_DIR: folder } });
  assert.ok(restart.code === 1 || restart.code === 78);
  assert.match(restart.stderr, /damaged.*[Rr]estore it from a backup/s);
  assert.ok(refusals > rounds / 4, `${refusals} of ${rounds}`);
  t.diagnostic(`${rounds} files with 1 or 50 changed bits: ${refusals} refused at start, the others read, no crash`);
});

it('colophon serve refuses a data folder without write permission, and the error names the cause', {
  skip: process.platform === 'win32' && 'not run: needs file modes',
}, async (t) => {
  const folder = await createTemporaryFolder(t);
  if (process.getuid?.() === 0) {
    t.skip('not run: root may write everywhere');
    return;
  }
  await chmod(folder, 0o500);
  const { code, stderr } = await runColophon(['serve'], { env: { DATA_DIR: folder } });
  assert.ok(code === 1 || code === 78);
  assert.match(stderr, /writable|permission/i);
});

it('a backup that is taken during writes contains all that was acknowledged before, and can be restored', async (t) => {
  const service = await startService(t);
  const issuedTokens: { token: string; issuedAt: number }[] = [];
  let isWriting = true;
  const writers = Array.from({ length: 4 }, async () => {
    while (isWriting) {
      const token = await createToken(service);
      issuedTokens.push({ token, issuedAt: performance.now() });
    }
  });
  const folder = await createTemporaryFolder(t);
  const backups: { file: string; startedAt: number }[] = [];
  for (let count = 0; count < 5; count += 1) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const file = join(folder, `backup-${count}`);
    const startedAt = performance.now();
    const { code, stderr } = await runColophon(['backup', file], { env: { DATA_DIR: service.dataDir } });
    assert.equal(code, 0, stderr);
    backups.push({ file, startedAt });
  }
  isWriting = false;
  await Promise.all(writers);
  service.child.kill('SIGTERM');
  await service.exitCode;
  for (const [index, { file, startedAt }] of backups.entries()) {
    assert.equal(checkIntegrity(file), 'ok');
    const restored = join(folder, `restored-${index}`);
    const { code, stderr } = await runColophon(['restore', file], { env: { DATA_DIR: restored } });
    assert.equal(code, 0, stderr);
    const copy = await startService(t, { DATA_DIR: restored });
    for (const { token } of issuedTokens.filter(({ issuedAt }) => issuedAt < startedAt)) {
      const { status } = await copy.request('/agent/auth', { headers: createBearerHeaders(token) });
      assert.equal(status, 200, `backup ${index}`);
    }
    copy.child.kill('SIGKILL');
    await copy.exitCode;
  }
  const checkedCount = issuedTokens.filter(({ issuedAt }) => issuedAt < (backups.at(-1)?.startedAt ?? 0)).length;
  t.diagnostic(
    `5 backups while 4 clients wrote, ${issuedTokens.length} tokens issued, all ${checkedCount} of before the last one valid on its copy`,
  );
});
