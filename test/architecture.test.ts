/** Checks the rules of docs/architecture.md for the files of src/: sizes, imports, names, headers and what only some files may use. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '..');

/** The folders of each layer, from the lowest. A file may import from its own folder and from lower layers. */
const layers: readonly (readonly string[])[] = [
  ['base'],
  ['markdown', 'search', 'worker'],
  ['store', 'content'],
  ['feed', 'oauth', 'jobs', 'limits'],
  ['catalog'],
  ['operations'],
  ['mcp', 'openapi', 'pages', 'http'],
  ['resources'],
  ['endpoints', 'config'],
  ['server'],
  ['cli'],
  ['.'],
];

/** The subfolders of the folders in `layers`, as paths from src/. */
const subfolders: readonly string[] = [
  'endpoints/api',
  'endpoints/mcp',
  'endpoints/oauth',
  'endpoints/operator',
  'endpoints/site',
  'pages/components',
  'pages/developers',
  'pages/discovery',
  'store/postgres',
  'store/redis',
  'store/sqlite',
];

/** Files whose types repeat the names in a published file, such as a JSON Schema, with the path of that file from src/. */
const publishedTypes: Readonly<Record<string, string>> = { 'content/words.ts': '../schemas/words.schema.json' };

const layerByFolder = new Map(layers.flatMap((folders, layer) => folders.map((folder) => [folder, layer] as const)));

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

const sources = new Map(files.map((file) => [file, readFileSync(join(root, 'src', file), 'utf8')]));

const getFolder = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '.') : '.');

/** Small files that follow one pattern: a command, a grant, a database's part of the store, a component, a document. */
const series = /^(cli|oauth|store\/(postgres|sqlite)|pages\/components|pages\/discovery)\/[^/]+$/;

/**
 * Paths, from src/, of files that tests import. They may be small files with one importer, because a test needs them without that
 * importer.
 */
const tested = new Set(
  globSync('test/**/*.ts', { cwd: root, exclude: ['**/node_modules'] })
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/'(?:\.\.\/)+src\/([^']+)'/g)])
    .map(([, file = '']) => file),
);

/** Returns a source without its comments, which may name what the code must not use. A `//` comment behind code is left. */
const getCode = (source: string): string => source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

/**
 * Returns the paths, from src/, of the files in `sources` that have a match of the pattern outside of comments, except those for
 * which `allowed` returns true.
 */
function findFilesWith(pattern: RegExp, allowed: (file: string) => boolean): string[] {
  return [...sources].filter(([file, source]) => !allowed(file) && pattern.test(getCode(source))).map(([file]) => file);
}

/** The files that each file of src/ imports, those of types included. All paths are relative to src/. */
const imports = new Map(
  [...sources].map(([file, source]) => [
    file,
    [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, specifier = '']) =>
      relative(join(root, 'src'), resolve(root, 'src', dirname(file), specifier)).replaceAll('\\', '/'),
    ),
  ]),
);

/**
 * Returns the cycles in `imports`, each as its files joined by ` > `. Some cycles that share files may be missing until the others
 * are resolved.
 */
function findCycles(): string[] {
  const chains: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) chains.push([...path.slice(start), file].join(' > '));
    if (start !== -1 || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return chains;
}

/**
 * Planned code lines of each folder. A folder that has a tenth more is reported, and one that has a quarter more fails. A row rises
 * only together with a decision that gives the reason.
 */
const sizeBudget: Readonly<Record<string, number>> = {
  'packages/import': 4740,
  'src/authoring.ts': 20,
  'src/base': 925,
  'src/catalog': 1080,
  'src/cli': 2375,
  'src/config': 360,
  'src/content': 2740,
  'src/endpoints': 2200,
  'src/feed': 2985,
  'src/http': 1390,
  'src/jobs': 350,
  'src/limits': 220,
  'src/main.ts': 40,
  'src/markdown': 1265,
  'src/mcp': 1120,
  'src/oauth': 1545,
  'src/openapi': 995,
  'src/operations': 2480,
  'src/pages': 6695,
  'src/resources': 220,
  'src/search': 1185,
  'src/server': 805,
  'src/store': 1600,
  'src/worker': 290,
  'src/worker-main.ts': 10,
};

/** Returns how many lines of a file are neither blank nor comment. */
function countCodeLines(path: string): number {
  const text = readFileSync(path, 'utf8');
  const comments: Readonly<Record<string, RegExp>> = {
    '.yaml': /^[ \t]*#.*$/gm,
    '.sql': /^[ \t]*--.*$/gm,
    '.md': /(?!)/g,
    '.txt': /(?!)/g,
    '.json': /(?!)/g,
  };
  const pattern = comments[extname(path)] ?? /^[ \t]*\/\*[\s\S]*?\*\/[ \t]*$|^[ \t]*\/\/.*$/gm;
  return text
    .replace(pattern, '')
    .split('\n')
    .filter((line) => line.trim() !== '').length;
}

/**
 * Returns the code lines by folder, such as `src/base`, and of a file directly in src/ by its path, such as `src/main.ts`.
 * Translations of the site's words and word lists of a language do not count.
 */
