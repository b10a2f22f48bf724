/** The house's rules about what may stand where, held against the source itself. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '..');

/** A file may import from its own folder and from lower floors; a floor is a row. */
const house: readonly (readonly string[])[] = [
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

/** The folders below those of a floor. */
const rooms: readonly string[] = [
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

/** Types that follow a published file: the names of the site's words are those of their JSON Schema. */
const publishedTypes: Readonly<Record<string, string>> = { 'content/words.ts': '../schemas/words.schema.json' };

const floors = new Map(house.flatMap((folders, floor) => folders.map((folder) => [folder, floor] as const)));

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

const sources = new Map(files.map((file) => [file, readFileSync(join(root, 'src', file), 'utf8')]));

const getFolder = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '.') : '.');

/** Small files that follow one pattern: a command, a grant, a database's part of the store, a component, a document. */
const series = /^(cli|oauth|store\/(postgres|sqlite)|pages\/components|pages\/discovery)\/[^/]+$/;

/** Files that tests import: they may stand alone, because a test needs them without their importer. */
const tested = new Set(
  globSync('test/**/*.ts', { cwd: root, exclude: ['**/node_modules'] })
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/'(?:\.\.\/)+src\/([^']+)'/g)])
    .map(([, file = '']) => file),
);

/** Comments and strings may speak of what code may not do. */
const getCode = (source: string): string => source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

function offenders(pattern: RegExp, allowed: (file: string) => boolean): string[] {
  return [...sources].filter(([file, source]) => !allowed(file) && pattern.test(getCode(source))).map(([file]) => file);
}

/** The files of `src/` that each file imports, those of types included. */
const imports = new Map(
  [...sources].map(([file, source]) => [
    file,
    [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, specifier = '']) =>
      relative(join(root, 'src'), resolve(root, 'src', dirname(file), specifier)).replaceAll('\\', '/'),
    ),
  ]),
);

/** Files that can be reached from themselves, each with the way. */
function cycles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start !== -1) found.push([...way.slice(start), file].join(' > '));
    if (start !== -1 || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return found;
}

/**
 * Planned code lines of each folder. A folder that has a tenth more is reported, and one that has a quarter more fails. A row rises
 * only together with a decision that says what the lines buy.
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

/** Returns the code lines of each folder, without translations of the site's words and the word lists of a language. */
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

describe('architecture', () => {
  it('stays within the size budget of each folder', (t) => {
    const excess: string[] = [];
    for (const [folder, lines] of measureFolders()) {
      const planned = sizeBudget[folder] ?? 0;
      if (lines > planned * 1.25) excess.push(`${folder} has ${lines} code lines; ${planned} are planned`);
      else if (lines > planned * 1.1) t.diagnostic(`${folder} has ${lines} code lines; ${planned} are planned`);
    }
    assert.deepEqual(excess, []);
  });

  it('imports only from the same folder or a lower floor', () => {
    const breaches: string[] = [];
    for (const [file, targets] of imports) {
      const from = getFolder(file);
      const floor = floors.get(from);
      assert.ok(floor !== undefined, `src/${file}: the folder ${from} has no floor`);
      for (const target of targets.filter((path) => path !== publishedTypes[file])) {
        const targetFloor = floors.get(getFolder(target));
        if (getFolder(target) !== from && (targetFloor === undefined || targetFloor >= floor))
          breaches.push(`src/${file} imports ${target}`);
      }
    }
    assert.deepEqual(breaches, []);
  });

  it('has no import cycle, not even of types', () => {
    assert.deepEqual(cycles(), []);
  });

  it('has one loose file, and no folder that the house does not know', () => {
    const known = new Set(['.', ...floors.keys(), ...rooms]);
    const unknown = [...files].filter(
      (file) =>
        !known.has(dirname(file)) ||
        (dirname(file) === '.' && !['main.ts', 'authoring.ts', 'worker-main.ts'].includes(file)),
    );
    assert.deepEqual(unknown, []);
  });

  it('has neither index files nor folders for odds and ends', () => {
    assert.deepEqual(
      files.filter((file) => /(^|\/)(index\.ts$|utils?[/.]|helpers?[/.])/.test(file)),
      [],
    );
  });

  it('opens every file with a sentence that says what it is for', () => {
    const silent = [...sources].filter(([, source]) => !source.startsWith('/** ')).map(([file]) => file);
    assert.deepEqual(silent, []);
  });

  it('has no file under 40 lines for a single importer, unless it is one of a series or a seam of tests', () => {
    const lone = files.filter((file) => {
      const importers = files.filter((other) => imports.get(other)?.includes(file));
      const isSmall = (sources.get(file) ?? '').split('\n').length <= 40;
      return isSmall && importers.length === 1 && !series.test(file) && !tested.has(file);
    });
    assert.deepEqual(lone, [], 'fold it into its importer');
  });

  it('names files as nouns in kebab-case', () => {
    assert.deepEqual(
      files.filter((file) => !/^([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/.test(file)),
      [],
    );
  });

  it('reads the environment only in the command', () => {
    assert.deepEqual(
      offenders(/process\.env/, (file) => file === 'main.ts'),
      [],
    );
  });

  it('takes the time only from the clock', () => {
    const asks = /Date\.now\(|new Date\(\)|performance\.now\(|\bsetTimeout\(|\bsetInterval\(/;
    assert.deepEqual(
      offenders(asks, (file) => file === 'base/clock.ts'),
      [],
    );
  });

  it('keeps SQL in the store', () => {
    const sql = /\b(SELECT|INSERT INTO|CREATE (VIRTUAL )?TABLE|DELETE FROM)\b|node:sqlite/;
    assert.deepEqual(
      offenders(sql, (file) => file.startsWith('store/')),
      [],
    );
  });

  it('knows requests and responses in http, and where the list says: it may only shrink', () => {
    const knows = /\b(IncomingMessage|ServerResponse)\b|from 'node:http'/;
    assert.deepEqual(
      offenders(knows, (file) => file.startsWith('http/')),
      ['endpoints/dispatch.ts', 'endpoints/operator/admin.ts', 'endpoints/operator/dev-page.ts'],
    );
  });

  it('states a limit in a text by its constant', () => {
    const literal =
      /65,536|\b16 KiB|\b20 (operations|reads)|\b2 to 200\b|\b1 to 255\b|\b24 hours|\b(7|30) days|newest 100\b|\b3600 seconds|\b10 minutes|\blast 60 seconds|\bmost 10 seconds/;
    assert.deepEqual(
      offenders(literal, () => false),
      [],
    );
  });

  it('is drawn on a map where every place exists and no folder is missing', () => {
    const map = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const places = [...map.matchAll(/`((?:src|test|packages)\/[\w./-]*)`/g)].map(([, place = '']) => place);
    assert.deepEqual(
      places.filter((place) => !existsSync(join(root, place))),
      [],
    );
    const drawn = new Map(
      [...map.matchAll(/^\| (\d+) \| `src\/([\w.]+?)\/?`/gm)].map(([, floor, folder]) => [folder, Number(floor)]),
    );
    for (const [folder, floor] of floors) assert.equal(drawn.get(folder === '.' ? 'main.ts' : folder), floor, folder);
  });

  it('holds nothing of the product that it ships with', () => {
    assert.deepEqual(
      offenders(/sotto/i, () => false),
      [],
    );
  });
});
