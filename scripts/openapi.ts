/** Writes openapi.json and openapi.sdk.json as the server serves them by default; with --check, fails when a committed file differs. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import { readConfig } from '../src/config/environment.ts';
import { startServer } from '../src/server/server.ts';

const root = resolve(import.meta.dirname, '..');
const names = ['openapi.json', 'openapi.sdk.json'];
const dataDir = await mkdtemp(join(tmpdir(), 'colophon-openapi-'));
const config = readConfig(
  { PORT: '0', BASE_URL: 'http://127.0.0.1:8080', DATA_DIR: dataDir, ADMIN_PORT: 'off' },
  process.cwd(),
);
const server = await startServer({ config, clock: systemClock, log: silentLog, accessSink: () => {} });
const served = await Promise.all(
  names.map(async (name) => [name, await (await fetch(`${server.listenUrl}/${name}`)).text()] as const),
);
await server.close();
await rm(dataDir, { recursive: true });

for (const [name, text] of served) {
  const file = join(root, name);
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
    process.stdout.write(`wrote ${file}\n`);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${name} is not what the server serves. Run: npm run openapi\n`);
    process.exitCode = 1;
  }
}
