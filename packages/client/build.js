/** Builds dist/: the client as one file that any runtime loads, and its types. `--check` compares with what is there. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const dist = join(folder, 'dist');
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** What the package promises of its size, compressed. */
const mostBytes = 10 * 1024;

/** @returns {Promise<Map<string, string>>} */
async function files() {
  const bundled = await build({
    entryPoints: [join(folder, 'src/main.ts')],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    banner: { js: `/*! @colophon/client ${version}, MIT. */` },
    write: false,
  });
  const made = new Map([['client.js', bundled.outputFiles[0]?.text ?? '']]);
  const types = join(folder, 'node_modules/.types');
  rmSync(types, { recursive: true, force: true });
  const words = [
    '-p',
    folder,
    '--noEmit',
    'false',
    '--emitDeclarationOnly',
    '--outDir',
    types,
    '--rewriteRelativeImportExtensions',
  ];
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), ...words], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout);
  for (const name of readdirSync(types).sort())
    made.set(
      name,
      readFileSync(join(types, name), 'utf8')
        .replace(/(from\s+'\.\/[a-z-]+)\.ts'/g, "$1.js'")
        .replace(/(from\s+"\.\/[a-z-]+)\.ts"/g, '$1.js"'),
    );
  return made;
}

const made = await files();
const size = brotliCompressSync(made.get('client.js') ?? '', {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
}).length;
if (size > mostBytes) throw new Error(`The client has ${size} bytes compressed; ${mostBytes} is the most it may have.`);

if (process.argv.includes('--check')) {
  const there = existsSync(dist) ? readdirSync(dist) : [];
  const stale = [...made].filter(
    ([name, text]) => !there.includes(name) || readFileSync(join(dist, name), 'utf8') !== text,
  );
  const extra = there.filter((name) => !made.has(name));
  if (stale.length + extra.length > 0) {
    process.stderr.write(`packages/client/dist is not what src makes: run npm run build there.\n`);
    process.exitCode = 1;
  }
} else {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  for (const [name, text] of made) writeFileSync(join(dist, name), text);
}
process.stdout.write(`client.js: ${size} bytes compressed with brotli\n`);
