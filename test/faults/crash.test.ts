/** A server that is killed right after an acknowledged write, or while it creates its schema: the next start must lose nothing. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { crashRounds } from '../server/crash-rounds.ts';
import { createTemporaryFolder, isShort } from './service.ts';

it('a server that is killed right after each acknowledged write loses no data and restores no revoked credential', async (t) => {
  const rounds = isShort ? 20 : 200;
  const { acknowledged, lost, resurrected } = await crashRounds({ rounds, dataDir: await createTemporaryFolder(t) });
  assert.deepEqual([acknowledged, lost, resurrected], [rounds, [], []]);
  t.diagnostic(`${rounds} crashes, ${acknowledged} facts acknowledged, 0 lost, 0 brought back`);
});

it('a first start that is killed while it creates the schema is completed by the next start', async (t) => {
  const folder = await createTemporaryFolder(t);
  const script = `const { openSqliteStore } = await import(${JSON.stringify(new URL('../../src/store/sqlite/store.ts', import.meta.url).href)});
    console.log('begins');
    await openSqliteStore({ directory: process.argv[1], now: 0 });
    console.log('done');
    setInterval(() => {}, 1000);`;
  const rounds = isShort ? 10 : 50;
  let interrupted = 0;
  for (let round = 0; round < rounds; round += 1) {
    const directory = join(folder, `data-${round}`);
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await once(child.stdout, 'data');
    const timer = setTimeout(() => child.kill('SIGKILL'), (round / rounds) * 40);
    child.stdout.on('data', () => {
      if (output.includes('done')) child.kill('SIGKILL');
    });
    await once(child, 'close');
    clearTimeout(timer);
    if (!output.includes('done')) interrupted += 1;
    const store = await openSqliteStore({ directory, now: 0 });
    assert.equal(await store.findClient('cl_none'), undefined);
    await store.close();
    const database = new DatabaseSync(join(directory, 'colophon.sqlite'));
    assert.equal(database.prepare('SELECT count(*) AS n FROM schema_migrations').get()?.n, 1);
    assert.equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
    database.close();
  }
  assert.ok(interrupted >= rounds / 5, `only ${interrupted} of ${rounds} were killed before the schema was complete`);
  t.diagnostic(`${rounds} rounds, ${interrupted} killed before the schema was complete, every next start complete`);
});
