/** `npm run build`: writes each package that is published into a folder of `dist/`, and packs it into a tarball next to them. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build as bundleModules } from 'esbuild';
import { bundleServer, unbundled } from './bundle.ts';
import { createLock, type Json, writeBill } from './sbom.ts';

const root = resolve(import.meta.dirname, '..');

/** The files of the client's package, which the server also serves as a tarball. */
const clientFiles = ['LICENSE', 'README.md', 'dist', 'package.json'];

/** Files that the server's package contains unchanged, and their paths there, without the hidden files of a folder. */
const assets: readonly (readonly [from: string, to: string])[] = [
  ['packaging/npm', '.'],
  ['bin/node-version.js', 'bin/node-version.js'],
  ['bin/min-node-version.js', 'bin/min-node-version.js'],
  ['LICENSE', 'LICENSE'],
  ['CHANGELOG.md', 'CHANGELOG.md'],
  ['content', 'content'],
  ['content-sandbox', 'content-sandbox'],
  ['schemas', 'schemas'],
  ...clientFiles.map((name) => [`packages/client/${name}`, `packages/client/${name}`] as const),
  ['src/cli/starter', 'lib/cli/starter'],
  ['src/content/words', 'lib/content/words'],
  ['src/oauth/auth.md', 'lib/oauth/auth.md'],
  ['src/pages/browser', 'lib/pages/browser'],
  ['src/pages/guide', 'lib/pages/guide'],
  ['src/search/english', 'lib/search/english'],
  ['src/search/terms', 'lib/search/terms'],
  ['src/store/schema.sql', 'lib/store/schema.sql'],
  ['src/store/postgres/schema.sql', 'lib/store/postgres/schema.sql'],
  ['packaging/kubernetes', 'packaging/kubernetes'],
  ['packaging/snapshot', 'packaging/snapshot'],
];

const manuals = [
  'content-files',
  'credentials',
  'feed',
  'import',
  'install',
  'markdown',
  'mcp',
  'operating',
  'proxy',
  'scaling',
  'settings',
  'snapshot',
  'storage',
  'upgrade',
];
const examples = [
  'Caddyfile',
  'colophon.service',
  'grafana-dashboard.json',
  'nginx.conf',
  'prometheus-rules.test.yml',
  'prometheus-rules.yml',
];

/**
 * Empties the folder `out`, an absolute path, and writes the package `colophon` into it; the same sources give the same bytes.
 * @throws if the sources cannot be bundled or a file of the package is missing.
 */
export async function buildServer(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'THIRD-PARTY-LICENSES.txt'), await bundleServer(join(out, 'lib')));
  const copies = [
    ...assets,
    ...manuals.map((name) => [`docs/${name}.md`, `docs/${name}.md`] as const),
    ...examples.map((name) => [`packaging/${name}`, `packaging/${name}`] as const),
  ];
  for (const [from, to] of copies) await copyFiles(join(root, from), join(out, to));
  await chmod(join(out, 'bin/colophon.js'), 0o755);
  await writeBill(join(out, 'sbom.cdx.json'));
  const manifest = createServerManifest(readJson('package.json'), readdirSync(out));
  await writeJson(join(out, 'package.json'), manifest);
  // The lock file needs only the unbundled packages themselves, because none of them has dependencies.
  const isInstalled = (path: string): boolean => unbundled.some((name) => path === `node_modules/${name}`);
  await writeJson(join(out, 'npm-shrinkwrap.json'), createLock(readJson('package-lock.json'), manifest, isInstalled));
}

/**
 * Empties the folder `out`, an absolute path, and writes the package `@colophon/import` into it, as JavaScript: Node strips no
 * types below node_modules.
 */
export async function buildImport(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await bundleModules({
    absWorkingDir: root,
    entryPoints: ['packages/import/src/main.ts'],
    outfile: join(out, 'lib/main.js'),
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
  });
  await copyFiles(join(root, 'packages/import/bin'), join(out, 'bin'));
  await copyFiles(join(root, 'LICENSE'), join(out, 'LICENSE'));
  await copyFiles(join(root, 'docs/import.md'), join(out, 'README.md'));
  const exports = { '.': './lib/main.js', './package.json': './package.json' };
  await writeJson(join(out, 'package.json'), { ...readJson('packages/import/package.json'), exports });
}

/** Empties the folder `out` and writes the package `@colophon/client` into it: the compiled client that the repository contains. */
export async function buildClientPackage(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  for (const name of clientFiles) await copyFiles(join(root, 'packages/client', name), join(out, name));
}

/**
 * Writes all packages into the folders `colophon`, `client` and `import` of `out`, an absolute path, and packs each into a tarball
 * in `out`.
 * @returns the absolute paths of the tarballs: `colophon`, `@colophon/client`, `@colophon/import`.
 * @throws if a package cannot be built or npm fails.
 */
export async function buildAll(out: string): Promise<string[]> {
  const folders = ['colophon', 'client', 'import'].map((name) => join(out, name));
  const [server = '', client = '', importer = ''] = folders;
  await buildServer(server);
  await buildClientPackage(client);
  await buildImport(importer);
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', out, ...folders], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`);
  const packages: { filename: string }[] = JSON.parse(stdout);
  return packages.map(({ filename }) => join(out, filename));
}

async function copyFiles(from: string, to: string): Promise<void> {
  for (const file of listFiles(from)) {
    const target = join(to, relative(from, file));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(file, target);
  }
}

/**
 * Returns the paths of all files below a folder, each of which begins with `path`, sorted, without those that are hidden (a dot
 * begins their name or that of a folder below `path`). If `path` is a file, returns only that. Throws if it does not exist.
 */
function listFiles(path: string): string[] {
  const entries = readdirSync(dirname(path), { withFileTypes: true });
  if (entries.find(({ name }) => name === basename(path))?.isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/(^|[/\\])\./.test(relative(path, file)))
    .sort();
}

/**
 * Returns the package.json of the published server, which requires Node 24 or later: no scripts, no tools, no package of Node
 * itself, and only the dependencies that are not bundled. `folder` lists the names of the package's files and folders.
 */
function createServerManifest(
  { name, version, description, license, dependencies }: Json,
  folder: readonly string[],
): Json {
  return {
    name,
    version,
    description,
    keywords: ['appcast', 'sparkle', 'rest-api', 'mcp', 'openapi', 'documentation'],
    license,
    type: 'module',
    bin: { colophon: 'bin/colophon.js' },
    exports: { './authoring': './lib/authoring.js', './package.json': './package.json' },
    files: [...folder, 'npm-shrinkwrap.json'].sort(),
    engines: { node: '>=24' },
    dependencies: Object.fromEntries(Object.entries(dependencies as Json).filter(([name]) => unbundled.includes(name))),
  };
}

const readJson = (file: string): Json => JSON.parse(readFileSync(join(root, file), 'utf8'));

const writeJson = (file: string, value: Json): Promise<void> => writeFile(file, `${JSON.stringify(value, null, 2)}\n`);

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } });
  const tarballs = await buildAll(resolve(values.out));
  process.stdout.write(tarballs.map((file) => `wrote ${relative(process.cwd(), file)}\n`).join(''));
}
