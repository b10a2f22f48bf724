/** `colophon bundle`: puts the server and its packages together into a few files, which load in a third of the time. bin/bundle.js uses them. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';

export const bundle: Command = {
  name: 'bundle',
  summary: 'Put the server and its packages into a few files, so that it starts faster.',
  options: { quiet: { help: 'Print nothing when it succeeds.' } },
  details:
    'Writes to node_modules/.cache/colophon/bundle. `colophon serve` uses the bundle until a file of the program or a package changes; then run this again. In a clone, npm ci runs it.',
  async run({ terminal, flag }) {
    const esbuild = await import('esbuild').catch(() => null);
    if (esbuild === null) {
      terminal.error(
        'Nothing was bundled, because esbuild is not installed; the server starts without a bundle. npm installs esbuild unless optional packages are omitted.\n',
      );
      return exitCodes.failed;
    }
    // What is started as a process or thread gets one file each: shared ones would split the server into forty.
    const server = await esbuild.build({ ...options, entryPoints: entryPoints('main'), splitting: true });
    const tasks = await esbuild.build({
      ...options,
      entryPoints: entryPoints('{catalog,content,feed,pages}/*-{child,thread}'),
    });
    const modules = new Set([server, tasks].flatMap(({ metafile }) => Object.keys(metafile.inputs)));
    const outputs = [...server.outputFiles, ...tasks.outputFiles].map(({ path, text }) => ({
      file: basename(path),
      code: inLatin1(text),
    }));
    const name = await write(outputs, inputsOf(modules));
    if (!flag('quiet')) {
      const place = relative(root, join(folder, name));
      terminal.out(`Bundled ${modules.size} modules into ${outputs.length} files, in ${place}.\n`);
    }
    return exitCodes.done;
  },
};

/** The folder of the sources, or in the package of what they were compiled to. */
const sources = resolve(import.meta.dirname, '..');
const extension = extname(import.meta.filename);
const root = dirname(sources);
const folder = join(root, 'node_modules/.cache/colophon/bundle');
const index = join(folder, 'bundle.json');
/** As deep as the folder that the files will be in, whose name depends on what is in them. */
const placeholder = 'new';

const entryPoints = (pattern: string): string[] =>
  globSync(`${pattern}${extension}`, { cwd: sources }).map((file) => join(sources, file));

/** A module that asks where it is gets the place of its source: the files that it reads are there. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup(build) {
    build.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      if (!path.startsWith(sources + sep)) return undefined;
      const text = await readFile(path, 'utf8');
      const to = (place: string): string => JSON.stringify(placeOf(place));
      const contents = text.replace(/\bimport\.meta\.(dirname|filename|url)\b/g, (_, asked) =>
        asked === 'url'
          ? `new URL(${to(path)}, import.meta.url).href`
          : `(import.meta.dirname + '/' + ${to(asked === 'filename' ? path : dirname(path))})`,
      );
      return { contents, loader: extname(path) === '.ts' ? 'ts' : 'js' };
    });
  },
};

/** A file, as a file of the bundle names it. */
const placeOf = (file: string): string => relative(join(folder, placeholder), file).replaceAll(sep, '/');

/** What zod says in fifty other languages is a sixth of all the code, and nobody reads it. */
const oneLanguage: Plugin = {
  name: 'one-language',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/** Only `serve` is bundled; what is in the bundle of other commands is where to find them. */
const onlyServe: Plugin = {
  name: 'only-serve',
  setup(build) {
    build.onResolve({ filter: /^\.\// }, ({ path, importer, kind }) => {
      if (kind !== 'dynamic-import' || importer !== join(sources, `cli/commands${extension}`)) return undefined;
      return path === `./serve${extension}`
        ? undefined
        : { path: placeOf(resolve(dirname(importer), path)), external: true };
    });
  },
};

const options = {
  absWorkingDir: root,
  outdir: join(folder, placeholder),
  write: false,
  metafile: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: `node${process.versions.node}`,
  entryNames: '[name]',
  // Loaded late or never; the grammars by themselves are 11 MB.
  external: ['pg', 'ioredis', 'prom-client', 'fontkit', 'shiki', '@shikijs/*'],
  // For packages that are CommonJS.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta['url']);",
  },
  legalComments: 'none',
  // Names stay, for the stacks of errors.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'silent',
  plugins: [ownPlaces, oneLanguage, onlyServe],
} satisfies BuildOptions;

interface Input {
  readonly path: string;
  readonly size: number;
  /** In seconds: some archives keep no more. */
  readonly modified: number;
}

/** What tells whether the bundle is still right: the program's own modules, and the manifests that say which packages there are. */
function inputsOf(modules: ReadonlySet<string>): Input[] {
  const own = [...modules].filter((file) => resolve(root, file).startsWith(sources + sep));
  return [...manifests, ...own]
    .filter((file) => existsSync(join(root, file)))
    .map((path) => {
      const { size, mtimeMs } = statSync(join(root, path));
      return { path, size, modified: Math.floor(mtimeMs / 1000) };
    });
}

/** In a clone, in an unpacked package, and around a package that npm installed next to its dependencies. */
const manifests = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'node_modules/.package-lock.json',
  '../.package-lock.json',
];

interface Output {
  readonly file: string;
  readonly code: string;
}

/**
 * One character outside of Latin-1 makes V8 keep the whole text with two bytes a character. esbuild escapes those in
 * strings; what is left are regular expressions.
 */
const inLatin1 = (code: string): string =>
  code.replace(/[\u0100-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns the name of the folder. That of the bundle before stays, for a server that runs from it. */
async function write(outputs: readonly Output[], files: readonly Input[]): Promise<string> {
  const hash = createHash('sha256');
  for (const { file, code } of outputs) hash.update(file).update(code);
  const name = hash.digest('hex').slice(0, 16);
  if (!existsSync(join(folder, name))) {
    // Under another name until it is whole: a server may start meanwhile, or somebody else bundle.
    const unfinished = join(folder, `${name}.${process.pid}`);
    await mkdir(unfinished, { recursive: true });
    for (const { file, code } of outputs) await writeFile(join(unfinished, file), code);
    await rename(unfinished, join(folder, name)).catch(async (error: unknown) => {
      if (!existsSync(join(folder, name))) throw error;
      await rm(unfinished, { recursive: true });
    });
  }
  const before = nameIn(index);
  await writeFile(`${index}.${process.pid}`, JSON.stringify({ root, name, files }));
  await rename(`${index}.${process.pid}`, index);
  for (const other of await readdir(folder)) {
    if (/^\w+$/.test(other) && other !== name && other !== before) await rm(join(folder, other), { recursive: true });
  }
  return name;
}

/** null where there is no bundle yet, or what is there cannot be read. */
function nameIn(file: string): string | null {
  try {
    return String(JSON.parse(readFileSync(file, 'utf8')).name);
  } catch {
    return null;
  }
}
