/** Two releases of different schema versions on one database, as separate processes: a rollout, and one that is taken back. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { it, type TestContext } from 'node:test';
import { migrationsDirectory, readMigrations } from '../../src/store/migrate.ts';
import { colophon } from '../support/command.ts';
import { bearer, newToken } from '../support/oauth.ts';
import { startPostgres } from '../support/postgres.ts';
import { type Service, startService, temporaryFolder, unlimited } from './service.ts';

const repository = resolve(import.meta.dirname, '../..');
const known = Math.max(
  ...readdirSync(join(repository, 'src/store/migrations')).map((file) => Number(file.slice(0, 4))),
);

/** Both engines take it. */
const additions = [
  'ALTER TABLE clients ADD COLUMN note TEXT;',
  'ALTER TABLE tokens ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;',
  'ALTER TABLE jobs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;',
  'CREATE TABLE notices (id INTEGER PRIMARY KEY, notice TEXT NOT NULL);',
].join('\n');

/** What a program is made of. */
const parts = ['src', 'bin', 'content', 'content-sandbox', 'package.json', 'packages', 'openapi.json'];

/** Without the cache of compiled code, which belongs to one release. */
function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  for (const part of readdirSync(join(repository, 'node_modules')).filter((name) => name !== '.cache')) {
    symlinkSync(join(repository, 'node_modules', part), join(folder, 'node_modules', part));
  }
}

/** The program of a release that has one migration more than this one. */
async function nextRelease(t: TestContext, oldest: number): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const part of parts) cpSync(join(repository, part), join(folder, part), { recursive: true });
  linkPackages(folder);
  for (const engine of ['sqlite', 'postgres']) {
    writeFileSync(
      join(folder, `src/store/migrations/${String(known + 1).padStart(4, '0')}-additions.${engine}.sql`),
      `-- Oldest schema version that can run on this: ${oldest}\n${additions}\n`,
    );
  }
  return join(folder, 'bin/colophon.js');
}

/** The program as it was before the newest migration, out of the history of this checkout; or why there is none. */
async function previousRelease(t: TestContext): Promise<string | { readonly program: string }> {
  const git = (...words: string[]) => spawnSync('git', words, { cwd: repository, maxBuffer: 1e9 });
  const newest = `src/store/migrations/${String(known).padStart(4, '0')}-*.postgres.sql`;
  const commit = git('log', '--diff-filter=A', '--format=%H', '-1', '--', newest).stdout?.toString().trim();
  const archive = git('archive', `${commit}~1`, ...parts);
  if (archive.status !== 0) return 'the history of this checkout does not go back to the previous schema version';
  const folder = await temporaryFolder(t);
  execFileSync('tar', ['-x', '-C', folder], { input: archive.stdout });
  linkPackages(folder);
  return { program: join(folder, 'bin/colophon.js') };
}

/** What a server does with its store: a registration, a token, an export, a revocation. */
async function useStore(service: Service): Promise<string> {
  const token = await newToken(service, 'export:docs');
  assert.equal((await service.ask('/agent/auth', { headers: bearer(token) })).status, 200);
  const started = await service.ask('/api/v1/exports', {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ resource: 'faq', format: 'json' }),
  });
  assert.equal(started.status, 202);
  return token;
}

const isKept = async (service: Service, tokens: readonly string[]): Promise<void> => {
  for (const token of tokens) {
    assert.equal((await service.ask('/agent/auth', { headers: bearer(token) })).status, 200);
  }
};

async function end(service: Service): Promise<void> {
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);
}

const engines: Record<string, (t: TestContext) => Promise<Record<string, string> | string>> = {
  SQLite: async (t) => ({ DATA_DIR: await temporaryFolder(t) }),
  PostgreSQL: async (t) => {
    const postgres = await startPostgres();
    if (typeof postgres === 'string') return postgres;
    t.after(() => postgres.close());
    return { DATABASE_URL: await postgres.createDatabase(), SECRET_KEY: 'a secret for every process of the test' };
  },
};

for (const [engine, prepare] of Object.entries(engines)) {
  it(`a release that is taken back runs on the newer schema where that allows it: ${engine}`, async (t) => {
    const shared = await prepare(t);
    if (typeof shared === 'string') return t.skip(`not run: ${shared}`);
    const env = { ...shared, LOG_LEVEL: 'info' };
    const program = await nextRelease(t, known);
    const tokens: string[] = [];

    const before = await startService(t, env);
    tokens.push(await useStore(before));
    // Several processes may use PostgreSQL: the old one serves on while the new one migrates.
    if (engine === 'SQLite') await end(before);
    const after = await startService(t, env, program);
    tokens.push(await useStore(after));
    if (engine === 'PostgreSQL') {
      tokens.push(await useStore(before));
      await end(before);
      const restarted = await startService(t, env);
      tokens.push(await useStore(restarted));
      await isKept(restarted, tokens);
      await end(restarted);
    }
    await isKept(after, tokens);
    await end(after);

    const rolledBack = await startService(t, env);
    await rolledBack.says(/"event":"store\.newer_schema"/);
    await isKept(rolledBack, tokens);
    tokens.push(await useStore(rolledBack));
    await end(rolledBack);
    const again = await startService(t, env, program);
    await isKept(again, tokens);
    await end(again);
    t.diagnostic(
      `row 86: ${engine}: schema ${known} and ${known + 1}; ${tokens.length} registrations and tokens of both releases kept through rollout, rollback and a second upgrade`,
    );
  });

  it(`the release before the newest migration runs on its schema if that allows it: ${engine}`, async (t) => {
    const shared = await prepare(t);
    if (typeof shared === 'string') return t.skip(`not run: ${shared}`);
    const previous = await previousRelease(t);
    if (typeof previous === 'string') return t.skip(`not run: ${previous}`);
    const env = { ...shared, LOG_LEVEL: 'info' };
    const newest = readMigrations(migrationsDirectory, engine === 'SQLite' ? 'sqlite' : 'postgres').at(-1);
    const tokens: string[] = [];

    const now = await startService(t, env);
    tokens.push(await useStore(now));
    await end(now);
    if ((newest?.oldest ?? known) === known) {
      const { code, error } = await colophon(['serve'], {
        env: { ...unlimited, ...shared },
        program: previous.program,
      });
      assert.deepEqual([code, /^The database has schema version \d+, which needs/.test(error)], [1, true], error);
      return t.diagnostic(`row 86: ${engine}: schema ${known} does not allow the release before it, which stops`);
    }
    const rolledBack = await startService(t, env, previous.program);
    await rolledBack.says(/"event":"store\.newer_schema"/);
    await isKept(rolledBack, tokens);
    tokens.push(await useStore(rolledBack));
    await end(rolledBack);
    const again = await startService(t, env);
    await isKept(again, tokens);
    await end(again);
    t.diagnostic(`row 86: ${engine}: the release of schema ${known - 1} ran on schema ${known}`);
  });

  it(`a release stops with one line on a newer schema that does not allow it: ${engine}`, async (t) => {
    const shared = await prepare(t);
    if (typeof shared === 'string') return t.skip(`not run: ${shared}`);
    await end(await startService(t, shared, await nextRelease(t, known + 1)));
    const { code, out, error } = await colophon(['serve'], { env: { LOG_LEVEL: 'info', ...unlimited, ...shared } });
    assert.equal(code, 1);
    assert.doesNotMatch(out, /Colophon serves/);
    assert.equal(
      error,
      `The database has schema version ${known + 1}, which needs a release that knows version ${known + 1}; this one knows versions up to ${known}. Start the newer release, or restore a backup from before the upgrade.\n`,
    );
  });
}
