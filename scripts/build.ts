/** Writes the package that is published: JavaScript, assets, its own manifest, and the lock file's versions. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = resolve(import.meta.dirname, '..');

/** What goes in as it is, and where; a folder goes with all that is in it, but nothing whose name begins with a dot. */
const assets: readonly (readonly [from: string, to: string])[] = [
  ['packaging/npm', '.'],
  ['bin/node-version.js', 'bin/node-version.js'],
  ['bin/min-node-version.js', 'bin/min-node-version.js'],
  ['LICENSE', 'LICENSE'],
  ['CHANGELOG.md', 'CHANGELOG.md'],
  ['content', 'content'],
  ['content-sandbox', 'content-sandbox'],
  ['schemas', 'schemas'],
  ['packages/client/dist/client.js', 'packages/client/dist/client.js'],
  ['src/cli/starter', 'lib/cli/starter'],
  ['src/content/words', 'lib/content/words'],
  ['src/oauth/auth.md', 'lib/oauth/auth.md'],
  ['src/pages/browser', 'lib/pages/browser'],
  ['src/pages/guide', 'lib/pages/guide'],
  ['src/search/english', 'lib/search/english'],
  ['src/store/schema.sql', 'lib/store/schema.sql'],
  ['src/store/postgres/schema.sql', 'lib/store/postgres/schema.sql'],
  ['packaging/kubernetes', 'packaging/kubernetes'],
];

const manuals = [
  'credentials',
  'import',
  'install',
  'markdown',
  'mcp',
  'operating',
  'proxy',
  'scaling',
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

/** Empties `out` and fills it; the same sources give the same bytes. Throws when they do not compile. */
export async function build(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  compile(join(out, 'lib'));
  await dropTypes(join(out, 'lib'));
  const copies = [
    ...assets,
    ...manuals.map((name) => [`docs/${name}.md`, `docs/${name}.md`] as const),
    ...examples.map((name) => [`packaging/${name}`, `packaging/${name}`] as const),
  ];
  for (const [from, to] of copies) await copy(join(root, from), join(out, to));
  await chmod(join(out, 'bin/colophon.js'), 0o755);
  const manifest = manifestOf(readJson('package.json'), readdirSync(out));
  await writeJson(join(out, 'package.json'), manifest);
  await writeJson(join(out, 'npm-shrinkwrap.json'), shrinkwrapOf(readJson('package-lock.json'), manifest));
}

function compile(outDir: string): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(
    process.execPath,
    [tsc, '-p', 'scripts/tsconfig.build.json', '--outDir', outDir],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`The sources do not compile:\n${stdout}`);
}

/** A file with only types leaves an empty module behind, which nothing imports. */
async function dropTypes(lib: string): Promise<void> {
  for (const file of filesBelow(lib)) {
    const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    if (code.trim() === 'export {};') await rm(file);
  }
}

async function copy(from: string, to: string): Promise<void> {
  for (const file of filesBelow(from)) {
    const target = join(to, relative(from, file));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(file, target);
  }
}

/** Every file, in an order that does not depend on the disk; a file is its own only one. */
function filesBelow(path: string): string[] {
  const entries = readdirSync(dirname(path), { withFileTypes: true });
  if (entries.find(({ name }) => name === basename(path))?.isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/(^|[/\\])\./.test(relative(path, file)))
    .sort();
}

type Json = Record<string, unknown>;

/** The package's own manifest: no scripts, no tools, no bundled Node, and the versions that were tested. */
function manifestOf(
  { name, version, description, license, dependencies, optionalDependencies, allowScripts }: Json,
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
    dependencies,
    optionalDependencies: withoutNode(optionalDependencies as Json),
    allowScripts,
  };
}

const withoutNode = (dependencies: Json): Json =>
  Object.fromEntries(Object.entries(dependencies).filter(([name]) => !name.startsWith('node-')));

/** The lock file without what is for development, so that an installed copy has the packages that were tested. */
function shrinkwrapOf(lock: Json, manifest: Json): Json {
  const { name, version, license, bin, engines, dependencies, optionalDependencies } = manifest;
  const left = Object.entries(lock.packages as Record<string, Json>).filter(
    ([path, { dev, link }]) => path !== '' && dev !== true && link !== true && !/^node_modules\/node-/.test(path),
  );
  const own = { name, version, license, dependencies, optionalDependencies, bin, engines };
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': own, ...Object.fromEntries(left) } };
}

const readJson = (file: string): Json => JSON.parse(readFileSync(join(root, file), 'utf8'));

const writeJson = (file: string, value: Json): Promise<void> => writeFile(file, `${JSON.stringify(value, null, 2)}\n`);

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } });
  const out = resolve(values.out);
  await build(out);
  process.stdout.write(`wrote ${out}; pack it there with npm pack\n`);
}
