// Installs the locked clients and suites next to this file, then runs every check against them.
import '../../bin/node-version.js';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

var here = new URL('.', import.meta.url);
var windows = process.platform === 'win32';

function run(command, words) {
  var result = spawnSync(command, words, { cwd: here, stdio: 'inherit', shell: windows });
  if (result.status !== 0) process.exit(result.status || 1);
}

run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
// Unpacks the browser first, because two test files that start at the same time would find it half unpacked.
if (process.platform === 'linux' && process.arch === 'x64') {
  await (await import('@sparticuz/chromium')).default.executablePath();
}
var { runSuite } = await import('../runner.ts');
var passed = await runSuite({
  files: readdirSync(here)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/interop/${name}`),
  processes: 2,
  testTimeoutMs: 600_000,
});
process.exitCode = passed ? 0 : 1;
