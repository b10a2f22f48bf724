/** Killed right after an acknowledgement, two hundred times; killed in the middle of a migration, fifty times. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { migrationsDirectory } from '../../src/store/migrate.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { crashRounds } from '../server/crash-rounds.ts';
import { isShort, temporaryFolder } from './service.ts';

it('a server that is killed as soon as it has acknowledged loses nothing and brings nothing back', async (t) => {
  const rounds = isShort ? 20 : 200;
  const { acknowledged, lost, resurrected } = await crashRounds({ rounds, dataDir: await temporaryFolder(t) });
  assert.deepEqual([acknowledged, lost, resurrected], [rounds, [], []]);
  t.diagnostic(`row 1: ${rounds} crashes, ${acknowledged} facts acknowledged, 0 lost, 0 brought back`);
});

it('a migration that is killed is done by the next start, whole', async (t) => {
  const folder = await temporaryFolder(t);
  const migrations = join(folder, 'migrations');
  await mkdir(migrations);
  await copyFile(new URL('0001-initial.sqlite.sql', migrationsDirectory), join(migrations, '0001-initial.sqlite.sql'));
  const last = 12;
  for (let version = 2; version <= last; version += 1) {
    const name = `${String(version).padStart(4, '0')}-step.sqlite.sql`;
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO step${version} SELECT i, hex(randomblob(40)) FROM n`;
    await writeFile(
      join(migrations, name),
      `CREATE TABLE step${version} (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;\n${rows};\n`,
    );
  }
  const url = pathToFileURL(`${migrations}/`);
  const open = `const { openSqliteStore } = await import(${JSON.stringify(new URL('../../src/store/sqlite/store.ts', import.meta.url).href)});
    console.log('begins');
    await openSqliteStore({ directory: process.argv[1], now: 0, migrations: new URL(${JSON.stringify(url.href)}) });
    console.log('done');
    setInterval(() => {}, 1000);`;
  const rounds = isShort ? 10 : 50;
  let halfWay = 0;
  for (let round = 0; round < rounds; round += 1) {
    const directory = join(folder, `data-${round}`);
    const child = spawn(process.execPath, ['--input-type=module', '-e', open, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    await once(child.stdout, 'data');
    const timer = setTimeout(() => child.kill('SIGKILL'), (round / rounds) * 400);
    child.stdout.on('data', () => {
      if (said.includes('done')) child.kill('SIGKILL');
    });
    await once(child, 'close');
    clearTimeout(timer);
    if (!said.includes('done')) halfWay += 1;
    const store = await openSqliteStore({ directory, now: 0, migrations: url });
    await store.close();
    const database = new DatabaseSync(join(directory, 'colophon.sqlite'));
    assert.equal(database.prepare('SELECT count(*) AS n FROM schema_migrations').get()?.n, last);
    for (let version = 2; version <= last; version += 1)
      assert.equal(
        database.prepare(`SELECT count(*) AS n FROM step${version}`).get()?.n,
        20_000,
        `step ${version}, round ${round}`,
      );
    assert.equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
    database.close();
  }
  assert.ok(halfWay >= rounds / 5, `only ${halfWay} of ${rounds} were killed before they were done`);
  t.diagnostic(`row 2: ${rounds} rounds, ${halfWay} killed before the migration was done, every next start complete`);
});
