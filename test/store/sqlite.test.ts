/** The SQLite store: the common contract, and what only a file with one writer has to do. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ApiError } from '../../src/base/api-error.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { createMemoryIdempotency } from '../../src/store/memory-idempotency.ts';
import { migrationsDirectory, readMigrations } from '../../src/store/migrate.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { StoreUnusable } from '../../src/store/store.ts';
import { idempotencyContract, storeContract } from './contract.ts';
import { newClient, newHash, newJob, newToken, start } from './samples.ts';

const root = mkdtempSync(path.join(tmpdir(), 'colophon-store-'));
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

describe('idempotency keys in memory', () => {
  const table = createMemoryIdempotency();
  idempotencyContract(() => table);

  it('are bounded: the oldest are forgotten first', async () => {
    const small = createMemoryIdempotency(2);
    const [one, two, three, body] = [newHash(), newHash(), newHash(), newHash()];
    for (const key of [one, two, three]) await small.claimIdempotency(key, body, start);
    assert.equal((await small.claimIdempotency(three, body, start)).outcome, 'replay');
    assert.equal((await small.claimIdempotency(two, body, start)).outcome, 'replay');
    assert.equal((await small.claimIdempotency(one, body, start)).outcome, 'new');
  });
});

describe('the SQLite file', () => {
  it('is refused to a second opener, in this process and in another, and free after close', async () => {
    const directory = newDirectory();
    const store = await openSqliteStore({ directory, now: start });
    await assert.rejects(openSqliteStore({ directory, now: start }), refusal(/another process is using/i));
    const other = spawnSync(process.execPath, ['--input-type=module', '-e', opener(directory)], { encoding: 'utf8' });
    assert.match(other.stdout, /StoreUnusable: Another process is using the data folder/);
    await store.close();
    await (await openSqliteStore({ directory, now: start })).close();
  });

  it('is free at once after kill -9, and holds what was acknowledged before it', async () => {
    const directory = newDirectory();
    const client = newClient({ secretHash: null });
    const script = `${opener(directory)}
      await store.createClient({ ...${JSON.stringify({ ...client, registrationTokenHash: null })},
        registrationTokenHash: new Uint8Array(32) });
      await store.createJob(${JSON.stringify(newJob(client.id))});
      await store.claimJob(${start}, 30_000, 3);
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
    const job = await store.claimJob(start + 1, 30_000, 3);
    assert.deepEqual([job?.clientId, job?.attempts], [client.id, 2], 'the dead process holds no lease');
    await store.close();
  });

  it('is refused when it is damaged, with what to do', async () => {
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
      await assert.rejects(openSqliteStore({ directory, now: start }), refusal(/damaged.*restore it from a backup/i));
    }
  });

  const known = readMigrations(migrationsDirectory, 'sqlite').length;
  const next = (name: string, by = 1) => `./${String(known + by).padStart(4, '0')}-${name}.sqlite.sql`;

  it('is refused when a newer release wrote it', async () => {
    const directory = newDirectory();
    const migrations = copyOfMigrations();
    writeFileSync(new URL(next('later'), migrations), 'CREATE TABLE later (id INTEGER) STRICT;');
    await (await openSqliteStore({ directory, now: start, migrations })).close();
    await assert.rejects(
      openSqliteStore({ directory, now: start }),
      refusal(
        new RegExp(
          `^The database has schema version ${known + 1}, which needs a release that knows version ${known + 1}; this one knows versions up to ${known}\\. Start the newer release, or restore a backup from before the upgrade\\.$`,
        ),
      ),
    );
    await (await openSqliteStore({ directory, now: start, migrations })).close();
  });

  it('is used by an older release as far back as each newer migration declares', async () => {
    const directory = newDirectory();
    const previous = copyOfMigrations();
    writeFileSync(
      new URL(next('expand'), previous),
      `-- Adds.\n-- Oldest schema version that can run on this: ${known}\nALTER TABLE clients ADD COLUMN note TEXT;`,
    );
    const newest = copyOfMigrations();
    for (const file of readdirSync(previous)) copyFileSync(new URL(file, previous), new URL(file, newest));
    writeFileSync(
      new URL(next('contract', 2), newest),
      `-- Oldest schema version that can run on this: ${known + 1}\nDROP TABLE searches;`,
    );
    const notes: unknown[] = [];
    const log: Log = { ...silentLog, info: (fields) => void notes.push(fields) };
    const client = newClient();
    const of = (migrations?: URL) =>
      openSqliteStore({ directory, now: start, log, ...(migrations !== undefined && { migrations }) });

    await (await of(previous)).close();
    const rolledBack = await of();
    assert.equal(await rolledBack.createClient(client), 'created');
    await rolledBack.close();
    assert.deepEqual(notes, [{ event: 'store.newer_schema', version: known + 1, known }]);

    await (await of(newest)).close();
    await assert.rejects(
      of(),
      refusal(new RegExp(`schema version ${known + 2}, which needs a release that knows version ${known + 1};`)),
    );
    const between = await of(previous);
    assert.equal((await between.findClient(client.id))?.name, client.name);
    await between.close();
    assert.deepEqual(notes.slice(1), [{ event: 'store.newer_schema', version: known + 2, known: known + 1 }]);
  });

  it('of before declarations is opened, and older releases stay locked out', async () => {
    const directory = newDirectory();
    await (await openSqliteStore({ directory, now: start })).close();
    const database = new DatabaseSync(path.join(directory, 'colophon.sqlite'));
    database.exec('ALTER TABLE schema_migrations DROP COLUMN oldest');
    database.exec(`INSERT INTO schema_migrations VALUES (${known + 1}, 'later', 'checksum', 0)`);
    database.close();
    await assert.rejects(openSqliteStore({ directory, now: start }), refusal(/needs a release that knows version/));
  });

  it('is refused when an applied migration was changed', async () => {
    const directory = newDirectory();
    await (await openSqliteStore({ directory, now: start })).close();
    const migrations = copyOfMigrations();
    appendFileSync(new URL('./0001-initial.sqlite.sql', migrations), '-- one more line\n');
    await assert.rejects(openSqliteStore({ directory, now: start, migrations }), refusal(/migration 1.*was changed/i));
  });

  it('keeps the old schema when a migration fails half-way', async () => {
    const directory = newDirectory();
    await (await openSqliteStore({ directory, now: start })).close();
    const migrations = copyOfMigrations();
    writeFileSync(new URL(next('broken'), migrations), 'CREATE TABLE half (id INTEGER) STRICT; NONSENSE;');
    await assert.rejects(
      openSqliteStore({ directory, now: start, migrations }),
      refusal(new RegExp(`migration ${known + 1} \\(broken\\) cannot be applied.*syntax error`, 'i')),
    );
    await (await openSqliteStore({ directory, now: start })).close();
    const database = new DatabaseSync(path.join(directory, 'colophon.sqlite'));
    assert.equal(database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'half'").get(), undefined);
    database.close();
  });

  it('has migrations without gaps, each recorded with its checksum', async () => {
    const directory = newDirectory();
    await (await openSqliteStore({ directory, now: start })).close();
    const database = new DatabaseSync(path.join(directory, 'colophon.sqlite'));
    const recorded = database
      .prepare('SELECT version, name, checksum, applied_at, oldest FROM schema_migrations')
      .all();
    database.close();
    const expected = readMigrations(migrationsDirectory, 'sqlite').map(({ version, name, checksum, oldest }) => {
      return { version, name, checksum, applied_at: start, oldest };
    });
    assert.deepEqual(
      recorded.map((row) => ({ ...row })),
      expected,
    );
    const gap = copyOfMigrations();
    writeFileSync(new URL(next('gap', 2), gap), 'SELECT 1;');
    assert.throws(() => readMigrations(gap, 'sqlite'), new RegExp(`Migration ${known + 1} for sqlite is missing`));
  });

  it('answers upstream_unavailable when the disk is full, and reads on', {
    skip: process.platform === 'win32' && 'not run: Windows has no ulimit',
  }, () => {
    const script = `${opener(newDirectory())}
      const token = { clientId: 'cl_full', epoch: 1, scopes: [], identityType: 'anonymous', issuedAt: 0, expiresAt: 9 };
      const fields = ${JSON.stringify({ ...newClient({ id: 'cl_full' }), secretHash: null, registrationTokenHash: null })};
      await store.createClient({ ...fields, registrationTokenHash: new Uint8Array(32) });
      const bytes = new Uint8Array(300_000);
      await store.createJob({ id: 'job_1', clientId: 'cl_full', resource: 'docs', format: 'json', createdAt: 0 });
      await store.claimJob(0, 1000, 3);
      const artefact = { hash: new Uint8Array(32), mediaType: 'application/json', bytes };
      const error = await store.completeJob('job_1', 1, artefact, 'r', 0).catch((error) => error);
      console.log(error.code, error.status, error.options?.retryAfter, (await store.findJob('job_1', 0)).status);`;
    const command = 'ulimit -f 400; exec "$0" --input-type=module -e "$1"';
    const result = spawnSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' });
    assert.equal(result.stdout, 'upstream_unavailable 503 5 running\n', result.stderr);
  });

  it('answers upstream_unavailable once it is closed', async () => {
    const store = await openSqliteStore({ directory: newDirectory(), now: start });
    await store.close();
    await store.close();
    await assert.rejects(async () => store.findToken(newHash(), start), down);
    await assert.rejects(store.issueToken(newToken('cl_none')), down);
  });

  it('says so when the folder cannot be made', async () => {
    const file = path.join(root, 'a-file');
    writeFileSync(file, '');
    const directory = path.join(file, 'data');
    await assert.rejects(openSqliteStore({ directory, now: start }), refusal(/cannot be made.*DATA_DIR/));
  });

  it('holds no secret in clear: only 32-byte hashes', async () => {
    const store = await openSqliteStore({ directory: newDirectory(), now: start });
    const short = new Uint8Array(31);
    await assert.rejects(store.createClient(newClient({ secretHash: short })), /CHECK constraint/);
    await store.close();
  });
});

function opener(directory: string): string {
  const module = new URL('../../src/store/sqlite/store.ts', import.meta.url).href;
  return `
    const { openSqliteStore } = await import(${JSON.stringify(module)});
    const store = await openSqliteStore({ directory: ${JSON.stringify(directory)}, now: ${start} }).catch((error) => {
      console.log(String(error));
      process.exit();
    });`;
}

function copyOfMigrations(): URL {
  const directory = newDirectory();
  mkdirSync(directory);
  for (const file of readdirSync(migrationsDirectory)) {
    copyFileSync(new URL(file, migrationsDirectory), path.join(directory, file));
  }
  return pathToFileURL(`${directory}/`);
}

const refusal = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StoreUnusable);
  assert.match(error.message, message);
  return true;
};

const down = (error: unknown): boolean => error instanceof ApiError && error.code === 'upstream_unavailable';
