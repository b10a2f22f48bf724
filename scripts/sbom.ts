/** Writes the bill of materials of the package that is published (CycloneDX), the same bytes for the same lock file. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.ts';

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(import.meta.dirname, '../sbom.cdx.json') } },
});
const folder = await mkdtemp(join(tmpdir(), 'colophon-sbom-'));
try {
  const dist = join(folder, 'colophon');
  await build(dist);
  const words = ['sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx'];
  const { status, stdout, stderr } = spawnSync('npm', [...words, '--sbom-type', 'application'], {
    cwd: dist,
    encoding: 'utf8',
    maxBuffer: 50_000_000,
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm sbom failed:\n${stderr}`);
  const bill = JSON.parse(stdout);
  // When and in which run it was made says nothing of what is in it.
  delete bill.serialNumber;
  delete bill.metadata.timestamp;
  await writeFile(resolve(values.out), `${JSON.stringify(bill, null, 2)}\n`);
  process.stdout.write(`wrote ${resolve(values.out)}: ${bill.components.length} components\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
