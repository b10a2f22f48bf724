/** Writes openapi.json as the server serves it by default; with --check, fails when the committed file differs. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import { readConfig } from '../src/config/environment.ts';
import { startServer } from '../src/server/server.ts';

const file = resolve(import.meta.dirname, '../openapi.json');
const dataDir = await mkdtemp(join(tmpdir(), 'colophon-openapi-'));
const config = readConfig(
  { PORT: '0', BASE_URL: 'http://127.0.0.1:8080', DATA_DIR: dataDir, ADMIN_PORT: 'off' },
  process.cwd(),
);
const server = await startServer({ config, clock: systemClock, log: silentLog, accessSink: () => {} });
const response = await fetch(`${server.listenUrl}/openapi.json`);
const served = await response.text();
await server.close();
await rm(dataDir, { recursive: true });

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== served) {
    process.stderr.write('openapi.json is not what the server serves. Run: npm run openapi\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, served);
  process.stdout.write(`wrote ${file}\n`);
}
