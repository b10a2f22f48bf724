/** Builds the client package's `dist/`: the client as one file that every runtime loads, and its declarations. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const client = join(root, 'packages/client');

/** Maximum size of the client in bytes, compressed with brotli, which the client's README promises. */
const maxBytes = 10 * 1024;

/**
 * Compiles `packages/client/src`.
 * @returns the text of each file, by its name in `packages/client/dist`.
 * @throws if the client does not compile or is too large.
 */
export async function buildClient(): Promise<Map<string, string>> {
  const { version }: { version: string } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));
  const { outputFiles } = await build({
    absWorkingDir: client,
    entryPoints: ['src/main.ts'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    banner: { js: `/*! @colophon/client ${version}, MIT. */` },
    write: false,
  });
  const code = outputFiles[0]?.text ?? '';
  const size = brotliCompressSync(code).length;
  if (size > maxBytes) throw new Error(`The client has ${size} bytes compressed; it may have ${maxBytes}.`);
  return new Map([['client.js', code], ...createDeclarations()]);
}

function createDeclarations(): [name: string, text: string][] {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-client-'));
  try {
    const args = [
      '--noEmit',
      'false',
      '--emitDeclarationOnly',
      '--outDir',
      folder,
      '--rewriteRelativeImportExtensions',
    ];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', client, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`packages/client does not compile:\n${stdout}`);
    const readDeclaration = (name: string): string =>
      readFileSync(join(folder, name), 'utf8').replace(/(from\s+(['"])\.\/[a-z-]+)\.ts\2/g, '$1.js$2');
    return readdirSync(folder)
      .sort()
      .map((name) => [name, readDeclaration(name)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