function measureFolders(): Map<string, number> {
  const sizes = new Map<string, number>();
  const paths = globSync(
    ['src/**/*.{ts,js,css,sql,md,yaml,txt,json}', 'packages/import/{bin,src}/**/*', 'packages/import/*.json'],
    {
      cwd: root,
    },
  );
  for (const path of paths.map((name) => name.replaceAll('\\', '/')).filter((name) => /\.[a-z]+$/.test(name))) {
    if (/^src\/content\/words\/(?!en\.)|^src\/search\/[a-z]+\//.test(path)) continue;
    const folder = path.split('/').slice(0, 2).join('/');
    sizes.set(folder, (sizes.get(folder) ?? 0) + countCodeLines(join(root, path)));
  }
  return sizes;
}

describe('docs/architecture.md: the rules for the files of src/', () => {
  it('each folder exceeds its planned number of code lines by at most a quarter', (t) => {
    const excess: string[] = [];
    for (const [folder, lines] of measureFolders()) {
      const planned = sizeBudget[folder] ?? 0;
      if (lines > planned * 1.25) excess.push(`${folder} has ${lines} code lines; ${planned} are planned`);
      else if (lines > planned * 1.1) t.diagnostic(`${folder} has ${lines} code lines; ${planned} are planned`);
    }
    assert.deepEqual(excess, []);
  });

  it('each file imports only from its own folder or a lower layer', () => {
    const breaches: string[] = [];
    for (const [file, targets] of imports) {
      const from = getFolder(file);
      const layer = layerByFolder.get(from);
      assert.ok(layer !== undefined, `src/${file}: the folder ${from} is in no layer`);
      for (const target of targets.filter((path) => path !== publishedTypes[file])) {
        const targetLayer = layerByFolder.get(getFolder(target));
        if (getFolder(target) !== from && (targetLayer === undefined || targetLayer >= layer))
          breaches.push(`src/${file} imports ${target}`);
      }
    }
    assert.deepEqual(breaches, []);
  });

  it('no import forms a cycle, not even an import of types', () => {
    assert.deepEqual(findCycles(), []);
  });

  it('every folder is in the lists of this test, and only three files are outside of all folders', () => {
    const listed = new Set(['.', ...layerByFolder.keys(), ...subfolders]);
    const unknown = [...files].filter(
      (file) =>
        !listed.has(dirname(file)) ||
        (dirname(file) === '.' && !['main.ts', 'authoring.ts', 'worker-main.ts'].includes(file)),
    );
    assert.deepEqual(unknown, []);
  });

  it('no file is named index.ts, and no file or folder is named util or helper', () => {
    assert.deepEqual(
      files.filter((file) => /(^|\/)(index\.ts$|utils?[/.]|helpers?[/.])/.test(file)),
      [],
    );
  });

  it('each file begins with a doc comment', () => {
    const withoutHeader = [...sources].filter(([, source]) => !source.startsWith('/** ')).map(([file]) => file);
    assert.deepEqual(withoutHeader, []);
  });

  it('a file under 40 lines with a single importer belongs to a series or is imported by a test', () => {
    const smallFiles = files.filter((file) => {
      const importers = files.filter((other) => imports.get(other)?.includes(file));
      const isSmall = (sources.get(file) ?? '').split('\n').length <= 40;
      return isSmall && importers.length === 1 && !series.test(file) && !tested.has(file);
    });
    assert.deepEqual(smallFiles, [], 'fold it into its importer');
  });

  it('file names are in kebab-case', () => {
    assert.deepEqual(
      files.filter((file) => !/^([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/.test(file)),
      [],
    );
  });

  it('only main.ts uses process.env', () => {
    assert.deepEqual(
      findFilesWith(/process\.env/, (file) => file === 'main.ts'),
      [],
    );
  });

  it('only base/clock.ts reads the time and sets timers', () => {
    const clockUse = /Date\.now\(|new Date\(\)|performance\.now\(|\bsetTimeout\(|\bsetInterval\(/;
    assert.deepEqual(
      findFilesWith(clockUse, (file) => file === 'base/clock.ts'),
      [],
    );
  });

  it('only files of store/ contain SQL or import node:sqlite', () => {
    const sql = /\b(SELECT|INSERT INTO|CREATE (VIRTUAL )?TABLE|DELETE FROM)\b|node:sqlite/;
    assert.deepEqual(
      findFilesWith(sql, (file) => file.startsWith('store/')),
      [],
    );
  });

  it('only http/ and three listed files import node:http or use its request and response types', () => {
    const requestUse = /\b(IncomingMessage|ServerResponse)\b|from 'node:http'/;
    assert.deepEqual(
      findFilesWith(requestUse, (file) => file.startsWith('http/')),
      ['endpoints/dispatch.ts', 'endpoints/operator/admin.ts', 'endpoints/operator/dev-page.ts'],
    );
  });

  it('no file repeats a limit as a literal number in a text', () => {
    const literal =
      /65,536|\b16 KiB|\b20 (operations|reads)|\b2 to 200\b|\b1 to 255\b|\b24 hours|\b(7|30) days|newest 100\b|\b3600 seconds|\b10 minutes|\blast 60 seconds|\bmost 10 seconds/;
    assert.deepEqual(
      findFilesWith(literal, () => false),
      [],
    );
  });

  it('docs/architecture.md names only paths that exist, and lists every folder with its layer', () => {
    const map = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const places = [...map.matchAll(/`((?:src|test|packages)\/[\w./-]*)`/g)].map(([, place = '']) => place);
    assert.deepEqual(
      places.filter((place) => !existsSync(join(root, place))),
      [],
    );
    const layersOfPage = new Map(
      [...map.matchAll(/^\| (\d+) \| `src\/([\w.]+?)\/?`/gm)].map(([, layer, folder]) => [folder, Number(layer)]),
    );
    for (const [folder, layer] of layerByFolder)
      assert.equal(layersOfPage.get(folder === '.' ? 'main.ts' : folder), layer, folder);
  });

  it('no file contains the name of the example product', () => {
    assert.deepEqual(
      findFilesWith(/sotto/i, () => false),
      [],
    );
  });
});
