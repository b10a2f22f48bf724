/** Tests the SQLite store: the common contract, and the rules of a file that only one process may open. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { ApiError } from '../../src/base/api-error.ts';
import { StoreUnusable } from '../../src/store/database.ts';
import { createMemoryIdempotency } from '../../src/store/idempotency.ts';
import { readSchema, SchemaUnusable } from '../../src/store/schema.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { dataRoot } from '../support/data-root.ts';
import { idempotencyContract, storeContract } from './contract.ts';
import { newClient, newHash, newJob, newToken, start } from './samples.ts';

const root = mkdtempSync(path.join(dataRoot, 'colophon-store-'));
after(() => rmSync(root, { recursive: true, force: true }));

let counter = 0;
function newDirectory(): string {
  counter += 1;
  return path.join(root, `data-${counter}`);
}

storeContract('SQLite', async () => {
  const directory = newDirectory();
  let store = await openSqliteStore({ directory, now: start });
  return {
    store,
    close: () => store.close(),
    async reopen() {
      await store.close();
      store = await openSqliteStore({ directory, now: start });
      return store;
    },
  };
});

describe('createMemoryIdempotency', () => {
  const table = createMemoryIdempotency();
  idempotencyContract(() => table);

  it('the oldest key is evicted when the table has its maximum size', async () => {
    const small = createMemoryIdempotency(2);
    const [firstKey, secondKey, thirdKey, body] = [newHash(), newHash(), newHash(), newHash()];
    for (const key of [firstKey, secondKey, thirdKey]) await small.claimIdempotency(key, body, start);
    assert.equal((await small.claimIdempotency(thirdKey, body, start)).outcome, 'replay');
    assert.equal((await small.claimIdempotency(secondKey, body, start)).outcome, 'replay');
    assert.equal((await small.claimIdempotency(firstKey, body, start)).outcome, 'new');
  });
});

describe('openSqliteStore, colophon.sqlite in DATA_DIR: upstream_unavailable', () => {
  it('the file cannot be opened twice, in this process or in another, until the store is closed', async () => {
    const directory = newDirectory();
    const store = await openSqliteStore({ directory, now: start });
    await assert.rejects(openSqliteStore({ directory, now: start }), isRefusal(/another process is using/i));
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', createOpenScript(directory)], {
      encoding: 'utf8',
    });
    assert.match(child.stdout, /StoreUnusable: Another process is using the data folder/);
    await store.close();
    await (await openSqliteStore({ directory, now: start })).close();
  });

  it('the file can be opened at once after kill -9, and contains every acknowledged write', async () => {
    const directory = newDirectory();
    const client = newClient({ secretHash: null });
    const script = `${createOpenScript(directory)}
      await store.createClient({ ...${JSON.stringify({ ...client, registrationTokenHash: null })},
        registrationTokenHash: new Uint8Array(32) });
      await store.createJob(${JSON.stringify(newJob(client.id))});
      await store.claimJob(${start}, 30_000);
      console.log('acknowledged');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const store = await openSqliteStore({ directory, now: start });
    assert.equal((await store.findClient(client.id))?.name, client.name);
    const job = await store.claimJob(start + 1, 30_000);
    assert.deepEqual([job?.clientId, job?.attempts], [client.id, 2], 'the dead process holds no lease');
    await store.close();
  });

  it('a damaged file is refused, and the error advises restoring a backup', async () => {
    for (const damage of ['not a database', 'overwritten']) {
      const directory = newDirectory();
      const file = path.join(directory, 'colophon.sqlite');
      mkdirSync(directory);
      if (damage === 'overwritten') {
        await (await openSqliteStore({ directory, now: start })).close();
        const page = 4096;
        const content = readFileSync(file);
        writeFileSync(file, content.fill(0xff, 2 * page, 4 * page));
      } else writeFileSync(file, 'this is not a database, whatever its name says. '.repeat(100));
      await assert.rejects(openSqliteStore({ directory, now: start }), isRefusal(/damaged.*restore it from a backup/i));
    }
  });

  it('a file that a newer release wrote is refused', async () => {
    const directory = newDirectory();
    await (await openSqliteStore({ directory, now: start })).close();
    changeDatabase(directory, "INSERT INTO schema_migrations VALUES (2, 'checksum', 0)");
    await assert.rejects(
      openSqliteStore({ directory, now: start }),
      isRefusal(
        /^The database has schema version 2; this release knows versions up to 1\. Start the newer release, or restore a backup from before the upgrade\.$/,
      ),
    );
  });

  it('a file that an unreleased version wrote is refused', async () => {
    const directory = newDirectory();
    await (await openSqliteStore({ directory, now: start })).close();
    changeDatabase(directory, "UPDATE schema_migrations SET checksum = 'another'");
    await assert.rejects(openSqliteStore({ directory, now: start }), (error) => {
      assert.ok(error instanceof SchemaUnusable);
      return isRefusal(
        /^This database was made by an unreleased version of Colophon \(before 0\.1\.0\)\. Move colophon\.sqlite out of DATA_DIR/,
      )(error);
    });
  });

  it('a file in which the schema cannot be created stays unchanged', async () => {
    const directory = newDirectory();
    mkdirSync(directory);
    changeDatabase(directory, 'CREATE TABLE jobs (id INTEGER) STRICT');
    await assert.rejects(
      openSqliteStore({ directory, now: start }),
      isRefusal(/cannot be opened \(table jobs already exists\)/),
    );
    const database = new DatabaseSync(path.join(directory, 'colophon.sqlite'));
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    database.close();
    assert.deepEqual(
      tables.map(({ name }) => name),
      ['jobs'],
    );
  });

  it('the table schema_migrations records the version and the checksum of the schema', async () => {
    const directory = newDirectory();
    await (await openSqliteStore({ directory, now: start })).close();
    const database = new DatabaseSync(path.join(directory, 'colophon.sqlite'));
    const rows = database.prepare('SELECT version, checksum, applied_at FROM schema_migrations').all();
    database.close();
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      readSchema('sqlite').map(({ version, checksum }) => ({ version, checksum, applied_at: start })),
    );
  });

  it('a write to a full disk rejects with upstream_unavailable, and reads still work', {
    skip: process.platform === 'win32' && 'not run: Windows has no ulimit',
  }, () => {
    const script = `${createOpenScript(newDirectory())}
      const token = { clientId: 'cl_full', epoch: 1, scopes: [], identityType: 'anonymous', issuedAt: 0, expiresAt: 9 };
      const fields = ${JSON.stringify({ ...newClient({ id: 'cl_full' }), secretHash: null, registrationTokenHash: null })};
      await store.createClient({ ...fields, registrationTokenHash: new Uint8Array(32) });
      const bytes = new Uint8Array(300_000);
      await store.createJob({ id: 'job_1', clientId: 'cl_full', resource: 'docs', format: 'json', createdAt: 0 });
      await store.claimJob(0, 1000);
      const artifact = { hash: new Uint8Array(32), mediaType: 'application/json', bytes };
      const error = await store.completeJob('job_1', 1, artifact, 'r', 0).catch((error) => error);
      console.log(error.code, error.status, error.options?.retryAfter, (await store.findJob('job_1', 0)).status);`;
    const command = 'ulimit -f 400; exec "$0" --input-type=module -e "$1"';
    const result = spawnSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' });
    assert.equal(result.stdout, 'upstream_unavailable 503 5 running\n', result.stderr);
  });

  it('a closed store rejects with upstream_unavailable, and may be closed again', async () => {
    const store = await openSqliteStore({ directory: newDirectory(), now: start });
    await store.close();
    await store.close();
    await assert.rejects(async () => store.findToken(newHash(), start), isUnavailable);
    await assert.rejects(store.issueToken(newToken('cl_none')), isUnavailable);
  });

  it('a data folder that cannot be created is refused, and the error advises checking DATA_DIR', async () => {
    const file = path.join(root, 'a-file');
    writeFileSync(file, '');
    const directory = path.join(file, 'data');
    await assert.rejects(
      openSqliteStore({ directory, now: start }),
      isRefusal(/cannot be opened.*Check that DATA_DIR/),
    );
  });

  it('a secret hash that is not 32 bytes long is refused', async () => {
    const store = await openSqliteStore({ directory: newDirectory(), now: start });
    const short = new Uint8Array(31);
    await assert.rejects(store.createClient(newClient({ secretHash: short })), /CHECK constraint/);
    await store.close();
  });
});

function createOpenScript(directory: string): string {
  const module = new URL('../../src/store/sqlite/store.ts', import.meta.url).href;
  return `
    const { openSqliteStore } = await import(${JSON.stringify(module)});
    const store = await openSqliteStore({ directory: ${JSON.stringify(directory)}, now: ${start} }).catch((error) => {
      console.log(String(error));
      process.exit();
    });`;
}

/** Runs statements on the database in a data folder, which no store has open. */
function changeDatabase(directory: string, sql: string): void {
  const database = new DatabaseSync(path.join(directory, 'colophon.sqlite'));
  database.exec(sql);
  database.close();
}

const isRefusal = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StoreUnusable);
  assert.match(error.message, message);
  return true;
};

const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.code === 'upstream_unavailable';
