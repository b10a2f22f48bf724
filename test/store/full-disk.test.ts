/** Tests what /readyz, /metrics and stats report if the disk of the store is full, on a small disk that the test fills. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chown, mkdtemp, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { registerClient } from '../support/oauth.ts';
import { createPostgres } from '../support/postgres.ts';
import { createJsonPost, startTestServer } from '../support/server.ts';
import { newClient } from './samples.ts';

const skip =
  (process.platform !== 'linux' || process.getuid?.() !== 0) && 'not run: needs root on Linux, to mount a disk';

/**
 * Mounts a disk of that many megabytes in memory until the end of the test, and returns its path. Skips the test and returns null
 * where mounting is not allowed.
 */
async function mountDisk(t: TestContext, megabytes: number): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-full-'));
  t.after(async () => {
    spawnSync('umount', ['-l', folder]);
    await rmdir(folder);
  });
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'colophon-test', folder];
  if (spawnSync('mount', options).status === 0) return folder;
  t.skip('not run: mounting is not allowed here');
  return null;
}

/** Fills the disk of a folder with a file in it, and returns a function that removes the file. */
async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const filler = join(folder, 'filler');
  const chunk = Buffer.alloc(4096);
  await assert.rejects(async () => {
    for (;;) await writeFile(filler, chunk, { flag: 'a' });
  }, /ENOSPC/);
  return () => rm(filler);
}

describe('GET /readyz and /metrics with a full disk', { skip }, () => {
  it('the store is not writable from the first refused write until there is space again', async (t) => {
    const folder = await mountDisk(t, 2);
    if (folder === null) return;
    const clock = createManualClock(Date.parse('2026-11-23T12:00:00Z'));
    const server = await startTestServer({ env: { DATA_DIR: folder, ADMIN_PORT: '0' }, clock });
    t.after(() => server.close());
    const readState = async (): Promise<object> => {
      await clock.advance(1000);
      const health: unknown = await (await fetch(`${server.adminUrl}/readyz`)).json();
      const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
      assert.ok(typeof health === 'object' && health !== null && 'store' in health && 'warnings' in health);
      const { store, warnings } = health;
      return { store, warnings, gauge: /^colophon_store_writable (\d)$/m.exec(metrics)?.[1] };
    };
    const writableState = { store: { state: 'up', writable: true }, warnings: [], gauge: '1' };
    await registerClient(server);
    assert.deepEqual(await readState(), writableState);

    const freeDisk = await fillDisk(folder);
    let refusals = 0;
    for (let count = 0; count < 60; count += 1) {
      const { status } = await server.request(
        '/oauth/register',
        createJsonPost({ scope: 'read:docs', client_name: 'x'.repeat(200) }),
      );
      if (status === 503) refusals += 1;
    }
    assert.ok(refusals > 0);
    const fullState = {
      store: { state: 'up', writable: false },
      warnings: [
        'The store cannot be written (database or disk is full): registrations, tokens and exports fail. Free disk space, or point DATABASE_URL at a primary that can be written.',
      ],
      gauge: '0',
    };
    assert.deepEqual(await readState(), fullState);
    assert.deepEqual(await readState(), fullState, 'another look changes nothing');

    await freeDisk();
    assert.deepEqual(await readState(), writableState, 'without another request');
    await registerClient(server);
  });
});

describe('stats of a PostgreSQL store whose disk is full', { skip }, () => {
  it('stats returns the reason as writeProblem until there is space again', async (t) => {
    const folder = await mountDisk(t, 24);
    if (folder === null) return;
    const postgres = createPostgres();
    if (typeof postgres === 'string') {
      t.skip(`not run: PostgreSQL: ${postgres}`);
      return;
    }
    t.after(() => postgres.close());
    const owner = await stat(postgres.directory);
    await chown(folder, owner.uid, owner.gid);
    const url = await postgres.createDatabase();
    await postgres.query(url, `CREATE TABLESPACE small LOCATION '${folder}'`);
    await postgres.query(url, 'CREATE DATABASE full_disk TABLESPACE small');
    const store = await openPostgresStore({
      url: url.replace(/[^/]*$/, 'full_disk'),
      clock: systemClock,
      log: silentLog,
    });
    t.after(() => store.close());
    assert.equal(await store.createClient(newClient()), 'created');
    assert.equal((await store.stats()).writeProblem, null);

    const freeDisk = await fillDisk(folder);
    let refusals = 0;
    for (let count = 0; count < 300; count += 1) {
      const client = newClient({ contacts: ['y'.repeat(2000)] });
      await store.createClient(client).catch(() => {
        refusals += 1;
      });
    }
    assert.ok(refusals > 0);
    assert.match((await store.stats()).writeProblem ?? '', /No space left on device/);
    assert.match((await store.stats()).writeProblem ?? '', /No space left on device/);

    await freeDisk();
    assert.equal((await store.stats()).writeProblem, null);
    assert.equal(await store.createClient(newClient()), 'created');
  });
});
