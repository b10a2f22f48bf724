/** Writes the bill of materials of the server's package (CycloneDX): every package that is bundled into it or installed with it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** An object of a JSON file. */
export type Json = Record<string, unknown>;

/**
 * Returns a package-lock.json for the package.json `manifest`, with the packages of the repository's `lock` that are installed in
 * production, without workspaces and without Node itself, whose packages begin with `node-`. `isIncluded` chooses among their paths,
 * such as `node_modules/hono` or `node_modules/a/node_modules/b`, and nothing checks what they depend on; all are in by default.
 */
export function createLock(lock: Json, manifest: Json, isIncluded = (_path: string): boolean => true): Json {
  const { name, version, license, bin, engines, dependencies } = manifest;
  const entries = Object.entries(lock.packages as Record<string, Json>).filter(
    ([path, { dev, link }]) =>
      dev !== true && link !== true && /^node_modules\/(?!node-)/.test(path) && isIncluded(path),
  );
  const packages = { '': { name, version, license, dependencies, bin, engines }, ...Object.fromEntries(entries) };
  return { name, version, lockfileVersion: 3, requires: true, packages };
}

/**
 * Writes the bill of materials, as CycloneDX in JSON, to the path `file`; the same lock file gives the same bytes. Throws if npm
 * fails.
 */
export async function writeBill(file: string): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'colophon-sbom-'));
  try {
    // npm uses the name of the folder as the name of the package that the bill describes.
    const folder = join(temporary, 'colophon');
    await mkdir(folder);
    const { name, version, license, dependencies }: Json = readJson('package.json');
    const manifest = { name, version, license, dependencies };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(
      join(folder, 'package-lock.json'),
      JSON.stringify(createLock(readJson('package-lock.json'), manifest)),
    );
    const args = ['sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx'];
    const { status, stdout, stderr } = spawnSync('npm', [...args, '--sbom-type', 'application'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 50_000_000,
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`npm sbom failed:\n${stderr}`);
    const bill = JSON.parse(stdout);
    // The serial number and the time differ in each run, and equal lock files must give equal bytes.
    delete bill.serialNumber;
    delete bill.metadata.timestamp;
    await writeFile(file, `${JSON.stringify(bill, null, 2)}\n`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const readJson = (file: string): Json => JSON.parse(readFileSync(join(root, file), 'utf8'));
