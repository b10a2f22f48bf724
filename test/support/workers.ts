/** Starts the command `serve` with two server processes on a new database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type RunningCommand, startColophon } from './command.ts';
import { writeContentFolder } from './content-folder.ts';
import { createAppcast } from './feed-samples.ts';
import { getSharedPostgres } from './postgres.ts';

/**
 * Starts the command `serve` with two server processes on a PostgreSQL database of its own, and kills it after the test. It may not
 * listen yet; call `waitForUrls`. Skips the test and returns null where PostgreSQL cannot run.
 */
export async function startWorkers(t: TestContext, env: Record<string, string> = {}): Promise<RunningCommand | null> {
  const postgres = getSharedPostgres();
  if (typeof postgres === 'string') {
    t.skip(`not run: PostgreSQL: ${postgres}`);
    return null;
  }
  const directory = await mkdtemp(join(tmpdir(), 'colophon-workers-'));
  const command = startColophon(['serve'], {
    env: {
      SECRET_KEY: '0123456789abcdef0123456789abcdef',
      DATABASE_URL: await postgres.createDatabase(),
      DATA_DIR: directory,
      CONTENT_DIR: writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') }),
      WEB_CONCURRENCY: '2',
      RATE_LIMIT_ANONYMOUS: '100000',
      ADMIN_PORT: '0',
      ...env,
    },
  });
  t.after(async () => {
    command.child.kill('SIGKILL');
    await command.exitCode;
    await rm(directory, { recursive: true, force: true });
  });
  return command;
}

/** Returns the URLs of the public and the admin listener, without a slash at the end, once the server listens. */
export async function waitForUrls(command: RunningCommand): Promise<{ url: string; admin: string }> {
  const [, url = ''] = await command.waitForOutput(/Colophon serves .* at (http:[^\s"]+)/);
  const [, admin = ''] = await command.waitForOutput(/"admin_url":"(http:[^"]+)"/);
  return { url, admin };
}
