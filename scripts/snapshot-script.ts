/** Builds the script that searches in a snapshot of the site: the server's own engine, for browsers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const readSearchFile = (path: string): string => readFileSync(join(root, 'src/search', path), 'utf8');
const terms = readdirSync(join(root, 'src/search/terms'));
const files = {
  'stop-words.txt': readSearchFile('english/stop-words.txt'),
  'common-words.txt': readSearchFile('english/common-words.txt'),
  'questions.txt': readSearchFile('english/questions.txt'),
  ...Object.fromEntries(terms.map((name) => [name, readSearchFile(`terms/${name}`)])),
};

/**
 * The JavaScript of the modules that replace those of Node and of packages, by the name that the engine imports. The stemmer of the
 * snapshot's language is written into its index. Synonyms are in the index too, and typographic quotation marks are set before a
 * text gets there.
 */
const stubs: Readonly<Record<string, string>> = {
  'node:fs': `const files = ${JSON.stringify(files)};
const readdirSync = () => ${JSON.stringify(terms)};
const readFileSync = (url) => files[url.pathname.split('/').pop()] ?? '';
export { readdirSync, readFileSync };`,
  'node:module': 'export const createRequire = () => () => ({ stemmer: globalThis.colophonStemmer });',
  'markdown-it': 'export default class { core = { ruler: { enableOnly() {} } } }',
};

/**
 * The plugin that replaces Node's modules with the stubs (one without a stub is empty), and leaves out every module whose exports
 * are not used.
 */
const forBrowsers: Plugin = {
  name: 'for browsers',
  setup({ onResolve, onLoad, resolve: resolveModule }) {
    onResolve({ filter: /^(node:|markdown-it$)/ }, ({ path }) => ({ path, namespace: 'stub', sideEffects: false }));
    onLoad({ filter: /.*/, namespace: 'stub' }, ({ path }) => ({ contents: stubs[path] ?? 'module.exports = {};' }));
    onResolve({ filter: /./ }, async ({ path, pluginData, ...from }) =>
      pluginData === 'found' || from.kind === 'entry-point'
        ? undefined
        : { ...(await resolveModule(path, { ...from, pluginData: 'found' })), sideEffects: false },
    );
  },
};

/** Returns the minified JavaScript of the script, which defines a global `colophonSearch`. Rejects if it cannot be built. */
export async function buildSnapshotScript(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/pages/snapshot-search.ts'],
    bundle: true,
    format: 'iife',
    globalName: 'colophonSearch',
    define: { 'import.meta.url': '"file:///search/"' },
    // The warning is only about modules that read files next to them, and those are left out of the result.
    logOverride: { 'empty-import-meta': 'silent' },
    target: 'es2024',
    charset: 'utf8',
    legalComments: 'none',
    minify: true,
    banner: { js: '/*! Search of Colophon, for snapshots; made by npm run openapi. MIT. */' },
    plugins: [forBrowsers],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
